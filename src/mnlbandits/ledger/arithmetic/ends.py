"""Operations of the library's balls that look at their ends: tight where a ball is so wide that its centre says little."""

from collections.abc import Callable

import flint

WIDE = 12
"""Relative bits below which a ball is wide."""


def wide(ball: flint.arb) -> bool:
    """Whether a ball has so few certain bits that its ends say more than its centre and radius."""
    return ball.rel_accuracy_bits() < WIDE


def sign_of(ball: flint.arb) -> int:
    """1 or -1 if no number of the ball has the other sign, else 0."""
    return 1 if ball >= 0 else -1 if ball <= 0 else 0


def product(a: flint.arb, b: flint.arb) -> flint.arb:
    """a b; of wide balls that do not change their signs, from their ends."""
    if wide(a) or wide(b):
        sign = sign_of(a) * sign_of(b)
        if sign:
            return sign * (a.abs_lower() * b.abs_lower()).union(a.abs_upper() * b.abs_upper())
    return a * b


def quotient(a: flint.arb, b: flint.arb) -> flint.arb:
    """a/b likewise."""
    if wide(a) or wide(b):
        sign = sign_of(a) * sign_of(b)
        if sign:
            return sign * (a.abs_lower() / b.abs_upper()).union(a.abs_upper() / b.abs_lower())
    return a / b


def increasing(function: Callable[[flint.arb], flint.arb], x: flint.arb) -> flint.arb:
    """An increasing function; of a wide ball, from its ends."""
    return function(x.lower()).union(function(x.upper())) if wide(x) else function(x)
