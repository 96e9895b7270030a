"""What the online methods for two outcomes share: their state, the implicit step, the index on the logit.

b (d,) is the parameter, s(x^T b) the probability of the better outcome, a hit. W (d, d) gathers s'(x^T b) x x^T; W^-1 and
the widths x^T W^-1 x of all arms follow by rank-one corrections and are recomputed from W every `REFRESH` rounds.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.design import add_pulls, refresh_scores
from mnlbandits.algorithms.linalg import first_argmax, quadratic_form, solve_in_ball
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array

REFRESH = 512
"""Rounds between two fresh factorisations of W."""


class Learner(NamedTuple):
    """State of a binary online learner in coordinates in which its constraint is a ball around 0; changed in place."""

    arms: Array  # (N, d)
    offsets: Array  # (N,): the logit of an arm is offset + x^T b
    b: Array  # current estimate (d,)
    w: Array  # W (d, d)
    inverse: Array  # W^-1 (d, d)
    widths: Array  # x^T W^-1 x (N,)
    radius: Array  # (1,): ||b|| <= radius
    counters: Array  # (2,) additions to W, steps on which the constraint was active
    matrices: Array  # (4, d + 1, d) working memory
    vectors: Array  # (6, d) working memory


def make_learner(arms: Array, ridge: float, radius: float) -> Learner:
    """A learner at b = 0, W = ridge I, constrained to the ball ||b|| <= radius."""
    count, dim = arms.shape
    learner = Learner(
        arms=np.ascontiguousarray(arms).copy(),
        offsets=np.zeros(count),
        b=np.zeros(dim),
        w=ridge * np.eye(dim),
        inverse=np.zeros((dim, dim)),
        widths=np.zeros(count),
        radius=np.array([float(radius)]),
        counters=np.zeros(2),
        matrices=np.zeros((4, dim + 1, dim)),
        vectors=np.zeros((6, dim)),
    )
    refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.matrices[0])
    return learner


def binary_bounds(problem: Problem) -> tuple[float, float]:
    """S_b = sqrt(2) S, a bound on the norm of b = theta_1 - theta_2, and S_b X, one on all logits."""
    bound = math.sqrt(2) * problem.norm_bound
    return bound, bound * float(np.linalg.norm(problem.arms, axis=1).max())


def better_outcome(problem: Problem) -> int:
    """The outcome that is not the first one with the smallest reward."""
    return 1 - int(np.argmin(problem.rewards))


@kernel
def sigmoid(z):
    """s(z) = 1/(1 + exp(-z))."""
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    e = math.exp(z)
    return e / (1.0 + e)


@kernel
def curvature(z):
    """s'(z)."""
    p = sigmoid(z)
    return p * (1.0 - p)


@kernel
def log_loss(z, hit):
    """-log of the probability of the outcome at logit z; `hit` is 1 for the better outcome, else 0."""
    wrong = -z if hit > 0.0 else z
    return max(wrong, 0.0) + math.log1p(math.exp(-abs(z)))


@kernel
def logit(learner, arm, b):
    """The logit of an arm at b (d,)."""
    z = learner.offsets[arm]
    for j in range(len(b)):
        z += learner.arms[arm, j] * b[j]
    return z


@kernel
def optimistic_logit(learner, radius, scores):
    """argmax of x^T b + radius ||x||_{W^-1}, with the index of all arms into `scores` (N,)."""
    for n in range(len(scores)):
        scores[n] = logit(learner, n, learner.b) + radius * math.sqrt(max(0.0, learner.widths[n]))
    return first_argmax(scores)


@kernel
def add_curvature(learner, arm, weight):
    """W += weight x x^T, with W^-1 and the widths."""
    add_pulls(learner.arms, 1.0, arm, weight, learner.w, learner.widths, learner.inverse, learner.matrices[0])
    learner.counters[0] += 1.0
    if learner.counters[0] % REFRESH == 0.0:
        refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.matrices[0])


@kernel
def distance_squared(learner, left, right):
    """||left - right||_W^2."""
    difference = learner.vectors[1]
    for i in range(len(left)):
        difference[i] = left[i] - right[i]
    return quadratic_form(learner.w, difference)


@kernel
def distance_to_truth(learner, better, theta):
    """||b - b_*||_W for the b_* of theta (2, d)."""
    truth = learner.vectors[0]
    for j in range(len(truth)):
        truth[j] = theta[better, j] - theta[1 - better, j]
    return math.sqrt(distance_squared(learner, truth, learner.b))


@kernel
def implicit_residual(z, reach, copies, hits):
    """copies s(v) - hits at the root v of v = z - reach (copies s(v) - hits), by Newton's method between brackets.

    The slope of the equation changes by a factor e^|step| at most along a step, so after one below 1e-8 the root is exact.
    """
    residual = copies * sigmoid(z) - hits
    v, low, high = z, z - reach * max(residual, 0.0), z - reach * min(residual, 0.0)
    for _ in range(100):
        p = sigmoid(v)
        residual = copies * p - hits
        excess = v - z + reach * residual
        if excess > 0.0:
            high = v
        else:
            low = v
        step = excess / (1.0 + reach * copies * p * (1.0 - p))
        if abs(step) <= 1e-8:
            v -= step
            break
        v = v - step if low < v - step < high else 0.5 * (low + high)
    return copies * sigmoid(v) - hits


@kernel
def implicit_step(learner, arm, weight, copies, hits, out):
    """Minimise weight ||b - b_t||_W^2 + copies log(1 + e^z) - hits z over the ball, z the logit of `arm`, into `out` (d,).

    One outcome has copies = 1 and hits = 0 or 1; the sum of the losses of both has copies = 2, hits = 1. Without the
    constraint b = b_t - r/(2 weight) W^-1 x with a scalar r, the residual.

    Returns
    -------
    Whether the constraint is active.
    """
    x, direction, dim = learner.arms[arm], learner.vectors[0], len(learner.b)
    reach = 0.0
    for i in range(dim):
        direction[i] = 0.0
        for j in range(dim):
            direction[i] += learner.inverse[i, j] * x[j]
        reach += direction[i] * x[i]
    half = 0.5 / weight
    shift = half * implicit_residual(logit(learner, arm, learner.b), half * reach, copies, hits)
    square = 0.0
    for i in range(dim):
        out[i] = learner.b[i] - shift * direction[i]
        square += out[i] * out[i]
    if square <= learner.radius[0] ** 2:
        return False
    quadratic, linear = learner.matrices[1, :dim], learner.vectors[1]
    for i in range(dim):
        linear[i] = 0.0
        for j in range(dim):
            quadratic[i, j] = 2.0 * weight * learner.w[i, j]
            linear[i] += quadratic[i, j] * learner.b[j]
    implicit_in_ball(learner, quadratic, linear, arm, copies, hits, out)
    return True


@rare_kernel
def implicit_in_ball(learner, quadratic, linear, arm, copies, hits, out):
    """Minimise b^T Q b/2 - p^T b + copies log(1 + e^z) - hits z over the ball, z the logit of `arm`, into `out` (d,).

    For a fixed residual r in place of copies s(z) - hits the loss is r z and `solve_in_ball` gives b(r), whose logit falls
    with r: Newton's method for r = copies s(z(r)) - hits between brackets. With M = Q + nu I, the slope of z(r) is
    -x^T M^-1 x, within the tangent plane of the sphere if the constraint is active.
    """
    x, dim = learner.arms[arm], len(out)
    shifted, lower = learner.matrices[2, :dim], learner.matrices[3, :dim]
    target, work, along, across = learner.vectors[2], learner.vectors[3], learner.vectors[4], learner.vectors[5]
    residual, low, high, previous = copies * sigmoid(logit(learner, arm, out)) - hits, -hits, copies - hits, math.inf
    for _ in range(100):
        for i in range(dim):
            target[i] = linear[i] - residual * x[i]
        nu = solve_in_ball(quadratic, target, learner.radius[0], out, shifted, lower, work)
        rate, mixed, square = 0.0, 0.0, 0.0
        for i in range(dim):  # L^-1 x and L^-1 b, M = L L^T
            along[i], across[i] = x[i], out[i]
            for k in range(i):
                along[i] -= lower[i, k] * along[k]
                across[i] -= lower[i, k] * across[k]
            along[i] /= lower[i, i]
            across[i] /= lower[i, i]
            rate += along[i] * along[i]
            mixed += along[i] * across[i]
            square += across[i] * across[i]
        if nu > 0.0:
            rate = max(0.0, rate - mixed * mixed / square)
        p = sigmoid(logit(learner, arm, out))
        excess = residual - (copies * p - hits)
        if excess > 0.0:
            high = residual
        else:
            low = residual
        step = excess / (1.0 + copies * p * (1.0 - p) * rate)
        if abs(step) <= 1e-15 or (abs(step) <= 1e-10 and abs(step) >= previous):
            break
        residual = residual - step if low < residual - step < high else 0.5 * (low + high)
        previous = abs(step)
