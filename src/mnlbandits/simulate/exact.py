"""One round after another, compiled when the algorithm is."""

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.extending import overload

from mnlbandits.algorithms import BY_STATE, Algorithm, algorithm_of
from mnlbandits.compiled import kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.model.softmax import Array

BLOCK = 1 << 15
"""Most rounds between two draws of uniforms: memory does not grow with the horizon."""


def choose(state, t):
    """`choose` of the algorithm that the state belongs to."""
    algorithm = algorithm_of(state)
    arm = algorithm.choose(state, t)
    if isinstance(arm, bool) or not isinstance(arm, Integral):
        raise InputError(f"{algorithm.name}.choose", arm, "the integer index of an arm")
    return arm


def update(state, t, arm, outcome):
    """`update` of the algorithm that the state belongs to."""
    algorithm_of(state).update(state, t, arm, outcome)


def ratio(state, t, theta):
    """`ratio` of the algorithm that the state belongs to; -1 if it has none."""
    function = algorithm_of(state).ratio
    return -1.0 if function is None else function(state, t, theta)


@overload(choose, inline="always")
def compiled_choose(state, t):
    """`choose`, resolved while compiling."""
    function = BY_STATE[state.instance_class].choose
    return lambda state, t: function(state, t)


@overload(update, inline="always")
def compiled_update(state, t, arm, outcome):
    """`update`, resolved while compiling."""
    function = BY_STATE[state.instance_class].update
    return lambda state, t, arm, outcome: function(state, t, arm, outcome)


@overload(ratio, inline="always")
def compiled_ratio(state, t, theta):
    """`ratio`, resolved while compiling."""
    function = BY_STATE[state.instance_class].ratio
    if function is None:
        return lambda state, t, theta: -1.0
    return lambda state, t, theta: function(state, t, theta)


@kernel
def play(state, t, theta, cumulative, uniforms, pulls, worst):
    """Play one round per entry of `uniforms`, after round t.

    The outcome of an arm is the inverse of its cumulative probabilities, (N, K), at the round's uniform. Adds to `pulls`
    (N,) and raises `worst` (1,) to the largest ratio. Returns the arm chosen in the last round played; a number outside
    0 .. N-1 ended the play.
    """
    arm = 0
    for uniform in uniforms:
        t += 1
        arm = choose(state, t)
        if arm < 0 or arm >= len(pulls):
            return arm
        outcome = 0
        while outcome < cumulative.shape[1] - 1 and uniform >= cumulative[arm, outcome]:
            outcome += 1
        update(state, t, arm, outcome)
        pulls[arm] += 1
        worst[0] = max(worst[0], ratio(state, t, theta))
    return arm


play_counted = numba.njit(cache=True)(play.py_func)
"""The same loop with reference counting, for compiled algorithms that allocate arrays."""


def loop_of(algorithm: Algorithm) -> Callable[..., int]:
    """The loop that fits how the algorithm is compiled: see `mnlbandits.compiled`; interpreted if it is not."""
    if not isinstance(algorithm.choose, Dispatcher):
        return play.py_func
    return play_counted if algorithm.choose.targetoptions.get("_nrt", True) else play


def advance(
    algorithm: Algorithm,
    state: Any,
    instance: Instance,
    generator: np.random.Generator,
    t: int,
    stop: int,
    pulls: Array,
    worst: Array,
) -> None:
    """Play the rounds t+1 .. stop; `pulls` (N,) int64 and `worst` (1,) are changed in place.

    Raises
    ------
    InputError : the algorithm chose an arm that does not exist.
    """
    loop = loop_of(algorithm)
    cumulative = np.cumsum(instance.probabilities, axis=1)
    theta = instance.theta.copy()
    while t < stop:
        uniforms = generator.random(min(BLOCK, stop - t))
        arm = loop(state, t, theta, cumulative, uniforms, pulls, worst)
        if not 0 <= arm < len(pulls):
            raise InputError(f"{algorithm.name}.choose", arm, f"an arm in 0 .. {len(pulls) - 1}")
        t += len(uniforms)
