"""Performance profiles: who pays how much of what uniform play pays, over all instances at once."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.plots import regret, style

UNIFORM = {"color": style.GREY, "linewidth": 0.7, "linestyle": (0, (1, 1)), "zorder": 1.5}


def message(table: pd.DataFrame) -> str | None:
    """For each set of constants, how often REAL pays at most half of what uniform play pays, and whoever does most often."""
    if table.empty:
        return None
    half = table["ratio"].loc[np.log(table["ratio"] / 0.5).abs().idxmin()]
    said = []
    for preset in (name for name in PRESETS if name in set(table["preset"])):
        part = table[(table["preset"] == preset) & (table["ratio"] == half)]
        own = part.loc[[style.title(label, preset) == "REAL" for label in part["algorithm"]], "share"]
        shares = [f"REAL in {100 * share:.0f} %" for share in own] + [f"the best in {100 * part['share'].max():.0f} %"]
        said.append(f"{', '.join(shares)} ({PRESETS[preset]})")
    return f"At most {half:.2g} of uniform play's regret: {'; '.join(said)}"


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """Share of plays whose regret is at most so much of that of uniform play, a panel for each set of constants.

    `table` has the columns of `mnlbandits.analysis.profile.profile_table`; without rows, one panel is empty.
    """
    presets = [name for name in PRESETS if name in set(table["preset"])] or ["none"]
    looks = regret.look(list(dict.fromkeys(zip(table["algorithm"], table["preset"], strict=True))))
    figure, axes, cell = style.small_multiples(
        len(presets), 1.9, 0.9, "regret over that of uniform play", "share of plays with at most that"
    )
    for axis, preset in zip(axes, presets, strict=True):
        axis.axvline(1.0, **UNIFORM)
        for key, group in table[table["preset"] == preset].groupby(["algorithm", "preset"], sort=False):
            axis.plot("ratio", "share", data=group, drawstyle="steps-post", **looks[key])
            band = {"color": looks[key]["color"], "alpha": 0.08, "linewidth": 0, "step": "post"}
            axis.fill_between(group["ratio"], group["low"], group["high"], **band)
        axis.set_title(PRESETS[preset])
    axes[0].set(xscale="log", ylim=(-0.02, 1.02))
    axes[0].xaxis.set(major_locator=LogLocator(numticks=6), minor_locator=NullLocator())
    named = {style.title(*key): properties for key, properties in looks.items()}
    handles = [Line2D([], [], label=name, **properties) for name, properties in named.items()]
    handles.append(Line2D([], [], label="uniform play: $T$ times the mean gap", **UNIFORM))
    note = "no system plays every instance of the study"
    if len(table):
        note = (
            f"{style.count_range(table['plays'], 'play')} a line, on {style.count_range(table['instances'], 'instance')}; "
            "band: Clopper-Pearson, all lines and ratios together 95 %"
        )
    note = "\n".join([note, *hidden(table)])
    style.legend(figure, handles, 2 if figure.get_figwidth() == style.COLUMN else 4, note, cell)
    return figure


def hidden(table: pd.DataFrame) -> list[str]:
    """What to say of systems whose profiles are the same, so that one line hides the others."""
    lines: dict[tuple[object, ...], list[str]] = {}
    for (preset, label), group in table.groupby(["preset", "algorithm"], sort=False):
        lines.setdefault((preset, *group["share"]), []).append(style.title(label, preset))
    return [f"{PRESETS[key[0]]}: {' and '.join(names)} are one line" for key, names in lines.items() if len(names) > 1]
