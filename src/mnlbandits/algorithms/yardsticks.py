"""Yardsticks, which learn nothing.

Uniform play, the regret of play at random without its noise; with a stride of about the golden ratio of the N arms:

    1. for t = 1, 2, ...:
    2.     if the whole list is on offer: play arm (t stride) mod N
    3.     else: play the arm on offer at the fraction t (sqrt(5) - 1)/2 mod 1 of the set

The oracle, which knows theta_*:

    1. for t = 1, 2, ...:
    2.     play x_* = argmax over the arms on offer of rho^T mu(theta_* x)
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Algorithm
from mnlbandits.compiled import kernel
from mnlbandits.instances import Instance, Problem
from mnlbandits.learners.likelihood import probabilities
from mnlbandits.model.constants import relative
from mnlbandits.model.softmax import Array

GOLDEN = (math.sqrt(5) - 1) / 2
"""Its multiples, modulo 1, spread evenly over [0, 1), and so does every second, every third, ... of them."""


class UniformState(NamedTuple):
    """What is on offer, and the step from one arm of a list to the next."""

    arms: Array  # (N, d)
    offered: Array  # (N,) bool
    stride: int


class OracleState(NamedTuple):
    """What is on offer, and what of it is worth how much."""

    arms: Array  # (N, d)
    offered: Array  # (N,) bool
    fresh: bool  # whether every round has arms of its own: then the gaps are those of the last choice, up to a constant
    gaps: Array  # (N,)
    theta: Array  # theta_* (K, d)
    rewards: Array  # rho - min rho (K,)
    identity: Array  # (K, K)
    p: Array  # (K,) working memory


def start_uniform(problem: Problem, preset: str) -> UniformState:
    """Step by about the golden ratio of the arms, so that few rounds already look like many."""
    arms = len(problem.arms)
    stride = next(step for step in range(round(0.618 * arms), 2 * arms) if math.gcd(step, arms) == 1)
    return UniformState(problem.arms.copy(), np.ones(arms, dtype=bool), stride)


def start_oracle(instance: Instance, preset: str) -> OracleState:
    """Look everything up."""
    return OracleState(
        arms=instance.arms.copy(),
        offered=np.ones(len(instance.arms), dtype=bool),
        fresh=instance.actions.kind == "fresh",
        gaps=instance.gaps.copy(),
        theta=instance.theta.copy(),
        rewards=relative(instance.rewards),
        identity=np.eye(instance.outcomes),
        p=np.zeros(instance.outcomes),
    )


@kernel
def choose_in_turn(state, t):
    """Lines 2 and 3 of uniform play."""
    count, total = 0, len(state.offered)
    for n in range(total):
        count += state.offered[n]
    if count == total:
        return (t * state.stride) % total
    rank = int(count * ((t * GOLDEN) % 1.0))
    for n in range(total):
        if state.offered[n]:
            if rank == 0:
                return n
            rank -= 1
    return 0


@kernel
def look(state):
    """The gaps of the arms of this round, up to a constant."""
    for n in range(len(state.arms)):
        probabilities(state.identity, state.theta, state.arms[n], state.p)
        state.gaps[n] = 0.0
        for k in range(len(state.p)):
            state.gaps[n] -= state.p[k] * state.rewards[k]


@kernel
def choose_best(state, t):
    """Line 2 of the oracle."""
    if state.fresh:
        look(state)
    best, smallest = 0, math.inf
    for n in range(len(state.gaps)):
        if state.offered[n] and state.gaps[n] < smallest:
            best, smallest = n, state.gaps[n]
    return best


@kernel
def ignore(state, t, arm, outcome):
    """Learn nothing."""


ALGORITHMS = (
    Algorithm(
        name="uniform",
        title="uniform play",
        source="yardstick: every arm in turn",
        state=UniformState,
        presets=("none",),
        start=start_uniform,
        choose=choose_in_turn,
        update=ignore,
    ),
    Algorithm(
        name="oracle",
        title="oracle",
        source="yardstick: knows theta_*, plays x_*",
        state=OracleState,
        presets=("none",),
        start=start_oracle,
        choose=choose_best,
        update=ignore,
        knows_theta=True,
    ),
)
