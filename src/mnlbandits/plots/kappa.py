"""The printed bounds on kappa over its certified value, one row of panels per norm convention, one column per K."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from mnlbandits.plots import messages, style

CONVENTIONS = {
    "frobenius": r"$\Vert\theta\Vert_F \leq S$",
    "rows": r"every row $\Vert\theta_k\Vert_2 \leq S$",
}
"""Norm conventions, and how figures call them."""

BOUNDS = {
    "weyl": ("weyl_upper", {"color": style.COLOURS[2], "linestyle": (0, (4, 1.5))}, r"upper bound $K e^{2SX}$"),
    "main": (
        "main_lower",
        {"color": style.COLOURS[0], "linestyle": "-"},
        r"lower bound of the main text, $[2e^{-SX} + (K-2)e^{SX}]\,/\,[2e^{-2SX}]$",
    ),
    "even": (
        "even_lower",
        {"color": style.COLOURS[1], "linestyle": (0, (1.5, 1))},
        r"lower bound of App. B.1, $\frac{K}{4}(1 + e^{2SX})$, for even $K$",
    ),
}
"""Printed bounds: the column, how it is drawn, and its name. ``<bound>_holds`` is its verdict."""

VERDICTS = {
    "holds": ("o", 3, "holds"),
    "undecided": ("D", 3.5, "undecided: within the certified gap"),
    "fails": ("X", 5, "fails"),
}
"""Verdicts: marker, its size, and its name."""


def message(table: pd.DataFrame) -> str:
    """How often each printed bound fails."""
    said = []
    for bound, words in (("main", "lower bound of the text"), ("even", "that of App. B.1"), ("weyl", "upper bound")):
        drawn = table[table["outcomes"] % 2 == 0] if bound == "even" else table
        said.append(f"{words} in {messages.of(int((drawn[f'{bound}_holds'] == 'fails').sum()), len(drawn))} cases")
    return rf"Printed bounds on $\kappa$ that fail: {', '.join(said)}"


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """Every printed bound divided by the certified kappa, over S X, with the verdicts as marks.

    `table` has the columns of `mnlbandits.verify.constants.kappa_table`. The bound for even K is drawn for even K only.
    """
    conventions = [name for name in CONVENTIONS if name in set(table["convention"])]
    outcomes = sorted(set(table["outcomes"]))
    width = style.COLUMN if len(outcomes) <= 2 else style.PAGE
    figure, axes = style.panels(len(conventions), len(outcomes), width, 1.5, 1.5 if width == style.COLUMN else 0.9)
    for row, convention in zip(axes, conventions, strict=True):
        for axis, k in zip(row, outcomes, strict=True):
            draw_panel(axis, table[(table["convention"] == convention) & (table["outcomes"] == k)])
        row[0].set_ylabel(f"{CONVENTIONS[convention]}\nprinted bound $/\\ \\kappa$", linespacing=style.LINES)
    for axis, k in zip(axes[0], outcomes, strict=True):
        axis.set_title(f"$K = {k}$")
    for axis in axes[-1]:
        axis.set_xlabel("$SX$")
    axes[0, 0].set(yscale="log", xlim=(0, 1.05 * table["radius"].max()))
    axes[0, 0].xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes[0, 0].yaxis.set(major_locator=LogLocator(numticks=8), minor_locator=NullLocator())
    note = (
        r"At the line 1 a bound equals $\kappa$: a lower bound fails above it, an upper bound below it."
        "\n"
        r"$\kappa$ is certified from both sides: no seeds, no interval. $X$: length of the longest action."
    )
    style.legend(figure, entries(table), 1 if width == style.COLUMN else 2, note)
    return figure


def draw_panel(axis: Axes, cases: pd.DataFrame) -> None:
    """One convention and one K."""
    axis.axhline(1, color="black", linewidth=0.8)
    for bound, (column, properties, _) in BOUNDS.items():
        if bound == "even" and (cases["outcomes"] % 2).any():
            continue
        ratio, verdicts = cases[column] / cases["kappa"], cases[f"{bound}_holds"]
        axis.plot(cases["radius"], ratio, **properties, linewidth=1)
        for verdict, (marker, size, _) in VERDICTS.items():
            here = verdicts == verdict
            mark = {"markersize": size, "markeredgecolor": "white", "markeredgewidth": 0.3}
            axis.plot(cases["radius"][here], ratio[here], marker, color=properties["color"], **mark)


def entries(table: pd.DataFrame) -> list[Line2D]:
    """Legend entries of the bounds and of the verdicts that occur."""
    seen = set(table[[f"{bound}_holds" for bound in BOUNDS]].to_numpy().ravel())
    bounds = [Line2D([], [], **properties, label=name) for _, properties, name in BOUNDS.values()]
    marks = {verdict: mark for verdict, mark in VERDICTS.items() if verdict in seen}
    return bounds + [
        Line2D([], [], color="0.3", marker=marker, markersize=size, linestyle="none", label=name)
        for marker, size, name in marks.values()
    ]
