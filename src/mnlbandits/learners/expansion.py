"""The optimistic reward F around a vector: what `majorant` says of it, its derivatives and the spectrum of its block."""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.eigen import symmetric_eigen
from mnlbandits.learners.likelihood import curvature, probabilities
from mnlbandits.model.softmax import Array

TINY = 1e-150
"""A norm below counts as 0: its square is no floating-point number."""


MEAN, NORM, LARGEST, SECOND, ALONG, ACROSS = range(6)
"""Entries of a point's `values`: m, ||g||, lambda_1, lambda_2, ||T phi c||, and the norm of T phi on the complement of c."""


class Model(NamedTuple):
    """What F is made of: arrays that a `learner` changes in place, for K outcomes and d features, D = (K-1) d."""

    basis: Array  # C (K, K-1)
    rewards: Array  # rho (K,)
    phi: Array  # theta = C phi, phi (K-1, d)
    w: Array  # W (D, D)
    inverse: Array  # W^-1 (D, D)


class Point(NamedTuple):
    """F around a point; arrays are changed in place."""

    x: Array  # c (d,)
    p: Array  # mu(theta c) (K,)
    r: Array  # (K-1,)
    third: Array  # T (K-1, K-1)
    values: Array  # (6,) see MEAN ... ACROSS
    gradient: Array  # grad m (d,)
    hessian: Array  # hess m (d, d)
    variance: Array  # (d, d): Var(h) is its quadratic form
    slope: Array  # J^T g (d,)
    square: Array  # J^T J (d, d)
    widest: Array  # M (d, d)


class Scratch(NamedTuple):
    """Working memory; holds nothing between two calls."""

    g: Array  # (K-1, K-1) covariance of C
    block: Array  # B(c) (K-1, K-1)
    eigen: Array  # (K-1, K-1)
    vectors: Array  # (K-1, K-1)
    columns: Array  # W^-1 (I (x) c) (D, K-1)
    turned: Array  # T phi (K-1, d)
    mixed: Array  # (d, K-1)
    line: Array  # l (d,)
    bend: Array  # Q (d, d)
    root: Array  # (d, d)
    image: Array  # Q c (d,)


def make_points(count: int, outcomes: int, dim: int) -> Point:
    """`count` points without content, one along the first axis of every array."""
    free, square = outcomes - 1, (dim, dim)
    shapes = [(dim,), (outcomes,), (free,), (free, free), (6,), (dim,), square, square, (dim,), square, square]
    return Point(*(np.zeros((count, *shape)) for shape in shapes))


@kernel
def point_of(points, n):
    """The n-th of `points`."""
    return Point(
        points.x[n],
        points.p[n],
        points.r[n],
        points.third[n],
        points.values[n],
        points.gradient[n],
        points.hessian[n],
        points.variance[n],
        points.slope[n],
        points.square[n],
        points.widest[n],
    )


def make_scratch(outcomes: int, dim: int) -> Scratch:
    """Fresh working memory."""
    free = outcomes - 1
    shapes = [*[(free, free)] * 4, (free * dim, free), (free, dim), (dim, free), (dim,), *[(dim, dim)] * 2, (dim,)]
    return Scratch(*(np.zeros(shape) for shape in shapes))


@rare_kernel
def expand(model, x, point, scratch):
    """F around x (d,) into `point`."""
    free, dim = model.phi.shape
    r, third, p, values = point.r, point.third, point.p, point.values
    measure_index(model, x, point, scratch)
    mean = values[MEAN]
    curvature(model.basis, p, scratch.g)
    for a in range(free):
        for b in range(a + 1):
            third[a, b] = 0.0
    for a in range(free):
        average_a = 0.0
        for k in range(len(p)):
            average_a += p[k] * model.basis[k, a]
        for b in range(a + 1):
            average_b = 0.0
            for k in range(len(p)):
                average_b += p[k] * model.basis[k, b]
            for k in range(len(p)):
                centred = (model.basis[k, a] - average_a) * (model.basis[k, b] - average_b)
                third[a, b] += p[k] * (model.rewards[k] - mean) * centred
            third[b, a] = third[a, b]
    turned, columns, mixed = scratch.turned, scratch.columns, scratch.mixed
    for a in range(free):
        for j in range(dim):
            turned[a, j] = 0.0
            for b in range(free):
                turned[a, j] += third[a, b] * model.phi[b, j]
    for i in range(dim):
        for b in range(free):
            mixed[i, b] = 0.0
            for a in range(free):
                mixed[i, b] += r[a] * columns[a * dim + i, b]
    top, vectors = largest_of(scratch), scratch.vectors
    measure_turned(x, turned, values)
    for i in range(dim):
        point.gradient[i] = 0.0
        point.slope[i] = 0.0
        for a in range(free):
            point.gradient[i] += model.phi[a, i] * r[a]
            point.slope[i] += mixed[i, a] * r[a]
            for b in range(free):
                point.slope[i] += turned[a, i] * scratch.block[a, b] * r[b]
        for j in range(dim):
            bend, spread, square, widest = 0.0, 0.0, 0.0, 0.0
            for a in range(free):
                bend += model.phi[a, i] * turned[a, j]
                square += mixed[i, a] * turned[a, j] + mixed[j, a] * turned[a, i]
                for b in range(free):
                    entry = model.inverse[a * dim + i, b * dim + j]
                    spread += model.phi[a, i] * scratch.g[a, b] * model.phi[b, j]
                    square += r[a] * entry * r[b] + turned[a, i] * scratch.block[a, b] * turned[b, j]
                    widest += vectors[a, top] * entry * vectors[b, top]
            point.hessian[i, j], point.variance[i, j], point.square[i, j], point.widest[i, j] = bend, spread, square, widest


@kernel
def measure_turned(x, turned, values):
    """The norms of T phi along x (d,) and across it."""
    length, square, along = 0.0, 0.0, 0.0
    for j in range(len(x)):
        length += x[j] * x[j]
    for a in range(len(turned)):
        product = 0.0
        for j in range(len(x)):
            product += turned[a, j] * x[j]
            square += turned[a, j] * turned[a, j]
        along += product * product
    if length > 0.0:
        along /= length
    values[ALONG], values[ACROSS] = math.sqrt(along), math.sqrt(max(0.0, square - along))


@kernel
def measure_index(model, x, point, scratch):
    """x, p, r and the values but the last one of a point, and all that the scratch knows of B(x)."""
    (outcomes, free), dim = model.basis.shape, len(x)
    r, columns, block, values = point.r, scratch.columns, scratch.block, point.values
    for j in range(dim):
        point.x[j] = x[j]
    probabilities(model.basis, model.phi, x, point.p)
    values[MEAN] = 0.0
    for k in range(outcomes):
        values[MEAN] += point.p[k] * model.rewards[k]
    for a in range(free):
        r[a] = 0.0
        for k in range(outcomes):
            r[a] += model.basis[k, a] * (point.p[k] * (model.rewards[k] - values[MEAN]))
    for i in range(free * dim):
        for b in range(free):
            columns[i, b] = 0.0
            for j in range(dim):
                columns[i, b] += model.inverse[i, b * dim + j] * x[j]
    square = 0.0
    for a in range(free):
        for b in range(free):
            block[a, b] = 0.0
            for j in range(dim):
                block[a, b] += x[j] * columns[a * dim + j, b]
            square += r[a] * block[a, b] * r[b]
    values[NORM] = math.sqrt(max(0.0, square))
    for a in range(free):
        for b in range(free):
            scratch.eigen[a, b] = 0.5 * (block[a, b] + block[b, a])
    symmetric_eigen(scratch.eigen, scratch.vectors)
    top = largest_of(scratch)
    values[LARGEST], values[SECOND] = scratch.eigen[top, top], -math.inf
    for a in range(free):
        if a != top:
            values[SECOND] = max(values[SECOND], scratch.eigen[a, a])


@kernel
def largest_of(scratch):
    """Where the largest eigenvalue of B(c) stands."""
    top = 0
    for a in range(1, len(scratch.eigen)):
        if scratch.eigen[a, a] > scratch.eigen[top, top]:
            top = a
    return top


@kernel
def bonus(point, sigma, second_order):
    """F - m at the point; `second_order` is 3 R sigma^2."""
    return sigma * point.values[NORM] + second_order * point.values[LARGEST]
