"""Regret far beyond simulation round by round, above all at the paper's own constants."""

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import messages, regret, style

EXPLORES = ("0.93", "REAL explores")
"""The colour of a stretch of rounds, and what the legend calls it."""

SINCE = {"linewidth": 0.6, "linestyle": "-"}
"""How the regret since the exploration differs from the regret."""

REGIMES = {
    0.9: ("#fbe3c8", r"slope $> 0.9$: the bonus decides"),
    0.6: ("#f6f3c4", r"slope $0.6$ to $0.9$: second-order bonus, $\kappa$"),
    0.4: ("#d5ecdd", r"slope $0.4$ to $0.6$: $\sqrt{t}$"),
    -math.inf: ("#dbe6f4", r"slope $< 0.4$: the gap"),
}
"""The same of the regimes of REAL's learning, by the slope of its regret above which they are."""


def message(table: pd.DataFrame) -> str | None:
    """How long REAL explores, and who has the lowest regret at the end."""
    tau = table["tau"].dropna()
    explores = f"REAL explores for {messages.span(tau)} rounds" if len(tau) else None
    lowest = messages.lowest(table, "regret")
    return "; ".join([explores, lowest[0].lower() + lowest[1:]]) if explores and lowest else explores or lowest


@style.styled(message)
def draw(table: pd.DataFrame, facts: style.Facts | None = None) -> Figure:
    """Cumulative regret over rounds, a row per set of constants; stretches are the regimes of REAL after its exploration.

    `table` has the columns of `mnlbandits.verify.horizon.horizon_table`.
    """
    figure, axes = draw_lines(table, facts, "regret", "cumulative regret")
    axes[0, 0].set(xlim=(1e2, table["t"].max()), ylim=(1e1, 3 * table["regret"].max()))
    return figure


def draw_lines(table: pd.DataFrame, facts: style.Facts | None, column: str, label: str) -> tuple[Figure, np.ndarray]:
    """A column over rounds, on log axes, beside the regimes of REAL: the figure and its axes."""
    instances = list(dict.fromkeys(table["instance"]))
    looks = regret.look(list(dict.fromkeys(zip(table["algorithm"], table["preset"], strict=True))))
    width = style.COLUMN if len(instances) == 1 else style.PAGE
    presets = [name for name in PRESETS if name in set(table["preset"])]
    figure, axes = style.panels(len(presets), len(instances), width, 2.4, 2.4 if width == style.COLUMN else 1.2)
    seen: set[tuple[str, str]] = set()
    for row, preset in zip(axes, presets, strict=True):
        for axis, instance in zip(row, instances, strict=True):
            panel = table[(table["instance"] == instance) & (table["preset"] == preset)]
            for key, group in panel.groupby(["algorithm", "preset"], sort=False):
                axis.plot("t", column, data=group[group[column] > 0], **looks[key])
                since = group[group["learnt"] > 0]
                axis.plot(since["t"], since[column] * since["learnt"] / since["regret"], **looks[key] | SINCE)
            seen |= shade(axis, panel)
        row[0].set_ylabel(f"{PRESETS[preset]}\n{label}", linespacing=1.4, labelpad=5)  # room for a root
    style.name_panels(axes[0], instances, facts)
    for axis in axes[-1]:
        axis.set_xlabel("round $t$")
    axes[0, 0].set(xscale="log", yscale="log")
    axes[0, 0].xaxis.set(major_locator=LogLocator(numticks=5), minor_locator=NullLocator())
    axes[0, 0].yaxis.set(major_locator=LogLocator(numticks=8), minor_locator=NullLocator())
    named = {style.title(*key): properties for key, properties in looks.items()}
    lines = [Line2D([], [], label=name, **properties) for name, properties in named.items()]
    if table["learnt"].notna().any():
        own = looks[tuple(table.loc[table["learnt"].notna(), ["algorithm", "preset"]].iloc[0])]
        lines.append(Line2D([], [], label="REAL, without its exploration", **own | SINCE))
    patches = [
        Patch(color=colour, label=words) for colour, words in (EXPLORES, *REGIMES.values()) if (colour, words) in seen
    ]
    note = (
        "simulator: leap, after counts for the exploration of Algorithm 1; expected outcomes, no seeds; the error of the "
        f"batches at the last round is at most {style.percent(last_error(table))}\n"
        r"shaded: regimes of REAL by the slope of its regret since exploration, from $2\tau$ on; white: $\tau$ to $2\tau$"
    )
    style.legend(figure, [*lines, *patches], 1 if width == style.COLUMN else 4, note)
    return figure, axes


def last_error(table: pd.DataFrame) -> float:
    """The largest relative error at the last round."""
    last = table[table["t"] == table["t"].max()]
    return float((last["error"] / last["regret"]).max())


def shade(axis: Axes, panel: pd.DataFrame) -> set[tuple[str, str]]:
    """Shade what REAL does; the looks that occur."""
    seen = set()
    for _, curve in panel[panel["tau"].notna()].groupby("algorithm", sort=False):
        starts = curve["t"].shift(fill_value=1)
        for start, row in zip(starts, curve.itertuples(), strict=True):
            looks = (
                [EXPLORES] if row.t <= row.tau else [look for least, look in REGIMES.items() if row.learning_slope > least]
            )
            if looks:
                axis.axvspan(start, row.t, color=looks[0][0], zorder=0, linewidth=0)
                seen.add(looks[0])
    return seen
