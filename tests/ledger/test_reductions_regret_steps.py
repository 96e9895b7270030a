"""Formulas of Steps 4 to 6 of the proof of Theorem 1 that are proved, or computed, in another form than the statement's."""

import itertools
import math

import numpy as np
import pytest

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.potentials import along, batches, commuting, excess_of_tangents, jacobian_root
from mnlbandits.ledger.formulas.softmax import jacobian_of, softmax
from mnlbandits.ledger.paper.theorem_one_start import standing_event
from mnlbandits.ledger.paper.theorem_one_step_four_sum import determinant_share
from mnlbandits.ledger.paper.theorem_one_step_six import (
    codewords,
    display_on_code,
    last_display,
    lost_factor,
    lost_factor_of_tanh,
)
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


# Step 6 on the arms of a code


def code(order):
    """The Reed-Muller code of first order, length 2^order, as unit vectors; any two are orthogonal or opposite."""
    points = np.array(list(itertools.product((0, 1), repeat=order)))
    rows = [(points @ np.array(a) + c) % 2 for a in itertools.product((0, 1), repeat=order) for c in (0, 1)]
    return (1 - 2 * np.array(rows)) / math.sqrt(2**order)


def test_bonuses_on_a_code_are_as_large_as_step_six_needs():
    """||Wbar^(-1/2) (I (x) x) grad mu rho||  is at least sqrt(Q/4)/sqrt(2 lambda + n + 1) in turn n + 1; Var is 1/4."""
    words, largest, ridge = code(2), 3.0, 5.0
    theta, rewards = largest * np.repeat(words, 2, axis=0), np.tile([1.0, 0.0], len(words))
    K, d = theta.shape
    np.testing.assert_allclose(theta.mean(axis=0), 0, atol=1e-15)
    assert np.linalg.norm(theta) == pytest.approx(largest * math.sqrt(K))
    wbar = ridge * np.eye(K * d)
    for turn in range(30):
        for x in words:
            jacobian = softmax_jacobian(theta @ x)
            assert rewards @ jacobian @ rewards == pytest.approx(1 / 4)
            shares = np.array(softmax(FLOATS, (largest * words @ x).tolist()))
            tall = np.kron(jacobian @ rewards, x)
            square = tall @ np.linalg.solve(wbar, tall)
            assert square >= (shares @ shares) / 4 / (2 * ridge + turn + 1)
            wbar += np.kron(jacobian + np.ones((K, K)), np.outer(x, x))


@pytest.mark.parametrize("order", [3, 4])
def test_words_of_the_code(order):
    """Their number, and that no two of them have an inner product above 1/2: quadratic forms over the field of two."""
    d, words, largest = codewords(FLOATS, order)
    points = np.array(list(itertools.product((0, 1), repeat=order)))
    pairs = list(itertools.combinations(range(order), 2))
    generators = np.array([np.ones(len(points), dtype=int), *points.T, *(points[:, i] * points[:, j] for i, j in pairs)])
    assert (d, words) == (generators.shape[1], len(generators))
    weights = [int(((np.array(c) @ generators) % 2).sum()) for c in itertools.product((0, 1), repeat=words)]
    assert min(weight for weight in weights if weight) == d // 4
    assert largest == pytest.approx(2 * math.log(2.0**words) + 8)


def test_display_on_the_code():
    """By hand, order 7: sqrt(N/(d log T)) 4/e, times what Q, sigma and the logarithm of lambda d take away."""
    largest, K = 2 * 29 * math.log(2) + 8, 2.0**30
    log_T = 2.1 * (math.log(K) + math.sqrt(2 * K) * largest)
    rough = 4 / math.e * math.sqrt(2.0**29 / (128 * log_T))
    found = display_on_code(FLOATS, 7)
    assert 0.97 * rough < found < rough
    assert display_on_code(FLOATS, 7, 2) == pytest.approx(found / 2)
    assert float(display_on_code(DIGITS, 7)) == pytest.approx(found, rel=1e-12)
    assert display_on_code(FLOATS, 6) < 1 < display_on_code(FLOATS, 8) / 2


def test_last_display():
    """Both terms at K = 3, d = 2, S = 5, T = 1e9, kappa = 40, nu = 2, from the lines as printed."""
    K, d, S, T, kappa, nu, ridge = 3, 2, 5.0, 1e9, 40.0, 2.0, 144 * 6
    level = math.log(T / 0.05)
    sigma = 2 / math.sqrt(6) * math.sqrt(K * d * level) + 2 * S * math.sqrt(144 * K * d)
    leading = 2 * math.e * sigma * math.sqrt(d * math.log1p(T / (ridge * d))) / (d * math.sqrt(K) * level)
    second = 12 * kappa * sigma**2 * K * d * math.log1p(T / (K * d * ridge * kappa))
    second += 4 * math.e**2 * sigma**2 * (2 + nu) * d * math.log1p(T / (ridge * d))
    second /= (1 + S) * (1 + nu) * kappa * (K * d * level) ** 2
    assert last_display(FLOATS, K, d, S, math.log(T), kappa, nu) == pytest.approx((leading, second), rel=1e-12)


def test_standing_event_stays_outside():
    """Twice as far at four times the information, of an S of which the radius of Theta is a small part."""
    near, far = (standing_event(FLOATS, 1e6, 1e-12, T) for T in (10**32, 4 * 10**32))
    assert far == pytest.approx(2 * near, rel=1e-3)
    assert standing_event(FLOATS, 100, 1e-9, 10**24) == pytest.approx(
        16 * math.sqrt(5e5 + 288) / (200 * 16.97 + 8.8), rel=0.01
    )
