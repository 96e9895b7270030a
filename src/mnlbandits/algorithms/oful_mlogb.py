"""OFUL-MLogB (Zhang and Sugiyama 2023): mirror descent in a ball and second-order bonuses, no exploration phase.

Run in reference-class coordinates as published: the outcome with the smallest reward is the reference (its logit and its
reward are 0), beta_k = theta_k - theta_c, and ||beta||_F <= sqrt(K) S bounds the parameter. The step size is
eta = log(K)/2 + S + 1.

Presets
-------
paper : the constants with which later papers restate the method (Lee and Oh 2024, with d replaced by D = (K-1) d):
    lambda = 84 sqrt(2) eta (D + S) and their radius. The original text was not at hand.
valid : lambda = max(6 sqrt(6) eta S, 36 eta D), radius^2 = lambda S^2 + 2 eta log(1/delta)
    + 3 sqrt(6) eta^2 D log(1 + 2 t/(D lambda)), by a mix-loss argument. Our derivation.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.mirror_descent import Learner, distance_to_truth, information_of_learner, learn, make_learner, pull
from mnlbandits.learners.optimistic_index import optimistic_arm
from mnlbandits.learners.radii import radius_square
from mnlbandits.learners.reference import reference_of
from mnlbandits.model.softmax import Array


class OfulState(NamedTuple):
    """State of OFUL-MLogB; arrays are changed in place."""

    learner: Learner
    offered: Array  # arms on offer in this round (N,) bool
    ridge: float  # lambda
    norm_bound: float  # bound on ||beta||_F
    delta: float
    restated: bool  # the paper preset's radius, else the mix-loss one
    scale: float  # multiplier on the radius


def start(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> OfulState:
    """The state before round 1."""
    outcomes, free = problem.outcomes, (problem.outcomes - 1) * problem.dim
    reference = reference_of(problem)
    bound = reference.norm_bound
    eta = 0.5 * math.log(outcomes) + bound + 1
    if preset == "paper":
        ridge = 84 * math.sqrt(2) * eta * (free + bound)
    else:
        ridge = max(6 * math.sqrt(6) * eta * bound, 36 * eta * free)
    learner = make_learner(reference.basis, problem.arms, reference.rewards, ridge, eta, bound)
    offered = np.ones(len(problem.arms), dtype=bool)
    return OfulState(learner, offered, ridge, bound, problem.delta, preset == "paper", radius_multiplier)


@kernel
def radius(state, t):
    """The confidence radius beta_t(delta), see the module's docstring."""
    outcomes, free = state.learner.basis.shape
    size, eta, bound = free * state.learner.arms.shape[1], state.learner.eta, state.norm_bound
    return state.scale * math.sqrt(radius_square(outcomes, size, eta, state.ridge, bound, state.delta, state.restated, t))


@kernel
def choose(state, t):
    """argmax of rho^T mu + eps_1 + eps_2 at the current estimate."""
    return optimistic_arm(state.learner, radius(state, t), state.offered)


@kernel
def update(state, t, arm, outcome):
    """One mirror-descent step within the ball."""
    learn(state.learner, arm, outcome)


@kernel
def ratio(state, t, theta):
    """||beta - beta_{t+1}||_{H_{t+1}} / beta_t of the confidence set, for theta (K, d)."""
    return distance_to_truth(state.learner, theta) / radius(state, t)


ALGORITHM = Algorithm(
    name="oful-mlogb",
    title="OFUL-MLogB",
    source="Zhang and Sugiyama (2023)",
    state=OfulState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, information_of_learner, on_sphere=True),
    options=(RADIUS,),
    row=10,
    regret=r"R d K \sqrt{T} + \kappa d^2 K^{3/2}",
    cost="O(1)",
    mark="steps as restated by later papers; constants of the paper preset from those restatements, of valid our derivation",
)
