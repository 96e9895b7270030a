"""Why neither MNL bandits nor Logit (assortment) bandits are a case of the other, and the regret of systems for each.

Let the outcomes be the same K things in both: in Logit bandits K - 1 fixed items and "none".

- *A Logit bandit that may leave an item out is no MNL bandit.* In MNL bandits with ||theta||_F <= S and ||x|| <= 1
  any two logits differ by at most sqrt(2) S, so P(k|x) >= 1/(1 + (K-1) e^{sqrt(2) S}) > 0 for every action and outcome,
  whatever d. In Logit bandits P(i|S) = 0 for i outside S.
- *An MNL bandit with two actions of different odds is no Logit bandit.* In MNL bandits the odds of outcomes j and k are
  e^{(theta_j - theta_k)^T x}, and change with x unless theta_j - theta_k is orthogonal to the difference of the actions; all
  outcomes stay possible. In Logit bandits all are possible for the full set only, and the odds of two outcomes are the same
  in every set that contains both (independence of irrelevant alternatives): leaving out i scales the others' probabilities
  by the same factor 1/(1 - P(i)), on the straight line from the vertex of i through the law of the larger set. (If the
  features x_{t,i} change, nature moves these laws, not the learner.)

So for one parameter, MNL bandits with d = 1 reach a curve inside the simplex, mu(x theta) for -1 <= x <= 1; Logit bandits
reach one point in every face that contains the vertex of none, and the point of the full set determines the others. Over
all parameters of bounded norm the first fill a region in the interior only, the second also a segment of the edges at the
vertex of none.

What remains true once outcomes may be renamed action by action: sets of *exactly* K_a items with equal revenues are MNL arms
(x_i)_{i in S} in R^{d K_a} with theta_k = e_k (x) theta, at K_a^2 d parameters for d; and an MNL arm x is the set of the
items e_k (x) x, k < K, under the parameter (theta_k - theta_K)_k, if the learner may offer nothing but these sets. Each
drops what the other framework is about: the choice of which outcomes are possible, or the fixed odds.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, NullLocator

from mnlbandits.algorithms import REGISTRY
from mnlbandits.assortment.algorithms import TITLES
from mnlbandits.assortment.model import choice_probabilities
from mnlbandits.model.softmax import Array, contrast_basis, softmax
from mnlbandits.plots import style

NORM = 2.0
"""Bound on the norm of the two parameters, in both simplices."""

ANGLE = 0.6
"""Direction of the two MNL parameters that are drawn."""

UTILITIES = np.array([1.1, -0.2])
"""Of the two items that are drawn: the two Logit parameters, with items e_1 and e_2."""

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(0.75)]])
"""Where the vertices of the simplex of three outcomes are drawn."""

COLOUR = {"mnl": style.COLOURS[0], "logit": style.COLOURS[1]}
REGION = {"alpha": 0.15, "linewidth": 0}
RAY = {"color": "0.3", "linewidth": 0.8, "linestyle": (0, (2, 1.5)), "zorder": 2}

LINES = {
    "oful-mlogb": {"color": style.COLOURS[0], "linestyle": "-"},
    "ofu-mnl+": {"color": style.COLOURS[1], "linestyle": (0, (4, 1.5))},
    "ucb-mnl": {"color": style.COLOURS[2], "linestyle": (0, (1, 1))},
    "uniform": {"color": style.GREY, "linewidth": 0.7},
}
"""Algorithms, and how their regret is drawn."""


def message(table: pd.DataFrame) -> str:
    """What the simplices show, of any table."""
    return "Neither framework is a case of the other"


@style.styled(message)
def draw(table: pd.DataFrame) -> Figure:
    """What either framework can reach in the simplex of three outcomes with two parameters, over its regret.

    `table` has the columns of `mnlbandits.verify.frameworks.frameworks_table`.
    """
    figure = Figure(figsize=(style.COLUMN, 4.2))
    axes = figure.subplots(2, 2, height_ratios=(1.35, 1))
    draw_mnl(axes[0, 0])
    draw_logit(axes[0, 1])
    for axis, framework in zip(axes[1], ("mnl", "logit"), strict=True):
        draw_regret(axis, table[table["framework"] == framework])
    axes[1, 0].set_ylabel("cumulative regret")
    highest, last = max(1e-9, table["mean"].max()), max(10, table["t"].max())
    for axis in axes[1]:
        axis.set(xscale="log", yscale="log", xlim=(last / 1e4, last), ylim=(highest / 1e5, 3 * highest), xlabel="round $t$")
        axis.xaxis.set(major_locator=LogLocator(numticks=5), minor_locator=NullLocator())
        axis.yaxis.set(major_locator=LogLocator(numticks=6), minor_locator=NullLocator())
    axes[1, 1].tick_params(labelleft=False)
    runs = style.count_range(table["runs"], "run")
    band = "95 % Student interval" if table["runs"].max() > 1 else "no interval"
    style.legend(
        figure, entries(), 2, f"top: two parameters, three outcomes; bottom: valid constants, mean of {runs}, {band}"
    )
    return figure


def place(probabilities: Array) -> Array:
    """Points of the page (..., 2) for probabilities (..., 3)."""
    return np.asarray(probabilities) @ CORNERS


def simplex(axis: Axes, title: str, names: Sequence[str]) -> None:
    """An empty simplex with the names of its vertices."""
    axis.set(aspect="equal", xlim=(-0.14, 1.14), ylim=(-0.17, 1.0))
    axis.set_axis_off()
    axis.set_title(title, linespacing=style.LINES)
    axis.plot(*np.vstack([CORNERS, CORNERS[:1]]).T, color="black", linewidth=0.8, zorder=1)
    for (x, y), name, below in zip(CORNERS, names, (True, True, False), strict=True):
        axis.text(x, y + (-0.05 if below else 0.03), name, ha="center", va="top" if below else "bottom", fontsize=7)


def draw_mnl(axis: Axes) -> None:
    """d = 1: the curve mu(x theta) of one theta, with five actions, in the region of all theta."""
    simplex(axis, "MNL: an action $x$ moves\nall outcomes at once", ("outcome 1", "outcome 2", "outcome 3"))
    basis = contrast_basis(3)
    turns = np.linspace(0, 2 * math.pi, 181)
    circle = NORM * np.column_stack([np.cos(turns), np.sin(turns)]) @ basis.T
    axis.fill(*place(softmax(circle)).T, color=COLOUR["mnl"], **REGION)
    theta = NORM * basis @ [math.cos(ANGLE), math.sin(ANGLE)]
    curve = place(softmax(np.linspace(-1, 1, 101)[:, None] * theta))
    actions = place(softmax(np.linspace(-1, 1, 5)[:, None] * theta))
    axis.plot(*curve.T, color=COLOUR["mnl"])
    axis.plot(*actions.T, "o", color=COLOUR["mnl"])
    for (x, y), name, offset in zip(actions[[0, -1]], ("$x=-1$", "$x=1$"), ((3, 3), (6, -2)), strict=True):
        axis.annotate(name, (x, y), offset, textcoords="offset points", fontsize=7)


def draw_logit(axis: Axes) -> None:
    """Two items: the three laws of one theta, the lines between them, and the reach of all theta."""
    simplex(axis, "Logit: a set $S$ of items;\nothers have probability 0", ("item 1", "item 2", "none"))
    turns = np.linspace(0, 2 * math.pi, 181)
    circle = NORM * np.column_stack([np.cos(turns), np.sin(turns)])
    axis.fill(*place([choice_probabilities(u, [True, True]) for u in circle]).T, color=COLOUR["logit"], **REGION)
    full, first, second = (
        place(choice_probabilities(UTILITIES, offered)) for offered in ([True, True], [True, False], [False, True])
    )
    for item, only in ((0, [True, False]), (1, [False, True])):
        ends = [choice_probabilities(np.full(2, level), only) for level in (-NORM, NORM)]
        axis.plot(*place(ends).T, color=COLOUR["logit"], alpha=0.35, linewidth=3.5, solid_capstyle="butt", zorder=1.5)
        axis.plot(*np.array([CORNERS[1 - item], (first, second)[item]]).T, **RAY)
    axis.plot(*np.array([full, first, second]).T, "s", color=COLOUR["logit"])
    for point, name, offset, side in (
        (full, r"$\{1,2\}$", (7, -9), "center"),
        (first, r"$\{1\}$", (-5, 1), "right"),
        (second, r"$\{2\}$", (5, 1), "left"),
    ):
        axis.annotate(name, point, offset, textcoords="offset points", fontsize=7, ha=side)


def draw_regret(axis: Axes, table: pd.DataFrame) -> None:
    """Mean regret and its interval of every algorithm of one framework."""
    for name, group in table.groupby("algorithm", sort=False):
        group = group[group["mean"] > 0]
        axis.plot("t", "mean", data=group, **LINES[name])
        group = group[np.isfinite(group["low"]) & (group["high"] > group["low"])]
        low = np.maximum(group["low"], 1e-3 * group["mean"])
        axis.fill_between(group["t"], low, group["high"], color=LINES[name]["color"], alpha=0.25, linewidth=0)


def entries() -> list[Line2D | Patch]:
    """Legend entries."""
    names = {name: REGISTRY[name].title if name in REGISTRY else TITLES[name] for name in LINES if name != "uniform"}
    return [
        Line2D([], [], color=COLOUR["mnl"], marker="o", label="all actions $x$, one parameter"),
        Line2D([], [], color=COLOUR["logit"], marker="s", linestyle="none", label="all sets $S$, one parameter"),
        Patch(color="0.45", **REGION, label=f"any parameter of norm $\\leq {NORM:g}$"),
        Line2D([], [], **RAY, label="an item less: others' odds kept"),
        *(Line2D([], [], label=names.get(name, "uniformly random"), **look) for name, look in LINES.items()),
    ]
