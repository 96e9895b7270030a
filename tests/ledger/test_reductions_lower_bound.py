"""What the proofs about Theorem 2's family are carried out in is what the statements are about."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import rel_entr
from scipy.special import softmax as special_softmax

from mnlbandits.instances import families
from mnlbandits.ledger.arithmetic import BALLS, DIGITS, FLOATS
from mnlbandits.ledger.formulas import testing
from mnlbandits.ledger.formulas.family import (
    MENDED_BOX,
    chain_exactly,
    family_bound,
    first_row,
    high_reward,
    largest_epsilon,
    loss,
    mean_exp,
    member,
    member_star,
    members,
    mended_ratio,
    mended_reduced,
    star,
    third_reduced,
)
from mnlbandits.ledger.formulas.pairs import (
    best_arm,
    hidden_in,
    hypotheses_of,
    least_star,
    pair_rewards,
    pair_rows,
    spacing,
)
from mnlbandits.ledger.formulas.pairs_bound import (
    LARGE_BOX,
    LEAST_EXCEPTIONS,
    SPREAD_BOX,
    UNIFORM_CASES,
    nu_reduced,
    pairs_ratio,
    prior_share,
    uniform_box,
    uniform_ratio,
)
from mnlbandits.ledger.formulas.softmax import slope, softmax
from mnlbandits.ledger.paper.theorem_two import cap_angle, cap_reduced_to_slope, cap_regret, rim_ratio
from mnlbandits.ledger.paper.theorem_two_conclusion import root_of_horizon
from mnlbandits.ledger.paper.theorem_two_family import epsilon_ratio
from mnlbandits.ledger.paper.theorem_two_members import cap_ratio, cap_reduced, choice_ratio, choice_reduced
from mnlbandits.ledger.paper.theorem_two_optimality import (
    copies_difference,
    copies_exactly,
    free_norm_ratio,
    leading_share,
    pairs_nu,
)
from mnlbandits.ledger.paper.theorem_two_pairs import round_ratio
from mnlbandits.ledger.paper.theorem_two_step_one import sixth_ratio, sixth_reduced, third_ratio
from mnlbandits.ledger.paper.theorem_two_step_six import by_a_coin, larger_of, some_member
from mnlbandits.ledger.paper.theorem_two_step_two import fifth_ratio, fifth_reduced
from mnlbandits.ledger.paper.theorem_two_steps_four_five import fourth_reduced, fourth_step
from mnlbandits.ledger.simulate.family import family_regret
from mnlbandits.model import constants
from mnlbandits.model.kappa import kappa

outcomes, dims = st.integers(2, 10**6), st.integers(2, 12)
shares, surpluses = st.floats(1e-3, 1.0), st.floats(0.0, 20.0)


@given(K=st.integers(2, 40), d=st.integers(2, 4), share=shares, kind=st.sampled_from(("M", "M-tilde")))
def test_members_are_those_of_the_instances(K, d, share, kind):
    for signs, matrix in members(FLOATS, K, d, share, kind):
        epsilon = share * largest_epsilon(FLOATS, K, d)
        other = families.lower_bound("test", K, d, kind, epsilon, list(signs), arms=2).theta
        np.testing.assert_allclose(matrix - matrix.mean(axis=0), other, atol=1e-12)
    np.testing.assert_allclose(high_reward(FLOATS, K), families.one_high_reward(K, 1.0))


@given(x=st.floats(-5, 5).filter(lambda x: abs(x) > 1e-3))
def test_mean_exp(x):
    assert mean_exp(FLOATS, x) == pytest.approx(math.expm1(x) / x, rel=1e-10)
    assert mean_exp(BALLS, BALLS.number(x)).lower <= math.expm1(x) / x <= mean_exp(BALLS, BALLS.number(x)).upper


@given(K=outcomes, gap=st.floats(1e-3, 2.0))
def test_the_third(K, gap):
    reduced = third_reduced(FLOATS, 1 / (K - 1), gap)
    assert third_ratio(FLOATS, K, 1 - gap) == pytest.approx(reduced, rel=1e-7)


@given(K=outcomes, share=shares, angle=st.floats(0.8, 6.28))
def test_the_sixth(K, share, angle):
    gap = 1 - math.cos(angle - math.atan(share))
    assert sixth_ratio(FLOATS, K, share, angle) <= sixth_reduced(FLOATS, 1 / (K - 1), gap) * (1 + 1e-7)


@given(K=outcomes, gap=st.floats(1e-3, 2.0))
def test_the_fourth(K, gap):
    assert fourth_step(FLOATS, K, 1 - gap) == pytest.approx(fourth_reduced(FLOATS, 1 / (K - 1), gap), rel=1e-7)


@given(K=outcomes, d=st.integers(2, 4), share=shares, data=st.data())
def test_the_fifth_display_is_bounded_by_its_two_parts(K, d, share, data):
    rounds = data.draw(st.integers(1, 3))
    arms = {f"x{i}": data.draw(st.floats(-1, 1).filter(lambda x: abs(x) > 1e-2)) for i in range(rounds * d)}
    found = fifth_ratio(FLOATS, K, d, share, rounds, **arms)
    steps = [sixth_reduced(FLOATS, 1 / (K - 1), gap) for gap in np.linspace(0, 2, 41).tolist()]
    assert found <= max(steps) * 24 * (1 + share**2) / 64 * (1 + 1e-3)
    assert 24 * (1 + share**2) / 64 <= fifth_reduced(FLOATS, 1 / (K - 1), 1.0, share) * (1 + 1e-12)


@given(K=outcomes, d=dims, surplus=surpluses)
def test_the_choice_of_epsilon_and_the_cap(K, d, surplus):
    reduced = choice_reduced(FLOATS, math.exp(-surplus), 1 / d)
    assert choice_ratio(FLOATS, K, d, surplus) == pytest.approx(reduced, rel=1e-9)
    assert cap_ratio(FLOATS, K) == pytest.approx(cap_reduced(FLOATS, 1 / K), rel=1e-12)


@given(K=outcomes, d=dims, share=shares)
def test_the_norm_of_a_row(K, d, share):
    row = first_row(FLOATS, d, share, [1] * d)
    assert epsilon_ratio(FLOATS, K, d, share) == pytest.approx(sum(entry**2 for entry in row) / 2, rel=1e-12)


@given(K=outcomes, d=dims, surplus=surpluses, norm=st.floats(1.0, 60.0))
def test_the_corrected_bound_lies_in_its_box(K, d, surplus, norm):
    high = {key: ends[1] for key, ends in MENDED_BOX.items()}
    corner = mended_reduced(FLOATS, **high)
    assert mended_ratio(FLOATS, K, d, surplus) <= corner
    assert free_norm_ratio(FLOATS, K, d, norm, surplus) <= corner <= 1
    root, q = math.sqrt(K + 3), norm * d * math.exp(surplus)
    logit, part = 2 * math.sqrt(0.15 * norm / (root * q)), d / ((1 + 2 * norm) * root * q)
    assert logit <= high["logit"]
    assert part <= high["part"]
    assert free_norm_ratio(FLOATS, K, d, norm, surplus) == pytest.approx(mended_reduced(FLOATS, logit, part), rel=1e-9)


def test_the_chain_composes():
    assert chain_exactly()


@given(b=st.floats(0.01, 40.0), longer=st.floats(1.0, 1e6), inside=st.floats(0.05, 1.0))
def test_the_regret_on_a_cap_is_at_most_that_of_its_bound(b, longer, inside):
    T = 20 / slope(DIGITS, DIGITS.number(b)) * longer
    assert rim_ratio(DIGITS, DIGITS.number(b), T, inside * cap_angle(DIGITS, T)) <= cap_regret(DIGITS, DIGITS.number(b))


@given(b=st.floats(0.01, 40.0), part=st.floats(0.01, 1.0))
def test_the_cap_by_its_slope(b, part):
    y = b * DIGITS.sqrt(slope(DIGITS, DIGITS.number(b)))
    whole = cap_reduced_to_slope(DIGITS, y)
    assert float(whole) == pytest.approx(float(cap_regret(DIGITS, DIGITS.number(b))), rel=1e-12)
    smaller = DIGITS.number(25000) / DIGITS.number(part)
    assert float(cap_reduced_to_slope(DIGITS, y, DIGITS.number(part))) == pytest.approx(
        float(cap_regret(DIGITS, DIGITS.number(b), smaller)), rel=1e-12
    )


@given(K=st.integers(2, 30), d=st.integers(2, 5), share=shares, seed=st.integers(0, 10**6))
def test_the_mended_entropy_of_a_round_bounds_that_of_the_matrices(K, d, share, seed):
    """C081, C082b and C085 mended, at any arm and d, from the softmax of the members and of their flips."""
    x = np.random.default_rng(seed).normal(size=d)
    x /= np.linalg.norm(x)
    signs, eps, wide = [1] * d, share * largest_epsilon(FLOATS, K, d), K + 3
    theta = member(FLOATS, K, d, share, signs)
    law, total = softmax(FLOATS, (theta @ x).tolist()), 0.0
    prime, growth = law[0] * (1 - law[0]), wide * math.exp(2 * math.sqrt(wide) * eps) * eps**2
    for i in range(1, d):
        flipped = member(FLOATS, K, d, share, [-sign if j == i else sign for j, sign in enumerate(signs)])
        other = softmax(FLOATS, (flipped @ x).tolist())
        entropy = sum(p * math.log(p / q) for p, q in zip(law, other, strict=True))
        assert entropy <= growth * prime * x[i] ** 2 + 1e-12
        total += entropy
    square, last = float(np.sum((x - theta[0]) ** 2)), wide / 4 * (d - 1) * eps**2
    assert total <= 2 * growth * prime * (square + last) + 1e-12
    lost = loss(FLOATS, K, float(theta[0] @ x)) * math.sqrt(wide)
    assert total <= 2 * growth * (6 * lost + last * (wide / star(FLOATS, K) + lost)) + 1e-12


@given(K=st.integers(2, 10**6), d=st.integers(2, 10**8), longer=st.floats(1.0, 1e12))
def test_the_bound_on_the_pairs_lies_in_its_boxes(K, d, longer):
    """Every K and d but the two: shares, prior and Delta/2 are in the box of their d, up to rounding of a ball's ends."""
    if (K, d) in LEAST_EXCEPTIONS:
        return
    least = max(case["least"] for case in UNIFORM_CASES if case["least"] <= d)
    D, pairs = hidden_in(d), K // 2
    delta = spacing(FLOATS, K, d, d**2 * least_star(K) * longer) / 2
    factors = {"halves": pairs / K, "hidden": D / d, "prior": prior_share(FLOATS, K, d), "delta": delta}
    for box in (uniform_box(least), *([LARGE_BOX] if K > 2500 and d > 10**6 else [])):
        assert all(low <= factors[name] <= high for name, (low, high) in box.items())
    assert delta <= SPREAD_BOX["delta"][1]
    surplus, corner = math.log(longer), {name: ends[1] for name, ends in uniform_box(least).items()}
    corner |= {name: uniform_box(least)[name][0] for name in ("halves", "hidden")}
    assert pairs_ratio(FLOATS, K, d, surplus) <= uniform_ratio(FLOATS, least, **corner) * (1 + 1e-9)
    assert uniform_ratio(FLOATS, least, **corner) <= 1


@given(K=st.integers(2, 9), d=st.integers(2, 5), gap=st.floats(0.05, 1.0), seed=st.integers(0, 10**6))
def test_a_round_on_the_pairs(K, d, gap, seed):
    """C028e from numpy: the ratio is at least those of the mean KL, the mean gain and the largest gain."""
    if (K, d) in LEAST_EXCEPTIONS:
        return
    x = np.random.default_rng(seed).normal(size=d)
    x /= np.linalg.norm(x)
    hypotheses, pairs = hypotheses_of(K, d), K // 2
    base = laws(pair_rows(FLOATS, K, d, gap), x)
    rewards = np.array(pair_rewards(FLOATS, K)) / pair_rewards(FLOATS, K)[0]
    found = [laws(pair_rows(FLOATS, K, d, gap, each), x) for each in hypotheses]
    entropy = np.mean([rel_entr(base, law).sum() for law in found])
    gains, G = np.maximum([law @ rewards - 0.5 for law in found], 0), math.tanh(gap / 2) / 2
    ratio = round_ratio(FLOATS, K, d, gap, **{f"x{i}": entry for i, entry in enumerate(x.tolist())})
    told = entropy * pairs * hidden_in(d) / (math.cosh(gap / 2) - 1)
    gained = gains.mean() / (G * prior_share(FLOATS, K, d) * math.cosh(gap / 2))
    assert max(told, gained, gains.max() / G) <= ratio + 1e-9 <= 1 + 2e-9


def laws(rows, x):
    return special_softmax(np.array(rows) @ x)


@pytest.mark.parametrize(("K", "d"), [(4, 2), (8, 2), (4, 3), (6, 4)])
def test_nu_on_the_best_arms_is_that_of_the_model(K, d):
    gap = 0.25
    theta = np.array(pair_rows(FLOATS, K, d, gap, hypotheses_of(K, d)[0]))
    arms = np.array([best_arm(FLOATS, K, d, each) for each in hypotheses_of(K, d)])
    rewards = np.array(pair_rewards(FLOATS, K))
    found = constants.nu(theta, arms, rewards) / (Fraction(41, 10) * rewards[0])
    assert pairs_nu(FLOATS, K, d, gap) == pytest.approx(float(found), rel=1e-9)
    assert pairs_nu(FLOATS, K, d, gap) <= nu_reduced(FLOATS, gap / 2)


@pytest.mark.parametrize("T", [102, 10**4])
def test_a_coin_at_the_printed_root(T):
    """K = d = 2: kappa_* = 5/mu'(1); the bracket is 30 * 2 q + 5/4 eps^2 (5 q^2 + 5 * 2 q)."""
    eps, q = 0.001, math.sqrt(T * math.e / (1 + math.e) ** 2 / 5)
    bracket = 60 * q + 1.25 * eps**2 * (5 * q**2 + 10 * q)
    right = 1 - math.sqrt(4 * math.exp(2 * eps) * eps**2 * bracket)
    assert by_a_coin(FLOATS, 2, T, eps) == pytest.approx(2 * right, rel=1e-12)
    assert 0.5 < right <= 1


@given(sums=st.lists(st.floats(0.01, 1.0), min_size=2, max_size=9))
def test_some_member_has_the_mean_and_not_twice_it(sums):
    assert max(sums) >= sum(sums) / len(sums) * (1 - 1e-12)
    assert larger_of(FLOATS, *sums[:2]) == pytest.approx(sum(sums[:2]) / 2 / max(sums[:2]))
    assert (some_member(), some_member(Fraction(51, 100))) == (True, False)


@pytest.mark.parametrize("K", [4, 10])
def test_copies_of_outcomes(K):
    """kappa_* of the model, at the best arm, is K/2 times that of K = 2."""
    found = []
    for n in (1, K // 2):
        theta = np.array([[0.4, 0.3]] * n + [[-0.4, -0.3]] * n)
        rewards = np.array([2.0] * n + [1.0] * n)
        found.append(constants.kappa_star(theta, np.array([[0.8, 0.6], [0.0, 1.0]]), rewards))
    assert found[1] / found[0] == pytest.approx(K / 2)
    assert copies_difference(FLOATS, K, 1.0) < 1e-12 < 0.1 < copies_difference(FLOATS, K, 1.0, 2)
    assert (copies_exactly(), copies_exactly(2)) == (True, False)


@given(K=outcomes, horizon=st.integers(10**3, 10**25), angle=st.floats(0.1, 1.5))
def test_a_horizon_is_a_whole_number_of_rounds(K, horizon, angle):
    q = root_of_horizon(FLOATS, K, 0.0, horizon)
    assert q == pytest.approx(root_of_horizon(FLOATS, K, math.log(q / 2)), rel=1e-9)
    regret, wrong, left = testing.testing_then_commit(DIGITS, K, root_of_horizon(DIGITS, K, 0.0, horizon), 0.1, angle, 100)
    assert abs(left + 100 - horizon) <= 1e-9 * horizon
    assert 0 <= wrong <= 0.5
    assert regret >= 0


@pytest.mark.parametrize("K", [10**8, 10**10])
def test_the_bound_on_exploring_then_committing_is_above_its_simulation(K):
    horizon = 400 * math.ceil(star(FLOATS, K))
    assert family_regret(K, 2, horizon, 100) <= family_bound(FLOATS, K, 2, horizon)


@pytest.mark.parametrize("K", [2, 3, 10])
def test_kappa_star_and_the_loss_are_those_of_the_model(K):
    _, theta = members(FLOATS, K, 3, 0.7)[1]
    rewards, arms = families.one_high_reward(K, 1.0), np.array([theta[0], [0.6, 0.0, 0.8]])
    assert member_star(FLOATS, theta) == pytest.approx(constants.kappa_star(theta, arms, rewards))
    assert star(FLOATS, K) == pytest.approx(member_star(FLOATS, theta))
    best, other = constants.mean_rewards(theta, arms, rewards)
    assert loss(FLOATS, K, float(theta[0] @ arms[1])) == pytest.approx(best - other)


@pytest.mark.parametrize("q", [1e2, 1e4])
def test_nu_on_the_grid_is_that_of_the_model(q):
    alpha = math.atan(math.sqrt(0.01 / 4 / q))
    angles = np.array([*(alpha + 2 * alpha * np.arange(-2, 3)), math.pi])
    _, theta = members(FLOATS, 2, 2, math.tan(alpha))[0]
    nu = constants.nu(theta, np.column_stack([np.cos(angles), np.sin(angles)]), families.one_high_reward(2, 1.0))
    term = kappa(2, math.sqrt(0.5)).lower * (1 + nu) * 16
    assert leading_share(FLOATS, 1 / q) == pytest.approx(2 * math.sqrt(2) * q / term, rel=1e-6)
