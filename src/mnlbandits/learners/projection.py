"""The constraint set {||(phi - centre) A^{1/2}||_F <= radius} of a learner, Algorithm 2's Theta: distance, projection.

In coordinates psi = (phi - centre) A^{1/2} the set is a ball, and the point of it closest to psi_0 in the norm of Wtilde is
psi = (I + nu T)^-1 psi_0, T = (I (x) A^{1/2}) Wtilde^-1 (I (x) A^{1/2}), with the nu > 0 that puts it on the sphere. Lanczos
vectors, an orthonormal basis of the Krylov space {psi_0, T psi_0, ...}, reduce T to a tridiagonal H, for every nu at once. A
few of them do, as a step leaves the set by little: a projection costs a few products with W^-1, like the update of W^-1, and
no factorisation.
"""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.learner import measure_lost
from mnlbandits.learners.linalg import dot, multiply

ACCURACY = 1e-13
"""Largest relative error of the norm of a projected point, and of its equation."""


@kernel
def distance_to_centre(learner, phi):
    """||(phi - centre) A^{1/2}||_F."""
    free, dim = phi.shape
    total = 0.0
    for a in range(free):
        for i in range(dim):
            entry = 0.0
            for j in range(dim):
                entry += (phi[a, j] - learner.centre[a, j]) * learner.shape[0, j, i]
            total += entry * entry
    return math.sqrt(total)


@rare_kernel
def project(learner, g, proposal):
    """Replace `proposal` (K-1, d) by the closest point of the set, in the norm of Wtilde = W + g (x) x x^T.

    x is the arm of the last `prepare`; g = 0 (K-1, K-1) projects in the norm of W.
    """
    free, dim = proposal.shape
    size, radius, scratch = free * dim, learner.radius[0], learner.scratch
    basis, off, solution, psi = scratch.krylov, scratch.off, scratch.solution, scratch.psi
    measure_lost(scratch, g)
    for a in range(free):
        for i in range(dim):
            psi[a * dim + i] = proposal[a, i] - learner.centre[a, i]
    multiply_rows(psi, learner.shape[0], basis[0])
    length = normalise(basis[0])
    nu, used, error = 0.0, 0, math.inf
    for _ in range(size + 100):
        if used < size and error > ACCURACY * radius:
            multiply_shape(learner, basis[used], basis[used + 1])
            orthogonalise(basis, used, scratch)
            used += 1
        excess, step = newton_step(scratch, used, length, radius, nu)
        error = nu * off[used - 1] * abs(solution[used - 1]) if used < size else 0.0
        if error <= ACCURACY * radius and abs(excess) <= ACCURACY:
            break
        nu = max(0.0, nu + step)
    for i in range(size):
        psi[i] = 0.0
    for k in range(used):
        for i in range(size):
            psi[i] += solution[k] * basis[k, i]
    multiply_rows(psi, learner.shape[1], scratch.image)
    for a in range(free):
        for j in range(dim):
            proposal[a, j] = learner.centre[a, j] + scratch.image[a * dim + j]


@kernel
def multiply_rows(v, a, out):
    """(I (x) a) v into `out` (D,), for v (D,) and a symmetric a (d, d)."""
    dim = len(a)
    for start in range(0, len(v), dim):
        multiply(a, v[start : start + dim], out[start : start + dim])


@kernel
def multiply_shape(learner, v, out):
    """T v into `out` (D,), with Wtilde^-1 = W^-1 - y y^T after `measure_lost`."""
    psi, image, y = learner.scratch.psi, learner.scratch.image, learner.scratch.lost
    multiply_rows(v, learner.shape[0], psi)
    multiply(learner.inverse, psi, image)
    for b in range(y.shape[1]):
        weight = dot(y[:, b], psi)
        for i in range(len(image)):
            image[i] -= weight * y[i, b]
    multiply_rows(image, learner.shape[0], out)


@kernel
def orthogonalise(basis, k, scratch):
    """Make basis[k + 1] = T basis[k] the next Lanczos vector; entries k of H on its diagonal and off it."""
    following = basis[k + 1]
    for j in range(k + 1):
        along = dot(basis[j], following)
        for i in range(len(following)):
            following[i] -= along * basis[j, i]
        scratch.diagonal[k] = along
    scratch.off[k] = normalise(following)


@kernel
def normalise(v):
    """The length of v (n,), which becomes 1 unless it is 0."""
    length = math.sqrt(dot(v, v))
    if length > 0.0:
        for i in range(len(v)):
            v[i] /= length
    return length


@kernel
def newton_step(scratch, size, length, radius, nu):
    """Solve (I + nu H) y = length e_1 into `scratch.solution`, H (size, size) tridiagonal; step of Newton's method in nu.

    1/||y|| is concave in nu, so that it increases to the root from the left. I + nu H = L D L^T, and the slope is
    y^T H (I + nu H)^-1 y = (L^-1 y)^T D^-1 (L^-1 H y).

    Returns
    -------
    ||y||/radius - 1 and the step.
    """
    diagonal, off, y, factor, pivots = scratch.diagonal, scratch.off, scratch.solution, scratch.below, scratch.pivots
    y[0], pivots[0] = length, 1.0 + nu * diagonal[0]
    for k in range(1, size):
        factor[k] = nu * off[k - 1] / pivots[k - 1]
        pivots[k] = 1.0 + nu * (diagonal[k] - factor[k] * off[k - 1])
        y[k] = -factor[k] * y[k - 1]
    y[size - 1] /= pivots[size - 1]
    for k in range(size - 2, -1, -1):
        y[k] = y[k] / pivots[k] - factor[k + 1] * y[k + 1]
    square, slope, left, right = 0.0, 0.0, 0.0, 0.0
    for k in range(size):
        image = diagonal[k] * y[k]
        if k > 0:
            image += off[k - 1] * y[k - 1]
        if k < size - 1:
            image += off[k] * y[k + 1]
        left = y[k] - (factor[k] * left if k > 0 else 0.0)
        right = image - (factor[k] * right if k > 0 else 0.0)
        square += y[k] * y[k]
        slope += left * right / pivots[k]
    excess = math.sqrt(square) / radius - 1.0
    return excess, excess * square / slope
