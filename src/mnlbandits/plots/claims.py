"""Claims whose picture says more than their number."""

import pandas as pd
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FormatStrFormatter, LogLocator, NullLocator

from mnlbandits.plots import messages, style

TITLES = {
    "information": ("$K$", "information / bound"),
    "lower bound": ("$K$", r"regret$\,/\,(R d \sqrt{K T / \kappa_*})$"),
    "confidence": ("$S$", "distance / radius, squared"),
    "curvature": (r"$d(x)$", r"$\nabla\mu(z)\,/\,$bound"),
    "potential": ("$K$", "potential / bound"),
    "theorem 1": ("$T$", r"regret$\,/\,(T \cdot$ gap$)$"),
}
"""What the axes of a picture call its variable and its value."""

SUBJECTS = {
    "information": "what a round tells (Theorem 2)",
    "lower bound": "lower bounds, two families",
    "confidence": "the radius of the sets of the learning",
    "curvature": "generalised self-concordance",
    "potential": "elliptical potential",
    "theorem 1": "Theorem 1 and long horizons",
}
"""What a picture is about."""

NO_BOUND = ("lower bound", "theorem 1")
"""Pictures in which 1 is no bound."""

ROOM = 1e7
"""Factor by which their axis goes on below, for their legend."""

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


def message(table: pd.DataFrame) -> str:
    """How many printed bounds are passed."""
    pictures = table[~table["picture"].isin(NO_BOUND)].groupby("picture", sort=False)
    passed = sum(bool((picture["y"] > 1).any()) for _, picture in pictures)
    return f"Above a dashed line a printed bound fails: in {messages.of(passed, len(pictures))} panels that have one"


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """A panel per picture, its lines named in it; dashed: 1, above which a printed bound fails.

    `table` has the columns of `mnlbandits.ledger.pictures.pictures`.
    """
    names = list(dict.fromkeys(table["picture"]))
    figure, axes, cell = style.small_multiples(len(names), 1.9, 0.5, "", "", shared=False)
    for axis, name in zip(axes, names, strict=True):
        xlabel, ylabel = TITLES[name]
        picture, title, place = table[table["picture"] == name], SUBJECTS[name], "best"
        for number, (line, group) in enumerate(picture.groupby("line", sort=False)):
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number], "markersize": 2}
            axis.plot(group["x"], group["y"], label=line, **look)
        axis.set(xscale="log", xlabel=xlabel, ylabel=ylabel)
        if name not in NARROW:
            axis.set_yscale("log")
            mark(axis.yaxis)
        if name in NO_BOUND:
            low, high = axis.get_ylim()
            axis.set_ylim(low / ROOM, high)
            place = "lower left"
        else:
            axis.axhline(1.0, **LIMIT)
            above = picture.loc[picture["y"] > 1, "x"]
            title += f"\na line is above 1 from {xlabel[:-1]}={messages.tex(above.min())}$ on" if len(above) else "\nbelow 1"
        mark(axis.xaxis)
        axis.set_title(title, linespacing=style.LINES)
        axis.legend(fontsize=6.5, loc=place, labelspacing=0.2)
    computed = {"color": style.COLOURS[0], "marker": style.MARKERS[0], "markersize": 2}
    handles = [
        Line2D([], [], **computed, label="as named in the panel"),
        Line2D([], [], **LIMIT, label="a bound holds below"),
    ]
    style.legend(figure, handles, 2, "statements of the claims ledger", cell)
    return figure
