"""Options of an algorithm: keyword arguments of its `start` that a config or the command line can set."""

import math
from dataclasses import dataclass
from typing import Any

from mnlbandits.errors import InputError, is_number, require_choice

SWITCH = {"true": True, "false": False}
"""How a switch is written on the command line."""

RESERVED = ("algorithm", "preset", "calibrated_on", "problem", "generator")
"""Names that mean something else in a config or in `start`."""


MULTIPLIERS = (1e-30, 1e30)
"""Least and largest factor of calibrated constants: squares of these stay floating-point numbers."""


@dataclass(frozen=True)
class Option:
    """A keyword argument of `start`; what its values are is said by the default.

    Attributes
    ----------
    name, meaning : how it is given, and what it does.
    choices : the texts allowed, of which the first is the default unless `default` says otherwise.
    default : True or False of a switch; an integer or a float of a number of that kind. With none, and no choices, the
        option is a multiplier: a factor, in `MULTIPLIERS`, of ``calibrated`` constants, or 1. Others go with any preset.
    low, high : ends of the range of a number, both allowed.
    presets : the only ones that it goes with, if not with any.
    """

    name: str
    meaning: str
    choices: tuple[str, ...] = ()
    default: Any = None
    low: float = -math.inf
    high: float = math.inf
    presets: tuple[str, ...] = ()

    def goes_with(self, preset: str) -> bool:
        """Whether constants of this preset take it."""
        return preset == "calibrated" if self.multiplier else not self.presets or preset in self.presets

    @property
    def multiplier(self) -> bool:
        """Whether it is a factor of ``calibrated`` constants."""
        return not self.choices and self.default is None

    @property
    def usual(self) -> Any:
        """The value of an option that is left out."""
        if self.multiplier:
            return 1.0
        return self.choices[0] if self.default is None else self.default

    @property
    def written(self) -> str:
        """The value of an option that is left out, as the command line writes it."""
        return str(self.usual).lower() if isinstance(self.default, bool) else f"{self.usual}"

    @property
    def allowed(self) -> str:
        """The values allowed, in words."""
        if self.multiplier:
            return f"a number in [{MULTIPLIERS[0]:.0e}, {MULTIPLIERS[1]:.0e}]"
        if self.choices:
            return " or ".join(self.choices)
        if isinstance(self.default, bool):
            return "true or false"
        kind = "an integer" if isinstance(self.default, int) else "a finite number"
        low, high = (f"{end:.6g}" if isinstance(end, float) else str(end) for end in (self.low, self.high))
        if math.isinf(self.low) and math.isinf(self.high):
            return kind
        if math.isinf(self.high):
            return f"{kind} >= {low}"
        return f"{kind} <= {high}" if math.isinf(self.low) else f"{kind} in [{low}, {high}]"

    def accept(self, field: str, value: Any) -> Any:
        """The value as `start` gets it: an int of an integer option, a float of a real one.

        Raises
        ------
        InputError : it is not allowed.
        """
        if self.multiplier:
            if not is_number(value) or not MULTIPLIERS[0] <= value <= MULTIPLIERS[1]:
                raise InputError(field, value, self.allowed)
            return float(value)
        if self.choices:
            return require_choice(field, value, self.choices)
        kind = type(self.default)
        if kind is bool:
            right = isinstance(value, bool)
        else:
            right = is_number(value) and self.low <= value <= self.high and kind(value) == value
        if not right:
            raise InputError(field, value, self.allowed)
        return kind(value)

    def read(self, text: str) -> Any:
        """What a word of the command line stands for; one that stands for nothing stays, for `accept` to name."""
        if self.choices:
            return text
        if isinstance(self.default, bool):
            return SWITCH.get(text.lower(), text)
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                continue
        return text

    def check(self, field: str) -> None:
        """Raise `InputError` unless the option is one: with a name for an argument, and a default in its own range."""
        if not isinstance(self.name, str) or not self.name.isidentifier():
            raise InputError(f"{field}.name", self.name, "the name of a keyword argument")
        field = f"{field}.{self.name}"
        if self.name in RESERVED:
            raise InputError(field, self.name, f"another name than {', '.join(RESERVED)}")
        if not isinstance(self.meaning, str) or not self.meaning:
            raise InputError(f"{field}.meaning", self.meaning, "a text that says what the option does")
        if not isinstance(self.choices, tuple) or not all(isinstance(choice, str) for choice in self.choices):
            raise InputError(f"{field}.choices", self.choices, "a tuple of texts")
        if not (self.choices or self.default is None or type(self.default) in (bool, int, float)):
            raise InputError(f"{field}.default", self.default, "true, false, an integer, a float, or one of its choices")
        self.accept(f"{field}.default", self.usual)
