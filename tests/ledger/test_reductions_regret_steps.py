"""Formulas of Steps 4 to 6 of the proof of Theorem 1 that are proved, or computed, in another form than the statement's."""

import numpy as np
import pytest

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.potentials import along, batches, commuting, excess_of_tangents, jacobian_root
from mnlbandits.ledger.formulas.softmax import jacobian_of, softmax
from mnlbandits.ledger.paper.theorem_one_step_four_sum import determinant_share
from mnlbandits.ledger.paper.theorem_one_step_six import lost_factor, lost_factor_of_tanh
from mnlbandits.model.softmax import softmax_jacobian

STREAM = np.random.default_rng(0)


def test_lost_factor_is_that_of_tanh():
    for size, away in STREAM.uniform(0, (14, 1), (50, 2)).tolist():
        reduced = lost_factor_of_tanh(FLOATS, np.tanh(size / np.sqrt(2)), away)
        assert lost_factor(FLOATS, size, away) == pytest.approx(reduced, rel=1e-12)


@pytest.mark.parametrize("K", [2, 3, 5])
def test_root_of_the_jacobian(K):
    p = softmax(FLOATS, STREAM.normal(size=K).tolist())
    root = jacobian_root(FLOATS, p)
    np.testing.assert_allclose(root @ root.T, jacobian_of(FLOATS, p), atol=1e-15)


def test_batches_are_the_sum_over_rounds_with_all_of_wbar():
    K, d, ridge = 3, 2, 7.0
    theta, arms, steps = STREAM.normal(size=(K, d)), STREAM.normal(size=(2, d)) / 2, [(0, 3), (1, 2), (0, 4)]
    wbar, total = ridge * np.eye(K * d), 0.0
    for n, count in steps:
        for _ in range(count):
            x, jacobian = arms[n], softmax_jacobian(theta @ arms[n])
            values, vectors = np.linalg.eigh(jacobian)
            root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
            tall = np.kron(np.eye(K), x[:, None]) @ root
            total += np.linalg.eigvalsh(tall.T @ np.linalg.solve(wbar, tall))[-1]
            wbar += np.kron(jacobian + np.ones((K, K)), np.outer(x, x))
    assert batches(FLOATS, theta, arms, steps, ridge) == pytest.approx(total, rel=1e-12)
    assert float(batches(DIGITS, theta, arms, steps, ridge)) == pytest.approx(total, rel=1e-12)


def test_closed_form_of_the_counterexample():
    level, half = np.log(99.0) / 2, 40
    theta, arms = level * np.array([[1.0], [1.0], [-1.0], [-1.0]]), np.array([[1.0], [-1.0]])
    steps = [(n, 1) for _ in range(half) for n in (0, 1)]
    assert commuting(FLOATS, 99.0, half) == pytest.approx(along(FLOATS, theta, arms, steps, 576), rel=1e-10)


def test_determinant_of_two_orthonormal_arms():
    counts, ridge = (30, 12), 5.0
    grown = np.linalg.slogdet(np.diag(counts) + ridge / 2 * np.eye(2))[1] - 2 * np.log(ridge / 2)
    T = sum(counts)
    found = determinant_share(FLOATS, np.log10(T / (2 * ridge)), counts[0] / T)
    assert found == pytest.approx(grown / (2 * np.log1p(T / (2 * ridge))), rel=1e-12)


def test_tangents_lie_above_the_logarithm():
    for _ in range(20):
        values = STREAM.exponential(size=4).tolist()
        logarithms = sum(np.log1p(a) for a in values) - 4 * np.log1p(np.mean(values))
        assert logarithms <= excess_of_tangents(values) + 1e-12
        assert excess_of_tangents(values) == pytest.approx(0, abs=1e-12)
