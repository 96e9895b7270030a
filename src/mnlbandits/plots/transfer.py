"""Regret at calibrated radii on real data, and what multipliers from elsewhere cover there."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

from mnlbandits.plots import messages, style
from mnlbandits.plots.comparison import STEP, UNIFORM, named, order, rule_rows
from mnlbandits.verify.transfer import ITSELF

OWN = {"color": style.COLOURS[0], "marker": style.MARKERS[0], "markersize": 3.5}
OTHER = {"color": style.COLOURS[1], "marker": style.MARKERS[1], "markersize": 3.5}
TARGET = {"color": "0.2", "linewidth": 0.8, "linestyle": (0, (4, 1.5))}


def message(table: pd.DataFrame) -> str | None:
    """How often multipliers cover too little, by where they were calibrated."""
    played = table[table["multiplier"].notna() & table["coverage"].notna()]
    said = []
    for own, words in ((True, "calibrated on the instance itself"), (False, "calibrated elsewhere")):
        part = played[(played["calibrated_on"] == ITSELF) == own]
        if len(part):
            said.append(f"{messages.of(int((part['coverage_high'] < part['target']).sum()), len(part))} radii {words}")
    return f"Significantly less coverage than promised: {', '.join(said)}" if said else None


@style.styled(message)
def draw(table: pd.DataFrame, facts: style.Facts | None = None) -> Figure:
    """A column per instance: regret at the horizon over that of uniform play, and coverage over all rounds.

    `table` has the columns of `mnlbandits.verify.transfer.transfer_table`.
    """
    instances = list(dict.fromkeys(table["instance"]))
    played = table[table["multiplier"].notna()]
    systems = sorted({system_of(label) for label in played["algorithm"]}, key=order)
    figure, axes = style.panels(2, len(instances), style.PAGE, STEP * len(systems) + 0.4, 0.8, shared=False)
    uniforms = table[table["algorithm"] == "uniform"].set_index("instance")["mean"]
    least, most = (op(played[end] / played["instance"].map(uniforms)) for op, end in ((np.min, "low"), (np.max, "high")))
    least, most = min(0.5, least), max(2.0, most)
    for column, instance in zip(axes.T, instances, strict=True):
        regret, coverage = column
        panel, uniform = table[table["instance"] == instance], uniforms[instance]
        regret.axvline(1.0, **UNIFORM)
        coverage.axvline(float(panel["target"].iloc[0]), **TARGET)
        for row in panel[panel["multiplier"].notna()].itertuples():
            own = row.calibrated_on == ITSELF
            look, y = OWN if own else OTHER, -systems.index(system_of(row.algorithm)) + (0.15 if own else -0.15)
            mark = look | {"markeredgecolor": "white", "markeredgewidth": 0.3}
            regret.hlines(y, row.low / uniform, row.high / uniform, color=look["color"], linewidth=0.8)
            regret.plot(row.mean / uniform, y, **mark)
            coverage.hlines(y, row.coverage_low, row.coverage_high, color=look["color"], linewidth=0.8)
            coverage.plot(row.coverage, y, **mark)
        regret.set(xscale="log", xlim=(0.9 * least, 1.1 * most))
        regret.set_xlabel("regret over that\nof uniform play", linespacing=style.LINES)
        regret.xaxis.set(major_locator=LogLocator(numticks=4, subs=(1.0, 2.0, 5.0)), minor_locator=NullLocator())
        regret.xaxis.set_major_formatter("{x:g}")
        coverage.set(xlabel="coverage", xlim=(-0.03, 1.03))
        coverage.xaxis.set_major_locator(FixedLocator([0, 0.5, 1]))
        for axis in column:
            rule_rows(axis, len(systems))
            axis.set_ylim(0.5 - len(systems), 0.5)
            axis.set_yticks(range(0, -len(systems), -1), [])
            axis.tick_params(axis="y", length=0)
    style.name_panels(axes[0], instances, facts)
    for axis in axes[:, 0]:
        axis.set_yticks(range(0, -len(systems), -1), [named(name) for name in systems], linespacing=style.LINES)
    others = sorted(set(played["calibrated_on"]) - {ITSELF})
    handles = [Line2D([], [], linestyle="none", **OWN, label="radius calibrated on the instance itself")]
    if others:
        handles.append(Line2D([], [], linestyle="none", **OTHER, label=f"radius calibrated on {' or '.join(others)}"))
    handles += [Line2D([], [], **UNIFORM, label="uniform play"), Line2D([], [], **TARGET, label=r"$1 - \delta$")]
    runs, last = style.count_range(table["runs"], "run"), table["t"].iloc[0]
    note = (
        f"calibrated constants, T = {last:,}; mean over {runs} and its 95 % Student interval; "
        "coverage of the confidence sets over all rounds of these runs, with its 95 % Clopper-Pearson interval"
    )
    style.legend(figure, handles, 2, note)
    return figure


def system_of(label: str) -> str:
    """The system of a label of the config, without how it is calibrated."""
    return label.removesuffix("-transferred").removesuffix("-calibrated")
