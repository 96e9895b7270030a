"""Measured powers of the regret beside those of the paper's Table 1."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mnlbandits.plots import messages, style
from mnlbandits.plots.comparison import named, order
from mnlbandits.verify.scaling import QUANTITIES, WIDEST, WINDOW

NAMES = {"T": "$T$", "kappa_star": r"$\kappa_{*}$", "d": "$d$", "K": "$K$", "R": "$R$"}
PRINTED = {"color": "0.2", "marker": "D", "markersize": 3.5, "markerfacecolor": "white", "linestyle": "none"}
STEP = 0.2
"""Inches between two systems."""

NARROWEST = 0.5
"""Least range of powers that a panel shows: differences in the third digit are not to fill it."""


def message(table: pd.DataFrame) -> str:
    """How many measured powers are above those of Table 1, and that this refutes none."""
    printed = table[table["printed"].notna() & table["resolved"].astype(bool)]
    said = [
        f"{messages.of(int((part['low'] > part['printed']).sum()), len(part))} at $T={messages.tex(horizon)}$"
        for horizon, part in printed.groupby("horizon")
    ]
    return f"Powers at finite T (which refutes no rate) that are significantly above Table 1's: {', '.join(said)}"


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """Slopes with their bootstrap intervals at every horizon beside the printed powers, a panel per quantity.

    Hollow where the interval is too wide for a power.

    `table` has the columns of `mnlbandits.verify.scaling.scaling_table`.
    """
    systems, horizons = sorted(set(table["algorithm"]), key=order), sorted(set(table["horizon"]))
    looks = {
        horizon: {"color": style.COLOURS[number], "marker": style.MARKERS[number], "markersize": 3}
        for number, horizon in enumerate(horizons)
    }
    figure, axes = style.panels(1, len(QUANTITIES), style.PAGE, STEP * len(systems) + 0.4, 0.7, shared=False)
    for axis, quantity in zip(axes[0], QUANTITIES, strict=True):
        for row in table[table["quantity"] == quantity].itertuples():
            middle = -systems.index(row.algorithm)
            y = middle + 0.4 * (0.5 - (horizons.index(row.horizon) + 0.5) / len(horizons))
            axis.hlines(y, row.low, row.high, color=looks[row.horizon]["color"], linewidth=0.8)
            axis.plot(row.slope, y, **(looks[row.horizon] | ({} if row.resolved else style.HOLLOW)))
            axis.plot(row.printed, middle, zorder=1.5, **PRINTED)
        axis.set(ylim=(0.5 - len(systems), 0.5), xlabel=f"power of {NAMES[quantity]}")
        left, right = axis.get_xlim()
        room = max(0.0, NARROWEST - (right - left)) / 2
        axis.set_xlim(left - room, right + room)
        axis.set_yticks(range(0, -len(systems), -1), [])
        axis.tick_params(axis="y", length=0)
        axis.grid(visible=False, axis="y")
        for place in range(1, len(systems)):
            axis.axhline(0.5 - place, color="0.9", linewidth=0.4, zorder=0)
    axes[0, 0].set_yticks(range(0, -len(systems), -1), [named(name) for name in systems], linespacing=style.LINES)
    handles = [
        Line2D([], [], linestyle="none", **look, label=f"measured at T = {horizon:.0e}".replace("e+0", "e"))
        for horizon, look in looks.items()
    ]
    handles.append(Line2D([], [], **PRINTED, label="printed in Table 1"))
    runs = style.count_range(table["runs"], "run")
    wide = f"hollow: the interval is wider than {WIDEST['T']:g} either way (K: {WIDEST['K']:g}), even with the most runs; "
    hollow = "" if table["resolved"].all() else wide
    note = (
        f"calibrated constants, simulator leap with drawn outcomes, {runs} a point, 95 % bootstrap intervals; "
        f"{hollow}power of T from T/{WINDOW} on; REAL after its exploration, if T is {WINDOW} times as long or more"
    )
    style.legend(figure, handles, len(handles), note)
    return figure
