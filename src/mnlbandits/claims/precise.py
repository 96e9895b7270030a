"""The model in 50 digits: what counterexamples are checked with again, independent of numpy."""

import math
from collections.abc import Sequence
from typing import Any

import mpmath

DIGITS = 50

mp = mpmath.mp.clone()
mp.dps = DIGITS


def matrix(entries: Sequence[Sequence[float]]) -> Any:
    """A matrix of numbers taken exactly as the floats they are."""
    return mp.matrix([[mp.mpf(float(entry)) for entry in row] for row in entries])


def sigmoid(u: Any, m: Any = math) -> Any:
    """1/(1 + exp(-u)) without overflow, in floats or, with m = `mp`, in 50 digits."""
    return 1 / (1 + m.exp(-u)) if u > 0 else m.exp(u) / (1 + m.exp(u))


def slope(u: Any, m: Any = math) -> Any:
    """The derivative of the sigmoid at u."""
    e = m.exp(-abs(u))
    return e / (1 + e) ** 2


def softmax(z: Sequence[Any]) -> list[Any]:
    """mu(z)."""
    top = max(z)
    e = [mp.exp(mp.mpf(entry) - mp.mpf(top)) for entry in z]
    return [entry / mp.fsum(e) for entry in e]


def softmax_jacobian(z: Sequence[Any]) -> Any:
    """grad mu(z) (K, K)."""
    p = softmax(z)
    return mp.matrix([[(p[i] if i == j else 0) - p[i] * p[j] for j in range(len(p))] for i in range(len(p))])


def eigenvalues(symmetric: Any) -> list[Any]:
    """Eigenvalues of a symmetric matrix, ascending."""
    return sorted(mp.eigsy(symmetric, eigvals_only=True))
