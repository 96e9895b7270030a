"""Regret on the families of the lower bound over R d sqrt(K T/kappa_*) and over R d sqrt(T/kappa_*)."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, NullLocator

from mnlbandits.algorithms import REGISTRY
from mnlbandits.plots import messages, style

RATES = {
    "over_root_KT": r"regret$\,/\,(R d\,(K T/\kappa_*)^{1/2})$",
    "over_root_T": r"regret$\,/\,(R d\,(T/\kappa_*)^{1/2})$",
}
QUANTITIES = {"K": "$K$", "d": "$d$", "T": "$T$"}
ROWS = (("signs", "over_root_KT"), ("signs", "over_root_T"), ("pairs", "over_root_KT"))
"""Rows of panels: the family and the rate."""

FAMILIES = {"signs": "Theorem 2's family", "pairs": "hidden pairs"}

NEAR = 30
"""How far below the lowest mean of a row its lower bound may be to be drawn; else its panels state it."""

BOUND = {"color": "0.2", "linewidth": 0.8, "linestyle": (0, (4, 2))}


def message(table: pd.DataFrame) -> str:
    """How the lowest regret over the rate moves with K."""
    moved = table[table["quantity"] == "K"]
    said = []
    for family, part in moved.groupby("family", sort=False):
        lowest = part.groupby("value")["over_root_KT"].min()
        first, last = lowest.index.min(), lowest.index.max()
        factor = messages.number(lowest[last] / lowest[first])
        said.append(f"on {FAMILIES[family]} {factor} times as high at $K={last:g}$ as at {first:g}")
    return rf"Lowest regret over $R\,d\,(KT/\kappa_*)^{{1/2}}$: {', '.join(said)}"


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """A row of panels per family and rate, a column per quantity that moves, a line per algorithm with its interval.

    `table` has the columns of `mnlbandits.verify.family.family_table`.
    """
    names = list(dict.fromkeys(table["algorithm"]))
    rows = [(family, rate) for family, rate in ROWS if (table["family"] == family).any()]
    figure, axes = style.panels(len(rows), len(QUANTITIES), style.PAGE, 1.5, 0.6, shared=False)
    for row, (family, rate) in zip(axes, rows, strict=True):
        own = table[table["family"] == family]
        bounds = own["bound"] * (1.0 if rate == "over_root_KT" else own["K"] ** 0.5)
        near = bounds.max() * NEAR >= own[rate].min()
        for axis, (quantity, title) in zip(row, QUANTITIES.items(), strict=True):
            part = own[own["quantity"] == quantity]
            if part.empty:
                axis.set_axis_off()
                continue
            for name in names:
                group, look = part[part["algorithm"] == name].sort_values("value"), style.system(name, names)
                axis.plot("value", rate, data=group, **look, markersize=3)
                low = group[f"{rate}_low"].clip(lower=1e-3 * group[rate])
                axis.fill_between(group["value"], low, group[f"{rate}_high"], color=look["color"], alpha=0.25, linewidth=0)
            values = part.drop_duplicates("value").sort_values("value")
            proved = bounds[values.index]
            if near:
                axis.plot(values["value"], proved, **BOUND)
            else:
                axis.text(0.03, 0.05, f"proved: above {spread(proved)}", transform=axis.transAxes, color=BOUND["color"])
            axis.set(xscale="log", yscale="log", xlabel=title)
            axis.xaxis.set(major_locator=LogLocator(numticks=5), minor_locator=NullLocator())
            if quantity != "T":
                axis.set_xticks(values["value"], [f"{value:g}" for value in values["value"]])
        row[0].set_ylabel(RATES[rate])
        drawn = [axis for axis in row if axis.axison]
        row[0].set_title(FAMILIES[family], loc="left")
        low, high = min(axis.get_ylim()[0] for axis in drawn), max(axis.get_ylim()[1] for axis in drawn)
        low = low if near else low / 4  # room for what is stated
        for axis in drawn:
            axis.set_ylim(low, high)
            decades = high / low >= 30
            axis.yaxis.set(major_locator=LogLocator(subs=(1.0,) if decades else (1.0, 2.0, 5.0), numticks=8))
            axis.yaxis.set(minor_locator=NullLocator(), major_formatter=LogFormatterSciNotation() if decades else "{x:g}")
    lines = [Line2D([], [], **style.system(name, names), markersize=3, label=named(table, name)) for name in names]
    lines.append(Line2D([], [], **BOUND, label="proved lower bound"))
    note = (
        f"mean over {style.count_range(table['runs'], 'run')}, 95 % Student intervals; Theorem 2's family: the hardest of "
        "the members tried, pairs: all hypotheses. Systems by leap with drawn outcomes; specialists by exact, no constants"
    )
    style.legend(figure, lines, 2, note)
    return figure


def spread(values: pd.Series) -> str:
    """The smallest and the largest of some positive numbers, with one digit; once if they are the same with it."""
    parts = (f"{value:.0e}".split("e") for value in (values.min(), values.max()))
    return " to ".join(dict.fromkeys(rf"${digit} \cdot 10^{{{int(power)}}}$" for digit, power in parts))


def named(table: pd.DataFrame, name: str) -> str:
    """What the legend calls an algorithm, with its constants."""
    presets = set(table.loc[table["algorithm"] == name, "preset"]) - {"none"}
    return ", ".join([REGISTRY[name].title, *(f"{preset} constants" for preset in sorted(presets))])
