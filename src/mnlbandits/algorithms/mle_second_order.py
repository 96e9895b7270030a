"""Maximum likelihood with second-order bonuses: a stand-in for both intractable rows of Table 1.

No method of Table 1: the improved variants of MNL-UCB and MNL-UCB+ maximise non-concave functions or over non-convex sets,
and this has their leading term without kappa. Its form is that of Algorithm 1 of Zhang and Sugiyama (2023). In
reference-class coordinates, see `reference`, with S for the bound on ||beta||_F and lambda = 1/(4 S^2); numbered by us.

    1. betahat = 0, H = lambda I
    2. for t = 1, 2, ...:
    3.     play x_t = argmax_x rho^T mu(betahat x) + eps_1(x) + eps_2(x), with H and sigma_{t-1} (`optimistic_index`)
    4.     observe y_t
    5.     betahat = argmin over ||beta||_F <= S of L
    6.     H = Hessian of L at betahat + lambda I

sigma_n is the radius of the ellipsoid of `loss_set`.

Presets
-------
valid : beta_n^2 of Ville's inequality, see `loss_set`. Our derivation.
calibrated : the valid constants with sigma_n times `radius_multiplier`. No guarantee.
"""

from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import DATA, RADIUS, Algorithm
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import Data, make_data, record
from mnlbandits.learners.learner import Learner, distance_to_truth, make_learner
from mnlbandits.learners.loss_set import LossSet, fit_in_ball, make_loss_set, radius
from mnlbandits.learners.optimistic_index import optimistic_arm
from mnlbandits.learners.reference import reference_of
from mnlbandits.model.softmax import Array


class MleSecondOrderState(NamedTuple):
    """State of the second-order stand-in; its learner holds beta_hat as phi and H as W."""

    data: Data
    learner: Learner
    arms: Array  # those of data and learner (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    loss_set: LossSet
    no_tilt: Array  # (D,) zeros


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> MleSecondOrderState:
    """The state of the second-order stand-in before round 1."""
    reference = reference_of(problem)
    ridge, bound = 1 / (4 * reference.norm_bound**2), reference.norm_bound
    arms, fresh = problem.arms.copy(), problem.fresh
    learner = make_learner(reference.basis, arms, reference.rewards, ridge, eta=1.0, radius=bound, fresh=fresh)
    loss_set = make_loss_set(problem, preset, radius_multiplier)
    return MleSecondOrderState(
        make_data(problem, reference.basis, data, arms),
        learner,
        arms,
        np.ones(len(arms), dtype=bool),
        loss_set,
        np.zeros(learner.phi.size),
    )


@kernel
def choose(state, t):
    """Line 3: argmax of rho^T mu + eps_1 + eps_2 at the MLE."""
    return optimistic_arm(state.learner, radius(state.loss_set, t - 1), state.offered)


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 6: add the observation and refit."""
    record(state.data, arm, outcome)
    fit_in_ball(state.data, state.no_tilt, state.loss_set.norm_bound, state.learner)


@kernel
def ratio(state, t, theta):
    """||beta - beta_hat||_H / sigma_t after round t, for theta (K, d)."""
    return distance_to_truth(state.learner, theta) / radius(state.loss_set, t)


ALGORITHM = Algorithm(
    name="mle-second-order",
    title="second-order MLE (surrogate)",
    source="stand-in for the improved MNL-UCB and MNL-UCB+; form of Zhang and Sugiyama (2023), Algorithm 1",
    state=MleSecondOrderState,
    presets=("valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=(RADIUS, DATA),
    cost="O(t)",
    mark="a surrogate, not a published method; radius our derivation",
)
