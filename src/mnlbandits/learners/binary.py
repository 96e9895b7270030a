"""What the online methods for two outcomes share: their state, the index on the logit.

b (d,) is the parameter, s(x^T b) the probability of the better outcome, a hit. W (d, d) gathers s'(x^T b) x x^T; W^-1 and
the widths x^T W^-1 x of all arms follow by rank-one corrections and are recomputed from W every `REFRESH` rounds.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.design import add_pulls, measure_widths, refresh_scores
from mnlbandits.learners.farthest import farthest
from mnlbandits.learners.linalg import first_argmax, first_offered, quadratic_form
from mnlbandits.model.softmax import Array

REFRESH = 512
"""Rounds between two fresh factorisations of W."""


ADDED, PROJECTED = range(2)
"""Entries of a learner's `counters`: additions to W, steps on which the constraint was active."""


class Scratch(NamedTuple):
    """Working memory of the kernels for d features; holds nothing between two calls."""

    lower: Array  # (d + 1, d) Cholesky factor
    shifted: Array  # (d, d) of `solve_in_ball`
    quadratic: Array  # (d, d) Q of the objective b^T Q b/2 - p^T b
    linear: Array  # (d,) p
    direction: Array  # (d,) W^-1 x
    target: Array  # (d,) right side of the linear system
    work: Array  # (d,) of `solve_in_ball`
    along: Array  # (d,) L^-1 x
    across: Array  # (d,) L^-1 b
    difference: Array  # (d,) of two points
    truth: Array  # (d,) b_*


class Learner(NamedTuple):
    """State of a binary online learner in coordinates in which its constraint is a ball around 0; changed in place."""

    arms: Array  # (N, d)
    fresh: bool  # whether every round has arms of its own: then the widths are those of the last choice
    offsets: Array  # (N,): the logit of an arm is offset + x^T b
    b: Array  # current estimate (d,)
    w: Array  # W (d, d)
    inverse: Array  # W^-1 (d, d)
    widths: Array  # x^T W^-1 x (N,)
    radius: Array  # (1,): ||b|| <= radius
    counters: Array  # (2,) see ADDED and PROJECTED
    scratch: Scratch


def make_learner(arms: Array, ridge: float, radius: float, fresh: bool = False) -> Learner:
    """A learner at b = 0, W = ridge I, constrained to the ball ||b|| <= radius; the arms (N, d) are kept, not copied."""
    count, dim = arms.shape
    learner = Learner(
        arms=arms,
        fresh=fresh,
        offsets=np.zeros(count),
        b=np.zeros(dim),
        w=ridge * np.eye(dim),
        inverse=np.zeros((dim, dim)),
        widths=np.zeros(count),
        radius=np.array([float(radius)]),
        counters=np.zeros(2),
        scratch=Scratch(np.zeros((dim + 1, dim)), *np.zeros((2, dim, dim)), *np.zeros((8, dim))),
    )
    refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.scratch.lower)
    return learner


def binary_bounds(problem: Problem) -> tuple[float, float]:
    """S_b, a bound on the norm of b = theta_1 - theta_2, and S_b X, one on all logits."""
    return problem.binary_bound, problem.binary_bound * problem.longest


def largest_inverse_slope(largest_logit: float) -> float:
    """kappa_b = 2 + 2 cosh(S_b X), the largest 1/s' up to that logit; infinite if it is no floating-point number."""
    return 2 + 2 * math.cosh(largest_logit) if largest_logit < 700 else math.inf


def better_outcome(problem: Problem) -> int:
    """The outcome that is not the first one with the smallest reward."""
    return 1 - int(np.argmin(problem.rewards))


@kernel
def logit(learner, arm, b):
    """The logit of an arm at b (d,)."""
    z = learner.offsets[arm]
    for j in range(len(b)):
        z += learner.arms[arm, j] * b[j]
    return z


@kernel
def look(learner):
    """The widths of the arms of this round."""
    measure_widths(learner.arms, learner.inverse, learner.widths)


@kernel
def optimistic_logit(learner, radius, scores, offered=None, complement=None):
    """argmax of x^T b + radius ||x||_{W^-1}, with the index of all arms into `scores` (N,).

    Among all arms, or among those with `offered` (N,); with a `complement` on a sphere or ball, see `farthest_logit`.
    """
    if complement is not None:
        return farthest_logit(learner, radius, scores, complement)
    if learner.fresh:
        look(learner)
    for n in range(len(scores)):
        scores[n] = logit(learner, n, learner.b) + radius * math.sqrt(max(0.0, learner.widths[n]))
    return first_argmax(scores) if offered is None else first_offered(scores, offered)


@rare_kernel
def farthest_logit(learner, radius, scores, complement):
    """The best vector of the sphere or ball becomes arm 0."""
    bound = farthest(learner.b, learner.inverse, radius, False, learner.arms[0], complement)
    look(learner)
    scores[0] = logit(learner, 0, learner.b) + radius * math.sqrt(max(0.0, learner.widths[0]))
    complement.certificate[0] = max(0.0, bound - scores[0])
    return 0


@kernel
def add_curvature(learner, arm, weight):
    """W += weight x x^T, with W^-1 and the widths."""
    add_pulls(learner.arms, 1.0, arm, weight, learner.w, learner.widths, learner.inverse, learner.scratch.lower)
    learner.counters[ADDED] += 1.0
    if learner.counters[ADDED] % REFRESH == 0.0:
        refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.scratch.lower)


@kernel
def distance_squared(learner, left, right):
    """||left - right||_W^2."""
    difference = learner.scratch.difference
    for i in range(len(left)):
        difference[i] = left[i] - right[i]
    return quadratic_form(learner.w, difference)


@kernel
def distance_to_truth(learner, better, theta):
    """||b - b_*||_W for the b_* of theta (2, d)."""
    truth = learner.scratch.truth
    for j in range(len(truth)):
        truth[j] = theta[better, j] - theta[1 - better, j]
    return math.sqrt(distance_squared(learner, truth, learner.b))
