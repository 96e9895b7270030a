"""Mirror descent for two outcomes: OFUL-MLogB (Zhang and Sugiyama 2023) at K = 2, and GLB-OMD (Zhang et al. 2025).

Both play argmax x^T b_t + beta_t ||x||_{H_t^-1}, an index on the logit, and learn by one step of mirror descent in the
ball ||b|| <= S_b on the loss linearised at b_t, in the norm of H_t + eta s'(x^T b_t) x x^T. X is the
longest arm.

Presets
-------
paper (oful-mlogb-binary) : eta = log(2)/2 + S_b + 1, lambda and beta_t as in `oful_mlogb` for D = d: the constants
    with which later papers restate the multinomial method. The original text was not at hand.
valid (oful-mlogb-binary) : those of `oful_mlogb` for D = d: lambda = max(6 sqrt(6) eta S_b, 36 eta d), beta_t^2 =
    lambda S_b^2 + 2 eta log(1/delta) + 3 sqrt(6) eta^2 d log(1 + 2 t/(d lambda)). Our derivation.
valid (glb-omd) : eta = 1 + S_b and lambda = max(14 d eta, 6 eta S_b/4) as published; the formula of the radius was not
    at hand. Ours follows the same mix-loss argument with the constants of the sigmoid: beta_t^2 = lambda S_b^2 + 2 eta
    log(1/delta) + 7/5 eta^2 log det(H_{t+1}/lambda).
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.

The radius of GLB-OMD, for ||x|| <= 1, with Delta_s = b_{s+1} - b_s and c = 7 eta/6. (i) Optimality of the step, the
bound l(b_*) >= l(b) + l'(b)(b_* - b) + s'(x^T b)(x^T(b_* - b))^2/(2 eta), 2 eta >= 2 + 2 S_b, and |s''| <= 1/(6
sqrt(3)) give ||b_{t+1} - b_*||^2_{H_{t+1}} <= lambda S_b^2 + 2 eta sum [l_s(b_*) - l_s(b_{s+1})] + 0.193 eta S_b sum
||Delta_s||^2 - sum ||Delta_s||^2_{H_s}. (ii) By Ville's inequality the losses m_s of the mixtures N(b_s, c H_s^-1)
have sum [l_s(b_*) - m_s] <= log(1/delta). (iii) m_s <= l_s(b_{s+1}) + ||Delta_s||^2_{H_s}/(2 c) + (3 c/5) log
det(H_{s+1} H_s^-1), as the logit of N(b_{s+1}, c H_s^-1) has variance <= c/lambda <= 1/(12 d) and s'(z + u) <= s'(z)
e^|u|. (iv) 2 eta/(2 c) = 6/7, and lambda/7 >= 0.193 eta S_b takes the rest.
"""

import math

from mnlbandits.algorithms.base import BINARY, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import binary_bounds, distance_to_truth, optimistic_logit
from mnlbandits.learners.binary_mirror_descent import OmdState, gain, make_state, pull, update
from mnlbandits.learners.radii import radius_square


class OfulState(OmdState):
    """State of binary OFUL-MLogB."""

    __slots__ = ()


def start(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> OmdState:
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
    """The confidence radius beta_t of OFUL-MLogB, see the module's docstring."""
    dim, bound = len(state.learner.b), state.norm_bound
    return state.scale * math.sqrt(radius_square(2, dim, state.eta, state.ridge, bound, state.delta, state.restated, t))


@kernel
def choose(state, t):
    """argmax of the optimistic logit."""
    return optimistic_logit(state.learner, radius(state, t), state.scores)


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
