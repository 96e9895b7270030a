"""Reference-class coordinates, in which most methods for K outcomes are published.

The outcome c with the smallest reward is the reference: its logit and its reward are 0, beta (K-1, d) has the rows
theta_k - theta_c, and `Problem.reference_bound` bounds ||beta||_F.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.instances.instance import kappa_within
from mnlbandits.learners.binary import largest_inverse_slope
from mnlbandits.model.softmax import Array, reference_basis


class Reference(NamedTuple):
    """An instance in reference-class coordinates."""

    outcome: int  # c
    basis: Array  # (K, K-1)
    rewards: Array  # rho - rho_c (K,)
    norm_bound: float  # bound on ||beta||_F


def reference_of(problem: Problem) -> Reference:
    """The instance relative to its outcome with the smallest reward."""
    outcome = int(np.argmin(problem.rewards))
    basis = reference_basis(problem.outcomes, outcome)
    return Reference(outcome, basis, problem.relative_rewards, problem.reference_bound)


def by_reward(reference: Reference, dim: int) -> Array:
    """Indices (D,) of the coordinates of beta, rows of larger rewards first: noise drawn so knows no names of outcomes."""
    rows = np.argsort(-np.delete(reference.rewards, reference.outcome), kind="stable")
    return (rows[:, None] * dim + np.arange(dim)).ravel()


def curvature_bound(problem: Problem) -> float:
    """An upper bound of kappa in reference-class coordinates, the largest 1 / lambda_min of the (K-1, K-1) curvature.

    At logits z it is at most K / lambda_{K-1}(grad mu(z)), since (v, 0) projected on 1^perp keeps at least 1/K of ||v||^2,
    and ||z|| is at most the largest logit in this ball. For two outcomes it is 1 / (p (1 - p)) at that logit. Infinite if
    it is no floating-point number.
    """
    largest_logit = problem.reference_bound * problem.longest
    if problem.outcomes == 2:
        return largest_inverse_slope(largest_logit)
    return problem.outcomes * kappa_within(problem.outcomes, largest_logit).upper


@kernel
def relative(reference, theta, out):
    """theta (K, d) relative to its row `reference`, into `out` (K-1, d)."""
    for a in range(out.shape[0]):
        row = a if a < reference else a + 1
        for j in range(out.shape[1]):
            out[a, j] = theta[row, j] - theta[reference, j]


@kernel
def norm(phi):
    """||phi||_F of phi (K-1, d)."""
    square = 0.0
    for a in range(phi.shape[0]):
        for j in range(phi.shape[1]):
            square += phi[a, j] * phi[a, j]
    return math.sqrt(square)
