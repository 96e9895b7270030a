"""The diameter of Theta against the length of the exploration, one panel per instance."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.plots import style

CURVE, PAPER, SHORTEST = style.COLOURS[0], style.COLOURS[3], style.COLOURS[2]
BOUND = {"color": "black", "linewidth": 0.8, "linestyle": (0, (4, 2))}
SETTLED = {"color": style.COLOURS[2], "alpha": 0.12, "linewidth": 0}


def message(table: pd.DataFrame) -> str:
    """How much longer than enough the paper's exploration is."""
    lengths = table.groupby("instance", sort=False)[["tau", "shortest"]].last().dropna()
    if lengths.empty:
        return r"The paper's exploration does not reach the diameter that the analysis needs"
    least = int((lengths["tau"] // lengths["shortest"]).min())
    return f"The paper's exploration is at least {least:,} times as long as it takes to the diameter that the analysis needs"


@style.styled(message)
def draw(table: pd.DataFrame, facts: style.Facts | None = None) -> Figure:
    """diam(Theta) over the exploration length t, the diameter that the analysis needs, and the two lengths that reach it.

    `table` has the columns of `mnlbandits.verify.diameter.diameter_path`, for one or more instances.
    """
    paths = dict(list(table.groupby("instance", sort=False)))
    labels = ("exploration length $t$ (rounds)", r"diameter of $\Theta$")
    figure, axes, cell = style.small_multiples(len(paths), 1.6, 0.5, *labels)
    lowest, highest = table["diameter"].min() / 4, table["diameter"].max() * 2
    axes[0].set(xscale="log", yscale="log", xlim=(1, table["tau"].max() * 8), ylim=(lowest, highest))
    axes[0].xaxis.set(major_locator=LogLocator(numticks=7), minor_locator=NullLocator())
    axes[0].yaxis.set(major_locator=LogLocator(numticks=6), minor_locator=NullLocator())
    for axis, path in zip(axes, paths.values(), strict=True):
        draw_path(axis, path)
    style.name_panels(axes, paths, facts)
    note = "paper's constants; closed form: no seeds, no interval"
    style.legend(figure, entries(), 2 if len(paths) <= 2 else 4, note, cell)
    return figure


def draw_path(axis: Axes, path: pd.DataFrame) -> None:
    """One instance: the curve, the bound, and the two lengths with their ratio."""
    last = path.iloc[-1]
    tau, shortest, bound = last["tau"], last["shortest"], last["bound"]
    axis.axhspan(axis.get_ylim()[0], bound, **SETTLED)
    axis.axhline(bound, **BOUND)
    axis.plot("t", "diameter", data=path, color=CURVE)
    axis.plot(tau, last["diameter"], "D", color=PAPER)
    axis.text(0.03, 0.06, rf"$\tau = {scientific(tau)}$", transform=axis.transAxes, fontsize=7)
    if pd.isna(shortest):
        axis.text(0.97, 0.9, f"not reached by $t = {scientific(tau)}$", transform=axis.transAxes, fontsize=7, ha="right")
        return
    axis.plot(shortest, path.loc[path["t"] == shortest, "diameter"], "o", color=SHORTEST)
    level = 12 * bound
    for length, foot, colour in ((tau, last["diameter"], PAPER), (shortest, bound, SHORTEST)):
        axis.vlines(length, foot, 1.5 * level, color=colour, linewidth=0.7)
    arrow = {"arrowstyle": "<->", "color": "black", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 5}
    axis.annotate("", (tau, level), (shortest, level), arrowprops=arrow)
    factor = rf"$\geq {math.floor(tau / shortest)}\,\times$"
    middle = math.sqrt(tau) * math.sqrt(shortest)
    axis.annotate(factor, (middle, 1.5 * level), (0, 2), textcoords="offset points", ha="center", fontsize=7.5)


def scientific(number: float) -> str:
    """A number as TeX, with two digits."""
    digits, power = f"{number:.1e}".split("e")
    return rf"{digits} \times 10^{{{int(power)}}}"


def entries() -> list[Line2D]:
    """Legend entries."""
    return [
        Line2D([], [], color=CURVE, label=r"diameter of $\Theta$ after $t$ rounds"),
        Line2D([], [], **BOUND, label=r"$1/\sqrt{6}$, all that the analysis needs"),
        Line2D([], [], color=PAPER, marker="D", linestyle="none", label=r"the paper's length $\tau$"),
        Line2D([], [], color=SHORTEST, marker="o", linestyle="none", label="shortest sufficient length"),
    ]
