"""MNL-UCB (Amani and Thrampoulidis 2021), the tractable one: ridge MLE and a first-order bonus.

In reference-class coordinates as published, see `reference`, with K_r = K - 1, S for the bound on ||beta||_F,
R = ||rho - rho_c|| and lambda = K_r d log T. g is the gradient of the penalised loss L + lambda/2 ||.||^2, H its Hessian.
Numbered by us.

    1. V_0 = kappa lambda I_d
    2. for t = 1, 2, ...:
    3.     play x_t = argmax_x rho^T mu(beta_t x) + 2 R M gamma_t sqrt(kappa (1 + 2 S)) ||x||_{V_{t-1}^-1}
    4.     observe y_t
    5.     V_t = V_{t-1} + x_t x_t^T
    6.     betahat = argmin of L + lambda/2 ||.||^2
    7.     beta_{t+1} = argmin over ||beta||_F <= S of ||g(beta) - g(betahat)||_{H(beta)^-1}

M bounds the eigenvalues of grad mu (the paper's L). The confidence set is ||g(beta) - g(betahat)||_{H(beta)^-1} <= gamma_t,

    gamma_t = K_r^{3/2} d / sqrt(lambda) (log(1 + t/(d lambda)) + 2 log(2/delta)) + sqrt(lambda/K_r)/2 + sqrt(lambda) S.

Line 7 is not a convex problem, and one only if betahat leaves the ball. The ridge MLE within the ball stands in for it, and
what the proof needs of it is that the distance is <= gamma_t. `counters` say how often the stand-in was used, and how often
it failed this.

Presets
-------
paper : as in its experiments, kappa = e^S (1 + K_r e^S)^2, and M = e^S / (1 + e^S + (K_r - 1) e^-S).
valid : the same radius with a certified bound on kappa, `reference.curvature_bound`, and M at most 1/2, the largest
    eigenvalue that grad mu can have.
calibrated : the valid constants with gamma_t times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import DATA, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import Data, evaluate, make_data, record, record_many
from mnlbandits.learners.first_order import Design, add_many, add_pull, first_order_arm, first_order_gain, make_design
from mnlbandits.learners.linalg import cholesky, cut_by_ball, solve_cholesky
from mnlbandits.learners.mle import minimise
from mnlbandits.learners.reference import curvature_bound, norm, reference_of, relative
from mnlbandits.model.softmax import Array

MOVED, FAILED = range(2)
"""Entries of `counters`: rounds with betahat outside the ball, of these with the stand-in outside the set."""


class MnlUcbState(NamedTuple):
    """State of MNL-UCB; arrays are changed in place."""

    data: Data
    arms: Array  # those of the data (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    design: Design
    reference: int
    rewards: Array  # rho - rho_c (K,)
    estimate: Array  # beta_hat (K-1, d)
    centre: Array  # the same, or its projection
    truth: Array  # (K-1, d) working memory
    no_tilt: Array  # (D,) zeros
    ridge: float  # lambda
    norm_bound: float  # S
    slope: float  # 2 R L sqrt(1 + 2 S)
    delta: float
    scale: float  # multiplier on the radius
    counters: Array  # (2,) int64, see MOVED and FAILED
    scores: Array  # (N,)


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> MnlUcbState:
    """The state before round 1."""
    free, dim = problem.outcomes - 1, problem.dim
    reference = reference_of(problem)
    bound = reference.norm_bound
    ridge = free * dim * math.log(max(problem.horizon, 2))
    largest = 1 / (1 + math.exp(-bound) + (free - 1) * math.exp(-2 * bound))
    if preset == "paper":
        kappa = printed_kappa(free, bound)
    else:
        kappa, largest = curvature_bound(problem), min(0.5, largest)
    observations = make_data(problem, reference.basis, data)
    return MnlUcbState(
        data=observations,
        arms=observations.arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        design=make_design(problem.arms, ridge, kappa, problem.fresh),
        reference=reference.outcome,
        rewards=reference.rewards,
        estimate=np.zeros((free, dim)),
        centre=np.zeros((free, dim)),
        truth=np.zeros((free, dim)),
        no_tilt=np.zeros(free * dim),
        ridge=ridge,
        norm_bound=bound,
        slope=2 * float(np.linalg.norm(reference.rewards)) * largest * math.sqrt(1 + 2 * bound),
        delta=problem.delta,
        scale=radius_multiplier,
        counters=np.zeros(2, dtype=np.int64),
        scores=np.zeros(len(problem.arms)),
    )


def printed_kappa(free: int, bound: float) -> float:
    """e^S (1 + K_r e^S)^2, infinite if that is no floating-point number."""
    logarithm = 3 * bound + 2 * math.log(free + math.exp(-bound))
    return math.exp(logarithm) if logarithm < 700 else math.inf


@kernel
def radius(state, t):
    """gamma_t of the set that round t uses, see the module's docstring."""
    free, dim = state.centre.shape
    logs = math.log(1.0 + t / (dim * state.ridge)) + 2.0 * math.log(2.0 / state.delta)
    noise = free**1.5 * dim / math.sqrt(state.ridge) * logs
    bias = math.sqrt(state.ridge / free) / 2.0 + math.sqrt(state.ridge) * state.norm_bound
    return state.scale * (noise + bias)


@kernel
def choose(state, t):
    """Line 3: argmax of rho^T mu + bonus at the estimate."""
    slope = state.slope * radius(state, t)
    return first_order_arm(state.data, state.design, state.rewards, state.centre, slope, state.scores, state.offered)


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 7: add the observation and refit."""
    record(state.data, arm, outcome)
    add_pull(state.design, state.data.arms, t, arm)
    fit(state, t)


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    record_many(state.data, arm, counts)
    add_many(state.design, state.data.arms, arm, counts)
    fit(state, t)


@kernel
def gain(state, arm):
    """Relative growth of V or of the Hessian at the estimate, whichever is larger, by one pull."""
    return first_order_gain(state.data, state.design, state.ridge, state.centre, arm)


@rare_kernel
def fit(state, t):
    """Lines 6 and 7: the ridge MLE after round t and, if it is outside the ball, the stand-in for its projection."""
    free, dim = state.centre.shape
    minimise(state.data, state.ridge, state.no_tilt, math.inf, state.estimate)
    outside = norm(state.estimate) > state.norm_bound
    for a in range(free):
        for j in range(dim):
            state.centre[a, j] = state.estimate[a, j]
    if outside:
        minimise(state.data, state.ridge, state.no_tilt, state.norm_bound, state.centre)
        state.counters[MOVED] += 1
        if distance(state, state.centre) > radius(state, t + 1):
            state.counters[FAILED] += 1


@rare_kernel
def distance(state, beta):
    """||g(beta) - g(beta_hat)||_{H(beta)^-1} of beta (K-1, d): the norm of the gradient, as that at beta_hat is 0."""
    data, dim = state.data, beta.shape[1]
    evaluate(data, beta)
    size = len(data.gradient)
    step = data.scratch.step
    for i in range(size):
        data.gradient[i] += state.ridge * beta[i // dim, i % dim]
        data.hessian[i, i] += state.ridge
        step[i] = data.gradient[i]
    cholesky(data.hessian, data.lower)
    solve_cholesky(data.lower, step)
    square = 0.0
    for i in range(size):
        square += data.gradient[i] * step[i]
    return math.sqrt(max(0.0, square))


@kernel
def ratio(state, t, theta):
    """||g(beta) - g(beta_hat)||_{H(beta)^-1} / gamma_{t+1}, or ||beta|| / S beyond the ball, after round t, theta (K, d)."""
    relative(state.reference, theta, state.truth)
    return cut_by_ball(distance(state, state.truth) / radius(state, t + 1), norm(state.truth), state.norm_bound)


ALGORITHM = Algorithm(
    name="mnl-ucb",
    title="MNL-UCB",
    source="Amani and Thrampoulidis (2021)",
    state=MnlUcbState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, gain),
    options=(RADIUS, DATA),
    row=6,
    regret=r"R d K \sqrt{\kappa T}",
    cost="O(t)",
    mark="steps and radius read in the paper; valid differs in kappa and L; a convex projection, used only outside the ball",
)
