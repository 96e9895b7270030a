"""Measured cost of a round as a function of t: the last column of the paper's Table 1."""

import math
import time

import numpy as np
import pandas as pd

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.base import DATA
from mnlbandits.instances import Instance
from mnlbandits.learners.data import Data
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator
from mnlbandits.simulators import exact

SIZES = (100, 1_000, 10_000, 100_000)
SECONDS = 0.2
"""A measurement plays rounds for about this long, three times, and keeps the fastest."""


def microseconds_per_round(name: str, instance: Instance, t: int, preset: str = "valid", data: str = "stream") -> float:
    """Microseconds of one round of the algorithm after t rounds, on one core.

    Offline methods keep one row per round (``stream``) and start from t rows drawn at random; methods of cost O(1) or
    without such rows play t rounds.
    """
    algorithm = get_algorithm(name)
    options = {"data": data} if DATA in algorithm.options else {}
    many = 1 << 14
    state = algorithm.begin(instance, instance.problem(t + 8 * many, 0.05), preset, options)
    stream = generator("cost", 0, name)
    store = store_of(state)
    if store is None or algorithm.cost == "O(1)":
        play(algorithm, state, instance, stream.random(t), 0)
    else:
        fill(store, instance, t, stream)
    round_, rounds, best = t, 1, math.inf
    for _ in range(2):  # the first round after a filled store is not like the others
        play(algorithm, state, instance, stream.random(1), round_)
        round_ += 1
    for _ in range(3):
        seconds = timed(algorithm, state, instance, stream.random(rounds), round_)
        round_ += rounds
        best = min(best, seconds / rounds)
        rounds = int(min(2 * many, max(1, SECONDS / best)))
    return 1e6 * best


def store_of(state) -> Data | None:
    """The observations that a state keeps, at any depth."""
    if isinstance(state, Data):
        return state
    found = (store_of(field) for field in state if isinstance(field, tuple))
    return next((store for store in found if store is not None), None)


def play(algorithm, state, instance: Instance, uniforms: Array, t: int) -> None:
    """Play a round per uniform after round t."""
    cumulative = np.cumsum(instance.probabilities, axis=1)
    pulls, worst = np.zeros(len(instance.arms), dtype=np.int64), np.array([-1.0])
    exact.loop_of(algorithm)(state, t, instance.theta.copy(), cumulative, uniforms, pulls, worst)


def timed(algorithm, state, instance: Instance, uniforms: Array, t: int) -> float:
    """Seconds that `play` takes."""
    start = time.perf_counter()
    play(algorithm, state, instance, uniforms, t)
    return time.perf_counter() - start


def fill(store: Data, instance: Instance, t: int, stream: np.random.Generator) -> None:
    """Put t observations of arms drawn at random into the store."""
    arms = stream.integers(len(instance.arms), size=t)
    uniforms = stream.random((t, 1))
    outcomes = (uniforms >= np.cumsum(instance.probabilities[arms], axis=1)[:, :-1]).sum(axis=1)
    if store.stream:
        store.features[:, :t] = instance.arms[arms].T
        store.counts[outcomes, np.arange(t)] = 1.0
        store.used[0] = t
    else:
        np.add.at(store.counts, (outcomes, arms), 1.0)


def cost_table(instances: list[Instance], names: list[str]) -> pd.DataFrame:
    """Columns algorithm, instance, t, microseconds: every algorithm on the first instance of its setting, at all `SIZES`."""
    rows = []
    for name in names:
        instance = next(entry for entry in instances if get_algorithm(name).setting.holds(entry.rewards))
        for t in SIZES:
            rows.append((name, instance.name, t, microseconds_per_round(name, instance, t)))
    return pd.DataFrame(rows, columns=["algorithm", "instance", "t", "microseconds"])


def growth(costs: pd.DataFrame) -> float:
    """Exponent of the cost in t over the last two steps between sizes, of the rows of one algorithm."""
    last = costs.sort_values("t").iloc[[-3, -1]]
    ratio = last["microseconds"].iloc[1] / last["microseconds"].iloc[0]
    return float(math.log(ratio) / math.log(last["t"].iloc[1] / last["t"].iloc[0]))
