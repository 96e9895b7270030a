"""The ECOLog family (Faury, Abeille, Jun and Calauzenes 2022): implicit online steps for two outcomes.

b_{t+1} minimises ||b - b_t||^2_{W_t}/(2 + D) + l_t(b) over Theta, where |x^T(b - b')| <= D, and W_{t+1} = W_t +
s'(x_t^T b_{t+1}) x_t x_t^T from W_1 = lambda I. The authors approximate the step; here it is exact, from one scalar
equation. Before the outcome of round t is seen, b-bar_t minimises the same with the losses of both outcomes for l_t.
S_b bounds b, X is the longest arm, Theta_1 the ball ||b|| <= S_b with D = 2 S_b X, and kappa_b = 2 + 2
cosh(S_b X) >= 1/s'.

- ofu-ecolog first plays argmax ||x||_{V^-1}, V = I/(4 S_b^2) + sum x x^T/kappa_b, and sets Theta = {||b - b-hat||_V <=
  r}, b-hat the maximum likelihood estimate in the ball, as soon as D = 2 r max ||x||_{V^-1} <= 1. Then W starts from I
  at b-hat.
- ada-ofu-ecolog has no such phase. In ``paper`` the observation of a round in which s'(x_t^T b-bar_t) exceeds twice s'
  at the step with one of the outcomes goes to the exceptional list instead, which shrinks Theta to {||b - b-hat||_V <=
  r}, V and b-hat from that list alone, within the ball. In ``valid`` Theta is the ball, no list.
- ts-ecolog draws b~ = b_t + radius W_t^{-1/2} xi, xi standard normal, and plays argmax x^T b~. The paper draws again
  until b~ is in Theta; this draws once, as public code does, since in the ball of R^5 that would not end. Steps as in
  ``valid``.

The first two play argmax x^T b_t + radius ||x||_{W_t^-1}.

Presets
-------
paper (ada-ofu-ecolog) : the constants of the authors' code, lambda = 1, radius^2 = 2 S_b^2 + (1 + S_b X)^2 gamma_t +
    sum [(2 + D)(l_s(b-bar_s) - l_s(b_{s+1})) - ||b_{s+1} - b-bar_s||^2_{W_s}/2] over rounds without exception and
    gamma_t = 1/2 + 2 log(2 sqrt(1 + t/4)/delta), with its slips repaired: b-bar comes before the update, the norm is
    squared, the bonus is on the logit, D is the diameter, a failed test makes an exception. gamma_t enters unsquared,
    as coded, so that nothing is proved. The constants of the exceptional set were not at hand; they are ours, those of
    r below.
valid : lambda = 1 and radius^2 = lambda B^2 + (2 + D) {log(1/delta) + sum [l_s(b-bar_s) - l_s(b_{s+1})]} - sum
    ||b_{s+1} - b_s||^2_{W_s}, never below (2 + D) log(1/delta), where B = S_b bounds ||b_* - b_1||. Our derivation:
    the optimality of every step and l(b_*) >= l(b) + l'(b)(b_* - b) + s'(x^T b)(x^T(b_* - b))^2/(2 + D) add up to the
    bound with sum [l_s(b_*) - l_s(b_{s+1})], and sum [l_s(b_*) - l_s(b-bar_s)] is the logarithm of a martingale of
    mean 1 (a product of likelihood ratios), at most log(1/delta) for ever. For ofu-ecolog delta is halved, D = 1, B^2
    = min(4 S_b^2, r^2/lambda_min(V)), and r^2 = 1 + (2 + 2 S_b X)(log(2/delta) + d log max(e, 2 e S_b X t/d)), from
    the likelihood's mass near b-hat and the same curvature.
calibrated : the valid constants with the radius times `radius_multiplier` and, for ofu-ecolog, r times
    `exploration_multiplier`. No guarantee.

The numbers in the radii of ofu-ecolog and ts-ecolog as published were not at hand, so they have no ``paper``.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, RADIUS, Algorithm, Batch, Option
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import add_curvature, distance_squared, optimistic_logit
from mnlbandits.learners.data import record, record_many
from mnlbandits.learners.design import refresh_scores
from mnlbandits.learners.follower import RIDGE, Follower, follow, follow_many, make_follower, radius
from mnlbandits.learners.follower import gain as gain_of_follower
from mnlbandits.learners.linalg import first_argmax, symmetric_eigen
from mnlbandits.learners.region import Region, fit_region, make_region, region_square
from mnlbandits.model.softmax import Array


class OfuState(NamedTuple):
    """State of OFU-ECOLog. While exploring, the learner's W is V; then its coordinates are V^{1/2} (b - b-hat)."""

    follower: Follower
    region: Region
    root: Array  # V^{1/2} (d, d)
    learning: Array  # (1,) int64: 1 once Theta is there
    scores: Array  # (N,) what the last choice maximised


def start(problem: Problem, preset: str, exploration_multiplier: float = 1.0, radius_multiplier: float = 1.0) -> OfuState:
    """The state of OFU-ECOLog before round 1."""
    region = make_region(problem, problem.delta / 2, exploration_multiplier)
    state = OfuState(
        follower=make_follower(problem, 1.0, 0.0, problem.delta / 2, radius_multiplier, 1 / (4 * region.norm_bound**2)),
        region=region,
        root=np.zeros((problem.dim, problem.dim)),
        learning=np.zeros(1, dtype=np.int64),
        scores=np.zeros(len(problem.arms)),
    )
    if explored(state, 0):
        begin_learning(state, 0)
    return state


@kernel
def choose(state, t):
    """The widest arm while exploring, then argmax of the optimistic logit."""
    if state.learning[0]:
        return optimistic_logit(state.follower.learner, radius(state.follower, 0.0), state.scores)
    for n in range(len(state.scores)):
        state.scores[n] = state.follower.learner.widths[n]
    return first_argmax(state.scores)


@kernel
def update(state, t, arm, outcome):
    """V += x x^T/kappa_b while exploring, the implicit step afterwards."""
    if state.learning[0]:
        follow(state.follower, arm, outcome)
        return
    record(state.region.data, arm, outcome)
    add_curvature(state.follower.learner, arm, 1.0 / state.region.kappa)
    if explored(state, t):
        begin_learning(state, t)


@kernel
def ratio(state, t, theta):
    """||b - b_{t+1}||_{W_{t+1}} over the radius, for theta (2, d); -1 while exploring."""
    if not state.learning[0]:
        return -1.0
    psi, better = state.follower.trial, state.follower.better
    for i in range(len(psi)):
        psi[i] = 0.0
        for j in range(len(psi)):
            psi[i] += state.root[i, j] * (theta[better, j] - theta[1 - better, j] - state.region.centre[0, j])
    learner = state.follower.learner
    return math.sqrt(distance_squared(learner, psi, learner.b)) / radius(state.follower, 0.0)


@kernel
def explored(state, t):
    """Whether the exploration is over after round t: the diameter of Theta is at most 1."""
    largest = 0.0
    for width in state.follower.learner.widths:
        largest = max(largest, width)
    return 4.0 * region_square(state.region, t) * largest <= 1.0


@rare_kernel
def begin_learning(state, t):
    """Theta, and the learner at its centre with W = lambda I, in coordinates psi = V^{1/2} (b - b-hat)."""
    learner, region, dim = state.follower.learner, state.region, len(state.root)
    fit_region(region, t)
    values, vectors = region.matrices[0], region.matrices[1]
    for i in range(dim):
        for j in range(dim):
            values[i, j] = learner.w[i, j]
            region.design[i, j] = learner.w[i, j]
    symmetric_eigen(values, vectors)
    smallest = values[0, 0]
    for k in range(dim):
        smallest = min(smallest, values[k, k])
    x = region.vectors[0]
    for n in range(len(learner.arms)):
        for j in range(dim):
            x[j] = learner.arms[n, j]
            learner.offsets[n] += region.centre[0, j] * x[j]
            learner.arms[n, j] = 0.0
        for k in range(dim):
            product = 0.0
            for j in range(dim):
                product += vectors[j, k] * x[j]
            for j in range(dim):
                learner.arms[n, j] += vectors[j, k] * product / math.sqrt(values[k, k])
    for i in range(dim):
        for j in range(dim):
            learner.w[i, j] = 0.0
            state.root[i, j] = 0.0
            for k in range(dim):
                learner.w[i, j] += RIDGE * vectors[i, k] * vectors[j, k] / values[k, k]
                state.root[i, j] += vectors[i, k] * vectors[j, k] * math.sqrt(values[k, k])
    refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.matrices[0])
    learner.radius[0] = math.sqrt(region.square[0])
    learner.counters[0] = 0
    start = min(4.0 * region.norm_bound**2, region.square[0] / smallest)
    state.follower.base[0] = RIDGE * start + state.follower.least
    state.learning[0] = 1


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    if state.learning[0]:
        follow_many(state.follower, arm, counts)
        return
    learner, region = state.follower.learner, state.region
    record_many(region.data, arm, counts)
    add_curvature(learner, arm, (counts[0] + counts[1]) / region.kappa)
    refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.matrices[0])
    if explored(state, t):
        begin_learning(state, t)


@kernel
def gain(state, arm):
    """Relative growth of W by one pull; 1 while exploring, which is short, so that every round is played by itself."""
    return gain_of_follower(state, arm) if state.learning[0] else 1.0


ALGORITHM = Algorithm(
    name="ofu-ecolog",
    title="OFU-ECOLog",
    source="Faury, Abeille, Jun and Calauzenes (2022)",
    state=OfuState,
    presets=("valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, gain),
    rounds_explored=lambda state: state.region.data.counts.sum(),
    options=(Option("exploration_multiplier", "factor on the radius of Theta"), RADIUS),
    setting=BINARY,
    row=4,
    regret=r"d \sqrt{T / \kappa_*} + \kappa d^2",
    cost=r"O(\log^2 (t))",
    mark="steps from slides and later papers, each solved exactly; all constants our derivation",
)
