"""Claims whose picture says more than their number: each printed quantity over what it should be, along one variable."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.family import MENDED, divergence, member_logits, star
from mnlbandits.ledger.formulas.family_steps import entropy_growth, eps_of
from mnlbandits.ledger.formulas.pairs_bound import pairs_constant
from mnlbandits.ledger.formulas.potentials import along, polygon, rotation
from mnlbandits.ledger.formulas.radii import distance_at_one, event_at_one
from mnlbandits.ledger.formulas.softmax import slope
from mnlbandits.ledger.pictures_of_regret import picture_theorem_one
from mnlbandits.ledger.search import EFFORTS, Effort
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.ledger.simulate.family import family_regret
from mnlbandits.ledger.simulate.paths import polygon_potential

PICTURE_HORIZON = 100.0
"""T where a claim about confidence sets needs one."""


def pictures(effort: Effort) -> pd.DataFrame:
    """All pictures. Columns: picture, line, x, y."""
    parts = (picture_information(), picture_lower_bound(effort), picture_potential(effort))
    parts = (*parts, picture_events(), picture_curvature(), picture_theorem_one(effort))
    return pd.DataFrame([row for part in parts for row in part], columns=["picture", "line", "x", "y"])


def picture_information() -> Iterator[tuple[str, str, float, float]]:
    """C081: KL of a round over its printed bound against K, at a small eps; d = 2, the worst arm of a grid."""
    share, angles = 0.01, np.linspace(0.001, 0.5, 200).tolist()
    for K in np.unique(np.geomspace(2, 1000, 30).round()).tolist():
        growth = 4 * entropy_growth(FLOATS, K, eps_of(FLOATS, K, 2, share), 0)
        pairs = [(angle, *member_logits(FLOATS, K, share, angle)) for angle in angles]
        ratios = [
            divergence(FLOATS, z, other) / (growth * slope(FLOATS, z) * math.sin(angle) ** 2) for angle, z, other in pairs
        ]
        yield "information", "KL of a round (C081)", K, max(ratios)


def picture_lower_bound(effort: Effort) -> Iterator[tuple[str, str, float, float]]:
    """C028, C028c: explore-then-commit, the printed and the proved bounds, over R d sqrt(K T/kappa_*) against K; d = 2."""
    for K in (2, 10, 10**2, 10**3, 10**4, 10**5, 10**6, 10**8, 10**10, 10**11):
        regret = family_regret(K, 2, 400 * math.ceil(star(FLOATS, K)), effort.runs)
        yield "lower bound", "explore then commit", K, regret / math.sqrt(K)
        yield "lower bound", "Theorem 2's proof", K, 1 / 25000
        yield "lower bound", "corrected", K, 1 / MENDED / math.sqrt(K)
        if K > 2:
            yield "lower bound", "on pairs of outcomes (C028c)", K, pairs_constant(FLOATS, K, 2) / math.sqrt(2)


def picture_potential(effort: Effort) -> Iterator[tuple[str, str, float, float]]:
    """C154, C154c: Q_T over d log(1 + T/(lambda d)) against K, on polygons and along REAL's own plays at its constants."""
    for K in (4, 8, 16, 32) if effort == EFFORTS["full"] else (4, 8):
        theta, arms = polygon(K)
        ratio = along(FLOATS, theta, arms, rotation(len(arms), 1e12, 0.1), 288.0 * K)
        yield "potential", "arbitrary plays (C154)", K, ratio
    for K in (4, 6, 8, 10) if effort == EFFORTS["full"] else ():
        yield "potential", "REAL's plays (C154c)", K, polygon_potential(K)[0]


def picture_events() -> Iterator[tuple[str, str, float, float]]:
    """C108, C112: squared distances over their printed bounds after one round, against S; K = 2, d = 1, x = 1."""
    level = math.log(PICTURE_HORIZON / DELTA)
    for norm in np.geomspace(0.5, 200, 40).tolist():
        yield "confidence", "Proposition 2 (C108)", norm, event_at_one(FLOATS, 16.0, norm, level, 1.0)
        yield "confidence", "Proposition 3 (C112)", norm, distance_at_one(FLOATS, 84.0, norm, level, 1.0) ** 2


def picture_curvature() -> Iterator[tuple[str, str, float, float]]:
    """C113: grad mu(z) over its mean to z + e, at the worst z, over 1 + ||e|| and over 1 + sqrt(2) ||e||; K = 2."""
    for length in np.geomspace(0.1, 20, 40).tolist():
        m = math.sqrt(2) * length
        largest = m / -math.expm1(-m)
        yield "curvature", "over 1 + d(x) (C113)", length, largest / (1 + length)
        yield "curvature", "over 1 + sqrt(2) d(x)", length, largest / (1 + m)
