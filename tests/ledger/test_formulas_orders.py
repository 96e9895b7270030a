"""Orders of matrices, exactly and against numpy and scipy."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg
from agreement import everywhere

from mnlbandits.ledger.formulas.orders import (
    centred_columns,
    cholesky,
    coprime,
    integer_matrices,
    largest_relative,
    loewner,
    negative_direction,
    rows_of,
    square_form,
    vectors,
)

A = np.array([[4.0, 1.0, -0.5], [1.0, 3.0, 0.25], [-0.5, 0.25, 2.0]])
B = np.array([[1.0, 2.0, 0.0], [2.0, -1.0, 0.5], [0.0, 0.5, 3.0]])


@pytest.mark.parametrize("size", [2, 3, 4])
def test_negative_direction_against_eigenvalues(size):
    """Integer matrices, singular ones among them: an eigenvalue of -1e-9 is 0, as the smallest others are of order 1e-4."""
    stream, seen = np.random.default_rng(0), set()
    for _ in range(60):
        factor = stream.integers(-2, 3, (size, size - 1))
        matrix = factor @ factor.T + np.diag(stream.integers(-1, 3, size))
        found, least = negative_direction(matrix.tolist()), np.linalg.eigvalsh(matrix)[0]
        assert (found is None) == (least > -1e-9)
        seen.add(found is None)
        if found is not None:
            v = np.array(found)
            assert v @ matrix @ v < 0
            assert np.gcd.reduce([int(entry) for entry in found]) == 1
    assert seen == {True, False}


def test_negative_direction_by_hand():
    """A zero pivot with an entry beside it; a pivot below 0; no entry at all."""
    assert negative_direction([[0, 1], [1, 2]]) == [Fraction(-3), Fraction(2)]
    assert negative_direction([[0, 2], [2, 3]]) == [Fraction(-1), Fraction(1)]
    assert negative_direction([[1, 2], [2, 1]]) == [Fraction(-2), Fraction(1)]
    assert negative_direction([[0, 0], [0, 1]]) is None
    assert negative_direction([[1, 1], [1, 1]]) is None
    assert negative_direction([[2, 1, 1], [1, 1, 1], [1, 1, 1]]) is None
    assert negative_direction([[1, 0, 2], [0, 1, 0], [2, 0, 3]]) == [Fraction(-2), Fraction(0), Fraction(1)]


def test_coprime():
    assert coprime([Fraction(1, 2), Fraction(-1, 3)]) == [Fraction(-3), Fraction(2)]
    assert coprime([Fraction(4), Fraction(6), Fraction(0)]) == [Fraction(2), Fraction(3), Fraction(0)]


def test_loewner():
    assert loewner([[1, 0], [0, 1]], [[2, 1], [1, 2]]) is None
    assert loewner([[2, 1], [1, 2]], [[1, 0], [0, 1]]) == [Fraction(1), Fraction(0)]


def test_square_form():
    assert everywhere(square_form, [1.0, -2.0, 0.5], A) == pytest.approx(
        np.array([1, -2, 0.5]) @ A @ [1, -2, 0.5], rel=1e-14
    )


def test_largest_relative():
    assert everywhere(largest_relative, B, A) == pytest.approx(scipy.linalg.eigh(B, A, eigvals_only=True)[-1], rel=1e-12)


def test_cholesky():
    np.testing.assert_allclose(everywhere(cholesky, A), np.linalg.cholesky(A), rtol=1e-13)


def test_rows_and_columns():
    assert rows_of([1, 2, 3, 4, 5, 6], 2) == [[1, 2], [3, 4], [5, 6]]
    assert everywhere(centred_columns, [1.0, 2, 3, 6, 5, 10], 2) == [-2, -4, 0, 0, 2, 4]


def test_vectors():
    """(3, 4) is cut to the unit ball, (1/2, 1/2) lies in it, (0, 1) on it."""
    found = everywhere(vectors, [3.0, 4.0, 0.5, 0.5, 0.0, 1.0], 2)
    np.testing.assert_allclose(found, [[0.6, 0.8], [0.5, 0.5], [0, 1]], rtol=1e-15)
    assert everywhere(vectors, [1.0, 0.5], 2)[0] == pytest.approx([2 / 5**0.5, 1 / 5**0.5], rel=1e-15)


def test_integer_matrices():
    found = np.array(integer_matrices(3, 2, 200, "orders"), dtype=object)
    assert found.shape == (200, 3, 2)
    assert isinstance(found[0, 0, 0], Fraction)
    assert sorted(set(found.ravel())) == list(range(-5, 6))
    assert (found == np.array(integer_matrices(3, 2, 200, "orders"), dtype=object)).all()
    assert (found != np.array(integer_matrices(3, 2, 200, "others"), dtype=object)).any()
