"""Ascents of the optimistic reward on the sphere or in the ball."""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.eigen import symmetric_eigen
from mnlbandits.learners.expansion import LARGEST, MEAN, NORM, TINY, bonus, expand, measure_index, point_of
from mnlbandits.learners.farthest import farthest
from mnlbandits.learners.search import BEST, TRIAL


@kernel
def rise(logits, rewards, point, other, bounds):
    """F(other) - F(point), to the accuracy that their distance allows."""
    mean, total, change, largest = point.values[MEAN], 0.0, 0.0, 0.0
    for k in range(len(rewards)):
        h = 0.0
        for j in range(len(point.x)):
            h += logits[k, j] * (other.x[j] - point.x[j])
        largest = max(largest, abs(h))
        grown = math.expm1(h)
        change += point.p[k] * (rewards[k] - mean) * grown
        total += point.p[k] * grown
    change = change / (1.0 + total) if largest <= 1.0 else other.values[MEAN] - mean
    change += bounds.sigma * (other.values[NORM] - point.values[NORM])
    return change + bounds.second_order * (other.values[LARGEST] - point.values[LARGEST])


@rare_kernel
def linearise(search, bounds, x):
    """The maximiser of grad m^T x + b ||x||_N into `x`, N (d, d) and b from the bonus at the best point."""
    free, dim = search.model.phi.shape
    best, matrix, inverse = point_of(search.points, BEST), search.matrix, search.model.inverse
    part = bounds.sigma / best.values[NORM] if best.values[NORM] > TINY else 0.0
    square = 0.0
    for i in range(dim):
        for j in range(dim):
            matrix[i, j] = 2.0 * bounds.second_order * best.widest[i, j]
            for a in range(free):
                for b in range(free):
                    matrix[i, j] += part * best.r[a] * inverse[a * dim + i, b * dim + j] * best.r[b]
            square += best.x[i] * matrix[i, j] * best.x[j]
    width = bonus(best, bounds.sigma, bounds.second_order)
    farthest(best.gradient, matrix, width / math.sqrt(square) if square > 0.0 else 0.0, False, x, search.complement)


@rare_kernel
def climb(search, bounds, x, point):
    """A local maximiser of the index from `x` (d,), by Newton's method with steps that rise, into `x` and `point`."""
    dim, scratch, trial, direction = len(x), search.scratch, point_of(search.points, TRIAL), search.vectors[0]
    expand(search.model, x, point, scratch)
    for _ in range(60):
        gain = newton(point, bounds, search.ball, scratch, direction)
        scale = bonus(point, bounds.sigma, bounds.second_order) + abs(point.values[MEAN]) * 1e-8
        if gain <= 1e-13 * scale:
            return
        length, risen = 1.0, False
        for _ in range(40):
            norm = 0.0
            for j in range(dim):
                x[j] = point.x[j] + length * direction[j]
                norm += x[j] * x[j]
            if not search.ball or norm > 1.0:
                for j in range(dim):
                    x[j] /= math.sqrt(norm)
            measure_index(search.model, x, trial, scratch)
            if rise(search.logits, search.model.rewards, point, trial, bounds) > 0.0:
                risen = True
                break
            length *= 0.5
        if not risen:
            for j in range(dim):
                x[j] = point.x[j]
            return
        expand(search.model, x, point, scratch)


@kernel
def newton(point, bounds, ball, scratch, direction):
    """The step, at most 1/2 long, into `direction` (d,), and about what it gains: in the tangent plane or in R^d."""
    x, line, bend, root, image = point.x, scratch.line, scratch.bend, scratch.root, scratch.image
    dim, norm = len(x), point.values[NORM]
    part = bounds.sigma / norm if norm > TINY else 0.0
    along, length, radial = 0.0, 0.0, 0.0
    for i in range(dim):
        line[i] = point.gradient[i] + part * point.slope[i]
        image[i] = 0.0
        for j in range(dim):
            line[i] += 2.0 * bounds.second_order * point.widest[i, j] * x[j]
            bend[i, j] = point.hessian[i, j] + 2.0 * bounds.second_order * point.widest[i, j]
            if norm > TINY:
                bend[i, j] += part * (point.square[i, j] - point.slope[i] * point.slope[j] / (norm * norm))
            image[i] += bend[i, j] * x[j]
        along += line[i] * x[i]
        length += x[i] * x[i]
        radial += image[i] * x[i]
    if not ball or (length >= 1.0 - 1e-14 and along >= 0.0):
        for i in range(dim):
            line[i] -= along * x[i]
            for j in range(dim):
                bend[i, j] += radial * x[i] * x[j] - x[i] * image[j] - image[i] * x[j] - (along if i == j else 0.0)
    symmetric_eigen(bend, root)
    largest = 0.0
    for i in range(dim):
        largest = max(largest, abs(bend[i, i]))
        direction[i] = 0.0
    if largest == 0.0:
        return 0.0
    for i in range(dim):
        product = 0.0
        for j in range(dim):
            product += root[j, i] * line[j]
        for j in range(dim):
            direction[j] += root[j, i] * product / max(abs(bend[i, i]), 1e-9 * largest)
    square, gain = 0.0, 0.0
    for i in range(dim):
        square += direction[i] * direction[i]
        gain += 0.5 * direction[i] * line[i]
    if square > 0.25:
        for i in range(dim):
            direction[i] *= 0.5 / math.sqrt(square)
        gain *= 0.5 / math.sqrt(square)
    return gain
