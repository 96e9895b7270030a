"""B-MNL-CB (Midigeshi, Goyal and Sinha 2025): a few batches, each played by optimal designs on the arms still in question.

In reference-class coordinates, see `reference`, with S for the bound on ||beta||_F, R = ||rho - rho_c|| and A_t the arms on
offer in round t. UCB_m and LCB_m of an arm are rho^T mu(beta_m x) + eps_1 + eps_2 and rho^T mu(beta_m x) - eps_1 - eps_2,
the bonuses of `omd` in the norm of H_m, for one radius.

    Input: S, delta, T
     1  lengths tau_1 = floor(alpha), tau_{m+1} = floor(alpha sqrt(tau_m)), alpha = 2 sqrt(T), as many as fill T rounds
     2  for every batch m = 1, 2, ..
     3      for every round t of the batch
     4          A <- A_t; for j = 1 .. m-1: A <- {x in A: UCB_j(x) >= max LCB_j over A}
     5          w_0 <- the D-optimal design of {x: x in A}
     6          w_i <- that of {[G(beta_{m-1} x)^{1/2}]_i (x) x: x in A}, for i = 1 .. K-1, if m > 1
     7          play an arm by the mean of these designs, and keep the outcome
     8      beta_m, H_m <- fit and Hessian; UCB_m, LCB_m

Line 7 plays the arm that is furthest behind its share of the batch, which needs no random numbers; the paper draws the
arm. Lines 5 and 6 are for the very set on offer: the paper learns from half of every batch a policy for all sets that its
distribution may bring (a distributional design), which a fixed list does not need. So no half is set aside here. A design
is `STEPS` steps of the multiplicative algorithm from equal weights, rounded to multiples of `UNIT`.

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

from mnlbandits.algorithms.base import Algorithm, Batch, Option
from mnlbandits.algorithms.likelihood import curvature, probabilities
from mnlbandits.algorithms.linalg import first_argmax, invert_positive, quadratic_form, symmetric_eigen, total
from mnlbandits.algorithms.mle import Data, make_data, minimise, record, record_many
from mnlbandits.algorithms.mnl_ucb_plus import LossSet, curvature_at_estimate, fit_in_ball, make_loss_set, radius
from mnlbandits.algorithms.omd import Learner, distance_to_truth, make_learner
from mnlbandits.algorithms.reference import reference_of
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array

STEPS = 60
"""Of the multiplicative algorithm: within a few per cent of the largest determinant."""

UNIT = 2.0**-24
"""Weights are multiples of this, so that equal shares are equal whatever the rounding."""

SPAN = 1e-6
"""A coordinate of a design's vectors counts if others do not give it up to this part of its size."""


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
    vectors: Array  # (N, D) arms of a design
    design: Array  # (N,) its weights
    matrices: Array  # (3, D + 1, D) working memory


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
        vectors=np.zeros((count, size)),
        design=np.zeros(count),
        matrices=np.zeros((3, size + 1, size)),
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
    learner, vectors, weights, design = state.learner, state.vectors, state.weights, state.design
    free, dim = learner.phi.shape
    columns, root = learner.scratch.small[0], learner.scratch.small[2]
    for n in range(len(weights)):
        state.former[n] = state.members[n]
        for j in range(dim):
            vectors[n, j] = learner.arms[n, j]
    optimal_design(vectors[:, :dim], state.members, design, state.matrices[:, : dim + 1, :dim])
    for n in range(len(weights)):
        weights[n] = design[n]
    if state.over[0] > 0:
        for i in range(free):
            for n in range(len(weights)):
                probabilities(learner.basis, learner.phi, learner.arms[n], learner.scratch.p)
                curvature(learner.basis, learner.scratch.p, columns)
                square_root(columns, root, learner.scratch.small[1])
                for a in range(free):
                    for j in range(dim):
                        vectors[n, a * dim + j] = root[a, i] * learner.arms[n, j]
            optimal_design(vectors, state.members, design, state.matrices)
            for n in range(len(weights)):
                weights[n] += design[n]
        for n in range(len(weights)):
            weights[n] /= free + 1.0
    for n in range(len(weights)):
        weights[n] = UNIT * np.rint(weights[n] / UNIT)


@kernel
def square_root(g, root, vectors):
    """g^{1/2} of a positive semi-definite `g` (n, n) into `root`; overwrites g and `vectors` (n, n)."""
    size = g.shape[0]
    symmetric_eigen(g, vectors)
    for a in range(size):
        for b in range(size):
            root[a, b] = 0.0
            for k in range(size):
                root[a, b] += vectors[a, k] * math.sqrt(max(0.0, g[k, k])) * vectors[b, k]


@rare_kernel
def optimal_design(vectors, members, weights, matrices):
    """The D-optimal design of the vectors v_n (N, D) with n in `members` (N,) into `weights` (N,), which sum to 1.

    By w_n <- w_n v_n^T M^-1 v_n / rank, M = sum w_n v_n v_n^T. A linear map of the vectors changes no weight: they are first
    overwritten by `orthonormalise`. `matrices` is (3, D + 1, D) working memory.
    """
    count, inside = len(vectors), 0
    rank = orthonormalise(vectors, members)
    matrix, inverse, lower = matrices[0, :rank, :rank], matrices[1, :rank, :rank], matrices[2, : rank + 1, :rank]
    for n in range(count):
        inside += members[n]
    for n in range(count):
        weights[n] = 1.0 / inside if members[n] else 0.0
    for _ in range(STEPS if rank > 0 else 0):
        for i in range(rank):
            for j in range(rank):
                matrix[i, j] = 0.0
        for n in range(count):
            if weights[n] > 0.0:
                for i in range(rank):
                    for j in range(rank):
                        matrix[i, j] += weights[n] * vectors[n, i] * vectors[n, j]
        invert_positive(matrix, inverse, lower)
        scale = 0.0
        for n in range(count):
            if weights[n] > 0.0:
                weights[n] *= quadratic_form(inverse, vectors[n, :rank])
                scale += weights[n]
        for n in range(count):
            weights[n] /= scale


@rare_kernel
def orthonormalise(vectors, members):
    """Replace the columns of `vectors` (N, D), on the rows in `members`, by an orthonormal basis of their span; its size.

    By the method of Gram and Schmidt, twice over.
    """
    count, rank = len(vectors), 0
    for j in range(vectors.shape[1]):
        before, after = 0.0, 0.0
        for n in range(count):
            if members[n]:
                before += vectors[n, j] * vectors[n, j]
                vectors[n, rank] = vectors[n, j]
        for _ in range(2):
            for i in range(rank):
                along = 0.0
                for n in range(count):
                    if members[n]:
                        along += vectors[n, i] * vectors[n, rank]
                for n in range(count):
                    vectors[n, rank] -= along * vectors[n, i]
        for n in range(count):
            if members[n]:
                after += vectors[n, rank] * vectors[n, rank]
        if after > SPAN * SPAN * before:
            for n in range(count):
                vectors[n, rank] /= math.sqrt(after)
            rank += 1
    return rank


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
    p, r, block, vectors = learner.scratch.p, learner.scratch.r, learner.scratch.small[0], learner.scratch.small[1]
    square = 0.0
    for k in range(outcomes):
        square += learner.rewards[k] * learner.rewards[k]
    for n in range(len(learner.arms)):
        probabilities(learner.basis, learner.phi, learner.arms[n], p)
        mean, along, largest = 0.0, 0.0, 0.0
        for k in range(outcomes):
            mean += p[k] * learner.rewards[k]
        for a in range(free):
            r[a] = 0.0
            for k in range(outcomes):
                r[a] += learner.basis[k, a] * p[k] * (learner.rewards[k] - mean)
            for b in range(free):
                block[a, b] = learner.blocks[a, b, n]
        along = quadratic_form(block, r)
        symmetric_eigen(block, vectors)
        for a in range(free):
            largest = max(largest, block[a, a])
        width = sigma * math.sqrt(max(0.0, along)) + 3.0 * math.sqrt(square) * sigma * sigma * largest
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
    options=(Option("radius_multiplier", "factor on the valid radius"),),
    regret=r"\sqrt{T}",
    cost=r"O(1)",
    mark="steps and paper preset from the authors' first code, mended, its learnt policy replaced by designs of the set at "
    "hand, not drawn; radius of valid our derivation",
)
