"""First-order bonuses: V = v I + sum x x^T, the widths of all arms, and argmax rho^T mu + slope ||x||_{V^-1}."""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel
from mnlbandits.learners.design import REFRESH, add_pulls, refresh_scores
from mnlbandits.learners.linalg import first_argmax, total
from mnlbandits.learners.mle import information, mean_rewards
from mnlbandits.model.softmax import Array


class Design(NamedTuple):
    """V = v I + sum x x^T (d, d) and its widths; arrays are changed in place."""

    matrix: Array  # (d, d)
    inverse: Array  # (d, d)
    widths: Array  # (N,) x^T V^-1 x
    scratch: Array  # (d + 1, d)


def make_design(arms: Array, weight: float) -> Design:
    """V = weight I."""
    count, dim = arms.shape
    design = Design(weight * np.eye(dim), np.zeros((dim, dim)), np.zeros(count), np.zeros((dim + 1, dim)))
    refresh_scores(arms, design.matrix, design.widths, design.inverse, design.scratch)
    return design


@kernel
def add_pull(design, arms, t, arm):
    """V += x x^T for the arm of round t."""
    add_pulls(arms, 1.0, arm, 1.0, design.matrix, design.widths, design.inverse, design.scratch)
    if t % REFRESH == 0:
        refresh_scores(arms, design.matrix, design.widths, design.inverse, design.scratch)


@kernel
def add_many(design, arms, arm, counts):
    """V += sum(counts) x x^T for many rounds of an arm at once."""
    add_pulls(arms, 1.0, arm, total(counts), design.matrix, design.widths, design.inverse, design.scratch)
    refresh_scores(arms, design.matrix, design.widths, design.inverse, design.scratch)


@kernel
def first_order_arm(data, design, rewards, estimate, slope, scores):
    """argmax of rho^T mu(estimate x) + slope ||x||_{V^-1}; the maximised `scores` (N,) are filled."""
    mean_rewards(data, rewards, estimate, scores)
    for n in range(len(scores)):
        scores[n] += slope * math.sqrt(design.widths[n])
    return first_argmax(scores)


@kernel
def first_order_gain(data, design, ridge, estimate, arm):
    """Relative growth of V or of the Hessian at the estimate, whichever is larger, by one pull."""
    return max(design.widths[arm], information(data, ridge, estimate, arm))
