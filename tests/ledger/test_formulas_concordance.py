"""Self-concordance: curvatures and their integrals against numpy and scipy, the identities as they stand and with errors."""

import math

import numpy as np
import pytest
from agreement import assert_decides, everywhere
from scipy.integrate import quad_vec

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.concordance import (
    contrast_of,
    curvature_growth,
    growth_below,
    growth_box,
    jacobian_symbolically,
    jacobian_with_ones,
    mean_jacobian,
    mean_variance,
    range_within,
    shifted_product,
    third_derivative,
    tilted_variance,
)
from mnlbandits.model.softmax import softmax, softmax_jacobian

Z, SHIFT, U = [0.75, -1.5, 0.25], [1.0, 0.5, -2.0], [0.25, 1.0, -0.75]
POINT = {f"{name}{k}": value for name, v in {"z": Z, "e": SHIFT, "u": U}.items() for k, value in enumerate(v)}

MEAN = quad_vec(lambda v: softmax_jacobian(np.array(Z) + v * np.array(SHIFT)), 0, 1, epsabs=1e-13)[0]
"""int_0^1 grad mu(z + v shift) dv by adaptive quadrature, to 1e-13."""


def test_contrast():
    assert everywhere(lambda m, **point: contrast_of(point), u0=1.0, u1=2.0, u2=6.0) == [-2, -1, 3]
    for size, kept in ((7.2e-4, True), (7.0e-4, False)):
        assert any(contrast_of({"u0": size, "u1": -size})) == kept


def test_curvature_growth():
    e = np.array(SHIFT) - np.mean(SHIFT)
    e *= 1.25 / np.linalg.norm(e)
    grown, before = (np.array(U) @ softmax_jacobian(z) @ U for z in (np.array(Z) + e, Z))
    assert everywhere(curvature_growth, 3, 1.25, **POINT) == pytest.approx(grown / before, rel=1e-12)


def test_growth_box():
    sizes = {"z": 8.0, "e": 1.0, "u": 1.0}
    assert growth_box(2, diameter=1) == {f"{name}{k}": (-size, size) for name, size in sizes.items() for k in range(2)}


def test_mean_variance():
    found = everywhere(mean_variance, Z, SHIFT, U, loose=True)
    assert found == pytest.approx(np.array(U) @ MEAN @ U, rel=1e-11)


def test_mean_jacobian():
    """Also row by row in floats, where a quadrature takes all entries at once."""
    np.testing.assert_allclose(everywhere(mean_jacobian, Z, SHIFT, loose=True), MEAN, rtol=1e-11)
    np.testing.assert_allclose(mean_jacobian(FLOATS, Z, SHIFT), MEAN, rtol=1e-11)
    assert float(abs(sum(mean_jacobian(DIGITS, [0.5, -0.5], [1.0, 0.0])[0]))) < 1e-45


def test_shifted_product():
    p = softmax(np.array(Z) + 0.375 * np.array(SHIFT))
    assert everywhere(shifted_product, Z, SHIFT, 0.375, 0, 2) == pytest.approx(p[0] * p[2], rel=1e-13)


def test_jacobian_with_ones():
    np.testing.assert_allclose(everywhere(jacobian_with_ones, Z), softmax_jacobian(Z) + 1, rtol=1e-13)


@pytest.mark.parametrize("identity", [tilted_variance, third_derivative, jacobian_symbolically])
def test_identities(identity):
    assert_decides(identity, sizes={"K": (2, 3)})


def test_range():
    """(1 - (-1))^2 = 2 (1 + 1) is the case of equality."""
    assert_decides(range_within, square=1)
    assert range_within(6)


def test_growth_is_bounded():
    """exp(sqrt(2) ||e||) is what the lines give: no less will do; nor does the search find more."""
    assert_decides(growth_below, square=1)
    assert growth_below(2)
    assert curvature_growth(FLOATS, 3, 1.25, **POINT) <= math.exp(math.sqrt(2) * 1.25)
