"""Regret over the rate of Theorem 1: who grows like it, and at which height."""

import pandas as pd
from matplotlib.figure import Figure

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import horizon, messages, style

DECADES = 9
"""Powers of ten that the axis shows, down from the largest value."""


def message(table: pd.DataFrame) -> str:
    """How high the first system of the first row ends."""
    preset = next(name for name in PRESETS if name in set(table["preset"]))
    part = table[(table["preset"] == preset) & (table["t"] == table["t"].max())]
    label = min(part["algorithm"], key=style.rank)
    own = part[part["algorithm"] == label]
    learnt = (own["over_rate"] * own["learnt"] / own["regret"]).dropna()
    since = f", {messages.span(learnt[learnt > 0])} without its exploration" if (learnt > 0).any() else ""
    heights = messages.span(own["over_rate"])
    return (
        f"At ${messages.time(table['t'].max())}$ the regret of {style.title(label, preset)} is {heights} times "
        rf"$R\,d\,(Kt/\kappa_*)^{{1/2}}${since} ({PRESETS[preset]})"
    )


@style.styled(message)
def draw(table: pd.DataFrame, facts: style.Facts | None = None) -> Figure:
    """The regret over R d sqrt(K t / kappa_*), a row per set of constants: a level line grows at the rate of Theorem 1.

    `table` has the columns of `mnlbandits.verify.horizon.horizon_table`.
    """
    figure, axes = horizon.draw_lines(table, facts, "over_rate", r"regret over $R\, d\,(K t / \kappa_*)^{1/2}$")
    highest = table["over_rate"].max()
    axes[0, 0].set(xlim=(1e2, table["t"].max()), ylim=(highest / 10**DECADES, 3 * highest))
    return figure
