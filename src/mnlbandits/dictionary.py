"""What the columns of all tables of results mean, by kind of table, and the check that a table is as described.

``dictionary.yaml`` has the descriptions. No number depends on them, so an edit of theirs only typesets tables anew.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import yaml

from mnlbandits.errors import NOTHING, InputError, one_of, require_choice

if TYPE_CHECKING:
    import pandas as pd

FILE = Path(__file__).with_name("dictionary.yaml")

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Ten times as fast in C, where PyYAML was built with it."""

NUMBERS = ("integer", "floating", "mixed-integer-float")

STORED = {"text": ("string",), "truth": ("boolean",), "integer": NUMBERS, "number": NUMBERS}
"""By type of a column: how pandas may call the values that it stores."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    meaning : what its values are.
    type : ``text``, ``integer``, ``number`` or ``truth``.
    choices : the texts that they may be, empty if any.
    unit : of numbers, empty if they have none.
    range : of numbers, the interval of those allowed, as ``[0, inf)``.
    missing : what a missing value means, empty if none may be missing.
    optional : when there is such a column, empty if always.
    heading : in print, in LaTeX, empty if that is its name.
    latex : of texts, whether they are mathematics in LaTeX.
    """

    meaning: str
    type: str = "text"
    choices: Sequence[str] = ()
    unit: str = ""
    range: str = "(-inf, inf)"
    missing: str = ""
    optional: str = ""
    heading: str = ""
    latex: bool = False

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.type in ("integer", "number")

    @property
    def allowed(self) -> str:
        """What its values may be, as a phrase that completes "must be ..."."""
        words = {"text": "text", "truth": "True or False", "integer": "an integer in ", "number": "a number in "}
        phrase = words[self.type] + self.range * self.numeric
        if self.choices:
            phrase = "one of " + ", ".join(map(repr, self.choices))
        return f"{phrase}, or missing" if self.missing else phrase

    def faulty(self, values: "pd.Series") -> "pd.Series":
        """Those of `values` that are not allowed; an empty text is missing, as CSV does not tell them apart."""
        from pandas.api.types import infer_dtype  # slow to import, and a job that writes bare arrays does without

        there = values[values.notna()] if self.numeric else values[values.notna() & (values != "")]
        if len(there) < len(values) and not self.missing:
            return values.drop(there.index)
        stored = STORED[self.type]
        if len(there) and infer_dtype(there) not in stored:
            return there[[infer_dtype([value]) not in stored for value in there]]
        if self.choices:
            return there[~there.isin(self.choices)]
        return there[~self.in_range(there.to_numpy(dtype=float))] if self.numeric else there[:0]

    def faulty_numbers(self, values: np.ndarray) -> np.ndarray:
        """Those of an array of numbers that are not allowed."""
        if not self.numeric:
            return values
        absent = np.isnan(values)
        wrong: np.ndarray = values[~self.in_range(values) & ~absent | absent & (not self.missing)]
        return wrong

    def in_range(self, numbers: np.ndarray) -> np.ndarray:
        """Which numbers are in the range, and whole if they are to be."""
        low, high = map(float, self.range[1:-1].split(", "))
        above = numbers >= low if self.range.startswith("[") else numbers > low
        below = numbers <= high if self.range.endswith("]") else numbers < high
        inside: np.ndarray = above & below & ((self.type == "number") | (numbers == np.rint(numbers)))
        return inside


@dataclass(frozen=True)
class Table:
    """A kind of table.

    Attributes
    ----------
    row : what a row is.
    columns : by name, where ``{braces}`` stand for any text.
    printed : names of those that are there as LaTeX too, each alone or, of an interval, its two ends together.
    """

    row: str
    columns: Mapping[str, Column]
    printed: Sequence[tuple[str, ...]] = ()

    def column(self, name: str) -> Column | None:
        """The description of a column, if there is one."""
        if name in self.columns:
            return self.columns[name]
        families = (known for known in self.columns if "{" in known)
        found = (known for known in families if re.fullmatch(".+".join(map(re.escape, re.split(r"\{.*?\}", known))), name))
        return next((self.columns[known] for known in found), None)

    @property
    def required(self) -> list[str]:
        """The columns that it always has."""
        return [name for name, column in self.columns.items() if not column.optional and "{" not in name]


@cache
def tables() -> dict[str, Table]:
    """All kinds of tables by name."""
    entries = yaml.load(FILE.read_text(encoding="utf-8"), LOADER)["tables"]
    return {
        kind: Table(
            entry["row"],
            {name: Column(**column) for name, column in entry["columns"].items()},
            [(names,) if isinstance(names, str) else tuple(names) for names in entry.get("printed", ())],
        )
        for kind, entry in entries.items()
    }


def check_table(table: "pd.DataFrame | Mapping[str, np.ndarray]", kind: str) -> None:
    """Compare a table, or its columns of numbers by name, with the description of its kind.

    Raises
    ------
    InputError
        There is no such kind; a column is missing or not described; a value has another type, is out of range, or is
        missing where none may be. It names the kind, the column and the first such value.
    """
    described = tables()[require_choice("kind", kind, tables())]
    for name in described.required:
        if name not in table:
            raise InputError(f"{kind}.{name}", NOTHING, "a column")
    for name, values in table.items():
        column = described.column(name)
        if column is None:
            raise InputError(f"{kind}.{name}", name, one_of(described.columns))
        bare = isinstance(values, np.ndarray)
        faulty = (column.faulty_numbers(values) if bare else column.faulty(values.reset_index(drop=True))).tolist()
        if faulty:
            raise InputError(f"{kind}.{name}", faulty[0], column.allowed)
