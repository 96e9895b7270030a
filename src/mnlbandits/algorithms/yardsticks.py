"""Yardsticks, which learn nothing.

Uniform play, with a stride of about the golden ratio of the N arms:

    1. for t = 1, 2, ...:
    2.     play arm (t stride) mod N

The oracle, which knows theta_*:

    1. for t = 1, 2, ...:
    2.     play x_* = argmax_x rho^T mu(theta_* x)
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Algorithm
from mnlbandits.compiled import kernel
from mnlbandits.instances import Instance, Problem


class UniformState(NamedTuple):
    """The number of arms, and the step from one to the next."""

    arms: int
    stride: int


class OracleState(NamedTuple):
    """The best arm."""

    best: int


def start_uniform(problem: Problem, preset: str) -> UniformState:
    """Step by about the golden ratio of the arms, so that few rounds already look like many."""
    arms = len(problem.arms)
    stride = next(step for step in range(round(0.618 * arms), 2 * arms) if math.gcd(step, arms) == 1)
    return UniformState(arms, stride)


def start_oracle(instance: Instance, preset: str) -> OracleState:
    """Look the best arm up."""
    return OracleState(int(np.argmin(instance.gaps)))


@kernel
def choose_in_turn(state, t):
    """Line 2: every arm in turn, the regret of uniform play without its noise."""
    return (t * state.stride) % state.arms


@kernel
def choose_best(state, t):
    """Line 2: the optimal arm."""
    return state.best


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
