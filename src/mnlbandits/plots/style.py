"""The one style of all figures, and how they are saved."""

from pathlib import Path

import matplotlib as mpl
import seaborn as sns
from matplotlib.figure import Figure

from mnlbandits.files import write_atomic

COLUMN, PAGE = 3.4, 7.0
"""Widths in inches: one column, and the text width of a page."""

sns.set_theme(
    context="paper",
    style="ticks",
    palette="colorblind",
    rc={
        "axes.grid": True,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "figure.constrained_layout.use": True,
        "figure.dpi": 200,
        "font.size": 8,
        "axes.titlesize": 8,
        "axes.labelsize": 8,
        "xtick.labelsize": 7,
        "ytick.labelsize": 7,
        "legend.fontsize": 7,
        "grid.alpha": 0.3,
        "grid.linewidth": 0.5,
        "lines.linewidth": 1.2,
        "mathtext.fontset": "cm",
        "pdf.fonttype": 42,
        "svg.hashsalt": "mnlbandits",
    },
)
mpl.use("agg")


def save(figure: Figure, pdf: Path | str, png: Path | str) -> None:
    """Write a figure as PDF and PNG without dates, so that the same data gives the same bytes."""
    write_atomic(pdf, lambda handle: figure.savefig(handle, format="pdf", metadata={"CreationDate": None, "ModDate": None}))
    write_atomic(png, lambda handle: figure.savefig(handle, format="png", metadata={"Software": None}))
