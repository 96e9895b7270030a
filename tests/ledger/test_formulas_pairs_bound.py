"""The lower bound with sqrt K against closed forms, and the boxes of its proof."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import everywhere

from mnlbandits.instances import pairs as played
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.pairs import least_star, separation
from mnlbandits.ledger.formulas.pairs_bound import (
    AIMS,
    LARGE_BOX,
    LARGE_DIMENSIONS,
    LEAST_EXCEPTIONS,
    LINE_BOX,
    PAIR_HORIZONS,
    PAIR_SIZES,
    SMALL_DIMENSIONS,
    SPREAD_BOX,
    UNIFORM_BOXES,
    UNIFORM_CASES,
    best_proved,
    large_ratio,
    line_ratio,
    miss_ratio,
    nu_reduced,
    outcomes_ratio,
    pairs_bound,
    pairs_constant,
    pairs_core,
    pairs_ratio,
    prior_share,
    sinh_over,
    small_ratio,
    spread_ratio,
    uniform_box,
    uniform_constant,
    uniform_ratio,
)


def test_sinh_over():
    assert everywhere(sinh_over, 0.5, loose=True) == pytest.approx(math.sinh(0.5) / 0.5, rel=1e-13)
    assert everywhere(sinh_over, 0, loose=True) == pytest.approx(1, rel=1e-14)


def test_prior_share():
    assert everywhere(prior_share, 7, 2) == pytest.approx(1 / 3, rel=1e-14)
    assert everywhere(prior_share, 7, 6) == pytest.approx(1 / 12, rel=1e-14)


def closed(halves, hidden, prior, a, delta, slack):
    bracket = 1 - slack - prior * math.cosh(delta) - 2 * a * math.sinh(delta / 2) / delta
    return 2 * math.sqrt(halves * hidden) * a * math.tanh(delta) / delta * bracket


def test_the_bound():
    arguments = (0.4, 0.5, 0.5, 0.25, 0.125, 0.005)
    assert everywhere(pairs_core, *arguments, loose=True) == pytest.approx(closed(*arguments), rel=1e-12)
    K, d, T = 7, 6, 5000.0
    expected = closed(3 / 7, 4 / 6, 1 / 12, 0.247, 2 * 0.247 * math.sqrt(12 / T), 1 / 200)
    assert everywhere(pairs_bound, K, d, T, loose=True) == pytest.approx(expected, rel=1e-12)
    surplus = math.log(T / (36 * 13))
    ratio = 7**0.25 / (20 * expected)
    found = everywhere(lambda m, s: pairs_ratio(m, K, d, s, 20, Fraction(3, 4)), surplus, loose=True)
    assert found == pytest.approx(ratio, rel=1e-11)
    assert pairs_ratio(FLOATS, K, d, surplus) == pytest.approx(1 / (25 * expected), rel=1e-11)
    assert [uniform_constant(d) for d in (2, 3, 10)] == [19, 25, 25]


@pytest.mark.parametrize(("K", "d"), [(4, 2), (8, 2), (100, 2), (3, 3), (10, 10)])
def test_the_constant(K, d):
    """That of the played instances, and the least over T."""
    found = everywhere(pairs_constant, K, d, loose=True)
    assert found == pytest.approx(played.proved_constant(K, d), rel=5e-3)
    if K % 2 == 0:
        assert found == pytest.approx(played.proved_constant(K, d), rel=1e-12)
    horizons = d**2 * least_star(K) * np.geomspace(1, 1e20, 40)
    bounds = [pairs_bound(FLOATS, K, d, T) for T in horizons.tolist()]
    assert found == pytest.approx(min(bounds), rel=1e-12)
    assert all(np.diff(bounds) >= -1e-15)


def test_ratios_of_all_sizes():
    """The numbers of a referee's own computation: 0.05367, 0.04040 and 25000 c = 8835.28."""
    corner = {"halves": 0.4, "hidden": 0.5, "prior": 0.5, "delta": 0.1215}
    assert everywhere(uniform_ratio, 2, loose=True, **corner) == pytest.approx(1 / (19 * 0.05367), rel=1e-4)
    corner = {"halves": 1 / 3, "hidden": 1 / 3, "prior": 0.5, "delta": 0.247 * math.sqrt(2) / 4}
    assert everywhere(uniform_ratio, 3, loose=True, **corner) == pytest.approx(1 / (25 * 0.04040), rel=2e-4)
    assert uniform_ratio(FLOATS, 3, 50, **corner) == pytest.approx(uniform_ratio(FLOATS, 3, **corner) / 2)
    corner = {"halves": 1250 / 2501, "hidden": 1 - 2e-6, "prior": 4.1e-7, "delta": 4.999e-4}
    expected = math.sqrt(7.8e7) / 8835.28
    assert everywhere(large_ratio, loose=True, **corner) == pytest.approx(expected, rel=1e-5)
    assert large_ratio(FLOATS, 50000, **corner) == pytest.approx(large_ratio(FLOATS, **corner) / 2)


def test_where_the_printed_constant_follows():
    assert everywhere(small_ratio, 10**6) == pytest.approx(1, rel=1e-14)
    assert everywhere(small_ratio, 2, 19) == pytest.approx(math.sqrt(2), rel=1e-14)
    assert everywhere(outcomes_ratio) == pytest.approx(math.sqrt(6420) * 312 / 25000, rel=1e-14)
    assert SMALL_DIMENSIONS == ({"d": 2}, {"d": 10**6})
    assert LARGE_DIMENSIONS == 78 * 10**6
    pairs = pairs_constant(FLOATS, 10**5, 50)
    assert everywhere(best_proved, 10**5, 50, loose=True) == pytest.approx(math.sqrt(50) / (25000 * pairs), rel=1e-12)
    assert everywhere(best_proved, 3, 2) == pytest.approx(math.sqrt(3) * 312 / 25000, rel=1e-13)
    assert everywhere(best_proved, 10, 10**6, loose=True) == pytest.approx(math.sqrt(10) * 312 / 25000, rel=1e-13)
    assert LEAST_EXCEPTIONS == ((2, 2), (3, 2))


def test_spread_and_nu():
    delta = 0.1215
    assert everywhere(spread_ratio, delta) == pytest.approx(1 / (1 / math.cosh(delta) ** 2 - 0.005) / 1.03, rel=1e-13)
    assert everywhere(nu_reduced, delta) == pytest.approx(4 / (0.995 - math.cosh(delta) / 600) / 4.1, rel=1e-13)


@pytest.mark.parametrize("K", [4, 5, 10, 100])
def test_the_aim(K):
    """Weights of all pairs at u_0, and the chance of the odd outcome, by the softmax of their logits."""
    pairs, S = K // 2, separation(FLOATS, K, 2)
    logits = S * np.cos(2 * np.pi * np.arange(pairs) / pairs)
    masses = np.exp(logits - S)
    odd = (K % 2) * math.exp(-S) / (2 * masses.sum())
    expected = max(1 - 1 / masses.sum(), odd) * 600
    assert everywhere(miss_ratio, K, 2) == pytest.approx(expected, rel=1e-9)
    assert expected <= 1
    assert [case["K"] for case in AIMS] == [4, 5, 6, 7, 10, 100, 1000, 10**4, 10**5]


def test_one_dimension():
    """A closed form, and its proof step by step for K = 3: base, two signs, KL and the loss of the wrong arm."""
    delta, b = 0.25, 0.5
    bound = 4 / 3 * b * math.tanh(delta) / delta * (1 / 2 - b / 2 * math.sinh(delta / 2) / (delta / 2))
    assert everywhere(line_ratio, delta, loose=True) == pytest.approx(1 / (7 * bound), rel=1e-12)
    assert line_ratio(FLOATS, delta, 14) == pytest.approx(line_ratio(FLOATS, delta) / 2)
    T = (b / delta) ** 2
    law = np.exp([delta, -delta, 0.0]) / np.exp([delta, -delta, 0.0]).sum()
    entropy = -np.log(3 * law).mean()
    lost = 2 * (law[0] + law[2] / 2 - 1 / 2)
    regret = T * lost * (1 / 2 - math.sqrt(T * entropy / 2))
    assert entropy <= math.cosh(delta) - 1
    assert regret * 2 / math.sqrt(5) >= bound * math.sqrt(T / 5)


def test_boxes():
    assert UNIFORM_CASES == ({"least": 2}, {"least": 3}, {"least": 10**6 + 1})
    assert {least: uniform_box(least) for least in UNIFORM_BOXES} == UNIFORM_BOXES
    assert PAIR_HORIZONS == {"surplus": (0.0, 70.0)}
    assert {case["K"] for case in PAIR_SIZES} == {4, 5, 6, 7, 10, 100, 1000, 10**4, 10**5}
    assert {case["d"] for case in PAIR_SIZES} == {2, 3, 5, 10}
    assert all(d**2 * least_star(K) * math.exp(70) > 1e30 for K, d in (case.values() for case in PAIR_SIZES))
    assert SPREAD_BOX == {"delta": (0.0, 0.1215)}
    assert LINE_BOX == {"delta": (0.0, 0.5)}
    assert set(LARGE_BOX) == set(UNIFORM_BOXES[2])
