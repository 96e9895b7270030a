"""Maximum likelihood and the design matrix V for the bonus methods of the binary rows of Table 1, compiled.

Two outcomes, and phi (1, d) = b, the row of the better outcome minus that of the worse one: P(better) = s(x^T b) with the
sigmoid s. ||b|| <= S_b. The penalised loss is F(b) = L(b) + lambda/2 ||b||^2 with the Hessian H(b), and
g(b) = sum s(x^T b) x + lambda b. As grad F vanishes at the unconstrained estimate bhat, g(b) - g(bhat) = grad F(b).

The published methods move bhat to argmin ||g(b) - g(bhat)|| over the ball, in some norm: not a convex problem, and only one
if bhat is outside. Here the estimate is argmin F over the ball, which is bhat if that is inside. The proofs ask of the
estimate only that it is in the ball and that the norm is at most the radius; the rounds in which it had to be moved, and
those in which it then failed this test, are counted.

V = kappa_b lambda I + sum x x^T is held as V/kappa_b, which is a floating-point number where kappa_b is not.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import binary_bounds, largest_inverse_slope
from mnlbandits.learners.data import Data, evaluate, make_data, record, record_many
from mnlbandits.learners.design import add_pulls, measure_widths, refresh_scores
from mnlbandits.learners.farthest import farthest
from mnlbandits.learners.linalg import add_outer, cholesky, cut_by_ball, quadratic_form, total
from mnlbandits.learners.mle import information, mean_rewards, minimise
from mnlbandits.learners.reference import norm
from mnlbandits.model.softmax import Array, reference_basis

REFRESH = 1024
"""Rounds between two inversions of V/kappa_b; in between its inverse is updated by Sherman-Morrison."""


PULLS, MOVED, FAILED = 0, 1, 2
"""Entries of `counters`."""


class BinaryMle(NamedTuple):
    """Data, estimate and design of a binary method; arrays are changed in place."""

    data: Data
    fresh: bool  # whether every round has arms of its own: then the widths are those of the last choice
    b: Array  # (1, d) argmin of F over the ball
    rewards: Array  # rho - min rho (2,)
    spread: float  # rho of the better outcome minus rho of the worse one
    better: int
    ridge: float  # lambda
    norm_bound: float  # S_b
    kappa: float  # kappa_b, the largest 1/s' in the ball
    delta: float
    gram: Array  # (d, d) sum x x^T
    design: Array  # (d, d) V/kappa_b = lambda I + sum x x^T/kappa_b
    inverse: Array  # (d, d)
    widths: Array  # (N,) kappa_b x^T V^-1 x
    scores: Array  # (N,) the index of every arm at the last choice, in units of reward
    counters: Array  # (3,) int64: rounds, estimates moved into the ball, moved ones that fail the test of the proof
    tilt: Array  # (d,) zeros
    truth: Array  # (1, d)
    lower: Array  # (d + 1, d) working memory of the inversion


def make_binary(problem: Problem, data: str, ridge: float) -> BinaryMle:
    """No observations yet; `data` is one of the choices of `base.DATA`."""
    dim, worse = problem.dim, int(np.argmin(problem.rewards))
    bound, largest = binary_bounds(problem)
    return BinaryMle(
        data=make_data(problem, reference_basis(2, worse), data),
        fresh=problem.fresh,
        b=np.zeros((1, dim)),
        rewards=problem.relative_rewards,
        spread=float(problem.rewards[1 - worse] - problem.rewards[worse]),
        better=1 - worse,
        ridge=ridge,
        norm_bound=bound,
        kappa=largest_inverse_slope(largest),
        delta=problem.delta,
        gram=np.zeros((dim, dim)),
        design=ridge * np.eye(dim),
        inverse=np.eye(dim) / ridge,
        widths=np.sum(problem.arms**2, axis=1) / ridge,
        scores=np.zeros(len(problem.arms)),
        counters=np.zeros(3, dtype=np.int64),
        tilt=np.zeros(dim),
        truth=np.zeros((1, dim)),
        lower=np.zeros((dim + 1, dim)),
    )


@kernel
def look(learner):
    """The widths of the arms of this round."""
    measure_widths(learner.data.arms, learner.inverse, learner.widths)


@kernel
def observe(learner, arm, outcome):
    """Add an observation to the data and to V, and fit b; the multiplier of the ball, 0 if it was not needed."""
    arms = learner.data.arms
    record(learner.data, arm, outcome)
    add_outer(learner.gram, 1.0, arms[arm])
    add_pulls(arms, learner.kappa, arm, 1.0, learner.design, learner.widths, learner.inverse, learner.lower)
    learner.counters[PULLS] += 1
    if learner.counters[PULLS] % REFRESH == 0:
        refresh_scores(arms, learner.design, learner.widths, learner.inverse, learner.lower)
    multiplier = minimise(learner.data, learner.ridge, learner.tilt, learner.norm_bound, learner.b)
    if multiplier > 0.0:
        learner.counters[MOVED] += 1
    return multiplier


@kernel
def observe_many(learner, arm, counts):
    """`observe` for many rounds of an arm at once."""
    pulls, arms = total(counts), learner.data.arms
    record_many(learner.data, arm, counts)
    add_outer(learner.gram, pulls, arms[arm])
    add_pulls(arms, learner.kappa, arm, pulls, learner.design, learner.widths, learner.inverse, learner.lower)
    refresh_scores(arms, learner.design, learner.widths, learner.inverse, learner.lower)
    return minimise(learner.data, learner.ridge, learner.tilt, learner.norm_bound, learner.b)


@kernel
def gain(state, arm):
    """Relative growth of V or of the Hessian at the estimate, whichever is larger, by one pull."""
    learner = state.learner
    return max(learner.widths[arm] / learner.kappa, information(learner.data, learner.ridge, learner.b, arm))


@rare_kernel
def penalised(data, ridge, b):
    """grad F(b) = g(b) - g(bhat) into `data.gradient` (d,) and H(b) into `data.hessian` (d, d), for b (1, d)."""
    evaluate(data, b)
    for i in range(b.shape[1]):
        data.gradient[i] += ridge * b[0, i]
        data.hessian[i, i] += ridge


@kernel
def inverse_norm(matrix, vector, lower):
    """||v||_{M^-1} of v (n,) for a positive definite M (n, n); `lower` (n, n) is scratch."""
    cholesky(matrix, lower)
    total = 0.0
    for i in range(len(vector)):
        entry = vector[i]
        for k in range(i):
            entry -= lower[i, k] * vector[k]
        vector[i] = entry / lower[i, i]
        total += vector[i] * vector[i]
    return math.sqrt(total)


@kernel
def local_distance(learner, b):
    """||g(b) - g(bhat)||_{H(b)^-1}, for b (1, d)."""
    penalised(learner.data, learner.ridge, b)
    return inverse_norm(learner.data.hessian, learner.data.gradient, learner.data.lower)


@kernel
def global_distance(learner, b):
    """sqrt(kappa_b) ||g(b) - g(bhat)||_{V^-1}, for b (1, d)."""
    penalised(learner.data, learner.ridge, b)
    return math.sqrt(quadratic_form(learner.inverse, learner.data.gradient))


@kernel
def set_truth(learner, theta):
    """b of theta (2, d) into `learner.truth` (1, d)."""
    for j in range(theta.shape[1]):
        learner.truth[0, j] = theta[learner.better, j] - theta[1 - learner.better, j]


@kernel
def cut(learner, ratio):
    """The ratio of `learner.truth` to a set with this ratio that is cut by the ball ||b|| <= S_b."""
    return cut_by_ball(ratio, norm(learner.truth), learner.norm_bound)


@kernel
def add_bonus(learner, factor, complement=None):
    """scores = rho^T mu + spread factor sqrt(kappa_b) ||x||_{V^-1} of every arm, at the estimate b.

    With a `complement` the best vector of the sphere or ball becomes arm 0.
    """
    bound = 0.0
    if complement is not None:
        bound = farthest(learner.b[0], learner.inverse, factor, True, learner.data.arms[0], complement)
    if learner.fresh:
        look(learner)
    scores = learner.scores
    mean_rewards(learner.data, learner.rewards, learner.b, scores)
    for n in range(len(scores)):
        scores[n] += learner.spread * factor * math.sqrt(max(0.0, learner.widths[n]))
    if complement is not None:
        complement.certificate[0] = max(0.0, learner.spread * bound - scores[0])
