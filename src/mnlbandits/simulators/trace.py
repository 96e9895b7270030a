"""What was played round by round: arms, outcomes and rewards of every run."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.model.softmax import Array, softmax
from mnlbandits.simulators.exact import outcome_of

Integers = NDArray[np.int64]

LONGEST = 10**7
"""Rounds of all runs together: a round that is kept costs some ten microseconds, as it leaves the compiled loop."""


class Trace(NamedTuple):
    """The rounds 1 .. T of M runs.

    Attributes
    ----------
    arms : (M, T) index of the arm played; with fresh vectors among those of the round, on a sphere or ball 0.
    outcomes : (M, T) in 0 .. K-1.
    rewards : (M, T) rho of the outcome.
    vectors : (M, T, d) the vector played.
    """

    arms: Integers
    outcomes: Integers
    rewards: Array
    vectors: Array


def empty_trace(instance: Instance, runs: int, horizon: int) -> Trace:
    """A trace to be filled.

    Raises
    ------
    InputError : it would have more than `LONGEST` rounds.
    """
    if runs * horizon > LONGEST:
        raise InputError("trace", runs * horizon, f"of at most {LONGEST:.0e} rounds in all runs together")
    arms, outcomes = np.zeros((2, runs, horizon), dtype=np.int64)
    return Trace(arms, outcomes, np.zeros((runs, horizon)), np.zeros((runs, horizon, instance.dim)))


def recorder(trace: Trace, row: int, instance: Instance) -> Callable[[Any, int, int, float], None]:
    """What writes a round of the run in `row`, given the state, t, the arm and the uniform that drew its outcome."""
    cumulative, kind = np.cumsum(instance.probabilities, axis=1), instance.actions.kind

    def record(state: Any, t: int, arm: int, uniform: float) -> None:
        if kind in ("list", "subsets"):
            x, ladder = instance.arms[arm], cumulative[arm]
        else:
            x = state.arms[arm]
            ladder = np.cumsum(softmax(instance.theta @ x))
        outcome = outcome_of(ladder, uniform)
        trace.arms[row, t - 1], trace.outcomes[row, t - 1] = arm, outcome
        trace.rewards[row, t - 1], trace.vectors[row, t - 1] = instance.rewards[outcome], x

    return record
