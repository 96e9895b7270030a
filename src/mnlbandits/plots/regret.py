"""Regret along the rounds, one row of panels per set of constants, one column per instance."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import messages, style

DECADES = 5
"""Powers of ten that the axes show, up to the horizon and to the largest regret."""

GUIDE = {"color": "0.7", "linewidth": 0.7, "linestyle": (0, (1, 2)), "zorder": 1}


Key = tuple[str, str]
"""A label of the config, and its preset."""


def message(table: pd.DataFrame) -> str | None:
    """Who has the lowest regret where, and in how many panels REAL ends above uniform play."""
    said, ends = messages.lowest(table), messages.at_the_end(table)
    uniform = ends[ends["algorithm"] == "uniform"].set_index("instance")["mean"]
    real = ends[[style.stem(*pair) == "real" for pair in zip(ends["algorithm"], ends["preset"], strict=True)]]
    real = real[real["instance"].isin(uniform.index)]
    if not said or real.empty:
        return said
    above = int((real["mean"] > real["instance"].map(uniform)).sum())
    return f"{said}; REAL ends above uniform play in {messages.of(above, len(real))}"


@style.styled(message)
def draw(
    table: pd.DataFrame,
    facts: style.Facts | None = None,
    size: tuple[float, float] | None = None,
    log: bool = True,
    together: bool = False,
) -> Figure:
    """Mean cumulative regret over rounds with its 95 % Student interval.

    `table` has the columns of `mnlbandits.analysis.regret.regret_summary` with keys instance, algorithm and preset. Labels
    without constants (preset ``none``) are in every row, yardsticks grey. A label whose regret is 0 throughout cannot be on
    a log axis, and of labels with the same regret one hides the others; the legend says so. `size`, `log` and `together` as
    in `plot_regret`.
    """
    presets = [name for name in PRESETS if name != "none" and name in set(table["preset"])] or ["none"]
    rows = [presets] if together else [[preset] for preset in presets]
    instances = list(dict.fromkeys(table["instance"]))
    labels = dict(list(table.groupby(["algorithm", "preset"], sort=False)))
    seen = [key for key, group in labels.items() if not log or (group["mean"] > 0).any()]
    looks, unseen = look(seen, presets if together else []), unseen_titles(seen, [key for key in labels if key not in seen])
    width = size[0] if size else style.COLUMN if len(instances) <= 2 else style.PAGE
    apart = together and len(presets) > 1
    handles = entries(looks, apart)[: None if log else -1]
    columns = 2 if width == style.COLUMN else 4
    if size:
        columns = max(1, min(len(handles), round((0.35 if apart else 0.6) * width)))
    note = remark(table, unseen, hidden(labels, seen, together))
    lines = style.wrapped(note, int(style.LETTERS * width)).count("\n") + 1
    foot = 0.3 + 0.12 * lines + 0.16 * math.ceil(len(handles) / columns)
    height = (size[1] - foot) / len(rows) if size else 1.3
    figure, axes = style.panels(len(rows), len(instances), width, height, foot)
    for row, inside in zip(axes, rows, strict=True):
        for axis, instance in zip(row, instances, strict=True):
            for key, properties in looks.items():
                if key[1] in (*inside, "none"):
                    group = labels[key]
                    draw_line(axis, group[group["instance"] == instance], properties, log)
        constants = f"{PRESETS[inside[0]]}\n" if len(inside) == 1 and inside != ["none"] else ""
        row[0].set_ylabel(f"{constants}cumulative regret", linespacing=style.LINES)
    style.name_panels(axes[0], instances, facts)
    for axis in axes[-1]:
        axis.set_xlabel("round $t$")
    (scale if log else scale_linear)(axes, table)
    style.legend(figure, handles, columns, note)
    return figure


def hidden(labels: dict[Key, pd.DataFrame], seen: list[Key], together: bool) -> list[str]:
    """What to say of labels in one panel whose mean regret is the same in every round."""
    lines: dict[Any, list[Key]] = {}
    for key in seen:
        means = labels[key].sort_values(["instance", "t"])["mean"]
        lines.setdefault((None if together else key[1], *means), []).append(key)
    several = len({key[1] for key in seen} - {"none"}) > 1
    return [
        f"{' and '.join(dict.fromkeys(titled(key, several) for key in keys))}: the same regret, one line"
        for keys in lines.values()
        if len({titled(key, several) for key in keys}) > 1
    ]


def titled(key: Key, apart: bool) -> str:
    """What to call a label, with its constants if they are to be told apart."""
    constants = f", {PRESETS[key[1]]}" if apart and key[1] != "none" else ""
    return style.title(*key) + constants


def unseen_titles(seen: list[Key], unseen: list[Key]) -> list[str]:
    """What to call the (label, preset) that are not seen: with their constants if the algorithm is seen with others."""
    drawn = {style.title(*key) for key in seen}
    titles = [(style.title(*key), PRESETS[key[1]]) for key in unseen]
    return list(dict.fromkeys(f"{name} with {constants}" if name in drawn else name for name, constants in titles))


def look(labels: list[Key], presets: Sequence[str] = ()) -> dict[Key, dict[str, Any]]:
    """Line properties of every (label, preset), the paper's algorithm first and yardsticks last.

    Labels of one algorithm have its look of `style.system`; but constants among `presets` have a line style each.
    """
    ordered = sorted(labels, key=lambda key: (style.stem(*key) in style.YARDSTICKS, style.rank(key[0])))
    plain = [key for key in ordered if style.stem(*key) in style.YARDSTICKS]
    others = style.strangers(style.stem(*key) for key in ordered)
    looks = {}
    for key in ordered:
        if key in plain:
            dash = style.DASHES[plain.index(key) % len(style.DASHES)]
            looks[key] = {"color": style.GREY, "linestyle": dash, "linewidth": 0.7, "zorder": 1.5}
            continue
        look = style.system(style.stem(*key), others)
        looks[key] = {"color": look["color"], "linestyle": look["linestyle"]}
        if key[1] in presets:
            looks[key]["linestyle"] = style.DASHES[presets.index(key[1])]
    return looks


def draw_line(axis: Axes, group: pd.DataFrame, properties: dict[str, Any], log: bool = True) -> None:
    """One label on one instance; on a log axis zeros are left out, and the band ends where it has to."""
    group = group[group["mean"] > 0] if log else group
    axis.plot("t", "mean", data=group, **properties)
    group = group[np.isfinite(group["low"]) & (group["high"] > group["low"])]
    low = np.maximum(group["low"], 1e-3 * group["mean"]) if log else group["low"]
    axis.fill_between(group["t"], low, group["high"], color=properties["color"], alpha=0.25, linewidth=0)


def scale(axes: np.ndarray, table: pd.DataFrame) -> None:
    """Log-log axes with a guide that grows like sqrt(t), over the last `DECADES` of rounds and of regret or more.

    They show where every line ends, and the decade of rounds before.
    """
    last, highest = max(10, table["t"].max()), table["mean"].max() if (table["mean"] > 0).any() else 1.0
    ends = table[table["mean"] > 0].sort_values("t").groupby(["instance", "algorithm", "preset"])[["t", "mean"]].last()
    first = max(1.0, min(last / 10**DECADES, ends["t"].min() / 10 if len(ends) else last))
    lowest = min(highest / 10**DECADES, ends["mean"].min() / 3 if len(ends) else highest)
    for axis in axes.flat:
        axis.plot([first, last], [highest / 30 * (first / last) ** 0.5, highest / 30], **GUIDE)
    axes[0, 0].set(xscale="log", yscale="log", xlim=(first, last), ylim=(lowest, 3 * highest))
    axes[0, 0].xaxis.set(major_locator=LogLocator(numticks=4), minor_locator=NullLocator())
    axes[0, 0].yaxis.set(major_locator=LogLocator(numticks=6), minor_locator=NullLocator())


def scale_linear(axes: np.ndarray, table: pd.DataFrame) -> None:
    """Axes from 0 on."""
    last, highest = table["t"].max(), table["high"].max() if np.isfinite(table["high"]).any() else table["mean"].max()
    axes[0, 0].set(xlim=(0, last), ylim=(0, 1.05 * highest if highest > 0 else 1.0))


def entries(looks: dict[Key, dict[str, Any]], apart: bool = False) -> list[Line2D]:
    """Legend entries: every algorithm once, or once for each of its constants (`apart`), and the guide."""
    named = {titled(key, apart): properties for key, properties in looks.items()}
    lines = [Line2D([], [], label=name, **properties) for name, properties in named.items()]
    return [*lines, Line2D([], [], label=r"slope of $\sqrt{t}$", **GUIDE)]


def remark(table: pd.DataFrame, unseen: list[str], same: Sequence[str] = ()) -> str:
    """What the lines and bands are, which labels are not there, and which are the `same`."""
    runs = style.count_range(table["runs"], "run")
    band = "band: 95 % Student interval of the mean" if (table["runs"] > 1).any() else "no interval"
    zeros = f"\n{' and '.join(unseen)}: regret 0 in every round, not on a log axis" if unseen else ""
    return "\n".join([f"mean over {runs}; {band}{zeros}", *same])
