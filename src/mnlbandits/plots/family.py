"""Regret on the family of the lower bound over R d sqrt(K T/kappa_*) and over R d sqrt(T/kappa_*)."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.algorithms import REGISTRY
from mnlbandits.plots import style

RATES = {"over_root_KT": r"regret$\,/\,(R d \sqrt{K T/\kappa_*})$", "over_root_T": r"regret$\,/\,(R d \sqrt{T/\kappa_*})$"}
QUANTITIES = {"K": "$K$", "d": "$d$", "T": "$T$"}
BOUND = {"color": "0.2", "linewidth": 0.8, "linestyle": (0, (4, 2))}


@style.styled
def draw(table: pd.DataFrame) -> Figure:
    """A row of panels per rate, a column per quantity that moves, a line per algorithm with its 95 % Student interval.

    `table` has the columns of `mnlbandits.verify.family.family_table`.
    """
    names = list(dict.fromkeys(table["algorithm"]))
    figure, axes = style.panels(len(RATES), len(QUANTITIES), style.PAGE, 1.5, 0.6, shared=False)
    for row, (rate, label) in zip(axes, RATES.items(), strict=True):
        for axis, (quantity, title) in zip(row, QUANTITIES.items(), strict=True):
            part = table[table["quantity"] == quantity]
            for number, name in enumerate(names):
                group, colour = part[part["algorithm"] == name].sort_values("value"), style.COLOURS[number]
                axis.plot("value", rate, data=group, color=colour, marker=style.MARKERS[number], markersize=3)
                low = group[f"{rate}_low"].clip(lower=1e-3 * group[rate])
                axis.fill_between(group["value"], low, group[f"{rate}_high"], color=colour, alpha=0.25, linewidth=0)
            values = part.drop_duplicates("value").sort_values("value")
            scale = 1.0 if rate == "over_root_KT" else values["K"] ** 0.5
            axis.plot(values["value"], values["bound"] * scale, **BOUND)
            axis.set(xscale="log", yscale="log", xlabel=title)
            axis.xaxis.set(major_locator=LogLocator(numticks=5), minor_locator=NullLocator())
            axis.yaxis.set(major_locator=LogLocator(numticks=8), minor_locator=NullLocator())
            if quantity != "T":
                axis.set_xticks(values["value"], [f"{value:g}" for value in values["value"]])
        row[0].set_ylabel(label)
        low, high = min(axis.get_ylim()[0] for axis in row), max(axis.get_ylim()[1] for axis in row)
        for axis in row:
            axis.set_ylim(low, high)
    lines = [
        Line2D([], [], color=style.COLOURS[number], marker=style.MARKERS[number], markersize=3, label=REGISTRY[name].title)
        for number, name in enumerate(names)
    ]
    lines.append(Line2D([], [], **BOUND, label="the proof's final bound, with 1/25000"))
    note = (
        f"hardest of the members tried, mean over {style.count_range(table['runs'], 'run')}, 95 % Student intervals; "
        "systems: calibrated constants, simulator leap with drawn outcomes; specialist: no constants, simulator exact"
    )
    style.legend(figure, lines, 3, note)
    return figure
