"""The vector of the sphere, or of the ball, that maximises f(x^T b) + c ||x||_M, f increasing and concave from 0 on.

f is the identity or the sigmoid. The index is larger at x than at -x if x^T b > 0, and there grows with the length of x, so
that ball and sphere have the same maximum, at x = a b/||b|| + w with 0 <= a <= 1, w orthogonal to b and q = ||w||^2 = 1 -
a^2. Given q, the largest ||x||_M^2 is a trust-region problem: with M and v = M b/||b|| on the complement of b, m = b^T M
b/||b||^2 and the largest eigenvalue nu_1 there,

    phi(q)^2 = min over nu >= nu_1 of nu q + (1 - q)(m + v^T (nu I - M)^-1 v),    w = a (nu I - M)^-1 v.

As a minimum of linear functions it is concave in q, and so is f(||b|| sqrt(1 - q)) + c phi(q): whatever f, the maximum is
where one derivative changes its sign. Our derivation.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.eigen import symmetric_eigen
from mnlbandits.learners.sigmoid import curvature, sigmoid
from mnlbandits.model.softmax import Array

ROUNDING = 1e-14
"""Coordinates of v below this part of nu_1 are rounding and count as 0."""


TIED = 1e-12
"""Relative difference of eigenvalues that are equal."""


NOTHING = 1e-30
"""If v has no coordinate for nu_1 it gets this part of nu_1: the hard case of the trust-region problem is the limit."""


TINY = 1e-290
"""A ||b||^2 below counts as 0: floating-point numbers end there."""


SMALLEST, LARGEST = 1e-60, 1e60
"""Ends of the search for nu - nu_1, in units of nu_1."""


class Complement(NamedTuple):
    """Working memory for d features: M on the complement of b, and v, in the eigenvectors of the former."""

    certificate: Array  # (1,) for the caller: the index at the maximiser is at most this below the supremum
    frame: Array  # (d, d) orthonormal rows, the first one +-b/||b||
    image: Array  # (d,) M b/||b||
    half: Array  # (d, d)
    values: Array  # (d, d) diagonal: m, then the eigenvalues
    vectors: Array  # (d, d)
    v: Array  # (d,)
    w: Array  # (d,)


def make_complement(dim: int) -> Complement:
    """Fresh working memory."""
    square, row = (dim, dim), (dim,)
    return Complement(*(np.zeros(shape) for shape in ((1,), square, row, square, square, square, row, row)))


def complement_of(problem: Problem) -> Complement | None:
    """What a system for two outcomes finds the best vector of a sphere or ball with; None on other sets."""
    return make_complement(problem.dim) if problem.continuous else None


@rare_kernel
def farthest(b, matrix, width, binary, x, complement):
    """The maximiser into `x` (d,), of norm 1; b (d,), M = `matrix` (d, d) positive semi-definite, c = `width` >= 0.

    `binary` says whether f is the sigmoid. Ties go to the eigenvector found first, with its largest coordinate positive.

    Returns
    -------
    An upper bound of the index on the unit ball, above that at x by rounding.
    """
    dim, length = len(b), 0.0
    for j in range(dim):
        length += b[j] * b[j]
    length = math.sqrt(length) if length > TINY else 0.0
    turn(b, length, matrix, complement)
    values, vectors, v, w = complement.values, complement.vectors, complement.v, complement.w
    top = settle_ties(values, v, 0 if length == 0.0 else 1)
    if length == 0.0:
        for j in range(dim):
            x[j] = vectors[j, top]
        return value(0.0, binary) + width * math.sqrt(max(0.0, values[top, top]))
    if dim == 1 or width == 0.0 or values[top, top] <= 0.0:
        for j in range(dim):
            x[j] = b[j] / length
        return value(length, binary) + width * math.sqrt(max(0.0, values[0, 0]))
    low, high = SMALLEST, 1.0
    while slope(length, width, binary, top, high, complement)[0] < 0.0 and high < LARGEST:
        low, high = high, 1e3 * high
    while low < high * (1.0 - 4e-16):
        middle = math.sqrt(low * high) if low < 0.5 * high else 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        if slope(length, width, binary, top, middle, complement)[0] < 0.0:
            low = middle
        else:
            high = middle
    steep, wide, beyond = slope(length, width, binary, top, low, complement)
    rising, narrow, below = slope(length, width, binary, top, high, complement)
    bound = min(below + 0.5 * max(0.0, rising) * (wide - narrow), beyond + 0.5 * max(0.0, -steep) * (wide - narrow))
    gap = values[top, top]
    for i in range(1, dim):
        w[i] = v[i] / (high * gap + (gap - values[i, i]))
    norm = 0.0
    for j in range(dim):
        x[j] = b[j] / length
        for i in range(1, dim):
            x[j] += w[i] * vectors[j, i]
        norm += x[j] * x[j]
    for j in range(dim):
        x[j] /= math.sqrt(norm)
    return bound


@kernel
def turn(b, length, matrix, complement):
    """m, the eigenvalues and eigenvectors on the complement of b, and v in the latter; for b = 0 on the whole space."""
    frame, half, values, vectors = complement.frame, complement.half, complement.values, complement.vectors
    dim, first = len(b), 0 if length == 0.0 else 1
    for i in range(dim):  # the reflection that takes b to an axis
        for j in range(dim):
            frame[i, j] = 1.0 if i == j else 0.0
    if first:
        sign = 1.0 if b[0] >= 0.0 else -1.0
        for i in range(dim):
            for j in range(dim):
                left, right = b[i] / length + (sign if i == 0 else 0.0), b[j] / length + (sign if j == 0 else 0.0)
                frame[i, j] -= left * right / (1.0 + abs(b[0]) / length)
    for i in range(dim):
        for j in range(dim):
            half[i, j] = 0.0
            for k in range(dim):
                half[i, j] += frame[i, k] * matrix[k, j]
    for i in range(dim):
        for j in range(dim):
            values[i, j] = 0.0
            if i >= first and j >= first:
                for k in range(dim):
                    values[i, j] += half[i, k] * frame[j, k]
    for i in range(dim):  # symmetric to the last bit
        for j in range(i):
            values[i, j] = values[j, i]
    symmetric_eigen(values, half)
    for i in range(dim):
        for j in range(dim):
            vectors[i, j] = 0.0
            for k in range(first, dim):
                vectors[i, j] += frame[k, i] * half[k, j]
    for j in range(dim):
        largest = 0
        for i in range(dim):
            if abs(vectors[i, j]) > abs(vectors[largest, j]) * (1.0 + 1e-12):
                largest = i
        if vectors[largest, j] < 0.0:
            for i in range(dim):
                vectors[i, j] = -vectors[i, j]
    if first:
        measure_image(b, length, matrix, complement)


@kernel
def measure_image(b, length, matrix, complement):
    """v and m."""
    image, values, v = complement.image, complement.values, complement.v
    dim = len(b)
    values[0, 0] = 0.0
    for i in range(dim):
        image[i] = 0.0
        for j in range(dim):
            image[i] += matrix[i, j] * b[j] / length
    for i in range(1, dim):
        v[i] = 0.0
        for j in range(dim):
            v[i] += complement.vectors[j, i] * image[j]
    for i in range(dim):
        values[0, 0] += image[i] * b[i] / length


@kernel
def settle_ties(values, v, first):
    """The first index of the largest eigenvalue, from `first` on; those equal to it but for rounding become equal."""
    top = first
    for i in range(first, len(v)):
        if values[i, i] > values[top, top]:
            top = i
    largest = values[top, top]
    for i in range(len(v) - 1, first - 1, -1):
        if abs(v[i]) <= ROUNDING * largest:
            v[i] = 0.0
        if values[i, i] >= largest * (1.0 - TIED):
            values[i, i] = largest
            top = i
    if first and v[top] == 0.0:
        v[top] = NOTHING * largest
    return top


@kernel
def slope(length, width, binary, top, excess, complement):
    """Twice the derivative of the index in q at nu = (1 + excess) nu_1, there q and the index; q falls with nu."""
    values, v, gap = complement.values, complement.v, complement.values[top, top]
    ratio, raised = 0.0, values[0, 0]
    for i in range(1, len(v)):
        distance = excess * gap + (gap - values[i, i])
        ratio += (v[i] / distance) ** 2
        raised += v[i] * v[i] / distance
    nu, square = (1.0 + excess) * gap, 1.0 / (1.0 + ratio)
    along, q = math.sqrt(square), ratio * square
    norm = math.sqrt(max(1e-300, square * raised + nu * q))
    derivative = curvature(length * along) if binary else 1.0
    return (
        width * (nu - raised) / norm - derivative * length / along,
        q,
        value(length * along, binary) + width * norm,
    )


@kernel
def value(z, binary):
    """f(z)."""
    return sigmoid(z) if binary else z
