"""How far inside the confidence sets theta_* lies, and how often it is inside, two panels per set of constants."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import messages, style
from mnlbandits.verify.coverage import KEYS, coverage_table

SETS = {"Theta": r"$\Theta$", "C_t": r"$\mathcal{C}_t$"}
"""Names of the confidence sets, and how figures call them."""

STEP = 0.095
"""Inches between two lines."""

BOUNDARY = {"color": "black", "linewidth": 0.8, "linestyle": (0, (4, 2))}
TARGET = {"color": "black", "linewidth": 0.8, "linestyle": (0, (1, 1))}

Row = tuple[str, str]
"""A system and one of its sets: the lines of all instances, side by side."""


def message(table: pd.DataFrame) -> str:
    """How many sets cover as often as promised."""
    cells = coverage_table(table, KEYS)
    verdicts, failing = cells["verdict"].value_counts(), cells[cells["verdict"] == "fails"]
    shown, open_, fewer = (int(verdicts.get(verdict, 0)) for verdict in ("holds", "undecided", "fails"))
    who = dict.fromkeys(f"{style.title(row.algorithm, row.preset)}, {PRESETS[row.preset]}" for row in failing.itertuples())
    less = f"{fewer} significantly less ({'; '.join(who)})" if fewer else ""
    rest = [f"{open_} undecided" if open_ else "", less]
    sets = messages.of(shown, shown + open_ + fewer)
    return ", ".join([rf"$\theta_*$ is in the set as often as promised in {sets} cases", *filter(None, rest)])


@style.styled(message)
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
    table = table.assign(system=list(map(style.stem, table["algorithm"], table["preset"])))
    rows = rows_of(table)
    figure = Figure(figsize=(style.PAGE, STEP * len(rows) * (len(instances) + 1) + 1.5))
    axes = figure.subplots(1, 2 * len(presets), squeeze=False, sharey=True, width_ratios=(1.8, 1) * len(presets))[0]
    for left, right, preset in zip(axes[::2], axes[1::2], presets, strict=True):
        left.set_title(PRESETS[preset], loc="left")
        if left is not axes[0]:
            left.sharex(axes[0])
            right.sharex(axes[1])
        draw_panels(left, right, table[table["preset"] == preset], rows, instances, delta)
        left.set_xlabel(r"distance of $\theta_{*}$ / radius")
        right.set_xlabel("coverage")
    pitch = len(instances) + 1
    names = [f"{style.title(name, 'none')}  {SETS[part]}" for name, part in rows]
    axes[0].set_yticks([-(number * pitch + (pitch - 2) / 2) for number in range(len(rows))], names)
    axes[0].set(xscale="log", xlim=(table["ratio"].min() / 2, max(2, table["ratio"].max() * 2)))
    axes[0].xaxis.set(major_locator=LogLocator(numticks=4), minor_locator=NullLocator())
    axes[1].xaxis.set_major_locator(MaxNLocator(2, steps=[1, 2, 5, 10]))
    runs = style.count_range(table.groupby([*KEYS, "set"]).size(), "run")
    note = (
        f"{runs} per line. Wide panels: distance from the centre of the set over its radius, one ratio per run, the largest "
        "over rounds: range (thin), middle half (thick), median (mark). "
        r"Narrow panels: share of runs with $\theta_{*}$ inside throughout, with its 95 % Clopper-Pearson interval. "
        "No mark: not played there, or without this set."
    )
    style.legend(figure, entries(instances, delta), 4, note)
    return figure


def rows_of(table: pd.DataFrame) -> list[Row]:
    """The (system, set) of all presets, by system, Theta first."""
    found = set(zip(table["system"], table["set"], strict=True))
    return sorted(found, key=lambda row: (style.rank(row[0]), list(SETS).index(row[1])))


def draw_panels(left: Axes, right: Axes, part: pd.DataFrame, rows: list[Row], instances: list[str], delta: float) -> None:
    """One preset: margins on the left, coverage on the right, a line per instance in each row."""
    pitch = len(instances) + 1
    for number, (system, name) in enumerate(rows):
        group = part[(part["system"] == system) & (part["set"] == name)]
        for place, instance in enumerate(instances):
            runs = group[group["instance"] == instance]
            if len(runs):
                draw_margins(left, -(number * pitch + place), look(place), runs["ratio"])
                draw_coverage(right, -(number * pitch + place), look(place), coverage_table(runs, KEYS))
    left.axvline(1, **BOUNDARY)
    right.axvline(1 - delta, **TARGET)
    for axis in (left, right):
        axis.set_ylim(1 - len(rows) * pitch, 1)
        axis.tick_params(axis="y", length=0)
        axis.grid(visible=False, axis="y")
        for number in range(1, len(rows)):
            axis.axhline(1 - number * pitch, color="0.85", linewidth=0.5)


def look(place: int) -> dict[str, str]:
    """Colour and marker of an instance."""
    return {"color": style.COLOURS[place % len(style.COLOURS)], "marker": style.MARKERS[place % len(style.MARKERS)]}


def draw_margins(axis: Axes, y: float, properties: dict[str, str], ratios: pd.Series) -> None:
    """One line of ratios: range, middle half and median."""
    low, first, median, third, high = ratios.quantile([0, 0.25, 0.5, 0.75, 1])
    axis.hlines(y, low, high, color=properties["color"], linewidth=0.8)
    axis.hlines(y, first, third, color=properties["color"], linewidth=2.4)
    axis.plot(median, y, **properties, markersize=3.5, markeredgecolor="white", markeredgewidth=0.4)


def draw_coverage(axis: Axes, y: float, properties: dict[str, str], coverage: pd.DataFrame) -> None:
    """One line of coverage: the share of runs and its interval."""
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
