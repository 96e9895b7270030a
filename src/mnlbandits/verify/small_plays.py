"""Small plays of any algorithm, round by round."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mnlbandits.algorithms import Algorithm
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, make_instance
from mnlbandits.seeds import generator
from mnlbandits.simulators import exact

ROUNDS = 60
"""Of a play that is looked at round by round."""

HORIZON, DELTA, MULTIPLIER = 10**4, 0.05, 0.01
"""What the learner is told there, and the multipliers of calibrated constants, with which it soon learns."""


def instances_for(algorithm: Algorithm) -> list[Instance]:
    """Small instances that the algorithm can play: two of them, or one if it refuses all others.

    Raises
    ------
    InputError : it refuses all.
    """
    drawn = [on_sphere(make_instance(f"check-{k}", "random", {"outcomes": k, "arms": 5, "seed": 1})) for k in (3, 2)]
    example = [make_instance(f"check-example-{k}", "large-kappa-star", {"outcomes": k, "arms": 5}) for k in (3, 2)]
    family = [make_instance(f"check-{name}", name, {}) for name in ("lower-bound", "hidden-pairs")]
    playable, refused = [], None
    for instance in (*drawn, *example, *family):
        try:
            fresh(algorithm, instance, algorithm.presets[0])
            playable.append(instance)
        except InputError as error:
            refused = error
    if not playable:
        raise refused
    return playable[:2]


def on_sphere(instance: Instance) -> Instance:
    """An instance with its arms of norm 1, so that none wins by its length."""
    return replace(instance, arms=instance.arms / np.linalg.norm(instance.arms, axis=1, keepdims=True))


def cases(algorithm: Algorithm) -> list[tuple[Instance, str]]:
    """Every instance with every preset."""
    return [(instance, preset) for instance in instances_for(algorithm) for preset in algorithm.presets]


def fresh(algorithm: Algorithm, instance: Instance, preset: str, run: int = 0) -> Any:
    """The state before round 1."""
    factors = dict.fromkeys(algorithm.multipliers, MULTIPLIER) if preset == "calibrated" else {}
    return algorithm.begin(instance, instance.problem(HORIZON, DELTA), preset, factors, run=run)


def uniforms(instance: Instance, run: int = 0, rounds: int = ROUNDS) -> np.ndarray:
    """What draws the outcomes of a run, shape (rounds,)."""
    return generator("outcomes", 0, instance.name, run).random(rounds)


def play(algorithm: Algorithm, instance: Instance, preset: str, run: int = 0) -> list[int]:
    """The arms of the first `ROUNDS` rounds of a run, in the simulator's own loop."""
    return list(play_of(algorithm, instance, fresh(algorithm, instance, preset, run), run))


def play_of(algorithm: Algorithm, instance: Instance, state: Any, run: int, first: int = 0) -> Iterator[int]:
    """The arms, one after another, of the rounds from `first` (counted from 0) to `ROUNDS`, from a state on."""
    theta, cumulative = instance.theta.copy(), cumulative_of(instance)
    loop, tally = exact.loop_of(algorithm), exact.new_tally(len(instance.arms))
    draws = uniforms(instance, run)
    for t in range(first, ROUNDS):
        yield int(loop(state, t, theta, cumulative, draws[t : t + 1], tally.pulls, tally.worst))


def cumulative_of(instance: Instance) -> np.ndarray:
    """Cumulative probabilities of the outcomes of every arm, (N, K)."""
    return np.cumsum(instance.probabilities, axis=1)


def first_difference(arms: Sequence[Any], others: Iterable[Any]) -> int | None:
    """The first round in which two plays differ, counted from 1."""
    return next((t for t, (one, two) in enumerate(zip(arms, others, strict=True), start=1) if one != two), None)
