"""The logistic model against closed forms, hand-worked cases, finite differences and 50-digit arithmetic."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mnlbandits.model.softmax import (
    contrast_basis,
    cramer_rao_bound,
    fisher_information,
    log_softmax,
    loss,
    loss_gradient,
    loss_hessian,
    reference_basis,
    softmax,
    softmax_jacobian,
)

EPS = np.finfo(float).eps
STEP = EPS ** (1 / 3)
"""Step of the central differences: truncation STEP^2 and rounding EPS / STEP are then both about 4e-11."""

FINITE_DIFFERENCE = 1e-9
"""Both errors of a central difference, times the derivatives and sums of at most 15 terms of size <= 2 that occur here."""

properties = settings(derandomize=True, max_examples=100, deadline=None)
logits = arrays(float, st.integers(2, 8), elements=st.floats(-30, 30))


def example(seed, outcomes, dim):
    """theta (K, d), x (d,), logits (K,) of order one, from a fixed stream."""
    random = np.random.Generator(np.random.PCG64DXSM(seed))
    theta, x = random.normal(size=(outcomes, dim)), random.normal(size=dim)
    return theta, x, theta @ x


def test_softmax_by_hand():
    np.testing.assert_allclose(softmax(np.log([1.0, 2.0, 3.0])), [1 / 6, 1 / 3, 1 / 2], rtol=8 * EPS)
    np.testing.assert_allclose(softmax([7.0, 7.0, 7.0, 7.0]), 0.25, rtol=2 * EPS)
    np.testing.assert_allclose(log_softmax([0.0, 0.0]), -math.log(2), rtol=2 * EPS)


def test_softmax_works_along_the_last_axis():
    z = np.arange(12.0).reshape(2, 2, 3) ** 1.5
    assert softmax(z).shape == z.shape
    for index in np.ndindex(2, 2):
        np.testing.assert_array_equal(softmax(z)[index], softmax(z[index]))


def test_two_outcomes_are_the_sigmoid():
    for s in (-20.0, -1.5, 0.0, 0.3, 20.0):
        p = 1 / (1 + math.exp(-s))
        assert softmax([s, 0.0])[0] == pytest.approx(p, rel=1e-14)  # exp(20) carries an error of 20 eps
        slope = math.exp(-s) / (1 + math.exp(-s)) ** 2
        expected = slope * np.array([[1, -1], [-1, 1]])
        np.testing.assert_allclose(softmax_jacobian([s, 0.0]), expected, rtol=1e-13, atol=EPS)  # p - p^2 cancels to EPS


def test_jacobian_by_hand():
    # p = (1/2, 1/4, 1/4): diag(p) - p p^T.
    expected = np.array([[4, -2, -2], [-2, 3, -1], [-2, -1, 3]]) / 16
    np.testing.assert_allclose(softmax_jacobian(np.log([2.0, 1.0, 1.0])), expected, rtol=8 * EPS)


@pytest.mark.parametrize(
    "z",
    [
        (0.0, -700.0, -1000.0),
        (1000.0, -1000.0, 0.0),
        (745.0, 744.0, 0.0, -745.0),
        (1e15, 1e15 - 1, 0.0),
        (1e-300, -1e-300),
        (300.0,) * 5,
        (-1e8, -1e8 + 20, -1e8 + 40),
    ],
)
def test_extreme_logits(z):
    with mpmath.workdps(50):
        exact = [mpmath.mpf(v) for v in z]
        total = mpmath.log(mpmath.fsum(mpmath.exp(v - max(exact)) for v in exact))
        log_p = [v - max(exact) - total for v in exact]
        # z - max(z) is rounded once, exp, sum and log add a few ulp of a number of order one.
        for computed, value in zip(log_softmax(z), log_p, strict=True):
            assert abs(computed - value) <= 8 * EPS * (1 + abs(value))
        # An error of e in the logarithm is a relative error of e; below 1e-307 numbers are subnormal or zero.
        for computed, value in zip(softmax(z), log_p, strict=True):
            assert abs(computed - mpmath.exp(value)) <= 8 * EPS * (1 + abs(value)) * mpmath.exp(value) + 1e-307


@properties
@given(logits)
def test_probabilities_sum_to_one(z):
    p = softmax(z)
    assert (p >= 0).all()
    assert abs(p.sum() - 1) <= 4 * len(z) * EPS  # each term is within a few ulp


@properties
@given(logits, st.floats(-1e6, 1e6))
def test_a_common_shift_changes_nothing(z, shift):
    # z + shift itself rounds by EPS |z + shift| / 2 per logit; a logit's error is a relative error of every probability.
    error = 4 * EPS * (1 + np.abs(z).max() + abs(shift))
    np.testing.assert_allclose(softmax(z + shift), softmax(z), rtol=2 * error, atol=0)


@properties
@given(logits)
def test_jacobian_is_positive_semi_definite_with_kernel_one(z):
    jacobian = softmax_jacobian(z)
    np.testing.assert_array_equal(jacobian, jacobian.T)
    np.testing.assert_allclose(jacobian.sum(axis=1), 0, atol=8 * len(z) * EPS)  # K terms of size <= 1/4, each a few ulp off
    assert np.linalg.eigvalsh(jacobian).min() >= -8 * len(z) * EPS
    assert np.linalg.eigvalsh(jacobian).max() <= 0.5 + 8 * len(z) * EPS  # Gershgorin: 2 p (1 - p)


@pytest.mark.parametrize(("outcomes", "dim"), [(2, 1), (3, 2), (5, 3)])
def test_jacobian_by_finite_differences(outcomes, dim):
    z = example(1, outcomes, dim)[2]
    columns = [(softmax(z + STEP * e) - softmax(z - STEP * e)) / (2 * STEP) for e in np.eye(outcomes)]
    np.testing.assert_allclose(softmax_jacobian(z), np.array(columns).T, atol=FINITE_DIFFERENCE)


def test_loss_by_hand():
    theta, x = [[math.log(2.0), 5.0], [0.0, 5.0], [0.0, 5.0]], [1.0, 0.0]
    assert loss(theta, x, 0) == pytest.approx(math.log(2), rel=4 * EPS)
    assert loss(theta, x, 1) == pytest.approx(math.log(4), rel=4 * EPS)
    np.testing.assert_allclose(loss_gradient(theta, x, 1), [[0.5, 0], [-0.75, 0], [0.25, 0]], rtol=8 * EPS)


@pytest.mark.parametrize(("outcomes", "dim"), [(2, 1), (3, 2), (5, 3)])
def test_gradient_and_hessian_by_finite_differences(outcomes, dim):
    theta, x, z = example(2, outcomes, dim)
    directions = np.eye(outcomes * dim).reshape(-1, outcomes, dim)  # row-major: entry (k, j) is number k d + j
    for y in range(outcomes):
        slopes = [(loss(theta + STEP * u, x, y) - loss(theta - STEP * u, x, y)) / (2 * STEP) for u in directions]
        gradient = loss_gradient(theta, x, y)
        np.testing.assert_allclose(gradient, np.reshape(slopes, (outcomes, dim)), atol=FINITE_DIFFERENCE)
        np.testing.assert_allclose(gradient, np.outer(softmax(z) - np.eye(outcomes)[y], x), rtol=1e-14)  # two roundings
        curves = [
            (loss_gradient(theta + STEP * u, x, y) - loss_gradient(theta - STEP * u, x, y)).ravel() / (2 * STEP)
            for u in directions
        ]
        np.testing.assert_allclose(loss_hessian(theta, x), np.array(curves), atol=FINITE_DIFFERENCE)


@properties
@given(st.data())
def test_hessian_is_positive_semi_definite(data):
    outcomes, dim = data.draw(st.integers(2, 5)), data.draw(st.integers(1, 3))
    numbers = st.floats(-3, 3)
    theta, x = data.draw(arrays(float, (outcomes, dim), elements=numbers)), data.draw(arrays(float, dim, elements=numbers))
    hessian = loss_hessian(theta, x)
    size = len(hessian) * EPS * (1 + x @ x)  # rounding of eigvalsh: n EPS ||H||, and ||H|| <= |x|^2 / 2
    assert np.linalg.eigvalsh(hessian).min() >= -8 * size
    gradient = loss_gradient(theta, x, 0)
    np.testing.assert_allclose(gradient.sum(axis=0), 0, atol=8 * size)


@pytest.mark.parametrize(("outcomes", "dim"), [(2, 1), (3, 2), (5, 3)])
def test_score_identities(outcomes, dim):
    theta, x, z = example(3, outcomes, dim)
    p, score = softmax(z), [loss_gradient(theta, x, y).ravel() for y in range(outcomes)]
    np.testing.assert_allclose(sum(p[y] * score[y] for y in range(outcomes)), 0, atol=1e-14)  # the mean score is zero
    second_moment = sum(p[y] * np.outer(score[y], score[y]) for y in range(outcomes))
    np.testing.assert_allclose(second_moment, loss_hessian(theta, x), atol=1e-14)  # sums of at most 25 terms of order one


@properties
@given(logits)
def test_fisher_information_is_the_jacobian(z):
    np.testing.assert_allclose(fisher_information(z), softmax_jacobian(z), atol=8 * len(z) * EPS)  # sums of K terms <= 1


def test_cramer_rao_bound_of_two_outcomes():
    for s in (-3.0, 0.0, 1.0):
        p = 1 / (1 + math.exp(-s))
        assert cramer_rao_bound([s, 0.0], [5.0, 2.0]) == pytest.approx(9 * p * (1 - p), rel=1e-13)  # cond(I) is 1 here


@properties
@given(st.data())
def test_cramer_rao_bound_is_the_variance_of_the_reward(data):
    z = data.draw(arrays(float, st.integers(2, 6), elements=st.floats(-4, 4)))
    rewards = data.draw(arrays(float, len(z), elements=st.floats(0, 3)))
    p = softmax(z)
    variance = p @ (rewards - p @ rewards) ** 2
    bound = cramer_rao_bound(z, rewards)
    # The smallest eigenvalue is above min(p) >= exp(-8) / 6, so inverting costs a factor 2e4 of the rounding EPS |rho|^2.
    assert bound == pytest.approx(variance, rel=1e-9, abs=1e-10)
    assert cramer_rao_bound(z, rewards + 1) == pytest.approx(variance, rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("outcomes", range(2, 13))
def test_contrast_basis(outcomes):
    basis = contrast_basis(outcomes)
    assert basis.shape == (outcomes, outcomes - 1)
    np.testing.assert_allclose(basis.T @ basis, np.eye(outcomes - 1), atol=8 * EPS)  # columns of unit length, K terms
    np.testing.assert_allclose(basis.sum(axis=0), 0, atol=8 * EPS)
    projection = np.eye(outcomes) - 1 / outcomes
    np.testing.assert_allclose(basis @ basis.T, projection, atol=8 * EPS)


def test_contrast_basis_by_hand():
    r2, r6 = math.sqrt(2), math.sqrt(6)
    np.testing.assert_allclose(contrast_basis(2), [[1 / r2], [-1 / r2]], rtol=2 * EPS)
    np.testing.assert_allclose(contrast_basis(3), [[1 / r2, 1 / r6], [-1 / r2, 1 / r6], [0, -2 / r6]], rtol=2 * EPS)


def test_reference_basis():
    np.testing.assert_array_equal(reference_basis(3, 0), [[0, 0], [1, 0], [0, 1]])
    np.testing.assert_array_equal(reference_basis(3, 1), [[1, 0], [0, 0], [0, 1]])
    np.testing.assert_array_equal(reference_basis(2, 1), [[1], [0]])
