"""The constraint set {||(phi - centre) A^{1/2}||_F <= radius} of a learner, Algorithm 2's Theta: distance, projection."""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.linalg import solve_in_ball


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
def project(learner, x, g, proposal):
    """Replace the unconstrained minimiser by the constrained one: min ||phi - proposal||_{Wtilde} over the set.

    Wtilde = W + ahead g (x) x x^T; g = 0 projects in the norm of W.
    In the coordinates psi = (phi - centre) A^{1/2} the set is a ball and the solution is psi = (H + nu I)^-1 H psi_0 with
    the nu > 0 that puts it on the sphere.
    """
    free, dim = proposal.shape
    size = free * dim
    scratch = learner.scratch
    curved, half, whitened, lower = scratch.curved, scratch.half, scratch.whitened, scratch.lower
    start, target, psi = scratch.start, scratch.target, scratch.psi
    for a in range(free):
        for i in range(dim):
            start[a * dim + i] = 0.0
            for j in range(dim):
                start[a * dim + i] += (proposal[a, j] - learner.centre[a, j]) * learner.shape[0, j, i]
            for b in range(free):
                for j in range(dim):
                    curved[a * dim + i, b * dim + j] = (
                        learner.w[a * dim + i, b * dim + j] + learner.ahead * g[a, b] * x[i] * x[j]
                    )
    for a in range(free):  # H = (I (x) A^{-1/2}) Wtilde (I (x) A^{-1/2})
        for i in range(dim):
            for c in range(size):
                half[a * dim + i, c] = 0.0
                for k in range(dim):
                    half[a * dim + i, c] += learner.shape[1, i, k] * curved[a * dim + k, c]
    for r in range(size):
        for b in range(free):
            for j in range(dim):
                whitened[r, b * dim + j] = 0.0
                for k in range(dim):
                    whitened[r, b * dim + j] += half[r, b * dim + k] * learner.shape[1, k, j]
    for i in range(size):
        target[i] = 0.0
        for j in range(size):
            target[i] += whitened[i, j] * start[j]
    solve_in_ball(whitened, target, learner.radius[0], psi, curved, lower, start)
    for a in range(free):
        for j in range(dim):
            proposal[a, j] = learner.centre[a, j]
            for i in range(dim):
                proposal[a, j] += psi[a * dim + i] * learner.shape[1, i, j]
