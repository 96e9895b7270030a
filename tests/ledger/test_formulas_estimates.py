"""The ridge estimate against the package's algorithm and the gradients and Hessians of the model's loss."""

import numpy as np
import pytest
from agreement import everywhere

from mnlbandits.algorithms import real
from mnlbandits.instances import families
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.estimates import design_matrix, identity, precise_estimate, ridge_zero, score
from mnlbandits.ledger.simulate.exploration import estimate
from mnlbandits.model import softmax

RIDGE = 1.5
THETA = np.array([[0.5, -1.0], [0.25, 0.75], [-0.75, 0.25]])
ARMS = np.array([[1.0, 0.0], [-0.5, 0.75]])
COUNTS = np.array([[3, 1, 2], [0, 4, 1]])


def test_identity():
    assert everywhere(identity, 2) == [[1, 0], [0, 1]]


def test_ridge_is_that_of_the_algorithm():
    problem = families.random_instance("ridge", 3, 2, 1.75, arms=4).problem(1000, 0.05)
    found = everywhere(ridge_zero, 3, 2, 1.75, 1000, 0.05)
    assert found == pytest.approx(real.constants(problem).lambda_0, rel=1e-13)


def test_score_is_that_of_the_loss():
    gradient, hessian = RIDGE * THETA.ravel(), RIDGE * np.eye(6)
    for x, seen in zip(ARMS, COUNTS, strict=True):
        hessian = hessian + seen.sum() * softmax.loss_hessian(THETA, x)
        for outcome, times in enumerate(seen):
            gradient = gradient + times * softmax.loss_gradient(THETA, x, outcome).ravel()
    found = everywhere(score, THETA.ravel(), ARMS, COUNTS, RIDGE)
    np.testing.assert_allclose(found[0], gradient, rtol=1e-12)
    np.testing.assert_allclose(found[1], hessian, rtol=1e-12, atol=1e-14)


def test_precise_estimate_is_that_of_the_algorithm():
    """Newton's method stops at a step of 1e-35, relative; one more step, of quadratic convergence, would be below 1e-49."""
    instance = families.random_instance("estimate", 3, 2, 1.0, arms=2)
    rough = estimate(instance, COUNTS, RIDGE)
    found = precise_estimate(np.zeros(6), instance.arms, COUNTS, DIGITS.number(RIDGE))
    np.testing.assert_allclose(found.astype(float), np.ravel(rough), rtol=1e-9, atol=1e-12)
    gradient, _ = score(DIGITS, found, instance.arms, COUNTS, DIGITS.number(RIDGE))
    assert max(abs(entry) for entry in gradient) < 1e-45
    with pytest.raises(ArithmeticError):
        precise_estimate(np.full(6, 300.0) * np.array([1, -1, 1, 1, -1, 1]), 50 * instance.arms, COUNTS, 1e-9)


def test_design_matrix():
    pulls = np.array([3, 5])
    expected = RIDGE * np.eye(2) + (ARMS.T * pulls) @ ARMS / 4.5
    np.testing.assert_allclose(everywhere(design_matrix, ARMS, pulls, RIDGE, 4.5), expected, rtol=1e-13)
    assert design_matrix(FLOATS, ARMS, pulls, RIDGE, 4.5).shape == (2, 2)
