"""Regret along the rounds, one row of panels per set of constants, one column per instance."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.algorithms import yardsticks
from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import style

DASHES = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)), (0, (2, 1)))
"""Line styles, one per algorithm; they repeat after the last."""

DECADES = 5
"""Powers of ten that the axes show, up to the horizon and to the largest regret."""

YARDSTICKS = tuple(algorithm.name for algorithm in yardsticks.ALGORITHMS)
"""Labels that are no learners."""

GUIDE = {"color": "0.7", "linewidth": 0.7, "linestyle": (0, (1, 2)), "zorder": 1}


@style.styled
def draw(table: pd.DataFrame) -> Figure:
    """Mean cumulative regret over rounds with its 95 % Student interval.

    `table` has the columns of `mnlbandits.analysis.regret.regret_summary` with keys instance, algorithm and preset. Labels
    without constants (preset ``none``) are in every row, `YARDSTICKS` grey. A label whose regret is 0 throughout cannot be
    on the log axis; the legend says so.
    """
    presets = [name for name in PRESETS if name != "none" and name in set(table["preset"])] or ["none"]
    instances = list(dict.fromkeys(table["instance"]))
    labels = dict(list(table.groupby(["algorithm", "preset"], sort=False)))
    seen = [key for key, group in labels.items() if (group["mean"] > 0).any()]
    looks, unseen = look(seen), unseen_titles(seen, [key for key in labels if key not in seen])
    width = style.COLUMN if len(instances) <= 2 else style.PAGE
    figure, axes = style.panels(len(presets), len(instances), width, 1.3, 0.7)
    for row, preset in zip(axes, presets, strict=True):
        for axis, instance in zip(row, instances, strict=True):
            for key, properties in looks.items():
                if key[1] in (preset, "none"):
                    group = labels[key]
                    draw_line(axis, group[group["instance"] == instance], properties)
        row[0].set_ylabel(f"{PRESETS[preset]}\ncumulative regret", linespacing=style.LINES)
    for axis, instance in zip(axes[0], instances, strict=True):
        axis.set_title(style.wrapped(instance, 13 if len(instances) > 3 else 24, at_hyphens=True), linespacing=style.LINES)
    for axis in axes[-1]:
        axis.set_xlabel("round $t$")
    scale(axes, table)
    style.legend(figure, entries(looks), 2 if width == style.COLUMN else 4, remark(table, unseen))
    return figure


def unseen_titles(seen: list[tuple[str, str]], unseen: list[tuple[str, str]]) -> list[str]:
    """What to call the (label, preset) that are not seen: with their constants if the algorithm is seen with others."""
    drawn = {style.title(*key) for key in seen}
    titles = [(style.title(*key), PRESETS[key[1]]) for key in unseen]
    return list(dict.fromkeys(f"{name} with {constants}" if name in drawn else name for name, constants in titles))


def look(labels: list[tuple[str, str]]) -> dict[tuple[str, str], dict[str, Any]]:
    """Line properties of every (label, preset), the paper's algorithm first and yardsticks last.

    Labels of one algorithm share a colour and a line style, whatever their constants.
    """
    ordered = sorted(labels, key=lambda key: (key[0] in YARDSTICKS, style.rank(key[0])))
    plain = [key for key in ordered if key[0] in YARDSTICKS]
    algorithms = list(dict.fromkeys(style.stem(*key) for key in ordered if key not in plain))
    looks = {}
    for key in ordered:
        number = plain.index(key) if key in plain else algorithms.index(style.stem(*key))
        colour = style.GREY if key in plain else style.COLOURS[number % len(style.COLOURS)]
        thin = {"linewidth": 0.7, "zorder": 1.5} if key in plain else {}
        looks[key] = {"color": colour, "linestyle": DASHES[number % len(DASHES)]} | thin
    return looks


def draw_line(axis: Axes, group: pd.DataFrame, properties: dict[str, Any]) -> None:
    """One label on one instance; zeros are left out, and the band ends where a log axis has to."""
    group = group[group["mean"] > 0]
    axis.plot("t", "mean", data=group, **properties)
    group = group[np.isfinite(group["low"]) & (group["high"] > group["low"])]
    low = np.maximum(group["low"], 1e-3 * group["mean"])
    axis.fill_between(group["t"], low, group["high"], color=properties["color"], alpha=0.25, linewidth=0)


def scale(axes: np.ndarray, table: pd.DataFrame) -> None:
    """Log-log axes that show the last `DECADES` of rounds and of regret, with a guide that grows like sqrt(t)."""
    last, highest = max(10, table["t"].max()), table["mean"].max() if (table["mean"] > 0).any() else 1.0
    for axis in axes.flat:
        first = max(1, last / 10**DECADES)
        axis.plot([first, last], [highest / 30 * (first / last) ** 0.5, highest / 30], **GUIDE)
    axes[0, 0].set(xscale="log", yscale="log", xlim=(first, last), ylim=(highest / 10**DECADES, 3 * highest))
    axes[0, 0].xaxis.set(major_locator=LogLocator(numticks=4), minor_locator=NullLocator())
    axes[0, 0].yaxis.set(major_locator=LogLocator(numticks=6), minor_locator=NullLocator())


def entries(looks: dict[tuple[str, str], dict[str, Any]]) -> list[Line2D]:
    """Legend entries: every algorithm once, whatever its constants, and the guide."""
    named = {style.title(*key): properties for key, properties in looks.items()}
    lines = [Line2D([], [], label=name, **properties) for name, properties in named.items()]
    return [*lines, Line2D([], [], label=r"slope of $\sqrt{t}$", **GUIDE)]


def remark(table: pd.DataFrame, unseen: list[str]) -> str:
    """What the lines and bands are, and which labels are not there."""
    runs = style.count_range(table["runs"], "run")
    band = "band: 95 % Student interval of the mean" if (table["runs"] > 1).any() else "no interval"
    zeros = f"\n{' and '.join(unseen)}: regret 0 in every round, not on a log axis" if unseen else ""
    return f"mean over {runs}; {band}{zeros}"
