"""SupSplitLog (Bae and Lee 2026), reconstructed: stages for finitely many arms, each with a sample split in two.

Only the abstract was at hand: for K-armed contexts, sqrt(d T) up to logarithms without assumptions on the contexts; the data
are split into two disjoint parts, one for an initial estimate, one for a Newton step from it; the rule that splits balances
what both need. What follows is the scheme of stages of SupLinRel (Auer 2002) around such an estimate, its rule, its widths
and its constants ours: nothing measured here is the published algorithm.

Two outcomes, s the sigmoid, b in the ball ||b|| <= S_b = sqrt(2) S, X the longest arm. Stage k has the rounds Phi_k, the
initial part, and Psi_k, the correction part. With H_P(b) for the sum of s'(x_i^T b) x_i x_i^T over a part,

    b-hat = argmin over the ball of the loss on Phi_k
    u(x) = min(2 S_b ||x||, r ||x||_{M^-1}),  M = H_{Phi_k}(b-hat) + I/(4 S_b^2)
    b-bar = b-hat + H^-1 sum over Psi_k of (y_i - s(x_i^T b-hat)) x_i,  H = H_{Psi_k}(b-hat) + lambda I
    w(x) = c ||x||_{H^-1}

Input: S_b, delta, T

    1. for t = 1, 2, .., T
    2.     k = 1, A = the arms on offer
    3.     repeat
    4.         if max u > min(1, (16 L/|Psi_k|)^{1/4}): play argmax u, Phi_k <- Phi_k and t
    5.         else if max w <= 1/sqrt(T): play argmax x^T b-bar + w
    6.         else if max w > 2^-k: play argmax w, Psi_k <- Psi_k and t
    7.         else A <- {x in A: x^T b-bar + w(x) >= max of x^T b-bar - w}, k = k + 1
    8.     until an arm is played

All maxima are over A; logits stand for rewards, which increase with them. By line 4 the remainder of the Newton step stays
of the order of the noise.

Presets
-------
valid : our derivation. r^2 = 1 + (2 + 2 S_b X)(log(2 k_max/delta) + d log max(e, 2 e S_b X |Phi_k|/d)), as for OFU-ECOLog:
    |x^T(b-hat - b_*)| <= u(x) for all arms, stages and rounds with probability 1 - delta/2. c = 2 S_b sqrt(lambda) +
    sqrt(2 e^U L) + X L/(3 sqrt(lambda)) + sqrt(sum over Psi_k of s'(x_i^T b-hat)(e^{u_i} - 1 - u_i)^2) with the largest
    u_i on Psi_k as U, L = log(4 N T k_max/delta) and lambda = L X/(6 S_b): with probability 1 - delta/2, |x^T(b-bar -
    b_*)| <= w(x) for all arms, stages and rounds. For x^T(b-bar - b_*) = lambda x^T H^-1 (b-hat - b_*) + sum x^T H^-1 x_i
    (eps_i + r_i), eps_i the noise and |r_i| <= s'(x_i^T b-hat)(e^{u_i} - 1 - u_i); the first and the last term by Cauchy's
    inequality. Which rounds are in Psi_k, and their arms, depends on Phi_k and on lower stages only, so given those the
    eps_i are independent and centred, of variances <= e^U s'(x_i^T b-hat): Bernstein's inequality.
calibrated : the valid constants with r and c times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, Algorithm, Option
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import better_outcome, binary_bounds
from mnlbandits.learners.data import Data, make_data
from mnlbandits.learners.linalg import first_offered
from mnlbandits.learners.split_sample import CORRECTION, INITIAL, NEITHER, correct, fit_initial
from mnlbandits.model.softmax import Array, reference_basis


class SupState(NamedTuple):
    """State of SupSplitLog, of k_max stages; arrays are changed in place."""

    data: Data  # the initial part of the stage that is fitted
    better: int  # the outcome with the larger reward
    norm_bound: float  # S_b
    largest_logit: float  # S_b X
    longest: float  # X
    delta: float
    scale: float  # multiplier on r and c
    ridge: float  # lambda
    chance: float  # L
    precision: float  # 1/sqrt(T)
    offered: Array  # arms on offer in this round (N,) bool
    counts: Array  # (k_max, 2, 2, N): by stage and part, how often every arm showed each outcome
    sizes: Array  # (k_max, 2) rounds
    estimates: Array  # (k_max, 2, d) b-hat, b-bar
    logits: Array  # (k_max, 2, N) of the arms at both
    widths: Array  # (k_max, 2, N) u, w
    members: Array  # (N,) bool: A
    stage: Array  # (1,) int64 that the round goes to
    part: Array  # (1,) int64 that the round goes to, NEITHER if it is not kept
    scores: Array  # (N,) what the last choice maximised
    residual: Array  # (d,) sum of (y_i - s) x_i, working memory
    matrix: Array  # (d, d) H or M, working memory
    inverse: Array  # (d, d) of it
    lower: Array  # (d + 1, d) its Cholesky factor
    point: Array  # (1, d) b-hat, working memory
    no_tilt: Array  # (d,) zeros


def start(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> SupState:
    """The state before round 1."""
    (bound, largest), count, dim = binary_bounds(problem), len(problem.arms), problem.dim
    stages = math.ceil(math.log2(max(problem.horizon, 2)) / 2) + 1
    longest, chance = largest / bound, math.log(4 * count * problem.horizon * stages / problem.delta)
    state = SupState(
        data=make_data(problem, reference_basis(2, 1 - better_outcome(problem)), "suffstat"),
        better=better_outcome(problem),
        norm_bound=bound,
        largest_logit=largest,
        longest=longest,
        delta=problem.delta,
        scale=radius_multiplier,
        ridge=chance * longest / (6 * bound),
        chance=chance,
        precision=1 / math.sqrt(problem.horizon),
        offered=np.ones(count, dtype=bool),
        counts=np.zeros((stages, 2, 2, count)),
        sizes=np.zeros((stages, 2)),
        estimates=np.zeros((stages, 2, dim)),
        logits=np.zeros((stages, 2, count)),
        widths=np.zeros((stages, 2, count)),
        members=np.zeros(count, dtype=bool),
        stage=np.zeros(1, dtype=np.int64),
        part=np.zeros(1, dtype=np.int64),
        scores=np.zeros(count),
        residual=np.zeros(dim),
        matrix=np.zeros((dim, dim)),
        inverse=np.zeros((dim, dim)),
        lower=np.zeros((dim + 1, dim)),
        point=np.zeros((1, dim)),
        no_tilt=np.zeros(dim),
    )
    for stage in range(stages):
        fit_initial(state, stage)
        correct(state, stage)
    return state


@kernel
def choose(state, t):
    """Lines 2 to 8: the arm that the first stage to decide plays."""
    members, scores, last = state.members, state.scores, len(state.sizes) - 1
    for n in range(len(members)):
        members[n] = state.offered[n]
    for stage in range(last + 1):
        initial, width = state.widths[stage, INITIAL], state.widths[stage, CORRECTION]
        if largest(initial, members) > min(1.0, (16.0 * state.chance / max(1.0, state.sizes[stage, CORRECTION])) ** 0.25):
            return play(state, initial, stage, INITIAL)
        widest = largest(width, members)
        if widest > 0.5 ** (stage + 1.0) and widest > state.precision:
            return play(state, width, stage, CORRECTION)
        logits = state.logits[stage, CORRECTION]
        if widest <= state.precision or stage == last:
            for n in range(len(scores)):
                scores[n] = logits[n] + width[n]
            return play(state, scores, stage, NEITHER)
        eliminate(logits, width, members)
    return 0


@kernel
def largest(values, members):
    """The largest of `values` (N,) in A."""
    best = -math.inf
    for n in range(len(values)):
        if members[n]:
            best = max(best, values[n])
    return best


@kernel
def play(state, values, stage, part):
    """The arm of A with the largest of `values` (N,), which become the scores; the round goes to `part` of `stage`."""
    state.stage[0], state.part[0] = stage, part
    least = math.inf
    for n in range(len(values)):
        state.scores[n] = values[n]
        least = min(least, values[n])
    for n in range(len(values)):
        if not state.members[n]:
            state.scores[n] = least - 1.0
    return first_offered(state.scores, state.members)


@kernel
def eliminate(logits, width, members):
    """Line 7: drop the arms from A that are worse for sure."""
    best = -math.inf
    for n in range(len(members)):
        if members[n]:
            best = max(best, logits[n] - width[n])
    for n in range(len(members)):
        members[n] = members[n] and logits[n] + width[n] >= best


@kernel
def update(state, t, arm, outcome):
    """Lines 4 and 6: the round into its part, and what depends on it."""
    stage, part = state.stage[0], state.part[0]
    if part == NEITHER:
        return
    state.counts[stage, part, outcome, arm] += 1.0
    state.sizes[stage, part] += 1.0
    if part == INITIAL:
        fit_initial(state, stage)
    correct(state, stage)


@kernel
def ratio(state, t, theta):
    """The largest |x^T(b - b-hat)|/u(x) or |x^T(b - b-bar)|/w(x) in the stage of the round, for theta (2, d)."""
    stage, worst = state.stage[0], 0.0
    for n in range(len(state.scores)):
        z = 0.0
        for j in range(theta.shape[1]):
            z += state.data.arms[n, j] * (theta[state.better, j] - theta[1 - state.better, j])
        for part in range(2):
            width = state.widths[stage, part, n]
            if width > 0.0:
                worst = max(worst, abs(z - state.logits[stage, part, n]) / width)
    return worst


ALGORITHM = Algorithm(
    name="sup-split-log",
    title="SupSplitLog",
    source="Bae and Lee (2026)",
    state=SupState,
    presets=("valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=(Option("radius_multiplier", "factor on both valid widths"),),
    setting=BINARY,
    regret=r"\sqrt{d T}",
    cost=r"O(1)",
    mark="reconstructed from the abstract: stages of SupLinRel, splitting rule and widths ours",
    refuses={"fresh": "not the paper's limit: its stages are reconstructed for the arms of a list"},
)
