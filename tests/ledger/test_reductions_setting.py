"""What is proved of Section 2 and of Appendices C to E says the same as the statement, and as the code that plays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnlbandits.assortment.model import choice_probabilities
from mnlbandits.instances.instance import kappa_once
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.constants import kappa_at_least, kappa_at_most
from mnlbandits.ledger.formulas.frameworks import (
    cramer_rao,
    fisher_of,
    inverse_curvature,
    logit_law,
    pseudo_inverse,
    reference_law,
)
from mnlbandits.ledger.formulas.softmax import curvature, softmax
from mnlbandits.ledger.paper.additional_notations import ellipsoid, ellipsoid_diameter, within_diameter
from mnlbandits.ledger.paper.kappa_size import (
    exponential_growth,
    exponential_growth_reduced,
    one_low_in_rows,
    right_side,
    two_low_in_rows,
)
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
