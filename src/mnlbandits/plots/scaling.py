"""Measured powers of the regret beside those of the paper's Table 1."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mnlbandits.plots import style
from mnlbandits.plots.comparison import named, order
from mnlbandits.verify.scaling import QUANTITIES

NAMES = {"T": "$T$", "kappa_star": r"$\kappa_{*}$", "d": "$d$", "K": "$K$", "R": "$R$"}
MEASURED = {"color": style.COLOURS[0], "marker": "o", "markersize": 3}
PRINTED = {"color": style.COLOURS[1], "marker": "D", "markersize": 3.5, "markerfacecolor": "white"}
STEP = 0.17
"""Inches between two systems."""

NARROWEST = 0.5
"""Least range of powers that a panel shows: differences in the third digit are not to fill it."""


def draw(table: pd.DataFrame) -> Figure:
    """Slopes with their bootstrap intervals, a panel per quantity, a row per system, beside the printed powers.

    `table` has the columns of `mnlbandits.verify.scaling.scaling_table`.
    """
    systems = sorted(set(table["algorithm"]), key=order)
    figure, axes = style.panels(1, len(QUANTITIES), style.PAGE, STEP * len(systems) + 0.4, 0.6, shared=False)
    for axis, quantity in zip(axes[0], QUANTITIES, strict=True):
        for row in table[table["quantity"] == quantity].itertuples():
            y = -systems.index(row.algorithm)
            axis.hlines(y, row.low, row.high, color=MEASURED["color"], linewidth=0.8)
            axis.plot(row.printed, y, **PRINTED)
            axis.plot(row.slope, y, **MEASURED)
        axis.set(ylim=(0.5 - len(systems), 0.5), xlabel=f"power of {NAMES[quantity]}")
        left, right = axis.get_xlim()
        room = max(0.0, NARROWEST - (right - left)) / 2
        axis.set_xlim(left - room, right + room)
        axis.set_yticks(range(0, -len(systems), -1), [])
        axis.tick_params(axis="y", length=0)
        axis.grid(visible=False, axis="y")
    axes[0, 0].set_yticks(range(0, -len(systems), -1), [named(name) for name in systems], linespacing=style.LINES)
    handles = [
        Line2D([], [], linestyle="none", **MEASURED, label="measured, 95 % bootstrap interval"),
        Line2D([], [], linestyle="none", **PRINTED, label="printed in Table 1"),
    ]
    horizon = table.loc[table["quantity"] == "T", "last"].max()
    note = (
        f"calibrated constants, {style.count_range(table['runs'], 'run')} a point, regret at T = {horizon:,.0f} "
        "(of REAL: after its exploration)"
    )
    style.legend(figure, handles, 2, note)
    return figure
