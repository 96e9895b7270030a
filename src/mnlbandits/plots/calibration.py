"""How conservative each radius is: the smallest multiplier found with which its set still covers."""

import math

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, NullLocator

from mnlbandits.algorithms import REGISTRY
from mnlbandits.plots import messages, style
from mnlbandits.plots.comparison import named, order

STEP = 0.16
"""Inches between two rows."""


def message(table: pd.DataFrame) -> str:
    """How far radii can shrink, and whether some are too small."""
    least = table.loc[table["multiplier"].idxmin()]
    passed = messages.of(int(table["passed"].sum()), len(table))
    return (
        f"Sets still cover with valid radii times {messages.span(table['multiplier'])}, least for "
        f"{style.title(least['algorithm'], 'none')}; with the full radius {passed} do"
    )


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """Multiplier of every radius, one row per system and radius, one mark per instance; hollow: the full radius failed too.

    `table` has the columns of `mnlbandits.verify.calibration.calibration_table` and instance, algorithm.
    """
    shared = set(REGISTRY) - {name for name, group in table.groupby("algorithm") if differs(group)}
    table = table.assign(row=[row_of(*pair, shared) for pair in zip(table["algorithm"], table["option"], strict=True)])
    rows = list(dict.fromkeys(sorted(table["row"], key=lambda row: (order(row[0]), "C" in row[1]))))
    instances = sorted(set(table["instance"]))
    foot = 0.6 + STEP * math.ceil((len(instances) + 1) / 2)
    figure, axes = style.panels(1, 1, style.COLUMN, STEP * len(rows) + 0.3, foot)
    axis = axes[0, 0]
    looks = {
        instance: {
            "color": style.COLOURS[place % len(style.COLOURS)],
            "marker": style.MARKERS[(place + 3 * (place // len(style.COLOURS))) % len(style.MARKERS)],
            "markersize": 3,
        }
        for place, instance in enumerate(instances)
    }
    for instance, look in looks.items():
        for entry in table[table["instance"] == instance].itertuples():
            axis.plot(entry.multiplier, -rows.index(entry.row), **(look | ({} if entry.passed else style.HOLLOW)))
    axis.set(xscale="log", xlabel="multiplier of the radius", ylim=(0.5 - len(rows), 0.5))
    decades = table["multiplier"].max() / table["multiplier"].min() >= 30
    axis.xaxis.set(major_locator=LogLocator(subs=(1.0,) if decades else (1.0, 2.0, 5.0), numticks=5))
    axis.xaxis.set(minor_locator=NullLocator(), major_formatter=LogFormatterSciNotation() if decades else "{x:g}")
    axis.set_yticks(range(0, -len(rows), -1), [named(name) + suffix for name, suffix in rows], linespacing=style.LINES)
    axis.tick_params(axis="y", length=0)
    axis.grid(visible=False, axis="y")
    axis.axvline(1.0, color=style.GREY, linewidth=0.6, zorder=1)
    handles = [Line2D([], [], linestyle="none", label=instance, **look) for instance, look in looks.items()]
    handles.append(Line2D([], [], color=style.GREY, linewidth=0.6, label="the valid radius itself"))
    runs = style.count_range(table["runs"], "run")
    note = f"by sequential tests on {runs} a cell; hollow: even the full radius did not pass"
    style.legend(figure, handles, 2, note)
    return figure


def differs(group: pd.DataFrame) -> bool:
    """Whether the options of an algorithm have multipliers of their own."""
    return bool((group.groupby("instance")["multiplier"].nunique() > 1).any())


def row_of(algorithm: str, option: str, shared: set[str]) -> tuple[str, str]:
    """The row of an option: one for all of an algorithm's that share their multiplier."""
    if algorithm in shared:
        return algorithm, ""
    return algorithm, r", $\Theta$" if option == "exploration_multiplier" else r", $\mathcal{C}_t$"
