"""Algorithm 3's estimate after rare outcomes and as mirror descent, against numpy and exact quadrature."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.adaptive import beta_w, lambda_w, sigma_w
from mnlbandits.ledger.formulas.mirror import (
    GROWN,
    WIDENED,
    beta_w_mended,
    eta_w_mended,
    explorer_constants,
    explorer_step,
    lambda_w_mended,
    left_behind,
    radius_at,
    repeated,
    strayed,
    strayed_mended,
)
from mnlbandits.ledger.formulas.softmax import binary_curvature

S = 0.75


def sigmoid(u):
    return 1 / (1 + math.exp(-u))


def test_constants_by_hand():
    assert everywhere(eta_w_mended, S) == pytest.approx(1 + math.sqrt(2) * 0.75)
    assert everywhere(lambda_w_mended, 6, S) == pytest.approx(144 * (1 + math.sqrt(2) * 0.75) * 6.75)
    eta, ridge = 1 + math.sqrt(2) * 0.75, 144 * (1 + math.sqrt(2) * 0.75) * 6.75
    square = 0.5625 * ridge + 2 * eta * 3 + 1.02 * eta**2 * 4 * math.log(1 + 100 / (4 * ridge))
    assert everywhere(beta_w_mended, 6, 4, S, 3.0, 100.0) == pytest.approx(math.sqrt(square), rel=1e-12)
    assert (Fraction(101, 100), Fraction(51, 50)) == (WIDENED, GROWN)


def descent(count):
    """theta^w in R^2 and H^w, by the step of the repaired Algorithm 3 in full."""
    eta, curved = (1 + math.sqrt(6) * S) / 2, binary_curvature(FLOATS, S)
    theta, design = np.zeros(2), lambda_w(FLOATS, 2, S)
    for _ in range(count):
        p = np.exp(theta) / np.exp(theta).sum()
        theta = theta - eta * (p - [1, 0]) / (design + eta * curved)
        design += curved
    return theta, design


def test_an_outcome_again_and_again():
    theta, design = descent(30)
    found = everywhere(repeated, S, 30)
    assert found == pytest.approx((theta[0] * math.sqrt(2), design), rel=1e-12)
    assert everywhere(radius_at, S, math.log(20), 7) == pytest.approx(beta_w(FLOATS, 2, S, 7), rel=1e-12)
    more = math.hypot(beta_w(FLOATS, 2, S, 7), math.sqrt((1 + math.sqrt(6) * S) * math.log(20)))
    assert everywhere(radius_at, S, math.log(20), 7, 1) == pytest.approx(more, rel=1e-12)


def test_how_far_it_strays():
    """All of 30 rounds explore at S = 3/4; the event must be likelier than delta."""
    theta, design = descent(30)
    level = 25.0
    expected = np.linalg.norm(theta) * math.sqrt(design) / radius_at(FLOATS, S, level, 31)
    assert everywhere(strayed, S, level, 30) == pytest.approx(expected, rel=1e-12)
    assert everywhere(strayed, S, 20.0, 30) == 0
    assert everywhere(strayed, 0.001, level, 30) == 0


def test_how_far_it_strays_as_mended():
    """Each step minimised numerically over [-S, S]."""
    eta, ridge, theta = eta_w_mended(FLOATS, 0.1), lambda_w_mended(FLOATS, 2, 0.1), 0.0
    own = ridge
    for _ in range(60):
        gradient, matrix = -math.sqrt(2) * sigmoid(-math.sqrt(2) * theta), own + eta * binary_curvature(FLOATS, theta)
        start = theta
        loss = lambda z, start=start, gradient=gradient, matrix=matrix: gradient * z + matrix * (z - start) ** 2 / (2 * eta)  # noqa: E731
        theta = minimize_scalar(loss, bounds=(-0.1, 0.1), method="bounded", options={"xatol": 1e-12}).x
        own += binary_curvature(FLOATS, theta)
    design = ridge + 60 * binary_curvature(FLOATS, 0.1)
    beta = beta_w_mended(FLOATS, 2, 1, 0.1, 60 * math.log(2) + 1, 60)
    found = everywhere(strayed_mended, 0.1, 1.0, 60)
    assert found == pytest.approx(theta * math.sqrt(design) / beta, rel=1e-5)
    assert everywhere(strayed_mended, 0.1, 1.0, 60, 2) == pytest.approx(found / 2, rel=1e-12)


def test_a_truth_left_behind():
    s, level, count, t = 0.03, 230.0, 245, 10**6
    theta, design = repeated(FLOATS, s, count)
    nearest = theta - radius_at(FLOATS, s, level, t) / math.sqrt(design)
    expected = nearest * math.sqrt(288 + (t - count) * binary_curvature(FLOATS, 1.0))
    assert everywhere(left_behind, s, level, count, t) == pytest.approx(
        expected / sigma_w(FLOATS, 2, s, level + math.log(t)), rel=1e-10
    )
    for wrong in ((s, level, count - 1, t), (s, level, count + 1, t), (s, 170.0, count, t), (s, level, count, t, True)):
        assert everywhere(left_behind, *wrong) == 0


@pytest.mark.parametrize(("theta", "star"), [(0.5, -0.25), (-0.75, 0.75), (0.7, 0.1)])
def test_a_step_of_mirror_descent(theta, star):
    """The mean over the Gaussian by adaptive quadrature, the change of the norm as it is written."""
    x, grown, eta = 0.5, 0.5, eta_w_mended(FLOATS, S)
    own = lambda_w_mended(FLOATS, 2, S) * 10**grown
    matrix = own + eta * x**2 * binary_curvature(FLOATS, x * theta)
    after = min(S, max(-S, theta + eta * math.sqrt(2) * x * sigmoid(-math.sqrt(2) * x * theta) / matrix))
    added = x**2 * binary_curvature(FLOATS, x * after)
    change = (own + added) * (after - star) ** 2 - own * (theta - star) ** 2
    spread = math.sqrt(1.01 * eta / own)
    chance = quad(lambda z: math.exp(-z * z / 2) * sigmoid(math.sqrt(2) * x * (theta + spread * z)), -9, 9, epsabs=1e-14)[0]
    gain = math.log(chance / math.sqrt(2 * math.pi)) + math.log1p(math.exp(-math.sqrt(2) * x * star))
    expected = (change - 2 * eta * gain) / (1.02 * eta**2 * math.log(1 + added / own))
    found = explorer_step(FLOATS, S, x, star / S, theta / S, grown)
    assert found == pytest.approx(expected, rel=1e-6)
    assert everywhere(explorer_step, S, x, star / S, theta / S, grown, 2) == pytest.approx(found * 1.02 / 2, rel=1e-8)


def test_numbers_of_the_steps():
    assert_decides(explorer_constants, growth=[Fraction(1), Fraction(101, 100)])
    assert explorer_constants(Fraction(3, 2))
