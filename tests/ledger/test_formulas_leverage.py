"""The links of the mended Lemma 1: constants by hand, and what they bound by numpy."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.instances.instance import kappa_once
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.leverage import (
    FREE_TAU,
    FREE_THETA,
    LARGEST_SCORE,
    LEAST_LEVEL,
    SLACK,
    concordance_factor,
    deviation_below,
    distance_root,
    elliptical_steps,
    event_covers,
    factor_is_fixed_point,
    few_rounds_below,
    free_theta_covers,
    free_theta_is_narrow,
    gamma_adds_to_ridge,
    horizon_over_tau,
    kappa_above,
    kappa_steps,
    leverage_mended,
    noise_root,
    printed_theta_covers,
    score_root,
    short_arm_falls,
    short_arm_over_kappa,
    theta_covers,
    theta_is_narrow,
)
from mnlbandits.model.softmax import softmax_jacobian


def test_constants():
    """log(1 + q) >= q/(1 + q), and 1 + q <= 48/47 up to q = 1/48."""
    assert LEAST_LEVEL == 12
    assert Fraction(1, 48) == LARGEST_SCORE
    assert 1 + LARGEST_SCORE <= SLACK == Fraction(48, 47)
    assert (FREE_THETA, FREE_TAU) == (25, 600)


def test_noise_and_score():
    """At S = 3, r = 1/2: 2 (sqrt(2/4) + sqrt(2) lev/(3 4)) is the noise, 3 the ridge; both over S + 1."""
    noise = 2 * (math.sqrt(0.5) + math.sqrt(2) * 0.25 / 12)
    assert 0.5 * everywhere(noise_root, 0.5, 0.25) == pytest.approx(noise, rel=1e-14)
    assert 4 * everywhere(score_root, 0.5, 0.25) == pytest.approx(3 + noise, rel=1e-14)
    assert everywhere(noise_root, 0.5, 0.25, 4) == pytest.approx(4 * noise, rel=1e-14)


@pytest.mark.parametrize("seed", range(3))
def test_a_half_net_bounds_a_norm(seed):
    """The factor 2 of the noise: the largest of v . b over a net of width 1/2 is at least half of |b|, here on a circle."""
    angles = np.linspace(0, 2 * math.pi, 14)[:-1]
    net = np.column_stack([np.cos(angles), np.sin(angles)])
    assert 2 * math.sin((angles[1] - angles[0]) / 4) < 0.5
    b = np.random.default_rng(seed).normal(size=2)
    assert (net @ b).max() >= np.linalg.norm(b) / 2


def test_bernstein_covers_what_it_should():
    """The noise of a fixed design, K = 2, d = 1, one arm, 40 rounds, delta = 0.05: H^(-1/2) sum (e_y - mu) along (1, -1)."""
    stream, rounds, p, ridge = np.random.default_rng(5), 40, 0.3, 2 * math.log(40 / 0.05)
    noise = math.sqrt(2) * (stream.binomial(rounds, p, 20_000) - rounds * p) / math.sqrt(ridge + 2 * rounds * p * (1 - p))
    bound = everywhere(noise_root, 1.0, 1) * math.sqrt(ridge)
    assert (abs(noise) > bound).mean() <= 0.05


@pytest.mark.parametrize("identity", [factor_is_fixed_point, elliptical_steps, kappa_steps])
def test_identities(identity):
    assert_decides(identity)


def test_exponent_of_the_net():
    """D log 5 + log(1/delta) <= K d log(T/delta), at T = 5 and 10^6; and with log T more."""
    assert_decides(deviation_below, dim_factor=0)
    for K, d in ((2, 1), (3, 1), (2, 3), (10, 5)):
        for T, delta in ((5, 1.0), (5, 0.05), (10**6, 0.5)):
            level = math.log(T / delta)
            assert (K - 1) * d * math.log(5) + level <= K * d * level + 1e-12
    assert_decides(few_rounds_below, noise=1)
    assert math.log(2) > 2 / 3
    assert math.log(3) > 1
    assert math.log(4) > 4 / 3


def test_gamma():
    """8 sqrt(2)/3 = 3.771 at r = 1."""
    assert_decides(gamma_adds_to_ridge, sizes={"offset": (3, 5)})
    assert 4 * everywhere(event_covers, 1.0) == pytest.approx(8 * math.sqrt(2) / 3, rel=1e-14)
    assert everywhere(event_covers, 1.0, 3) > 1


def test_concordance_factor():
    assert everywhere(concordance_factor, 0.25) == pytest.approx(1 / (1 - math.sqrt(2) / 4), rel=1e-14)
    expected = everywhere(score_root, 0.5, 0.25) / (1 - math.sqrt(2) / 8)
    assert everywhere(distance_root, 0.5, 0.25, 0.125) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("S", [0.0, 1.0, 3.0, 99.0])
def test_mended_theta(S):
    """lev^2 = (48/47)/(42 (S + 3)^2), bb and p from it, against 1.67 (S + 3)^2; the diameter is the same for every S."""
    r, lev = (S + 1) ** -0.5, math.sqrt(48 / 47 / 42) / (S + 3)
    bb = S + 2 * (math.sqrt(2 / (S + 1)) + math.sqrt(2) * lev / (3 * (S + 1)))
    covers = bb / (1 - math.sqrt(2) * bb * lev) / (math.sqrt(1.67) * (S + 3))
    assert everywhere(leverage_mended, r, 42) == pytest.approx(lev * (S + 1), rel=1e-12)
    assert everywhere(theta_covers, r) == pytest.approx(covers, rel=1e-12)
    assert everywhere(theta_is_narrow, r) == pytest.approx(2 * math.sqrt(6 * 1.67 * 48 / 47 / 42), rel=1e-12)
    assert covers < 1
    assert everywhere(theta_covers, r, Fraction(8, 5)) == pytest.approx(covers * math.sqrt(1.67 / 1.6), rel=1e-12)
    assert everywhere(theta_is_narrow, r, Fraction(167, 100), 40) > 1


def test_printed_theta():
    """84 at S = 66 and not at 67, as computed by hand: lev = sqrt(48/47/2)/336."""
    for S, inside in ((66.0, True), (67.0, False)):
        lev = math.sqrt(48 / 47 / 2) / 336
        bb = S + 2 * (math.sqrt(2 / (S + 1)) + math.sqrt(2) * lev / (3 * (S + 1)))
        distance = bb / (1 - math.sqrt(2) * bb * lev)
        assert everywhere(printed_theta_covers, S) == pytest.approx(distance / 84, rel=1e-12)
        assert (distance <= 84) == inside


def test_horizon():
    """tau = 42 9 2 log T 2 log T at K = kappa = 2, d = 1, S = 0, delta = 1: it exceeds T up to e^12, not at e^13."""
    for level, inside in ((math.log(2), False), (7.0, False), (12.0, False), (13.0, True)):
        assert everywhere(horizon_over_tau, level) == pytest.approx(math.exp(level) / (1512 * level**2), rel=1e-12)
        assert (math.exp(level) >= 1512 * level**2) == inside


@pytest.mark.parametrize(("K", "y"), [(2, 0.5), (2, 3.0), (3, 1.0), (4, 1.5)])
def test_kappa_from_below(K, y):
    """exp(sqrt(2) S X)/2 against the certified kappa, and the Rayleigh quotient that bounds it against numpy."""
    z = y / math.sqrt(2) * np.array([1.0, -1.0] + [0.0] * (K - 2))
    u = np.eye(K)[1] - 1 / K
    quotient = u @ softmax_jacobian(z) @ u / (u @ u)
    found = everywhere(kappa_above, math.exp(-y / math.sqrt(2)), K)
    assert found == pytest.approx(math.exp(math.sqrt(2) * y) / 2 * quotient, rel=1e-12)
    assert kappa_once(K, y, "frobenius").upper >= math.exp(math.sqrt(2) * y) / 2


def test_short_arms():
    """The largest (1 + y)^2/max(2, exp(sqrt(2) y)/2) is 1.961, at y = log 4/sqrt(2)."""
    worst = math.log(4) / math.sqrt(2)
    assert everywhere(short_arm_over_kappa, 3.0) == pytest.approx(16 / (math.exp(3 * math.sqrt(2)) / 2) / 2, rel=1e-12)
    assert 2 * short_arm_over_kappa(FLOATS, worst) == pytest.approx(1.96071, abs=1e-5)
    assert max(2 * short_arm_over_kappa(FLOATS, y) for y in np.linspace(0, 30, 3001).tolist()) <= 1.96072
    assert everywhere(short_arm_falls, 0.05) == pytest.approx(2 / 21 / math.sqrt(2), rel=1e-14)


def test_free_theta():
    """3.867 sqrt(L), p = 0.1579, c = 1.2874, c bb = 4.978 against 5; 10/sqrt(600) = 1/sqrt(6)."""
    lev = 1 / math.sqrt(600)
    bb = 1 + 2 * (math.sqrt(2) + math.sqrt(2) * lev / 3)
    assert bb == pytest.approx(3.86692, abs=1e-5)
    assert 5 * everywhere(free_theta_covers) == pytest.approx(bb / (1 - math.sqrt(2) * bb * lev), rel=1e-12)
    assert 5 * everywhere(free_theta_covers) == pytest.approx(4.97838, abs=1e-4)
    assert everywhere(free_theta_covers, 16) > 1
    assert everywhere(free_theta_is_narrow) == 1
    assert everywhere(free_theta_is_narrow, 25, 300) == 2
