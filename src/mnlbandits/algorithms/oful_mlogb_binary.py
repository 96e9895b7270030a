"""OFUL-MLogB (Zhang and Sugiyama 2023) for two outcomes, with an index on the logit.

b = theta of the better outcome minus theta of the worse one, s the sigmoid, ||b|| <= S_b. Reconstructed from the
multinomial method (`oful_mlogb`) and from later papers, the text was not at hand; numbered by us.

    1. b_1 = 0, H_1 = lambda I_d
    2. for t = 1, 2, ...:
    3.     play x_t = argmax_x x^T b_t + r_t ||x||_{H_t^-1}
    4.     observe y_t
    5.     Htilde_t = H_t + eta s'(x_t^T b_t) x_t x_t^T
    6.     b_{t+1} = argmin over ||b|| <= S_b of l_t'(b_t)^T b + 1/(2 eta) ||b - b_t||^2_{Htilde_t}
    7.     H_{t+1} = H_t + s'(x_t^T b_{t+1}) x_t x_t^T

The step size is eta = log(2)/2 + S_b + 1, the radius r_t that of `radii.OnlineRadius` for K = 2, D = d and S = S_b.

Presets
-------
paper : the constants with which later papers restate the multinomial method, lambda = 84 sqrt(2) eta (d + S_b) and their
    radius.
valid : lambda = max(6 sqrt(6) eta S_b, 36 eta d) and the radius of the mix-loss argument. Our derivation.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.
"""

import math

from mnlbandits.algorithms.base import BINARY, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import binary_bounds, distance_to_truth, optimistic_logit
from mnlbandits.learners.binary_mirror_descent import DescentState, gain, make_state, pull, update
from mnlbandits.learners.radii import online_radius


class OfulState(DescentState):
    """State of binary OFUL-MLogB."""

    __slots__ = ()


def start(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> DescentState:
    """The state of OFUL-MLogB before round 1."""
    bound, _ = binary_bounds(problem)
    eta = 0.5 * math.log(2) + bound + 1
    if preset == "paper":
        ridge = 84 * math.sqrt(2) * eta * (problem.dim + bound)
    else:
        ridge = max(6 * math.sqrt(6) * eta * bound, 36 * eta * problem.dim)
    return make_state(OfulState, problem, eta, ridge, preset == "paper", radius_multiplier)


@kernel
def radius(state, t):
    """The confidence radius after t rounds."""
    return online_radius(state.radius, t)


@kernel
def choose(state, t):
    """Line 3: argmax of the optimistic logit; lines 4 to 7 are `binary_mirror_descent.update`."""
    return optimistic_logit(state.learner, radius(state, t), state.scores, state.offered, state.search)


@kernel
def ratio(state, t, theta):
    """||b - b_{t+1}||_{H_{t+1}} / beta_t, for theta (2, d)."""
    return distance_to_truth(state.learner, state.better, theta) / radius(state, t)


ALGORITHM = Algorithm(
    name="oful-mlogb-binary",
    title="OFUL-MLogB (binary)",
    source="Zhang and Sugiyama (2023), K = 2",
    state=OfulState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, gain),
    options=(RADIUS,),
    setting=BINARY,
    row=5,
    regret=r"d \sqrt{T / \kappa_*} + \kappa d^2",
    cost="O(1)",
    mark="reconstructed from the multinomial method and from later papers; constants of valid our derivation",
)
