"""What is proved of Section 2 and of Appendices C to E says the same as the statement, and as the code that plays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnlbandits.assortment.model import choice_probabilities
from mnlbandits.instances.instance import kappa_once
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.constants import inverse_kappa_star, kappa_at_least, kappa_at_most
from mnlbandits.ledger.formulas.frameworks import (
    cramer_rao,
    fisher_of,
    inverse_curvature,
    logit_law,
    projected,
    pseudo_inverse,
    reference_law,
)
from mnlbandits.ledger.formulas.softmax import curvature, sigmoid, slope, softmax
from mnlbandits.ledger.paper.additional_notations import ellipsoid, ellipsoid_diameter, within_diameter
from mnlbandits.ledger.paper.appendix_amani import definite_share, growth_of_tilde, tilde_against
from mnlbandits.ledger.paper.framework import outcomes_drawn, played_arm, referred_norm
from mnlbandits.ledger.paper.kappa_size import (
    exponential_growth,
    exponential_growth_reduced,
    low_pair_bound,
    one_low_in_rows,
    right_side,
    two_low_in_rows,
)
from mnlbandits.ledger.paper.uniform_rewards import transferred_bound
from mnlbandits.model.softmax import cramer_rao_bound, fisher_information
from mnlbandits.seeds import generator

logits = st.lists(st.floats(-4, 4), min_size=2, max_size=5)


@given(K=st.sampled_from([2, 3, 8]), r=st.floats(0.01, 50))
def test_the_reduced_growth_of_kappa_is_never_smaller(K, r):
    assert exponential_growth(FLOATS, K, r) <= exponential_growth_reduced(FLOATS, K, r) * (1 + 1e-9)


@pytest.mark.parametrize("K", [2, 3, 6])
@pytest.mark.parametrize("size", [0.1, 1.0, 4.0])
def test_the_quotients_in_rows_are_reached_by_certified_kappa(K, size):
    certified = kappa_once(K, size, "rows").upper
    assert right_side(FLOATS, K, size, 1) <= certified * two_low_in_rows(FLOATS, K, size) * (1 + 1e-9)
    assert K * np.exp(2 * size) <= 4 * certified * one_low_in_rows(FLOATS, K, size) * (1 + 1e-9)


@pytest.mark.parametrize("K", [2, 3, 4])
def test_the_closed_forms_bracket_certified_kappa(K):
    certified = kappa_once(K, 0.5)
    assert kappa_at_least(FLOATS, K, 0.5) <= certified.upper
    assert certified.lower <= kappa_at_most(FLOATS, K, 0.5)


@given(z=logits)
def test_the_pseudo_inverse_gives_the_curvature(z):
    assert inverse_curvature(FLOATS, z) * curvature(FLOATS, z) == pytest.approx(1, rel=1e-6)
    jacobian = fisher_information(z)
    inverse = pseudo_inverse(FLOATS, softmax(FLOATS, z))
    assert np.allclose(jacobian @ inverse @ jacobian, jacobian)
    assert np.allclose(fisher_of(FLOATS, softmax(FLOATS, z)), jacobian)


@given(z=logits)
def test_the_bound_of_cramer_and_rao_is_the_model_s(z):
    rewards = [float(k % 2) for k in range(len(z))]
    assert cramer_rao(FLOATS, softmax(FLOATS, z), rewards) == pytest.approx(
        cramer_rao_bound(z, rewards), rel=1e-6, abs=1e-12
    )


@given(utilities=st.lists(st.tuples(st.floats(-3, 3), st.booleans()), min_size=1, max_size=4))
def test_the_laws_of_the_neighbouring_frameworks_are_those_played(utilities):
    values, offered = zip(*utilities, strict=True)
    weights = [FLOATS.exp(value) for value in values]
    assert np.allclose(logit_law(weights, offered), choice_probabilities(values, offered))
    assert np.allclose(reference_law(weights), softmax(FLOATS, [*values, 0.0]))


@given(u=st.lists(st.integers(1, 1000) | st.integers(-1000, -1), min_size=8, max_size=8))
def test_pairs_of_the_ellipsoid_are_within_its_diameter(u):
    point = {f"u{i}": value / 1000 for i, value in enumerate(u)}
    ratio = within_diameter(FLOATS, 0, **point)
    assert ratio <= 1 + 1e-12
    digits = {key: DIGITS.number(value) for key, value in point.items()}
    assert float(within_diameter(DIGITS, 0, **digits)) == pytest.approx(ratio, rel=1e-9)
    shape, lifts = ellipsoid(0)
    spread = max(
        np.linalg.norm(np.linalg.solve(np.linalg.cholesky(shape.astype(float)), lift.astype(float)), 2) for lift in lifts
    )
    assert ellipsoid_diameter(FLOATS, 0) == pytest.approx(2 * spread)


def smallest_of_truncated(z):
    """lambda_min(diag(mu~) - mu~ mu~^T) of the logits of all outcomes but the last."""
    return np.linalg.eigvalsh(fisher_information([*z, 0.0])[:-1, :-1])[0]


@given(run=st.integers(0, 20), rounds=st.integers(1, 50))
def test_outcomes_are_drawn_as_in_a_run(run, rounds):
    """The rule of `simulate.exact`: the first outcome whose cumulated probability exceeds the uniform, the last if none."""
    cumulated = np.cumsum(softmax(FLOATS, played_arm(run)[0]))
    seen = [0] * len(cumulated)
    for uniform in generator("claims", 0, "framework", run).random(rounds):
        outcome = 0
        while outcome < len(cumulated) - 1 and uniform >= cumulated[outcome]:
            outcome += 1
        seen[outcome] += 1
    assert outcomes_drawn(run, rounds) == seen


@given(z=logits)
def test_the_spectrum_is_within_its_bounds(z):
    p, values = np.array(softmax(FLOATS, z)), np.linalg.eigvalsh(fisher_information(z))
    assert p.min() <= values[1] * (1 + 1e-9) + 1e-15
    assert abs(values[0]) <= 1e-15
    assert values[-1] <= 0.5 + 1e-15
    size = max(np.abs(z).max(), np.ptp(z) / 2)
    assert np.exp(-2 * size) / len(z) <= values[1] * (1 + 1e-9) + 1e-15


@given(z=logits)
def test_the_centred_form_is_shorter_and_the_referred_one_longer(z):
    ours, theirs = np.array(projected(z)), np.array(z) - z[-1]
    assert np.allclose(softmax(FLOATS, ours.tolist()), softmax(FLOATS, theirs.tolist()))
    assert np.linalg.norm(ours) <= np.linalg.norm(theirs) * (1 + 1e-12) + 1e-15 * np.linalg.norm(z)
    assert referred_norm(FLOATS, len(z), **{f"z{k}": entry for k, entry in enumerate(z)}) <= 1 + 1e-9


@pytest.mark.parametrize("K", [3, 4, 5])
@given(r=st.floats(0.01, 8))
def test_the_low_pair_in_the_frobenius_norm_is_reached(K, r):
    curved = 1 / inverse_curvature(FLOATS, [r / np.sqrt(2), -r / np.sqrt(2), *[0.0] * (K - 2)])
    assert low_pair_bound(FLOATS, K, r) * curved <= 1 + 1e-9


@given(z=st.lists(st.floats(-4, 4), min_size=1, max_size=4))
def test_the_truncated_matrix_is_definite(z):
    p = softmax(FLOATS, [*z, 0.0])
    least = smallest_of_truncated(z)
    assert least >= p[-1] * min(p[:-1]) * (1 - 1e-9)
    share = definite_share(FLOATS, len(z) + 1, **{f"z{k}": entry for k, entry in enumerate(z)})
    assert share == pytest.approx(p[-1] * min(p[:-1]) / least, rel=1e-6)


@pytest.mark.parametrize("K", [2, 3, 5])
@given(r=st.floats(0, 10))
def test_kappa_tilde_grows_at_least_like_the_quotient(K, r):
    quotient = growth_of_tilde(FLOATS, K, r) / np.exp(r)
    assert smallest_of_truncated([-r, *[0.0] * (K - 2)]) <= quotient * (1 + 1e-9)
    assert growth_of_tilde(FLOATS, K, r) <= 1


@pytest.mark.parametrize("r", [0.0, 0.5, 2.0, 5.0])
def test_kappa_and_kappa_tilde_are_those_of_their_definitions(r):
    grid = np.linspace(-1, 1, 41)
    kappa = max(1 / curvature(FLOATS, [entry * r / np.sqrt(2), -entry * r / np.sqrt(2)]) for entry in grid)
    tilde = max(1 / smallest_of_truncated([entry * np.sqrt(2) * r]) for entry in grid)
    assert tilde_against(FLOATS, r) == pytest.approx(max(kappa / tilde, tilde / kappa) / 4)
    assert tilde == pytest.approx(2 * kappa)


@given(
    u=st.floats(-6, 6),
    rewards=st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(lambda entries: len(set(entries)) > 1),
)
def test_the_transferred_bound_is_below_theorem_two_by_root_k(u, rewards):
    rewards = [entry / 20 for entry in rewards]
    logits_of_halves = [u / 2, u / 2, -u / 2, -u / 2]
    theirs = abs(sum(rewards[:2]) - sum(rewards[2:])) / 2 * np.sqrt(slope(FLOATS, u))
    ours = np.linalg.norm(rewards) * np.sqrt(4 * inverse_kappa_star(FLOATS, logits_of_halves, rewards))
    found = transferred_bound(FLOATS, 4, u, **{f"r{k}": entry for k, entry in enumerate(rewards)})
    assert found == pytest.approx(theirs / ours, abs=1e-12)
    assert found <= 0.5 + 1e-12


@given(u=st.floats(-6, 6), a=st.integers(1, 4), b=st.integers(1, 4), ends=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_any_two_groups_are_a_binary_problem_with_a_shifted_logit(u, a, b, ends):
    p = softmax(FLOATS, [u] * a + [0.0] * b)
    rewards = [ends[0]] * a + [ends[1]] * b
    mean, shifted = np.dot(p, rewards), u + np.log(a / b)
    assert mean == pytest.approx(ends[1] + (ends[0] - ends[1]) * sigmoid(FLOATS, shifted))
    spread = np.dot(p, (np.array(rewards) - mean) ** 2)
    assert spread == pytest.approx((ends[0] - ends[1]) ** 2 * slope(FLOATS, shifted), abs=1e-12)


@given(z=logits)
def test_the_steps_to_the_pseudo_inverse(z):
    K, p = len(z), np.array(softmax(FLOATS, z))
    jacobian, centre = fisher_information(z), np.eye(K) - 1 / K
    assert np.allclose(jacobian / p, np.eye(K) - np.outer(p, np.ones(K)), atol=1e-9)
    assert np.allclose(jacobian @ np.diag(1 / p) @ centre, centre, atol=1e-9)
