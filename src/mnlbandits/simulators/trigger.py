"""The exploration rounds of Algorithm 3 without playing the others: its trigger looks at the clock and at H^w only.

With all arms on offer in every round, neither outcomes nor the rounds of learning change which rounds explore.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.adaptive_real import AdaptiveRealState
from mnlbandits.compiled import allocating_kernel
from mnlbandits.instances import Instance, Problem
from mnlbandits.learners.design import REFRESH, add_pulls, refresh_scores
from mnlbandits.learners.linalg import first_argmax
from mnlbandits.learners.radii import radius
from mnlbandits.simulators.counts import RESOLUTION


class Trigger(NamedTuple):
    """Exploration of Algorithm 3 to the horizon T.

    Attributes
    ----------
    first : the first round of learning, T + 1 if there is none.
    rounds : |T^w|, the rounds of exploration.
    bound : the paper's on `rounds`, see `bound_on_exploration`.
    """

    first: int
    rounds: int
    bound: float


def trigger(instance: Instance, horizon: float, delta: float, resolution: int = RESOLUTION) -> Trigger:
    """The exploration of Algorithm 3 with the paper's constants.

    Exact for 2 `resolution` rounds of exploration; from then on it explores a share 1/`resolution` of its rounds at a time.
    """
    problem = instance.problem(horizon, delta)
    state = get_algorithm("adaptive-real").begin(instance, problem, "paper", {})
    ridge, horizon = float(state.design[0, 0]), problem.horizon
    first, rounds = follow_trigger(instance.arms.copy(), problem.kappa, ridge, state.beta, delta, float(horizon), resolution)
    return Trigger(int(first), int(rounds), bound_on_exploration(problem, state, horizon))


def bound_on_exploration(problem: Problem, state: AdaptiveRealState, t: float) -> float:
    """2 tau_t^2 kappa K d log(1 + t/(K d lambda^w)), tau_t = 2 sqrt(6) beta_t: the paper's bound on |T^w| up to round t.

    Lemma bound number exploration steps; `state` is one of Algorithm 3 before round 1, of any preset.
    """
    size = problem.outcomes * problem.dim
    square = 24 * radius(state.beta, float(t), problem.delta, 0.0) ** 2
    return 2 * square * problem.kappa * size * math.log1p(t / (size * float(state.design[0, 0])))


@allocating_kernel
def after(t):
    """The round after t, or the next float, where rounds are no longer apart."""
    return max(t + 1.0, np.nextafter(t, np.inf))


@allocating_kernel
def follow_trigger(arms, kappa, ridge, beta, delta, horizon, resolution):
    """First round of learning and rounds of exploration up to `horizon`, as floats; `beta` a `Radius` without growth.

    Between explorations H^w stands still and beta_t^2 grows with log(t/delta) alone: the next round to explore is a root.
    """
    count, dim = arms.shape
    design, inverse, scores = ridge * np.eye(dim), np.empty((dim, dim)), np.empty(count)
    scratch = np.empty((dim + 1, dim))
    refresh_scores(arms, design, scores, inverse, scratch)
    t, explored, first, picks = 0.0, 0.0, 0.0, 0
    while t < horizon:
        largest = scores.max()
        if 24.0 * radius(beta, t + 1.0, delta, explored) ** 2 * largest >= 1.0:
            many = min(max(1.0, np.floor(explored / resolution)), horizon - t)
            add_pulls(arms, kappa, first_argmax(scores), many, design, scores, inverse, scratch)
            explored += many
            t += many
            picks += 1
            if picks % REFRESH == 0 or many > 1.0:
                refresh_scores(arms, design, scores, inverse, scratch)
            continue
        if first == 0.0:
            first = t + 1.0
        root = math.sqrt(1.0 / (24.0 * largest)) / beta.scale - beta.offset
        following = delta * math.exp(min(600.0, (root * root - beta.constant) / beta.log))
        t = max(after(t), min(horizon, np.ceil(following)) - 1.0)
        while t < horizon and 24.0 * radius(beta, t + 1.0, delta, explored) ** 2 * largest < 1.0:
            t = after(t)
    return (first if first > 0.0 else horizon + 1.0), explored
