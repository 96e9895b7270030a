"""A specialist for the family of hidden pairs: Thompson sampling over its hypotheses.

It knows the instance up to which pair hides which direction, one hypothesis h = 1 .. H each.

    1. w_1(h) = 1/H
    2. for t = 1, 2, ...:
    3.     draw h with probability w_t(h)
    4.     play the best arm of h
    5.     observe y_t
    6.     w_{t+1}(h) = w_t(h) P_h(y_t | x_t), divided by its sum over h
"""

from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Algorithm, only_fixed
from mnlbandits.compiled import kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.instances.pairs import hidden_pairs, hypotheses
from mnlbandits.learners.splitmix import index_drawn
from mnlbandits.model.softmax import Array, softmax


class PairSamplerState(NamedTuple):
    """State of the specialist for H hypotheses, each with its best arm."""

    chances: Array  # (H, N, K): probability of every outcome of every arm
    weights: Array  # (H,) posterior
    stream: Array  # (1,) uint64: the counter of splitmix64


def start(instance: Instance, preset: str, generator: np.random.Generator) -> PairSamplerState:
    """Equal weights; `generator` gives the key of the run's random numbers.

    Raises
    ------
    InputError : the instance is not of the family.
    """
    if instance.family != ALGORITHM.family:
        raise InputError("pair-sampler.instance", instance.name, f"of the family {ALGORITHM.family}")
    count = len(hypotheses(instance.outcomes, instance.dim))
    known = {key: value for key, value in instance.parameters.items() if key != "hypothesis"}
    thetas = [hidden_pairs(instance.name, **known, hypothesis=each).theta for each in range(count)]
    return PairSamplerState(
        chances=np.array([softmax(instance.arms @ theta.T) for theta in thetas]),
        weights=np.full(count, 1 / count),
        stream=generator.integers(2**64, size=1, dtype=np.uint64),
    )


@kernel
def choose(state, t):
    """Lines 3 and 4: the best arm of a hypothesis drawn from the posterior."""
    return index_drawn(state.stream, state.weights)


@kernel
def update(state, t, arm, outcome):
    """Lines 5 and 6: Bayes' rule."""
    total = 0.0
    for h in range(len(state.weights)):
        state.weights[h] *= state.chances[h, arm, outcome]
        total += state.weights[h]
    for h in range(len(state.weights)):
        state.weights[h] /= total


ALGORITHM = Algorithm(
    name="pair-sampler",
    title="specialist of the hidden pairs",
    source="yardstick: Thompson sampling over the hypotheses of the family",
    state=PairSamplerState,
    presets=("none",),
    start=start,
    choose=choose,
    update=update,
    knows_theta=True,
    family="hidden-pairs",
    randomised=True,
    refuses=only_fixed("it knows one family of instances, whose arms are a list"),
)
