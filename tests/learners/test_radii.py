"""The records of radii against the formulas that they stand for."""

import math

import pytest

from mnlbandits.learners.radii import OnlineRadius, Radius, mix_loss_radius, mixture_square, online_radius, radius

DELTA = 0.05


def test_radius():
    """scale (offset + sqrt(constant + log log(t/delta) + growth log(1 + rate n))), each number in its place."""
    numbers = Radius(scale=0.5, offset=3.0, constant=7.0, log=2.0, growth=11.0, rate=0.25)
    expected = 0.5 * (3 + math.sqrt(7 + 2 * math.log(40 / DELTA) + 11 * math.log(1 + 8 / 4)))
    assert radius(numbers, 40, DELTA, 8.0) == pytest.approx(expected, rel=1e-15)
    assert radius(numbers._replace(log=0.0, growth=0.0), 1, DELTA, 0.0) == pytest.approx(0.5 * (3 + math.sqrt(7)), rel=1e-15)


def test_the_mix_loss_radius_has_two_records():
    """After n rounds, started within S: lambda S^2 + 2 eta log(1/delta) + 3 sqrt(6) eta^2 D log(1 + 2 n/(D lambda))."""
    s, size, eta, ridge = 1.75, 6, 2.5, 540.0
    after = mix_loss_radius(s, DELTA, size, eta, ridge)
    online = OnlineRadius(4, size, eta, ridge, s, DELTA, restated=False, scale=1.0)
    for n in (1, 100, 10**6):
        square = ridge * s**2 + 2 * eta * math.log(20) + 3 * math.sqrt(6) * eta**2 * size * math.log(1 + 2 * n / 3240)
        assert radius(after, 1, DELTA, float(n)) == pytest.approx(math.sqrt(square), rel=1e-14)
        assert online_radius(online, n) == pytest.approx(math.sqrt(square), rel=1e-14)
        assert online_radius(online._replace(scale=0.1), n) == pytest.approx(0.1 * math.sqrt(square), rel=1e-14)


def test_the_restated_radius():
    """K = 2, t = 4, lambda = 16, eta = 2, D = 3, S = 1: 4 [(3 log 9 + 3)(17 + 8 L + 16 L^2) + 2 + ...] + 64, L = log 120."""
    level = math.log(2 * 3 / DELTA)
    losses = (3 * math.log(9) + 3) * (17 + 8 * level + 16 * level**2)
    volume = 7 * math.sqrt(6) / 6 * 2 * 3 * math.log(1 + 5 / 32)
    numbers = OnlineRadius(2, 3, 2.0, 16.0, 1.0, DELTA, restated=True, scale=1.0)
    assert online_radius(numbers, 4) == pytest.approx(math.sqrt(4 * (losses + 2 + volume) + 64), rel=1e-14)


def test_mixture_square():
    assert mixture_square(3, 30.0, DELTA) == pytest.approx(math.log(20) + 3 * math.log(20 * math.e), rel=1e-15)
    assert mixture_square(3, 0.1, DELTA) == pytest.approx(math.log(20) + 3, rel=1e-15)
