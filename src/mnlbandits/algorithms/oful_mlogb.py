"""OFUL-MLogB (Zhang and Sugiyama 2023): mirror descent in a ball and second-order bonuses, no exploration phase.

In reference-class coordinates as published: the outcome c with the smallest reward is the reference (its logit and its
reward are 0), beta_k = theta_k - theta_c, R = ||rho - rho_c||, and ||beta||_F <= sqrt(K) S bounds the parameter, S below.
D = (K-1) d. The text was not at hand: steps as later papers restate them, numbered by us.

    1. beta_1 = 0, H_1 = lambda I_D
    2. for t = 1, 2, ...:
    3.     play x_t = argmax over the arms on offer of rho^T mu(beta_t x) + eps_1(x) + eps_2(x),
               eps_1 = r_t ||H_t^{-1/2} (I (x) x) grad mu(beta_t x) rho||, eps_2 = 3 R r_t^2 ||(I (x) x^T) H_t^{-1/2}||^2
    4.     observe y_t
    5.     Htilde_t = H_t + eta grad mu(beta_t x_t) (x) x_t x_t^T
    6.     beta_{t+1} = argmin over ||beta||_F <= S of <grad l_t(beta_t), beta> + 1/(2 eta) ||beta - beta_t||^2_{Htilde_t}
    7.     H_{t+1} = H_t + grad mu(beta_{t+1} x_t) (x) x_t x_t^T

The step size is eta = log(K)/2 + S + 1, the radius r_t that of `radii.OnlineRadius`.

Presets
-------
paper : the constants with which later papers restate the method (Lee and Oh 2024, with d replaced by D):
    lambda = 84 sqrt(2) eta (D + S) and their radius. The original text was not at hand.
valid : lambda = max(6 sqrt(6) eta S, 36 eta D) and the radius of the mix-loss argument. Our derivation.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.
"""

from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.learner import Learner, distance_to_truth
from mnlbandits.learners.mirror_descent import in_reference_ball, information_of_learner, learn, pull
from mnlbandits.learners.optimistic_index import optimistic_arm
from mnlbandits.learners.radii import OnlineRadius, online_radius
from mnlbandits.learners.search import Search, search_of
from mnlbandits.model.softmax import Array


class OfulState(NamedTuple):
    """State of OFUL-MLogB; arrays are changed in place."""

    learner: Learner
    arms: Array  # those of the learner (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    search: Search | None  # what finds the best vector of a sphere or ball, then arm 0
    radius: OnlineRadius


def start(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> OfulState:
    """The state before round 1."""
    learner, numbers = in_reference_ball(problem, preset == "paper", radius_multiplier)
    search = search_of(problem, learner, numbers.ridge)
    return OfulState(learner, learner.arms, np.ones(len(problem.arms), dtype=bool), search, numbers)


@kernel
def radius(state, t):
    """The confidence radius after t rounds."""
    return online_radius(state.radius, t)


@kernel
def choose(state, t):
    """Line 3: argmax of rho^T mu + eps_1 + eps_2 at the current estimate."""
    return optimistic_arm(state.learner, radius(state, t), state.offered, state.search)


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 7: one mirror-descent step within the ball."""
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
