"""How far inside the confidence sets theta_* lies, and how often it is inside, one row of panels per set of constants."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import style
from mnlbandits.verify.coverage import KEYS, coverage_table

SETS = {"Theta": r"$\Theta$", "C_t": r"$\mathcal{C}_t$"}
"""Names of the confidence sets, and how figures call them."""

STEP = 0.095
"""Inches between two lines."""

BOUNDARY = {"color": "black", "linewidth": 0.8, "linestyle": (0, (4, 2))}
TARGET = {"color": "black", "linewidth": 0.8, "linestyle": (0, (1, 1))}

Group = tuple[str, str]
"""A label and one of its sets: the lines of all instances, side by side."""


@style.styled
def draw(table: pd.DataFrame) -> Figure:
    """Margins of theta_* in every confidence set over runs, and the coverage with its 95 % Clopper-Pearson interval.

    Parameters
    ----------
    table : as `mnlbandits.verify.coverage.margins` gives it, with the columns instance, algorithm, preset, run, set, ratio
        and delta, the failure level: the sets should cover with probability 1 - delta.
    """
    delta = table["delta"].iloc[0]
    presets = [name for name in PRESETS if name in set(table["preset"])]
    instances = list(dict.fromkeys(table["instance"]))
    parts = {preset: table[table["preset"] == preset] for preset in presets}
    heights = [STEP * len(groups_of(part)) * (len(instances) + 1) for part in parts.values()]
    figure = Figure(figsize=(style.PAGE, sum(heights) + 0.3 * len(presets) + 1.2))
    axes = figure.subplots(len(presets), 2, squeeze=False, sharex="col", height_ratios=heights, width_ratios=(2.4, 1))
    for (left, right), (preset, part) in zip(axes, parts.items(), strict=True):
        left.set_title(PRESETS[preset], loc="left", fontweight="bold")
        draw_panels(left, right, part, instances, delta)
    axes[0, 0].set(xscale="log", xlim=(table["ratio"].min() / 2, max(2, table["ratio"].max() * 2)))
    axes[0, 0].xaxis.set(major_locator=LogLocator(numticks=8), minor_locator=NullLocator())
    axes[0, 1].xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes[-1, 0].set_xlabel(r"distance of $\theta_{*}$ from the centre of the set $/$ radius of the set")
    axes[-1, 1].set_xlabel("coverage")
    runs = style.count_range(table.groupby([*KEYS, "set"]).size(), "run")
    note = (
        f"{runs} per line. Left, one ratio per run (the largest over rounds): "
        "range (thin), middle half (thick), median (mark).\n"
        r"Right, share of runs with $\theta_{*}$ inside throughout, with its 95 % Clopper-Pearson interval."
    )
    style.legend(figure, entries(instances, delta), 4, note)
    return figure


def groups_of(part: pd.DataFrame) -> list[Group]:
    """The (label, set) of one preset, by label, Theta first."""
    found = set(zip(part["algorithm"], part["set"], strict=True))
    return sorted(found, key=lambda group: (style.rank(group[0]), list(SETS).index(group[1])))


def draw_panels(left: Axes, right: Axes, part: pd.DataFrame, instances: list[str], delta: float) -> None:
    """One preset: margins on the left, coverage on the right, a line per instance in groups by label and set."""
    groups, pitch = groups_of(part), len(instances) + 1
    names, preset = [], part["preset"].iloc[0]
    for number, (label, name) in enumerate(groups):
        group = part[(part["algorithm"] == label) & (part["set"] == name)]
        names.append(f"{style.title(label, preset)}  {SETS[name]}\nlargest {group['ratio'].max():.3g}")
        for place, instance in enumerate(instances):
            runs = group[group["instance"] == instance]
            draw_margins(left, -(number * pitch + place), look(place), runs["ratio"])
            draw_coverage(right, -(number * pitch + place), look(place), coverage_table(runs, KEYS))
    left.axvline(1, **BOUNDARY)
    right.axvline(1 - delta, **TARGET)
    left.set_yticks([-(number * pitch + (pitch - 2) / 2) for number in range(len(groups))], names, linespacing=style.LINES)
    right.set_yticks([])
    for axis in (left, right):
        axis.set_ylim(1 - len(groups) * pitch, 1)
        axis.tick_params(axis="y", length=0)
        axis.grid(visible=False, axis="y")
        for number in range(1, len(groups)):
            axis.axhline(1 - number * pitch, color="0.85", linewidth=0.5)


def look(place: int) -> dict[str, str]:
    """Colour and marker of an instance."""
    return {"color": style.COLOURS[place % len(style.COLOURS)], "marker": style.MARKERS[place % len(style.MARKERS)]}


def draw_margins(axis: Axes, y: float, properties: dict[str, str], ratios: pd.Series) -> None:
    """One line of ratios: range, middle half and median; a remark if no run has this set."""
    if ratios.empty:
        where = {"transform": axis.get_yaxis_transform(), "va": "center", "in_layout": False}
        axis.text(0.01, y, "not played, or without this set", fontsize=6, color=properties["color"], **where)
        return
    low, first, median, third, high = ratios.quantile([0, 0.25, 0.5, 0.75, 1])
    axis.hlines(y, low, high, color=properties["color"], linewidth=0.8)
    axis.hlines(y, first, third, color=properties["color"], linewidth=2.4)
    axis.plot(median, y, **properties, markersize=3.5, markeredgecolor="white", markeredgewidth=0.4)


def draw_coverage(axis: Axes, y: float, properties: dict[str, str], coverage: pd.DataFrame) -> None:
    """One line of coverage: the share of runs and its interval; nothing if no run has this set."""
    for row in coverage.itertuples():
        axis.hlines(y, row.low, row.high, color=properties["color"], linewidth=0.8)
        mark = {"markersize": 3.5, "markeredgecolor": "white", "markeredgewidth": 0.4, "clip_on": False, "zorder": 4}
        axis.plot(row.coverage, y, **properties, **mark)


def entries(instances: list[str], delta: float) -> list[Line2D]:
    """Legend entries."""
    handles = [Line2D([], [], linestyle="none", **look(place), label=instance) for place, instance in enumerate(instances)]
    handles.append(Line2D([], [], **BOUNDARY, label="boundary of the set"))
    handles.append(Line2D([], [], **TARGET, label=rf"target $1 - \delta = {1 - delta:g}$"))
    return handles
