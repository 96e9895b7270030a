"""Scores of a design against numpy, and the identities about them."""

import math

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.formulas.designs import (
    design_score,
    determinant_grows,
    one_over_log,
    score_norms,
    scores_decrease,
    with_arm,
)

A, B, C, X = 2.5, -0.75, 1.25, [0.5, 1.5]
DESIGN = np.array([[A, B], [B, C]])


def test_score():
    assert everywhere(design_score, A, B, C, X) == pytest.approx(np.array(X) @ np.linalg.solve(DESIGN, X), rel=1e-13)


def test_with_arm():
    (a, b), (_, c) = DESIGN + np.outer(X, X)
    assert everywhere(with_arm, A, B, C, X) == [a, b, c]


def test_one_over_log():
    """Near 0 the quotient of the derivatives of q and constant log(1 + q)."""
    assert everywhere(one_over_log, 0.75, False, 3) == pytest.approx(0.75 / (3 * math.log(1.75)), rel=1e-14)
    assert everywhere(one_over_log, 0.75, True, 3) == pytest.approx(1.75 / 3, rel=1e-14)


@pytest.mark.parametrize("identity", [scores_decrease, determinant_grows])
def test_identities(identity):
    assert_decides(identity)


def test_norms_of_scores():
    assert_decides(score_norms, power=[0, 2])
