"""kappa_* of the large-kappa_* example against S, one panel per K."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mnlbandits.plots import style

CURVES = {
    "kappa_star": {"color": style.COLOURS[0], "marker": "o", "label": r"$\kappa_*$, exact, for $\Vert\theta_*\Vert_F = S$ (as defined)"},
    "kappa_star_m": {"color": style.COLOURS[1], "marker": "s", "label": r"$\kappa_*$, exact, for $m = S$ (as computed)"},
    "printed": {"color": "black", "linestyle": (0, (4, 2)), "label": r"printed lower bound $e^S/2$"},
    "kappa": {"color": style.GREY, "linewidth": 0.8, "linestyle": (0, (1, 1)), "label": r"$\kappa$ for the same $S$"},
}
"""Columns that are drawn, and how."""


def draw(table: pd.DataFrame) -> Figure:
    """kappa_* over S for both readings of S, the printed bound, and kappa.

    `table` has the columns of `mnlbandits.verify.constants.kappa_star_table`.
    """
    examples = dict(list(table.groupby("outcomes")))
    figure, axes = style.small_multiples(len(examples), 1.9, widest=4 if len(examples) == 4 else 3)
    axes[0].set_yscale("log")
    for number, (axis, (outcomes, example)) in enumerate(zip(axes, examples.items(), strict=True)):
        for column, properties in CURVES.items():
            axis.plot("norm", column, data=example, markersize=3, **properties)
        axis.set_title(f"$K = {outcomes}$")
        axis.set_xlabel("norm bound $S$")
        if number % axis.get_gridspec().ncols == 0:
            axis.set_ylabel(r"$\kappa_*$ and $\kappa$")
    handles = [Line2D([], [], markersize=3, **properties) for properties in CURVES.values()]
    style.legend(figure, handles, 1 if len(examples) <= 2 else 2, "large-$\\kappa_*$ example, $X = R = 1$; computed, no seeds and no interval")
    return figure
