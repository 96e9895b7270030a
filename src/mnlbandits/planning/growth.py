"""By which powers of K, d and the number of arms the cost of a round grows."""

import math
from collections.abc import Iterable

import pandas as pd

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import Instance, make_instance
from mnlbandits.verify.cost import microseconds_per_round

SMALL = {"outcomes": 3, "dim": 2, "arms": 20}
LARGE = {"outcomes": 6, "dim": 4, "arms": 80}
"""Sizes at which a round is timed: the small one, and one of the three large at a time."""

ROUND = 1000
"""The round that is timed."""


def instance_of(binary: bool, **changed: int) -> Instance:
    """A random instance of the small size but for what is changed, of two outcomes if it is `binary`."""
    sizes = SMALL | changed | ({"outcomes": 2} if binary else {})
    return make_instance("growth", "random", sizes | {"norm": 1.0, "seed": 1})


def growth_table(names: Iterable[str]) -> pd.DataFrame:
    """Columns algorithm, K, d, arms: the powers, 0 of K of systems for two outcomes."""
    rows = []
    for name in names:
        algorithm = REGISTRY[name]
        binary, preset = algorithm.setting.name == "binary", algorithm.presets[-1]
        base = microseconds_per_round(name, instance_of(binary), ROUND, preset)
        powers = []
        for quantity, value in LARGE.items():
            cost = microseconds_per_round(name, instance_of(binary, **{quantity: value}), ROUND, preset)
            powers.append(math.log(cost / base) / math.log(value / SMALL[quantity]))
        rows.append([name, *(round(power, 2) for power in powers)])
    return pd.DataFrame(rows, columns=["algorithm", "K", "d", "arms"])
