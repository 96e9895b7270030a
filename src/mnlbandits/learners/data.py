"""Observations, and the loss with its derivatives on all of them, compiled.

L(phi) is the loss summed over the data, in coordinates phi (K-1, d), see `likelihood`. The data are rows, an action and how
often it showed each outcome: one row per arm (``suffstat``, cost O(N) a pass) or one per round (``stream``, cost O(t) a
pass, as the methods are published). Both give the same numbers up to rounding.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import aligned_zeros, kernel, rare_kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Problem
from mnlbandits.learners.exponential import exp_below
from mnlbandits.learners.linalg import dot
from mnlbandits.model.softmax import Array

LONGEST_STREAM = 10**7
"""Most rounds whose rows are kept in memory."""


TILE = 64
"""Rows that are worked on together."""


class Tile(NamedTuple):
    """What a pass over the data knows of the `TILE` rows at hand."""

    p: Array  # (K, TILE) exp(z - max z) of the logits z, then probabilities
    total: Array  # (TILE,) sum of exp(z - max z)
    top: Array  # (TILE,) max z
    observed: Array  # (TILE,) z summed over the outcomes seen
    pulls: Array  # (TILE,) rounds
    mean: Array  # (K-1, TILE) C^T p
    weight: Array  # (TILE,) the factor of a feature or of a product of two
    scaled: Array  # (TILE,) a feature times its weight
    bits: Array  # (TILE,) int64, see `exp_below`
    powers: Array  # (TILE,) the same memory as float64


class Scratch(NamedTuple):
    """Working memory of what is solved on the data; holds nothing between two calls."""

    p: Array  # (K,) logits of an arm, then probabilities
    column: Array  # (D,) of H^-1 (I (x) x)
    step: Array  # (D,) of Newton's method
    target: Array  # (D,) right side of the model's linear system
    psi: Array  # (D,) minimiser of the model
    work: Array  # (D,) of `solve_in_ball`
    tilt: Array  # (D,) of the objective
    slope: Array  # (D,) of the path in its parameter
    normal: Array  # (D,) of the constraint


class Data(NamedTuple):
    """Observations for K outcomes and d features, D = (K-1) d, with working memory; arrays are changed in place."""

    basis: Array  # C (K, K-1)
    arms: Array  # (N, d)
    features: Array  # (d, M): the action of every row
    counts: Array  # (K, M): how often the row showed each outcome
    used: Array  # (1,) int64: rows in use
    stream: bool
    gradient: Array  # (D,) of the loss at the point last evaluated
    hessian: Array  # (D, D)
    lower: Array  # (D, D) Cholesky factor
    shifted: Array  # (D, D)
    theta: Array  # (K, d) C phi
    tile: Tile
    scratch: Scratch


def make_data(problem: Problem, basis: Array, data: str, arms: Array | None = None) -> Data:
    """No observations yet, of an instance in coordinates `basis` (K, K-1); `data` is one of the choices of `base.DATA`.

    With fresh vectors in every round the data are a stream. `arms` (N, d) are kept if they are given: the round's arms.

    Raises
    ------
    InputError : a stream longer than `LONGEST_STREAM`.
    """
    (outcomes, free), (count, dim) = basis.shape, problem.arms.shape
    stream = data == "stream" or problem.fresh
    if stream and problem.horizon > LONGEST_STREAM:
        raise InputError(
            "horizon", problem.horizon, f"at most {LONGEST_STREAM:.0e} rounds with data = stream or fresh vectors"
        )
    rows, size = problem.horizon if stream else count, free * dim
    return Data(
        basis=np.ascontiguousarray(basis),
        arms=problem.arms.copy() if arms is None else arms,
        features=np.zeros((dim, rows)) if stream else np.ascontiguousarray(problem.arms.T).copy(),
        counts=np.zeros((outcomes, rows)),
        used=np.array([0 if stream else count]),
        stream=stream,
        gradient=np.zeros(size),
        hessian=np.zeros((size, size)),
        lower=np.zeros((size, size)),
        shifted=np.zeros((size, size)),
        theta=np.zeros((outcomes, dim)),
        tile=make_tile(outcomes),
        scratch=Scratch(np.zeros(outcomes), *np.zeros((8, size))),
    )


def make_tile(outcomes: int) -> Tile:
    """Fresh working memory of a pass."""
    total, top, observed, pulls, weight, scaled, powers = (aligned_zeros(TILE) for _ in range(7))
    p, mean = aligned_zeros(outcomes, TILE), aligned_zeros(outcomes - 1, TILE)
    return Tile(p, total, top, observed, pulls, mean, weight, scaled, powers.view(np.int64), powers)


@kernel
def next_row(data, arm):
    """The row of the next observation of an arm."""
    return data.used[0] if data.stream else arm


@kernel
def record(data, arm, outcome):
    """Add one observation."""
    if data.stream:
        row = data.used[0]
        for j in range(data.arms.shape[1]):
            data.features[j, row] = data.arms[arm, j]
        data.counts[outcome, row] = 1.0
        data.used[0] = row + 1
    else:
        data.counts[outcome, arm] += 1.0


@kernel
def record_many(data, arm, counts):
    """Add many observations of one arm at once, outcome `counts` (K,); one row if the data are a stream."""
    row = next_row(data, arm)
    if data.stream:
        for j in range(data.arms.shape[1]):
            data.features[j, row] = data.arms[arm, j]
        data.used[0] = row + 1
    for k in range(len(counts)):
        data.counts[k, row] += counts[k]


@kernel
def multiply_basis(data, phi):
    """C phi into `data.theta`."""
    outcomes, free = data.basis.shape
    for k in range(outcomes):
        for j in range(phi.shape[1]):
            total = 0.0
            for a in range(free):
                total += data.basis[k, a] * phi[a, j]
            data.theta[k, j] = total


@kernel
def exponentials(data, first, count):
    """`p`, `total`, `top` and `observed` of the tile, for the rows first .. first + count - 1.

    Their logits z are those of the theta last set by `multiply_basis`; `observed` is the sum of max z - z of those observed.
    """
    outcomes, tile = len(data.basis), data.tile
    total, top, observed = tile.total, tile.top, tile.observed
    for n in range(count):
        top[n] = -math.inf
        total[n] = 0.0
        observed[n] = 0.0
    for k in range(outcomes):
        row = tile.p[k]
        for n in range(count):
            row[n] = 0.0
        for j in range(data.features.shape[0]):
            weight, feature = data.theta[k, j], data.features[j, first : first + count]
            for n in range(count):
                row[n] += weight * feature[n]
        for n in range(count):
            top[n] = max(top[n], row[n])
    for k in range(outcomes):
        row, many = tile.p[k], data.counts[k, first : first + count]
        for n in range(count):
            row[n] -= top[n]
            observed[n] -= many[n] * row[n]
        exp_below(row, count, tile.bits, tile.powers)
        for n in range(count):
            total[n] += row[n]


@kernel
def loss_of_tile(data, first, count):
    """The loss summed over rows after `exponentials`: one logarithm of a product for all rows of one observation."""
    outcomes, tile = len(data.basis), data.tile
    total, observed = tile.total, tile.observed
    value, product = 0.0, 1.0
    for n in range(count):
        pulls = 0.0
        for k in range(outcomes):
            pulls += data.counts[k, first + n]
        value += observed[n]
        if pulls == 1.0:
            product *= total[n]
        elif pulls > 0.0:
            value += pulls * math.log(total[n])
    return value + math.log(product)


@rare_kernel
def loss(data, phi):
    """L(phi), the loss summed over the data, for phi (K-1, d)."""
    multiply_basis(data, phi)
    value = 0.0
    for first in range(0, data.used[0], TILE):
        count = min(TILE, data.used[0] - first)
        exponentials(data, first, count)
        value += loss_of_tile(data, first, count)
    return value


@rare_kernel
def evaluate(data, phi, valued=False):
    """The gradient of L at phi (K-1, d) and its Hessian into `data.gradient` (D,) and `data.hessian` (D, D).

    Returns L(phi), for which it takes logarithms, if `valued`, else 0.

    Entries of C^T grad mu C are summed about the mean: else they would cancel where a probability is 1 up to rounding. Those
    off the diagonal in reference-class coordinates, where C has one entry in a column, are -p_a p_b.
    """
    outcomes, free = data.basis.shape
    centred = data.basis[0, 0] * data.basis[1, 0] != 0.0
    dim, tile, gradient, hessian = data.features.shape[0], data.tile, data.gradient, data.hessian
    size = free * dim
    for i in range(size):
        gradient[i] = 0.0
        for j in range(size):
            hessian[i, j] = 0.0
    multiply_basis(data, phi)
    value = 0.0
    total, pulls, weight, scaled = tile.total, tile.pulls, tile.weight, tile.scaled
    for first in range(0, data.used[0], TILE):
        count = min(TILE, data.used[0] - first)
        exponentials(data, first, count)
        if valued:
            value += loss_of_tile(data, first, count)
        for n in range(count):
            weight[n] = 1.0 / total[n]
            pulls[n] = 0.0
        for k in range(outcomes):
            row, p = data.counts[k, first : first + count], tile.p[k]
            for n in range(count):
                pulls[n] += row[n]
                p[n] *= weight[n]
        for a in range(free):
            mean = tile.mean[a]
            for n in range(count):
                mean[n] = 0.0
                weight[n] = 0.0
            for k in range(outcomes):
                entry, row, p = data.basis[k, a], data.counts[k, first : first + count], tile.p[k]
                if entry != 0.0:
                    for n in range(count):
                        mean[n] += entry * p[n]
                        weight[n] += entry * (pulls[n] * p[n] - row[n])
            for i in range(dim):
                gradient[a * dim + i] += dot(weight, data.features[i, first : first + count])
            for b in range(a + 1):
                other, about_mean = tile.mean[b], centred or a == b
                for n in range(count):
                    weight[n] = 0.0 if about_mean else -mean[n] * other[n]
                for k in range(outcomes if about_mean else 0):
                    left, right, p = data.basis[k, a], data.basis[k, b], tile.p[k]
                    for n in range(count):
                        weight[n] += (left - mean[n]) * (right - other[n]) * p[n]
                for n in range(count):
                    weight[n] *= pulls[n]
                for i in range(dim):
                    feature = data.features[i, first : first + count]
                    for n in range(count):
                        scaled[n] = weight[n] * feature[n]
                    for j in range(i + 1):
                        hessian[a * dim + i, b * dim + j] += dot(scaled, data.features[j, first : first + count])
    for a in range(free):  # the rest by symmetry: within a block, and between blocks
        for b in range(a + 1):
            for i in range(dim):
                for j in range(i + 1):
                    entry = hessian[a * dim + i, b * dim + j]
                    hessian[a * dim + j, b * dim + i] = entry
                    hessian[b * dim + i, a * dim + j] = entry
                    hessian[b * dim + j, a * dim + i] = entry
    return value
