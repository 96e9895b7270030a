"""Double precision."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import digamma

from mnlbandits.ledger.arithmetic.protocol import Value


def unbounded(function: Callable[[float], float], beyond: Callable[[float], float]) -> Callable[[object, float], float]:
    """A function as a method, which gives `beyond` of its argument's sign where the result overflows."""

    def value(_: object, x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return beyond(x)

    return value


def infinite(x: float) -> float:
    """inf, whatever the sign."""
    return math.inf


class Floats:
    """Double precision; what overflows is infinite."""

    name = "floats"
    pi, e = math.pi, math.e
    exp, expm1, cosh = (unbounded(function, infinite) for function in (math.exp, math.expm1, math.cosh))
    sinh = unbounded(math.sinh, lambda x: math.copysign(math.inf, x))
    log, sqrt, log1p = math.log, math.sqrt, math.log1p
    tanh, cos, sin, atan = math.tanh, math.cos, math.sin, math.atan
    nodes, weights = (values / 2 for values in np.polynomial.legendre.leggauss(64))

    def number(self, value: Value) -> float:
        return float(Fraction(value))

    def digamma(self, x: float) -> float:
        return float(digamma(x))

    def power(self, x: float, exponent: float) -> float:
        return math.pow(x, exponent)

    def maximum(self, *values: float) -> float:
        return max(values)

    def minimum(self, *values: float) -> float:
        return min(values)

    def norm(self, entries: Sequence[float]) -> float:
        return math.hypot(*entries)

    def integral(self, function: Callable[[float], float]) -> float:
        return math.fsum(w * function(v) for v, w in zip((self.nodes + 0.5).tolist(), self.weights.tolist(), strict=True))

    def array(self, entries: ArrayLike) -> NDArray:
        return np.array(entries, dtype=float)

    def inverse(self, matrix: NDArray) -> NDArray:
        return np.linalg.inv(matrix)

    def determinant(self, matrix: NDArray) -> float:
        return float(np.linalg.det(matrix))

    def eigenvalues(self, symmetric: NDArray) -> list[float]:
        return np.linalg.eigvalsh(symmetric).tolist()
