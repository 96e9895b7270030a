"""One round after another, compiled when the algorithm is."""

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from mnlbandits.algorithms import Algorithm, algorithm_of
from mnlbandits.compiled import allocating_kernel, interpreted, kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.model.softmax import Array
from mnlbandits.simulate.dispatch import dispatched

BLOCK = 1 << 15
"""Most rounds between two draws of uniforms: memory does not grow with the horizon."""


@kernel
def no_ratio(state, t, theta):
    """`ratio` of an algorithm without confidence sets."""
    return -1.0


@dispatched(lambda algorithm: algorithm.choose)
def choose(state, t):
    """`choose` of the algorithm that the state belongs to."""
    algorithm = algorithm_of(state)
    arm = algorithm.choose(state, t)
    if isinstance(arm, bool) or not isinstance(arm, Integral):
        raise InputError(f"{algorithm.name}.choose", arm, "the integer index of an arm")
    return arm


@dispatched(lambda algorithm: algorithm.update)
def update(state, t, arm, outcome):
    """`update` of the algorithm that the state belongs to."""
    algorithm_of(state).update(state, t, arm, outcome)


@dispatched(lambda algorithm: algorithm.ratio or no_ratio)
def ratio(state, t, theta):
    """`ratio` of the algorithm that the state belongs to; -1 if it has none."""
    function = algorithm_of(state).ratio
    return -1.0 if function is None else function(state, t, theta)


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


@kernel
def play_offered(state, t, theta, cumulative, uniforms, draws, gaps, pulls, worst):
    """`play` on changing sets: `draws` (rounds, n), uniforms too, decide which n of the N arms each round offers.

    They become the state's `offered` by Floyd's sampling. The best arm offered, of the smallest of `gaps` (N,), is taken off
    `pulls`: their sum of products with `gaps` stays the regret. An arm that is not offered ends the play as well.
    """
    arm, offered = 0, state.offered
    count, size = len(pulls), draws.shape[1]
    for row in range(len(uniforms)):
        t += 1
        for n in range(count):
            offered[n] = False
        for i in range(size):
            last = count - size + i
            drawn = int(draws[row, i] * (last + 1))
            offered[last if offered[drawn] else drawn] = True
        arm = choose(state, t)
        if arm < 0 or arm >= count or not offered[arm]:
            return arm
        outcome = 0
        while outcome < cumulative.shape[1] - 1 and uniforms[row] >= cumulative[arm, outcome]:
            outcome += 1
        update(state, t, arm, outcome)
        best = arm
        for n in range(count):
            if offered[n] and gaps[n] < gaps[best]:
                best = n
        pulls[arm] += 1
        pulls[best] -= 1
        worst[0] = max(worst[0], ratio(state, t, theta))
    return arm


play_counted = allocating_kernel(interpreted(play))
"""The same loop with reference counting, for compiled algorithms that allocate arrays."""

play_offered_counted = allocating_kernel(interpreted(play_offered))
"""The same for changing sets."""


def loop_of(algorithm: Algorithm, changing: bool = False) -> Callable[..., int]:
    """The loop that fits the sets and how the algorithm is compiled: see `mnlbandits.compiled`; interpreted if it is not."""
    loop, counted = (play_offered, play_offered_counted) if changing else (play, play_counted)
    if not isinstance(algorithm.choose, Dispatcher):
        return interpreted(loop)
    return counted if algorithm.choose.targetoptions.get("_nrt", True) else loop


def advance(
    algorithm: Algorithm,
    state: Any,
    instance: Instance,
    generator: np.random.Generator,
    t: int,
    stop: int,
    pulls: Array,
    worst: Array,
    sets: np.random.Generator | None = None,
) -> None:
    """Play the rounds t+1 .. stop; `pulls` (N,) int64 and `worst` (1,) are changed in place.

    `sets` draws the arms on offer, if the instance offers some of them only; the best of them is taken off `pulls` in every
    round, so that their sum of products with the gaps is the regret with either kind of instance.

    Raises
    ------
    InputError : the algorithm chose an arm that does not exist or is not offered.
    """
    if instance.offered:
        advance_offered(algorithm, state, instance, generator, sets, t, stop, pulls, worst)
        return
    loop = loop_of(algorithm)
    cumulative = np.cumsum(instance.probabilities, axis=1)
    theta = instance.theta.copy()
    while t < stop:
        uniforms = generator.random(min(BLOCK, stop - t))
        arm = loop(state, t, theta, cumulative, uniforms, pulls, worst)
        if not 0 <= arm < len(pulls):
            raise InputError(f"{algorithm.name}.choose", arm, f"an arm in 0 .. {len(pulls) - 1}")
        t += len(uniforms)


def advance_offered(algorithm, state, instance, generator, sets, t, stop, pulls, worst) -> None:
    """`advance` on changing sets."""
    loop = loop_of(algorithm, changing=True)
    cumulative = np.cumsum(instance.probabilities, axis=1)
    theta, gaps = instance.theta.copy(), instance.gaps.copy()
    while t < stop:
        rounds = min(max(1, BLOCK // instance.offered), stop - t)
        draws = sets.random((rounds, instance.offered))
        arm = loop(state, t, theta, cumulative, generator.random(rounds), draws, gaps, pulls, worst)
        if not 0 <= arm < len(pulls) or not state.offered[arm]:
            raise InputError(f"{algorithm.name}.choose", arm, "an arm that is offered in this round")
        t += rounds
