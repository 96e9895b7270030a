"""Formulas of Steps 4 to 6 of the proof of Theorem 1 that are proved, or computed, in another form than the statement's."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.potentials import along, batches, commuting, excess_of_tangents, jacobian_root
from mnlbandits.ledger.formulas.regret import harmonic
from mnlbandits.ledger.formulas.softmax import jacobian_of, softmax
from mnlbandits.ledger.paper.theorem_one_start import standing_event
from mnlbandits.ledger.paper.theorem_one_step_four_sum import determinant_share
from mnlbandits.ledger.paper.theorem_one_step_six import (
    MOVED,
    codewords,
    display_on_code,
    lost_factor,
    lost_factor_of_tanh,
)
from mnlbandits.ledger.paper.theorem_one_step_six_end import last_display
from mnlbandits.ledger.paper.theorem_one_step_two_potential import BEYOND, beyond_the_truth, second_bonus_beyond
from mnlbandits.model import constants
from mnlbandits.model.softmax import softmax_jacobian

STREAM = np.random.default_rng(0)


def test_lost_factor_is_that_of_tanh():
    for size, away in STREAM.uniform(0, (14, 1), (50, 2)).tolist():
        reduced = lost_factor_of_tanh(FLOATS, np.tanh(size / np.sqrt(2)), away)
        assert lost_factor(FLOATS, size, away) == pytest.approx(reduced, rel=1e-12)
    assert lost_factor(FLOATS, 3.0, 0.0) == pytest.approx(2 * math.exp(1.25 / 288 - 1), rel=1e-14)
    assert Fraction(5, 1152) == MOVED


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


def test_the_arm_that_gives_the_code_a_nu():
    """As in Step 6, with a coordinate more: the words are optimal, the last arm is not, and nu is 2."""
    words, rewards = code(2), np.tile([1.0, 0.0], 8)
    d = words.shape[1] + 1
    theta = np.column_stack([3.0 * np.repeat(words, 2, axis=0), np.tile([-1.0, 1.0], len(words))])
    arms = np.vstack([np.column_stack([words, np.zeros(len(words))]), np.eye(d)[-1]])
    means = constants.mean_rewards(theta, arms, rewards)
    np.testing.assert_allclose(means, [*[0.5] * len(words), 1 / (1 + math.exp(2))], rtol=1e-12)
    assert constants.nu(theta, arms, rewards) == pytest.approx(2, rel=1e-9)
    np.testing.assert_allclose(theta.sum(axis=0), 0, atol=1e-14)
    assert np.linalg.norm(theta) == pytest.approx(math.sqrt(16 * (3**2 + 1)))


@pytest.mark.parametrize("order", [3, 4])
def test_words_of_the_code(order):
    """Their number, and that no two of them have an inner product above 1/2: quadratic forms over the field of two."""
    d, words, largest = codewords(FLOATS, order)
    points = np.array(list(itertools.product((0, 1), repeat=order)))
    pairs = list(itertools.combinations(range(order), 2))
    generators = np.array([np.ones(len(points), dtype=int), *points.T, *(points[:, i] * points[:, j] for i, j in pairs)])
    assert (d - 1, words) == (generators.shape[1], len(generators))
    weights = [int(((np.array(c) @ generators) % 2).sum()) for c in itertools.product((0, 1), repeat=words)]
    assert min(weight for weight in weights if weight) == (d - 1) // 4
    assert largest == pytest.approx(2 * math.log(2.0**words) + 8)


def test_display_on_the_code():
    """By hand, order 7: sqrt(N/(d log T)) 4/e, times what Q, sigma and the logarithm of lambda d take away."""
    largest, K = 2 * 29 * math.log(2) + 8, 2.0**30
    log_T = 2.1 * (math.log(K) + math.sqrt(2 * K) * largest)
    rough = 4 / math.e * math.sqrt(2.0**29 / (129 * log_T))
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


# Step 2 with the diameter of the proof, not of Lemma 1


def rounds_of_learning(S, count, rest, square):
    """Round by round: sum 1/(lambda + sum of curvatures), the first `count` at a distance of 1/sqrt(square) from theta_*."""
    wbar, total, largest = 288.0, 0.0, 0.0
    for t in range(count + rest):
        away = 1 / math.sqrt(square) if t < count else 0.0
        total += 1 / wbar
        wbar += 1 / (1 + math.cosh(math.sqrt(2) * (S + away)))
        largest = max(largest, away * math.sqrt(wbar))
    return total, largest


@pytest.mark.parametrize("square", [1, 6])
def test_rounds_beyond_the_truth(square):
    """The sum by digamma; a T just above tau leaves few rounds."""
    S, tau = 1, 0.0
    kappa = 1 + math.cosh(math.sqrt(2) * S)
    horizon = 10**9
    for _ in range(50):
        tau = 336**2 * (S + 1) * 4 * kappa * math.log(20 * horizon) * math.log(horizon)
        horizon = math.ceil(tau) + 3001
    found, rounds, total = beyond_the_truth(FLOATS, S, horizon, 1000, square)
    assert found == pytest.approx(kappa)
    assert rounds == pytest.approx(horizon - tau - 1)
    assert total == pytest.approx(rounds_of_learning(S, 1000, round(rounds) - 1000, square)[0], rel=1e-4)


def test_it_is_on_the_event_of_lemma_two():
    """Its distance in the norm of Wbar is at most 2 S sqrt(lambda), which is less than sigma; one round more is not."""
    most = math.floor((4 * 2**2 - 1) * 288 * (1 + math.cosh(math.sqrt(2) * 3)))
    assert rounds_of_learning(2, most, 0, 1)[1] <= 2 * 2 * math.sqrt(288) < rounds_of_learning(2, most + 1, 0, 1)[1]
    assert beyond_the_truth(FLOATS, 2, 10**12, most)[2] > 0
    assert beyond_the_truth(FLOATS, 2, 10**12, most + 1)[2] == 0


def test_second_bonus_beyond():
    """1.16 by an independent computation, and 0.70 with the diameter of Lemma 1; T is above 2 tau; with R in C143 1.20."""
    S, T = BEYOND["S"], BEYOND["horizon"]
    kappa = 1 + math.cosh(math.sqrt(2) * S)
    tau = 336**2 * (S + 1) * 4 * kappa * math.log(20 * T) * math.log(T)
    assert 2 * tau < T < 2.1 * tau
    assert float(second_bonus_beyond(DIGITS, **BEYOND)) == pytest.approx(1.16, abs=0.005)
    assert float(second_bonus_beyond(DIGITS, **BEYOND, square=6)) < 0.75
    kappa, rounds, norms = beyond_the_truth(DIGITS, 100, 35 * 10**72, 62 * 10**67)
    traces = 2 * harmonic(DIGITS, rounds, 144 + 1 / kappa, 1 / kappa)
    assert float(norms / traces) == pytest.approx(1.20, abs=0.01)
