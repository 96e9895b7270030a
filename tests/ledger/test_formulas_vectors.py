"""Vectors, by hand and against numpy."""

import numpy as np
import pytest
from agreement import everywhere

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.vectors import centred, dot, over, scaled, variance

U, P = [0.5, -1.25, 2.0], [0.25, 0.125, 0.625]


def test_dot():
    assert everywhere(dot, [1, 2, 3], [4, -5, 6]) == 12
    with pytest.raises(ValueError, match="zip"):
        dot([1, 2], [1])


def test_centred():
    assert everywhere(centred, [1.0, 2.0, 6.0]) == [-2, -1, 3]


def test_scaled():
    assert everywhere(scaled, [3.0, -4.0], 10) == [6, -8]
    assert everywhere(scaled, [0.375, -0.5], 10) == [6, -8]
    assert scaled(FLOATS, [0.0, 0.0], 5) == [0, 0]


def test_variance():
    """1/4 (1/2)^2 + 1/8 (5/4)^2 + 5/8 2^2 minus the square of 39/32."""
    assert everywhere(variance, P, U) == pytest.approx(1 / 16 + 25 / 128 + 5 / 2 - (1 / 8 - 5 / 32 + 5 / 4) ** 2, rel=1e-14)
    assert variance(P, U) == pytest.approx(np.array(U) @ (np.diag(P) - np.outer(P, P)) @ U, rel=1e-14)


def test_over():
    assert everywhere(over, 3, 4.0) == 0.75
    assert over(3.0, 0.0) == 0
    assert over(3.0, -1.0) == 0
    assert over(0.0, 0.0) == 0
    assert over(1e-200, 1e-200) == 1
