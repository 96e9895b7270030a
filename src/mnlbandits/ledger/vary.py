"""A claim with other constants than the paper prints: which constants its check takes, and values for them from text."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from mnlbandits.errors import InputError
from mnlbandits.ledger.claim import CLAIMS, All, Check, Correction, Identities, Searched

Constants = dict[str, object]
"""Constants of a check by name, each with the value that the paper prints."""


def constants_of(id: str) -> Constants:
    """What `examine` takes for a claim, with the printed values; those of a mended form are called ``mended_x``."""
    entry = CLAIMS[id]
    known = taken(entry.check)
    return known | {name: None for name in entry.planted if name not in known}


def taken(check: Check) -> Constants:
    """What a check takes."""
    if isinstance(check, Correction):
        return taken(check.printed) | {f"mended_{name}": value for name, value in taken(check.mended).items()}
    if isinstance(check, All):
        return common(taken(part) for part in check.checks)
    if isinstance(check, Identities):
        return parameters(check.holds, {name for case in check.cases for name in case})
    if isinstance(check, Searched):
        coordinates = {
            name for case in check.cases for name in (*case, *(check.box(**case) if callable(check.box) else check.box))
        }
        return parameters(check.ratio, coordinates) | dict(check.fixed)
    return parameters(check, {"effort"})


def common(several: Iterable[Constants]) -> Constants:
    """What all of several checks take."""
    first, *others = several
    return {name: value for name, value in first.items() if all(name in other for other in others)}


def parameters(function: Callable, others: set[str]) -> Constants:
    """The parameters of a function that have a default value and none of these names."""
    found = inspect.signature(function).parameters.values()
    return {
        parameter.name: parameter.default
        for parameter in found
        if parameter.default is not parameter.empty and parameter.name not in others
    }


def assignments(id: str, texts: Iterable[str]) -> Mapping[str, object]:
    """``name=value`` texts as constants of a claim.

    Raises
    ------
    InputError : a text is no assignment, the claim has no such constant, or its value is neither a number nor true or false.
    """
    known = constants_of(id)
    given = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise InputError("--set", text, "a constant and its value, name=value")
        if name not in known:
            raise InputError("--set", name, f"a constant of {id}: {constants_in_words(id)}")
        given[name] = value_of(name, value)
    return given


def value_of(name: str, text: str) -> object:
    """A whole number, fraction, decimal number or truth value from its text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float, Fraction):
        try:
            return kind(text)
        except (ValueError, ZeroDivisionError):
            continue
    raise InputError(f"--set {name}", text, "a number, such as 3, 0.5, 1e6 or 1/3, or one of true, false")


def constants_in_words(id: str) -> str:
    """The constants of a claim with their printed values."""
    return ", ".join(f"{name} (printed: {in_short(value)})" for name, value in constants_of(id).items())


def in_short(value: object) -> str:
    """A printed value as one shows it; what stands for none is the paper's own."""
    return "as in the paper" if value is None else str(value)
