"""Softmax, its curvature and the ridge estimator in coordinates phi, compiled.

Logits are z = C phi x with a fixed basis C (K, K-1): an orthonormal basis of 1^perp (theta = C phi in Pi R^{K x d}), or the
reference-class coordinates. phi is (K-1, d); its vector is row-major, so entry (k, j) has index k d + j.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.linalg import cholesky, solve_cholesky, total
from mnlbandits.model.softmax import Array


class Scratch(NamedTuple):
    """Working memory of the kernels for K outcomes, d features and D = (K-1) d; holds nothing between two calls."""

    p: Array  # (K,) probabilities of an arm
    r: Array  # (K-1,) C^T (p - e_y), the gradient's factor before x, then the step's
    g: Array  # (K-1, K-1) C^T grad mu C
    block: Array  # (K-1, K-1) B(x) of an arm
    system: Array  # (K-1, K-1) I + G B
    root: Array  # (K-1, K-1)
    core: Array  # (K-1, K-1)
    factor: Array  # (K-1, K-1)
    columns: Array  # (D, K-1) W^-1 (I (x) x)
    lost: Array  # (D, K-1) y of W^-1 - y y^T
    phi: Array  # (K-1, d) proposal
    hessian: Array  # (D, D) of the loss
    lower: Array  # (D + 1, D) its Cholesky factor
    gradient: Array  # (D,)
    step: Array  # (D,) of Newton's method
    krylov: Array  # (D + 1, D) Lanczos vectors of a projection
    diagonal: Array  # (D,) of the tridiagonal matrix
    off: Array  # (D,) off its diagonal
    below: Array  # (D,) below the diagonal of its factor
    pivots: Array  # (D,)
    solution: Array  # (D,) of its system
    psi: Array  # (D,) a vector of a step
    image: Array  # (D,) its product with a matrix


def make_scratch(outcomes: int, dim: int) -> Scratch:
    """Fresh working memory."""
    free, size = outcomes - 1, (outcomes - 1) * dim
    small, tall, long, vector = (free, free), (size, free), (size + 1, size), (size,)
    shapes = [(outcomes,), (free,), *[small] * 6, *[tall] * 2, (free, dim), (size, size), long, *[vector] * 2, long]
    return Scratch(*(np.zeros(shape) for shape in [*shapes, *[vector] * 7]))


@kernel
def probabilities(basis, phi, x, out):
    """mu(C phi x) into `out` (K,)."""
    outcomes, free = basis.shape
    for k in range(outcomes):
        out[k] = 0.0
    for c in range(free):
        product = 0.0
        for j in range(len(x)):
            product += phi[c, j] * x[j]
        for k in range(outcomes):
            out[k] += basis[k, c] * product
    top = out[0]
    for k in range(1, outcomes):
        top = max(top, out[k])
    total = 0.0
    for k in range(outcomes):
        out[k] = math.exp(out[k] - top)
        total += out[k]
    for k in range(outcomes):
        out[k] /= total


@kernel
def residual(basis, p, outcome, out):
    """C^T (p - e_outcome) into `out` (K-1,): the gradient of the loss of one round is this (x) x."""
    for a in range(basis.shape[1]):
        out[a] = -basis[outcome, a]
        for k in range(len(p)):
            out[a] += basis[k, a] * p[k]


@kernel
def residual_of_many(basis, p, pulls, counts, out):
    """`residual` summed over `pulls` rounds with outcomes `counts` (K,)."""
    for a in range(basis.shape[1]):
        out[a] = 0.0
        for k in range(len(p)):
            out[a] += basis[k, a] * (pulls * p[k] - counts[k])


@kernel
def curvature(basis, p, out):
    """C^T grad mu C = C^T (diag(p) - p p^T) C into `out` (K-1, K-1).

    The rows of C are taken relative to that of the likeliest outcome, which changes nothing, so that nothing cancels where
    its probability is 1 up to rounding.
    """
    outcomes, free = basis.shape
    top = 0
    for k in range(1, outcomes):
        if p[k] > p[top]:
            top = k
    for a in range(free):
        mean_a = 0.0
        for k in range(outcomes):
            mean_a += p[k] * (basis[k, a] - basis[top, a])
        for b in range(a + 1):
            total = 0.0
            for k in range(outcomes):
                total += p[k] * (basis[k, a] - basis[top, a] - mean_a) * (basis[k, b] - basis[top, b])
            out[a, b] = total
            out[b, a] = total


@rare_kernel
def ridge_estimate(basis, arms, counts, ridge, phi, scratch):
    """Line 7 of Algorithm 1: minimise the loss summed over the outcome counts (N, K), plus ridge/2 ||phi||^2, in place.

    Damped Newton from `phi`; the damping log(1 + m)/m, m = sqrt(6) ||step||, is the one under which a step of a generalised
    self-concordant function cannot overshoot (Sun and Tran-Dinh 2019, nu = 2), so every start converges.
    Stops when the Newton decrement is below 1e-9 of a standard error, or no longer decreases (rounding), or after 200 steps.
    """
    outcomes, free = basis.shape
    dim = arms.shape[1]
    size = free * dim
    p, block, hessian, lower = scratch.p, scratch.g, scratch.hessian, scratch.lower
    gradient, step = scratch.gradient, scratch.step
    previous = math.inf
    for _ in range(200):
        for i in range(size):
            for j in range(size):
                hessian[i, j] = 0.0
            hessian[i, i] = ridge
            gradient[i] = ridge * phi[i // dim, i % dim]
        for n in range(len(arms)):
            pulls = total(counts[n])
            if pulls == 0.0:
                continue
            probabilities(basis, phi, arms[n], p)
            curvature(basis, p, block)
            for a in range(free):
                residual = 0.0
                for k in range(outcomes):
                    residual += basis[k, a] * (pulls * p[k] - counts[n, k])
                for i in range(dim):
                    gradient[a * dim + i] += residual * arms[n, i]
                    for b in range(free):
                        for j in range(dim):
                            hessian[a * dim + i, b * dim + j] += pulls * block[a, b] * arms[n, i] * arms[n, j]
        cholesky(hessian, lower)
        for i in range(size):
            step[i] = gradient[i]
        solve_cholesky(lower, step)
        decrement, length = 0.0, 0.0
        for i in range(size):
            decrement += step[i] * gradient[i]
            length += step[i] * step[i]
        reach = math.sqrt(6.0 * length)
        damping = math.log1p(reach) / reach if reach > 0.0 else 1.0
        for i in range(size):
            phi[i // dim, i % dim] -= damping * step[i]
        if decrement < 1e-18 or (decrement < 1e-12 and decrement >= previous):
            return
        previous = decrement
