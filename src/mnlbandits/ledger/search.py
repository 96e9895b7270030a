"""Adversarial search: the worst point of a function over a box, from many starts and all corners of the box.

A domain is described by named coordinates. The corners stand for its limits, so that a box should reach as far as the
numbers allow: large S, arms nearly collinear, rewards nearly uniform. A search that finds no violation is not a proof.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.stats import qmc

from mnlbandits.errors import require_choice
from mnlbandits.ledger.arithmetic import FLOATS, Number
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator

MOST_CORNERS = 256
"""Corners of a box that are looked at; of a larger box, that many at random."""

Box = Mapping[str, tuple[float, float]]
"""Named coordinates, each from low to high."""

Point = Mapping[str, object]
"""Values of the coordinates, and of what a case fixes."""

Ratio = Callable[..., Number]
"""left/right of an inequality, or the difference of two sides: ratio(m, **case, **coordinates), m an `Arithmetic`."""


class Effort(NamedTuple):
    """How hard to look.

    Attributes
    ----------
    draws : points at which a search begins. starts : of them, how many are improved. runs, rounds : of a simulation.
    """

    draws: int
    starts: int
    runs: int
    rounds: int

    def share(self, part: float) -> "Effort":
        """That part of the draws and starts, at least a few."""
        return self._replace(draws=max(8, int(part * self.draws)), starts=math.ceil(part * self.starts))


EFFORTS = {"smoke": Effort(300, 4, 40, 300), "full": Effort(4000, 24, 200, 2000)}


def effort_of(name: str) -> Effort:
    """One of `EFFORTS`."""
    require_choice("effort", name, EFFORTS)
    return EFFORTS[name]


class Worst(NamedTuple):
    """The largest value of a function that was found, where, and the point in words."""

    value: float
    point: Point
    text: str


def column(point: Point, name: str) -> list:
    """The coordinates `name`0, `name`1, ... of a point, in order."""
    return [value for key, value in point.items() if key.startswith(name) and key[len(name) :].isdigit()]


def vectors_box(**reach: tuple[int, float]) -> dict[str, tuple[float, float]]:
    """The box of vectors called like the keywords, each given as (length, largest absolute entry)."""
    return {f"{name}{i}": (-size, size) for name, (length, size) in reach.items() for i in range(length)}


def rewards_box(outcomes: int) -> dict[str, tuple[float, float]]:
    """The box of rewards r0, r1, ... in [0, 1]."""
    return {f"r{k}": (0.0, 1.0) for k in range(outcomes)}


def in_words(point: Point) -> str:
    """A point as text, floats and large integers to six digits."""
    return ", ".join(f"{key} = {number_in_words(value)}" for key, value in point.items())


def number_in_words(value: object) -> str:
    """A coordinate as text."""
    large = isinstance(value, int) and abs(value) >= 10**6
    return f"{value:.6g}" if large or isinstance(value, float) else str(value)


def worst_of(candidates: Iterable[Worst]) -> Worst:
    """The one with the largest value; at equal values the first, so that small examples come before large ones."""
    return max(candidates, key=lambda candidate: candidate.value)


def at(ratio: Ratio, text: str = "", **point: object) -> Worst:
    """The ratio at a chosen point, as a search would report it."""
    return Worst(float(ratio(FLOATS, **point)), point, text or in_words(point))


def worst_over(
    ratio: Ratio, cases: Sequence[Point], box: Box | Callable[..., Box], effort: Effort, name: str = "", **fixed: object
) -> Worst:
    """The worst point of several cases, each searched over its box; `fixed` are passed on and belong to no point.

    Parameters
    ----------
    box : the same for all cases, or a function box(**case). name : of the streams of random points, by default the ratio's.
    """
    found = []
    for case in cases:
        text = in_words(case)
        reach = box(**case) if callable(box) else box
        worst = worst_in_box(
            partial(ratio, FLOATS, **case, **fixed), reach, effort.draws, effort.starts, f"{name or ratio.__name__} {text}"
        )
        found.append(Worst(worst.value, {**case, **worst.point}, ", ".join(filter(None, [text, worst.text]))))
    return worst_of(found)


def worst_in_box(function: Callable[..., float], box: Box, draws: int, starts: int, name: str) -> Worst:
    """The largest value of `function`, called with the coordinates as keyword arguments, over a box.

    The function is evaluated at the corners and at `draws` scrambled Halton points; the best `starts` of all are improved by
    the simplex method within the box. Where it is nan it counts as -inf.

    Parameters
    ----------
    box : coordinate -> (low, high). name : of the stream of random points.
    """
    names, bounds = list(box), np.array(list(box.values()), dtype=float)
    stream = generator("search", 0, name)

    def value(point: Array) -> float:
        found = float(function(**dict(zip(names, point.tolist(), strict=True))))
        return -math.inf if math.isnan(found) else found

    if not names:
        return Worst(value(np.array([])), {}, "")
    unit = qmc.Halton(len(names), rng=stream).random(draws)
    points = np.vstack([corners(bounds, stream), bounds[:, 0] + unit * np.ptp(bounds, axis=1)])
    values = np.array([value(point) for point in points])
    best, best_value = points[values.argmax()], values.max()
    for place in np.argsort(-values, kind="stable")[:starts]:
        options = {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 200 * len(names)}
        result = minimize(lambda point: -value(point), points[place], method="Nelder-Mead", bounds=bounds, options=options)
        if -result.fun > best_value:
            best, best_value = result.x, -result.fun
    point = dict(zip(names, best.tolist(), strict=True))
    return Worst(float(best_value), point, in_words(point))


def corners(bounds: Array, stream: np.random.Generator) -> Array:
    """Corners of a box (n, 2): all, or `MOST_CORNERS` drawn at random."""
    if 2 ** len(bounds) <= MOST_CORNERS:
        return np.array(list(itertools.product(*bounds)))
    return np.where(stream.random((MOST_CORNERS, len(bounds))) < 0.5, bounds[:, 0], bounds[:, 1])
