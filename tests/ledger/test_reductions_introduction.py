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
from mnlbandits.ledger.formulas.family import family_bound, mended_constant, star
from mnlbandits.ledger.formulas.frameworks import inverse_curvature
from mnlbandits.ledger.formulas.table_one import TABLE, Scales, rate_value
from mnlbandits.ledger.paper.abstract import order_over_commit, quoted_over_rows, rate_over_best
from mnlbandits.ledger.paper.contributions import (
    exponential_over_star,
    second_over_first,
    second_term_constants,
    star_near_uniform,
)
from mnlbandits.ledger.paper.introduction import (
    expected_over_family,
    expected_reduced,
    lower_bound_of_theorem,
    regret_of_repeating,
)
from mnlbandits.ledger.paper.kappa_star_as_kappa import all_but_one
from mnlbandits.ledger.paper.logit_bandits import displays_differ, least_over_probability
from mnlbandits.ledger.paper.related_work import kappa_attained, kappa_reached, tilde_equivalent
from mnlbandits.ledger.simulate.family import family_regret
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


@pytest.mark.parametrize("n", [32, 40])
def test_the_order_is_compared_with_a_regret_that_is_played(n):
    K, horizon = 2**n, 400 * math.ceil(star(FLOATS, 2**n))
    played = family_regret(K, 2, horizon, 100)
    assert played <= family_bound(FLOATS, K, 2, horizon) <= 5
    assert order_over_commit(FLOATS, K) <= math.sqrt(K) / (100 * math.log(horizon) * played)


# Introduction


@given(
    size=st.floats(0.01, 10),
    direction=st.floats(0, 6),
    rewards=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    T=st.integers(1, 10**9),
    constant=st.floats(1e-6, 1.0),
)
def test_a_learner_that_repeats_an_action_on_the_cap_beats_the_bound_on_any_instance(size, direction, rewards, T, constant):
    assume(abs(rewards[0] - rewards[1]) > 1e-3)
    sign = 1 if rewards[0] > rewards[1] else -1
    row = size / 2 * np.array([math.cos(direction), math.sin(direction)])
    theta, rho, best = np.array([row, -row]), np.array(rewards), sign * row / np.linalg.norm(row)
    slope = 1 / (2 + 2 * math.cosh(size))
    angle = min(math.pi, 4 * math.sqrt(constant * math.sqrt(2 * slope) / (size * math.sqrt(T))))
    played = [math.cos(angle) * best[0] - math.sin(angle) * best[1], math.sin(angle) * best[0] + math.cos(angle) * best[1]]
    gap = rho @ (softmax(theta @ best) - softmax(theta @ np.array(played)))
    found = constants.kappa_star(theta, best[None], rho)
    bound = constant * np.linalg.norm(rho) * 2 * math.sqrt(2 * T / found)
    assert T * gap <= bound * (1 + 1e-6) + T * 1e-15
    scale = abs(rewards[0] - rewards[1])
    assert scale * regret_of_repeating(FLOATS, angle, T, size) == pytest.approx(T * gap, rel=1e-6, abs=T * 1e-15)
    assert scale * lower_bound_of_theorem(FLOATS, T, constant, size) == pytest.approx(bound, rel=1e-9)


@given(K=st.integers(2, 2500), d=st.integers(2, 1000), surplus=st.floats(0, 60))
def test_the_expected_regret_is_above_the_printed_bound(K, d, surplus):
    printed = math.sqrt(K) / 25000 / (mended_constant(FLOATS, K, d, d * math.exp(surplus), cap=3 / 500) / 3)
    found = expected_over_family(FLOATS, K, d, surplus)
    assert printed <= found * (1 + 1e-12)
    assert found <= expected_reduced(FLOATS, 0.32, 0.15) <= 1


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


@given(z=vectors)
def test_the_eigenvalues_of_both_frameworks_are_within_a_factor_K(z):
    K = len(z)
    whole = 1 / inverse_curvature(FLOATS, z)
    cut = np.linalg.eigvalsh(softmax_jacobian(np.array(z))[:-1, :-1])[0]
    assert cut <= whole * (1 + 1e-6)
    assert whole <= K * cut * (1 + 1e-6)
    assert tilde_equivalent(FLOATS, K, **named("z", z)) == pytest.approx(max(whole / cut / K, cut / whole), rel=1e-6)


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
@pytest.mark.parametrize("power", [10, 20, 40])
def test_the_quotient_of_the_terms_has_the_form_that_is_bounded(instance, power):
    c = second_term_constants(instance)
    A = c["kappa"] * (c["R"] + c["nu"]) * c["dim"] * c["outcomes"] ** 1.5 * math.sqrt(c["kappa_star"]) / c["R"]
    x, b = math.log(10**power), math.log(20)
    assert second_over_first(FLOATS, instance, 10**power) == pytest.approx(A * (x + b) * math.exp(-x / 2), rel=1e-9)
    late = max(b, 16 * A)
    assert math.log(A) + math.log(late + b) - late / 2 <= 0


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
