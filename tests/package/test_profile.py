"""Performance profiles: by hand, and their intervals for plays of instances that differ."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies

from mnlbandits.analysis.intervals import LEVEL, clopper_pearson
from mnlbandits.analysis.profile import RATIOS, profile_table, uniform_regret
from mnlbandits.instances import make_instance
from mnlbandits.simulators import simulate

ONE = make_instance("one", "random", {"outcomes": 3, "dim": 2, "arms": 4, "seed": 1})
TWO = make_instance("two", "random", {"outcomes": 2, "dim": 2, "arms": 5, "seed": 2})
CHANGING = make_instance(
    "sets", "random", {"outcomes": 3, "dim": 2, "arms": 9, "actions": {"name": "random-subsets", "size": 3}}
)
ALIKE = dataclasses.replace(ONE, name="alike", rewards=np.ones(3))
HORIZON = 100


def runs_of(instance, algorithm, ratios, preset="valid"):
    """Runs with so many times the regret of uniform play, and a round before the horizon."""
    regret = np.array(ratios) * uniform_regret(instance, HORIZON)
    last = pd.DataFrame({"instance": instance.name, "algorithm": algorithm, "preset": preset, "run": range(len(ratios))})
    return pd.concat([last.assign(t=HORIZON // 2, regret=0.0), last.assign(t=HORIZON, regret=regret)])


def test_uniform_play_is_every_arm_in_turn():
    runs = simulate(ONE, "uniform", horizon=4 * HORIZON, runs=1)
    assert runs.regret[0, -1] == pytest.approx(uniform_regret(ONE, 4 * HORIZON), rel=1e-12)


def test_shares_by_hand():
    parts = [
        runs_of(ONE, "a", [0.1, 0.5, 1.0]),
        runs_of(TWO, "a", [0.01, 0.1, 20.0]),
        runs_of(ONE, "b", [0.1, 0.1, 0.1]),
        runs_of(TWO, "b", [1.0, 1.0, 1.0]),
        runs_of(TWO, "binary", [0.1, 0.1, 0.1]),
        runs_of(ONE, "uniform", [1.0], "none"),
        runs_of(TWO, "uniform", [1.0], "none"),
        runs_of(CHANGING, "a", [0.1, 0.1, 0.1]),
    ]
    table = profile_table(pd.concat(parts), [ONE, TWO, CHANGING, ALIKE])
    assert set(table["algorithm"]) == {"a", "b"}
    assert (table[["instances", "plays"]] == [2, 6]).all(axis=None)
    shares = table.set_index(["algorithm", "ratio"])["share"]
    a = {0.001: 0, 0.007943: 0, 0.01: 1, 0.07943: 1, 0.1: 3, 0.3981: 3, 0.5012: 4, 0.7943: 4, 1.0: 5, 10.0: 5}
    assert {ratio: round(6 * shares["a", ratio]) for ratio in a} == a
    assert {ratio: round(6 * shares["b", ratio]) for ratio in (0.07943, 0.1, 0.7943, 1.0)} == {
        0.07943: 0,
        0.1: 3,
        0.7943: 3,
        1.0: 6,
    }
    row = table[(table["algorithm"] == "a") & (table["ratio"] == 0.1)].iloc[0]
    assert (row["low"], row["high"]) == clopper_pearson(3, 6, 1 - 0.05 / 2 / len(RATIOS))


def test_without_instances_that_count_there_are_no_rows():
    assert profile_table(runs_of(CHANGING, "a", [1.0]), [CHANGING]).empty
    assert profile_table(runs_of(ONE, "uniform", [1.0], "none"), [ONE]).empty


@given(strategies.lists(strategies.floats(0, 1), min_size=2, max_size=30))
def test_the_interval_holds_for_the_mean_of_different_probabilities(chances):
    """Exactly, by convolution; a mean below the tail's level, where no play is expected, is left out."""
    level = 1 - (1 - LEVEL) / len(RATIOS)
    law = np.ones(1)
    for chance in chances:
        law = np.convolve(law, [1 - chance, chance])
    mean, tail = np.mean(chances), (1 - level) / 2
    if not 1.01 * tail < len(chances) * mean < len(chances) - 1.01 * tail:
        return
    ends = [clopper_pearson(count, len(chances), level) for count in range(len(law))]
    below = sum(chance for chance, (low, _) in zip(law, ends, strict=True) if mean < low)
    above = sum(chance for chance, (_, high) in zip(law, ends, strict=True) if mean > high)
    assert max(below, above) <= tail * (1 + 1e-9)
