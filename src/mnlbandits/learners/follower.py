"""The estimator of the ECOLog family, one implicit step a round, and its radius.

    b_{t+1} = argmin over Theta of ||b - b_t||^2_{W_t}/(2 + D) + l(b; x_t, u_t)
    W_{t+1} = W_t + s'(x_t^T b_{t+1}) x_t x_t^T

from W_1 = lambda I, Theta a ball with |x^T(b - b')| <= D on it. Before the outcome is seen, bbar_t minimises the same with
the losses of both outcomes. The radius of the ``valid`` presets is

    radius^2 = lambda B^2 + (2 + D) {log(1/delta) + sum [l_s(bbar_s) - l_s(b_{s+1})]} - sum ||b_{s+1} - b_s||^2_{W_s},

never below (2 + D) log(1/delta), where B bounds ||b_* - b_1||. Our derivation: the optimality of every step and l(b_*) >=
l(b) + l'(b)(b_* - b) + s'(x^T b)(x^T(b_* - b))^2/(2 + D) add up to the bound with sum [l_s(b_*) - l_s(b_{s+1})], and sum
[l_s(b_*) - l_s(bbar_s)] is the logarithm of a martingale of mean 1 (a product of likelihood ratios), at most log(1/delta)
for ever.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import (
    PROJECTED,
    Learner,
    add_curvature,
    better_outcome,
    binary_bounds,
    distance_squared,
    logit,
    make_learner,
)
from mnlbandits.learners.design import refresh_scores
from mnlbandits.learners.implicit import implicit_step
from mnlbandits.learners.sigmoid import curvature, log_loss
from mnlbandits.model.softmax import Array

RIDGE = 1.0
"""lambda: W_1 = lambda I."""


class Follower(NamedTuple):
    """The estimator of the family and its radius; arrays are changed in place."""

    learner: Learner
    diameter: float  # D
    base: Array  # (1,): the part of radius^2 that is known when learning starts
    total: Array  # (1,): the rest, summed over the rounds
    least: float  # radius^2 is never below
    scale: float  # multiplier on the radius
    better: int  # the outcome with the larger reward
    bar: Array  # (d,) bbar of the last round
    trial: Array  # (d,) working memory


def make_follower(problem: Problem, diameter: float, base: float, delta: float, scale: float, ridge: float) -> Follower:
    """A follower at b = 0, W = ridge I, in the ball of radius S_b."""
    return Follower(
        learner=make_learner(problem.arms.copy(), ridge, binary_bounds(problem)[0], problem.fresh),
        diameter=diameter,
        base=np.array([base]),
        total=np.zeros(1),
        least=(2 + diameter) * math.log(1 / delta),
        scale=scale,
        better=better_outcome(problem),
        bar=np.zeros(problem.dim),
        trial=np.zeros(problem.dim),
    )


def follower_in_ball(problem: Problem, scale: float) -> Follower:
    """The follower of the ``valid`` presets from round 1 on: Theta is the ball of radius S_b, and B = S_b."""
    bound, largest = binary_bounds(problem)
    base = RIDGE * bound**2 + (2 + 2 * largest) * math.log(1 / problem.delta)
    return make_follower(problem, 2 * largest, base, problem.delta, scale, RIDGE)


@kernel
def radius(follower, extra):
    """The radius of the confidence set, with `extra` added to its square."""
    return follower.scale * math.sqrt(max(follower.base[0] + extra + follower.total[0], follower.least))


@kernel
def adopt(follower, arm, pulls):
    """Move to `trial`, and W += pulls s'(x^T trial) x x^T."""
    for i in range(len(follower.trial)):
        follower.learner.b[i] = follower.trial[i]
    add_curvature(follower.learner, arm, pulls * curvature(logit(follower.learner, arm, follower.trial)))


@kernel
def follow(follower, arm, outcome):
    """One round of the estimator, with the radius of the ``valid`` preset."""
    learner, bar, trial = follower.learner, follower.bar, follower.trial
    weight, hit = 1.0 / (2.0 + follower.diameter), 1.0 if outcome == follower.better else 0.0
    implicit_step(learner, arm, weight, 2.0, 1.0, bar)
    if implicit_step(learner, arm, weight, 1.0, hit, trial):
        learner.counters[PROJECTED] += 1
    fall = log_loss(logit(learner, arm, bar), hit) - log_loss(logit(learner, arm, trial), hit)
    follower.total[0] += (2.0 + follower.diameter) * fall - distance_squared(learner, trial, learner.b)
    adopt(follower, arm, 1.0)


@kernel
def pulls_and_hits(follower, counts):
    """Rounds and better outcomes in `counts` (2,)."""
    return counts[0] + counts[1], counts[follower.better]


@kernel
def follow_many(follower, arm, counts):
    """`follow` for many rounds of an arm at once; the radius grows as by that many rounds at the estimate before them."""
    learner, bar, trial = follower.learner, follower.bar, follower.trial
    weight, (pulls, hits) = 1.0 / (2.0 + follower.diameter), pulls_and_hits(follower, counts)
    implicit_step(learner, arm, weight, 2.0, 1.0, bar)
    for outcome in range(2):
        hit = 1.0 if outcome == follower.better else 0.0
        implicit_step(learner, arm, weight, 1.0, hit, trial)
        fall = log_loss(logit(learner, arm, bar), hit) - log_loss(logit(learner, arm, trial), hit)
        follower.total[0] += counts[outcome] * (
            (2.0 + follower.diameter) * fall - distance_squared(learner, trial, learner.b)
        )
    if implicit_step(learner, arm, weight, pulls, hits, trial):
        learner.counters[PROJECTED] += 1.0
    adopt(follower, arm, pulls)
    refresh_scores(learner.arms, learner.w, learner.widths, learner.inverse, learner.scratch.lower)


@kernel
def gain(state, arm):
    """Relative growth of W by one pull."""
    learner = state.follower.learner
    return curvature(logit(learner, arm, learner.b)) * learner.widths[arm]
