"""Adversarial search: the worst point of a function over a box, from many starts and all corners of the box.

A domain is described by named coordinates. The corners stand for its limits, so that a box should reach as far as the
numbers allow: large S, arms nearly collinear, rewards nearly uniform.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.stats import qmc

from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator

MOST_CORNERS = 256
"""Corners of a box that are looked at; of a larger box, that many at random."""


class Worst(NamedTuple):
    """The largest value of a function that was found, where, and the point in words."""

    value: float
    point: Any
    text: str


def column(point: Mapping[str, Any], name: str) -> list[Any]:
    """The coordinates `name`0, `name`1, ... of a point, in order."""
    return [value for key, value in point.items() if key.startswith(name) and key[len(name) :].isdigit()]


def worst_of(candidates: Iterable[Worst]) -> Worst:
    """The one with the largest value; at equal values the first, so that small examples come before large ones."""
    return max(candidates, key=lambda candidate: candidate.value)


def worst_in_box(
    function: Callable[..., float], box: Mapping[str, tuple[float, float]], draws: int, starts: int, name: str
) -> Worst:
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
    return Worst(float(best_value), point, ", ".join(f"{key} = {entry:.6g}" for key, entry in point.items()))


def corners(bounds: Array, stream: np.random.Generator) -> Array:
    """Corners of a box (n, 2): all, or `MOST_CORNERS` drawn at random."""
    if 2 ** len(bounds) <= MOST_CORNERS:
        return np.array(list(itertools.product(*bounds)))
    return np.where(stream.random((MOST_CORNERS, len(bounds))) < 0.5, bounds[:, 0], bounds[:, 1])
