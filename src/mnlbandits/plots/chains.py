"""The graphs of claims on which the theorems rest, coloured by verdict."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mnlbandits.plots import style

FACES = {
    "holds": "#b7dfb0",
    "holds, loose": "#dcefd0",
    "corrected": "#ffe08a",
    "refuted": "#f2a7a0",
    "not testable": "#dddddd",
}
"""Colours of the verdicts."""

BORDERS = {"kernel": "-", "proved": "-", "searched": "--", "simulated": "--", "argued": ":"}
"""Borders of the levels: what is proved has a whole one."""

ROW = 0.26
"""Height of a claim, in inches."""


def message(table: pd.DataFrame) -> str:
    """What became of the false statements on which the theorems rest."""
    verdicts = table.drop_duplicates("id")["verdict"].value_counts()
    mended, refuted = (int(verdicts.get(verdict, 0)) for verdict in ("corrected", "refuted"))
    return (
        f"Of {verdicts.sum()} statements on which the theorems rest {mended + refuted} are false as printed, "
        f"{mended} of them with a correction"
    )


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """A panel per theorem: it stands on the left, and lines lead to what its proof uses.

    `table` as `mnlbandits.ledger.chain.chain_table` gives it.
    """
    parts = list(table.groupby("theorem"))
    heights = [1.2 + part.groupby("layer").size().max() for _, part in parts]
    figure = Figure(figsize=(style.PAGE, ROW * sum(heights) + 0.6))
    axes = figure.subplots(len(parts), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axis, (theorem, part) in zip(axes, parts, strict=True):
        draw_graph(axis, theorem, part.set_index("id"))
        false = int(part["verdict"].isin(["corrected", "refuted"]).sum())
        axis.set_title(
            f"Theorem {theorem}: of {len(part)} statements that its proof uses or makes, {false} are false as printed"
        )
    seen = [verdict for verdict in FACES if (table["verdict"] == verdict).any()]
    handles = [
        Line2D([], [], color=FACES[verdict], marker="s", linestyle="", markersize=7, label=verdict) for verdict in seen
    ]
    handles += [
        Line2D([], [], color="0.2", linestyle=line, linewidth=0.8, label=label)
        for label, line in (("proved, or by a kernel", "-"), ("searched or simulated", "--"), ("argued in words", ":"))
    ]
    note = (
        "lines lead to the right, from a statement to what it rests on; verdict (colour; false: corrected or refuted) and "
        "how it is known (border); of a correction the weaker of its halves"
    )
    style.legend(figure, handles, 4, note)
    return figure


def draw_graph(axis: Axes, theorem: int, part: pd.DataFrame) -> None:
    """One theorem; the claims are the index. In SVG the box of a claim has an id, as ``1-C156``."""
    most = part.groupby("layer").size().max()
    at = {id: (row.layer, (0.5 - row.place) * most) for id, row in part.iterrows()}
    for id, row in part.iterrows():
        for premise in str(row.rests_on).split() if isinstance(row.rests_on, str) else ():
            if premise in at:
                axis.plot(*zip(at[id], at[premise], strict=True), color="0.7", linewidth=0.5, zorder=1)
    for id, row in part.iterrows():
        name = row["name"] if isinstance(row["name"], str) else ""
        box = {"boxstyle": "round,pad=0.2", "facecolor": FACES[row.verdict], "edgecolor": "0.2"}
        box |= {"linewidth": 0.7, "linestyle": BORDERS[row.level]}
        text = axis.text(*at[id], f"{name}\n{id}" if name else id, fontsize=5.5, ha="center", va="center", linespacing=1.0)
        text.set_bbox(box)
        text.set_gid(f"{theorem}-{id}")
    axis.set(xlim=(-0.5, part["layer"].max() + 0.5), ylim=(-most / 2 - 0.1, most / 2 + 0.1))
    axis.set_axis_off()
