"""Formulas in the three arithmetics at once, and identities that must fail where a constant is wrong."""

import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from mnlbandits.ledger.arithmetic import BALLS, BITS, DIGITS, FLOATS, Arithmetic, Ball, precision

FLOAT_ERROR = 1e-10
"""Of floats, relative, and absolute where a value is 0: rounding of 1e-16 times the condition of the points chosen."""

DIGIT_ERROR = "1e-40"
"""Of 50 digits: their own rounding times the same condition."""

TIGHT = 1e-20
"""What a ball at a point may be wide, of 200 bits, so that one that says nothing does not pass."""


def converted(m: Arithmetic, value: object) -> object:
    """An argument with its floats and fractions as numbers of the arithmetic; integers, texts and integer arrays stay."""
    if isinstance(value, float | Fraction):
        return m.number(value)
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind == "i" else m.array(value)
    if isinstance(value, Mapping):
        return {key: converted(m, entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        entries = [converted(m, entry) for entry in value]
        return type(value)(*entries) if hasattr(value, "_fields") else type(value)(entries)
    return value


def flat(value: object) -> list:
    """All numbers of a nested result."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return [number for entry in value for number in flat(entry)] if isinstance(value, list | tuple) else [value]


def as_floats(value: object) -> object:
    """A nested result with floats for its numbers."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return [as_floats(entry) for entry in value] if isinstance(value, list | tuple) else float(value)


def everywhere(formula: Callable, *arguments: object, loose: bool = False, **named: object) -> object:
    """What a formula gives in 50 digits, as floats, after the check that floats are close to it and balls hold it.

    Parameters
    ----------
    loose : balls may be wide, as those of integrals are.
    """
    takes = next(iter(inspect.signature(formula).parameters)) == "m"
    results = []
    with precision(BITS):
        for m in (FLOATS, DIGITS, BALLS):
            given = [converted(m, value) for value in arguments]
            results.append(formula(*([m] if takes else []), *given, **converted(m, named)))
        floats, digits, balls = (flat(result) for result in results)
        for rough, precise, ball in zip(floats, digits, balls, strict=True):
            assert abs(float(rough) - float(precise)) <= FLOAT_ERROR * max(1.0, abs(float(precise)))
            exact = Ball(precise) if isinstance(precise, int | Fraction) else Ball(DIGITS.context.nstr(precise, 50))
            error = Ball(f"0 +/- {DIGIT_ERROR}").arb * (1 + abs(exact.arb))
            assert Ball(ball).arb.overlaps(exact.arb + error), (ball, precise)
            assert loose or float(Ball(ball).arb.rad()) <= TIGHT * (1 + abs(float(precise)))
    return as_floats(results[1])


def assert_decides(identity: Callable[..., bool], sizes: Mapping[str, tuple] | None = None, **wrong: object) -> None:
    """Assert that an identity holds as it stands and not with any of its parameters wrong; `wrong` has to name them all.

    Parameters
    ----------
    sizes : parameters that are sizes, for which it holds whatever they are, with some of them.
    """
    named = [p.name for p in inspect.signature(identity).parameters.values() if p.kind is not p.VAR_KEYWORD]
    assert sorted(named) == sorted([*wrong, *(sizes or {})])
    assert identity()
    for name, value in wrong.items():
        for each in value if isinstance(value, list) else [value]:
            assert not identity(**{name: each}), (name, each)
    for name, values in (sizes or {}).items():
        assert all(identity(**{name: value}) for value in values)
