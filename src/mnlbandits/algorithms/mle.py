"""Maximum likelihood on the data so far: the estimators and the log-loss sets of the offline methods of Table 1, compiled.

L(phi) is the loss summed over the data, in coordinates phi (K-1, d), see `likelihood`. The data are rows, an action and how
often it showed each outcome: one row per arm (``suffstat``, cost O(N) a pass) or one per round (``stream``, cost O(t) a
pass, as the methods are published). Both give the same numbers up to rounding.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Option
from mnlbandits.algorithms.linalg import cholesky, exp_below, solve_cholesky, solve_in_ball
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array

DATA = Option("data", "suffstat: one row per arm; stream: one row per round", choices=("suffstat", "stream"))

LONGEST_STREAM = 10**7
"""Most rounds whose rows are kept in memory."""

TILE = 64
"""Rows that are worked on together."""

PROXIMAL = 1e-9
"""Weight of ||step||^2 / 2 in every Newton step: keeps flat directions where they are, moves no minimiser."""

ROUNDING = 1e-14
"""The same as a part of the Hessian's trace: with 1e8 observations of one arm its rounding exceeds `PROXIMAL`."""


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
    vectors: Array  # (5, D)
    weights: Array  # (K, d) C phi
    tile: Array  # (2 K + 2, TILE)
    bits: Array  # (TILE,) int64, see `exp_below`
    powers: Array  # (TILE,) the same memory as float64


def make_data(problem: Problem, basis: Array, data: str) -> Data:
    """No observations yet, of an instance in coordinates `basis` (K, K-1); `data` is one of the choices of `DATA`.

    Raises
    ------
    InputError : a stream longer than `LONGEST_STREAM`.
    """
    (outcomes, free), (count, dim) = basis.shape, problem.arms.shape
    stream = data == "stream"
    if stream and problem.horizon > LONGEST_STREAM:
        raise InputError("horizon", problem.horizon, f"at most {LONGEST_STREAM:.0e} rounds with data = stream")
    rows, size = problem.horizon if stream else count, free * dim
    bits = np.zeros(TILE, dtype=np.int64)
    return Data(
        basis=np.ascontiguousarray(basis),
        arms=problem.arms.copy(),
        features=np.zeros((dim, rows)) if stream else np.ascontiguousarray(problem.arms.T).copy(),
        counts=np.zeros((outcomes, rows)),
        used=np.array([0 if stream else count]),
        stream=stream,
        gradient=np.zeros(size),
        hessian=np.zeros((size, size)),
        lower=np.zeros((size, size)),
        shifted=np.zeros((size, size)),
        vectors=np.zeros((5, size)),
        weights=np.zeros((outcomes, dim)),
        tile=np.zeros((2 * outcomes + 2, TILE)),
        bits=bits,
        powers=bits.view(np.float64),
    )


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
    row = data.used[0] if data.stream else arm
    if data.stream:
        for j in range(data.arms.shape[1]):
            data.features[j, row] = data.arms[arm, j]
        data.used[0] = row + 1
    for k in range(len(counts)):
        data.counts[k, row] += counts[k]


@rare_kernel
def information(data, ridge, phi, arm):
    """tr(H^-1 (G (x) x x^T)): the relative growth of H by a pull of the arm, H the Hessian of L + ridge/2 ||.||^2 at phi."""
    outcomes, free = data.basis.shape
    dim, x = phi.shape[1], data.arms[arm]
    evaluate(data, phi)
    proximal = PROXIMAL
    for i in range(free * dim):
        proximal += ROUNDING * data.hessian[i, i]
    for i in range(free * dim):
        data.hessian[i, i] += ridge + proximal
    cholesky(data.hessian, data.lower)
    p, total = data.tile[:, 0], 0.0
    for k in range(outcomes):
        p[k] = 0.0
        for j in range(dim):
            p[k] += data.weights[k, j] * x[j]
    top = p[0]
    for k in range(outcomes):
        top = max(top, p[k])
    for k in range(outcomes):
        p[k] = math.exp(p[k] - top)
        total += p[k]
    growth, column = 0.0, data.vectors[0]
    for b in range(free):
        mean_b = 0.0
        for k in range(outcomes):
            mean_b += data.basis[k, b] * p[k] / total
        for i in range(free * dim):
            column[i] = x[i % dim] if i // dim == b else 0.0
        solve_cholesky(data.lower, column)
        for a in range(free):
            entry, along = 0.0, 0.0
            for k in range(outcomes):
                entry += data.basis[k, a] * (data.basis[k, b] - mean_b) * p[k] / total
            for j in range(dim):
                along += x[j] * column[a * dim + j]
            growth += entry * along
    return growth


@kernel
def multiply_basis(data, phi):
    """C phi into `data.weights`."""
    outcomes, free = data.basis.shape
    for k in range(outcomes):
        for j in range(phi.shape[1]):
            total = 0.0
            for a in range(free):
                total += data.basis[k, a] * phi[a, j]
            data.weights[k, j] = total


@kernel
def exponentials(data, first, count):
    """exp(z - max z) of the rows first .. first + count - 1 into tile[:K], their sums into tile[K], max z into tile[K+1].

    z are the logits for the weights last set by `multiply_basis`; the sum of those observed goes into tile[2 K + 1].
    """
    outcomes, tile = len(data.basis), data.tile
    total, top, observed = tile[outcomes], tile[outcomes + 1], tile[2 * outcomes + 1]
    for n in range(count):
        top[n] = -math.inf
        total[n] = 0.0
        observed[n] = 0.0
    for k in range(outcomes):
        row = tile[k]
        for n in range(count):
            row[n] = 0.0
        for j in range(data.features.shape[0]):
            weight, feature = data.weights[k, j], data.features[j, first : first + count]
            for n in range(count):
                row[n] += weight * feature[n]
        many = data.counts[k, first : first + count]
        for n in range(count):
            top[n] = max(top[n], row[n])
            observed[n] += many[n] * row[n]
    for k in range(outcomes):
        row = tile[k]
        for n in range(count):
            row[n] -= top[n]
        exp_below(row, count, data.bits, data.powers)
        for n in range(count):
            total[n] += row[n]


@kernel
def loss_of_tile(data, first, count):
    """The loss summed over rows after `exponentials`: one logarithm of a product for all rows of one observation."""
    outcomes, tile = len(data.basis), data.tile
    total, top, observed = tile[outcomes], tile[outcomes + 1], tile[2 * outcomes + 1]
    value, product = 0.0, 1.0
    for n in range(count):
        pulls = 0.0
        for k in range(outcomes):
            pulls += data.counts[k, first + n]
        value += pulls * top[n] - observed[n]
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
def evaluate(data, phi):
    """L(phi) for phi (K-1, d); its gradient and Hessian into `data.gradient` (D,) and `data.hessian` (D, D)."""
    outcomes, free = data.basis.shape
    dim, tile, gradient, hessian = data.features.shape[0], data.tile, data.gradient, data.hessian
    size = free * dim
    for i in range(size):
        gradient[i] = 0.0
        for j in range(size):
            hessian[i, j] = 0.0
    multiply_basis(data, phi)
    value = 0.0
    pulls, weight = tile[outcomes], tile[outcomes + 1]
    for first in range(0, data.used[0], TILE):
        count = min(TILE, data.used[0] - first)
        exponentials(data, first, count)
        value += loss_of_tile(data, first, count)
        for n in range(count):
            weight[n] = 1.0 / pulls[n]  # holds the sums until here
            pulls[n] = 0.0
        for k in range(outcomes):
            row, p = data.counts[k, first : first + count], tile[k]
            for n in range(count):
                pulls[n] += row[n]
                p[n] *= weight[n]
        for a in range(free):
            mean = tile[outcomes + 2 + a]
            for n in range(count):
                mean[n] = 0.0
                weight[n] = 0.0
            for k in range(outcomes):
                entry, row, p = data.basis[k, a], data.counts[k, first : first + count], tile[k]
                if entry != 0.0:
                    for n in range(count):
                        mean[n] += entry * p[n]
                        weight[n] += entry * (pulls[n] * p[n] - row[n])
            for i in range(dim):
                gradient[a * dim + i] += dot(weight, data.features[i, first : first + count])
            for b in range(a + 1):
                other = tile[outcomes + 2 + b]
                for n in range(count):
                    weight[n] = -mean[n] * other[n]
                for k in range(outcomes):
                    entry, p = data.basis[k, a] * data.basis[k, b], tile[k]
                    if entry != 0.0:
                        for n in range(count):
                            weight[n] += entry * p[n]
                for n in range(count):
                    weight[n] *= pulls[n]
                scaled = tile[2 * outcomes + 1]
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


@kernel
def dot(left, right):
    """sum of left[n] right[n] over the length of `right`, in four strands."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    count = len(right)
    whole = count - count % 4
    for n in range(0, whole, 4):
        a += left[n] * right[n]
        b += left[n + 1] * right[n + 1]
        c += left[n + 2] * right[n + 2]
        d += left[n + 3] * right[n + 3]
    for n in range(whole, count):
        a += left[n] * right[n]
    return (a + b) + (c + d)


@rare_kernel
def minimise(data, ridge, tilt, radius, phi):
    """Minimise L(phi) + ridge/2 ||phi||^2 - tilt^T phi over ||phi||_F <= radius, in place from `phi` (K-1, d).

    Newton's method with the quadratic model minimised over the ball exactly, and steps damped by log(1 + m)/m,
    m = sqrt(6) ||step||, under which a generalised self-concordant objective cannot be overshot (Sun and Tran-Dinh 2019,
    nu = 2). A step leaves at most about m times its own decrement: it stops after one that leaves less than 1e-11
    standard errors, or when the decrement no longer decreases (rounding).

    Parameters
    ----------
    ridge : >= 0. tilt : (D,). radius : > 0, may be infinite if ridge > 0.

    Returns
    -------
    nu >= 0, the multiplier of the ball: (grad L)(phi) + (ridge + nu) phi = tilt.
    """
    dim = phi.shape[1]
    size = len(tilt)
    target, psi, work = data.vectors[0], data.vectors[1], data.vectors[2]
    previous, nu = math.inf, 0.0
    for _ in range(500):
        evaluate(data, phi)
        proximal = PROXIMAL
        for i in range(size):
            proximal += ROUNDING * data.hessian[i, i]
        for i in range(size):
            data.hessian[i, i] += ridge + proximal
            target[i] = tilt[i] - data.gradient[i] - ridge * phi[i // dim, i % dim]
        for i in range(size):
            for j in range(size):
                target[i] += data.hessian[i, j] * phi[j // dim, j % dim]
        nu = solve_in_ball(data.hessian, target, radius, psi, data.shifted, data.lower, work)
        decrement, length = 0.0, 0.0
        for i in range(size):
            psi[i] -= phi[i // dim, i % dim]
            length += psi[i] * psi[i]
        for i in range(size):
            for j in range(size):
                decrement += psi[i] * data.hessian[i, j] * psi[j]
        reach = math.sqrt(6.0 * length)
        damping = math.log1p(reach) / reach if reach > 0.0 else 1.0
        for i in range(size):
            phi[i // dim, i % dim] += damping * psi[i]
        if decrement * min(1.0, reach * reach) < 1e-22 or (decrement < 1e-12 and decrement >= previous):
            break
        previous = decrement
    return nu


@rare_kernel
def largest_linear(data, ridge, direction, excess, radius, phi, tau):
    """max of direction^T phi over {||phi||_F <= radius, F(phi) <= min F + excess}, F = L + ridge/2 ||.||^2.

    On the path phi(tau) = argmin over the ball of F(phi) - tau direction^T phi, F increases with tau: Newton's method in tau
    on sqrt(F(phi(tau)) - min F), between brackets.

    Parameters
    ----------
    direction : (D,), not zero. excess : (2,): min F over the ball, and how much F may exceed it (> 0).
    phi : (K-1, d), where to start, e.g. a former maximiser; the maximiser at the end. tau : (1,), likewise (> 0).

    Returns
    -------
    The maximum.
    """
    dim = phi.shape[1]
    size = len(direction)
    tilt, slope, normal = data.vectors[3], data.vectors[4], data.vectors[2]
    length = 0.0
    for i in range(size):
        length += direction[i] * direction[i]
    length = math.sqrt(length)
    smallest, allowed = excess[0], excess[1]
    if radius < math.inf:
        for i in range(size):
            tilt[i] = phi[i // dim, i % dim]
            phi[i // dim, i % dim] = radius * direction[i] / length
        if loss(data, phi) + 0.5 * ridge * radius * radius <= smallest + allowed:
            return radius * length
        for i in range(size):
            phi[i // dim, i % dim] = tilt[i]
    low, high, value = 0.0, math.inf, 0.0
    for _ in range(200):
        for i in range(size):
            tilt[i] = tau[0] * direction[i]
        nu = minimise(data, ridge, tilt, radius, phi)
        square, value = 0.0, 0.0
        for i in range(size):
            square += phi[i // dim, i % dim] ** 2
            value += direction[i] * phi[i // dim, i % dim]
        risen = loss(data, phi) + 0.5 * ridge * square - smallest
        value += (allowed - risen) / tau[0]  # to first order in what is missing to the level
        if abs(risen - allowed) <= 1e-10 * allowed + 1e-15 * abs(smallest):
            break
        if risen > allowed:
            high = tau[0]
        else:
            low = tau[0]
        # d phi / d tau = M^-1 direction, M = Hessian of F + nu I, within the tangent plane if the ball is active
        for i in range(size):
            slope[i] = direction[i]
            normal[i] = phi[i // dim, i % dim]
            for j in range(size):
                data.shifted[i, j] = data.hessian[i, j] + (nu if i == j else 0.0)
        cholesky(data.shifted, data.lower)
        solve_cholesky(data.lower, slope)
        if nu > 0.0:
            solve_cholesky(data.lower, normal)
            along, across = 0.0, 0.0
            for i in range(size):
                along += slope[i] * phi[i // dim, i % dim]
                across += normal[i] * phi[i // dim, i % dim]
            for i in range(size):
                slope[i] -= along / across * normal[i]
        rate = 0.0
        for i in range(size):
            rate += direction[i] * slope[i]
        root = math.sqrt(max(0.0, risen))
        growth = tau[0] * rate  # 0 where phi has reached the end of the ball
        following = tau[0] + (math.sqrt(allowed) - root) * 2.0 * root / growth if growth > 0.0 else math.inf
        if not low < following < high:
            following = 4.0 * tau[0] if high == math.inf else (0.25 * high if low == 0.0 else math.sqrt(low * high))
        if nu == 0.0:
            square = 0.0
            for i in range(size):
                phi[i // dim, i % dim] += (following - tau[0]) * slope[i]
                square += phi[i // dim, i % dim] ** 2
            if square > radius * radius:
                for i in range(size):
                    phi[i // dim, i % dim] *= radius / math.sqrt(square)
        tau[0] = following
        if high < math.inf and high - low <= 1e-14 * high:
            break
    return value


@kernel
def mean_rewards(data, rewards, phi, out):
    """rho^T mu(C phi x) of every arm into `out` (N,)."""
    multiply_basis(data, phi)
    for n in range(len(data.arms)):
        top = -math.inf
        for k in range(len(rewards)):
            logit = 0.0
            for j in range(data.arms.shape[1]):
                logit += data.weights[k, j] * data.arms[n, j]
            data.tile[k, 0] = logit
            top = max(top, logit)
        total, mean = 0.0, 0.0
        for k in range(len(rewards)):
            p = math.exp(data.tile[k, 0] - top)
            total += p
            mean += p * rewards[k]
        out[n] = mean / total
