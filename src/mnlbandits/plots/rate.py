"""Regret over the rate of Theorem 1: who grows like it, and at which height."""

import pandas as pd
from matplotlib.figure import Figure

from mnlbandits.plots import horizon, style

DECADES = 9
"""Powers of ten that the axis shows, down from the largest value."""


@style.styled
def draw(table: pd.DataFrame, facts: style.Facts | None = None) -> Figure:
    """The regret over R d sqrt(K t / kappa_*), a row per set of constants: a level line grows at the rate of Theorem 1.

    `table` has the columns of `mnlbandits.verify.horizon.horizon_table`.
    """
    figure, axes = horizon.draw_lines(table, facts, "over_rate", r"regret over $R\, d\,(K t / \kappa_*)^{1/2}$")
    highest = table["over_rate"].max()
    axes[0, 0].set(xlim=(1e2, table["t"].max()), ylim=(highest / 10**DECADES, 3 * highest))
    return figure
