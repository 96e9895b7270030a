"""Claims whose picture says more than their number: each printed quantity over what it should be, along one variable."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from mnlbandits.claims import EFFORTS, Effort
from mnlbandits.claims.exploration import DELTA, distance_at_one, event_at_one
from mnlbandits.claims.lower_bound import MENDED, family_regret, largest_epsilon, star
from mnlbandits.claims.lower_bound_steps import divergence, logits
from mnlbandits.claims.precise import slope
from mnlbandits.claims.regret_steps import along, path_of, polygon, rotation

HORIZON = 100.0
"""T where a claim about confidence sets needs one."""


def pictures(effort: Effort) -> pd.DataFrame:
    """All pictures. Columns: picture, line, x, y."""
    parts = (information(), lower_bound(effort), potential(effort), first_event(), mean_curvature())
    return pd.DataFrame([row for part in parts for row in part], columns=["picture", "line", "x", "y"])


def information() -> Iterator[tuple[str, str, float, float]]:
    """C081: KL of a round over its printed bound against K, at a small eps; d = 2, the worst arm of a grid."""
    share, angles = 0.01, np.linspace(0.001, 0.5, 200)
    for outcomes in np.unique(np.geomspace(2, 1000, 30).round()):
        epsilon = share * largest_epsilon(outcomes, 2)
        growth = math.exp(2 * epsilon) * epsilon**2
        pairs = [(angle, *logits(outcomes, share, angle)) for angle in angles]
        ratios = [divergence(z, other) / (4 * growth * slope(z) * math.sin(angle) ** 2) for angle, z, other in pairs]
        yield "information", "KL of a round (C081)", outcomes, max(ratios)


def lower_bound(effort: Effort) -> Iterator[tuple[str, str, float, float]]:
    """C028: explore-then-commit, the printed and the corrected bound, over R d sqrt(K T/kappa_*) against K; d = 2."""
    for outcomes in (2, 10, 10**2, 10**3, 10**4, 10**5, 10**6, 10**8, 10**10, 10**11):
        regret = family_regret(outcomes, 2, 400 * math.ceil(star(outcomes)), effort.runs)
        yield "lower bound", "explore then commit", outcomes, regret / math.sqrt(outcomes)
        yield "lower bound", "Theorem 2's proof", outcomes, 1 / 25000
        yield "lower bound", "corrected", outcomes, 1 / MENDED / math.sqrt(outcomes)


def potential(effort: Effort) -> Iterator[tuple[str, str, float, float]]:
    """C154, C154c: Q_T over d log(1 + T/(lambda d)) against K, on polygons and along REAL's own plays at its constants."""
    for outcomes in (4, 8, 16, 32) if effort == EFFORTS["full"] else (4, 8):
        theta, arms = polygon(outcomes)
        yield (
            "potential",
            "arbitrary plays (C154)",
            outcomes,
            along(theta, arms, rotation(len(arms), 1e12, 0.1), 288.0 * outcomes),
        )
    for outcomes in (3, 6, 12) if effort == EFFORTS["full"] else ():
        path = path_of(outcomes, 1e18)
        ratio = along(path.instance.theta, path.instance.arms, path.steps, 288.0 * outcomes)
        yield "potential", "REAL's plays (C154c)", outcomes, ratio


def first_event() -> Iterator[tuple[str, str, float, float]]:
    """C108, C112: squared distances over their printed bounds after one round, against S; K = 2, d = 1, x = 1."""
    level = math.log(HORIZON / DELTA)
    for norm in np.geomspace(0.5, 200, 40):
        yield "confidence", "Proposition 2 (C108)", norm, event_at_one(math, 16.0, norm, level, 1.0)
        yield "confidence", "Proposition 3 (C112)", norm, distance_at_one(math, 84.0, norm, level, 1.0) ** 2


def mean_curvature() -> Iterator[tuple[str, str, float, float]]:
    """C113: grad mu(z) over its mean to z + e, at the worst z, over 1 + ||e|| and over 1 + sqrt(2) ||e||; K = 2."""
    for length in np.geomspace(0.1, 20, 40):
        m = math.sqrt(2) * length
        largest = m / -math.expm1(-m)
        yield "curvature", "over 1 + d(x) (C113)", length, largest / (1 + length)
        yield "curvature", "over 1 + sqrt(2) d(x)", length, largest / (1 + m)
