"""GLM-UCB (Filippi, Cappe, Garivier and Szepesvari 2010): the estimate's mean reward plus a bonus in one global metric.

The regularised form of later work (Faury's thesis), for the logistic model, in the terms of `binary_mle`: S_b, kappa_b, the
penalised loss F and g(b) = sum s(x^T b) x + lambda b. Numbered by us.

    1. V_0 = kappa_b lambda I
    2. for t = 1, 2, ...:
    3.     play x_t = argmax_x rho^T mu(b_t x) + (rho_1 - rho_2) 2 kappa_b/4 r_t ||x||_{V_{t-1}^-1}
    4.     observe y_t
    5.     V_t = V_{t-1} + x_t x_t^T
    6.     bhat = argmin F
    7.     b_{t+1} = argmin over ||b|| <= S_b of ||g(b) - g(bhat)||_{V_t^-1}

rho_1 and rho_2 are the better and the worse reward. The factor 2 of line 3 pays for an estimate that line 7 moves into the
ball. Lines 6 and 7 are those of `binary_mle`. lambda = d, as in the code of Faury et al.

Presets
-------
paper : r_t = sqrt(lambda/kappa_b) S_b + sqrt(d log((1 + t/(kappa_b lambda))/delta))/2, from Faury's thesis. The original
    has no ridge, a far larger constant, and was not at hand.
valid : r_t = sqrt(lambda/kappa_b) S_b + sqrt(2 log(1/delta) + d log(1 + t/(kappa_b lambda d)))/2, the radius of Faury and
    Russac (2021) with the volume that this V has (they print t/(lambda d)). For d = 1 the thesis lacks the factor 2.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, DATA, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import binary_bounds
from mnlbandits.learners.binary_mle import (
    FAILED,
    BinaryMle,
    add_bonus,
    cut,
    gain,
    global_distance,
    make_binary,
    observe,
    observe_many,
    set_truth,
)
from mnlbandits.learners.farthest import Complement, complement_of
from mnlbandits.learners.linalg import first_offered, quadratic_form
from mnlbandits.model.softmax import Array

LARGEST_LOGIT = 1400.0
"""Up to which sqrt(kappa_b) = 2 cosh(S_b X / 2) is a floating-point number."""


class GlmUcbState(NamedTuple):
    """State of GLM-UCB; arrays are changed in place."""

    learner: BinaryMle
    arms: Array  # those of the data (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    search: Complement | None  # what finds the best vector of a sphere or ball, then arm 0
    root: float  # sqrt(kappa_b)
    printed: bool  # the paper preset's radius
    scale: float  # multiplier on the radius


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> GlmUcbState:
    """The state before round 1.

    Raises
    ------
    InputError : S_b X is above `LARGEST_LOGIT`.
    """
    largest = binary_bounds(problem)[1]
    if largest > LARGEST_LOGIT:
        raise InputError("norm_bound", problem.norm_bound, f"such that S_b X = {largest:.6g} is at most {LARGEST_LOGIT:g}")
    learner = make_binary(problem, data, float(problem.dim))
    return GlmUcbState(
        learner=learner,
        arms=learner.data.arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        search=complement_of(problem),
        root=2 * math.cosh(largest / 2),
        printed=preset == "paper",
        scale=radius_multiplier,
    )


@kernel
def radius(state, t):
    """sqrt(kappa_b) r_t, see the module's docstring."""
    learner = state.learner
    dim, kappa, ridge = learner.b.shape[1], learner.kappa, learner.ridge
    if state.printed:
        noise = dim * math.log((1.0 + t / (kappa * ridge)) / learner.delta)
    else:
        noise = 2.0 * math.log(1.0 / learner.delta) + dim * math.log1p(t / (kappa * ridge * dim))
    return state.scale * (math.sqrt(ridge) * learner.norm_bound + 0.5 * state.root * math.sqrt(noise))


@kernel
def choose(state, t):
    """Line 3: argmax of rho^T mu + bonus."""
    add_bonus(state.learner, 0.5 * radius(state, t), state.search)
    return first_offered(state.learner.scores, state.offered)


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 7; then test the estimate if it was moved: there g(b) - g(bhat) = -nu b."""
    learner = state.learner
    multiplier = observe(learner, arm, outcome)
    if multiplier > 0.0 and multiplier * math.sqrt(quadratic_form(learner.inverse, learner.b[0])) > radius(state, t):
        learner.counters[FAILED] += 1


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    observe_many(state.learner, arm, counts)


@kernel
def ratio(state, t, theta):
    """||g(b) - g(bhat)||_{V^-1} / r_t, or ||b|| / S_b beyond the ball, for theta (2, d)."""
    learner = state.learner
    set_truth(learner, theta)
    return cut(learner, global_distance(learner, learner.truth) / radius(state, t))


ALGORITHM = Algorithm(
    name="glm-ucb",
    title="GLM-UCB",
    source="Filippi, Cappé, Garivier and Szepesvári (2010)",
    state=GlmUcbState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, gain),
    options=(DATA, RADIUS),
    setting=BINARY,
    row=1,
    regret=r"d \kappa \sqrt{T}",
    cost="O(t)",
    mark="regularised form of Faury's thesis, not the original; ridge from authors' code; constrained MLE as projection",
)
