"""Regret after the exploration against one quantity at a time, at the paper's own constants, with the fitted powers."""

import math

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.plots import style
from mnlbandits.verify.exponents import THEOREM, exponent_table

NAMES = {"T": "$T$", "d": "$d$", "K": r"$K$, at one $\kappa_{*}$", "kappa_star": r"$\kappa_{*}$", "R": "$R$"}
"""What the axes call the quantities."""

SYMBOLS = {"T": "T", "d": "d", "K": "K", "kappa_star": r"\kappa_*", "R": "R"}
"""The same in TeX."""

ROOM = 0.13
"""Part of the points' range that is kept free for each fitted power."""


def message(points: pd.DataFrame) -> str:
    """The powers of the first system, beside those of Theorem 1."""
    fits = exponent_table(points)
    label = min(fits["algorithm"], key=style.rank)
    slopes = fits[fits["algorithm"] == label].set_index("quantity")["slope"]
    grown = r"\,".join(f"{SYMBOLS[quantity]}^{{{slopes[quantity]:.2f}}}" for quantity in NAMES)
    return (
        f"After its exploration {style.title(label, 'paper')} has regret like ${grown}$; "
        r"Theorem 1: $T^{0.5}\,d\,K^{0.5}\,\kappa_*^{-0.5}\,R$"
    )


@style.styled(message)
def draw(points: pd.DataFrame) -> Figure:
    """One panel per quantity, points and fitted powers, beside the power of Theorem 1.

    `points` has the columns of `mnlbandits.verify.exponents.exponent_points`.
    """
    fits = exponent_table(points).set_index(["algorithm", "quantity"])
    figure, axes, cell = style.small_multiples(len(NAMES), 1.7, 0.9, "", "regret after exploration", shared=False)
    names = list(dict.fromkeys(points["algorithm"]))
    for axis, (quantity, label) in zip(axes, NAMES.items(), strict=True):
        for number, name in enumerate(names):
            group = points[(points["algorithm"] == name) & (points["quantity"] == quantity)].sort_values("value")
            fit, look = fits.loc[(name, quantity)], style.system(name, names)
            colour = look["color"]
            value, middle = group["value"].to_numpy(dtype=float), np.log(group["regret"]).mean()
            axis.plot(value, group["regret"], **(look | {"linestyle": "none", "markersize": 2.5}))
            for slope, dash in ((fit["slope"], "-"), (THEOREM[quantity], (0, (1, 1.5)))):
                line = np.exp(middle + slope * (np.log(value) - np.log(value).mean()))
                axis.plot(value, line, color=colour, linewidth=0.8, linestyle=dash)
            half = (fit["high"] - fit["low"]) / 2
            axis.text(
                0.04,
                (0.97 if THEOREM[quantity] > 0 else 0.1 * len(names) + 0.02) - 0.1 * number,
                rf"${fit['slope']:.3f}" + (rf" \pm {rounded_up(half)}$" if math.isfinite(half) else "$"),
                color=colour,
                fontsize=6.5,
                transform=axis.transAxes,
                verticalalignment="top",
            )
        axis.set_xlabel(label)
        axis.set_title(f"power of ${SYMBOLS[quantity]}$; Theorem 1: ${THEOREM[quantity]:g}$")
    lines = []
    for name in names:
        mark = style.system(name, names) | {"linestyle": "none", "markersize": 3}
        lines.append(Line2D([], [], label=style.title(name, "paper"), **mark))
    for dash, name in (("-", "fitted power"), ((0, (1, 1.5)), "power of Theorem 1")):
        lines.append(Line2D([], [], color=style.GREY, linewidth=0.8, linestyle=dash, label=name))
    note = (
        "paper's constants, simulator leap on the whole sphere, expected outcomes, no seeds; "
        "fitted powers with the 95 % interval of the regression"
    )
    style.legend(figure, lines, 2, note, cell)
    for axis, quantity in zip(axes, NAMES, strict=True):
        axis.set(xscale="log", yscale="log")
        low, high = axis.get_ylim()
        room = (high / low) ** (ROOM * len(names))
        axis.set_ylim((low, high * room) if THEOREM[quantity] > 0 else (low / room, high))
        axis.xaxis.set(major_locator=LogLocator(numticks=4), minor_locator=NullLocator())
        axis.yaxis.set(major_locator=LogLocator(subs=(1.0, 3.0)), minor_locator=NullLocator())
    for axis, quantity in list(zip(axes, NAMES, strict=True))[1:]:
        values = sorted(set(points.loc[points["quantity"] == quantity, "value"]))
        axis.set_xticks(values, [f"{value:g}" for value in values])
    return figure


def rounded_up(half: float) -> str:
    """Half the width of an interval, rounded up: to three digits, or to one and a power of ten below 1/1000."""
    if half >= 1e-3 or half == 0:
        return f"{math.ceil(1000 * half - 1e-9) / 1000:.3f}"
    power = math.floor(math.log10(half))
    return rf"{math.ceil(half / 10.0**power - 1e-9)} \times 10^{{{power}}}"
