"""Quadratic forms, their order, decided exactly over the fractions, and matrices theta of rows, one for each outcome."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.formulas.vectors import dot, scaled
from mnlbandits.seeds import generator


def negative_direction(symmetric: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """A v with v^T M v < 0, of coprime integers, or None if M is positive semidefinite; decided by LDL^T, exactly."""
    size = len(symmetric)
    rest = [[Fraction(entry) for entry in row] for row in symmetric]
    basis = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    for i, pivot in enumerate(rest[k][k] for k in range(size)):
        if pivot < 0:
            return coprime(basis[i])
        touched = [j for j in range(i + 1, size) if rest[i][j]]
        if pivot == 0 and touched:
            j = touched[0]
            weight = -(rest[j][j] + 1) / (2 * rest[i][j])
            return coprime([a + weight * b for a, b in zip(basis[j], basis[i], strict=True)])
        row = list(rest[i])
        for j in touched:
            share = row[j] / pivot
            basis[j] = [a - share * b for a, b in zip(basis[j], basis[i], strict=True)]
            for k in range(i + 1, size):
                rest[j][k] -= share * row[k]
    return None


def coprime(v: Sequence[Fraction]) -> list[Fraction]:
    """The multiple of v whose entries are coprime integers and whose last entry that is not 0 is positive."""
    common = math.lcm(*(entry.denominator for entry in v))
    whole = [int(entry * common) for entry in v]
    divisor = math.gcd(*whole) * (1 if next(entry for entry in reversed(whole) if entry) > 0 else -1)
    return [Fraction(entry // divisor) for entry in whole]


def loewner(left: Sequence[Sequence[Fraction]], right: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """None if L <= R in the order of symmetric matrices, else a v with v^T L v > v^T R v; exactly."""
    return negative_direction((np.array(right, dtype=object) - np.array(left, dtype=object)).tolist())


def square_form(v: Sequence[Number], matrix: NDArray) -> Number:
    """v^T M v."""
    return dot(v, (matrix @ np.array(v, dtype=matrix.dtype)).tolist())


def largest_relative(m: Arithmetic, left: NDArray, right: NDArray) -> Number:
    """The largest lambda with det(L - lambda R) = 0, R positive definite: the least with L <= lambda R."""
    lower = cholesky(m, right)
    inverse = m.inverse(lower)
    return m.eigenvalues(inverse @ left @ inverse.T)[-1]


def cholesky(m: Arithmetic, definite: NDArray) -> NDArray:
    """The lower triangular C with C C^T = M."""
    entries, rows = definite.tolist(), []
    for i, row in enumerate(entries):
        found = []
        for j in range(i + 1):
            above = rows[j] if j < i else found
            gap = row[j] - dot(found[:j], above[:j])
            found.append(gap / above[j] if j < i else m.sqrt(gap))
        rows.append(found)
    return m.array([[*row, *[0] * (len(rows) - len(row))] for row in rows])


def rows_of(entries: Sequence[Number], d: int) -> list[list[Number]]:
    """Rows of length d."""
    return [list(entries[i : i + d]) for i in range(0, len(entries), d)]


def centred_columns(entries: Sequence[Number], d: int) -> list[Number]:
    """The row-major entries of a matrix with d columns minus the means of their columns: Pi theta."""
    means = [sum(entries[i::d]) * d / len(entries) for i in range(d)]
    return [entry - means[i % d] for i, entry in enumerate(entries)]


def vectors(m: Arithmetic, entries: Sequence[Number], d: int) -> list[list[Number]]:
    """Vectors of length d, cut to the unit ball."""
    return [scaled(m, row, 1) if dot(row, row) > 1 else row for row in rows_of(entries, d)]


def integer_matrices(rows: int, columns: int, count: int, name: str) -> list[list[list[Fraction]]]:
    """Random integer matrices with entries in -5..5, as fractions."""
    entries = generator("claims integers", 0, name).integers(-5, 6, (count, rows, columns))
    return [[[Fraction(int(entry)) for entry in row] for row in matrix] for matrix in entries]
