"""Rational functions over the fractions: what an identity is decided with, exactly."""

from fractions import Fraction

import flint
import numpy as np
from numpy.typing import ArrayLike, NDArray

from mnlbandits.ledger.arithmetic.protocol import Value


class Quotient:
    """A quotient of two polynomials in several unknowns; two are equal if they are as rational functions."""

    __slots__ = ("denominator", "numerator")
    __hash__ = None

    def __init__(self, numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly):
        if denominator == 0:
            raise ZeroDivisionError("a rational function over 0")
        common = numerator.gcd(denominator)
        self.numerator, self.denominator = numerator / common, denominator / common

    def __repr__(self) -> str:
        return f"({self.numerator})/({self.denominator})"

    def like(self, value: "Quotient | Fraction | int") -> "Quotient":
        """A number among these rational functions."""
        if isinstance(value, Quotient):
            return value
        one, fraction = self.denominator * 0 + 1, Fraction(value)
        return Quotient(one * fraction.numerator, one * fraction.denominator)

    def __add__(self, other: "Quotient | Fraction | int") -> "Quotient":
        other = self.like(other)
        return Quotient(
            self.numerator * other.denominator + other.numerator * self.denominator, self.denominator * other.denominator
        )

    __radd__ = __add__

    def __neg__(self) -> "Quotient":
        return Quotient(-self.numerator, self.denominator)

    def __sub__(self, other: "Quotient | Fraction | int") -> "Quotient":
        return self + -self.like(other)

    def __rsub__(self, other: "Fraction | int") -> "Quotient":
        return -self + other

    def __mul__(self, other: "Quotient | Fraction | int") -> "Quotient":
        other = self.like(other)
        return Quotient(self.numerator * other.numerator, self.denominator * other.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other: "Quotient | Fraction | int") -> "Quotient":
        other = self.like(other)
        return Quotient(self.numerator * other.denominator, self.denominator * other.numerator)

    def __rtruediv__(self, other: "Fraction | int") -> "Quotient":
        return self.like(other) / self

    def __pow__(self, exponent: int) -> "Quotient":
        if exponent < 0:
            return 1 / self**-exponent
        return Quotient(self.numerator**exponent, self.denominator**exponent)

    def __eq__(self, other: object) -> bool:
        return (self - other).numerator == 0

    def derivative(self, place: int) -> "Quotient":
        """The partial derivative in the unknown of that place."""
        top, bottom = self.numerator, self.denominator
        return Quotient(top.derivative(place) * bottom - top * bottom.derivative(place), bottom * bottom)


class Rationals:
    """The arithmetic of fractions and of rational functions, for formulas that need no more of theirs than these."""

    name = "rationals"

    def number(self, value: Value) -> Fraction:
        return Fraction(value)

    def array(self, entries: ArrayLike) -> NDArray:
        return np.array(entries, dtype=object)

    def inverse(self, matrix: NDArray) -> NDArray:
        """Of a matrix of fractions."""
        rows = [[flint.fmpq(*Fraction(entry).as_integer_ratio()) for entry in row] for row in matrix.tolist()]
        found = flint.fmpq_mat(rows).inv().tolist()
        return self.array([[Fraction(int(entry.p), int(entry.q)) for entry in row] for row in found])


RATIONALS = Rationals()


def unknowns(*names: str) -> list[Quotient]:
    """Independent unknowns, in order."""
    context = flint.fmpq_mpoly_ctx.get(names, "degrevlex")
    return [Quotient(one, one * 0 + 1) for one in context.gens()]


def nonnegative(quotient: Quotient) -> bool:
    """Whether no coefficient is negative, so that the quotient is at least 0 wherever the unknowns are."""
    return all(c >= 0 for part in (quotient.numerator, quotient.denominator) for c in part.coeffs())
