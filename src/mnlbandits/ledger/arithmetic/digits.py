"""50 digits, independent of numpy."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import mpmath
from numpy.typing import ArrayLike, NDArray

from mnlbandits.ledger.arithmetic.protocol import Value, objects

DIGITS_KEPT = 50
"""Decimal digits."""


class Digits:
    """50 digits, independent of numpy; floats are taken exactly as they are."""

    name = "50 digits"

    def __init__(self):
        self.context = mp = mpmath.mp.clone()
        mp.dps = DIGITS_KEPT
        self.pi, self.e = +mp.pi, +mp.e
        self.exp, self.log, self.sqrt, self.expm1, self.log1p = mp.exp, mp.log, mp.sqrt, mp.expm1, mp.log1p
        self.cosh, self.sinh, self.tanh, self.cos, self.sin = mp.cosh, mp.sinh, mp.tanh, mp.cos, mp.sin
        self.atan, self.digamma, self.power = mp.atan, mp.digamma, mp.power

    def number(self, value: Value) -> mpmath.mpf:
        fraction = Fraction(value)
        return self.context.mpf(fraction.numerator) / fraction.denominator

    def maximum(self, *values: mpmath.mpf | float) -> mpmath.mpf:
        return self.context.mpf(max(values))

    def minimum(self, *values: mpmath.mpf | float) -> mpmath.mpf:
        return self.context.mpf(min(values))

    def norm(self, entries: Sequence[mpmath.mpf]) -> mpmath.mpf:
        return self.context.sqrt(self.context.fsum(entry**2 for entry in entries))

    def integral(self, function: Callable[[mpmath.mpf], mpmath.mpf]) -> mpmath.mpf:
        return self.context.quad(function, [0, self.context.mpf(1) / 2, 1])

    def array(self, entries: ArrayLike) -> NDArray:
        return objects(entries, self.context.convert)

    def inverse(self, matrix: NDArray) -> NDArray:
        return self.array((self.context.matrix(matrix.tolist()) ** -1).tolist())

    def determinant(self, matrix: NDArray) -> mpmath.mpf:
        return self.context.det(self.context.matrix(matrix.tolist()))

    def eigenvalues(self, symmetric: NDArray) -> list[mpmath.mpf]:
        values = self.context.eigsy(self.context.matrix(((symmetric + symmetric.T) / 2).tolist()), eigvals_only=True)
        return sorted(values)
