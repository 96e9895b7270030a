"""kappa and kappa_* against the package's certified values and eigenvalues."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.constants import (
    binary_kappa,
    binary_kappa_at,
    halves_curvature,
    inverse_kappa_star,
    inverse_star_of,
    kappa_at_least,
    kappa_at_most,
    kappa_at_most_exactly,
    kappa_star,
    levels_exactly,
    log_curvature,
    low_curvature,
    low_pair_reached,
    pair_curvature,
    pair_logits,
)
from mnlbandits.model import constants, softmax
from mnlbandits.model.kappa import kappa, log_second_eigenvalue

Z, REWARDS = [0.75, -1.5, 0.25], [1.0, 0.25, 0.5]


def eigenvalue(z):
    """lambda_{K-1} at logits of norm at most 5, of which 1e-10 is left after rounding: 1e-16 over e^(-5 sqrt 2)/K."""
    return np.linalg.eigvalsh(softmax.softmax_jacobian(z))[1]


def test_kappa_star():
    found = everywhere(kappa_star, Z, REWARDS)
    theta = np.array(Z)[:, None]
    assert found == pytest.approx(constants.kappa_star(theta, np.array([[1.0]]), np.array(REWARDS)), rel=1e-13)
    assert everywhere(inverse_kappa_star, Z, REWARDS) == pytest.approx(1 / found, rel=1e-14)
    assert inverse_kappa_star(FLOATS, Z, [1.0, 1.0, 1.0]) == pytest.approx(0, abs=1e-16)


def test_inverse_star_of():
    """Rewards (2, 1) at probabilities 1/4, 3/4: variance 3/16, R^2 = 5."""
    assert inverse_star_of([Fraction(1, 4), Fraction(3, 4)], [2, 1]) == Fraction(3, 80)


def test_binary_kappa():
    """1/mu'(r) = (1 + e^r)^2/e^r."""
    assert everywhere(binary_kappa, 1.5) == pytest.approx((1 + math.exp(1.5)) ** 2 / math.exp(1.5), rel=1e-14)


def test_binary_kappa_at():
    """1/(2 mu_1 mu_2) at the logits (r, -r)/sqrt(2), of norm r."""
    p = softmax.softmax([1.5 / math.sqrt(2), -1.5 / math.sqrt(2)])
    assert everywhere(binary_kappa_at, 1.5) == pytest.approx(1 / (2 * p[0] * p[1]), rel=1e-13)


@pytest.mark.parametrize("z", [Z, [20.0, 0.0, -20.0]])
def test_log_curvature(z):
    assert everywhere(log_curvature, z) == pytest.approx(
        log_second_eigenvalue(np.array(z), np.ones(len(z), dtype=int)), rel=1e-11
    )


def test_kappa_at_most():
    """The smallest probability is least where one logit is low by sqrt(2) r: 1/(1 + 4 e^(sqrt(2) r)) for K = 5."""
    gap = math.sqrt(2) * 0.75
    assert everywhere(kappa_at_most, 5, 0.75) == pytest.approx(1 / softmax.softmax([0, *[gap] * 4])[0], rel=1e-14)


@pytest.mark.parametrize("K", [2, 3, 4, 7])
@pytest.mark.parametrize("r", [0.5, 2.0, 5.0])
def test_curvatures_of_few_levels(K, r):
    low = np.array([-(K - 1), *[1] * (K - 1)], dtype=float)
    high = np.array([1 / (K // 2)] * (K // 2) + [-1 / (K - K // 2)] * (K - K // 2))
    assert everywhere(low_curvature, K, r) == pytest.approx(eigenvalue(r * low / np.linalg.norm(low)), rel=1e-10)
    assert everywhere(halves_curvature, K, r) == pytest.approx(eigenvalue(r * high / np.linalg.norm(high)), rel=1e-10)
    pair = everywhere(pair_logits, K, r)
    np.testing.assert_allclose(pair, r / math.sqrt(2) * np.array([1, -1] + [0] * (K - 2)), rtol=1e-14)
    assert everywhere(pair_curvature, K, r) == pytest.approx(eigenvalue(pair), rel=1e-10)
    every = [pair_curvature(FLOATS, K, r), low_curvature(FLOATS, K, r), halves_curvature(FLOATS, K, r)]
    assert everywhere(kappa_at_least, K, r) == pytest.approx(1 / min(every), rel=1e-14)


@pytest.mark.parametrize("K", [2, 3, 5])
@pytest.mark.parametrize("r", [0.25, 2.0])
def test_bounds_of_kappa(K, r):
    certified = kappa(K, r)
    assert kappa_at_least(FLOATS, K, r) <= certified.upper * (1 + 1e-12)
    assert certified.lower <= kappa_at_most(FLOATS, K, r)
    if K == 2:
        assert kappa_at_least(FLOATS, K, r) == pytest.approx(certified.lower, rel=1e-11)
        assert certified.lower == pytest.approx(1 + math.cosh(math.sqrt(2) * r), rel=1e-11)


def test_pair_at_zero():
    assert everywhere(pair_logits, 4, 0.0) == [0, 0, 0, 0]


def test_levels():
    assert_decides(levels_exactly)


def test_kappa_at_most_exactly():
    assert_decides(kappa_at_most_exactly, square=[1, 3])


def test_low_pair_reached():
    assert_decides(low_pair_reached, factor=2)
