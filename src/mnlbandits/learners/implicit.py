"""The implicit online step for two outcomes, argmin of weight ||b - b_t||^2_W + loss in a ball, by one scalar equation."""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.binary import logit
from mnlbandits.learners.linalg import solve_in_ball
from mnlbandits.learners.sigmoid import sigmoid


@kernel
def implicit_residual(z, reach, copies, hits):
    """copies s(v) - hits at the root v of v = z - reach (copies s(v) - hits), by Newton's method between brackets.

    The slope of the equation changes by a factor e^|step| at most along a step: after one below 1e-8 the residual is exact.
    """
    p = sigmoid(z)
    residual = copies * p - hits
    v, low, high = z, z - reach * max(residual, 0.0), z - reach * min(residual, 0.0)
    for _ in range(100):
        excess = v - z + reach * residual
        if excess > 0.0:
            high = v
        else:
            low = v
        slope = copies * p * (1.0 - p)
        step = excess / (1.0 + reach * slope)
        if abs(step) <= 1e-8:
            return residual - slope * step
        v = v - step if low < v - step < high else 0.5 * (low + high)
        p = sigmoid(v)
        residual = copies * p - hits
    return residual


@kernel
def implicit_step(learner, arm, weight, copies, hits, out):
    """Minimise weight ||b - b_t||_W^2 + copies log(1 + e^z) - hits z over the ball, z the logit of `arm`, into `out` (d,).

    One outcome has copies = 1 and hits = 0 or 1; the sum of the losses of both has copies = 2, hits = 1. Without the
    constraint b = b_t - r/(2 weight) W^-1 x with a scalar r, the residual.

    Returns
    -------
    Whether the constraint is active.
    """
    x, direction, dim = learner.arms[arm], learner.scratch.direction, len(learner.b)
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
    quadratic, linear = learner.scratch.quadratic, learner.scratch.linear
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
    x, dim, scratch = learner.arms[arm], len(out), learner.scratch
    shifted, lower, target, work = scratch.shifted, scratch.lower, scratch.target, scratch.work
    along, across = scratch.along, scratch.across
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
