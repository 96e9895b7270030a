"""Logistic-UCB-2 (Faury, Abeille, Calauzenes and Fercoq 2020), a convex surrogate: admissible estimates, a local bonus.

In the terms of `binary_mle`: S_b, kappa_b, the penalised loss F with Hessian H and g(b) = sum s(x^T b) x + lambda b;
lambda = d log T, and C_t = {||b|| <= S_b, ||g(b) - g(bhat)||_{H(b)^-1} <= gamma_t}. As published, numbered by us:

    1. V_0 = kappa_b lambda I
    2. for t = 1, 2, ...:
    3.     play x_t = argmax_x rho^T mu(b2_t x) + (rho_1 - rho_2) [(2 + 4 S_b) s'(x^T b2_t) gamma_t ||x||_{H(b2_t)^-1} +
               c M kappa_b gamma_t^2 ||x||^2_{V_{t-1}^-1}]
    4.     l_t = max over C_t of |x_t^T b|
    5.     observe y_t
    6.     V_t = V_{t-1} + x_t x_t^T
    7.     bhat = argmin F
    8.     b2_{t+1} = argmin of ||g(b) - g(bhat)||_{H(b)^-1} over the b in the ball with |x_s^T b| <= l_s for all s <= t

rho_1 and rho_2 are the better and the worse reward. What runs here, with every preset, is a convex surrogate of ours: the
maxima of line 4 are over the larger convex set {||b|| <= S_b, F(b) <= min F + beta_t^2}, min F over the ball, beta = gamma +
gamma^2/sqrt(lambda), and line 8 minimises F. The published C_t is not convex, and neither is the objective of line 8. Of the
l_s of an arm only the smallest matters. Whether b2 passes the test of the proof, ||g(b2) - g(bhat)||_{H(b2)^-1} <= gamma_t,
is counted as in `binary_mle`. gamma_t is that of `self_normalised`.

Presets
-------
paper : gamma_t with the printed bound on the determinant, c = 4 + 8 S_b, M = 1/4.
valid : gamma_t with the determinant itself; c = 2 + 4 S_b and M = 1/(6 sqrt(3)) = max |s''|, as Taylor's remainder is at
    most M/2 (x^T (b_* - b2))^2 and |x^T (b_* - b2)| <= sqrt(kappa_b) ||x||_{V^-1} 2 sqrt(1 + 2 S_b) gamma_t. Our derivation.
calibrated : the valid constants with gamma_t times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, DATA, RADIUS, Algorithm
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.admissible import InteriorPoint, admissible, admissible_estimate, make_interior_point
from mnlbandits.learners.binary_mle import FAILED, MOVED, BinaryMle, inverse_norm, look, make_binary, observe, penalised
from mnlbandits.learners.data import loss, next_row
from mnlbandits.learners.linalg import first_offered, invert_positive, quadratic_form
from mnlbandits.learners.mle import largest_linear, mean_rewards
from mnlbandits.learners.self_normalised import CURVATURE, measure_volume, radius, ratio, ridge_of
from mnlbandits.model.softmax import Array


class LogisticUcb2State(NamedTuple):
    """State of Logistic-UCB-2; arrays are changed in place."""

    learner: BinaryMle
    arms: Array  # those of the data (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    printed: bool  # the paper preset's gamma and second-order bonus
    scale: float  # multiplier on gamma
    volume: Array  # (1,) log det(I + sum x x^T / (4 lambda))
    limits: Array  # (M,) smallest l_s of every row of the data, infinite before its first round
    paths: Array  # (2, N, 1, d) last maximisers of x^T b and -x^T b, to start from
    speeds: Array  # (2, N, 1) their tilts
    b2: Array  # (1, d) the admissible estimate
    curved: Array  # (d, d) H(b2)^-1
    point: InteriorPoint
    direction: Array  # (d,)


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> LogisticUcb2State:
    """The state of Logistic-UCB-2 before round 1."""
    learner, (count, dim) = make_binary(problem, data, ridge_of(problem)), problem.arms.shape
    rows = learner.data.features.shape[1]
    return LogisticUcb2State(
        learner=learner,
        arms=learner.data.arms,
        offered=np.ones(count, dtype=bool),
        printed=preset == "paper",
        scale=radius_multiplier,
        volume=np.zeros(1),
        limits=np.full(rows, np.inf),
        paths=np.zeros((2, count, 1, dim)),
        speeds=np.ones((2, count, 1)),
        b2=np.zeros((1, dim)),
        curved=np.eye(dim) / learner.ridge,
        point=make_interior_point(rows),
        direction=np.zeros(dim),
    )


@kernel
def choose(state, t):
    """Line 3: argmax of rho^T mu + first-order bonus + second-order bonus, at the admissible estimate."""
    learner = state.learner
    if learner.fresh:
        look(learner)
    scores, arms, gamma, bound = learner.scores, learner.data.arms, radius(state, t), learner.norm_bound
    second = (2.0 + 4.0 * bound) * (0.5 if state.printed else CURVATURE) * gamma**2
    mean_rewards(learner.data, learner.rewards, state.b2, scores)
    for n in range(len(scores)):
        logit = 0.0
        for j in range(arms.shape[1]):
            logit += arms[n, j] * state.b2[0, j]
        decay = math.exp(-abs(logit))
        slope = decay / (1.0 + decay) ** 2
        first = (2.0 + 4.0 * bound) * slope * gamma * math.sqrt(max(0.0, quadratic_form(state.curved, arms[n])))
        scores[n] += learner.spread * (first + second * learner.widths[n])
    return first_offered(scores, state.offered)


@kernel
def limit(state, arm, gamma):
    """Line 4: lower the limit of the round's row to the largest |x^T b| of the convex set on the data so far."""
    learner = state.learner
    x, direction = learner.data.arms[arm], state.direction
    square, length = 0.0, 0.0
    for j in range(len(x)):
        square += x[j] * x[j]
        length += learner.b[0, j] ** 2
    smallest = loss(learner.data, learner.b) + 0.5 * learner.ridge * length
    allowed = (gamma + gamma**2 / math.sqrt(learner.ridge)) ** 2
    if square > 0.0:
        largest = 0.0
        for side in range(2):
            for j in range(len(x)):
                direction[j] = x[j] if side == 0 else -x[j]
                if learner.fresh:  # the last maximiser is that of another vector
                    state.paths[side, arm, 0, j] = learner.b[0, j]
                    state.speeds[side, arm, 0] = 1.0
            value = largest_linear(
                learner.data,
                learner.ridge,
                direction,
                smallest,
                allowed,
                learner.norm_bound,
                state.paths[side, arm],
                state.speeds[side, arm],
            )
            largest = max(largest, value)
        row = next_row(learner.data, arm)
        state.limits[row] = min(state.limits[row], largest)


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 8: the row's limit from the data before this round; then fit, move the estimate and test it if it moved."""
    learner = state.learner
    limit(state, arm, radius(state, t - 1))
    moved = observe(learner, arm, outcome) > 0.0
    measure_volume(state)
    for j in range(learner.b.shape[1]):
        state.b2[0, j] = learner.b[0, j]
    if not admissible(learner.data, state.limits, state.b2):
        admissible_estimate(learner.data, learner.ridge, state.limits, learner.norm_bound, state.b2, state.point)
        learner.counters[MOVED] += 0 if moved else 1
        moved = True
    penalised(learner.data, learner.ridge, state.b2)
    invert_positive(learner.data.hessian, state.curved, learner.lower)
    distance = inverse_norm(learner.data.hessian, learner.data.gradient, learner.data.lower)
    if moved and distance > radius(state, t):
        learner.counters[FAILED] += 1


ALGORITHM = Algorithm(
    name="logistic-ucb-2",
    title="Logistic-UCB-2 (convex surrogate)",
    state=LogisticUcb2State,
    start=start,
    choose=choose,
    update=update,
    row=2,
    regret=r"d \sqrt{T} + \kappa d^2",
    mark="convex surrogate of ours: log-loss sets for the limits, constrained MLE as projection; bonus as published",
    source="Faury, Abeille, Calauzènes and Fercoq (2020)",
    presets=("paper", "valid", "calibrated"),
    ratio=ratio,
    options=(DATA, RADIUS),
    setting=BINARY,
    cost="O(t)",
)
