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

from mnlbandits.algorithms.base import Algorithm, Batch, Option
from mnlbandits.algorithms.mle import (
    DATA,
    Data,
    evaluate,
    loss,
    make_data,
    minimise,
    record,
    record_many,
)
from mnlbandits.algorithms.omd import Learner, distance_to_truth, make_learner, optimistic_arm, refresh
from mnlbandits.algorithms.reference import (
    Design,
    add_many,
    add_pull,
    curvature_bound,
    first_order_arm,
    first_order_gain,
    make_design,
    reference_of,
    relative,
)
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array


class LossSet(NamedTuple):
    """The constants of a log-loss set."""

    size: int  # D
    norm_bound: float  # S
    lipschitz: float  # M
    delta: float
    recalled: bool  # the paper preset's radius, else Ville's
    scale: float  # multiplier on the radius


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
    slope: float  # R/2 sqrt(kappa)
    scores: Array  # (N,)


class MleSecondOrderState(NamedTuple):
    """State of the second-order stand-in; its learner holds beta_hat as phi and H as W."""

    data: Data
    learner: Learner
    loss_set: LossSet
    no_tilt: Array  # (D,) zeros


def make_loss_set(problem: Problem, preset: str, radius_multiplier: float) -> LossSet:
    """The constants of a preset."""
    return LossSet(
        size=(problem.outcomes - 1) * problem.dim,
        norm_bound=reference_of(problem).norm_bound,
        lipschitz=1.0 if problem.outcomes == 2 else math.sqrt(2),
        delta=problem.delta,
        recalled=preset == "paper",
        scale=radius_multiplier,
    )


@kernel
def excess(loss_set, observations):
    """beta_n^2 for n observations, see the module's docstring."""
    size, bound, chance = loss_set.size, loss_set.norm_bound, math.log(1.0 / loss_set.delta)
    if loss_set.recalled:
        square = 5.0 * size * math.log(math.e + bound * observations / size)
        square += 2.0 * (math.e - 2.0 + math.sqrt(6.0) * bound) * chance
    else:
        volume = 2.0 * math.e * loss_set.lipschitz * bound * observations / size
        square = chance + size * math.log(max(math.e, volume))
    return loss_set.scale**2 * square


@kernel
def radius(loss_set, observations):
    """sigma_n for n observations; 4 lambda S^2 = 1."""
    growth = 2.0 + 2.0 * math.sqrt(6.0) * loss_set.norm_bound
    return math.sqrt(growth * excess(loss_set, observations) + loss_set.scale**2)


def start_first_order(
    problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0
) -> MnlUcbPlusState:
    """The state of MNL-UCB+ before round 1."""
    reference, kappa = reference_of(problem), curvature_bound(problem)
    free, dim = problem.outcomes - 1, problem.dim
    return MnlUcbPlusState(
        data=make_data(problem, reference.basis, data),
        design=make_design(problem.arms, kappa / (4 * reference.norm_bound**2)),
        loss_set=make_loss_set(problem, preset, radius_multiplier),
        reference=reference.outcome,
        rewards=reference.rewards,
        estimate=np.zeros((free, dim)),
        truth=np.zeros((free, dim)),
        no_tilt=np.zeros(free * dim),
        slope=0.5 * float(np.linalg.norm(reference.rewards)) * math.sqrt(kappa),
        scores=np.zeros(len(problem.arms)),
    )


@kernel
def choose_first_order(state, t):
    """argmax of rho^T mu + bonus at the MLE."""
    slope = state.slope * radius(state.loss_set, t - 1)
    return first_order_arm(state.data, state.design, state.rewards, state.estimate, slope, state.scores)


@kernel
def update_first_order(state, t, arm, outcome):
    """Add the observation and refit."""
    record(state.data, arm, outcome)
    add_pull(state.design, state.data.arms, t, arm)
    minimise(state.data, 0.0, state.no_tilt, state.loss_set.norm_bound, state.estimate)


@kernel
def pull_first_order(state, t, arm, counts):
    """`update_first_order` for many rounds of an arm at once."""
    record_many(state.data, arm, counts)
    add_many(state.design, state.data.arms, arm, counts)
    minimise(state.data, 0.0, state.no_tilt, state.loss_set.norm_bound, state.estimate)


@kernel
def gain_first_order(state, arm):
    """`Batch.information`."""
    return first_order_gain(state.data, state.design, 0.0, state.estimate, arm)


@kernel
def ratio_first_order(state, t, theta):
    """sqrt((L(beta) - L(beta_hat)) / beta_t^2) after round t, for theta (K, d)."""
    relative(state.reference, theta, state.truth)
    risen = loss(state.data, state.truth) - loss(state.data, state.estimate)
    return math.sqrt(max(0.0, risen) / excess(state.loss_set, t))


def start_second_order(
    problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0
) -> MleSecondOrderState:
    """The state of the second-order stand-in before round 1."""
    reference = reference_of(problem)
    ridge, bound = 1 / (4 * reference.norm_bound**2), reference.norm_bound
    learner = make_learner(reference.basis, problem.arms, reference.rewards, ridge, eta=1.0, radius=bound)
    loss_set = make_loss_set(problem, preset, radius_multiplier)
    return MleSecondOrderState(make_data(problem, reference.basis, data), learner, loss_set, np.zeros(learner.phi.size))


@rare_kernel
def fit_in_ball(data, no_tilt, norm_bound, learner):
    """The MLE in the ball as phi of the learner; W = Hessian there + 1/(4 S^2) I, with all that follows from it."""
    minimise(data, 0.0, no_tilt, norm_bound, learner.phi)
    curvature_at_estimate(data, 1.0 / (4.0 * norm_bound * norm_bound), learner)


@kernel
def curvature_at_estimate(data, ridge, learner):
    """W = Hessian of L at phi + ridge I, W^-1 and the blocks."""
    evaluate(data, learner.phi)
    for i in range(len(learner.w)):
        for j in range(len(learner.w)):
            learner.w[i, j] = data.hessian[i, j] + (ridge if i == j else 0.0)
    refresh(learner)


@kernel
def choose_second_order(state, t):
    """argmax of rho^T mu + eps_1 + eps_2 at the MLE."""
    return optimistic_arm(state.learner, radius(state.loss_set, t - 1))


@kernel
def update_second_order(state, t, arm, outcome):
    """Add the observation and refit."""
    record(state.data, arm, outcome)
    fit_in_ball(state.data, state.no_tilt, state.loss_set.norm_bound, state.learner)


@kernel
def ratio_second_order(state, t, theta):
    """||beta - beta_hat||_H / sigma_t after round t, for theta (K, d)."""
    return distance_to_truth(state.learner, theta) / radius(state.loss_set, t)


OPTIONS = (Option("radius_multiplier", "factor on the valid radius"), DATA)

ALGORITHMS = (
    Algorithm(
        name="mnl-ucb-plus",
        title="MNL-UCB+",
        source="Lee, Yun and Jun (2024)",
        state=MnlUcbPlusState,
        presets=("paper", "valid", "calibrated"),
        start=start_first_order,
        choose=choose_first_order,
        update=update_first_order,
        ratio=ratio_first_order,
        batch=Batch(pull_first_order, gain_first_order),
        options=OPTIONS,
        row=8,
        regret=r"R d \sqrt{K \kappa T}",
        cost="O(t)",
        mark="steps reconstructed; radius of paper recalled, not verified; radius of valid and the bonus our derivation",
    ),
    Algorithm(
        name="mle-second-order",
        title="second-order MLE (surrogate)",
        source="stand-in for the improved MNL-UCB and MNL-UCB+; form of Zhang and Sugiyama (2023), Algorithm 1",
        state=MleSecondOrderState,
        presets=("valid", "calibrated"),
        start=start_second_order,
        choose=choose_second_order,
        update=update_second_order,
        ratio=ratio_second_order,
        options=OPTIONS,
        cost="O(t)",
        mark="a surrogate, not a published method; radius our derivation",
    ),
)
