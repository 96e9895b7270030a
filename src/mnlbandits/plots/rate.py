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
    heights = messages.span(part.loc[part["algorithm"] == label, "over_rate"])
    return (
        f"At ${messages.time(table['t'].max())}$ the regret of {style.title(label, preset)} is {heights} times "
        rf"$R\,d\,(Kt/\kappa_*)^{{1/2}}$ ({PRESETS[preset]})"
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
