"""Plays on the family of Theorem 2: exploring then committing."""

import math

import numpy as np

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.family import loss, pulls_of, shift, star
from mnlbandits.seeds import generator


def family_regret(K: int, d: int, horizon: float, runs: int) -> float:
    """Largest mean regret, over R d sqrt(T/kappa_*), of exploring then committing, over directions of [M~]_1.

    Every e_j is played n times, the logit of outcome 1 gives an estimate of ([M~]_1)_j, the rest of the rounds goes to the
    estimated direction. The mean is raised by six standard errors.
    """
    stream = generator("claims", 0, f"explore then commit {K} {d}")
    level, worst = shift(FLOATS, K), 0.0
    pulls = pulls_of(K, horizon)
    if pulls * d > horizon:
        raise ValueError(f"T = {horizon} leaves no round after the exploration")
    random = stream.standard_normal((6, d))
    for direction in np.vstack([np.eye(d), -np.eye(d), random / np.linalg.norm(random, axis=1)[:, None]]):
        counts = stream.binomial(pulls, 1 / (1 + np.exp(level - direction)), size=(runs, d))
        estimate = np.log((counts + 0.5) / (pulls - counts + 0.5)) + level
        estimate /= np.linalg.norm(estimate, axis=1)[:, None]
        cosine = 1 - ((estimate - direction) ** 2).sum(axis=1) / 2
        explored = pulls * sum(loss(FLOATS, K, entry) for entry in direction.tolist())
        total = explored + (horizon - pulls * d) * np.array([loss(FLOATS, K, entry) for entry in cosine.tolist()])
        high = total.mean() + 6 * total.std(ddof=1) / math.sqrt(runs)
        worst = max(worst, high / (d * math.sqrt(horizon / star(FLOATS, K))))
    return float(worst)
