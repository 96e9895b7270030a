"""The steps of the proof of Lemma 2, against numpy and in numbers by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.arithmetic import BALLS, FLOATS
from mnlbandits.ledger.formulas.mended import RADIUS_GROWTH, RADIUS_LEVEL, STEP_SIZE
from mnlbandits.ledger.formulas.recursion import (
    SMALLEST_RIDGE,
    WIDTH,
    forecast_gap,
    forecast_steps,
    least_point_near,
    lemma_steps,
    loss_at,
    minus_log_forecast,
    mixture_excess,
    range_gap,
    recursion_adds_up,
    recursion_needs,
    rounds_add_up,
    spread_of_outcomes,
    step_keeps_curvature,
    third_order_below,
    variance_falls_slowly,
    volume_needed,
)

ROOT = math.sqrt(2)


def test_constants():
    assert [float(value) for value in (STEP_SIZE, WIDTH, RADIUS_LEVEL, RADIUS_GROWTH, SMALLEST_RIDGE)] == [
        1.25,
        1.4,
        2.5,
        2.1,
        4,
    ]


def test_range_gap():
    """zeta = 1.2013..., from the integral of (1 - v) exp(-v/sqrt 3) by the midpoint rule."""
    v = (np.arange(10**5) + 0.5) / 10**5
    zeta = 1 / (2 * ((1 - v) * np.exp(-v / math.sqrt(3))).mean())
    assert zeta == pytest.approx(1.2013, abs=1e-4)
    assert everywhere(range_gap) == pytest.approx(zeta / 1.25, rel=1e-9)
    assert everywhere(range_gap, 1) == pytest.approx(zeta, rel=1e-9)


@pytest.mark.parametrize(
    "identity",
    [
        variance_falls_slowly,
        spread_of_outcomes,
        step_keeps_curvature,
        recursion_adds_up,
        rounds_add_up,
        lemma_steps,
    ],
)
def test_identities(identity):
    assert_decides(identity)


def test_bounds():
    assert_decides(third_order_below, square=[0, Fraction(1, 9)])
    assert_decides(forecast_steps, cost=[0, Fraction(99, 100)])
    assert_decides(least_point_near, factor=[0, Fraction(99, 100)])
    assert least_point_near(4)


def test_mixture_excess():
    assert everywhere(mixture_excess) == pytest.approx((math.exp(0.35) - 1) / 0.35, rel=1e-13)
    assert everywhere(lambda m: mixture_excess(m, Fraction(1), 2)) == pytest.approx(2 * (math.exp(0.5) - 1), rel=1e-13)


def needed(**constants):
    return everywhere(lambda m: recursion_needs(m, **constants))


def test_what_the_recursion_needs():
    """2 eta/2.5 = 1 is the largest; the others one by one, with the rest made harmless."""
    assert needed() == 1
    assert recursion_needs(BALLS) <= 1
    loose = {"level": Fraction(100), "volume": Fraction(100)}
    squares = 1.25 / 1.4 + 1.25 / (2 * math.sqrt(3) * 4)
    assert needed(**loose) == pytest.approx(squares, rel=1e-12)
    assert 0.98 < squares < 0.9832
    assert needed(**loose, least=288) == pytest.approx(everywhere(range_gap), rel=1e-12)
    phi = (math.exp(0.35) - 1) / 0.35
    assert needed(level=Fraction(100), volume=Fraction(1)) == pytest.approx(1.25 * 1.4 * phi, rel=1e-12)
    assert needed(**loose, eta=Fraction(1)) == pytest.approx(1.2013, abs=1e-4)
    assert needed(**loose, width=Fraction(1, 2)) > 2
    assert needed(level=Fraction(2)) == 1.25


def normal_mean(function, b, spread):
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    return (weights * function(b + spread * points)).sum() / weights.sum()


def loss(b, x, sign):
    return np.logaddexp(0, -sign * ROOT * b * x)


@pytest.mark.parametrize("sign", [1, -1])
def test_forecast_and_loss(sign):
    found = everywhere(minus_log_forecast, 0.75, 0.5, 0.5, sign)
    assert found == pytest.approx(-math.log(normal_mean(lambda b: np.exp(-loss(b, 0.5, sign)), 0.75, 0.5)), rel=1e-12)
    assert everywhere(loss_at, 0.75, 0.5, sign) == pytest.approx(loss(0.75, 0.5, sign), rel=1e-13)


@pytest.mark.parametrize("sign", [1, -1])
def test_forecast_gap(sign):
    w, x, b, off, c = 10**1.5, 0.5, 0.75, 0.25, 1.4
    p = 1 / (1 + math.exp(-ROOT * x * (b + off)))
    h = 2 * x**2 * p * (1 - p)
    s, v, phi = h / (w + h), math.log(1 + h / w), (math.exp(c / 4) - 1) / (c / 4)
    left = -math.log(normal_mean(lambda b: np.exp(-loss(b, x, sign)), b, math.sqrt(c / w))) - loss(b + off, x, sign)
    right = phi * c * s / 2 + (v - s) / 2 + w * off**2 / (2 * c)
    assert everywhere(forecast_gap, sign, 1.5, x, b, off) == pytest.approx(left / right, rel=1e-10)
    right -= phi * c * s / 4
    assert everywhere(
        lambda m, x, b, off: forecast_gap(m, sign, m.number(1.5), x, b, off, Fraction(1, 2)), x, b, off
    ) == pytest.approx(left / right, rel=1e-10)


@pytest.mark.parametrize(("here", "bounded"), [(0.25, False), (1.0, True)])
def test_volume_needed(here, bounded):
    """theta_{t+1} moves up where y = 1 is seen, and stays where the boundary is there already."""
    w, x, centre, there, half = 10.0, 0.5, 0.5, -0.5, 1 / (2 * math.sqrt(6))
    b, star = centre + here * half, centre + there * half
    p = 1 / (1 + math.exp(-ROOT * x * b))
    after = b + 1.25 * ROOT * x * (1 - p) / (w + 1.25 * 2 * x**2 * p * (1 - p))
    assert (after > centre + half) == bounded
    after = min(after, centre + half)
    q = 1 / (1 + math.exp(-ROOT * x * after))
    h = 2 * x**2 * q * (1 - q)
    forecast = math.log(normal_mean(lambda b: np.exp(-loss(b, x, 1)), b, math.sqrt(1.4 / w)))
    spent = (w + h) * (after - star) ** 2 - w * (b - star) ** 2 - 2.5 * (loss(star, x, 1) + forecast)
    found = everywhere(volume_needed, 1, 1.0, x, centre, here, there)
    assert found == pytest.approx(spent / (2.1 * math.log(1 + h / w)), rel=1e-9)
    half_of_it = volume_needed(FLOATS, 1, 1.0, x, centre, here, there, volume=Fraction(21, 5))
    assert half_of_it == pytest.approx(found / 2, rel=1e-12)
