"""Intervals that hold the true value whatever the rounding."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial

import flint
import numpy as np
from numpy.typing import ArrayLike, NDArray

from mnlbandits.ledger.arithmetic.ends import increasing, product, quotient, wide
from mnlbandits.ledger.arithmetic.protocol import Undecided, Value, objects

BITS = 200
"""Bits of a ball at a single point, more than 50 digits."""

SUBINTERVALS = 64
"""Equal parts of [0, 1] over which `BallArithmetic` integrates."""


def elementwise(operator: Callable[["Ball", "Operand"], "Ball"]) -> Callable[["Ball", "Operand"], "Ball"]:
    """An operator of balls that leaves arrays to numpy."""
    return lambda self, other: NotImplemented if isinstance(other, np.ndarray) else operator(self, other)


class Ball:
    """An interval that holds a real number; see the module.

    Raises
    ------
    Undecided : by a comparison, a division, a root or a logarithm that some numbers of the ball would answer otherwise.
    TypeError : where it is to become a float, an int or a number of another library, as its radius would be lost.
    """

    __slots__ = ("arb",)
    __hash__ = None

    def __init__(self, value: "Value | flint.arb | Ball"):
        if isinstance(value, Ball):
            self.arb = value.arb
        elif isinstance(value, Fraction):
            self.arb = flint.arb(flint.fmpq(value.numerator, value.denominator))
        elif isinstance(value, flint.arb | int | str):
            self.arb = flint.arb(value)
        elif isinstance(value, float | np.floating):
            self.arb = flint.arb(float(value))
        elif isinstance(value, np.integer):
            self.arb = flint.arb(int(value))
        else:
            raise TypeError(f"no ball holds {value!r}")

    def __repr__(self) -> str:
        return f"Ball({self.arb.str(15)})"

    @elementwise
    def __add__(self, other: "Operand") -> "Ball":
        return Ball(self.arb + arb_of(other))

    __radd__ = __add__

    @elementwise
    def __sub__(self, other: "Operand") -> "Ball":
        return Ball(self.arb - arb_of(other))

    @elementwise
    def __rsub__(self, other: "Operand") -> "Ball":
        return Ball(arb_of(other) - self.arb)

    @elementwise
    def __mul__(self, other: "Operand") -> "Ball":
        return Ball(product(self.arb, arb_of(other)))

    __rmul__ = __mul__

    @elementwise
    def __truediv__(self, other: "Operand") -> "Ball":
        return Ball(quotient(self.arb, nonzero(arb_of(other))))

    @elementwise
    def __rtruediv__(self, other: "Operand") -> "Ball":
        return Ball(quotient(arb_of(other), nonzero(self.arb)))

    def __pow__(self, exponent: int) -> "Ball":
        if not isinstance(exponent, int):
            return BALLS.power(self, exponent)
        if exponent < 0:
            return 1 / self**-exponent
        if exponent % 2 == 0:
            ends = self.arb.abs_lower() ** exponent, self.arb.abs_upper() ** exponent
            return Ball(ends[0].union(ends[1]))
        return Ball(self.arb**exponent)

    def __rpow__(self, base: "Operand") -> "Ball":
        return BALLS.power(base, self)

    def __neg__(self) -> "Ball":
        return Ball(-self.arb)

    def __pos__(self) -> "Ball":
        return self

    def __abs__(self) -> "Ball":
        return Ball(abs(self.arb))

    def __lt__(self, other: "Operand") -> bool:
        return decided(self.arb < arb_of(other), self.arb >= arb_of(other))

    def __le__(self, other: "Operand") -> bool:
        return decided(self.arb <= arb_of(other), self.arb > arb_of(other))

    def __gt__(self, other: "Operand") -> bool:
        return decided(self.arb > arb_of(other), self.arb <= arb_of(other))

    def __ge__(self, other: "Operand") -> bool:
        return decided(self.arb >= arb_of(other), self.arb < arb_of(other))

    def __eq__(self, other: object) -> bool:
        return decided(self.arb == arb_of(other), self.arb != arb_of(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __float__(self) -> float:
        raise TypeError("a ball is no float: its radius would be lost")

    def __int__(self) -> int:
        raise TypeError("a ball is no int: its radius would be lost")

    @property
    def _mpf_(self) -> tuple:
        raise TypeError("a ball is no number of 50 digits: its radius would be lost")

    @property
    def lower(self) -> float:
        """A float that no number of the ball is below."""
        return math.nextafter(float(self.arb.lower()), -math.inf)

    @property
    def upper(self) -> float:
        """A float that no number of the ball exceeds; inf for a ball that holds no information."""
        high = float(self.arb.upper())
        return math.inf if math.isnan(high) else math.nextafter(high, math.inf)


Operand = Ball | Value


def arb_of(value: Operand) -> flint.arb:
    """The library's ball behind a number."""
    return value.arb if isinstance(value, Ball) else Ball(value).arb


def decided(certainly: bool, certainly_not: bool) -> bool:
    """The answer of a comparison of which the library says whether it, or its contrary, is certain."""
    if certainly == certainly_not:
        raise Undecided("a comparison of balls that overlap")
    return certainly


def nonzero(divisor: flint.arb) -> flint.arb:
    """A divisor that is certainly not 0."""
    if not divisor != 0:
        raise Undecided("a division by a ball that holds 0")
    return divisor


def positive(x: Operand, strictly: bool) -> flint.arb:
    """The argument of a logarithm or, not `strictly`, of a root."""
    found = arb_of(x)
    if not (found > 0 if strictly else found >= 0):
        raise Undecided("a root or a logarithm of a ball that is not certainly positive")
    return found


def applied(function: Callable[[flint.arb], flint.arb]) -> Callable[[object, Operand], Ball]:
    """A function of the library as a method of `BallArithmetic`."""
    return lambda _, x: Ball(function(arb_of(x)))


INCREASING = (flint.arb.exp, flint.arb.expm1, flint.arb.sinh, flint.arb.tanh, flint.arb.atan)


class BallArithmetic:
    """Intervals, rounded outwards; `precision` says to how many bits."""

    name = "balls"
    exp, expm1, sinh, tanh, atan = (applied(partial(increasing, f)) for f in INCREASING)
    cos, sin, digamma = applied(flint.arb.cos), applied(flint.arb.sin), applied(flint.arb.digamma)

    @property
    def pi(self) -> Ball:
        return Ball(flint.arb.pi())

    @property
    def e(self) -> Ball:
        return Ball(flint.arb.const_e())

    def number(self, value: Value) -> Ball:
        return Ball(Fraction(value))

    def between(self, low: Operand, high: Operand) -> Ball:
        """The ball of all numbers from `low` to `high`."""
        return Ball(arb_of(low).union(arb_of(high)))

    def cosh(self, x: Operand) -> Ball:
        size = abs(arb_of(x))
        return Ball(size.abs_lower().cosh().union(size.abs_upper().cosh()) if wide(size) else size.cosh())

    def log(self, x: Operand) -> Ball:
        return Ball(increasing(flint.arb.log, positive(x, True)))

    def log1p(self, x: Operand) -> Ball:
        positive(1 + Ball(x), True)
        return Ball(increasing(flint.arb.log1p, arb_of(x)))

    def sqrt(self, x: Operand) -> Ball:
        return Ball(increasing(flint.arb.sqrt, positive(x, False)))

    def power(self, x: Operand, exponent: Operand) -> Ball:
        return self.exp(self.log(x) * exponent)

    def maximum(self, *values: Operand) -> Ball:
        first, *rest = map(arb_of, values)
        for other in rest:
            first = first.max(other)
        return Ball(first)

    def minimum(self, *values: Operand) -> Ball:
        return -self.maximum(*(-Ball(value) for value in values))

    def norm(self, entries: Sequence[Operand]) -> Ball:
        return Ball(arb_of(sum(Ball(entry) ** 2 for entry in entries)).nonnegative_part().sqrt())

    def integral(self, function: Callable[[Ball], Ball]) -> Ball:
        edges = [Ball(Fraction(part, SUBINTERVALS)) for part in range(SUBINTERVALS + 1)]
        return sum(function(self.between(*ends)) for ends in itertools.pairwise(edges)) / SUBINTERVALS

    def array(self, entries: ArrayLike) -> NDArray:
        return objects(entries, Ball)

    def inverse(self, matrix: NDArray) -> NDArray:
        try:
            return objects(library_matrix(matrix).inv().tolist(), Ball)
        except ZeroDivisionError as error:
            raise Undecided("an inverse of a matrix of balls") from error

    def determinant(self, matrix: NDArray) -> Ball:
        return Ball(library_matrix(matrix).det())

    def eigenvalues(self, symmetric: NDArray) -> list[Ball]:
        try:
            values = [value.real for value in flint.acb_mat(library_matrix(symmetric)).eig(multiple=True)]
        except ValueError as error:
            raise Undecided("eigenvalues of a matrix of balls") from error
        return [Ball(value) for value in sorted(values, key=lambda value: float(value.mid()))]


def library_matrix(matrix: NDArray) -> flint.arb_mat:
    """The library's matrix of balls."""
    return flint.arb_mat([[arb_of(entry) for entry in row] for row in matrix.tolist()])


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls are rounded to this many bits within."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


BALLS = BallArithmetic()
