"""Corners of log-loss sets: the maximisers of a probability over the ball alone."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

from mnlbandits.instances import Problem
from mnlbandits.learners import log_loss_set
from mnlbandits.model.softmax import contrast_basis, reference_basis
from mnlbandits.seeds import generator

LARGEST = (1e-6, 0.1, 1.0, 10.0, 100.0, 1e3)
"""L: the largest logit, up to sizes where the probability is 1 up to rounding."""


def bases(outcomes: int) -> list[np.ndarray]:
    """Centred coordinates, and those relative to the first and to the last outcome."""
    return [contrast_basis(outcomes), reference_basis(outcomes, 0), reference_basis(outcomes, outcomes - 1)]


def log_odds(logits: np.ndarray, outcome: int) -> float:
    """-log of the odds of an outcome, which is exact where its probability is 1 up to rounding."""
    return float(logsumexp(np.delete(logits, outcome)) - logits[outcome])


def searched(basis: np.ndarray, outcome: int, largest: float) -> float:
    """The smallest `log_odds` of C u, ||u|| = L, found by descent over the unit sphere from many points."""

    def objective(v: np.ndarray) -> float:
        return log_odds(largest * (basis @ (v / np.linalg.norm(v))), outcome) / (1 + largest)

    starts = generator("corners", 0, "search").standard_normal((4, basis.shape[1]))
    return (1 + largest) * min(minimize(objective, start).fun for start in starts)


@pytest.mark.parametrize("largest", LARGEST)
@pytest.mark.parametrize("outcomes", [2, 3, 5])
def test_no_direction_is_better_than_the_corner(outcomes, largest):
    """Up to the accuracy of the search, and above all not worse than what it finds."""
    for basis in bases(outcomes):
        for outcome in range(outcomes):
            if not basis[outcome].any():
                continue  # the reference itself is never maximised
            u = np.zeros(outcomes - 1)
            log_loss_set.corner_direction(basis, outcome, largest, u)
            assert np.linalg.norm(u) == pytest.approx(1, rel=1e-14)
            ours, found = log_odds(largest * (basis @ u), outcome), searched(basis, outcome, largest)
            assert ours <= found + 1e-13 * (1 + largest)
            if largest >= 0.1:  # below, the search sees rounding only
                assert ours >= found - 1e-6 * (1 + largest)


@pytest.mark.parametrize("outcomes", [3, 10, 50])
@pytest.mark.parametrize("largest", LARGEST)
def test_the_corner_is_stationary(outcomes, largest):
    """The gradient of the log odds has the direction of u."""
    for basis in bases(outcomes):
        outcome = outcomes - 2
        u = np.zeros(outcomes - 1)
        log_loss_set.corner_direction(basis, outcome, largest, u)
        logits = largest * (basis @ u)
        others = np.exp(np.delete(logits, outcome) - np.delete(logits, outcome).max())
        gradient = basis[outcome] - (others / others.sum()) @ np.delete(basis, outcome, axis=0)
        np.testing.assert_allclose(u, gradient / np.linalg.norm(gradient), atol=1e-12)


def test_two_outcomes_by_hand():
    """Relative to the other one, u = 1; in centred coordinates the one direction there is, with the sign that helps."""
    for basis, expected in ((reference_basis(2, 0), 1.0), (contrast_basis(2), -1.0)):
        u = np.zeros(1)
        log_loss_set.corner_direction(basis, 1, 5.0, u)
        assert u[0] == pytest.approx(expected, rel=1e-15)


def test_corners_of_arms():
    """bound u x^T/||x||; 0 for the arm 0; that of a tiny arm keeps the norm of the bound."""
    arms = np.array([[0.6, 0.8], [0.0, 0.0], [1e-200, 0.0], [-0.3, 0.0]])
    problem = Problem(arms, np.array([0.0, 0.5, 1.0]), 2.0, 10.0, 100, 0.05)
    basis = reference_basis(3, 0)
    region = log_loss_set.make_set(problem, basis, 7.0, "suffstat", 2)
    for corner, x in zip(region.corners, arms, strict=True):
        length = np.linalg.norm(x)
        if length == 0:
            assert (corner == 0).all()
            continue
        u = np.zeros(2)
        log_loss_set.corner_direction(basis, 2, 7.0 * length, u)
        np.testing.assert_allclose(corner, 7.0 * np.outer(u, x / length), rtol=1e-13)
        assert np.linalg.norm(corner) == pytest.approx(7.0, rel=1e-13)
