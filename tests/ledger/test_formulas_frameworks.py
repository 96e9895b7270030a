"""Laws, their Fisher information and the two neighbouring frameworks, against the package's model."""

from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.formulas.frameworks import (
    along_logit,
    centring,
    centring_shortens,
    cramer_rao,
    diagonal,
    fisher_of,
    inverse_curvature,
    law_of,
    logit_law,
    projected,
    pseudo_inverse,
    pseudo_inverse_exactly,
    reference_law,
    second_at_least_smallest,
    shift_keeps_law,
    unknown_vectors,
)
from mnlbandits.model import kappa, softmax

Z, REWARDS = [0.75, -1.5, 0.25], [1.0, 0.25, 0.5]
P = softmax.softmax(Z).tolist()


def test_unknown_vectors_are_independent():
    x, y = unknown_vectors(x=2, y=3)
    assert [len(x), len(y)] == [2, 3]
    assert [str(entry.numerator) for entry in x + y] == ["x0", "x1", "y0", "y1", "y2"]
    assert x[0] != y[0]


def test_law_of():
    assert everywhere(law_of, [1, 2.0, 5]) == [1 / 8, 2 / 8, 5 / 8]


def test_along_logit():
    """d/dz_1 of e^{z_0} + e^{2 z_1} is 2 e^{2 z_1}."""
    e = unknowns("e0", "e1")
    assert along_logit(e[0] + e[1] ** 2, e, 1) == 2 * e[1] ** 2
    assert along_logit(e[0] / (e[0] + e[1]), e, 0) == e[0] * e[1] / (e[0] + e[1]) ** 2


def test_centring():
    np.testing.assert_allclose(everywhere(centring, 3), np.eye(3) - np.full((3, 3), 1 / 3), rtol=1e-15)


def test_projected():
    """(1, 2, 6) has mean 3; unevenly 3, 6 and 9 are subtracted."""
    assert everywhere(projected, [1.0, 2, 6]) == [-2, -1, 3]
    assert everywhere(projected, [1.0, 2, 6], uneven=1) == [-2, -4, -3]


def test_fisher_information():
    np.testing.assert_allclose(everywhere(fisher_of, P), softmax.fisher_information(Z), rtol=1e-13)
    assert everywhere(fisher_of, [Fraction(3, 4), Fraction(1, 4)]) == [[3 / 16, -3 / 16], [-3 / 16, 3 / 16]]


def test_diagonal():
    assert everywhere(diagonal, [2.0, -3.0]) == [[2, 0], [0, -3]]


def test_pseudo_inverse():
    """Of a matrix of condition about 10: 1e-12 is its rounding."""
    np.testing.assert_allclose(
        everywhere(pseudo_inverse, P), np.linalg.pinv(softmax.softmax_jacobian(Z), rcond=1e-8), rtol=1e-12
    )


def test_cramer_rao():
    """It is the variance of the reward."""
    found = everywhere(cramer_rao, P, REWARDS)
    assert found == pytest.approx(softmax.cramer_rao_bound(Z, REWARDS), rel=1e-12)
    assert found == pytest.approx(np.dot(P, np.square(REWARDS)) - np.dot(P, REWARDS) ** 2, rel=1e-12)


@pytest.mark.parametrize("z", [Z, [0.5, -0.5], [3.0, 3.0, -6.0]])
def test_inverse_curvature(z):
    log = kappa.log_second_eigenvalue(np.array(z), np.ones(len(z), dtype=int))
    assert np.log(everywhere(inverse_curvature, z)) == pytest.approx(-log, rel=1e-11)


def test_reference_law():
    assert everywhere(reference_law, [2.0, 5]) == [2 / 8, 5 / 8, 1 / 8]
    assert everywhere(reference_law, [2.0, 5], base=3) == [2 / 10, 5 / 10, 1 / 10]


def test_logit_law():
    assert everywhere(logit_law, [2.0, 5, 7], [True, False, True]) == [2 / 10, 0, 7 / 10, 1 / 10]


def test_identities():
    assert_decides(centring_shortens, uneven=[-1, 1])
    assert_decides(shift_keeps_law, uneven=[-1, 1])
    assert_decides(second_at_least_smallest)
    assert_decides(pseudo_inverse_exactly)
