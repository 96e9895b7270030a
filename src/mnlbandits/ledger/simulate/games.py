"""The least Bayes regret of any algorithm on two members of the family of Theorem 2, by dynamic programming."""

import math

import numpy as np

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.family import loss, member_logits
from mnlbandits.ledger.formulas.softmax import sigmoid


def least_regret(K: int, share: float, horizon: int, points: int = 61, arms: int = 24) -> float:
    """Least Bayes regret over R of T rounds, d = 2, both members equally likely.

    The belief is on a grid; interpolation between its points makes the value smaller, as it is concave. The arms are at
    `arms` angles each side of e_1.
    """
    alpha = math.atan(share)
    side = np.concatenate([alpha * np.array([0.0, 0.5, 1.0, 1.5, 2.0]), np.geomspace(3 * alpha, 3.0, arms)])
    angles = np.concatenate([-side[:0:-1], side]).tolist()
    chances = np.array([[sigmoid(FLOATS, z) for z in member_logits(FLOATS, K, share, angle)] for angle in angles]).T
    costs = np.array([[loss(FLOATS, K, math.cos(angle - sign * alpha)) for angle in angles] for sign in (1, -1)])
    belief = (1 - np.cos(np.linspace(0, math.pi, points))) / 2
    b = belief[:, None]
    cost = b * costs[0] + (1 - b) * costs[1]
    hit = b * chances[0] + (1 - b) * chances[1]
    after = np.stack([b * chances[0] / hit, b * (1 - chances[0]) / (1 - hit)])
    value = np.zeros(points)
    for _ in range(horizon):
        later = np.interp(after, belief, value)
        value = (cost + hit * later[0] + (1 - hit) * later[1]).min(axis=1)
    return float(np.interp(0.5, belief, value))
