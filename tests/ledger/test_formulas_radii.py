"""The radii of Algorithm 1, and the distances after one round by other ways to them."""

import math

import numpy as np
import pytest
from agreement import everywhere
from scipy.optimize import brentq
from scipy.special import expit

from mnlbandits.algorithms import real
from mnlbandits.instances import families
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.radii import (
    BISECTIONS,
    GAMMA,
    ROOT,
    TAU,
    TAU_MENDED,
    THETA_MENDED,
    beta_root,
    diameter_at_tau,
    distance_at_one,
    distance_at_tau,
    event_at_one,
    event_at_tau,
    gamma_root_mended,
    mended_root,
    rounds_at_tau,
    tau_root_mended,
    theta_root_mended,
)
from mnlbandits.model.softmax import softmax_jacobian


def test_constants_are_those_of_the_algorithm():
    """tau is rounded up to an integer of about 1e11."""
    problem = families.random_instance("radii", 3, 2, 1.75, arms=4).problem(10**6, 0.05)
    constants = real.constants(problem)
    assert constants.theta_radius == pytest.approx(ROOT * math.sqrt(constants.lambda_0), rel=1e-14)
    assert constants.tau == pytest.approx(TAU * constants.lambda_0 * problem.kappa * 6 * math.log(10**6), rel=1e-9)
    assert beta_root(math.isqrt(GAMMA)) == ROOT == 84
    assert 2.0**-BISECTIONS < 1e-45


def test_beta():
    assert everywhere(beta_root, 2.5) == (1 + 6.25 + 2.5) * 2.5
    assert mended_root(0) == 84
    assert everywhere(mended_root, 1.5) == (1 + 5.5**2 + 5.5) * 5.5


def test_mended_radii():
    """1.67 (S + 3)^2 and 42 (S + 3)^2, in units of 1 and of 1/2."""
    assert (float(THETA_MENDED), TAU_MENDED) == (1.67, 42)
    assert gamma_root_mended(1.5) == 5.5
    assert everywhere(gamma_root_mended, 0.75, 0.5) == 2.75
    assert everywhere(theta_root_mended, 1.5) == pytest.approx(math.sqrt(1.67) * 4.5, rel=1e-14)
    assert everywhere(theta_root_mended, 0.75, 0.5) == pytest.approx(math.sqrt(1.67) * 2.25, rel=1e-14)
    assert everywhere(theta_root_mended, 1.5, 1, 4) == 9
    assert everywhere(tau_root_mended, 0.75, 0.5) == pytest.approx(math.sqrt(42) * 2.25, rel=1e-14)
    assert everywhere(tau_root_mended, 1.5, 1, 9) == 13.5


S, LEVEL, X = 1.25, 2.0, 0.75


def curved(ridge, size):
    """H_1 along (1, -1)/sqrt(2) at theta x of this norm."""
    return ridge + X**2 * 2 * softmax_jacobian([size / math.sqrt(2), -size / math.sqrt(2)])[0, 0]


def test_event_after_one_round():
    """Gradient of the ridge loss at theta_* = (S, -S)/sqrt(2) if outcome 1 was seen, along that direction."""
    ridge = (S + 1) * 2 * LEVEL
    gradient = ridge * S - math.sqrt(2) * X * (1 - expit(math.sqrt(2) * S * X))
    found = everywhere(event_at_one, 16, S, LEVEL, X)
    assert found == pytest.approx(gradient**2 / (16 * ridge * curved(ridge, S * X)), rel=1e-13)


def test_event_after_the_other_outcome():
    ridge = (S + 1) * 2 * LEVEL
    gradient = ridge * S + math.sqrt(2) * X * expit(math.sqrt(2) * S * X)
    found = everywhere(event_at_one, 16, S, LEVEL, X, 2)
    assert found == pytest.approx(gradient**2 / (16 * ridge * curved(ridge, S * X)), rel=1e-13)


@pytest.mark.parametrize(("s", "level"), [(S, LEVEL), (0.125, LEVEL), (0.0, LEVEL), (0.0, 0.25)])
def test_distance_after_one_round(s, level):
    """hat theta is where the gradient is 0, by Brent's method to 1e-15; bisection gives 1e-15 of it in floats."""
    ridge = (s + 1) * 2 * level
    b = brentq(lambda b: ridge * b - math.sqrt(2) * X * expit(-math.sqrt(2) * X * b), 0, 10, xtol=1e-15)
    found = everywhere(distance_at_one, 84, s, level, X)
    assert found == pytest.approx(abs(s - b) * math.sqrt(curved(ridge, s * X) / ridge) / 84, rel=1e-10)


def test_rounds_at_tau():
    """One arm x at S = 1.25, T = 1000: tau/(336^2 lambda_0) is kappa K d log T, and 1/kappa an eigenvalue."""
    z = S * X / math.sqrt(2)
    kappa = 1 / np.linalg.eigvalsh(softmax_jacobian([z, -z]))[1]
    assert everywhere(rounds_at_tau, S, X, 1000) == pytest.approx(336**2 * kappa * 2 * math.log(1000) + 1, rel=1e-12)
    assert everywhere(rounds_at_tau, S, X, 1000, 5) == pytest.approx(5 * kappa * math.log(1000) + 1, rel=1e-12)


@pytest.mark.parametrize(("s", "x"), [(50.0, 1e-6), (1.0, 1e-4)])
def test_event_and_distance_at_tau(s, x):
    """Gradients in units of lambda_0 along (1, -1)/sqrt(2), all outcomes of n rounds 1; where they outweigh S it is 0."""
    n, u = rounds_at_tau(FLOATS, s, x, 1000), math.sqrt(2) * s * x
    gradient = s - n * x * math.sqrt(2) * (1 - expit(u))
    form = 1 + n * x**2 * 2 * softmax_jacobian([u / 2, -u / 2])[0, 0]
    assert everywhere(event_at_tau, 16, s, x, 1000) == pytest.approx(max(gradient, 0) ** 2 / (16 * form), rel=1e-10)
    assert (gradient > 0) == (s > 1)
    assert everywhere(distance_at_tau, 84, s, x, 1000) == pytest.approx((s - math.sqrt(2) * x * n) / 84, rel=1e-10)


def test_diameter_at_tau():
    """2 root ||x||_{V^-1} sqrt(lambda_0): T = 2 and x = 1 by hand, 168/sqrt(1 + 336^2 2 log 2) times sqrt(6)."""
    expected = math.sqrt(6) * 168 / math.sqrt(1 + 112896 * 2 * math.log(2))
    assert everywhere(diameter_at_tau, 84, 1.0, math.log(2)) == pytest.approx(expected, rel=1e-12)
    assert expected == pytest.approx(1.0402, abs=5e-5)
    short = math.sqrt(6) * 10 * 0.25 / math.sqrt(1 + 7 * 3 * 0.0625)
    assert everywhere(diameter_at_tau, 5, 0.25, 3.0, 7) == pytest.approx(short, rel=1e-12)
