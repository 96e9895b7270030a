"""kappa_*, nu and the gap on hand-worked instances, and the paper's example of a large kappa_*."""

import math

import numpy as np
import pytest

from mnlbandits.model.constants import gap, kappa_star, mean_rewards, norm, nu, optimal_arms, reward_variances
from mnlbandits.model.softmax import cramer_rao_bound, softmax, softmax_jacobian

EXACT = 1e-13
"""Sums of at most 8 products of numbers of order one: rounding only, with room for the cancellation in p (1 - p)."""


def sigmoid(s):
    return 1 / (1 + math.exp(-s))


def test_two_outcomes_with_one_reward():
    """rho = (1, 0): kappa_* = 1 / (p (1 - p)) with p = sigmoid(z_1 - z_2) at the best arm, as in the binary case."""
    theta, arms, rewards = (
        np.array([[0.5, 0.0], [-0.5, 0.0]]),
        np.array([[1.0, 0], [-1.0, 0], [0.2, 0.5]]),
        np.array([1.0, 0]),
    )
    p = sigmoid(1.0)
    assert kappa_star(theta, arms, rewards) == pytest.approx(1 / (p * (1 - p)), rel=EXACT)
    assert optimal_arms(theta, arms, rewards).tolist() == [True, False, False]
    np.testing.assert_allclose(mean_rewards(theta, arms, rewards), [p, 1 - p, sigmoid(0.2)], rtol=EXACT)
    second = sigmoid(0.2)
    assert gap(theta, arms, rewards) == pytest.approx(p - second, rel=EXACT)
    # rho^2 = rho here, so the numerator of nu is 2 (best - worst mean).
    assert nu(theta, arms, rewards) == pytest.approx(2 * (p - (1 - p)) / (p - second), rel=EXACT)


def test_nu_by_hand():
    # p = (1/2, 1/4, 1/4) and (1/4, 1/4, 1/2), rho = (3, 0, 1): means 7/4 and 5/4, second moments 19/4 and 11/4.
    theta = np.log([[2.0, 1.0], [1.0, 1.0], [1.0, 2.0]])
    arms, rewards = np.eye(2), np.array([3.0, 0.0, 1.0])
    np.testing.assert_allclose(mean_rewards(theta, arms, rewards), [7 / 4, 5 / 4], rtol=EXACT)
    assert gap(theta, arms, rewards) == pytest.approx(1 / 2, rel=EXACT)
    assert nu(theta, arms, rewards) == pytest.approx(2 * (19 / 4 - 11 / 4) / (1 / 2), rel=EXACT)
    # Var = 19/4 - 49/16 = 27/16 at the best arm, R^2 = 10.
    assert kappa_star(theta, arms, rewards) == pytest.approx(10 / (27 / 16), rel=EXACT)


def test_kappa_star_is_the_smallest_over_all_optimal_arms():
    """rho = (0, 1, 2): logits (0, c, 0) have mean 1 for every c and variance 2 / (2 + e^c); R^2 = 5."""
    theta, arms, rewards = np.array([[0.0], [2.0], [0.0]]), np.array([[0.0], [1.0], [-0.5]]), np.array([0.0, 1.0, 2.0])
    np.testing.assert_allclose(reward_variances(theta, arms, rewards), [2 / 3, 2 / (2 + math.e**2), 2 / (2 + 1 / math.e)])
    assert optimal_arms(theta, arms, rewards).all()
    assert kappa_star(theta, arms, rewards) == pytest.approx(5 * (2 + 1 / math.e) / 2, rel=EXACT)
    assert gap(theta, arms, rewards) == math.inf
    assert nu(theta, arms, rewards) == 0


def test_uniform_rewards():
    theta, arms = np.array([[1.0], [0.0]]), np.array([[1.0], [-1.0]])
    assert kappa_star(theta, arms, np.array([0.7, 0.7])) == math.inf
    assert gap(theta, arms, np.array([0.7, 0.7])) == math.inf
    assert nu(theta, arms, np.array([0.7, 0.7])) == 0


def test_an_optimal_arm_without_randomness():
    """Logits so far apart that the best outcome is certain in double precision: no variance, kappa_* infinite."""
    assert kappa_star(np.array([[800.0], [0.0]]), np.array([[1.0]]), np.array([1.0, 0.0])) == math.inf


def test_rounding_is_not_a_gap():
    """Arms whose means differ by less than 1e-12 R are all optimal, others are not."""
    theta, rewards = np.array([[1.0], [0.0]]), np.array([1.0, 0.0])
    arms = np.array([[0.5], [0.5 - 1e-13], [0.5 - 1e-10]])  # d mean = p (1 - p) dz = 0.235 dz
    assert optimal_arms(theta, arms, rewards).tolist() == [True, True, False]
    assert gap(theta, arms, rewards) == pytest.approx(0.235e-10, rel=1e-3)  # 3 digits of p (1 - p); rounding is 1e-16/1e-11


@pytest.mark.parametrize("outcomes", [2, 3, 5])
def test_variance_is_the_quadratic_form_and_the_cramer_rao_bound(outcomes):
    random = np.random.Generator(np.random.PCG64DXSM(1))
    theta, arms, rewards = random.normal(size=(outcomes, 2)), random.normal(size=(6, 2)), random.random(outcomes)
    for variance, x in zip(reward_variances(theta, arms, rewards), arms, strict=True):
        assert variance == pytest.approx(rewards @ softmax_jacobian(theta @ x) @ rewards, rel=1e-12)  # cancels to 1e-3
        assert variance == pytest.approx(cramer_rao_bound(theta @ x, rewards), rel=1e-10)  # through a pseudo-inverse
    best = int(np.argmax(mean_rewards(theta, arms, rewards)))
    bound = cramer_rao_bound(theta @ arms[best], rewards)
    assert kappa_star(theta, arms, rewards) == pytest.approx(rewards @ rewards / bound, rel=1e-10)  # kappa_* = R^2 / CRLB


@pytest.mark.parametrize("outcomes", [2, 3, 4, 9])
@pytest.mark.parametrize("m", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("reward_norm", [1.0, 3.0])
def test_example_of_a_large_kappa_star(outcomes, m, reward_norm):
    """App. large kappa star: rho = R (2, 1, ..., 1)/sqrt(K+3) and logits (m, 0, ..., 0) at x_*.

    rho_y is 2c with probability mu_1 and c otherwise, c = R/sqrt(K+3), so R^2/kappa_* = c^2 mu_1 (1 - mu_1) with
    mu_1 = e^m/(e^m + K - 1). The paper's chain has (2/(K+3)) mu_1 (1 - mu_1) in its fourth line, twice that.
    """
    theta, arms = np.zeros((outcomes, 2)), np.array([[1.0, 0], [0, 1.0], [-0.6, 0.8]])
    theta[0, 0] = m
    rewards = np.full(outcomes, 1.0)
    rewards[0] = 2
    rewards *= reward_norm / math.sqrt(outcomes + 3)
    mu = math.exp(m) / (math.exp(m) + outcomes - 1)
    assert softmax(theta @ arms[0])[0] == pytest.approx(mu, rel=EXACT)
    assert 1 / kappa_star(theta, arms, rewards) == pytest.approx(mu * (1 - mu) / (outcomes + 3), rel=EXACT)
    assert kappa_star(theta, arms, rewards) >= math.exp(m) / 2  # the bound that the paper draws holds, with m for S


def test_norms():
    theta = np.array([[3.0, 4.0], [-5.0, 0.0], [1.0, 1.0]])
    assert norm(theta) == pytest.approx(math.sqrt(25 + 25 + 2), rel=EXACT)
    assert norm(theta, "frobenius") == norm(theta)
    assert norm(theta, "rows") == 5
