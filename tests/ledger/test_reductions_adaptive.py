"""What the proofs about Algorithm 3 and Lemma 5 are carried out in is what the statements are about."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.adaptive import (
    DELTA_W,
    beta_w,
    elliptical_of_arms,
    eps_two_of_last,
    eta_w,
    lambda_w,
    preferred,
    score_of_round,
    sigma_w,
)
from mnlbandits.ledger.formulas.mirror import beta_w_mended, lambda_w_mended
from mnlbandits.ledger.formulas.regret import tau_of
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.paper.adaptive_exploration import explored_over_tau
from mnlbandits.ledger.paper.adaptive_regret import display_over_line, last_line_contains, level_needed, term_with_kappa
from mnlbandits.ledger.paper.adaptive_sets import elliptical
from mnlbandits.ledger.paper.algorithm_three import READ_AT_FIRST, carried_over, finds_all, outcomes_apart
from mnlbandits.ledger.paper.algorithm_three_learning import keeps_its_error, vanished
from mnlbandits.ledger.paper.changing_sets import all_explored, explored_over_rate, others_over_leading
from mnlbandits.ledger.simulate.adaptive import constant_steps, learnt_square, small_instance

outcomes, dims = st.integers(2, 64), st.integers(1, 5)
norms, curved = st.floats(0.0, 10.0), st.floats(0.0, 3.0)


@given(K=outcomes, d=dims, S=norms, curved=curved, rounds=st.integers(1, 30), seed=st.integers(0, 10**6))
def test_scores_are_below_determinants_and_these_below_the_bound(K, d, S, curved, rounds, seed):
    stream, ridge, kappa = np.random.default_rng(seed), lambda_w(FLOATS, K * d, S), K * 10**curved
    arms = stream.normal(size=(rounds, d))
    arms *= (stream.random(rounds) / np.linalg.norm(arms, axis=1))[:, None]
    design, scores = ridge * np.eye(d), []
    for x in arms:
        scores.append(x @ np.linalg.inv(design) @ x / kappa)
        design += np.outer(x, x) / kappa
    logarithms = np.linalg.slogdet(design / ridge)[1]
    assert max(scores) <= 0.5
    assert np.log1p(scores).sum() == pytest.approx(logarithms, rel=1e-6, abs=1e-12)
    assert sum(scores) <= 2 * logarithms * (1 + 1e-6) + 1e-12
    assert logarithms <= d * math.log1p(rounds / (d * kappa * ridge)) + 1e-12
    assert d * math.log1p(rounds / (d * kappa * ridge)) <= K * d * math.log1p(rounds / (K * d * ridge))


@given(q=st.floats(1e-6, 0.5))
def test_the_ratio_of_the_derivatives_is_above_that_of_the_sides(q):
    assert q / (2 * math.log1p(q)) <= score_of_round(FLOATS, q) <= 1


@given(K=outcomes, S=norms, curved=curved)
def test_two_orthonormal_arms_are_a_sequence(K, S, curved):
    point = {"x0": 1.0, "x1": 0.0, "x2": 0.0, "x3": 1.0}
    S, curved, none = (DIGITS.number(value) for value in (S, curved, 0))
    found, expected = elliptical_of_arms(DIGITS, K, 2, S, curved, **point), elliptical(DIGITS, K, 2, S, none, curved)
    assert float(found) == pytest.approx(float(expected), rel=1e-12)


@given(K=outcomes, d=dims, S=st.floats(0.01, 4.0), digits=st.floats(4.0, 18.0), curved=curved)
def test_lemma_five_over_tau(K, d, S, digits, curved):
    size, kappa, T = K * d, K * 10**curved, 10**digits
    level = math.log(T / float(DELTA_W))
    lemma = 48 * beta_w(FLOATS, size, S, T) ** 2 * kappa * size * math.log1p(T / (size * lambda_w(FLOATS, size, S)))
    assert lemma / tau_of(FLOATS, size, S, T, kappa, 0.05) <= explored_over_tau(FLOATS, S, level**-0.5) * (1 + 1e-9)


@given(level=st.floats(31.0, 1e9))
def test_the_bonuses_at_a_level(level):
    sigma = sigma_w(FLOATS, 4, 1, level)
    first = sigma / math.sqrt(8) / math.sqrt(576 + 5e11)
    printed = [eps_two_of_last(FLOATS, level, 1e12, last, False) for last in (False, True)]
    assert preferred(FLOATS, level**-0.5, 0.05) == pytest.approx((0.05 + first) / (printed[0] - printed[1]), rel=1e-9)
    bonus = first + eps_two_of_last(FLOATS, level, 1e12, False, True)
    assert vanished(FLOATS, math.log10(level), 0.05) == pytest.approx(bonus / 0.05, rel=1e-9)


@given(level=st.floats(100.0, 1e8))
def test_the_constant_of_the_last_line_is_bounded_with_its_logarithm(level):
    assert level_needed(FLOATS, level, 1) <= 4 * math.e * (2 * math.sqrt(2) + 2.4 * math.sqrt(2) * level**-0.5) * (1 + 1e-12)


@given(K=outcomes, d=dims, S=norms, log_T=st.floats(0.7, 69.0), level=st.floats(0.0, 69.0), curved=curved)
def test_the_display_is_below_the_last_line(K, d, S, log_T, level, curved):
    size, T, kappa, R, nu, star = K * d, math.exp(log_T), K * 10**curved, 0.5, 4.0, 100.0
    sigma, volume = sigma_w(FLOATS, size, S, log_T + level), d * math.log1p(T / (144 * size * d))
    display = 24 * sigma * kappa * size * R / (144 * size) * math.log1p(T / (K * 144 * size))
    display += 12 * R * kappa * sigma**2 * size * math.log1p(T / (size * 144 * size * kappa))
    display += 4 * math.sqrt(2) * math.e * sigma * math.sqrt(volume) * R * math.sqrt(star)
    display += 16 * math.e**2 * sigma**2 * volume * (4 * R + 2 * nu)
    L = log_T + level
    line = 530 * kappa * (R + nu) * size**2 * L * (math.sqrt(L) + 12 * S) ** 2
    line += 31 * R * d * math.sqrt(K * star * L) * (math.sqrt(L) + 12 * S)
    found = display_over_line(FLOATS, K, d, S, log_T, level, curved, math.log10(R), math.log10(nu), math.log10(star))
    assert found == pytest.approx(display / line, rel=1e-9)
    assert found <= 1
    assert last_line_contains()


@given(S=st.floats(0.1, 100.0), level=st.floats(3.0, 100.0))
def test_the_two_outcomes_at_a_trigger(S, level):
    """Steps from 0 with the matrices of learning and of exploration, over the diameter of the set in its norm."""
    design = 24 * beta_w(FLOATS, 2, S, math.exp(level) / 20) ** 2
    for own, ridge in ((False, 288.0), (True, design)):
        step = eta_w(FLOATS, S) / math.sqrt(2) / (ridge + eta_w(FLOATS, S) * binary_curvature(FLOATS, S))
        width = 2 * math.sqrt(design / 24) / math.sqrt(design)
        assert outcomes_apart(FLOATS, S, level, own) == pytest.approx(2 * step / width, rel=1e-9)


@given(K=outcomes, d=dims, S=st.floats(0.05, 10.0), reward=st.floats(-2, 2), curved=curved, digits=st.floats(6, 18))
def test_the_terms_of_the_conclusion(K, d, S, reward, curved, digits):
    size, R, kappa, T, ridge = K * d, 10**reward, K * 10**curved, 10**digits, 144 * K * d
    sigma = sigma_w(FLOATS, size, S, math.log(20 * T))
    first = 24 * sigma * kappa * size * R / ridge * math.log(1 + T / (K * ridge))
    second = 12 * kappa * sigma**2 * size * math.log(1 + T / (size * ridge * kappa))
    assert term_with_kappa(FLOATS, K, d, S, reward, curved, digits) == pytest.approx(R * second / (first + second), rel=1e-9)


@pytest.mark.parametrize("norm", [1.0, 3.0])
def test_what_is_carried_over_an_exploration(norm):
    """The exploration of the arm 1 round by round: where it ends, theta_1 = 0 is so many radii from the nearest centre."""
    design, kappa, t = lambda_w(FLOATS, 2, norm), 1 + math.cosh(math.sqrt(2) * norm), 1
    while 24 * beta_w(FLOATS, 2, norm, t) ** 2 >= design:
        rounds = max(1, int(1e-3 * kappa * (24 * beta_w(FLOATS, 2, norm, t) ** 2 - design)))
        t, design = t + rounds, design + rounds / kappa
    radius = beta_w(FLOATS, 2, norm, t) / math.sqrt(design)
    found = carried_over(FLOATS, norm, math.log(t / float(DELTA_W)))
    assert found == pytest.approx(2 * math.sqrt(6) * norm - 1, rel=1e-9)
    assert found == pytest.approx((norm - radius) / radius, rel=1e-4)
    assert carried_over(FLOATS, norm, math.log(t / float(DELTA_W)), True) == 1
    assert carried_over(FLOATS, 0.01, 5.0) == 0


@pytest.mark.parametrize("norm", [5.0, 20.0])
def test_steps_of_a_constant_matrix_keep_their_spread(norm):
    """The stationary variance s/2/(1 - s/4) of the linear model, s = eta^w/288; of 8000 runs its standard error is 2 %."""
    s = eta_w(FLOATS, norm) / 288
    for rounds in (600, 1200):
        theta = constant_steps(norm, 0.0, 8000, rounds)
        assert theta.var() == pytest.approx(s / 2 / (1 - s / 4), rel=0.1)
        assert abs(theta.mean()) < 6 * theta.std() / math.sqrt(8000)


def linear_error(step, rounds):
    """H E(theta - theta_*)^2 of a linear model whose curvature and variance of the gradient are 1/2, from 0."""
    matrix, square = 288.0, 0.0
    for _ in range(rounds):
        matrix += 0.5
        square = (1 - step / (2 * matrix)) ** 2 * square + step**2 / (2 * matrix**2)
    return matrix * square


def test_half_a_step_keeps_the_error():
    rounds = 20_000
    assert linear_error(1.0, rounds) == pytest.approx(rounds / (576 + rounds), rel=1e-9)
    assert linear_error(0.5, rounds) >= sum(1 / (4 * (576 + t)) for t in range(1, rounds + 1))
    assert linear_error(0.5, 10 * rounds) / linear_error(0.5, rounds) > 1.5
    assert keeps_its_error(1)
    assert not keeps_its_error(0.5)


@pytest.mark.parametrize("step", [0.5, 1.0])
def test_runs_of_learning_have_the_error_of_the_linear_model(step):
    """Of 1500 runs the mean square has a standard error of 4 %."""
    assert learnt_square(step, 1500, 4000) == pytest.approx(linear_error(step, 4000), rel=0.2)


@pytest.mark.parametrize("first", ["explores", "learns"])
def test_what_the_first_rounds_find(first):
    other = {"explores": "learns", "learns": "explores"}[first]
    assert finds_all(", ".join((first, other, first, first, other)), len(READ_AT_FIRST))
    assert not any(finds_all(f"{first}, {other}", assigned) for assigned in range(len(READ_AT_FIRST)))
    assert finds_all("explores, explores", 3)
    assert not finds_all("explores, learns", 4)


def test_fixed_sets_while_all_rounds_explore():
    """S = 1/4: the arm -1 is played in every round up to T, its regret is by the law of the arm 1/2."""
    S = 0.25
    T, kappa = int(all_explored(FLOATS, S)), 1 / binary_curvature(FLOATS, S)
    design = lambda_w(FLOATS, 2, S)
    for t in range(1, T + 1):
        assert 24 * beta_w(FLOATS, 2, S, t) ** 2 >= design
        design += 1 / kappa
    theta = np.array([S, -S]) / math.sqrt(2)
    laws = [np.exp(theta * x) / np.exp(theta * x).sum() for x in (0.5, -1.0)]
    star, T = 1 / (laws[0][0] * laws[0][1]), all_explored(FLOATS, S)
    lost = T * (laws[0][0] - laws[1][0])
    rate = math.sqrt(2 * T / star) * math.log(T / 0.05)
    assert explored_over_rate(FLOATS, S) == pytest.approx(lost / rate, rel=1e-9)
    assert explored_over_rate(FLOATS, S, 1) == pytest.approx(lost / (rate + T), rel=1e-9)


def test_the_other_terms_of_the_mended_theorem():
    """K = 3, d = 2, S = 1 in full, at T = 1e15."""
    c, T, S, K, d, D = small_instance(3, 2, 1, 0).constants, 1e15, 1.0, 3, 2, 4
    L, kappa, R, nu = math.log(T / 0.05), c["kappa"], c["R"], c["nu"]
    first = R * math.sqrt(T / c["kappa_star"]) * (7.5 * D * L + 114 * S * math.sqrt(K * d * D * math.log(T)))
    second = R * kappa * d * L * (36 * D * L + 8300 * S**2 * K * d)
    third = D * L * ((112 * R + 28.2 * nu) * D * L + (25900 * R + 6500 * nu) * S**2 * K * d)
    beta, ridge = beta_w_mended(FLOATS, 6, D, S, math.log(20), T), lambda_w_mended(FLOATS, 6, S)
    explored = 48 * R * beta**2 * kappa * d * math.log1p(T / (kappa * d * ridge))
    found = others_over_leading(FLOATS, K, d, 1, math.log(T))
    assert found == pytest.approx((second + third + explored) / first, rel=1e-9)
    assert others_over_leading(FLOATS, K, d, 1, math.log(T), 0.5) == pytest.approx(math.sqrt(T) * found, rel=1e-9)
