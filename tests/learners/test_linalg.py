"""The small dense kernels against numpy."""

import numpy as np
import pytest

from mnlbandits.learners import eigen, linalg
from mnlbandits.seeds import generator
from mnlbandits.textbook.solvers import first_argmax

SIZES = range(1, 13)
CONDITION = 1e4
ROUNDING = 1e-14
"""Relative error of a backward stable method on at most 12 rows: a few dozen units of 1e-16."""
SOLVED = CONDITION * ROUNDING
"""The same, amplified by the condition number, for solutions and inverses."""


def positive_definite(size: int, condition: float = CONDITION) -> np.ndarray:
    """A symmetric matrix (size, size) with eigenvalues from 1 to `condition`."""
    q = np.linalg.qr(generator("test", size, "matrix").standard_normal((size, size)))[0]
    matrix = (q * np.geomspace(1, condition, size)) @ q.T
    return (matrix + matrix.T) / 2


def vector(size: int) -> np.ndarray:
    return generator("test", size, "vector").standard_normal(size)


def assert_close(ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> None:
    assert np.abs(ours - theirs).max() <= tolerance * np.abs(theirs).max()


@pytest.mark.parametrize("size", SIZES)
def test_cholesky(size):
    matrix, lower = positive_definite(size), np.full((size, size), np.nan)
    linalg.cholesky(matrix, lower)
    assert (np.triu(lower, 1) == 0).all()
    assert_close(lower, np.linalg.cholesky(matrix), SOLVED)
    assert_close(lower @ lower.T, matrix, ROUNDING)


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_cholesky_of_a_semidefinite_matrix(rank):
    """Small integers, so that the pivots of the missing rank are exactly 0."""
    factor = np.tril(np.arange(1.0, 17.0).reshape(4, 4))[:, :rank]
    lower = np.full((4, 4), np.nan)
    linalg.cholesky(factor @ factor.T, lower)
    assert_close(lower @ lower.T, factor @ factor.T, ROUNDING)
    assert (lower[:, rank:] == 0).all()


@pytest.mark.parametrize("size", SIZES)
def test_cholesky_in_order(size):
    matrix, lower = positive_definite(size), np.full((size, size), np.nan)
    order = generator("test", size, "order").permutation(size)
    linalg.cholesky_in_order(matrix, order, lower)
    assert_close(lower, np.linalg.cholesky(matrix[np.ix_(order, order)]), SOLVED)


@pytest.mark.parametrize("size", SIZES)
def test_solve_cholesky(size):
    matrix, b = positive_definite(size), vector(size)
    solution = b.copy()
    linalg.solve_cholesky(np.linalg.cholesky(matrix), solution)
    assert_close(solution, np.linalg.solve(matrix, b), SOLVED)


@pytest.mark.parametrize("size", SIZES)
def test_invert_positive(size):
    matrix, inverse = positive_definite(size), np.full((size, size), np.nan)
    linalg.invert_positive(matrix, inverse, np.full((size + 1, size), np.nan))
    assert_close(inverse, np.linalg.inv(matrix), SOLVED)
    assert (inverse == inverse.T).all()


@pytest.mark.parametrize("size", SIZES)
def test_solve_general(size):
    rotated = np.roll(positive_definite(size, 100.0), 1, axis=0)
    rotated[0, 0] = 0.0 if size > 1 else 2.0  # the first pivot is not on the diagonal
    b, matrix = vector(size), rotated.copy()
    solution = b.copy()
    linalg.solve_general(matrix, solution)
    assert_close(solution, np.linalg.solve(rotated, b), np.linalg.cond(rotated) * ROUNDING)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["distinct", "repeated", "diagonal"])
def test_symmetric_eigen(size, kind):
    matrix = {
        "distinct": positive_definite(size),
        "repeated": np.ones((size, size)) + np.eye(size),
        "diagonal": np.diag(np.arange(size, 0.0, -1.0)),
    }[kind]
    values, vectors = matrix.copy(), np.full((size, size), np.nan)
    eigen.symmetric_eigen(values, vectors)
    assert_close(np.sort(np.diag(values)), np.linalg.eigvalsh(matrix), ROUNDING)
    assert_close(vectors.T @ vectors, np.eye(size), ROUNDING)
    assert_close((vectors * np.diag(values)) @ vectors.T, matrix, ROUNDING)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["distinct", "repeated", "diagonal", "tridiagonal", "indefinite", "zero", "tiny", "graded"])
def test_largest_eigenvalue(size, kind):
    """Of the lower half of the matrix, to rounding of its norm."""
    scales = 10.0 ** -np.arange(size)
    matrix = {
        "distinct": positive_definite(size),
        "repeated": np.ones((size, size)) + np.eye(size),
        "diagonal": np.diag(np.arange(size, 0.0, -1.0)),
        "tridiagonal": np.eye(size) + np.eye(size, k=1) + np.eye(size, k=-1),
        "indefinite": positive_definite(size) - 2.0 * np.eye(size),
        "zero": np.zeros((size, size)),
        "tiny": 1e-60 * positive_definite(size),
        "graded": scales[:, None] * positive_definite(size) * scales,
    }[kind]
    lower = np.tril(matrix) + np.triu(np.full((size, size), np.nan), 1)
    largest = eigen.largest_eigenvalue(lower, np.full((max(2, size), size), np.nan))
    assert abs(largest - np.linalg.eigvalsh(matrix)[-1]) <= ROUNDING * np.abs(matrix).sum()


@pytest.mark.parametrize("size", SIZES)
def test_quadratic_form(size):
    matrix, v = positive_definite(size), vector(size)
    assert linalg.quadratic_form(matrix, v) == pytest.approx(v @ matrix @ v, rel=ROUNDING)


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ([1.0, 3.0, 2.0], 1),
        ([1.0, 3.0, 3.0], 1),
        ([3.0 - 1e-12, 3.0], 0),
        ([3.0 - 1e-11, 3.0], 1),
        ([-5.0, -5.0 - 1e-13], 0),
        ([0.0, 0.0], 0),
        ([1e-13, 2e-13, -1.0], 0),
        ([7.0], 0),
    ],
)
def test_first_argmax(scores, best):
    assert linalg.first_argmax(np.array(scores)) == best
    assert first_argmax(np.array(scores)) == best


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (4, 4), (9, 2), (10, 11)])
def test_multiply(shape):
    """Rows are added one after the other, so the bits are those of the plain sum."""
    rows, columns = shape
    a, v, out = positive_definite(max(shape))[:rows, :columns].copy(), vector(rows), np.full(columns, np.nan)
    linalg.multiply(a, v, out)
    plain = np.zeros(shape[1])
    for weight, row in zip(v, a, strict=True):
        plain += weight * row
    np.testing.assert_array_equal(out, plain)
