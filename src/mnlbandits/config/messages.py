"""Errors of a config in words."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from mnlbandits.errors import NOTHING, InputError, Words, one_of

TYPES = {"object": "a mapping", "array": "a list", "string": "text", "number": "a number", "integer": "an integer"}
"""What a schema's types are called in messages."""

LIMITS = {
    "minimum": ">= {}",
    "maximum": "<= {}",
    "exclusiveMinimum": "> {}",
    "exclusiveMaximum": "< {}",
    "minItems": "a list of {} or more entries",
    "minProperties": "a mapping of {} or more entries",
    "pattern": "a name of letters, digits, _ and -, 60 at most, the first no -",
}
"""What is allowed by a schema's keyword, with its value."""


def in_entry(problem: InputError, entry: str, owner: str) -> InputError:
    """An error of an instance or algorithm called `owner` as one of its `entry` of the config."""
    field = problem.field.removeprefix(f"{owner}.")
    value = NOTHING if problem.value is None else problem.value
    return InputError(f"{entry}.{field}", value, problem.allowed + advice(value, problem.allowed))


def explained(error: Any, above: str = "") -> InputError:
    """A `jsonschema` validation error as one sentence on one field, which has `above` before its own path."""
    path = (above + ".".join(str(part) for part in error.absolute_path)).rstrip(".")
    value, limit = error.instance, error.validator_value
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        unknown = next(key for key in value if key not in known)
        return InputError(f"{path}.{unknown}".lstrip("."), unknown, one_of(known))
    if error.validator == "required":
        missing = next(key for key in limit if key not in value)
        return InputError(f"{path}.{missing}".lstrip("."), NOTHING, "given")
    if error.validator == "uniqueItems":
        return InputError(path, next(one for place, one in enumerate(value) if one in value[:place]), "in the list once")
    if error.validator == "type":
        allowed = TYPES[limit] + advice(value, TYPES[limit])
    else:
        allowed = one_of(limit) if error.validator == "enum" else LIMITS[error.validator].format(limit)
    return InputError(path or "config", in_words(value), allowed)


def in_words(value: Any) -> Any:
    """A value as a message shows it: a mapping or a list only as what it is."""
    if value is None:
        return NOTHING
    if isinstance(value, Mapping | list):
        return Words(f"{'a' if value else 'an empty'} {'mapping' if isinstance(value, Mapping) else 'list'}")
    return value


def advice(value: Any, allowed: str) -> str:
    """How to write a number that YAML reads as text (``1e5``), or as a float where an integer is wanted (``2.0``)."""
    integer = "integer" in allowed
    if not isinstance(value, str | float) or not (integer or "number" in allowed):
        return ""
    try:
        number = Decimal(value)
    except InvalidOperation:
        return ""
    if not number.is_finite() or abs(number.adjusted()) > 30 or (integer and number != int(number)):
        return ""
    if isinstance(value, float):
        return f", written as {int(number)}" if integer else ""
    mantissa, _, exponent = value.lower().partition("e")
    digits = [str(int(number))] if number == int(number) else []
    if exponent and not integer:
        digits.append(f"{mantissa if '.' in mantissa else mantissa + '.0'}e{int(exponent):+d}")
    return f": YAML reads this as text, write {' or '.join(digits or [value])}"
