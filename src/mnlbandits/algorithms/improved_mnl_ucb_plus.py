"""Improved MNL-UCB+ (Lee, Yun and Jun 2024) where it can be run exactly: the most optimistic parameter of a log-loss set.

The text was not at hand: steps reconstructed, numbered by us. L(theta) is the loss summed over the rounds so far.

    1. for t = 1, 2, ...:
    2.     thetahat_t = argmin over ||theta||_F <= S of L(theta)
    3.     C_t = {||theta||_F <= S, L(theta) - L(thetahat_t) <= beta_t^2}
    4.     play x_t = argmax_x max over C_t of rho^T mu(theta x)
    5.     observe y_t

The set is convex, the mean reward in general is not concave, and Table 1 lists no cost. If all outcomes but one have the
same reward, or there are two, the mean reward is an increasing function of log mu_a(theta x), a the best outcome, which is
concave: one convex program per arm gives the maximum, with a bound on its error. For other rewards and K = 3 see
`mnlbandits.verify.bracket`.

Presets
-------
paper : reference-class coordinates (the logit of the outcome with the smallest reward is 0, and S becomes sqrt(K) S), with
    beta_t^2 = 5 D log(e + S t/D) + 2 (e - 2 + sqrt(6) S) log(1/delta), D = (K-1) d. Unverified: recalled, the text was not
    at hand.
valid : theta itself, with beta_t^2 = log(1/delta) + D log max(e, 2 sqrt(2) e S (t - 1)/D), see `mixture_square`; the loss of
    a round has Lipschitz constant sqrt(2). Our derivation. For K = 2 this is OFUGLB.
calibrated : the valid constants with beta_t times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import DATA, RADIUS, Algorithm, Setting
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import record
from mnlbandits.learners.linalg import first_offered
from mnlbandits.learners.log_loss_set import LogLossSet, distance_to_truth, look, make_set, refit
from mnlbandits.learners.optimism import most_optimistic
from mnlbandits.learners.radii import mixture_square, recalled_square
from mnlbandits.learners.sigmoid import sigmoid
from mnlbandits.model.softmax import Array, contrast_basis, reference_basis

ONE_HIGH = Setting(
    "one high reward",
    "an instance with 2 outcomes or a one-hot reward vector",
    lambda rewards: len(rewards) == 2 or int(np.sum(rewards > np.min(rewards))) == 1,
)


CERTAIN = 37.0
"""Log odds of a probability that is 1 up to rounding."""


class ImprovedState(NamedTuple):
    """State of improved MNL-UCB+; arrays are changed in place."""

    region: LogLossSet
    arms: Array  # those of the data (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    best: int  # the outcome with the largest reward
    spread: float  # how much higher the reward of the best is than that of the others
    delta: float
    published: bool  # the paper preset's radius
    scale: float  # multiplier on the radius
    scores: Array  # (N,) largest (rho - min rho)^T mu over the set at the last choice
    certificate: Array  # (1,) largest amount by which a score so far may fall short of the maximum


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> ImprovedState:
    """The state before round 1."""
    outcomes, best, worst = problem.outcomes, int(np.argmax(problem.rewards)), int(np.argmin(problem.rewards))
    if preset == "paper":
        basis, bound = reference_basis(outcomes, worst), problem.reference_bound
    else:
        basis, bound = contrast_basis(outcomes), problem.frobenius_bound
    region = make_set(problem, basis, bound, data, best)
    state = ImprovedState(
        region=region,
        arms=region.data.arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        best=best,
        spread=float(problem.rewards[best] - problem.rewards[worst]),
        delta=problem.delta,
        published=preset == "paper",
        scale=radius_multiplier,
        scores=np.zeros(len(problem.arms)),
        certificate=np.zeros(1),
    )
    refit_after(state, 0)
    return state


@rare_kernel
def choose(state, t):
    """Line 4: argmax of the largest rho^T mu over the set."""
    if state.region.fresh:
        look(state.region, state.best, state.offered)
    for n in range(len(state.scores)):
        if not state.offered[n]:
            continue
        probability = sigmoid(most_optimistic(state.region, n, state.best, CERTAIN))
        state.scores[n] = state.spread * probability
        growth = math.expm1(min(1e2, state.region.gap[0]))  # of the odds
        short = probability * (1.0 - probability) * growth / (1.0 + probability * growth)
        state.certificate[0] = max(state.certificate[0], state.spread * short)
    return first_offered(state.scores, state.offered)


@rare_kernel
def refit_after(state, t):
    """Lines 2 and 3: the set of round t + 1, from the data of the rounds 1 .. t."""
    bound, size = state.region.bound, len(state.region.untilted)
    if state.published:
        square = recalled_square(size, bound, t + 1.0, state.delta)
    else:
        square = mixture_square(size, math.sqrt(2.0) * bound * t, state.delta)
    refit(state.region, state.scale**2 * square)


@kernel
def update(state, t, arm, outcome):
    """Line 5, then lines 2 and 3 of the next round."""
    record(state.region.data, arm, outcome)
    refit_after(state, t)


@kernel
def ratio(state, t, theta):
    """sqrt((L(theta) - min L)/beta^2) after round t."""
    return distance_to_truth(state.region, theta)


ALGORITHM = Algorithm(
    name="improved-mnl-ucb-plus",
    title="Improved MNL-UCB+",
    source="Lee, Yun and Jun (2024)",
    state=ImprovedState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=(RADIUS, DATA),
    setting=ONE_HIGH,
    row=9,
    regret=r"R d \sqrt{K T} + \kappa d^2 K^2",
    cost="-",
    mark="reconstructed; radius of the paper preset recalled and unverified, of valid our derivation",
)
