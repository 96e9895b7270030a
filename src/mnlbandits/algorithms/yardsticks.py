"""Yardsticks: uniform play and the oracle."""

from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Algorithm
from mnlbandits.compiled import kernel
from mnlbandits.instances import Instance, Problem


class UniformState(NamedTuple):
    """The number of arms."""

    arms: int


class OracleState(NamedTuple):
    """The best arm."""

    best: int


def start_uniform(problem: Problem, preset: str) -> UniformState:
    """Nothing to prepare."""
    return UniformState(len(problem.arms))


def start_oracle(instance: Instance, preset: str) -> OracleState:
    """Look the best arm up."""
    return OracleState(int(np.argmin(instance.gaps)))


@kernel
def choose_in_turn(state, t):
    """Every arm in turn: the regret of uniform play without its noise."""
    return (t - 1) % state.arms


@kernel
def choose_best(state, t):
    """The optimal arm."""
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
