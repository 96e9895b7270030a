"""Regret along the rounds, one row of panels per set of constants, one column per instance."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import style

DASHES = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)), (0, (2, 1)))
"""Line styles, one per algorithm; they repeat after the last."""


def draw(table: pd.DataFrame) -> Figure:
    """Mean cumulative regret over rounds with its 95 % Student interval.

    `table` has the columns of `mnlbandits.analysis.regret.regret_summary` with keys instance, algorithm and preset. Labels
    without constants (preset ``none``) are yardsticks: grey, in every row. A label whose regret is 0 throughout cannot be on
    the log axis; the legend says so.
    """
    presets = [name for name in PRESETS if name != "none" and name in set(table["preset"])] or ["none"]
    instances = list(dict.fromkeys(table["instance"]))
    lines = {label: group for label, group in table.groupby(["algorithm", "preset"], sort=False)}
    looks = look(list(lines))
    width = style.COLUMN if len(instances) <= 2 else style.PAGE
    figure, axes = style.panels(len(presets), len(instances), width, 1.5, sharex=True, sharey=True)
    for row, preset in zip(axes, presets, strict=True):
        for axis, instance in zip(row, instances, strict=True):
            for (label, constants), group in lines.items():
                if constants in (preset, "none"):
                    draw_line(axis, group[group["instance"] == instance], looks[label, constants])
        row[0].set_ylabel(f"{PRESETS[preset]}\nregret")
    for axis, instance in zip(axes[0], instances, strict=True):
        axis.set_title(style.wrapped(instance, 13 if len(instances) > 3 else 24))
    for axis in axes[-1]:
        axis.set_xlabel("round $t$")
    scale(axes[0, 0], table)
    note = f"mean over {style.count_range(table['runs'], 'run')}; band: 95 % Student interval of the mean"
    style.legend(figure, entries(lines, looks), 2 if width == style.COLUMN else 4, note)
    return figure


def look(labels: list[tuple[str, str]]) -> dict[tuple[str, str], dict]:
    """Line properties of every (label, preset): one colour per algorithm whatever its constants, REAL first."""
    stems = {style.stem(label, preset) for label, preset in labels if preset != "none"}
    order = sorted(stems, key=lambda name: (name != "real", name))
    looks = {}
    for label, preset in labels:
        if preset == "none":
            looks[label, preset] = {"color": style.GREY, "linewidth": 0.7, "linestyle": "-", "zorder": 1.5}
        else:
            number = order.index(style.stem(label, preset))
            colour, dash = style.COLOURS[number % len(style.COLOURS)], DASHES[number % len(DASHES)]
            looks[label, preset] = {"color": colour, "linestyle": dash}
    return looks


def draw_line(axis: Axes, group: pd.DataFrame, properties: dict) -> None:
    """One label on one instance; zeros are left out, the band is cut where the axis would need a logarithm of <= 0."""
    group = group[group["mean"] > 0]
    axis.plot("t", "mean", data=group, **properties)
    group = group[np.isfinite(group["low"]) & (group["high"] > group["low"])]
    low = np.maximum(group["low"], 1e-3 * group["mean"])
    axis.fill_between(group["t"], low, group["high"], color=properties["color"], alpha=0.25, linewidth=0)


def scale(axis: Axes, table: pd.DataFrame) -> None:
    """Log-log axes over the means, with ticks that do not touch."""
    means = table.loc[table["mean"] > 0, "mean"]
    axis.set(xscale="log", yscale="log", xlim=(table["t"].min(), max(2, table["t"].max())))
    if len(means):
        axis.set_ylim(means.min() / 2, means.max() * 3)
    axis.xaxis.set_major_locator(LogLocator(numticks=5))
    axis.yaxis.set_major_locator(LogLocator(numticks=6))
    axis.minorticks_off()


def entries(lines: dict[tuple[str, str], pd.DataFrame], looks: dict[tuple[str, str], dict]) -> list[Line2D]:
    """Legend entries: every algorithm once, whatever its constants."""
    handles = {}
    for (label, preset), group in lines.items():
        name = style.title(label, preset)
        if (group["mean"] <= 0).all():
            handles[name] = Line2D([], [], linestyle="none", label=f"{name}: regret 0, off the log axis")
        else:
            handles.setdefault(name, Line2D([], [], label=name, **looks[label, preset]))
    return list(handles.values())
