"""The learner that plays one action, at chosen numbers; on whole instances in test_reductions_introduction."""

from fractions import Fraction
from math import cos, cosh, exp, pi, sqrt

import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.formulas.repeating import (
    CAPS_BOX,
    PROOF_CONSTANT,
    SWEEP_BOX,
    below_on_caps,
    cap_of,
    lower_bound_of_theorem,
    regret_of_repeating,
    repeated_over_bound,
    sweep_on_caps,
    swept_over_bound,
)

SIZE, T = 1.5, 10**6
PRIME = 1 / (2 + 2 * cosh(SIZE))


def sigmoid(u):
    return 1 / (1 + exp(-u))


def test_regret_of_repeating():
    assert everywhere(regret_of_repeating, 0.5, T, SIZE) == pytest.approx(T * (sigmoid(SIZE) - sigmoid(SIZE * cos(0.5))))
    top = sqrt(2)
    assert everywhere(regret_of_repeating, pi, T) == pytest.approx(T * (sigmoid(top) - sigmoid(-top)), rel=1e-12)
    assert everywhere(regret_of_repeating, 1e-9, T, SIZE) == pytest.approx(T * PRIME * SIZE * 1e-18 / 2, rel=1e-9)


def test_lower_bound_of_theorem():
    assert Fraction(1, 25000) == PROOF_CONSTANT
    assert everywhere(lower_bound_of_theorem, T, size=SIZE) == pytest.approx(2 * sqrt(2 * T * PRIME) / 25000, rel=1e-13)
    assert everywhere(lower_bound_of_theorem, T, 3, SIZE) == pytest.approx(6 * sqrt(2 * T * PRIME), rel=1e-13)


def test_cap_of():
    assert everywhere(cap_of, T, 0.01, SIZE) == pytest.approx(2 * sqrt(0.01 * sqrt(2 * PRIME) / (SIZE * 1000)), rel=1e-13)


def test_repeated_over_bound():
    angle = 0.5 * 2 * sqrt(1e-2 * sqrt(2 * PRIME) / (SIZE * 1000))
    lost = T * (SIZE * PRIME * angle**2 / 2)
    found = everywhere(repeated_over_bound, SIZE, 0.5, 6.0, -2.0)
    assert found == pytest.approx(lost / (0.02 * sqrt(2 * T * PRIME)), rel=angle)
    mean = sum(sigmoid(SIZE) - sigmoid(SIZE * cos(pi * (n + 0.5) / 2000)) for n in range(2000)) / 2000
    found = everywhere(repeated_over_bound, SIZE, 0.5, 6.0, -2.0, expected=True, loose=True)
    assert found == pytest.approx(T * mean / (0.02 * sqrt(2 * T * PRIME)), rel=1e-6)


def test_swept_over_bound():
    horizon = (SIZE / (0.1 * sqrt(2 * PRIME))) ** 6 * exp(2)
    angle = 0.3 * 2 / horizon ** (1 / 3)
    lost = horizon * (sigmoid(SIZE) - sigmoid(SIZE * cos(angle)))
    bound = 0.2 * sqrt(2 * horizon * PRIME)
    assert everywhere(swept_over_bound, SIZE, 0.3, -1.0, 2.0) == pytest.approx(lost / bound, rel=1e-4)
    opposite = horizon * (sigmoid(SIZE) - sigmoid(-SIZE)) / bound
    assert everywhere(swept_over_bound, SIZE, 0.3, -1.0, 2.0, instance_first=False) == pytest.approx(opposite, rel=1e-9)


def test_exactly():
    assert_decides(below_on_caps, expected=True)
    assert_decides(sweep_on_caps, instance_first=False)
    assert set(CAPS_BOX) == {"size", "share", "horizon", "constant"}
    assert set(SWEEP_BOX) == {"size", "share", "constant", "surplus"}
