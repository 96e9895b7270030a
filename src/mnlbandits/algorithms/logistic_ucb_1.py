"""Logistic-UCB-1 and Logistic-UCB-2 (Faury, Abeille, Calauzenes and Fercoq 2020): sets in the local metric of the loss.

Both rest on C_t = {||b|| <= S_b, ||g(b) - g(bhat)||_{H(b)^-1} <= gamma_t}, V = kappa_b lambda I + sum x x^T and lambda =
d log T. Logistic-UCB-1 has the bonus sqrt(4 + 8 S_b) sqrt(kappa_b) gamma_t ||x||_{V^-1} / 4 at the estimate of
`binary_mle`.

Logistic-UCB-2 keeps for every round s the largest |x_s^T b| in C_s, l_s, and admits only b with |x_s^T b| <= l_s for all s.
At the admissible estimate b2 its bonus is (2 + 4 S_b) s'(x^T b2) gamma_t ||x||_{H(b2)^-1} + c M kappa_b gamma_t^2
||x||^2_{V^-1}. What runs here, with every preset, is a convex surrogate of ours: the maxima l_s are over the larger convex
set {||b|| <= S_b, F(b) <= min F + beta_s^2}, min F over the ball, beta = gamma + gamma^2/sqrt(lambda), and b2 minimises F
over the admissible set. The published C_s is not convex, and neither is its objective ||g(b) - g(bhat)||_{H(b)^-1}. Of the
l_s of an arm only the smallest matters. Whether b2 passes the test of the proof, ||g(b2) - g(bhat)||_{H(b2)^-1} <= gamma_t,
is counted as in `binary_mle`.

Presets
-------
paper : gamma_t = sqrt(lambda) (S_b + 1/2) + 2/sqrt(lambda) log(2^d/delta (1 + t/(4 d lambda))^{d/2}), c = 4 + 8 S_b,
    M = 1/4.
valid : gamma_t with det(I + sum x x^T/(4 lambda)) where the paper has its bound (1 + t/(4 d lambda))^d; c = 2 + 4 S_b and
    M = 1/(6 sqrt(3)) = max |s''|, as Taylor's remainder is at most M/2 (x^T (b_* - b2))^2 and |x^T (b_* - b2)| <=
    sqrt(kappa_b) ||x||_{V^-1} 2 sqrt(1 + 2 S_b) gamma_t. Our derivation.
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
from mnlbandits.learners.linalg import first_argmax
from mnlbandits.learners.self_normalised import measure_volume, radius, ratio, ridge_of
from mnlbandits.model.softmax import Array


class LogisticUcb1State(NamedTuple):
    """State of Logistic-UCB-1; arrays are changed in place."""

    learner: BinaryMle
    printed: bool  # the paper preset's gamma
    scale: float  # multiplier on gamma
    volume: Array  # (1,) log det(I + sum x x^T / (4 lambda))


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> LogisticUcb1State:
    """The state of Logistic-UCB-1 before round 1."""
    learner = make_binary(problem, data, ridge_of(problem))
    return LogisticUcb1State(learner, preset == "paper", radius_multiplier, np.zeros(1))


@kernel
def choose(state, t):
    """argmax of rho^T mu + bonus."""
    learner = state.learner
    add_bonus(learner, 0.25 * math.sqrt(4.0 + 8.0 * learner.norm_bound) * radius(state, t))
    return first_argmax(learner.scores)


@kernel
def update(state, t, arm, outcome):
    """Fit, and test the estimate if it was moved."""
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
