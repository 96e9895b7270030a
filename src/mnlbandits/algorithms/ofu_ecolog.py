"""OFU-ECOLog (Faury, Abeille, Jun and Calauzenes 2022): an exploration phase, then implicit online steps for two outcomes.

b = theta of the better outcome minus theta of the worse one, s the sigmoid, l(b; x, u) the loss at x of u = 1 (the better
outcome) or 0. ||b|| <= S_b, X is the longest arm, kappa_b = 2 + 2 cosh(S_b X) >= 1/s'. The text was not at hand: steps
as in its authors' slides and in later papers, numbered by us.

    1. V_0 = I/(4 S_b^2)
    2. for t = 1, 2, ... while 2 r_{t-1} max_x ||x||_{V_{t-1}^-1} > 1:
    3.     play x_t = argmax_x ||x||_{V_{t-1}^-1}
    4.     observe u_t
    5.     V_t = V_{t-1} + x_t x_t^T/kappa_b
    6. bhat = argmin over ||b|| <= S_b of sum_s l(b; x_s, u_s), and Theta = {||b - bhat||_V <= r}
    7. b_{tau+1} = bhat, W_{tau+1} = lambda I
    8. for t = tau+1, tau+2, ...:
    9.     play x_t = argmax_x x^T b_t + radius_t ||x||_{W_t^-1}
   10.     observe u_t
   11.     b_{t+1} = argmin over Theta of ||b - b_t||^2_{W_t}/(2 + D) + l(b; x_t, u_t), D = 1
   12.     W_{t+1} = W_t + s'(x_t^T b_{t+1}) x_t x_t^T

Line 2 ends the exploration once diam(Theta) <= 1. The authors approximate line 11; here it is exact, from one scalar
equation (`implicit`), in coordinates V^{1/2} (b - bhat), in which Theta is a ball.

Presets
-------
valid : lambda = 1, r of `region` and the radius of `follower` with D = 1, delta halved for each, and
    B^2 = min(4 S_b^2, r^2/lambda_min(V)). Our derivation: the numbers as published were not at hand, so there is no
    ``paper``.
calibrated : the valid constants with the radius times `radius_multiplier` and r times `exploration_multiplier`. No
    guarantee.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, RADIUS, Algorithm, Batch, Option, only_fixed
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.instances.action_sets import ALL_ARMS
from mnlbandits.learners.binary import ADDED, add_curvature, distance_squared, logit, optimistic_logit
from mnlbandits.learners.data import record, record_many
from mnlbandits.learners.design import put_in_play, refresh_scores
from mnlbandits.learners.eigen import symmetric_eigen
from mnlbandits.learners.farthest import Complement, complement_of, farthest
from mnlbandits.learners.follower import RIDGE, Follower, follow, follow_many, make_follower, radius
from mnlbandits.learners.follower import gain as gain_of_follower
from mnlbandits.learners.linalg import first_argmax, largest, quadratic_form
from mnlbandits.learners.region import Region, fit_region, make_region, region_square
from mnlbandits.model.softmax import Array


class OfuState(NamedTuple):
    """State of OFU-ECOLog. While exploring, the learner's W is V; then its coordinates are V^{1/2} (b - bhat).

    On a sphere or ball it explores the axes, which are the arms of the learner; then the first of these is V^{-1/2} x.
    """

    follower: Follower
    region: Region
    arms: Array  # (N, d), on a sphere or ball the vector x played (1, d)
    search: Complement | None  # what finds the best vector of a sphere or ball
    root: Array  # V^{1/2} (d, d)
    inverse_root: Array  # V^{-1/2} (d, d)
    values: Array  # (d, d) its eigenvalues, working memory
    vectors: Array  # (d, d) its eigenvectors, working memory
    x: Array  # (d,) an arm, working memory
    learning: Array  # (1,) int64: 1 once Theta is there
    scores: Array  # (N,) what the last choice maximised


def start(problem: Problem, preset: str, exploration_multiplier: float = 1.0, radius_multiplier: float = 1.0) -> OfuState:
    """The state of OFU-ECOLog before round 1."""
    explored_arms = np.eye(problem.dim) if problem.continuous else problem.arms
    listed = replace(problem, arms=explored_arms, actions=ALL_ARMS)
    region = make_region(listed, problem.delta / 2, exploration_multiplier)
    state = OfuState(
        follower=make_follower(listed, 1.0, 0.0, problem.delta / 2, radius_multiplier, 1 / (4 * region.norm_bound**2)),
        region=region,
        arms=problem.arms.copy(),
        search=complement_of(problem),
        root=np.zeros((problem.dim, problem.dim)),
        inverse_root=np.zeros((problem.dim, problem.dim)),
        values=np.zeros((problem.dim, problem.dim)),
        vectors=np.zeros((problem.dim, problem.dim)),
        x=np.zeros(problem.dim),
        learning=np.zeros(1, dtype=np.int64),
        scores=np.zeros(len(explored_arms)),
    )
    if explored(state, 0):
        begin_learning(state, 0)
    return state


@kernel
def choose(state, t):
    """Line 3: the widest arm while exploring; then line 9: argmax of the optimistic logit."""
    if state.learning[0]:
        return choose_to_learn(state, state.search)
    for n in range(len(state.scores)):
        state.scores[n] = state.follower.learner.widths[n]
    return put_in_play(state.arms, state.follower.learner.arms, first_argmax(state.scores), state.search)


@kernel
def choose_to_learn(state, search):
    """Line 9, on a list or on a sphere or ball."""
    width = radius(state.follower, 0.0)
    if search is not None:
        return optimistic_vector(state, width)
    return optimistic_logit(state.follower.learner, width, state.scores)


@rare_kernel
def optimistic_vector(state, width):
    """Line 9 on a sphere or ball: argmax of x^T b + width ||V^{-1/2} x||_{W^-1} for b = bhat + V^{-1/2} psi."""
    learner, centre, root, dim = state.follower.learner, state.region.centre, state.inverse_root, len(state.x)
    b, shape, half, x = state.x, state.values, state.vectors, state.arms[0]
    for i in range(dim):
        b[i] = centre[0, i]
        for j in range(dim):
            b[i] += root[i, j] * learner.b[j]
            half[i, j] = 0.0
            for k in range(dim):
                half[i, j] += root[i, k] * learner.inverse[k, j]
    for i in range(dim):
        for j in range(dim):
            shape[i, j] = 0.0
            for k in range(dim):
                shape[i, j] += half[i, k] * root[k, j]
    bound = farthest(b, shape, width, False, x, state.search)
    learner.offsets[0] = 0.0
    for i in range(dim):
        learner.offsets[0] += centre[0, i] * x[i]
        learner.arms[0, i] = 0.0
        for j in range(dim):
            learner.arms[0, i] += root[i, j] * x[j]
    learner.widths[0] = quadratic_form(learner.inverse, learner.arms[0])
    state.scores[0] = logit(learner, 0, learner.b) + width * math.sqrt(max(0.0, learner.widths[0]))
    state.search.certificate[0] = max(0.0, bound - state.scores[0])
    return 0


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 7: V += x x^T/kappa_b while exploring; then lines 10 to 12: the implicit step."""
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
    """Line 2: whether the exploration is over after round t, as the diameter of Theta is at most 1."""
    return 4.0 * region_square(state.region, t) * largest(state.follower.learner.widths) <= 1.0


@rare_kernel
def begin_learning(state, t):
    """Lines 6 and 7: Theta, and the learner at its centre with W = lambda I, in coordinates psi = V^{1/2} (b - bhat)."""
    learner, region, dim = state.follower.learner, state.region, len(state.root)
    fit_region(region, t)
    values, vectors, x = state.values, state.vectors, state.x
    for i in range(dim):
        for j in range(dim):
            values[i, j] = learner.w[i, j]
            region.design[i, j] = learner.w[i, j]
    symmetric_eigen(values, vectors)
    smallest = values[0, 0]
    for k in range(dim):
        smallest = min(smallest, values[k, k])
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
            state.inverse_root[i, j] = 0.0
            for k in range(dim):
                state.inverse_root[i, j] += vectors[i, k] * vectors[j, k] / math.sqrt(values[k, k])
                learner.w[i, j] += RIDGE * vectors[i, k] * vectors[j, k] / values[k, k]
                state.root[i, j] += vectors[i, k] * vectors[j, k] * math.sqrt(values[k, k])
    refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.scratch.lower)
    learner.radius[0] = math.sqrt(region.square[0])
    learner.counters[ADDED] = 0
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
    refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.scratch.lower)
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
    refuses=only_fixed("its forced exploration makes Theta small over one fixed set; ada-ofu-ecolog does without"),
)
