"""First-order bonuses: V = kappa lambda I + sum x x^T and argmax rho^T mu + slope sqrt(kappa) ||x||_{V^-1}.

V is held as V/kappa, which is a floating-point number where kappa is not.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel
from mnlbandits.learners.design import REFRESH, add_pulls, measure_widths, refresh_scores
from mnlbandits.learners.linalg import first_offered, total
from mnlbandits.learners.mle import information, mean_rewards
from mnlbandits.model.softmax import Array


class Design(NamedTuple):
    """V/kappa = lambda I + sum x x^T/kappa and the widths; arrays are changed in place."""

    kappa: float  # may be infinite
    matrix: Array  # V/kappa (d, d)
    inverse: Array  # (d, d)
    widths: Array  # (N,) kappa x^T V^-1 x
    fresh: bool  # whether every round has arms of its own: then the widths are those of the last choice
    scratch: Array  # (d + 1, d)


def make_design(arms: Array, ridge: float, kappa: float, fresh: bool = False) -> Design:
    """V = kappa ridge I."""
    count, dim = arms.shape
    design = Design(kappa, ridge * np.eye(dim), np.zeros((dim, dim)), np.zeros(count), fresh, np.zeros((dim + 1, dim)))
    refresh_scores(arms, design.matrix, design.widths, design.inverse, design.scratch)
    return design


@kernel
def look(design, arms):
    """The widths of the arms of this round."""
    measure_widths(arms, design.inverse, design.widths)


@kernel
def add_pull(design, arms, t, arm):
    """V += x x^T for the arm of round t."""
    add_pulls(arms, design.kappa, arm, 1.0, design.matrix, design.widths, design.inverse, design.scratch)
    if t % REFRESH == 0:
        refresh_scores(arms, design.matrix, design.widths, design.inverse, design.scratch)


@kernel
def add_many(design, arms, arm, counts):
    """V += sum(counts) x x^T for many rounds of an arm at once."""
    add_pulls(arms, design.kappa, arm, total(counts), design.matrix, design.widths, design.inverse, design.scratch)
    refresh_scores(arms, design.matrix, design.widths, design.inverse, design.scratch)


@kernel
def first_order_arm(data, design, rewards, estimate, slope, scores, offered):
    """argmax of rho^T mu(estimate x) + slope sqrt(kappa) ||x||_{V^-1} of the arms with `offered`, into `scores` (N,)."""
    if design.fresh:
        look(design, data.arms)
    mean_rewards(data, rewards, estimate, scores)
    for n in range(len(scores)):
        scores[n] += slope * math.sqrt(max(0.0, design.widths[n]))
    return first_offered(scores, offered)


@kernel
def first_order_gain(data, design, ridge, estimate, arm):
    """Relative growth of V or of the Hessian at the estimate, whichever is larger, by one pull."""
    return max(design.widths[arm] / design.kappa, information(data, ridge, estimate, arm))
