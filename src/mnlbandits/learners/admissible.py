"""The admissible estimate of Logistic-UCB-2's surrogate, by an interior-point method."""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import rare_kernel
from mnlbandits.learners.binary_mle import penalised
from mnlbandits.learners.linalg import cholesky, solve_cholesky
from mnlbandits.model.softmax import Array


class InteriorPoint(NamedTuple):
    """Working memory of the method for the constraints of M rows of the data, then the ball's."""

    weight: Array  # (M + 1,) multipliers
    slack: Array  # (M + 1,)
    value: Array  # (M + 1,) of the constraints, then the steps of their slacks


def make_interior_point(count: int) -> InteriorPoint:
    """Fresh working memory for that many rows."""
    return InteriorPoint(*np.zeros((3, count + 1)))


@rare_kernel
def admissible(data, limits, b):
    """Whether |x^T b| is within the limit of every row of the data, for b (1, d)."""
    for n in range(data.used[0]):
        logit = 0.0
        for j in range(b.shape[1]):
            logit += data.features[j, n] * b[0, j]
        if abs(logit) > limits[n]:
            return False
    return True


@rare_kernel
def admissible_estimate(data, ridge, limits, bound, b, point):
    """Minimise F over {||b|| <= bound, |x^T b| <= limit of every row}, in place from `b` (1, d).

    Primal-dual interior point: constraints c = (x^T b / limit)^2 - 1 and ||b / bound||^2 - 1 with c + slack = 0, slack > 0
    and multiplier > 0; Newton's method for slack x multiplier = a tenth of their mean, with steps that keep both positive
    and are damped as in `minimise`. It stops when the step is below 1e-8 standard errors, or no longer decreases (rounding):
    late steps are as large as the slacks, which shrink tenfold each time.

    Parameters
    ----------
    limits : (M,) > 0, may be infinite. point : working memory.
    """
    features, dim, count = data.features, b.shape[1], data.used[0]
    weight, slack, value = point.weight, point.slack, point.value
    step, normal, matrix = data.scratch.step, data.scratch.normal, data.shifted
    previous, used = math.inf, 0
    for n in range(count + 1):
        weight[n], slack[n] = 1.0, 1.0
        if n == count or limits[n] < math.inf:
            used += 1
    for _ in range(200):
        penalised(data, ridge, b)
        mean = 0.0
        for n in range(count + 1):
            if n == count or limits[n] < math.inf:
                mean += weight[n] * slack[n] / used
        aim = 0.1 * mean
        for i in range(dim):
            step[i] = -data.gradient[i]
            for j in range(dim):
                matrix[i, j] = data.hessian[i, j]
        for n in range(count + 1):
            scale = bound if n == count else limits[n]
            if scale == math.inf:
                continue
            value[n] = -1.0
            if n == count:
                for j in range(dim):
                    value[n] += (b[0, j] / scale) ** 2
                    normal[j] = 2.0 * b[0, j] / scale**2
                    matrix[j, j] += 2.0 * weight[n] / scale**2
            else:
                logit = 0.0
                for j in range(dim):
                    logit += features[j, n] * b[0, j] / scale
                value[n] += logit**2
                for i in range(dim):
                    normal[i] = 2.0 * logit * features[i, n] / scale
                    for j in range(dim):
                        matrix[i, j] += 2.0 * weight[n] * features[i, n] * features[j, n] / scale**2
            pull = weight[n] + (aim + weight[n] * value[n]) / slack[n]
            for i in range(dim):
                step[i] -= pull * normal[i]
                for j in range(dim):
                    matrix[i, j] += weight[n] / slack[n] * normal[i] * normal[j]
        cholesky(matrix, data.lower)
        solve_cholesky(data.lower, step)
        length, decrement = 0.0, 0.0
        for i in range(dim):
            length += step[i] * step[i]
            for j in range(dim):
                decrement += step[i] * data.hessian[i, j] * step[j]
        reach = math.sqrt(6.0 * length)
        share = math.log1p(reach) / reach if reach > 0.0 else 1.0
        for n in range(count + 1):  # `value` becomes the step of the slack
            scale = bound if n == count else limits[n]
            if scale == math.inf:
                continue
            along = 0.0
            if n == count:
                for j in range(dim):
                    along += 2.0 * b[0, j] * step[j] / scale**2
            else:
                logit, change = 0.0, 0.0
                for j in range(dim):
                    logit += features[j, n] * b[0, j] / scale
                    change += features[j, n] * step[j] / scale
                along = 2.0 * logit * change
            value[n] = -(value[n] + slack[n]) - along
            turn = aim / slack[n] - weight[n] - weight[n] / slack[n] * value[n]
            if value[n] < 0.0:
                share = min(share, -0.99 * slack[n] / value[n])
            if turn < 0.0:
                share = min(share, -0.99 * weight[n] / turn)
        for n in range(count + 1):
            if n == count or limits[n] < math.inf:
                turn = aim / slack[n] - weight[n] - weight[n] / slack[n] * value[n]
                slack[n] += share * value[n]
                weight[n] += share * turn
        for j in range(dim):
            b[0, j] += share * step[j]
        if mean < 1e-4 and (decrement < 1e-16 or (decrement < 1e-12 and decrement >= previous)):
            return
        previous = decrement
