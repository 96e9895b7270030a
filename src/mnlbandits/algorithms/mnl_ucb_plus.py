"""MNL-UCB+ (Lee, Yun and Jun 2024), the tractable one, and a second-order method that stands in for both intractable rows.

Both in reference-class coordinates, see `reference`, with S for the bound on ||beta||_F, D = (K-1) d and
R = ||rho - rho_c||. The estimate beta_hat is the MLE in the ball, without ridge. With n observations the confidence set is
the part of the ball where L - L(beta_hat) <= beta_n^2. It lies in the ellipsoid ||beta - beta_hat||_H <= sigma_n, with
H = Hessian of L at beta_hat + lambda I and

    sigma_n^2 = (2 + 2 sqrt(6) S) beta_n^2 + 4 lambda S^2,  lambda = 1/(4 S^2),

since the linear term is >= 0 at the minimiser over the ball and L is generalised self-concordant with constant sqrt(6).

- ``mnl-ucb-plus``: bonus R/2 sqrt(kappa) ||x||_{V^-1} sigma_n with V = kappa lambda I + sum x x^T and kappa from
  `reference.curvature_bound`; H is at least (I (x) V) / kappa. The original text was not at hand; the bonus is our
  derivation.
- ``mle-second-order``: bonuses eps_1 + eps_2 with H and sigma_n, see `omd`. No method of Table 1: the improved variants of
  MNL-UCB and MNL-UCB+ maximise non-concave functions or over non-convex sets, and this has their leading term without kappa.

Presets
-------
paper : mnl-ucb-plus only. beta_n^2 = 5 D log(e + S n/D) + 2 (e - 2 + sqrt(6) S) log(1/delta), recalled, not verified.
valid : beta_n^2 = log(1/delta) + D log max(e, 2 e M S n/D) with a Lipschitz constant M of the loss, sqrt(2), or 1 for K = 2:
    Ville's inequality for the uniform mixture over the ball, shrunk towards beta_hat. Our derivation.
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
    return MnlUcbPlusState(
        data=make_data(problem, reference.basis, data),
        design=make_design(problem.arms, 1 / (4 * reference.norm_bound**2), kappa),
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
    """argmax of rho^T mu + bonus at the MLE."""
    slope = state.slope * radius(state.loss_set, t - 1)
    return first_order_arm(state.data, state.design, state.rewards, state.estimate, slope, state.scores)


@kernel
def update(state, t, arm, outcome):
    """Add the observation and refit."""
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
    """`Batch.information`."""
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
