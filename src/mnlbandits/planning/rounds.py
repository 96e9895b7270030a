"""What a round costs, and by which powers of K, d and the number of arms it grows."""

import math
import time
from collections.abc import Iterable

import pandas as pd

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import Instance, make_instance
from mnlbandits.seeds import generator
from mnlbandits.verify.cost import play

SMALL = {"outcomes": 3, "dim": 2, "arms": 20}
LARGE = {"outcomes": 6, "dim": 4, "arms": 80}
"""Sizes at which a round is timed: the small one, and one of the three large at a time."""

ROUNDS, SECONDS = 500, 0.1
"""Rounds that are played before, and processor time for which they are timed at least, two times."""


def instance_of(binary: bool, **changed: int) -> Instance:
    """The example of large kappa_*, of the small size but for what is changed, and of two outcomes if it is `binary`."""
    sizes = SMALL | changed | ({"outcomes": 2} if binary else {})
    return make_instance("growth", "large-kappa-star", sizes | {"norm": 1.0})


def seconds_per_round(name: str, preset: str, instance: Instance) -> float:
    """Processor time of a round; the better of two measurements."""
    algorithm, stream, best = REGISTRY[name], generator("growth", 0, name), math.inf
    state = algorithm.begin(instance, instance.problem(10**6, 0.05), preset, {})
    play(algorithm, state, instance, stream.random(ROUNDS), 0)
    t, many = ROUNDS, 100
    for _ in range(2):
        spent = 0.0
        while spent < SECONDS:
            many *= 2
            start = time.process_time()
            play(algorithm, state, instance, stream.random(many), t)
            spent, t = time.process_time() - start, t + many
        best, many = min(best, spent / many), many // 2
    return best


def rounds_table(names: Iterable[str]) -> pd.DataFrame:
    """Columns algorithm, preset, microseconds (of a round at the small size), K, d, arms (the powers, at least 0).

    The powers are those of the last set of constants, which learns soonest; that of K is 0 of systems for two outcomes.
    """
    rows = []
    for name in names:
        binary, presets = REGISTRY[name].setting.name == "binary", REGISTRY[name].presets
        small = {preset: seconds_per_round(name, preset, instance_of(binary)) for preset in presets}
        powers = []
        for quantity, value in LARGE.items():
            sized = instance_of(binary, **{quantity: value})
            fixed = binary and quantity == "outcomes"
            ratio = 1.0 if fixed else seconds_per_round(name, presets[-1], sized) / small[presets[-1]]
            powers.append(max(0.0, round(math.log(ratio) / math.log(value / SMALL[quantity]), 2)))
        rows += [[name, preset, round(1e6 * small[preset], 3), *powers] for preset in presets]
    return pd.DataFrame(rows, columns=["algorithm", "preset", "microseconds", "K", "d", "arms"])
