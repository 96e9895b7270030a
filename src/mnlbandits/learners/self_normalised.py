"""The sets {||b|| <= S_b, ||g(b) - g(bhat)||_{H(b)^-1} <= gamma_t} that both Logistic-UCB rest on.

In the terms of `binary_mle`, with lambda = d log T and the volume v = log det(I + sum x x^T/(4 lambda)),

    gamma_t = sqrt(lambda) (S_b + 1/2) + 2/sqrt(lambda) (log(1/delta) + d log 2 + v/2),

where the paper (Faury, Abeille, Calauzenes and Fercoq 2020) has the bound d log(1 + t/(4 d lambda)) for v.
"""

import math

from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary_mle import local_distance, set_truth
from mnlbandits.learners.linalg import cholesky

CURVATURE = 1 / (6 * math.sqrt(3))
"""max |s''| of the sigmoid."""


def ridge_of(problem: Problem) -> float:
    """lambda = d log T, at least that of T = 2."""
    return problem.dim * math.log(max(2, problem.horizon))


@kernel
def radius(state, t):
    """gamma_t of a state with `learner`, `printed`, `scale` and `volume`."""
    learner = state.learner
    dim, ridge = learner.b.shape[1], learner.ridge
    volume = dim * math.log1p(t / (4.0 * dim * ridge)) if state.printed else state.volume[0]
    noise = math.log(1.0 / learner.delta) + dim * math.log(2.0) + 0.5 * volume
    return state.scale * (math.sqrt(ridge) * (learner.norm_bound + 0.5) + 2.0 / math.sqrt(ridge) * noise)


@kernel
def measure_volume(state):
    """log det(I + sum x x^T / (4 lambda)) of the V so far."""
    learner = state.learner
    dim, matrix, lower = learner.b.shape[1], learner.data.shifted, learner.data.lower
    for i in range(dim):
        for j in range(dim):
            matrix[i, j] = learner.design[i, j] / (4.0 * learner.ridge)
        matrix[i, i] += 1.0 - 0.25 * learner.kappa
    cholesky(matrix, lower)
    total = 0.0
    for i in range(dim):
        total += 2.0 * math.log(lower[i, i])
    state.volume[0] = total


@kernel
def ratio(state, t, theta):
    """||g(b) - g(bhat)||_{H(b)^-1} / gamma_t for theta (2, d)."""
    set_truth(state.learner, theta)
    return local_distance(state.learner, state.learner.truth) / radius(state, t)
