"""The pairs of outcomes behind the lower bound with sqrt K, against the package's own instances."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import everywhere

from mnlbandits.instances import pairs as played
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.pairs import (
    MANY_DIMENSIONS,
    Hypothesis,
    best_arm,
    direction_of,
    hidden_in,
    hypotheses_of,
    lean,
    least_star,
    pair_instance,
    pair_rewards,
    pair_rows,
    pairs_in,
    part_of_step,
    place_of,
    separation,
    slack_of,
    spacing,
)
from mnlbandits.model import constants

SIZES_PLAYED = [(4, 2), (5, 2), (9, 2), (2, 3), (3, 3), (8, 4), (7, 5)]


def test_counts():
    assert [pairs_in(K) for K in (2, 3, 4, 5, 9)] == [1, 1, 2, 2, 4]
    assert [hidden_in(d) for d in (2, 3, 4, 9)] == [1, 1, 2, 7]
    assert [least_star(K) for K in (2, 3, 4, 5)] == [4, 5, 8, 9]
    assert hypotheses_of(4, 2) == [(0, 0, 1), (1, 0, 1)]
    assert hypotheses_of(2, 4) == [(0, 2, 1), (0, 2, -1), (0, 3, 1), (0, 3, -1)]
    steps = {d: (part_of_step(d), slack_of(d)) for d in (2, 3, MANY_DIMENSIONS, MANY_DIMENSIONS + 1)}
    small, large = Fraction(1, 200), (Fraction(4999, 10000), Fraction(1, 10000))
    assert steps == {
        2: (Fraction(243, 1000), small),
        3: (Fraction(247, 1000), small),
        10**6: (Fraction(247, 1000), small),
        10**6 + 1: large,
    }


def test_geometry():
    assert everywhere(place_of, 8, 3, 1) == pytest.approx([0, 1, 0], abs=1e-14)
    assert everywhere(direction_of, 8, 2, Hypothesis(2)) == pytest.approx([-1, 0], abs=1e-14)
    assert everywhere(direction_of, 8, 4, Hypothesis(2, 3, -1)) == [0, 0, 0, -1]
    sine = 1 - 1 / 600
    assert everywhere(lean, 2) == [1, 0]
    assert everywhere(lean, 3) == pytest.approx([math.sqrt(1 - sine**2), sine], rel=1e-13)
    arm = everywhere(best_arm, 8, 3, Hypothesis(1, 2, -1))
    assert arm == pytest.approx([0, math.sqrt(1 - sine**2), -sine], abs=1e-13)


def test_spacing_and_separation():
    assert everywhere(spacing, 6, 2, 100.0) == pytest.approx(4 * 0.243 * math.sqrt(0.03), rel=1e-14)
    assert everywhere(spacing, 6, 5, 100.0) == pytest.approx(4 * 0.247 * 0.3, rel=1e-14)
    assert everywhere(separation, 12, 2) == pytest.approx(math.log(5 * 600) / (1 - math.cos(math.pi / 3)), rel=1e-13)
    assert everywhere(separation, 3, 3) == pytest.approx(math.log(300) / lean(FLOATS, 3)[0], rel=1e-13)
    assert everywhere(separation, 2, 3) == 0


@pytest.mark.parametrize(("K", "d"), SIZES_PLAYED)
def test_the_instances_are_those_of_the_package(K, d):
    T = 2.0 * d**2 * least_star(K)
    for number, hypothesis in enumerate(hypotheses_of(K, d)):
        expected = played.hidden_pairs("pairs", K, d, T, number)
        found = pair_instance(FLOATS, K, d, T, hypothesis)
        np.testing.assert_allclose(found.theta, expected.theta, atol=1e-12)
        np.testing.assert_allclose(found.arms, expected.arms, atol=1e-13)
        np.testing.assert_allclose(found.rewards, expected.rewards, rtol=1e-14)


@pytest.mark.parametrize(("K", "d"), SIZES_PLAYED)
def test_the_best_arm_and_kappa_star(K, d):
    """From the model: the arm of the hypothesis is the best of all, and k_0 <= kappa_* <= 1.03 k_0."""
    for number, hypothesis in enumerate(hypotheses_of(K, d)):
        found = pair_instance(FLOATS, K, d, float(d**2 * least_star(K)), hypothesis)
        rewards = np.array(found.rewards)
        means = constants.mean_rewards(found.theta, found.arms, rewards)
        assert means.argmax() == number
        largest = math.tanh(spacing(FLOATS, K, d, d**2 * least_star(K)) / 2) / 2
        assert 0.995 * largest <= means[number] / rewards[0] - 0.5 <= largest
        assert 1 <= constants.kappa_star(found.theta, found.arms, rewards) / least_star(K) <= 1.03
        assert np.linalg.norm(rewards) == pytest.approx(1, rel=1e-14)
    assert everywhere(pair_rewards, K) == pytest.approx(rewards.tolist(), rel=1e-14)


def test_the_base_hides_nothing():
    found = pair_instance(FLOATS, 7, 3, 500.0)
    means = constants.mean_rewards(found.theta, found.arms, np.array(found.rewards))
    np.testing.assert_allclose(means, found.rewards[0] / 2, rtol=1e-12)
    rows = np.array(pair_rows(FLOATS, 7, 3, 0.5))
    np.testing.assert_array_equal(rows[:3], rows[3:6])
    np.testing.assert_array_equal(rows[6], 0)
