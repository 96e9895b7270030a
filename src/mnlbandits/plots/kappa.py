"""The printed bounds on kappa over its certified value, one row of panels per norm convention, one column per K."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.plots import style

CONVENTIONS = {
    "frobenius": r"$\Vert\theta\Vert_F \leq S$",
    "rows": r"every row $\Vert\theta_k\Vert_2 \leq S$",
}
"""Norm conventions, and how figures call them."""

BOUNDS = {
    "weyl": ("weyl_upper", style.COLOURS[2], r"upper bound $K e^{2SX}$ (Eq. kappa bounds, App. B.1)"),
    "main": ("main_lower", style.COLOURS[0], r"lower bound of Eq. kappa bounds (main text)"),
    "even": ("even_lower", style.COLOURS[1], r"lower bound $\frac{K}{4}(1 + e^{2SX})$ (App. B.1, even $K$)"),
}
"""Printed bounds: the column, its colour and its name. ``<bound>_holds`` is its verdict."""

VERDICTS = {
    "True": ("o", "the bound holds"),
    "undecided": ("d", "undecided: within the certified gap"),
    "False": ("X", "the bound fails"),
}


def draw(table: pd.DataFrame) -> Figure:
    """Every printed bound divided by the certified kappa, over S X; verdicts as marks.

    `table` has the columns of `mnlbandits.verify.constants.kappa_table`. The bound for even K is drawn for even K only.
    """
    conventions = [name for name in CONVENTIONS if name in set(table["convention"])]
    outcomes = sorted(set(table["outcomes"]))
    width = style.COLUMN if len(outcomes) <= 2 else style.PAGE
    figure, axes = style.panels(len(conventions), len(outcomes), width, 1.8, sharex=True, sharey=True)
    axes[0, 0].set_yscale("log")
    for row, convention in zip(axes, conventions, strict=True):
        for axis, k in zip(row, outcomes, strict=True):
            draw_panel(axis, table[(table["convention"] == convention) & (table["outcomes"] == k)])
        row[0].set_ylabel(f"{CONVENTIONS[convention]}\nbound $/\\ \\kappa$")
    for axis, k in zip(axes[0], outcomes, strict=True):
        axis.set_title(f"$K = {k}$")
    for axis in axes[-1]:
        axis.set_xlabel("$SX$")
    axes[0, 0].yaxis.set(major_locator=LogLocator(numticks=8), minor_locator=NullLocator())
    style.legend(figure, entries(table), 1 if width == style.COLUMN else 2, "note")
    return figure


def draw_panel(axis: Axes, cases: pd.DataFrame) -> None:
    """One convention and one K."""
    middle = np.sqrt(cases["kappa_lower"] * cases["kappa_upper"])
    axis.axhline(1, color="black", linewidth=0.8)
    for bound, (column, colour, _) in BOUNDS.items():
        if bound == "even" and (cases["outcomes"] % 2).any():
            continue
        ratio, verdicts = cases[column] / middle, cases[f"{bound}_holds"].astype(str)
        axis.plot(cases["radius"], ratio, color=colour, linewidth=1)
        for verdict, (marker, _) in VERDICTS.items():
            here = verdicts == verdict
            axis.plot(cases["radius"][here], ratio[here], marker, color=colour, markersize=4.5 if marker == "X" else 3, markeredgecolor="white", markeredgewidth=0.3)


def entries(table: pd.DataFrame) -> list[Line2D | Patch]:
    """Legend entries of the bounds and of the verdicts that occur."""
    seen = set(table[[f"{bound}_holds" for bound in BOUNDS]].astype(str).to_numpy().ravel())
    handles = [Line2D([], [], color=colour, label=name) for _, colour, name in BOUNDS.values()]
    handles += [Line2D([], [], color="0.3", marker=marker, linestyle="none", label=name) for verdict, (marker, name) in VERDICTS.items() if verdict in seen]
    return handles
