"""A specialist for the family of the lower bound: Thompson sampling over the signs of M~ (App. proof lower bound).

On M~ row 1 of theta minus any other row is one vector m, so an outcome matters only as far as it is the first or not:
P(y = 1 | x) = s(m^T x - log(K - 1)), s the sigmoid. The specialist knows m up to the signs of m_2 .. m_d.

    1. w_1(v) = 2^-(d-1) for every sign vector v
    2. for t = 1, 2, ...:
    3.     draw v with probability w_t(v)
    4.     play its best arm m_v / ||m_v||
    5.     observe y_t
    6.     w_{t+1}(v) = w_t(v) P_v(y_t | x_t), divided by its sum over v
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Algorithm, only_fixed
from mnlbandits.compiled import kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.learners.splitmix import index_drawn
from mnlbandits.model.softmax import Array

NEAR = 1e-9
"""Distance from 1 of the cosine between an arm and the best arm of a sign vector, and relative difference of equal rows."""


class SignSamplerState(NamedTuple):
    """State of the specialist for V = 2^(d-1) sign vectors."""

    best: Array  # (V,) int64: the best arm of every sign vector
    hit: Array  # (V, N): P(y = 1) of every arm
    weights: Array  # (V,) posterior
    stream: Array  # (1,) uint64: the counter of splitmix64


def start(instance: Instance, preset: str, generator: np.random.Generator) -> SignSamplerState:
    """Equal weights; `generator` gives the key of the run's random numbers.

    Raises
    ------
    InputError : theta is not of the family, or a best arm is missing.
    """
    theta, arms = instance.theta, instance.arms
    m = theta[0] - theta[1]
    if np.abs(theta[1:] - theta[1]).max() > NEAR * np.linalg.norm(m):
        raise InputError("sign-sampler.instance", instance.name, "of the lower bound's family: rows 2 .. K of theta equal")
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=len(m) - 1)))
    candidates = np.hstack([np.full((len(signs), 1), m[0]), signs * np.abs(m[1:])])
    cosines = candidates @ arms.T / np.linalg.norm(m)
    if (cosines.max(axis=1) < 1 - NEAR).any():
        raise InputError("sign-sampler.instance", instance.name, "one with the best arms of all sign vectors")
    logits = candidates @ arms.T - math.log(instance.outcomes - 1)
    return SignSamplerState(
        best=cosines.argmax(axis=1),
        hit=1 / (1 + np.exp(-logits)),
        weights=np.full(len(signs), 1 / len(signs)),
        stream=generator.integers(2**64, size=1, dtype=np.uint64),
    )


@kernel
def choose(state, t):
    """Lines 3 and 4: the best arm of a sign vector drawn from the posterior."""
    return state.best[index_drawn(state.stream, state.weights)]


@kernel
def update(state, t, arm, outcome):
    """Lines 5 and 6: Bayes' rule."""
    total = 0.0
    for v in range(len(state.weights)):
        hit = state.hit[v, arm]
        state.weights[v] *= hit if outcome == 0 else 1.0 - hit
        total += state.weights[v]
    for v in range(len(state.weights)):
        state.weights[v] /= total


ALGORITHM = Algorithm(
    name="sign-sampler",
    title="specialist of the lower bound's family",
    source="yardstick: Thompson sampling over the signs of M~",
    state=SignSamplerState,
    presets=("none",),
    start=start,
    choose=choose,
    update=update,
    knows_theta=True,
    randomised=True,
    refuses=only_fixed("it knows one family of instances, whose arms are a list"),
)
