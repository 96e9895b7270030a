"""Small matrices of fractions, entry by entry."""

from fractions import Fraction

from mnlbandits.ledger.formulas.units import first_unit, mean_projection, split_by_mean, square_of, unit_matrix


def test_square_of():
    assert square_of(2, lambda i, j: 10 * i + j).tolist() == [[0, 1], [10, 11]]
    assert all(isinstance(entry, Fraction) for entry in square_of(2, lambda i, j: 0).ravel())


def test_units():
    assert unit_matrix(3).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert first_unit(3).tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert mean_projection(2).tolist() == [[Fraction(1, 2)] * 2] * 2
    assert (mean_projection(3) @ mean_projection(3) == mean_projection(3)).all()


def test_split_by_mean():
    assert all(split_by_mean(K) for K in (1, 2, 5))
