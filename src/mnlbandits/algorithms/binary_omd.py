"""Mirror descent for two outcomes: OFUL-MLogB (Zhang and Sugiyama 2023) at K = 2, and GLB-OMD (Zhang et al. 2025).

Both play argmax x^T b_t + beta_t ||x||_{H_t^-1}, an index on the logit, and learn by one step of mirror descent in the
ball ||b|| <= S_b = sqrt(2) S on the loss linearised at b_t, in the norm of H_t + eta s'(x^T b_t) x x^T. X is the
longest arm.

Presets
-------
paper (oful-mlogb-binary) : eta = log(2)/2 + S_b + 1, lambda and beta_t as in `oful_mlogb` for D = d: the constants
    with which later papers restate the multinomial method. The original text was not at hand.
paper (glb-omd) : eta = 1 + S_b, lambda = max(14 d eta, 6 eta S_b/4), beta_n^2 = 4 lambda S_b^2 + 2 eta log(1/delta) + d (6
    eta^2 + eta) log(1 + n/(4 lambda)) after n rounds, for ||x|| <= 1. eta, lambda and the steps of the proof were read in
    the text, in a copy without displays; the radius as public code quotes it, from the proof, which those steps confirm:
    a mixture of covariance (3 eta/2) H_s^-1 gives 2 eta (3 eta + 1/2) log det(H/lambda). The theorem itself is quoted as
    printed without n, log(1 + 1/(4 lambda)), which no longer grows and which the proof does not give.
valid (oful-mlogb-binary) : those of `oful_mlogb` for D = d: lambda = max(6 sqrt(6) eta S_b, 36 eta d), beta_t^2 =
    lambda S_b^2 + 2 eta log(1/delta) + 3 sqrt(6) eta^2 d log(1 + 2 t/(d lambda)). Our derivation.
valid (glb-omd) : eta and lambda as printed, beta_t^2 = lambda S_b^2 + 2 eta log(1/delta) + 7/5 eta^2 log
    det(H_{t+1}/lambda). Our derivation, by the same mix-loss argument with the constants of the sigmoid and the start at
    0: smaller than the printed one in every round, as det(H/lambda) <= (1 + n/(4 lambda d))^d.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.

The valid radius of GLB-OMD, for ||x|| <= 1, with Delta_s = b_{s+1} - b_s and c = 7 eta/6. (i) Optimality of the step, the
bound l(b_*) >= l(b) + l'(b)(b_* - b) + s'(x^T b)(x^T(b_* - b))^2/(2 eta), 2 eta >= 2 + 2 S_b, and |s''| <= 1/(6
sqrt(3)) give ||b_{t+1} - b_*||^2_{H_{t+1}} <= lambda S_b^2 + 2 eta sum [l_s(b_*) - l_s(b_{s+1})] + 0.193 eta S_b sum
||Delta_s||^2 - sum ||Delta_s||^2_{H_s}. (ii) By Ville's inequality the losses m_s of the mixtures N(b_s, c H_s^-1)
have sum [l_s(b_*) - m_s] <= log(1/delta). (iii) m_s <= l_s(b_{s+1}) + ||Delta_s||^2_{H_s}/(2 c) + (3 c/5) log
det(H_{s+1} H_s^-1), as the logit of N(b_{s+1}, c H_s^-1) has variance <= c/lambda <= 1/(12 d) and s'(z + u) <= s'(z)
e^|u|. (iv) 2 eta/(2 c) = 6/7, and lambda/7 >= 0.193 eta S_b takes the rest.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, Algorithm, Batch, Option
from mnlbandits.algorithms.linalg import solve_in_ball
from mnlbandits.algorithms.oful_mlogb import radius_square
from mnlbandits.algorithms.online_binary import (
    Learner,
    add_curvature,
    better_outcome,
    binary_bounds,
    curvature,
    distance_to_truth,
    logit,
    make_learner,
    optimistic_logit,
    sigmoid,
)
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array


class OmdState(NamedTuple):
    """State of binary mirror descent; arrays are changed in place."""

    learner: Learner
    eta: float  # step size
    ridge: float  # lambda
    norm_bound: float  # S_b
    delta: float
    scale: float  # multiplier on the radius
    restated: bool  # the paper preset's radius, else the mix-loss one of valid
    better: int  # the outcome with the larger reward
    growth: Array  # (1,) log det(H/lambda)
    proposal: Array  # (d,) working memory
    scores: Array  # (N,) optimistic logits of the last choice


class OfulState(OmdState):
    """State of binary OFUL-MLogB."""

    __slots__ = ()


class GlbState(OmdState):
    """State of GLB-OMD."""

    __slots__ = ()


def make_state(kind: type, problem: Problem, eta: float, ridge: float, restated: bool, scale: float) -> OmdState:
    """The state before round 1, of class `kind`."""
    bound, _ = binary_bounds(problem)
    return kind(
        learner=make_learner(problem.arms, ridge, bound),
        eta=eta,
        ridge=ridge,
        norm_bound=bound,
        delta=problem.delta,
        scale=scale,
        restated=restated,
        better=better_outcome(problem),
        growth=np.zeros(1),
        proposal=np.zeros(problem.dim),
        scores=np.zeros(len(problem.arms)),
    )


def start_oful(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> OmdState:
    """The state of OFUL-MLogB before round 1."""
    bound, _ = binary_bounds(problem)
    eta = 0.5 * math.log(2) + bound + 1
    if preset == "paper":
        ridge = 84 * math.sqrt(2) * eta * (problem.dim + bound)
    else:
        ridge = max(6 * math.sqrt(6) * eta * bound, 36 * eta * problem.dim)
    return make_state(OfulState, problem, eta, ridge, preset == "paper", radius_multiplier)


def start_glb(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> OmdState:
    """The state of GLB-OMD before round 1."""
    bound, _ = binary_bounds(problem)
    eta = 1 + bound
    ridge = max(14 * problem.dim * eta, 6 * eta * bound / 4)
    return make_state(GlbState, problem, eta, ridge, preset == "paper", radius_multiplier)


@kernel
def radius_oful(state, t):
    """The confidence radius beta_t of OFUL-MLogB, see the module's docstring."""
    dim, bound = len(state.learner.b), state.norm_bound
    return state.scale * math.sqrt(radius_square(2, dim, state.eta, state.ridge, bound, state.delta, state.restated, t))


@kernel
def radius_glb(state, rounds):
    """The confidence radius of GLB-OMD after that many rounds, see the module's docstring."""
    dim, start, chance = (
        len(state.learner.b),
        state.ridge * state.norm_bound**2,
        2.0 * state.eta * math.log(1.0 / state.delta),
    )
    if state.restated:
        volume = dim * math.log(1.0 + rounds / (4.0 * state.ridge))
        return math.sqrt(4.0 * start + chance + (6.0 * state.eta**2 + state.eta) * volume)
    return state.scale * math.sqrt(start + chance + 1.4 * state.eta**2 * state.growth[0])


@kernel
def choose_oful(state, t):
    """argmax of the optimistic logit."""
    return optimistic_logit(state.learner, radius_oful(state, t), state.scores)


@kernel
def choose_glb(state, t):
    """argmax of the optimistic logit."""
    return optimistic_logit(state.learner, radius_glb(state, t - 1), state.scores)


@kernel
def update(state, t, arm, outcome):
    """One mirror-descent step within the ball, then H += s'(x^T b_{t+1}) x x^T."""
    step(state, arm, 1.0, 1.0 if outcome == state.better else 0.0)


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    step(state, arm, counts[0] + counts[1], counts[state.better])


@kernel
def gain(state, arm):
    """Relative growth of H by one pull."""
    learner = state.learner
    return curvature(logit(learner, arm, learner.b)) * learner.widths[arm]


@kernel
def step(state, arm, pulls, hits):
    """The step on the summed losses of `pulls` rounds of an arm, `hits` of them with the better outcome."""
    learner = state.learner
    x, b, dim, proposal = learner.arms[arm], learner.b, len(learner.b), state.proposal
    z = logit(learner, arm, b)
    bend = state.eta * (pulls * curvature(z))
    residual = pulls * sigmoid(z) - hits
    shift = state.eta * residual / (1.0 + bend * learner.widths[arm])
    square = 0.0
    for i in range(dim):
        proposal[i] = b[i]
        for j in range(dim):
            proposal[i] -= shift * learner.inverse[i, j] * x[j]
        square += proposal[i] * proposal[i]
    if square > learner.radius[0] ** 2:
        project(learner, x, bend, proposal)
        learner.counters[1] += 1
    for i in range(dim):
        b[i] = proposal[i]
    weight = pulls * curvature(logit(learner, arm, b))
    state.growth[0] += math.log1p(weight * learner.widths[arm])
    add_curvature(learner, arm, weight)


@rare_kernel
def project(learner, x, bend, proposal):
    """Replace `proposal` (d,) by the point of the ball closest to it in the norm of H + bend x x^T."""
    dim = len(proposal)
    tilted, target, work = learner.matrices[1, :dim], learner.vectors[0], learner.vectors[1]
    for i in range(dim):
        target[i] = 0.0
        for j in range(dim):
            tilted[i, j] = learner.w[i, j] + bend * x[i] * x[j]
            target[i] += tilted[i, j] * proposal[j]
    shifted, lower = learner.matrices[2, :dim], learner.matrices[3, :dim]
    solve_in_ball(tilted, target, learner.radius[0], proposal, shifted, lower, work)


@kernel
def ratio_oful(state, t, theta):
    """||b - b_{t+1}||_{H_{t+1}} / beta_t, for theta (2, d)."""
    return distance_to_truth(state.learner, state.better, theta) / radius_oful(state, t)


@kernel
def ratio_glb(state, t, theta):
    """||b - b_{t+1}||_{H_{t+1}} / beta_t, for theta (2, d)."""
    return distance_to_truth(state.learner, state.better, theta) / radius_glb(state, t)


ALGORITHMS = (
    Algorithm(
        name="oful-mlogb-binary",
        title="OFUL-MLogB (binary)",
        source="Zhang and Sugiyama (2023), K = 2",
        state=OfulState,
        presets=("paper", "valid", "calibrated"),
        start=start_oful,
        choose=choose_oful,
        update=update,
        ratio=ratio_oful,
        batch=Batch(pull, gain),
        options=(Option("radius_multiplier", "factor on the valid radius"),),
        setting=BINARY,
        row=5,
        regret=r"d \sqrt{T / \kappa_*} + \kappa d^2",
        cost="O(1)",
        mark="reconstructed from the multinomial method and from later papers; constants of valid our derivation",
    ),
    Algorithm(
        name="glb-omd",
        title="GLB-OMD",
        source="Zhang, Xu, Zhao and Sugiyama (2025)",
        state=GlbState,
        presets=("paper", "valid", "calibrated"),
        start=start_glb,
        choose=choose_glb,
        update=update,
        ratio=ratio_glb,
        batch=Batch(pull, gain),
        options=(Option("radius_multiplier", "factor on the valid radius"),),
        setting=BINARY,
        regret=r"d \sqrt{T / \kappa_*}",
        cost="O(1)",
        mark="steps, step size and ridge as published; radius of paper as public code quotes it, of valid our derivation",
    ),
)
