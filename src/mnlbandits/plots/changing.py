"""Theorem 3 at work: regret on action sets that change, the sum of 1/kappa_{*,t}, and the rounds that explore."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import horizon, messages, regret, style

EXPLORER = "adaptive-real"
"""The system whose rounds of exploration are shown."""

EXPLORATION = style.COLOURS[3]
"""Colour of rounds; no system of the full study has it beside them."""

BOUND = {"color": "0.2", "linewidth": 0.8, "linestyle": (0, (1, 1))}
EVERY = {"color": "0.8", "linewidth": 3, "zorder": 1}
CURVATURE = {"color": "0.2", "linewidth": 1.2}
DASHES = {"paper": "-", "valid": (0, (4, 1.5)), "calibrated": (0, (1, 1))}


def message(table: pd.DataFrame) -> str | None:
    """Who has the lowest regret where, and in what share of the rounds adaptive REAL explores."""
    ends = explored(messages.at_the_end(table))
    said = [messages.lowest(table)]
    if len(ends):
        said.append(f"share of rounds that explore in Algorithm 3: {messages.span(ends['explored'] / ends['t'])}")
    return "; ".join(filter(None, said))


@style.styled(message)
def draw(table: pd.DataFrame, facts: style.Facts | None = None) -> Figure:
    """A column per instance: regret, a row for every set of constants, the sum of 1/kappa_{*,t}, and exploration.

    `table` has the columns of `mnlbandits.verify.changing.changing_table`.
    """
    presets = [name for name in PRESETS if name != "none" and name in set(table["preset"])]
    instances = list(dict.fromkeys(table["instance"]))
    looks = regret.look(list(dict.fromkeys(zip(table["algorithm"], table["preset"], strict=True))))
    width = style.COLUMN if len(instances) == 1 else style.PAGE
    figure = Figure(figsize=(width, 1.25 * (len(presets) + 2) + (1.9 if width == style.COLUMN else 1.1)))
    axes = figure.subplots(len(presets) + 2, len(instances), squeeze=False, sharex=True, sharey="row")
    last, highest = table["t"].max(), table["mean"].max()
    for row, preset in zip(axes, presets, strict=False):
        for axis, instance in zip(row, instances, strict=True):
            for key, properties in looks.items():
                if key[1] in (preset, "none"):
                    group = table[(table["algorithm"] == key[0]) & (table["instance"] == instance)]
                    regret.draw_line(axis, group, properties)
        row[0].set_ylabel(f"{PRESETS[preset]}\ncumulative regret", linespacing=style.LINES)
        row[0].set(yscale="log", ylim=(highest / 1e6 if last > 1e9 else highest / 1e4, 3 * highest))
    for axis, instance in zip(axes[-2], instances, strict=True):
        panel = table[table["instance"] == instance]
        axis.plot("t", "optimal", data=panel[panel["algorithm"] == panel["algorithm"].iloc[0]], **CURVATURE)
    axes[-2, 0].set_ylabel(r"$\sum_{s \leq t} 1/\kappa_{*,s}$")
    for axis, instance in zip(axes[-1], instances, strict=True):
        for (_, preset), group in explored(table[table["instance"] == instance]).groupby(
            ["algorithm", "preset"], sort=False
        ):
            axis.plot("t", "t", data=group, **EVERY)
            axis.plot("t", "explored", data=group, color=EXPLORATION, linestyle=DASHES[preset])
            axis.plot("t", "bound", data=group, **BOUND)
    axes[-1, 0].set_ylabel("rounds that explore\n(Algorithm 3)", linespacing=style.LINES)
    for row in axes[-2:]:
        row[0].set_yscale("log")
    style.name_panels(axes[0], instances, facts)
    for axis in axes[-1]:
        axis.set_xlabel("round $t$")
    first = max(1.0, last / (1e10 if last > 1e9 else 1e4))
    axes[0, 0].set(xscale="log", xlim=(first, last))
    axes[-2, 0].set_ylim(table["optimal"].max() * first / last / 10, 3 * table["optimal"].max())
    axes[-1, 0].set_ylim(first / 10, 3 * max(last, np.nanmax(table["bound"], initial=1.0)))
    axes[0, 0].xaxis.set(major_locator=LogLocator(numticks=5), minor_locator=NullLocator())
    for row in axes:
        row[0].yaxis.set(major_locator=LogLocator(numticks=6), minor_locator=NullLocator())
    named = {style.title(*key): properties for key, properties in looks.items()}
    handles = [Line2D([], [], label=name, **properties) for name, properties in named.items()]
    for preset in dict.fromkeys(explored(table)["preset"]):
        label = f"rounds that explore, {PRESETS[preset]}"
        handles.append(Line2D([], [], color=EXPLORATION, linestyle=DASHES[preset], label=label))
    if table["bound"].notna().any():
        handles.append(Line2D([], [], label="the lemma's bound (paper's constants)", **BOUND))
    handles.append(Line2D([], [], label="every round explores", **EVERY))
    style.legend(figure, handles, 1 if width == style.COLUMN else 3, note_of(table))
    return figure


def explored(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of adaptive REAL."""
    return table[table["algorithm"].str.startswith(EXPLORER)]


def note_of(table: pd.DataFrame) -> str:
    """What the lines and bands are, and who does not play where."""
    if (table["error"] > 0).any():
        worst = horizon.last_error(table.rename(columns={"mean": "regret"}))
        error = f"error of the batches at the last round: at most {style.percent(worst)}"
        said = f"simulator: leap, expected outcomes, no seeds; {error}"
    else:
        runs = style.count_range(table["runs"], "run")
        said = f"simulator: exact; mean over {runs}; band: 95 % Student interval of the mean"
    return "\n".join([said, *absences(table)])


def absences(table: pd.DataFrame) -> list[str]:
    """In a line each: the systems that do not play some of the instances, and which."""
    played: dict[str, set[str]] = {}
    for label, preset, instance in zip(table["algorithm"], table["preset"], table["instance"], strict=True):
        played.setdefault(style.title(label, preset), set()).add(instance)
    instances = dict.fromkeys(table["instance"])
    return [
        f"{name} does not play {', '.join(each for each in instances if each not in places)}"
        for name, places in played.items()
        if len(places) < len(instances)
    ]
