"""The one style of all figures, what they share, and how they are saved."""

import functools
import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib.style
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mnlbandits.algorithms import REGISTRY, yardsticks
from mnlbandits.files import write_atomic
from mnlbandits.instances import Instance
from mnlbandits.labels import stem as stem
from mnlbandits.plots import UNDATED

COLUMN, PAGE = 3.4, 7.0
"""Widths in inches: one column, and the text width of a page."""

COLOURS = tuple(sns.color_palette("colorblind").as_hex())
"""Colours that readers with any colour vision can tell apart."""

MARKERS = ("o", "s", "D", "^", "v", "P", "X", "<", ">", "*")
"""One marker per colour, so that nothing rests on colour alone."""

DASHES = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)), (0, (2, 1)))
"""Line styles."""

GREY = "0.45"
"""Colour of yardsticks and guides."""

SYSTEMS = (
    *("real", "adaptive-real", "oful-mlogb", "mnl-ucb", "mnl-ucb-plus", "rs-mnl", "glm-ucb", "ada-ofu-ecolog"),
    *("logistic-ucb-1", "ofuglb", "ts-mlogb", "evill", "sign-sampler", "pair-sampler", "ofu-ecolog", "b-mnl-cb"),
    *("oful-mlogb-binary", "glb-omd", "logistic-ucb-2", "ofulog-r", "ofulog-plus", "ts-ecolog", "improved-mnl-ucb-plus"),
    *("eofd-mlogb", "mle-second-order", "sup-split-log"),
)
"""Systems in the order of their looks: those that share a figure of lines differ in colour."""

YARDSTICKS = tuple(algorithm.name for algorithm in yardsticks.ALGORITHMS)
"""Labels that are no learners."""

HOLLOW = {"markersize": 4.5, "markerfacecolor": "none", "markeredgewidth": 0.7}
"""The look of a mark that is not to be relied on."""

LETTERS = 19
"""Letters of a legend that fit into an inch."""

BOLD = 17
"""Letters of a title that fit into an inch."""

LINE = 0.13
"""Inches of a line of a title."""

LINES = 1.1
"""Distance of the lines of a text, in heights of a line."""

RC = {
    **sns.plotting_context("paper"),
    **sns.axes_style("ticks"),
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "axes.grid": True,
    "axes.labelpad": 2,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlepad": 4,
    "axes.titlesize": 8,
    "figure.constrained_layout.use": True,
    "figure.dpi": 200,
    "figure.titlesize": 8,
    "font.family": "STIXGeneral",  # comes with matplotlib, so every machine draws the same letters
    "font.size": 8,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.5,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.title_fontsize": 7.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "mathtext.fontset": "stix",
    "pdf.fonttype": 42,
    "savefig.dpi": 300,
    "svg.hashsalt": "mnlbandits",
    "xtick.labelsize": 7,
    "xtick.major.pad": 2,
    "xtick.major.size": 3,
    "xtick.major.width": 0.6,
    "xtick.minor.size": 1.5,
    "xtick.minor.width": 0.4,
    "ytick.labelsize": 7,
    "ytick.major.pad": 2,
    "ytick.major.size": 3,
    "ytick.major.width": 0.6,
    "ytick.minor.size": 1.5,
    "ytick.minor.width": 0.4,
}
"""What our figures set of matplotlib's parameters; all others are matplotlib's own defaults, whatever a user set."""


def use() -> None:
    """Make the style that of all figures of this process, as a notebook wants it."""
    matplotlib.style.use(["default", RC])


@contextmanager
def applied() -> Iterator[None]:
    """Figures have the style inside; afterwards matplotlib's parameters are what they were."""
    with matplotlib.style.context(["default", RC]):
        yield


Draw = Callable[..., Figure]
"""What draws the figure of a table."""


def styled(message: Callable[[pd.DataFrame], str | None]) -> Callable[[Draw], Draw]:
    """Give the figure of a module's `draw` the style, wherever it is shown or saved, and the table's `message` as its title.

    ``titled=False`` leaves the title out. Matplotlib looks up how ticks are to look when it first needs some, and the size
    of their labels each time it places them: both are settled here.
    """

    def decorate(draw: Draw) -> Draw:
        @functools.wraps(draw)
        def draw_in_style(table: pd.DataFrame, *, titled: bool = True, **options: Any) -> Figure:
            with applied():
                figure = draw(table, **options)
                said = message(table) if titled else None
                if said:
                    say(figure, said)
                for axes in figure.axes:
                    axes.tick_params(which="both", labelsize=RC["xtick.labelsize"])
                settle(figure)
                return figure

        return draw_in_style

    return decorate


def say(figure: Figure, message: str) -> None:
    """Title a figure, which grows by as much."""
    lines = wrapped(message, int(BOLD * figure.get_figwidth()))
    figure.set_figheight(figure.get_figheight() + LINE * (lines.count("\n") + 1.5))
    figure.suptitle(lines, x=0.01, horizontalalignment="left", fontweight="bold", linespacing=LINES)


def panels(
    rows: int, columns: int, width: float, height: float, foot: float, shared: bool = True
) -> tuple[Figure, np.ndarray]:
    """A figure `width` inches wide, `height` high a row and `foot` for the legend; its axes (rows, columns) share scales."""
    figure = Figure(figsize=(width, rows * height + foot))
    return figure, figure.subplots(rows, columns, squeeze=False, sharex=shared, sharey=shared)


def small_multiples(
    count: int, height: float, foot: float, xlabel: str, ylabel: str, widest: int = 3, shared: bool = True
) -> tuple[Figure, list[Axes], Axes | None]:
    """A figure, `count` panels labelled at the edges, and the free cell of their grid if there is just one.

    One or two panels fill a column, more a page, at most `widest` in a row. See `panels`; a free cell saves the `foot`.
    """
    columns = min(count, widest)
    rows = math.ceil(count / columns)
    free = rows * columns == count + 1
    figure, axes = panels(rows, columns, COLUMN if count <= 2 else PAGE, height, 0.0 if free else foot, shared)
    for axis in axes.flat[count:]:
        axis.set_axis_off()
    for axis in axes.flat[max(count - columns, 0) : count]:
        axis.xaxis.set_tick_params(labelbottom=True)
        axis.set_xlabel(xlabel)
    for axis in axes[:, 0]:
        axis.set_ylabel(ylabel)
    return figure, list(axes.flat[:count]), axes.flat[count] if free else None


def legend(figure: Figure, handles: Sequence[Artist], columns: int, note: str, cell: Axes | None = None) -> None:
    """The legend of all panels under a `note` that says what the marks are: in a free `cell`, else below the panels."""
    options = {"handles": handles, "columnspacing": 1.4, "handlelength": 2.2, "labelspacing": 0.35}
    if cell is None:
        note = wrapped(note, int(LETTERS * figure.get_figwidth()))
        box = figure.legend(ncols=columns, title=note, loc="outside lower center", **options)
    else:
        box = cell.legend(title=wrapped(note, 38), loc="center", **options)
    box.get_title().set(multialignment="center", linespacing=LINES)


def wrapped(text: str, width: int, at_hyphens: bool = False) -> str:
    """A text with its lines broken at spaces, and at hyphens if so wanted, into lines of at most `width` letters."""
    options = {"break_long_words": False, "break_on_hyphens": at_hyphens}
    return "\n".join(part for line in text.split("\n") for part in textwrap.wrap(line, width, **options))


def percent(bound: float) -> str:
    """A share that bounds something from above, in per cent with one digit, rounded up."""
    if bound <= 0:
        return "0 %"
    power = 10.0 ** math.floor(math.log10(100 * bound))
    return f"{math.ceil(100 * bound / power - 1e-9) * power:g} %"


Facts = Mapping[str, Sequence[str]]
"""What the titles of panels say of instances, by name."""


def facts_of(instance: Instance) -> list[str]:
    """K, d, S and, where the set of arms is the same in every round, kappa_* of an instance, for the title of its panel."""
    known = instance.constants
    facts = [f"$K = {instance.outcomes}$", f"$d = {instance.dim}$", f"$S = {instance.norm_bound:.3g}$"]
    return facts + ([rf"$\kappa_* = {known['kappa_star']:.3g}$"] if instance.actions.kind == "list" else [])


def name_panels(axes: Sequence[Axes], instances: Iterable[str], facts: Facts | None) -> None:
    """Title a panel for each instance with its name and its `facts`, in lines that are not wider than the panel."""
    letters = int(14 * axes[0].figure.get_figwidth() / axes[0].get_gridspec().ncols - 2)
    each = 4 if letters > 26 else 2
    for axis, instance in zip(axes, instances, strict=True):
        told = list((facts or {}).get(instance, ()))
        lines = [", ".join(told[place : place + each]) for place in range(0, len(told), each)]
        axis.set_title("\n".join([wrapped(instance, letters, at_hyphens=True), *lines]), linespacing=LINES)


def system(name: str, others: Sequence[str] = ()) -> dict[str, Any]:
    """Colour, line style and marker of a system, the same in every figure; of one of `others`, by its place among them."""
    colours = [colour for place, colour in enumerate(COLOURS) if place != 7]  # which is grey
    if name in SYSTEMS:
        number = SYSTEMS.index(name)
        colour, dash = colours[number % len(colours)], 2 * (number // len(colours)) + number
    else:
        number = dash = others.index(name)
        colour = ["black", *reversed(colours)][number % (len(colours) + 1)]
    return {"color": colour, "linestyle": DASHES[dash % len(DASHES)], "marker": MARKERS[number % len(MARKERS)]}


def strangers(names: Iterable[str]) -> list[str]:
    """The names that are no systems', those first that are not called after one, so that a variant takes nobody's look."""
    unknown = [name for name in dict.fromkeys(names) if name not in SYSTEMS]
    return sorted(unknown, key=lambda name: name.startswith(tuple(f"{system}-" for system in SYSTEMS)))


def rank(label: str) -> tuple[bool, str]:
    """Sort key of labels: the paper's algorithm first, then by name."""
    return not label.startswith("real"), label


def title(label: str, preset: str) -> str:
    """What figures call a label of the config: the title of the algorithm it is named after, else its `stem`."""
    name = stem(label, preset)
    return REGISTRY[name].title if name in REGISTRY else name


def count_range(counts: Iterable[int], noun: str) -> str:
    """``20 runs``, or ``4-20 runs`` if the counts differ."""
    low, high = min(counts), max(counts)
    many = f"{low:,}" if low == high else f"{low:,}\N{EN DASH}{high:,}"
    return f"{many} {noun}" if high == 1 else f"{many} {noun}s"


@applied()
def save(figure: Figure, *paths: Path | str) -> None:
    """Write a figure to each of the paths, in the format that it ends in, in the style and without dates."""
    for path in paths:
        kind = Path(path).suffix[1:]
        write_atomic(path, lambda handle, kind=kind: figure.savefig(handle, format=kind, metadata=UNDATED[kind]))


def settle(figure: Figure) -> None:
    """Place the axes to six digits: the solver of the layout lets the last ones hang on where its memory lies."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position(np.round(axes.get_position().bounds, 6).tolist())
