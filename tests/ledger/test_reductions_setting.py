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
from mnlbandits.ledger.formulas.kappa_tilde import kappa_over_tilde, tilde_at_least, tilde_over_kappa
from mnlbandits.ledger.formulas.softmax import curvature, sigmoid, slope, softmax
from mnlbandits.ledger.paper.additional_notations import decided_by_past, ellipsoid, ellipsoid_diameter, within_diameter
from mnlbandits.ledger.paper.appendix_amani import definite_share
from mnlbandits.ledger.paper.appendix_amani_kappa import growth_of_tilde, tilde_against
from mnlbandits.ledger.paper.appendix_logit import logit_rank, mnl_rank
from mnlbandits.ledger.paper.framework import longer_norm, referred_norm
from mnlbandits.ledger.paper.kappa_computed import lipschitz_of_curvature, one_low_in_rows, upper_bound_slack
from mnlbandits.ledger.paper.kappa_size import (
    exponential_growth,
    exponential_growth_reduced,
    low_pair_bound,
    repaired_against_kappa,
    right_side,
    smallest_over_kappa,
    two_low_in_rows,
)
from mnlbandits.ledger.paper.uniform_rewards import transferred_bound
from mnlbandits.model.softmax import cramer_rao_bound, fisher_information

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


@pytest.mark.parametrize("K", [2, 3, 7])
def test_some_laws_need_a_longer_parameter_whichever_item_has_the_zeros(K):
    z = np.array([1.0] * (K - 1) + [1.0 - K])
    lengths = [np.linalg.norm(z - entry) for entry in z]
    assert min(lengths) > np.linalg.norm(z)
    assert lengths[-1] ** 2 == pytest.approx((K - 1) * K**2)
    assert longer_norm()
    assert not longer_norm(3)


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
    """At the same norm, and with the norm of kappa-tilde sqrt(2) times as large, where it is 2 kappa."""
    grid = np.linspace(-1, 1, 41)
    kappa = max(1 / curvature(FLOATS, [entry * r / np.sqrt(2), -entry * r / np.sqrt(2)]) for entry in grid)
    for matching, reach in ((1, r), (2, np.sqrt(2) * r)):
        tilde = max(1 / smallest_of_truncated([entry * reach]) for entry in grid)
        assert tilde_against(FLOATS, r, matching) == pytest.approx(max(kappa / tilde, tilde / kappa))
    assert tilde == pytest.approx(2 * kappa)


@pytest.mark.parametrize(("r", "found"), [(1.0, 0.62), (3.0, 1.62), (5.0, 3.92), (8.0, 13.7), (12.0, 72.05)])
def test_kappa_over_kappa_tilde_at_the_same_norm(r, found):
    ratio = tilde_against(FLOATS, r)
    assert max(found, 1 / found) == pytest.approx(ratio, rel=1e-2)


@given(z=logits)
def test_the_two_eigenvalues_at_one_law(z):
    point = {f"z{k}": entry for k, entry in enumerate(z)}
    least, values = smallest_of_truncated([entry - z[-1] for entry in z[:-1]]), np.linalg.eigvalsh(fisher_information(z))
    assert tilde_over_kappa(FLOATS, len(z), **point) == pytest.approx(values[1] / least / len(z), rel=1e-6)
    assert least <= values[1] * (1 + 1e-9)
    assert values[1] <= len(z) * least * (1 + 1e-9)


@pytest.mark.parametrize(("r", "found"), [(0.0, 1 / 3), (1.0, 0.4617), (3.0, 0.6196)])
def test_kappa_and_kappa_tilde_at_three_outcomes(r, found):
    """By all directions of two coordinates; between 1/3 and 2, and below what the proof goes through."""
    angles = np.linspace(0, 2 * np.pi, 1201)
    plane = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])
    ours = [r * np.array([np.cos(a), np.sin(a)]) @ plane for a in angles]
    kappa = max(1 / curvature(FLOATS, z.tolist()) for z in ours)
    tilde = max(1 / smallest_of_truncated([r * np.cos(a), r * np.sin(a)]) for a in angles)
    assert kappa / tilde == pytest.approx(found, abs=2e-4)
    assert kappa / (2 * tilde) <= kappa_over_tilde(FLOATS, 3, r)
    assert tilde_at_least(FLOATS, 3, r) <= tilde * (1 + 1e-4)


def test_the_norm_of_the_referred_form():
    """Of (-2, -1, 3): (-5, -4, 0) has 41 against 3 times 14."""
    assert referred_norm(FLOATS, 3, z0=-2.0, z1=-1.0, z2=3.0) == pytest.approx(41 / 42)


def test_the_numerator_of_eq_3_alone_does_not_mend_it():
    """K = 3, S X = 3: 1 + e^6/2 = 202.7 where kappa, in the Frobenius norm, is 55.5."""
    claimed = right_side(FLOATS, 3, 3.0, 1)
    assert claimed == pytest.approx(1 + np.exp(6) / 2)
    certified = kappa_once(3, 3.0)
    assert certified.upper == pytest.approx(55.5, abs=0.05)
    assert claimed > certified.upper
    assert repaired_against_kappa(FLOATS, 3, 3.0) == pytest.approx(202.7 / (1 + 2 * np.exp(3 * np.sqrt(2))), rel=1e-3)


@pytest.mark.parametrize("r", [0.5, 2.0])
def test_kappa_is_reached_and_how_far_its_bound_is(r):
    certified = kappa_once(2, r)
    assert smallest_over_kappa(FLOATS, r) <= 1e-12
    assert np.linalg.eigvalsh(fisher_information(list(certified.logits)))[1] == pytest.approx(1 / certified.upper)
    assert upper_bound_slack(FLOATS, r) == pytest.approx(2 * np.exp(2 * r) / kappa_at_most(FLOATS, 2, r))


@given(z=st.lists(st.floats(-4, 4), min_size=3, max_size=3), e=st.lists(st.integers(-4, 4), min_size=3, max_size=3))
def test_the_curvature_is_lipschitz(z, e):
    e = [entry / 4 for entry in e]
    ends = [np.linalg.eigvalsh(fisher_information(at))[1] for at in (z, np.add(z, e))]
    point = {f"z{k}": entry for k, entry in enumerate(z)} | {f"e{k}": entry for k, entry in enumerate(e)}
    found = lipschitz_of_curvature(FLOATS, 3, **point)
    assert found * np.sqrt(2) * np.linalg.norm(e) == pytest.approx(abs(np.log(ends[0] / ends[1])), abs=1e-7)
    assert found <= 1 + 1e-9


def test_what_the_past_decides():
    """x_3 depends on y_1 and y_2, l_3 on y_2, y_3 on nothing before, C_3 on y_1, y_2 and y_3."""
    assert decided_by_past("x_t", 3, 3)
    assert not decided_by_past("x_t", 3, 2)
    assert decided_by_past("l_t", 3, 3)
    assert not decided_by_past("l_t", 3, 2)
    assert not decided_by_past("y_t", 3, 3)
    assert decided_by_past("y_t", 3, 4)
    assert not decided_by_past("C_t", 3, 3)
    assert decided_by_past("C_t", 3, 4)


def test_ranks_of_the_information():
    """One action of R^2 shows one direction of K - 1 rows, two or more show both; Logit has d."""
    assert [mnl_rank(3, actions) for actions in (1, 2, 4, 6)] == [2, 4, 4, 4]
    assert [logit_rank(K) for K in (3, 4)] == [2, 2]


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
