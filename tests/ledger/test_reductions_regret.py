"""Formulas that proofs on the regret of Algorithm 2 look at in other coordinates: they are at least the claimed ratio."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere
from scipy.stats import binom

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.mended import LAST_LINE_BOX, given_in_digits, last_line, later_terms
from mnlbandits.ledger.formulas.regret import SHORTEST_HORIZON, tau_of, uneven_horizon
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.paper import (
    lower_bound_in_words,
    nu,
    proof_sketch,
    theorem_one_constant,
    theorem_one_powers,
    theorem_one_step_three,
    theorem_one_step_two_potential,
    uniform_rewards,
)
from mnlbandits.seeds import generator

ROUNDS = 200


def test_the_parts_of_the_last_line_against_what_is_said_of_them():
    stream = generator("test", 0, "last line in words")
    for _ in range(ROUNDS):
        point = {key: float(stream.uniform(*ends)) for key, ends in LAST_LINE_BOX.items()}
        given = given_in_digits(FLOATS, **point)
        level, size = given.log_T + given.level, given.K * given.d
        first = 114 * (1 + given.S / math.sqrt(level)) * size * level
        assert theorem_one_constant.leading_mended(FLOATS, **point) == pytest.approx(last_line(FLOATS, given)[0] / first)
        others = 6000 * (1 + given.S) ** 3 * given.kappa * (1 + given.nu) * size**2 * level**2
        rest = sum(later_terms(FLOATS, given))
        assert theorem_one_constant.second_term_mended(FLOATS, **point) == pytest.approx(rest / others)
        assert rest <= others
    assert_decides(theorem_one_constant.leading_mended_below, bound=100)
    assert_decides(theorem_one_constant.second_term_below, bound=500)


def test_the_steps_for_a_fixed_instance():
    assert theorem_one_powers.rounds_below_regret()
    assert_decides(theorem_one_powers.gap_root_below, linear=1, last=0)
    for square in (-2.0, 0.5, 3.0):
        b = 10 ** (square / 2)
        x = ((b + math.sqrt(b * b + 4)) / 2) ** 2
        assert x == pytest.approx(1 + b * math.sqrt(x))
        assert everywhere(theorem_one_powers.gap_root, square) == pytest.approx(x / (2 + b * b))


def test_a_majority_has_bounded_regret():
    """The chance that a majority of n draws is wrong, exactly, against Hoeffding's bound, ties counted as wrong."""
    u = 1.0
    gap = 2 / (1 + math.exp(-u)) - 1
    wrong = [float(binom.cdf(n // 2, n, (1 + gap) / 2)) for n in range(1, 200)]
    assert all(chance <= math.exp(-n * gap**2 / 2) for n, chance in enumerate(wrong, start=1))
    assert gap * (1 + sum(wrong)) <= everywhere(lower_bound_in_words.greedy_regret, u) <= 4.6
    star = 1 / math.sqrt(2 + 2 * math.cosh(u))
    found = everywhere(lower_bound_in_words.rate_over_greedy, u, 100.0)
    assert found == pytest.approx(10 * star / lower_bound_in_words.greedy_regret(FLOATS, u))


def test_two_instances_that_exchange_their_arms():
    """gap, KL, variance and w/w_0 from the laws themselves, for even and odd K; then the reduced ratio."""
    assert lower_bound_in_words.exchange_exactly()
    for K, u in ((2, 0.3), (4, 0.5), (3, 0.2), (7, 0.45)):
        half = K // 2
        logits = np.array([u / 2] * half + [-u / 2] * half + [0.0] * (K % 2))
        p, other = (np.exp(sign * logits) / np.exp(sign * logits).sum() for sign in (1, -1))
        rewards = np.array([1.0] * half + [0.0] * half + [0.5] * (K % 2))
        gap, divergence = (p - other) @ rewards, (p * np.log(p / other)).sum()
        w, w_0 = 1 - (K % 2) * p[-1], 2 * half / K
        horizon, variance = 1 / (w_0 * u**2), p @ rewards**2 - (p @ rewards) ** 2
        assert divergence == pytest.approx(gap * u)
        regret = horizon * gap / 2 * (1 - math.sqrt(horizon * divergence / 2))
        spare = (K % 2) / (2 * half)
        found = everywhere(lower_bound_in_words.pair_exchanged, u, spare)
        assert found == pytest.approx(math.sqrt(horizon * w / 4) / 5 / regret)
        assert math.sqrt(horizon * variance) / 5 / regret <= found <= 1
        assert lower_bound_in_words.pair_reduced(FLOATS, math.tanh(u / 2) / u, w / w_0) == pytest.approx(found)


def test_nu_in_fractions():
    rows = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)], [Fraction(1, 2), Fraction(1, 2)]]
    assert uniform_rewards.nu_in_fractions(rows, [Fraction(2), Fraction(1)]) == (Fraction(3, 2), Fraction(1, 4))
    assert uniform_rewards.nu_in_fractions(rows, [Fraction(3), Fraction(3)]) is None


def test_the_share_of_nu():
    point = {"log_T": 9.0, "log_delta": 2.0, "size": 0.5, "dim": 0.25, "steep": 1.0, "star": 1.5, "nu": 4.0}
    expected = 11 / (6 * math.exp(2.25))
    assert everywhere(nu.share_of_nu, **point) == pytest.approx(expected, rel=1e-9)
    assert nu.share_of_nu(FLOATS, **point, decay=0.5) == pytest.approx(expected * math.exp(2.25))
    assert_decides(nu.share_vanishes, decay=Fraction(1, 2))


def test_the_constants_that_depend_on_the_norm():
    """At K = 2, d = 1 and T = 6e9 S: sigma_T and tau over what Theorem 1 leaves for them."""
    S = 1e8
    level = math.log(6e17 / 0.05)
    radius = 2 / math.sqrt(6) + 24 * S / math.sqrt(level)
    assert everywhere(theorem_one_constant.radius_at_tau, S) == pytest.approx(radius)
    assert theorem_one_constant.radius_at_tau(FLOATS, S, 1) == pytest.approx(radius / (1 + S))
    second = 336**2 * (S + 1) * (level - math.log(20)) / level
    assert everywhere(theorem_one_constant.second_term_at_tau, S) == pytest.approx(second)
    assert theorem_one_constant.second_term_at_tau(FLOATS, S, 1) == pytest.approx(second / (1 + S))


def test_the_second_bonus_in_one_coordinate():
    stream = generator("test", 0, "second bonus")
    steep = math.exp(1 / math.sqrt(3))
    for _ in range(ROUNDS):
        K, d = int(stream.integers(2, 70)), int(stream.integers(1, 12))
        curved, digits = stream.uniform(0, 4), stream.uniform(6, 18)
        kappa, ridge = K * 10**curved, 144 * K * d
        tau = 336**2 * (K * d) ** 2 * kappa * math.log(SHORTEST_HORIZON) ** 2
        y = (tau + d * 10**digits) / (d * ridge * kappa)
        assert y > math.exp(13)
        general = steep * d * math.log(1 + 2 * y / steep) / (K * d * math.log(1 + y / K))
        reduced = theorem_one_step_two_potential.second_bonus_reduced(FLOATS, 1 / math.log(y))
        assert theorem_one_step_two_potential.second_bonus(FLOATS, K, d, curved, digits) <= general + 1e-9
        assert general <= reduced + 1e-12


@pytest.mark.parametrize("S", [1e4, 1e8, 1e16])
def test_an_arm_leaves_one_round_of_learning(S):
    """C168: tau goes from less to more than T as the arm's kappa goes from 2 to its largest."""
    horizon = uneven_horizon(S)
    taus = [tau_of(FLOATS, 2, S, horizon, kappa, 0.05) for kappa in (2.0, 1 + math.cosh(700.0))]
    assert taus[0] < horizon < taus[1]


def test_the_curvature_at_a_point_outside_of_the_ball():
    stream = generator("test", 0, "curvature outside")
    for _ in range(ROUNDS):
        S, away = stream.uniform(0, 8), stream.uniform(0, 1)
        ratio = binary_curvature(FLOATS, S) / (math.e * binary_curvature(FLOATS, S + away / math.sqrt(6)))
        h, w = math.tanh(S / math.sqrt(2)), away / (2 * math.sqrt(3))
        assert theorem_one_step_two_potential.curvature_reduced(FLOATS, h, w) == pytest.approx(ratio)


def test_one_step_of_mirror_descent():
    stream = generator("test", 0, "one step")
    for _ in range(ROUNDS):
        b, weight = stream.uniform(-8, 8), stream.uniform(math.log10(288), 6)
        u, w = math.sqrt(2) * b, 10**weight
        moved = 2 / (1 + math.exp(u)) / (w + 1 / (1 + math.cosh(u)))
        reduced = theorem_one_step_three.next_index_reduced(FLOATS, math.tanh(u / 2), moved / 2, 0)
        assert theorem_one_step_three.next_index(FLOATS, b, weight) == pytest.approx(reduced)
        assert moved <= 1 / 144


def test_the_display_on_the_second_bonus():
    """The last line mended, by hand at one point; and the sum on short arms against one of two arms played in turn."""
    S, T = 1.0e4, uneven_horizon(1.0e4)
    kappa, level = 1 + math.cosh(math.sqrt(2)), math.log(T / 0.05)
    tau = tau_of(FLOATS, 2, S, T, kappa, 0.05)
    sigma = math.sqrt(4 / 3) * math.sqrt(math.log(tau / 0.05)) + 2 * S * math.sqrt(288)
    for arms in ((1 / S, 1 / S), (1 / S, 0.5 / S)):
        pairs = np.linspace(0, (T - tau) / 2, 100_001)
        curved = sum(arm**2 / 2 for arm in arms)
        total = np.trapezoid(3 * sigma**2 * sum(arm**2 for arm in arms) / (288 + pairs * curved), pairs)
        found = everywhere(proof_sketch.short_arms_over_display, S)
        assert found <= total / (4 * kappa * level**2)
    assert proof_sketch.short_arms_over_display(FLOATS, S, 2) == pytest.approx(found / (1 + S) ** 2)
    K, d, log_T, more = 5.0, 4.0, 30.0, 3.0
    both = log_T + more
    radius = math.sqrt(2 / 3 * K * d * both) + 24 * 2.0 * math.sqrt(K * d)
    left = 3 * radius**2 * K * d * math.log1p(math.exp(log_T) / (144 * (K * d) ** 2 * K))
    right = 1728 * (K * d * both) ** 2 * (1 + 2 / math.sqrt(both)) ** 2
    point = (math.log10(3), math.log10(3), math.log10(2), log_T, more)
    assert everywhere(proof_sketch.last_of_display, *point) == pytest.approx(left / right)
    assert_decides(proof_sketch.last_of_display_below, constant=1727)
