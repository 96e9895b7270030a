"""kappa_* of the large-kappa_* example against S, one panel per K."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from mnlbandits.plots import messages, style

HOLLOW = {"markerfacecolor": "white", "markersize": 5, "markeredgewidth": 0.8}

CURVES = {
    "kappa_star_m": {"color": style.COLOURS[1], "marker": "s"} | HOLLOW,
    "kappa_star": {"color": style.COLOURS[0], "marker": "o", "markersize": 2.5},
    "printed": {"color": "black", "linestyle": (0, (4, 2))},
    "kappa": {"color": style.GREY, "linewidth": 0.8, "linestyle": (0, (1, 1))},
}
"""Columns that are drawn, from back to front, and how."""

NAMES = {
    "kappa_star": r"$\kappa_{*}$ with $\Vert\theta_{*}\Vert_F = S$, as the text defines $S$",
    "kappa_star_m": r"$\kappa_{*}$ with $m = S$, as the computation uses it",
    "printed": r"printed lower bound on $\kappa_{*}$: $e^S/2$",
    "kappa": r"$\kappa$ of the same $K$ and $S$, for scale",
}
"""What the legend calls them, in its order."""


def message(table: pd.DataFrame) -> str:
    """How often the printed bound holds, with either reading of S."""
    said = messages.of(int((table[["kappa_star", "kappa_star_m"]].min(axis=1) >= table["printed"]).sum()), len(table))
    return rf"In the large-$\kappa_*$ example $\kappa_*\geq e^S/2$ with either reading of $S$, in {said} cases computed"


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """kappa_* over S for both readings of S, the printed bound, and kappa.

    `table` has the columns of `mnlbandits.verify.constants.kappa_star_table`.
    """
    examples = dict(list(table.groupby("outcomes")))
    foot = 0.9 if len(examples) <= 2 else 0.6
    widest = 4 if len(examples) == 4 else 3
    labels = ("norm $S$", r"$\kappa_{*}$ and $\kappa$")
    figure, axes, cell = style.small_multiples(len(examples), 1.5, foot, *labels, widest)
    axes[0].set(yscale="log", xlim=(0, 1.05 * table["norm"].max()))
    axes[0].xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes[0].yaxis.set(major_locator=LogLocator(numticks=5), minor_locator=NullLocator())
    for axis, (outcomes, example) in zip(axes, examples.items(), strict=True):
        for column, properties in CURVES.items():
            axis.plot("norm", column, data=example, **properties)
        axis.set_title(f"$K = {outcomes}$")
    handles = [Line2D([], [], label=name, **CURVES[column]) for column, name in NAMES.items()]
    note = (
        r"large-$\kappa_{*}$ example, $R=X=1$; computed from the formulas: no seeds, no interval; "
        r"$\kappa_{*} = R^2 / \rho^T \nabla\mu\, \rho$ can be above $\kappa$, as the part of $\rho$ along $1$ counts in $R$"
    )
    style.legend(figure, handles, 1 if len(examples) <= 2 else 2, note, cell)
    return figure
