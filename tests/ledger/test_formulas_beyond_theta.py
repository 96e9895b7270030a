"""Bounds for all outcomes where Theta as printed is too far from theta_*, by their definitions in numpy."""

import math

import pytest
from agreement import everywhere

from mnlbandits.ledger.formulas.beyond_theta import (
    distance_from_boundary,
    error_over_bonuses,
    estimate_reach,
    information_at_end,
    radius_at_boundary,
    truth_inside,
)

S, X, T = 1024.0, 2.0**-17, 10**18
KAPPA = 1 + math.cosh(math.sqrt(2) * S * X)
ROUNDS = 336**2 * 2 * math.log(T) * KAPPA + 1
"""tau/lambda_0."""
RIDGE = (S + 1) * 2 * math.log(T / 0.05)
REACH = math.sqrt(2) * X * ROUNDS
SIGMA = 2 / math.sqrt(6) * math.sqrt(2 * math.log(T / 0.05)) + 2 * S * math.sqrt(288)


def slope(z):
    return 1 / (2 + 2 * math.cosh(z))


def information(root=84):
    return 288 + 2 * (T - 1 - ROUNDS * RIDGE) * X**2 * slope(math.sqrt(2) * (root + REACH) * X)


def test_reach_and_information():
    assert everywhere(estimate_reach, S, X, T) == pytest.approx(REACH, rel=1e-12)
    assert everywhere(information_at_end, S, X, T) == pytest.approx(information(), rel=1e-12)
    assert everywhere(information_at_end, S, X, T, 100) == pytest.approx(information(100), rel=1e-12)
    assert everywhere(information_at_end, S, X, 10**9) == 288


def test_error():
    def mean(b):
        return 1 / (1 + math.exp(-math.sqrt(2) * b * X))

    unit = SIGMA * X / math.sqrt(information())
    expected = (mean(S) - mean(84 + REACH)) / (math.sqrt(2) / 4 * unit + 3 * unit**2)
    assert everywhere(error_over_bonuses, S, X, T) == pytest.approx(expected, rel=1e-10)
    other = expected * (math.sqrt(2) / 4 * unit + 3 * unit**2) / (math.sqrt(2) / 4 * unit + 1000 * unit**2)
    assert everywhere(error_over_bonuses, S, X, T, constant=1000) == pytest.approx(other, rel=1e-10)
    assert everywhere(error_over_bonuses, 64.0, X, T) == pytest.approx(0, abs=1e-12)


def test_boundary():
    norm, x, horizon = 1.0, 2.0**-23, 10**12
    kappa = 1 + math.cosh(math.sqrt(2) * norm * x)
    rounds = 336**2 * 2 * math.log(horizon) * kappa + 1
    reach, narrow = math.sqrt(2) * x * rounds, math.sqrt(1 + rounds * x**2 / kappa)
    sigma = 2 / math.sqrt(6) * math.sqrt(2 * math.log(horizon / 0.05)) + 2 * math.sqrt(288)
    away = 84 / narrow - reach - math.sqrt(2) * x / 288 - norm
    assert everywhere(radius_at_boundary, norm, x, horizon) == pytest.approx(sigma / (away * math.sqrt(288)), rel=1e-11)
    assert everywhere(truth_inside, norm, x, horizon) == pytest.approx((norm + reach) * narrow / 84, rel=1e-11)
    assert everywhere(distance_from_boundary, norm, x, horizon) == pytest.approx(away * math.sqrt(288) / sigma, rel=1e-11)
    assert everywhere(distance_from_boundary, norm, x, horizon, 1) == 0
    assert everywhere(radius_at_boundary, norm, x, horizon, 1) > 1e6
    assert everywhere(truth_inside, norm, x, horizon, 1) > 1
