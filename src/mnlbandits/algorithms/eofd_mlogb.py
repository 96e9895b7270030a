"""EOFD-MLogB (He, Zhang, Yang and Zhang 2026), reconstructed: OFUL-MLogB whose matrix is a sketch of few directions.

Only the abstract was at hand: it states that the matrix H of OFUL-MLogB is kept as a low-rank sketch by frequent directions,
the regret and the cost. Sketch size, step sizes and radius are ours: nothing measured here is the published algorithm.
Coordinates, eta and S as in `oful_mlogb`, D = (K-1) d, m = max(ceil(D/2), K-1).

    1. beta_1 = 0, H_1 = lambda I_D, the sketch F of at most 2 m rows of length D is empty, zeta = 0
    2. for t = 1, 2, ...:
    3.     play x_t = argmax over the arms on offer of rho^T mu(beta_t x) + eps_1(x) + eps_2(x), as in `oful_mlogb`
    4.     observe y_t
    5.     Htilde_t = H_t + eta grad mu(beta_t x_t) (x) x_t x_t^T
    6.     beta_{t+1} = argmin over ||beta||_F <= S of <grad l_t(beta_t), beta> + 1/(2 eta) ||beta - beta_t||^2_{Htilde_t}
    7.     if F has no room for K-1 rows:
    8.         F <- its right singular vectors times sqrt(s_i^2 - s_m^2) for the singular values s_i > s_m
    9.         zeta <- zeta + s_m^2
   10.     append to F the rows of U^T, U = L (x) x_t, L L^T = grad mu(beta_{t+1} x_t)
   11.     H_{t+1} = (lambda + zeta) I + F^T F

Line 8 (Liberty 2013) leaves at most m - 1 rows. The matrix is formed in full: O(D^3 + N K^2 d^2) a round whatever t, where
the abstract has O(K d (m + K)^2). The decisions are those of a sketch, its speed is not.

Presets
-------
valid : lambda and eta of `oful_mlogb`'s valid preset, radius^2 = lambda S^2 + 2 eta log(1/delta)
    + 3 sqrt(6) eta^2 D log(1 + 2 t/(D lambda)) + 4 S^2 zeta_t: H grows by at least U U^T and by at
    most U U^T + s_m^2 I a round, so it is at least the exact matrix, which bounds the volume term, and the potential
    ||beta_t - beta_*||^2_H gains at most (2 S)^2 s_m^2 more at each shrinkage. Our derivation.
calibrated : that radius times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import RADIUS, Algorithm
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.eigen import symmetric_eigen
from mnlbandits.learners.learner import Learner, distance_to_truth, refresh
from mnlbandits.learners.likelihood import curvature, probabilities
from mnlbandits.learners.linalg import cholesky
from mnlbandits.learners.mirror_descent import in_reference_ball, step
from mnlbandits.learners.optimistic_index import optimistic_arm
from mnlbandits.learners.radii import OnlineRadius, mix_loss
from mnlbandits.model.softmax import Array


class EofdState(NamedTuple):
    """State of EOFD-MLogB; arrays are changed in place."""

    learner: Learner  # its W is the sketched H
    arms: Array  # those of the learner (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    radius: OnlineRadius
    size: int  # m
    sketch: Array  # F (2 m, D)
    rotated: Array  # (2 m, D) working memory
    values: Array  # (2 m, 2 m) F F^T, then its eigenvalues, working memory
    vectors: Array  # (2 m, 2 m) its eigenvectors, working memory
    rows: Array  # (1,) int64: rows of F in use
    lost: Array  # (1,) zeta


def start(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> EofdState:
    """The state before round 1."""
    learner, numbers = in_reference_ball(problem, False, radius_multiplier)
    free, size = numbers.size, max(math.ceil(numbers.size / 2), problem.outcomes - 1)
    return EofdState(
        learner=learner,
        arms=learner.arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        radius=numbers,
        size=size,
        sketch=np.zeros((2 * size, free)),
        rotated=np.zeros((2 * size, free)),
        values=np.zeros((2 * size, 2 * size)),
        vectors=np.zeros((2 * size, 2 * size)),
        rows=np.zeros(1, dtype=np.int64),
        lost=np.zeros(1),
    )


@kernel
def radius(state, t):
    """The confidence radius after t rounds."""
    numbers = state.radius
    return numbers.scale * math.sqrt((numbers.ridge + 4.0 * state.lost[0]) * numbers.norm_bound**2 + mix_loss(numbers, t))


@kernel
def choose(state, t):
    """Line 3: argmax of rho^T mu + eps_1 + eps_2 at the current estimate, with the sketched matrix."""
    return optimistic_arm(state.learner, radius(state, t), state.offered)


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 11: one mirror-descent step within the ball, then the sketch and the matrix made of it."""
    step(state.learner, arm, outcome)
    if state.rows[0] + state.learner.basis.shape[1] > len(state.sketch):
        shrink(state.sketch, state.rotated, state.values, state.vectors, state.size, state.rows, state.lost)
    append(state, arm)
    assemble(state.sketch, state.rows, state.radius.ridge + state.lost[0], state.learner.w)
    refresh(state.learner)


@kernel
def append(state, arm):
    """Line 10: the rows of U^T at the new estimate."""
    learner, sketch = state.learner, state.sketch
    free, dim = learner.phi.shape
    x, p, g, root = learner.arms[arm], learner.scratch.p, learner.scratch.g, learner.scratch.root
    probabilities(learner.basis, learner.phi, x, p)
    curvature(learner.basis, p, g)
    cholesky(g, root)
    for b in range(free):
        for a in range(free):
            for j in range(dim):
                sketch[state.rows[0], a * dim + j] = root[a, b] * x[j]
        state.rows[0] += 1


@rare_kernel
def shrink(sketch, rotated, gram, columns, size, rows, lost):
    """Lines 8 and 9: take the `size`-th squared singular value off all of them.

    F -> diag(sqrt(1 - s_m^2/s_i^2)) left^T F, where s_i > s_m.

    The squared singular values and left vectors are the eigenvalues and eigenvectors of F F^T.
    """
    used, width = rows[0], sketch.shape[1]
    values, vectors = gram[:used, :used], columns[:used, :used]
    for i in range(used):
        for j in range(used):
            values[i, j] = 0.0
            for k in range(width):
                values[i, j] += sketch[i, k] * sketch[j, k]
    symmetric_eigen(values, vectors)
    cut = 0.0
    for i in range(used):  # the largest eigenvalue that `size` of them reach
        reached = 0
        for j in range(used):
            reached += values[j, j] >= values[i, i]
        if reached >= size:
            cut = max(cut, values[i, i])
    rows[0] = 0
    for i in range(used):
        if values[i, i] > cut:
            factor = math.sqrt(1.0 - cut / values[i, i])
            for k in range(width):
                rotated[rows[0], k] = 0.0
                for j in range(used):
                    rotated[rows[0], k] += factor * vectors[j, i] * sketch[j, k]
            rows[0] += 1
    for i in range(rows[0]):
        for k in range(width):
            sketch[i, k] = rotated[i, k]
    lost[0] += cut


@rare_kernel
def assemble(sketch, rows, diagonal, h):
    """Line 11: H = diagonal I + F^T F into `h` (D, D)."""
    for i in range(len(h)):
        for j in range(i + 1):
            total = diagonal if i == j else 0.0
            for k in range(rows[0]):
                total += sketch[k, i] * sketch[k, j]
            h[i, j] = total
            h[j, i] = total


@kernel
def ratio(state, t, theta):
    """||beta - beta_{t+1}||_{H_{t+1}} over the radius, for theta (K, d)."""
    return distance_to_truth(state.learner, theta) / radius(state, t)


ALGORITHM = Algorithm(
    name="eofd-mlogb",
    title="EOFD-MLogB (reconstruction)",
    source="after He, Zhang, Yang and Zhang (2026), abstract only",
    state=EofdState,
    presets=("valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=(RADIUS,),
    regret=r"\Delta_T (K d \log \Delta_T + m) \sqrt{T}",
    cost="O(1)",
    mark="a reconstruction from the abstract, not the published algorithm: sketch size, steps and radius are ours",
)
