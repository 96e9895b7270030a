"""How far inside the confidence sets theta_* lies, and how often it is inside, one row of panels per set of constants."""

from collections.abc import Iterator

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

STEP = 0.13
"""Inches between two lines."""


def draw(table: pd.DataFrame, delta: float = 0.05) -> Figure:
    """Margins of theta_* in every confidence set over runs, and the coverage with its 95 % Clopper-Pearson interval.

    Parameters
    ----------
    table : as `mnlbandits.verify.coverage.margins` gives it, with the columns instance, algorithm, preset, run, set, ratio.
    delta : failure level; the sets should cover with probability 1 - delta.
    """
    coverage = coverage_table(table, KEYS, delta)
    presets = [name for name in PRESETS if name in set(table["preset"])]
    instances = list(dict.fromkeys(table["instance"]))
    groups = {preset: sets_of(table[table["preset"] == preset]) for preset in presets}
    heights = [STEP * len(groups[preset]) * (len(instances) + 1) for preset in presets]
    figure = Figure(figsize=(style.PAGE, sum(heights) + 0.3 * len(presets) + 1.2))
    axes = figure.subplots(len(presets), 2, squeeze=False, sharex="col", height_ratios=heights, width_ratios=(2.4, 1))
    for (left, right), preset in zip(axes, presets, strict=True):
        left.set_title(PRESETS[preset], loc="left", fontweight="bold")
        here = table["preset"] == preset
        for y, place, key in lines(groups[preset], instances):
            draw_margins(left, y, place, table[here & same(table, key)]["ratio"])
            draw_coverage(right, y, place, coverage[(coverage["preset"] == preset) & same(coverage, key)])
        label_groups(left, right, groups[preset], len(instances))
    for axis in axes[:, 0]:
        axis.axvline(1, color="black", linewidth=0.8, linestyle=(0, (4, 2)))
    for axis in axes[:, 1]:
        axis.axvline(1 - delta, color="black", linewidth=0.8, linestyle=(0, (1, 1)))
    axes[0, 0].set(xscale="log", xlim=(table["ratio"].min() / 2, max(2, table["ratio"].max() * 2)))
    axes[0, 0].xaxis.set(major_locator=LogLocator(numticks=8), minor_locator=NullLocator())
    axes[0, 1].xaxis.set_major_locator(MaxNLocator(4))
    axes[-1, 0].set_xlabel(r"distance of $\theta_{*}$ from the centre of the set $/$ radius of the set")
    axes[-1, 1].set_xlabel("coverage")
    runs = style.count_range(coverage["runs"], "run")
    note = (
        f"{runs} per line. Left: smallest to largest ratio (thin), middle half (thick), median (mark).\n"
        "Right: share of runs with $\\\\theta_{*}$ inside throughout, 95 % Clopper\N{EN DASH}Pearson interval."
    )
    style.legend(figure, entries(instances, delta), 4, note.replace("\\\\", "\\"))
    return figure


def sets_of(table: pd.DataFrame) -> list[tuple[str, str]]:
    """The (label, set) of one preset: Theta before C_t, REAL first."""
    found = set(zip(table["algorithm"], table["set"], strict=True))
    return sorted(found, key=lambda group: (not group[0].startswith("real"), group[0], list(SETS).index(group[1])))


def lines(groups: list[tuple[str, str]], instances: list[str]) -> Iterator[tuple[int, int, dict[str, str]]]:
    """Height, number of the instance and keys of every line, from the top."""
    for number, (label, name) in enumerate(groups):
        for place, instance in enumerate(instances):
            y = -(number * (len(instances) + 1) + place)
            yield y, place, {"instance": instance, "algorithm": label, "set": name}


def same(table: pd.DataFrame, key: dict[str, str]) -> pd.Series:
    """Which rows have the values of `key`."""
    return (table[list(key)] == pd.Series(key)).all(axis=1)


def look(place: int) -> dict[str, str]:
    """Colour and marker of an instance."""
    return {"color": style.COLOURS[place % len(style.COLOURS)], "marker": style.MARKERS[place % len(style.MARKERS)]}


def draw_margins(axis: Axes, y: int, place: int, ratios: pd.Series) -> None:
    """One line of ratios: range, middle half and median; a dash if no run has this set."""
    colour = look(place)["color"]
    if ratios.empty:
        where = {"transform": axis.get_yaxis_transform(), "va": "center", "in_layout": False}
        axis.text(0.01, y, "no run has this set", fontsize=6, color=colour, **where)
        return
    low, first, median, third, high = ratios.quantile([0, 0.25, 0.5, 0.75, 1])
    axis.hlines(y, low, high, color=colour, linewidth=0.8)
    axis.hlines(y, first, third, color=colour, linewidth=2.4)
    axis.plot(median, y, **look(place), markersize=3.5, markeredgecolor="white", markeredgewidth=0.4)


def draw_coverage(axis: Axes, y: int, place: int, row: pd.DataFrame) -> None:
    """One line of coverage: the share of runs and its interval."""
    axis.hlines([y] * len(row), row["low"], row["high"], color=look(place)["color"], linewidth=1)
    axis.plot(row["coverage"], [y] * len(row), linestyle="none", **look(place), markersize=3.5, markeredgecolor="white", markeredgewidth=0.4, clip_on=False, zorder=4)


def label_groups(left: Axes, right: Axes, groups: list[tuple[str, str]], count: int) -> None:
    """Name the groups of lines beside the axes."""
    left.set_yticks([-(number * (count + 1) + (count - 1) / 2) for number in range(len(groups))])
    left.set_yticklabels([label_of(label, name) for label, name in groups], fontsize=8)
    right.set_yticks([])
    for axis in (left, right):
        axis.set_ylim(-(len(groups) * (count + 1) - 1), 1)
        axis.tick_params(axis="y", length=0)
        axis.grid(visible=False, axis="y")
        for number in range(1, len(groups)):
            axis.axhline(1 - number * (count + 1) , color="0.85", linewidth=0.5)


def label_of(label: str, name: str) -> str:
    """What a group is called."""
    return f"{label}  {SETS[name]}"


def entries(instances: list[str], delta: float) -> list[Line2D]:
    """Legend entries."""
    handles = [Line2D([], [], linestyle="none", **look(place), label=instance) for place, instance in enumerate(instances)]
    handles.append(Line2D([], [], color="black", linewidth=0.8, linestyle=(0, (4, 2)), label="boundary of the set"))
    handles.append(Line2D([], [], color="black", linewidth=0.8, linestyle=(0, (1, 1)), label=f"target $1 - \\delta = {1 - delta:g}$"))
    return handles
