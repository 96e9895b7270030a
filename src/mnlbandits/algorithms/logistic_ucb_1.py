"""Logistic-UCB-1 (Faury, Abeille, Calauzenes and Fercoq 2020): sets in the local metric of the loss, a global bonus.

In the terms of `binary_mle`: S_b, kappa_b, the penalised loss F with Hessian H and g(b) = sum s(x^T b) x + lambda b;
lambda = d log T. Numbered by us.

    1. V_0 = kappa_b lambda I
    2. for t = 1, 2, ...:
    3.     play x_t = argmax_x rho^T mu(b_t x) + (rho_1 - rho_2) sqrt(4 + 8 S_b) sqrt(kappa_b) gamma_t ||x||_{V_{t-1}^-1}/4
    4.     observe y_t
    5.     V_t = V_{t-1} + x_t x_t^T
    6.     bhat = argmin F
    7.     b_{t+1} = argmin over ||b|| <= S_b of ||g(b) - g(bhat)||_{H(b)^-1}

rho_1 and rho_2 are the better and the worse reward. Lines 6 and 7 are those of `binary_mle`, gamma_t that of
`self_normalised`.

Presets
-------
paper : gamma_t with the printed bound on the determinant.
valid : gamma_t with the determinant itself. Our derivation.
calibrated : the valid constants with gamma_t times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, DATA, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary_mle import (
    FAILED,
    BinaryMle,
    add_bonus,
    gain,
    local_distance,
    make_binary,
    observe,
    observe_many,
)
from mnlbandits.learners.linalg import first_offered
from mnlbandits.learners.self_normalised import measure_volume, radius, ratio, ridge_of
from mnlbandits.model.softmax import Array


class LogisticUcb1State(NamedTuple):
    """State of Logistic-UCB-1; arrays are changed in place."""

    learner: BinaryMle
    arms: Array  # those of the data (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    printed: bool  # the paper preset's gamma
    scale: float  # multiplier on gamma
    volume: Array  # (1,) log det(I + sum x x^T / (4 lambda))


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> LogisticUcb1State:
    """The state of Logistic-UCB-1 before round 1."""
    learner = make_binary(problem, data, ridge_of(problem))
    return LogisticUcb1State(
        learner=learner,
        arms=learner.data.arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        printed=preset == "paper",
        scale=radius_multiplier,
        volume=np.zeros(1),
    )


@kernel
def choose(state, t):
    """Line 3: argmax of rho^T mu + bonus."""
    learner = state.learner
    add_bonus(learner, 0.25 * math.sqrt(4.0 + 8.0 * learner.norm_bound) * radius(state, t))
    return first_offered(learner.scores, state.offered)


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 7; then test the estimate if it was moved."""
    learner = state.learner
    multiplier = observe(learner, arm, outcome)
    measure_volume(state)
    if multiplier > 0.0 and local_distance(learner, learner.b) > radius(state, t):
        learner.counters[FAILED] += 1


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    observe_many(state.learner, arm, counts)
    measure_volume(state)


ALGORITHM = Algorithm(
    name="logistic-ucb-1",
    title="Logistic-UCB-1",
    state=LogisticUcb1State,
    start=start,
    choose=choose,
    update=update,
    batch=Batch(pull, gain),
    regret=r"d \sqrt{\kappa T}",
    mark="as published, with the constrained MLE as projection; valid: the determinant for its bound, our change",
    source="Faury, Abeille, Calauzènes and Fercoq (2020)",
    presets=("paper", "valid", "calibrated"),
    ratio=ratio,
    options=(DATA, RADIUS),
    setting=BINARY,
    cost="O(t)",
)
