"""MNL-UCB+ (Lee, Yun and Jun 2024), the tractable one: MLE in a ball and a first-order bonus.

In reference-class coordinates, see `reference`, with S for the bound on ||beta||_F, D = (K-1) d and R = ||rho - rho_c||.
The text was not at hand: steps reconstructed, numbered by us.

    1. V_0 = kappa lambda I_d, lambda = 1/(4 S^2)
    2. for t = 1, 2, ...:
    3.     play x_t = argmax_x rho^T mu(betahat x) + R/2 sqrt(kappa) sigma_{t-1} ||x||_{V_{t-1}^-1}
    4.     observe y_t
    5.     V_t = V_{t-1} + x_t x_t^T
    6.     betahat = argmin over ||beta||_F <= S of L

The confidence set {||beta||_F <= S, L - L(betahat) <= beta_n^2} and the radius sigma_n of the ellipsoid around it are those
of `loss_set`. kappa is `reference.curvature_bound`, with which the ellipsoid's matrix is at least (I (x) V)/kappa: the
bonus is our derivation.

Presets
-------
paper : beta_n^2 = 5 D log(e + S n/D) + 2 (e - 2 + sqrt(6) S) log(1/delta), recalled, not verified.
valid : beta_n^2 of Ville's inequality, see `loss_set`. Our derivation.
calibrated : the valid constants with beta_n and sigma_n times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import DATA, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import Data, loss, make_data, record, record_many
from mnlbandits.learners.first_order import Design, add_many, add_pull, first_order_arm, first_order_gain, make_design
from mnlbandits.learners.linalg import cut_by_ball
from mnlbandits.learners.loss_set import LossSet, excess, make_loss_set, radius
from mnlbandits.learners.mle import minimise
from mnlbandits.learners.reference import curvature_bound, norm, reference_of, relative
from mnlbandits.model.softmax import Array


class MnlUcbPlusState(NamedTuple):
    """State of MNL-UCB+; arrays are changed in place."""

    data: Data
    arms: Array  # those of the data (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    design: Design
    loss_set: LossSet
    reference: int
    rewards: Array  # rho - rho_c (K,)
    estimate: Array  # beta_hat (K-1, d)
    truth: Array  # (K-1, d) working memory
    no_tilt: Array  # (D,) zeros
    slope: float  # R/2
    scores: Array  # (N,)


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> MnlUcbPlusState:
    """The state of MNL-UCB+ before round 1."""
    reference, kappa = reference_of(problem), curvature_bound(problem)
    free, dim = problem.outcomes - 1, problem.dim
    observations = make_data(problem, reference.basis, data)
    return MnlUcbPlusState(
        data=observations,
        arms=observations.arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        design=make_design(problem.arms, 1 / (4 * reference.norm_bound**2), kappa, problem.fresh),
        loss_set=make_loss_set(problem, preset, radius_multiplier),
        reference=reference.outcome,
        rewards=reference.rewards,
        estimate=np.zeros((free, dim)),
        truth=np.zeros((free, dim)),
        no_tilt=np.zeros(free * dim),
        slope=0.5 * float(np.linalg.norm(reference.rewards)),
        scores=np.zeros(len(problem.arms)),
    )


@kernel
def choose(state, t):
    """Line 3: argmax of rho^T mu + bonus at the MLE."""
    slope = state.slope * radius(state.loss_set, t - 1)
    return first_order_arm(state.data, state.design, state.rewards, state.estimate, slope, state.scores, state.offered)


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 6: add the observation and refit."""
    record(state.data, arm, outcome)
    add_pull(state.design, state.data.arms, t, arm)
    minimise(state.data, 0.0, state.no_tilt, state.loss_set.norm_bound, state.estimate)


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    record_many(state.data, arm, counts)
    add_many(state.design, state.data.arms, arm, counts)
    minimise(state.data, 0.0, state.no_tilt, state.loss_set.norm_bound, state.estimate)


@kernel
def gain(state, arm):
    """Relative growth of V or of the Hessian at the estimate, whichever is larger, by one pull."""
    return first_order_gain(state.data, state.design, 0.0, state.estimate, arm)


@kernel
def ratio(state, t, theta):
    """sqrt((L(beta) - L(beta_hat)) / beta_t^2), or ||beta|| / S beyond the ball, after round t, for theta (K, d)."""
    relative(state.reference, theta, state.truth)
    risen = loss(state.data, state.truth) - loss(state.data, state.estimate)
    ratio = math.sqrt(max(0.0, risen) / excess(state.loss_set, t))
    return cut_by_ball(ratio, norm(state.truth), state.loss_set.norm_bound)


ALGORITHM = Algorithm(
    name="mnl-ucb-plus",
    title="MNL-UCB+",
    source="Lee, Yun and Jun (2024)",
    state=MnlUcbPlusState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, gain),
    options=(RADIUS, DATA),
    row=8,
    regret=r"R d \sqrt{K \kappa T}",
    cost="O(t)",
    mark="steps reconstructed; radius of paper recalled, not verified; radius of valid and the bonus our derivation",
)
