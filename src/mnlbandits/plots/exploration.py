"""Rounds of exploration at the paper's own constants against S, one panel per K and d."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.plots import messages, style

CURVES = {
    "tau": ({"color": style.COLOURS[0], "marker": "o"}, r"Algorithm 1: $\tau$"),
    "bound": ({"color": style.COLOURS[1], "linestyle": (0, (4, 1.5))}, r"Algorithm 3: the paper's bound on $|T^w|$"),
    "sufficient": (
        {"color": style.COLOURS[0], "marker": "o", "markerfacecolor": "white"},
        r"Algorithm 1: enough for diam$(\Theta) = 1/\sqrt{6}$",
    ),
    "rounds": ({"color": style.COLOURS[2], "marker": "s"}, r"Algorithm 3: $|T^w|$"),
    "first": ({"color": style.COLOURS[2], "linestyle": (0, (1, 1))}, "Algorithm 3: first round of learning"),
}
"""Columns that are drawn, how, and what the legend calls them."""


def message(table: pd.DataFrame) -> str:
    """How much less Algorithm 3 explores."""
    return f"REAL explores {messages.span(table['tau'] / table['rounds'])} times as long as its Algorithm 3, which adapts"


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """Rounds over S at the middle delta; thin vertical bars span all values of delta.

    `table` has the columns of `mnlbandits.verify.horizon.exploration_table`.
    """
    cells = dict(list(table.groupby(["outcomes", "dim"])))
    figure, axes, cell = style.small_multiples(len(cells), 1.5, 1.5 if len(cells) <= 2 else 1.0, "norm $S$", "rounds")
    deltas = sorted(set(table["delta"]))
    middle = deltas[len(deltas) // 2]
    for axis, ((outcomes, dim), group) in zip(axes, cells.items(), strict=True):
        for column, (look, _) in CURVES.items():
            chosen = group[group["delta"] == middle]
            spans = group.groupby("norm")[column].agg(["min", "max"])
            axis.vlines(spans.index, spans["min"], spans["max"], color=look["color"], linewidth=0.6)
            axis.plot("norm", column, data=chosen, markersize=3, **look)
        axis.set_title(f"$K = {outcomes}$, $d = {dim}$")
    axes[0].set(yscale="log")
    axes[0].yaxis.set(major_locator=LogLocator(numticks=6), minor_locator=NullLocator())
    lines = [Line2D([], [], label=name, markersize=3, **look) for look, name in CURVES.values()]
    spans = rf"short bars at the marks: $\delta$ from {deltas[0]:g} to {deltas[-1]:g}"
    note = rf"paper's constants, computed, no seeds; $\delta = {middle:g}$, {spans}"
    style.legend(figure, lines, 1 if len(cells) <= 2 else 2, note, cell)
    return figure
