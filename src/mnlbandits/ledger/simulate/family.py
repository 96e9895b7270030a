"""Plays on the family of Theorem 2: exploring then committing, and random rounds."""

import math

import numpy as np

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.family import high_reward, loss, members, pulls_of, shift, star
from mnlbandits.model.softmax import Array
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


def random_rounds(K: int, d: int, count: int, kind: str = "M-tilde") -> tuple[Array, Array, Array, Array]:
    """theta, x_*, arms (n, d) uniform on the sphere and rewards of a member with all v = 1."""
    stream = generator("claims", 0, f"lower bound rounds {K} {d}")
    theta = members(FLOATS, K, d, stream.uniform(0.01, 1.0), kind)[0][1]
    arms = stream.standard_normal((count, d))
    best = theta[0] / np.linalg.norm(theta[0])
    return theta, best, arms / np.linalg.norm(arms, axis=1)[:, None], np.array(high_reward(FLOATS, K))
