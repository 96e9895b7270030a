"""Regret at the horizon of every system, one panel per instance, one mark per set of constants."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import messages, style

LOOKS = {
    preset: {"color": style.COLOURS[place], "marker": style.MARKERS[place]}
    for place, preset in enumerate(name for name in PRESETS if name != "none")
}
UNIFORM = {"color": style.GREY, "linewidth": 0.8, "linestyle": (0, (1, 1))}

STEP = 0.17
"""Inches between two systems."""


def message(table: pd.DataFrame) -> str | None:
    """Who has the lowest regret on how many instances, with the constants that are fair to all if they are there."""
    preset = next((name for name in ("calibrated", "valid", "paper") if name in set(table["preset"])), "none")
    said = messages.lowest(table[table["preset"].isin([preset, "none"])])
    return said and f"{PRESETS[preset].capitalize()}: {said[0].lower()}{said[1:]}"


@style.styled(message)
def draw(table: pd.DataFrame, facts: style.Facts | None = None) -> Figure:
    """Mean regret at the horizon with its 95 % Student interval, systems in the order of the paper's Table 1.

    Parameters
    ----------
    table : as `mnlbandits.analysis.regret.final_regret` gives it: instance, algorithm, preset, t, runs, mean, low, high.
    """
    instances = list(dict.fromkeys(table["instance"]))
    systems = sorted({style.stem(*pair) for pair in zip(table["algorithm"], table["preset"], strict=True)}, key=order)
    systems = [name for name in systems if REGISTRY.get(name) is None or REGISTRY[name].presets != ("none",)]
    drawn = table[table["preset"].isin(list(LOOKS))]
    lowest = drawn["mean"][drawn["mean"] > 0].min() / 3
    figure, axes = style.panels(1, len(instances), style.PAGE, STEP * len(systems) + 0.5, 0.7)
    for axis, instance in zip(axes[0], instances, strict=True):
        part = table[table["instance"] == instance]
        axis.set(xscale="log", xlabel=f"regret at T = {part['t'].iloc[0]:,}")
        axis.xaxis.set(major_locator=LogLocator(numticks=5), minor_locator=NullLocator())
        rule_rows(axis, len(systems))
        for row in part.itertuples():
            if row.algorithm == "uniform":
                axis.axvline(row.mean, **UNIFORM)
            elif row.preset in LOOKS:
                y = -systems.index(style.stem(row.algorithm, row.preset)) - 0.25 * (list(LOOKS).index(row.preset) - 1)
                mark = {"markersize": 3, "markeredgecolor": "white", "markeredgewidth": 0.3}
                axis.hlines(y, max(row.low, lowest), max(row.high, lowest), color=LOOKS[row.preset]["color"], linewidth=0.8)
                axis.plot(max(row.mean, lowest), y, **LOOKS[row.preset], **mark)
    style.name_panels(axes[0], instances, facts)
    axes[0, 0].set_yticks(range(0, -len(systems), -1), [named(name) for name in systems], linespacing=style.LINES)
    axes[0, 0].set_ylim(0.5 - len(systems), 0.5)
    axes[0, 0].tick_params(axis="y", length=0)
    handles = [
        Line2D([], [], linestyle="none", **look, label=PRESETS[preset])
        for preset, look in LOOKS.items()
        if preset in set(table["preset"])
    ]
    handles.append(Line2D([], [], **UNIFORM, label="uniform play"))
    runs = style.count_range(table["runs"], "run")
    note = (
        f"mean over {runs} and its 95 % Student interval; (n): row of the paper's Table 1; "
        "no mark: not an instance of the system's setting, or no such constants of it"
    )
    note += "; at the left edge: less than the scale shows" if (drawn["mean"] < lowest).any() else ""
    style.legend(figure, handles, 4, note)
    return figure


def rule_rows(axis: Axes, count: int) -> None:
    """Rules between `count` rows at y = 0, -1, .., in place of the grid."""
    axis.grid(visible=False, axis="y")
    for place in range(1, count):
        axis.axhline(0.5 - place, color="0.9", linewidth=0.4, zorder=0)


def order(name: str) -> tuple[int, str]:
    """Sort key: the row of Table 1, systems without one last."""
    row = REGISTRY[name].row if name in REGISTRY else 0
    return row or 99, name


def named(name: str) -> str:
    """The title of a system and its row of Table 1."""
    if name not in REGISTRY:
        return name
    title = f"{REGISTRY[name].title} ({REGISTRY[name].row})" if REGISTRY[name].row else REGISTRY[name].title
    return style.wrapped(title, 38)
