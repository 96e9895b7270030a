"""The one error a user can cause, and the small checks that raise it."""

import math
from collections.abc import Collection
from numbers import Integral, Real
from typing import Any


class InputError(ValueError):
    """A value from outside (config, command line, instance file, algorithm) that is not allowed.

    Parameters
    ----------
    field : the name under which the user gave the value.
    value : what was given.
    allowed : what would have been accepted, as a phrase that completes "must be ...".
    """

    def __init__(self, field: str, value: Any, allowed: str) -> None:
        self.field, self.value, self.allowed = field, value, allowed
        super().__init__(f"{field}: got {value!r}, must be {allowed}")

    def __reduce__(self):
        return (InputError, (self.field, self.value, self.allowed))


def is_number(value: Any) -> bool:
    """Whether `value` is a finite real number, and not a truth value."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def require_integer(field: str, value: Any, low: int, high: int | None = None) -> int:
    """Return `value` as an int in [low, high]; floats that hold an integer (``1e5``) are accepted."""
    allowed = f"an integer >= {low}" if high is None else f"an integer in [{low}, {high:.0e}]"
    if not is_number(value):
        raise InputError(field, value, allowed)
    if not isinstance(value, Integral) and value != int(value):
        raise InputError(field, value, allowed)
    if value < low or (high is not None and value > high):
        raise InputError(field, value, allowed)
    return int(value)


def require_positive(field: str, value: Any) -> float:
    """Return `value` as a finite float > 0."""
    if not is_number(value) or value <= 0:
        raise InputError(field, value, "a finite number > 0")
    return float(value)


def require_probability(field: str, value: Any) -> float:
    """Return `value` as a float strictly between 0 and 1."""
    if not is_number(value) or not 0 < value < 1:
        raise InputError(field, value, "a number strictly between 0 and 1")
    return float(value)


def require_choice(field: str, value: Any, choices: Collection[str]) -> str:
    """Return `value` if it is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise InputError(field, value, "one of " + ", ".join(sorted(choices)))
    return value


def require_known_keys(field: str, given: Collection[str], known: Collection[str]) -> None:
    """Raise for the first key of `given` that is not in `known`."""
    for key in given:
        if key not in known:
            raise InputError(f"{field}.{key}", key, "one of " + ", ".join(sorted(known)))
