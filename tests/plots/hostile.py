"""Settings of a user of matplotlib that no byte of ours may depend on."""

import matplotlib

WORDS = {
    "axes.autolimit_mode": "round_numbers",
    "axes.edgecolor": "red",
    "axes.facecolor": "yellow",
    "axes.formatter.limits": "-1, 1",
    "axes.grid.which": "both",
    "axes.prop_cycle": "cycler('color', ['r', 'g'])",
    "axes.titlelocation": "left",
    "backend": "svg",
    "figure.facecolor": "cyan",
    "font.family": "monospace",
    "grid.color": "red",
    "grid.linestyle": ":",
    "image.cmap": "gray",
    "legend.loc": "upper left",
    "lines.linestyle": "--",
    "lines.marker": "x",
    "mathtext.default": "rm",
    "mathtext.fontset": "cm",
    "path.sketch": "1, 100, 2",
    "pdf.compression": "0",
    "pdf.fonttype": "3",
    "ps.fonttype": "42",
    "savefig.bbox": "tight",
    "savefig.facecolor": "red",
    "svg.fonttype": "none",
    "text.color": "red",
    "text.hinting": "none",
    "xtick.color": "red",
    "xtick.direction": "in",
}


def matplotlibrc():
    """A matplotlibrc with every truth value the other way round, every number another, and `WORDS`."""
    values = {}
    for key, value in matplotlib.rcParamsDefault.items():
        if isinstance(value, bool):
            values[key] = not value
        elif isinstance(value, int):
            values[key] = value + 1
        elif isinstance(value, float):
            values[key] = 0.7 * value
    return "".join(f"{key}: {value}\n" for key, value in (values | WORDS).items())
