"""The matrices of Step 4 of the proof of Theorem 1, over the fractions."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic.quotients import unknowns


def square_of(K: int, entry: Callable[[int, int], Fraction | int]) -> NDArray:
    """The matrix (K, K) with these entries, fractions."""
    return np.array([[Fraction(entry(i, j)) for j in range(K)] for i in range(K)], dtype=object)


def unit_matrix(K: int) -> NDArray:
    """I_K."""
    return square_of(K, lambda i, j: i == j)


def first_unit(K: int) -> NDArray:
    """e_11 = e_1 e_1^T."""
    return square_of(K, lambda i, j: i == j == 0)


def mean_projection(K: int) -> NDArray:
    """11^T/K."""
    return np.full((K, K), Fraction(1, K), dtype=object)


def split_by_mean(K: int) -> bool:
    """G + 11^T - c I = (G - c (I - P)) + (K - c) P, P = 11^T/K, for unknown G and c; 11^T = K P."""
    c, *entries = unknowns("c", *(f"g{i}" for i in range(K * K)))
    G, P, identity = np.array(entries, dtype=object).reshape(K, K), mean_projection(K), unit_matrix(K)
    left = G + np.full((K, K), Fraction(1), dtype=object) - identity * c
    right = (G - (identity - P) * c) + P * (K - c)
    return all(a == b for a, b in zip(left.ravel(), right.ravel(), strict=True))
