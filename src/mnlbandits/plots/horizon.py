"""Regret far beyond simulation round by round, above all at the paper's own constants."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import regret, style

REGIMES = {
    "explores": ("0.93", "REAL explores"),
    "bonus": ("#fbe3c8", r"slope $> 0.9$: the bonus decides"),
    "second": ("#f6f3c4", r"slope $0.6$ to $0.9$: second-order bonus, $\kappa$"),
    "root": ("#d5ecdd", r"slope $0.4$ to $0.6$: $\sqrt{t}$"),
    "gap": ("#dbe6f4", r"slope $< 0.4$: the gap"),
}
"""Regimes: the colour of their stretch of rounds, and what the legend calls them."""


@style.styled
def draw(table: pd.DataFrame) -> Figure:
    """Cumulative regret over rounds, a row per set of constants; stretches are the regimes of REAL after its exploration.

    `table` has the columns of `mnlbandits.verify.horizon.horizon_table`.
    """
    instances = list(dict.fromkeys(table["instance"]))
    looks = regret.look(list(dict.fromkeys(zip(table["algorithm"], table["preset"], strict=True))))
    width = style.COLUMN if len(instances) == 1 else style.PAGE
    presets = [name for name in PRESETS if name in set(table["preset"])]
    figure, axes = style.panels(len(presets), len(instances), width, 2.4, 2.0 if width == style.COLUMN else 1.2)
    seen = ["explores"]
    for row, preset in zip(axes, presets, strict=True):
        for axis, instance in zip(row, instances, strict=True):
            panel = table[(table["instance"] == instance) & (table["preset"] == preset)]
            for key, group in panel.groupby(["algorithm", "preset"], sort=False):
                axis.plot("t", "regret", data=group[group["regret"] > 0], **looks[key])
            seen += shade(axis, panel[panel["algorithm"].str.startswith("real")])
        row[0].set_ylabel(f"{PRESETS[preset]}\ncumulative regret", linespacing=style.LINES)
    for axis, instance in zip(axes[0], instances, strict=True):
        axis.set_title(instance)
    for axis in axes[-1]:
        axis.set_xlabel("round $t$")
    axes[0, 0].set(xscale="log", yscale="log", xlim=(1e2, table["t"].max()), ylim=(1e1, 3 * table["regret"].max()))
    axes[0, 0].xaxis.set(major_locator=LogLocator(numticks=5), minor_locator=NullLocator())
    axes[0, 0].yaxis.set(major_locator=LogLocator(numticks=8), minor_locator=NullLocator())
    named = {style.title(*key): properties for key, properties in looks.items()}
    lines = [Line2D([], [], label=name, **properties) for name, properties in named.items()]
    patches = [Patch(color=REGIMES[name][0], label=REGIMES[name][1]) for name in REGIMES if name in seen]
    note = (
        "simulator: leap, after counts for the exploration of Algorithm 1; expected outcomes, no seeds; the error of the "
        f"batches at the last round is at most {100 * last_error(table):.1g} %\n"
        "shaded: regimes of REAL, by the local slope of its regret after the exploration"
    )
    style.legend(figure, [*lines, *patches], 2 if width == style.COLUMN else 4, note)
    return figure


def last_error(table: pd.DataFrame) -> float:
    """The largest relative error at the last round."""
    last = table[table["t"] == table["t"].max()]
    return float((last["error"] / last["regret"]).max())


def shade(axis: Axes, real: pd.DataFrame) -> list[str]:
    """Shade the regimes of REAL; the names of those that occur."""
    names = []
    for curve in (group for _, group in real.groupby("algorithm", sort=False)):
        tau = float(curve["tau"].iloc[0])
        explored, learnt = curve[curve["t"] <= tau], curve[curve["t"] > 2 * tau]
        axis.axvspan(1, tau, color=REGIMES["explores"][0], zorder=0, linewidth=0)
        spent = explored["regret"].iloc[-1] if len(explored) else 0.0
        slopes = (learnt["regret"] - spent).apply("log").diff() / learnt["t"].astype(float).apply("log").diff()
        rounds = [2 * tau, *learnt["t"].iloc[1:]]
        for start, stop, slope in zip(rounds, rounds[1:], slopes.iloc[1:], strict=False):
            name = "bonus" if slope > 0.9 else "second" if slope > 0.6 else "root" if slope > 0.4 else "gap"
            axis.axvspan(start, stop, color=REGIMES[name][0], zorder=0, linewidth=0)
            names.append(name)
    return names
