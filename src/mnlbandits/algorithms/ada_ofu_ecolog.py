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

from mnlbandits.algorithms.base import BINARY, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import (
    binary_bounds,
    curvature,
    distance_squared,
    distance_to_truth,
    log_loss,
    logit,
    optimistic_logit,
)
from mnlbandits.learners.data import record, record_many
from mnlbandits.learners.design import refresh_scores
from mnlbandits.learners.follower import (
    RIDGE,
    Follower,
    adopt,
    follow,
    follow_many,
    gain,
    make_follower,
    pulls_and_hits,
    radius,
)
from mnlbandits.learners.region import Region, fit_region, make_region, step_within
from mnlbandits.model.softmax import Array


class AdaState(NamedTuple):
    """State of ada-OFU-ECOLog."""

    follower: Follower
    region: Region
    exceptions: Array  # (1,) length of the exceptional list
    printed: bool  # the paper preset
    scores: Array  # (N,) optimistic logits of the last choice


def start(problem: Problem, preset: str, radius_multiplier: float = 1.0) -> AdaState:
    """The state of ada-OFU-ECOLog before round 1."""
    bound, largest = binary_bounds(problem)
    base = 2 * RIDGE * bound**2 if preset == "paper" else RIDGE * bound**2 + (2 + 2 * largest) * math.log(1 / problem.delta)
    return AdaState(
        follower=make_follower(problem, 2 * largest, base, problem.delta, radius_multiplier, RIDGE),
        region=make_region(problem, problem.delta, 1.0),
        exceptions=np.zeros(1),
        printed=preset == "paper",
        scores=np.zeros(len(problem.arms)),
    )


@kernel
def choose(state, t):
    """argmax of the optimistic logit."""
    return optimistic_logit(state.follower.learner, radius(state.follower, printed_term(state, t)), state.scores)


@kernel
def update(state, t, arm, outcome):
    """The implicit step, or in the paper preset perhaps an exception."""
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
    """The implicit step if the curvature at b-bar is at most twice that after either outcome, else one more exception."""
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
            learner.counters[1] += 1
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
            learner.counters[1] += 1.0
        adopt(follower, arm, pulls)
        refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.matrices[0])
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
    mark="paper: the authors' code with its slips repaired, exceptional set from a later paper with our constants; "
    "valid: our variant without exceptional list, radius our derivation",
)
