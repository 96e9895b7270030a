"""Claims whose picture says more than their number: each printed quantity over what it should be, along one variable."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from mnlbandits.claims import Effort
from mnlbandits.claims.exploration import DELTA, distance_at_one, event_at_one
from mnlbandits.claims.lower_bound import MENDED, family_regret, largest_epsilon, slope, star
from mnlbandits.claims.lower_bound_steps import divergence, entropy_terms, logits

HORIZON = 100.0
"""T where a claim about confidence sets needs one."""


def pictures(effort: Effort) -> pd.DataFrame:
    """All pictures. Columns: picture, line, x, y."""
    parts = (information(), lower_bound(effort), first_event(), mean_curvature())
    return pd.DataFrame([row for part in parts for row in part], columns=["picture", "line", "x", "y"])


def information() -> Iterator[tuple[str, str, float, float]]:
    """C081, C082b: KL of a round over its printed bound against K, at a small eps; d = 2, the worst arm of a grid."""
    share, angles = 0.01, np.linspace(0.001, 0.5, 200)
    for outcomes in np.unique(np.geomspace(2, 1000, 30).round()):
        epsilon = share * largest_epsilon(outcomes, 2)
        growth = math.exp(2 * epsilon) * epsilon**2
        rounds, sums = [], []
        for angle in angles:
            z, other = logits(outcomes, share, angle)
            rounds.append(divergence(z, other) / (4 * growth * slope(z) * math.sin(angle) ** 2))
            entropy, prime, square, last = entropy_terms(outcomes, 2, share, angle, math)
            sums.append(entropy / (8 * growth * prime * (square + last)))
        yield "information", "KL of a round (C081)", outcomes, max(rounds)
        yield "information", "sum over flips (C082b)", outcomes, max(sums)


def lower_bound(effort: Effort) -> Iterator[tuple[str, str, float, float]]:
    """C028: explore-then-commit, the printed and the corrected bound, over R d sqrt(K T/kappa_*) against K; d = 2."""
    for outcomes in (2, 10, 10**2, 10**3, 10**4, 10**5, 10**6, 10**8, 10**10, 10**11):
        regret = family_regret(outcomes, 2, 400 * math.ceil(star(outcomes)), effort.runs)
        yield "lower bound", "explore then commit", outcomes, regret / math.sqrt(outcomes)
        yield "lower bound", "Theorem 2's proof", outcomes, 1 / 25000
        yield "lower bound", "corrected", outcomes, 1 / MENDED / math.sqrt(outcomes)


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
