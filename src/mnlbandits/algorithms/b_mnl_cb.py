"""B-MNL-CB (Midigeshi, Goyal and Sinha 2025): a few batches, each played by optimal designs on the arms still in question.

In reference-class coordinates, see `reference`, with S for the bound on ||beta||_F, R = ||rho - rho_c|| and A_t the arms on
offer in round t. UCB_m and LCB_m of an arm are rho^T mu(beta_m x) + eps_1 + eps_2 and rho^T mu(beta_m x) - eps_1 - eps_2,
the bonuses of `optimistic_index` in the norm of H_m, for one radius.

Input: S, delta, T

    1. lengths tau_1 = floor(alpha), tau_{m+1} = floor(alpha sqrt(tau_m)), alpha = 2 sqrt(T), as many as fill T rounds
    2. for every batch m = 1, 2, ..
    3.     for every round t of the batch
    4.         A <- A_t; for j = 1 .. m-1: A <- {x in A: UCB_j(x) >= max LCB_j over A}
    5.         w_0 <- the D-optimal design of {x: x in A}
    6.         w_i <- that of {[G(beta_{m-1} x)^{1/2}]_i (x) x: x in A}, for i = 1 .. K-1, if m > 1
    7.         play an arm by the mean of these designs, and keep the outcome
    8.     beta_m, H_m <- fit and Hessian; UCB_m, LCB_m

Line 7 plays the arm that is furthest behind its share of the batch, which needs no random numbers; the paper draws the
arm. Lines 5 and 6 are for the very set on offer: the paper learns from half of every batch a policy for all sets that its
distribution may bring (a distributional design), which a fixed list does not need. So no half is set aside here. A design
is found by the multiplicative algorithm from equal weights, to `optimal_design.GAP` or in its `STEPS`, and rounded
to multiples of `UNIT`.

Presets
-------
paper : from the authors' first public code, which their final one leaves out: every batch fitted by itself with ridge
    lambda = 1/2, radius R S sqrt(d log(T/delta)), lengths as in line 1 (their choice for more than log log T batches).
    Different here: A shrinks by all batches, not by the last one only; the bonuses, and H without a factor
    e^{-2 sqrt(6) S}, are as in their code of RS-MNL; scaled arms are not made unit vectors; designs are not from a random
    start. The text was not at hand.
valid : the fit in the ball of all data so far, with lambda and radius of `mnl_ucb_plus`. They hold for data gathered in any
    way and for all rounds at once, so with probability 1 - delta every mean lies between LCB_j and UCB_j for all j, and
    line 4 never drops the best arm. Our derivation.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import Data, make_data, record, record_many
from mnlbandits.learners.eigen import largest_eigenvalue
from mnlbandits.learners.learner import Learner, distance_to_truth, make_learner
from mnlbandits.learners.likelihood import curvature, probabilities
from mnlbandits.learners.linalg import first_argmax, quadratic_form, total
from mnlbandits.learners.loss_set import LossSet, curvature_at_estimate, fit_in_ball, make_loss_set, radius
from mnlbandits.learners.mle import minimise
from mnlbandits.learners.optimal_design import Scratch, make_scratch, optimal_design, square_root
from mnlbandits.learners.reference import reference_of
from mnlbandits.model.softmax import Array

UNIT = 2.0**-24
"""Weights are multiples of this, so that equal shares are equal whatever the rounding."""


class BMnlState(NamedTuple):
    """State of B-MNL-CB; its learner holds beta_m as phi and H_m as W; arrays are changed in place."""

    data: Data
    learner: Learner
    loss_set: LossSet
    no_tilt: Array  # (D,) zeros
    published: bool  # the paper preset
    offered: Array  # arms on offer in this round (N,) bool
    ends: Array  # (M,) rounds after which the batches end
    over: Array  # (1,) int64: batches that are over
    played: Array  # (1,) rounds of this batch so far
    radius: Array  # (1,) of the last fit
    upper: Array  # (M, N) UCB_m
    lower: Array  # (M, N) LCB_m
    members: Array  # (N,) bool: A of this round
    former: Array  # (N,) bool: A of the designs at hand
    weights: Array  # (N,) their mean
    credit: Array  # (N,) rounds by which an arm is behind its share of the batch
    scores: Array  # (N,) what the last choice maximised
    roots: Array  # (N, K-1, K-1) of line 6, of the members
    vectors: Array  # (N, D) arms of a design
    design: Array  # (N,) its weights
    scratch: Scratch


def batch_ends(horizon: int) -> Array:
    """Line 1: the rounds (M,) after which the batches end, the last one T."""
    alpha = 2 * math.sqrt(horizon)
    length, ends = math.floor(alpha), [float(math.floor(alpha))]
    while ends[-1] < horizon:
        length = math.floor(alpha * math.sqrt(length))
        ends.append(ends[-1] + length)
    return np.array([*ends[:-1], float(horizon)])


def start(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> BMnlState:
    """The state before round 1."""
    reference, loss_set = reference_of(problem), make_loss_set(problem, preset, radius_multiplier)
    bound, count, size, ends = reference.norm_bound, len(problem.arms), loss_set.size, batch_ends(problem.horizon)
    spread = float(np.linalg.norm(reference.rewards)) or 1.0  # equal rewards: any radius will do
    width = spread * bound * math.sqrt(problem.dim * math.log(problem.horizon / problem.delta))
    return BMnlState(
        data=make_data(problem, reference.basis, "suffstat"),
        learner=make_learner(reference.basis, problem.arms, reference.rewards, 1.0, eta=1.0, radius=bound),
        loss_set=loss_set,
        no_tilt=np.zeros(size),
        published=preset == "paper",
        offered=np.ones(count, dtype=bool),
        ends=ends,
        over=np.zeros(1, dtype=np.int64),
        played=np.zeros(1),
        radius=np.array([width]),
        upper=np.zeros((len(ends), count)),
        lower=np.zeros((len(ends), count)),
        members=np.zeros(count, dtype=bool),
        former=np.zeros(count, dtype=bool),
        weights=np.zeros(count),
        credit=np.zeros(count),
        scores=np.zeros(count),
        roots=np.zeros((count, problem.outcomes - 1, problem.outcomes - 1)),
        vectors=np.zeros((count, size)),
        design=np.zeros(count),
        scratch=make_scratch(size),
    )


@kernel
def choose(state, t):
    """Lines 4 to 7: the arm furthest behind its share."""
    eliminate(state.offered, state.upper, state.lower, state.over[0], state.members)
    same = True
    for n in range(len(state.members)):
        same = same and state.members[n] == state.former[n]
    if not same:
        mean_of_designs(state)
    least = math.inf
    for n in range(len(state.scores)):
        state.scores[n] = state.credit[n] + state.weights[n]
        least = min(least, state.scores[n])
    for n in range(len(state.scores)):
        if not state.members[n]:
            state.scores[n] = least - 1.0
    return first_argmax(state.scores)


@kernel
def eliminate(offered, upper, lower, batches, members):
    """Line 4: A into `members` (N,), from the bounds (M, N) of the first `batches`."""
    for n in range(len(offered)):
        members[n] = offered[n]
    for j in range(batches):
        best = -math.inf
        for n in range(len(members)):
            if members[n]:
                best = max(best, lower[j, n])
        for n in range(len(members)):
            members[n] = members[n] and upper[j, n] >= best


@rare_kernel
def mean_of_designs(state):
    """Lines 5 to 7: the mean of the designs on `members` into `weights`."""
    learner, roots, vectors = state.learner, state.roots, state.vectors
    members, weights, design = state.members, state.weights, state.design
    free, dim = learner.phi.shape
    for n in range(len(weights)):
        state.former[n] = members[n]
        for j in range(dim):
            vectors[n, j] = learner.arms[n, j]
    optimal_design(vectors[:, :dim], members, weights, state.scratch)
    if state.over[0] > 0:
        for n in range(len(weights)):
            if members[n]:
                probabilities(learner.basis, learner.phi, learner.arms[n], learner.scratch.p)
                curvature(learner.basis, learner.scratch.p, learner.scratch.g)
                square_root(learner.scratch.g, roots[n], learner.scratch.root)
        for i in range(free):
            for n in range(len(weights)):
                for a in range(free):
                    for j in range(dim):
                        vectors[n, a * dim + j] = roots[n, a, i] * learner.arms[n, j]
            optimal_design(vectors, members, design, state.scratch)
            for n in range(len(weights)):
                weights[n] += design[n]
        for n in range(len(weights)):
            weights[n] /= free + 1.0
    for n in range(len(weights)):
        weights[n] = UNIT * np.rint(weights[n] / UNIT)


@kernel
def update(state, t, arm, outcome):
    """Line 7, and line 8 if the batch ends."""
    record(state.data, arm, outcome)
    spend(state, t, arm, 1.0)


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once; a batch may end late by these rounds."""
    record_many(state.data, arm, counts)
    spend(state, t, arm, total(counts))


@kernel
def spend(state, t, arm, pulls):
    """`pulls` rounds went to the arm; line 8 if the batch ends after round t."""
    for n in range(len(state.credit)):
        state.credit[n] += pulls * state.weights[n]
    state.credit[arm] -= pulls
    state.played[0] += pulls
    if t >= state.ends[state.over[0]] and state.over[0] < len(state.ends) - 1:
        end_batch(state, t)


@rare_kernel
def end_batch(state, t):
    """Line 8: the fit, its bounds, and a new batch."""
    if state.published:
        minimise(state.data, 0.5, state.no_tilt, math.inf, state.learner.phi)
        curvature_at_estimate(state.data, 0.5, state.learner)
        for k in range(state.data.counts.shape[0]):
            for n in range(state.data.counts.shape[1]):
                state.data.counts[k, n] = 0.0
    else:
        fit_in_ball(state.data, state.no_tilt, state.loss_set.norm_bound, state.learner)
        state.radius[0] = radius(state.loss_set, t)
    bound_rewards(state.learner, state.radius[0], state.upper[state.over[0]], state.lower[state.over[0]])
    for n in range(len(state.credit)):
        state.credit[n] = 0.0
        state.former[n] = False
    state.played[0] = 0.0
    state.over[0] += 1


@rare_kernel
def bound_rewards(learner, sigma, upper, lower):
    """rho^T mu + eps_1 + eps_2 of every arm into `upper` (N,), rho^T mu - eps_1 - eps_2 into `lower` (N,)."""
    free, outcomes = learner.phi.shape[0], len(learner.rewards)
    p, r, block = learner.scratch.p, learner.scratch.r, learner.scratch.block
    for n in range(len(learner.arms)):
        probabilities(learner.basis, learner.phi, learner.arms[n], p)
        mean = 0.0
        for k in range(outcomes):
            mean += p[k] * learner.rewards[k]
        for a in range(free):
            r[a] = 0.0
            for k in range(outcomes):
                r[a] += learner.basis[k, a] * p[k] * (learner.rewards[k] - mean)
            for b in range(free):
                block[a, b] = learner.blocks[a, b, n]
        along = quadratic_form(block, r)
        largest = largest_eigenvalue(block, learner.scratch.root)
        width = sigma * math.sqrt(max(0.0, along)) + 3.0 * learner.reward_norm * sigma * sigma * largest
        upper[n], lower[n] = mean + width, mean - width


@kernel
def gain(state, arm):
    """1 over the rounds of this batch so far: `Batch.information`."""
    return 1.0 / max(1.0, state.played[0])


@kernel
def ratio(state, t, theta):
    """||beta - beta_m||_{H_m} over the radius, for theta (K, d) and the last batch that is over; -1 in the first one."""
    if state.over[0] == 0:
        return -1.0
    return distance_to_truth(state.learner, theta) / state.radius[0]


ALGORITHM = Algorithm(
    name="b-mnl-cb",
    title="B-MNL-CB",
    source="Midigeshi, Goyal and Sinha (2025)",
    state=BMnlState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, gain),
    options=(RADIUS,),
    regret=r"\sqrt{T}",
    cost=r"O(1)",
    mark="steps and paper preset from the authors' first code, mended, its learnt policy replaced by designs of the set at "
    "hand, not drawn; radius of valid our derivation",
    refuses={"fresh": "not the paper's limit: of its policy only what a list needs is reconstructed"},
)
