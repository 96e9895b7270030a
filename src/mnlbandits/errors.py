"""The one error a user can cause, and the small checks that raise it."""

import math
from collections.abc import Collection
from numbers import Integral, Real
from typing import Any

LONGEST_SHOWN = 200
"""Characters of a value that a message shows at most."""


class Words(str):
    """A value that messages describe by these words."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


NOTHING = Words("nothing")
"""What was given for a key that is missing."""


def shown(value: Any) -> str:
    """A value as one line of `LONGEST_SHOWN` characters at most."""
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):  # thousands of digits, or of brackets
        return "a value too long to show"
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 30]} ... {text[-20:]}"


def printable(text: str) -> str:
    """A text with what cannot be printed, such as the end of a line in a name, as Python writes it."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


class InputError(ValueError):
    """A value from outside (config, command line, instance file, algorithm) that is not allowed.

    Parameters
    ----------
    field : str
        The name under which the user gave the value.
    value : object
        What was given.
    allowed : str
        What would have been accepted, as a phrase that completes "must be ...".

    Examples
    --------
    >>> from mnlbandits import InputError
    >>> raise InputError("norm_bound", -1, "a finite number > 0")
    Traceback (most recent call last):
    mnlbandits.errors.InputError: norm_bound: got -1, must be a finite number > 0
    """

    def __init__(self, field: str, value: Any, allowed: str) -> None:
        self.field, self.value, self.allowed = field, value, allowed
        super().__init__(printable(f"{field}: got {shown(value)}, must be {allowed}"))

    def __reduce__(self) -> tuple[type, tuple[str, Any, str]]:
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
    top = high if high is None or high < 10**6 else f"{high:.0e}"
    allowed = f"an integer >= {low}" if high is None else f"an integer in [{low}, {top}]"
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


def one_of(choices: Collection[str]) -> str:
    """What is allowed where only `choices` are."""
    return "one of " + ", ".join(sorted(choices)) if choices else "left out"


def require_choice(field: str, value: Any, choices: Collection[str]) -> str:
    """Return `value` if it is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise InputError(field, value, one_of(choices))
    return value


def require_known_keys(field: str, given: Collection[str], known: Collection[str]) -> None:
    """Raise for the first key of `given` that is not in `known`."""
    for key in given:
        if key not in known:
            raise InputError(f"{field}.{key}", key, one_of(known))
