"""Reference-class coordinates and first-order widths, shared by the offline methods of Table 1 for K outcomes.

The outcome c with the smallest reward is the reference: its logit and its reward are 0, beta (K-1, d) has the rows
theta_k - theta_c, and ||beta||_F <= sqrt(K) S since the rows of theta sum to zero.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.design import REFRESH, add_pulls, refresh_scores
from mnlbandits.algorithms.linalg import first_argmax, total
from mnlbandits.algorithms.mle import information, mean_rewards
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.model.kappa import kappa
from mnlbandits.model.softmax import Array, reference_basis


class Reference(NamedTuple):
    """An instance in reference-class coordinates."""

    outcome: int  # c
    basis: Array  # (K, K-1)
    rewards: Array  # rho - rho_c (K,)
    norm_bound: float  # bound on ||beta||_F


class Design(NamedTuple):
    """V = v I + sum x x^T (d, d) and its widths; arrays are changed in place."""

    matrix: Array  # (d, d)
    inverse: Array  # (d, d)
    widths: Array  # (N,) x^T V^-1 x
    scratch: Array  # (d + 1, d)


def reference_of(problem: Problem) -> Reference:
    """The instance relative to its outcome with the smallest reward."""
    outcome = int(np.argmin(problem.rewards))
    rewards = problem.rewards - problem.rewards[outcome]
    return Reference(
        outcome, reference_basis(problem.outcomes, outcome), rewards, math.sqrt(problem.outcomes) * problem.norm_bound
    )


def curvature_bound(problem: Problem) -> float:
    """An upper bound of kappa in reference-class coordinates, the largest 1 / lambda_min of the (K-1, K-1) curvature.

    At logits z it is at most K / lambda_{K-1}(grad mu(z)), since (v, 0) projected on 1^perp keeps at least 1/K of ||v||^2,
    and ||z|| <= sqrt(K) S X in this ball. For two outcomes it is 1 / (p (1 - p)) at the logit sqrt(2) S X.
    """
    largest_logit = reference_of(problem).norm_bound * float(np.linalg.norm(problem.arms, axis=1).max())
    if problem.outcomes == 2:
        return 2 + 2 * math.cosh(largest_logit)
    return problem.outcomes * kappa(problem.outcomes, largest_logit).upper


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
