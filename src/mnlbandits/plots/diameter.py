"""The diameter of Theta against the length of the exploration, one panel per instance."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.plots import style

CURVE, PAPER, SHORTEST = style.COLOURS[0], style.COLOURS[3], style.COLOURS[2]
SETTLED = {"color": style.COLOURS[2], "alpha": 0.12, "linewidth": 0}


def draw(table: pd.DataFrame) -> Figure:
    """diam(Theta) over the exploration length t, the diameter that the analysis needs, and the two lengths that reach it.

    `table` has the columns of `mnlbandits.verify.diameter.diameter_path`, for one or more instances.
    """
    paths = dict(list(table.groupby("instance", sort=False)))
    figure, axes = style.small_multiples(len(paths), 1.75)
    lowest, highest = table["diameter"].min() / 3, table["diameter"].max() * 3
    axes[0].set(xscale="log", yscale="log", xlim=(1, table["tau"].max() * 8), ylim=(lowest, highest))
    axes[0].xaxis.set(major_locator=LogLocator(numticks=7), minor_locator=NullLocator())
    axes[0].yaxis.set(major_locator=LogLocator(numticks=6), minor_locator=NullLocator())
    for number, (axis, (instance, path)) in enumerate(zip(axes, paths.items(), strict=True)):
        draw_path(axis, path)
        axis.set_title(instance)
        axis.set_xlabel("exploration length $t$ (rounds)")
        if number % axis.get_gridspec().ncols == 0:
            axis.set_ylabel(r"$\mathrm{diam}(\Theta)$")
    note = "paper's constants; closed form, the same in every run: no seeds and no interval"
    style.legend(figure, entries(), 2 if len(paths) <= 2 else 4, note)
    return figure


def draw_path(axis: Axes, path: pd.DataFrame) -> None:
    """One instance: the curve, the bound, and the lengths with their ratio."""
    last = path.iloc[-1]
    axis.axhspan(axis.get_ylim()[0], last["bound"], **SETTLED)
    axis.axhline(last["bound"], color="black", linewidth=0.8, linestyle=(0, (4, 2)))
    axis.plot("t", "diameter", data=path, color=CURVE)
    axis.plot(last["tau"], last["diameter"], "D", color=PAPER, markersize=4.5, clip_on=False)
    if last["shortest"] < 0:
        axis.annotate("not reached", (last["tau"], last["bound"]), (0, 4), textcoords="offset points", ha="right", fontsize=7)
        return
    axis.plot(last["shortest"], path.loc[path["t"] == last["shortest"], "diameter"], "o", color=SHORTEST, markersize=4.5)
    level = math.sqrt(last["bound"] * axis.get_ylim()[1])
    axis.annotate("", (last["tau"], level), (last["shortest"], level), arrowprops={"arrowstyle": "<->", "lw": 0.8, "shrinkA": 0, "shrinkB": 0})
    for length, colour, end in ((last["tau"], PAPER, "diameter"), (last["shortest"], SHORTEST, "bound")):
        axis.vlines(length, last[end], level, color=colour, linewidth=0.8, linestyle=(0, (1, 1)))
    factor = math.floor(last["tau"] / last["shortest"])
    axis.annotate(
        f"at least\n{factor} times",
        (math.sqrt(last["shortest"]) * math.sqrt(last["tau"]), level),
        (0, 3),
        textcoords="offset points",
        ha="center",
        fontsize=7,
    )


def entries() -> list[Line2D | Patch]:
    """Legend entries."""
    return [
        Line2D([], [], color=CURVE, label=r"$\mathrm{diam}(\Theta)$ after $t$ rounds"),
        Line2D([], [], color="black", linewidth=0.8, linestyle=(0, (4, 2)), label=r"$1/\sqrt{6}$: enough below"),
        Line2D([], [], color=PAPER, marker="D", linestyle="none", label=r"the paper's length $\tau$"),
        Line2D([], [], color=SHORTEST, marker="o", linestyle="none", label="shortest sufficient length"),
    ]
