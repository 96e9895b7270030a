"""The example of a large kappa_*, against the instance of the package."""

from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.instances import families
from mnlbandits.ledger.formulas.kappa_star_example import (
    EXAMPLE_BOX,
    EXAMPLE_SIZES,
    corner_entry,
    example_below,
    example_variance,
    first_terms_cancel,
    moments_split,
    variance_of_example,
)
from mnlbandits.model import constants

IDENTITIES = [
    (moments_split, {"cross": [1, 3]}),
    (first_terms_cancel, {"cross": [1, 3], "high": [1, 3]}),
    (variance_of_example, {"factor": [0, 2], "high": [1, 3]}),
    (example_below, {"factor": 1}),
]


@pytest.mark.parametrize("K", [2, 3, 10])
def test_example_is_that_of_the_instances(K):
    S = 1.75
    corner = everywhere(corner_entry, K, S)
    matrix = np.zeros((K, 1))
    matrix[0, 0] = corner
    assert np.linalg.norm(matrix - matrix.mean(axis=0)) == pytest.approx(S, rel=1e-14)
    instance = families.large_kappa_star("example", K, 1, S, arms=2)
    found = 1 / constants.kappa_star(instance.theta, instance.arms, instance.rewards)
    assert everywhere(example_variance, K, corner) == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize(("identity", "wrong"), IDENTITIES)
def test_identities(identity, wrong):
    assert_decides(identity, **wrong)


def test_example_is_below_a_sharper_bound():
    """The steps give 25/16: ((n e^-S + 1)/(n e^-m + 1))^2 <= (1 + S e^-S/2)^2 <= (5/4)^2."""
    assert example_below(Fraction(25, 16))
    assert not example_below(Fraction(3, 2))


def test_domain():
    assert [case["K"] for case in EXAMPLE_SIZES] == [2, 3, 10, 1000]
    assert EXAMPLE_BOX == {"S": (0.01, 100.0)}
