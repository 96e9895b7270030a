"""ada-OFU-ECOLog (Faury, Abeille, Jun and Calauzenes 2022): implicit online steps for two outcomes, no exploration phase.

b = theta of the better outcome minus theta of the worse one, s the sigmoid, l(b; x, u) the loss at x of u = 1 (the better
outcome) or 0. ||b|| <= S_b, X is the longest arm, D = 2 S_b X, kappa_b = 2 + 2 cosh(S_b X) >= 1/s'. The text was not at
hand: steps as in the authors' code and in later papers, numbered by us.

    1. Theta_1 = {||b|| <= S_b}, b_1 = 0, W_1 = lambda I, the exceptional list E is empty
    2. for t = 1, 2, ...:
    3.     play x_t = argmax_x x^T b_t + radius_t ||x||_{W_t^-1}
    4.     bbar_t = argmin over Theta_t of ||b - b_t||^2_{W_t}/(2 + D) + l(b; x_t, 0) + l(b; x_t, 1)
    5.     b^u_t = argmin over Theta_t of ||b - b_t||^2_{W_t}/(2 + D) + l(b; x_t, u), for u = 0 and 1
    6.     observe u_t
    7.     if s'(x_t^T bbar_t) <= 2 s'(x_t^T b^u_t) for u = 0 and 1:
    8.         b_{t+1} = b^{u_t}_t
    9.         W_{t+1} = W_t + s'(x_t^T b_{t+1}) x_t x_t^T
   10.     else:
   11.         add (x_t, u_t) to E
   12.         Theta_{t+1} = {b in Theta_1 : ||b - b^E||_{V^E} <= r}, b^E the estimate in Theta_1 from E alone,
               V^E = I/(4 S_b^2) + sum over E of x x^T/kappa_b

The authors approximate lines 4 and 5; here they are exact, from one scalar equation (`implicit`). In ``valid`` and
``calibrated`` there is no list, and every round runs lines 8 and 9.

Presets
-------
paper : the constants of the authors' code, lambda = 1, radius^2 = 2 S_b^2 + (1 + S_b X)^2 gamma_t +
    sum [(2 + D)(l_s(bbar_s) - l_s(b_{s+1})) - ||b_{s+1} - bbar_s||^2_{W_s}/2] over rounds without exception and
    gamma_t = 1/2 + 2 log(2 sqrt(1 + t/4)/delta). gamma_t enters unsquared, as coded, so that nothing is proved. Read
    beside that code, this differs in every one of these points:

    1. the step's weight on ||b - b_t||^2_W is 1/(2 + D); theirs is 1/2, whatever D.
    2. the step is exact; theirs is about (4/3)(9/4 + D/8) log(D t) steps of projected gradient descent.
    3. bbar is from the estimate before the update; theirs starts from the updated one, so it looks at the outcome.
    4. the norm in the sum is squared, and in W_s; theirs is not squared.
    5. the bonus is on the logit; theirs is added to s(x^T b).
    6. D = 2 S_b X is the diameter; theirs is S_b, used in 2 only, and X = 1 elsewhere.
    7. a failed test makes an exception, before the outcome is seen; theirs compares bbar with the step that was taken,
       and stops the program.
    8. the exceptional set and its constants are ours (`region`); theirs has none.
    9. radius^2 is never below (2 + D) log(1/delta); theirs may turn negative.
valid : lambda = 1 and the radius of `follower` with B = S_b. Our derivation.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import (
    PROJECTED,
    distance_squared,
    distance_to_truth,
    logit,
    optimistic_logit,
)
from mnlbandits.learners.data import record, record_many
from mnlbandits.learners.design import refresh_scores
from mnlbandits.learners.farthest import Complement, complement_of
from mnlbandits.learners.follower import (
    RIDGE,
    Follower,
    adopt,
    follow,
    follow_many,
    follower_in_ball,
    gain,
    pulls_and_hits,
    radius,
)
from mnlbandits.learners.region import Region, fit_region, make_region, step_within
from mnlbandits.learners.sigmoid import curvature, log_loss
from mnlbandits.model.softmax import Array


class AdaState(NamedTuple):
    """State of ada-OFU-ECOLog."""

    follower: Follower
    arms: Array  # those of the learner (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    search: Complement | None  # what finds the best vector of a sphere or ball, then arm 0
    region: Region
    exceptions: Array  # (1,) length of the exceptional list
    printed: bool  # the paper preset
    scores: Array  # (N,) optimistic logits of the last choice


def start(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> AdaState:
    """The state of ada-OFU-ECOLog before round 1."""
    follower = follower_in_ball(problem, radius_multiplier)
    if preset == "paper":
        follower.base[0] = 2 * RIDGE * problem.binary_bound**2
    listing = problem if preset == "paper" else replace(problem, horizon=1)  # no list of rounds, no memory for one
    return AdaState(
        follower=follower,
        arms=follower.learner.arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        search=complement_of(problem),
        region=make_region(listing, problem.delta, 1.0, follower.learner.arms),
        exceptions=np.zeros(1),
        printed=preset == "paper",
        scores=np.zeros(len(problem.arms)),
    )


@kernel
def choose(state, t):
    """Line 3: argmax of the optimistic logit."""
    width = radius(state.follower, printed_term(state, t))
    return optimistic_logit(state.follower.learner, width, state.scores, state.offered, state.search)


@kernel
def update(state, t, arm, outcome):
    """Lines 4 to 9, or in the paper preset 4 to 12."""
    if state.printed:
        update_printed(state, arm, outcome)
    else:
        follow(state.follower, arm, outcome)


@kernel
def ratio(state, t, theta):
    """||b - b_{t+1}||_{W_{t+1}} over the radius, for theta (2, d)."""
    return distance_to_truth(state.follower.learner, state.follower.better, theta) / radius(
        state.follower, printed_term(state, t)
    )


@kernel
def printed_term(state, t):
    """(1 + S_b X)^2 gamma_t of the paper preset, else 0."""
    if not state.printed:
        return 0.0
    return (1.0 + 0.5 * state.follower.diameter) ** 2 * (
        0.5 + 2.0 * math.log(2.0 * math.sqrt(1.0 + t / 4.0) / state.region.delta)
    )


@rare_kernel
def update_printed(state, arm, outcome):
    """Lines 4 to 12: the step if the curvature at bbar is at most twice that after either outcome, else an exception."""
    follower, region = state.follower, state.region
    learner, bar, trial = follower.learner, follower.bar, follower.trial
    weight, hit = 1.0 / (2.0 + follower.diameter), 1.0 if outcome == follower.better else 0.0
    step_within(state, arm, weight, 2.0, 1.0, bar)
    allowed = 0.5 * curvature(logit(learner, arm, bar))
    step_within(state, arm, weight, 1.0, 1.0 - hit, trial)
    regular = curvature(logit(learner, arm, trial)) >= allowed
    active = step_within(state, arm, weight, 1.0, hit, trial)
    if regular and curvature(logit(learner, arm, trial)) >= allowed:
        if active:
            learner.counters[PROJECTED] += 1
        fall = log_loss(logit(learner, arm, bar), hit) - log_loss(logit(learner, arm, trial), hit)
        follower.total[0] += (2.0 + follower.diameter) * fall - 0.5 * distance_squared(learner, trial, bar)
        adopt(follower, arm, 1.0)
        return
    state.exceptions[0] += 1.0
    record(region.data, arm, outcome)
    for i in range(len(trial)):
        for j in range(len(trial)):
            region.design[i, j] += learner.arms[arm, i] * learner.arms[arm, j] / region.kappa
    fit_region(region, state.exceptions[0])


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    if state.printed:
        pull_printed(state, arm, counts)
    else:
        follow_many(state.follower, arm, counts)


@rare_kernel
def pull_printed(state, arm, counts):
    """`update_printed` for many rounds of an arm at once: all of them are exceptions, or none is."""
    follower, region = state.follower, state.region
    learner, bar, trial = follower.learner, follower.bar, follower.trial
    weight, (pulls, hits) = 1.0 / (2.0 + follower.diameter), pulls_and_hits(follower, counts)
    step_within(state, arm, weight, 2.0, 1.0, bar)
    allowed, regular, growth = 0.5 * curvature(logit(learner, arm, bar)), True, 0.0
    for outcome in range(2):
        hit = 1.0 if outcome == follower.better else 0.0
        step_within(state, arm, weight, 1.0, hit, trial)
        regular = regular and curvature(logit(learner, arm, trial)) >= allowed
        fall = log_loss(logit(learner, arm, bar), hit) - log_loss(logit(learner, arm, trial), hit)
        growth += counts[outcome] * ((2.0 + follower.diameter) * fall - 0.5 * distance_squared(learner, trial, bar))
    if regular:
        follower.total[0] += growth
        if step_within(state, arm, weight, pulls, hits, trial):
            learner.counters[PROJECTED] += 1.0
        adopt(follower, arm, pulls)
        refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.scratch.lower)
        return
    state.exceptions[0] += pulls
    record_many(region.data, arm, counts)
    for i in range(len(trial)):
        for j in range(len(trial)):
            region.design[i, j] += pulls * learner.arms[arm, i] * learner.arms[arm, j] / region.kappa
    fit_region(region, state.exceptions[0])


ALGORITHM = Algorithm(
    name="ada-ofu-ecolog",
    title="ada-OFU-ECOLog",
    source="Faury, Abeille, Jun and Calauzenes (2022)",
    state=AdaState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, gain),
    options=(RADIUS,),
    setting=BINARY,
    row=4,
    regret=r"d \sqrt{T / \kappa_*} + \kappa d^2",
    cost=r"O(\log^2 (t))",
    mark="paper: constants of the authors' code, nine changes listed in the module, the weight of the step among them; "
    "valid: our variant without exceptional list, radius our derivation",
)
