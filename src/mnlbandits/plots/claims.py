"""Claims whose picture says more than their number."""

import pandas as pd
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FormatStrFormatter, LogLocator, NullLocator

from mnlbandits.plots import style

TITLES = {
    "information": ("$K$", "information / bound"),
    "lower bound": ("$K$", r"regret$\,/\,(R d \sqrt{K T / \kappa_*})$"),
    "confidence": ("$S$", "distance / radius, squared"),
    "curvature": (r"$d(x)$", r"$\nabla\mu(z)\,/\,$bound"),
    "potential": ("$K$", "potential / bound"),
    "theorem 1": ("$T$", r"regret$\,/\,(T \cdot$ gap$)$"),
}
"""What the axes of a picture call its variable and its value."""

NARROW = ("curvature",)
"""Pictures on a linear axis, as their values span less than a power of ten."""

LIMIT = {"color": "0.2", "linewidth": 0.7, "linestyle": (0, (4, 2))}


def mark(axis: Axis) -> None:
    """Ticks of a logarithmic axis, with numbers between the powers of ten where it spans few of them."""
    low, high = axis.get_view_interval()
    if high < 100 * low:
        axis.set(
            major_locator=LogLocator(subs=(1, 2, 5)), major_formatter=FormatStrFormatter("%g"), minor_locator=NullLocator()
        )
    else:
        axis.set(major_locator=LogLocator(numticks=6), minor_locator=NullLocator())


@style.styled
def draw(table: pd.DataFrame) -> Figure:
    """A panel per picture, its lines named in it; dashed: 1, above which a printed bound fails.

    `table` has the columns of `mnlbandits.ledger.pictures.pictures`.
    """
    names = list(dict.fromkeys(table["picture"]))
    figure, axes, cell = style.small_multiples(len(names), 1.7, 0.5, "", "", shared=False)
    for axis, name in zip(axes, names, strict=True):
        xlabel, ylabel = TITLES[name]
        lines = table[table["picture"] == name].groupby("line", sort=False)
        for number, (line, group) in enumerate(lines):
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number], "markersize": 2}
            axis.plot(group["x"], group["y"], label=line, **look)
        axis.set(xscale="log", xlabel=xlabel, ylabel=ylabel)
        if name not in NARROW:
            axis.set_yscale("log")
            mark(axis.yaxis)
        mark(axis.xaxis)
        if name != "lower bound":
            axis.axhline(1.0, **LIMIT)
        axis.legend(fontsize=6.5, loc="best", labelspacing=0.2)
    computed = {"color": style.COLOURS[0], "marker": style.MARKERS[0], "markersize": 2}
    handles = [
        Line2D([], [], **computed, label="as named in the panel"),
        Line2D([], [], **LIMIT, label="a bound holds below"),
    ]
    style.legend(figure, handles, 2, "statements of the claims ledger", cell)
    return figure
