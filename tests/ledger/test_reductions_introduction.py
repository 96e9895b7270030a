"""What is proved of the abstract, the introduction and Table 1 says the same as the statement, at random points."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mnlbandits.assortment.model import choice_probabilities, expected_revenue
from mnlbandits.instances import families
from mnlbandits.instances.instance import kappa_once
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.constants import inverse_kappa_star, kappa_star
from mnlbandits.ledger.formulas.family import MENDED, MENDED_BOX, MENDED_OUTCOMES, mended_constant
from mnlbandits.ledger.formulas.frameworks import inverse_curvature
from mnlbandits.ledger.formulas.kappa_tilde import kappa_at_two, truncated_curvature
from mnlbandits.ledger.formulas.repeating import (
    cap_of,
    lower_bound_of_theorem,
    regret_of_repeating,
    repeated_over_bound,
    swept_over_bound,
)
from mnlbandits.ledger.formulas.table_one import TABLE, Scales, rate_value
from mnlbandits.ledger.paper.abstract import quoted_over_rows, rate_over_best
from mnlbandits.ledger.paper.contributions import (
    exponential_over_star,
    star_near_uniform,
)
from mnlbandits.ledger.paper.kappa_definition import kappa_attained, kappa_reached, tilde_apart
from mnlbandits.ledger.paper.kappa_star_as_kappa import all_but_one
from mnlbandits.ledger.paper.leading_term import (
    explored_over_display,
    horizon_at_tau,
    second_over_first,
    second_term_constants,
)
from mnlbandits.ledger.paper.logit_bandits import displays_differ, least_over_probability
from mnlbandits.ledger.paper.theorem_two_expectation import expected_over_family, expected_reduced
from mnlbandits.model import constants
from mnlbandits.model.softmax import softmax, softmax_jacobian

vectors = st.integers(2, 5).flatmap(lambda K: st.tuples(*[st.floats(-4, 4)] * K))


def named(name, entries):
    return {f"{name}{k}": entry for k, entry in enumerate(entries)}


# Abstract


@given(z=vectors, data=st.data())
def test_the_rates_are_those_of_the_table(z, data):
    K = len(z)
    rewards = data.draw(st.tuples(*[st.floats(0.01, 1)] * K))
    inverse = inverse_kappa_star(FLOATS, z, rewards)
    assert inverse <= 1 / 4 + 1e-12
    assume(inverse > 1e-9)
    scales = Scales(1.5, 3.0, float(K), 40.0, 1 / inverse, 1e4)
    ours, best = (rate_value(FLOATS, TABLE[name].first, scales) for name in ("ours", "Zhang 2024"))
    assert rate_over_best(FLOATS, K, **named("z", z), **named("r", rewards)) == pytest.approx(ours / best, rel=1e-9)


@given(K=st.integers(2, 100), times=st.floats(1, 1e6))
def test_no_tractable_row_is_lower_at_a_larger_kappa(K, times):
    scales = Scales(1.0, 1.0, float(K), K * times, 4.0, 1.0)
    rows = [rate_value(FLOATS, TABLE[name].first, scales) for name in ("Amani 2021", "Lee 2024", "Zhang 2024")]
    assert K / min(rows) <= 1 + 1e-12
    assert quoted_over_rows(FLOATS, K, True) == pytest.approx(1, rel=1e-12)


# Introduction


def regret_on_the_circle(size, direction, rewards, T, angle):
    """Regret of the action at this angle to x_*, and R d sqrt(K T/kappa_*), by the package; K = d = 2."""
    sign = 1 if rewards[0] > rewards[1] else -1
    row = size / 2 * np.array([math.cos(direction), math.sin(direction)])
    theta, rho, best = np.array([row, -row]), np.array(rewards), sign * row / np.linalg.norm(row)
    played = [math.cos(angle) * best[0] - math.sin(angle) * best[1], math.sin(angle) * best[0] + math.cos(angle) * best[1]]
    gap = rho @ (softmax(theta @ best) - softmax(theta @ np.array(played)))
    found = constants.kappa_star(theta, best[None], rho)
    return T * gap, np.linalg.norm(rho) * 2 * math.sqrt(2 * T / found)


rewards_apart = st.tuples(st.floats(0, 1), st.floats(0, 1)).filter(lambda pair: abs(pair[0] - pair[1]) > 1e-3)


@given(
    size=st.floats(0.01, 10),
    direction=st.floats(0, 6),
    rewards=rewards_apart,
    T=st.integers(1, 10**9),
    share=st.floats(0.01, 1),
    constant=st.floats(1e-6, 1.0),
)
def test_a_learner_that_repeats_an_action_on_the_cap_beats_the_bound_on_any_instance(
    size, direction, rewards, T, share, constant
):
    angle = share * cap_of(FLOATS, T, constant, size)
    regret, bound = regret_on_the_circle(size, direction, rewards, T, angle)
    assert regret <= constant * bound / 4 * (1 + 1e-6) + T * 1e-15
    scale = abs(rewards[0] - rewards[1])
    assert scale * regret_of_repeating(FLOATS, angle, T, size) == pytest.approx(regret, rel=1e-6, abs=T * 1e-15)
    assert scale * lower_bound_of_theorem(FLOATS, T, constant, size) == pytest.approx(constant * bound, rel=1e-9)
    shown = repeated_over_bound(FLOATS, size, share, math.log10(T), math.log10(constant))
    assert shown == pytest.approx(regret / (constant * bound), rel=1e-5, abs=1e-15 * T / (constant * bound))


@settings(deadline=None)
@given(size=st.floats(0.5, 4), direction=st.floats(0, 6), rewards=rewards_apart, constant=st.floats(0.3, 1.0))
def test_the_learner_that_sweeps_comes_near_the_best_action_again_and_again(size, direction, rewards, constant):
    """The first five such T, by running through all of them."""
    best = direction if rewards[0] > rewards[1] else direction + math.pi
    first = (size / (constant * math.sqrt(2 / (2 + 2 * math.cosh(size))))) ** 6
    T, found = max(10, math.ceil(first)), 0
    for _ in range(5):
        k = math.ceil((3 * T ** (2 / 3) - best) / (2 * math.pi)) + 1
        T = math.ceil(((best + 2 * math.pi * k) / 3) ** 1.5)
        away = 3 * T ** (2 / 3) - best - 2 * math.pi * k
        assert -1e-9 <= away <= 2 * (T - 1) ** (-1 / 3)
        if abs(away) <= 2 * T ** (-1 / 3):
            found += 1
            regret, bound = regret_on_the_circle(size, direction, rewards, T, away)
            assert regret <= constant * bound / 4 * (1 + 1e-6) + T * 1e-15
            share, surplus = away * T ** (1 / 3) / 2, math.log(T / first)
            shown = swept_over_bound(FLOATS, size, share, math.log10(constant), surplus)
            assert shown == pytest.approx(regret / (constant * bound), rel=1e-4, abs=1e-13 * T / (constant * bound))
    assert found > 0


@given(K=st.integers(2, MENDED_OUTCOMES), d=st.integers(2, 1000), surplus=st.floats(0, 60))
def test_the_expected_regret_is_above_the_printed_bound(K, d, surplus):
    printed = math.sqrt(K) / 25000 / (mended_constant(FLOATS, K, d, d * math.exp(surplus), cap=3 / MENDED) / 3)
    found = expected_over_family(FLOATS, K, d, surplus)
    assert printed <= found * (1 + 1e-12)
    assert found <= expected_reduced(FLOATS, *(high for _, high in MENDED_BOX.values())) <= 1


# Related work


@settings(deadline=None)
@given(entries=st.lists(st.floats(-1, 1), min_size=6, max_size=6), angle=st.floats(0, math.pi))
def test_kappa_is_that_of_the_longest_action_in_both_norms(entries, angle):
    point = {"K": 3, "d": 2, "S": 0.5}
    assert kappa_reached(FLOATS, **point, **named("t", entries)) <= 1 + 1e-9
    assert kappa_attained(FLOATS, angle=angle, **point) <= 1e-9
    theta = np.array(entries).reshape(3, 2)
    x = np.array([math.cos(angle), math.sin(angle)])
    for order in ("fro", 2):
        assert np.linalg.norm(theta @ x) <= np.linalg.norm(theta, order) * (1 + 1e-12)
        z = theta @ (2 * x)
        assert np.linalg.norm(np.outer(z, 2 * x) / 4, order) == pytest.approx(np.linalg.norm(z) / 2)


@given(r=st.floats(0.01, 20))
def test_kappa_at_two_outcomes_is_certified(r):
    binary, certified = 2 + 2 * math.cosh(r), kappa_once(2, r).lower
    assert certified == pytest.approx(1 + math.cosh(math.sqrt(2) * r), rel=1e-3)
    assert kappa_at_two(FLOATS, r) == pytest.approx(abs(certified / binary - 1), rel=1e-3, abs=2e-3)
    assert kappa_at_two(FLOATS, r, 2, 2) <= 1e-9
    assert tilde_apart(FLOATS, 2, r) == pytest.approx(max(certified / binary, binary / certified) / 4, rel=2e-3)


@given(z=vectors)
def test_the_eigenvalues_of_both_frameworks_are_within_a_factor_K(z):
    """Whichever outcome is the last."""
    K, z = len(z), np.array(z) - np.mean(z)
    whole = 1 / inverse_curvature(FLOATS, z.tolist())
    for last in range(K):
        cut = np.linalg.eigvalsh(softmax_jacobian(np.roll(z, K - 1 - last))[:-1, :-1])[0]
        assert cut <= whole * (1 + 1e-6)
        assert whole <= K * cut * (1 + 1e-6)
        assert truncated_curvature(FLOATS, np.roll(z, K - 1 - last).tolist()) == pytest.approx(cut)


def test_both_constants_at_no_parameter():
    """K and K^2 at S = 0, which the bound of kappa-tilde by K kappa needs."""
    assert [tilde_apart(FLOATS, K, 0.0) * 4 for K in (3, 8)] == pytest.approx([3, 8])


# Main contributions


@given(z=vectors, u=st.floats(0.1, 1), step=st.floats(1e-3, 1), data=st.data())
def test_kappa_star_near_uniform_rewards(z, u, step, data):
    v = data.draw(st.tuples(*[st.floats(0, 1)] * len(z)))
    inverse = inverse_kappa_star(FLOATS, z, [u + step * entry for entry in v])
    assert 4 * len(z) * u**2 / step**2 * inverse <= 1 + 1e-9
    shown = star_near_uniform(FLOATS, len(z), u, str(step), 7, **named("z", z), **named("r", v))
    assert shown == pytest.approx(7 * inverse, rel=1e-6, abs=1e-12)


@given(K=st.sampled_from([2, 3, 10]), S=st.floats(0.1, 6))
def test_the_example_has_the_kappa_star_that_is_compared(K, S):
    instance = families.large_kappa_star("example", K, 1, S, arms=2)
    found = constants.kappa_star(instance.theta, instance.arms, instance.rewards)
    assert exponential_over_star(FLOATS, K, S) == pytest.approx(math.exp(S) / found, rel=1e-9)


@pytest.mark.parametrize("instance", ["large 2 1 1", "random 2 3 2"])
@pytest.mark.parametrize("log_T", [30.0, 69.0, 300.0])
def test_the_terms_without_a_root_are_those_of_the_mended_theorem(instance, log_T):
    c = second_term_constants(instance)
    assert c["norm"] == float(instance.split()[3])
    K, d, S, h, level = c["outcomes"], c["dim"], c["norm"], log_T, math.log(20)
    D, both, R, kappa, nu = (K - 1) * d, log_T + level, c["R"], c["kappa"], c["nu"]
    lead = R * math.sqrt(1 / c["kappa_star"]) * math.exp(h / 2) * (7.5 * D * both + 114 * S * math.sqrt(K * d * D * h))
    rest = 36 * R * kappa * d * D * both**2 + 8300 * S**2 * R * kappa * K * d**2 * both
    rest += (112 * R + 28.2 * nu) * D**2 * both**2 + (25900 * R + 6500 * nu) * S**2 * K * d * D * both
    rest += R + 42 * R * (S + 1) * (S + 3) ** 2 * kappa * K * d**2 * both * h
    assert second_over_first(FLOATS, instance, log_T) == pytest.approx(rest / lead, rel=1e-9)


@pytest.mark.parametrize("S", [1e4, 1e10])
def test_half_of_the_exploration_is_above_the_display_by_a_power_of_S(S):
    r = math.sqrt(2)
    kappa, star = 1 + math.cosh(r), 2 + 2 * math.cosh(r)
    T = horizon_at_tau(FLOATS, S, kappa)
    assert 336**2 * (1 + S) * 4 * kappa * math.log(20 * T) * math.log(T) == pytest.approx(T, rel=1e-12)
    theta = np.array([[1.0], [-1.0]]) / math.sqrt(2)
    gap = (softmax(theta @ [1.0]) - softmax(theta @ [-1.0]))[0]
    display = math.sqrt(2 * T / star) * math.log(20 * T)
    assert explored_over_display(FLOATS, S) == pytest.approx(T / 2 * gap / display, rel=1e-9)


# Logit bandits, and kappa_* against kappa


@given(utilities=st.lists(st.tuples(st.floats(-3, 3), st.booleans(), st.floats(0, 1)), min_size=1, max_size=5))
def test_the_display_of_the_introduction_is_the_law_that_is_played(utilities):
    values, offered, revenues = map(np.array, zip(*utilities, strict=True))
    weights = np.exp(values) * offered
    assert expected_revenue(values, revenues, offered) == pytest.approx(revenues @ weights / (1 + weights.sum()))
    assert choice_probabilities(values, offered)[:-1] == pytest.approx(weights / (1 + weights.sum()))
    point = named("z", values.tolist())
    assert displays_differ(FLOATS, len(values), 1, **point) <= 1e-12
    assert displays_differ(FLOATS, len(values), 0, **point) == pytest.approx(1 / np.exp(values).sum(), rel=1e-9)


@given(z=vectors, r=st.floats(0.1, 20))
def test_no_probability_is_below_its_bound(z, r):
    assert least_over_probability(FLOATS, len(z), r, **named("z", z)) <= 1 + 1e-9


@pytest.mark.parametrize("K", [2, 3, 4, 6])
@pytest.mark.parametrize("r", [0.25, 1.0, 3.0])
def test_kappa_star_reaches_certified_kappa(K, r):
    high = DIGITS.number(r) / DIGITS.sqrt(2)
    rewards = [1, 0, *[1] * (K - 2)]
    found = kappa_star(DIGITS, [high, -high, *[DIGITS.number(0)] * (K - 2)], rewards)
    assert float(found) >= kappa_once(K, r).lower
    bound = 1 + (K - 1) * math.exp(math.sqrt(2) * r)
    assert all_but_one(FLOATS, K, r) == pytest.approx(bound / float(found), rel=1e-9)
