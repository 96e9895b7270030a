"""The choice model of App. logit bandits: P(i|S) = e^{x_i^T theta} / (1 + sum_{j in S} e^{x_j^T theta}) for i in S.

Symbols: M items with features x_i (d,), one parameter theta (d,), utilities u_i = x_i^T theta, revenues r_i > 0. A set S is
a mask `offered` (M,) of booleans; an outcome is the index of an item, or M for no item.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from mnlbandits.compiled import rare_kernel
from mnlbandits.learners.linalg import first_argmax
from mnlbandits.model.softmax import Array, softmax


def choice_probabilities(utilities: ArrayLike, offered: ArrayLike) -> Array:
    """Probabilities of the M items, 0 for those that are not offered, and of no item: shape (M + 1,)."""
    utilities, offered = np.asarray(utilities, dtype=float), np.asarray(offered, dtype=bool)
    p = np.zeros(len(utilities) + 1)
    p[np.append(offered, True)] = softmax(np.append(utilities[offered], 0.0))
    return p


def expected_revenue(utilities: ArrayLike, revenues: ArrayLike, offered: ArrayLike) -> float:
    """sum_i r_i P(i|S)."""
    return float(choice_probabilities(utilities, offered)[:-1] @ np.asarray(revenues, dtype=float))


def kappa(size: int, norm_bound: float) -> float:
    """e^{-B} / (1 + K e^B)^2, at most P(i|S) P(no item|S) for |S| <= K, ||x|| <= 1 and ||theta|| <= B (Oh, Iyengar 2021)."""
    return math.exp(-norm_bound) / (1 + size * math.exp(norm_bound)) ** 2


EQUAL = 1e-13
"""Relative difference up to which a revenue counts as equal to v."""


@rare_kernel
def best_assortment(utilities, revenues, size, scratch, offered):
    """The set of at most `size` items with the largest expected revenue v, into `offered` (M,); `scratch` is (2, M).

    v >= c if and only if sum_{i in S} (r_i - c) e^{u_i} >= c for some S, whose left side is largest for the `size` largest
    positive terms. So c <- revenue of that set increases to v, in finitely many steps (Dinkelbach's method), and equal
    revenues give the largest utilities. Ties go to lower indices. An item with r_i = c up to rounding cannot raise c and is
    left out: at utilities of hundreds its term would be rounding times e^{u_i}, and hide all others.

    Returns
    -------
    v.
    """
    weights, candidate = scratch[0], scratch[1]
    value = 0.0
    while True:
        shift = 0.0
        for i in range(len(utilities)):
            if revenues[i] - value > EQUAL * revenues[i]:
                shift = max(shift, utilities[i])
        for i in range(len(utilities)):
            excess = revenues[i] - value
            weights[i] = excess * math.exp(utilities[i] - shift) if excess > EQUAL * revenues[i] else 0.0
            candidate[i] = 0.0
        for _ in range(size):
            best = first_argmax(weights)
            if weights[best] <= 0.0:
                break
            candidate[best] = 1.0
            weights[best] = 0.0
        total, gain = math.exp(-shift), 0.0
        for i in range(len(utilities)):
            if candidate[i] > 0.0:
                total += math.exp(utilities[i] - shift)
                gain += revenues[i] * math.exp(utilities[i] - shift)
        if not gain > value * total * (1.0 + 1e-14):
            return value
        value = gain / total
        for i in range(len(utilities)):
            offered[i] = candidate[i] > 0.0
