"""Logistic-UCB-2 (Faury, Abeille, Calauzènes and Fercoq 2020): a convex surrogate."""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, DATA, RADIUS, Algorithm
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.admissible import admissible, admissible_estimate
from mnlbandits.learners.binary_mle import FAILED, MOVED, BinaryMle, inverse_norm, make_binary, observe, penalised
from mnlbandits.learners.data import loss
from mnlbandits.learners.linalg import first_argmax, invert_positive, quadratic_form
from mnlbandits.learners.mle import largest_linear, mean_rewards
from mnlbandits.learners.self_normalised import CURVATURE, measure_volume, radius, ratio, ridge_of
from mnlbandits.model.softmax import Array


class LogisticUcb2State(NamedTuple):
    """State of Logistic-UCB-2; arrays are changed in place."""

    learner: BinaryMle
    printed: bool  # the paper preset's gamma and second-order bonus
    scale: float  # multiplier on gamma
    volume: Array  # (1,) log det(I + sum x x^T / (4 lambda))
    limits: Array  # (N,) smallest l_s of every arm, infinite before its first round
    smallest: Array  # (2,) min F over the ball, and beta^2
    paths: Array  # (2, N, 1, d) last maximisers of x^T b and -x^T b, to start from
    speeds: Array  # (2, N, 1) their tilts
    b2: Array  # (1, d) the admissible estimate
    curved: Array  # (d, d) H(b2)^-1
    multipliers: Array  # (3, N + 1): multiplier, slack and curvature of every constraint
    direction: Array  # (d,)


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> LogisticUcb2State:
    """The state of Logistic-UCB-2 before round 1."""
    learner, (count, dim) = make_binary(problem, data, ridge_of(problem)), problem.arms.shape
    return LogisticUcb2State(
        learner=learner,
        printed=preset == "paper",
        scale=radius_multiplier,
        volume=np.zeros(1),
        limits=np.full(count, np.inf),
        smallest=np.zeros(2),
        paths=np.zeros((2, count, 1, dim)),
        speeds=np.ones((2, count, 1)),
        b2=np.zeros((1, dim)),
        curved=np.eye(dim) / learner.ridge,
        multipliers=np.zeros((3, count + 1)),
        direction=np.zeros(dim),
    )


@kernel
def choose(state, t):
    """argmax of rho^T mu + first-order bonus + second-order bonus, at the admissible estimate."""
    learner = state.learner
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
    return first_argmax(scores)


@kernel
def limit(state, arm, gamma):
    """Lower the arm's limit to the largest |x^T b| of the convex set on the data so far."""
    learner = state.learner
    x, direction = learner.data.arms[arm], state.direction
    square, length = 0.0, 0.0
    for j in range(len(x)):
        square += x[j] * x[j]
        length += learner.b[0, j] ** 2
    state.smallest[0] = loss(learner.data, learner.b) + 0.5 * learner.ridge * length
    state.smallest[1] = (gamma + gamma**2 / math.sqrt(learner.ridge)) ** 2
    if square > 0.0:
        largest = 0.0
        for side in range(2):
            for j in range(len(x)):
                direction[j] = x[j] if side == 0 else -x[j]
            value = largest_linear(
                learner.data,
                learner.ridge,
                direction,
                state.smallest,
                learner.norm_bound,
                state.paths[side, arm],
                state.speeds[side, arm],
            )
            largest = max(largest, value)
        state.limits[arm] = min(state.limits[arm], largest)


@kernel
def update(state, t, arm, outcome):
    """The arm's limit from the data before this round; then fit, move the estimate, and test it if it was moved."""
    learner = state.learner
    limit(state, arm, radius(state, t - 1))
    moved = observe(learner, arm, outcome) > 0.0
    measure_volume(state)
    for j in range(learner.b.shape[1]):
        state.b2[0, j] = learner.b[0, j]
    if not admissible(learner.data.arms, state.limits, state.b2):
        admissible_estimate(learner.data, learner.ridge, state.limits, learner.norm_bound, state.b2, state.multipliers)
        learner.counters[MOVED] += 0 if moved else 1
        moved = True
    penalised(learner.data, learner.ridge, state.b2)
    invert_positive(learner.data.hessian, state.curved, learner.square)
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
