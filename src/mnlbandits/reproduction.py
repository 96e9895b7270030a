"""The reproduction check: regenerated tables against the committed ones.

A table passes if its bytes are equal. Otherwise its rows are matched by key and every other column compared within the
tolerance that ``reference/tolerances.yaml`` gives it, with a reason. Text must be equal, no row missing and none new.
"""

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mnlbandits.errors import InputError
from mnlbandits.results import read_table

WORST = 10
"""Cells listed for a table that differs."""


@dataclass
class TableCheck:
    """Outcome for one table: `passed`, and what there is to say."""

    name: str
    passed: bool
    messages: list[str] = field(default_factory=list)


def sha256(path: Path) -> str:
    """Hash of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_tables(regenerated: Path, reference: Path, tolerances: Mapping[str, Any]) -> list[TableCheck]:
    """Compare every table of the folder `reference` with its namesake in `regenerated`.

    `tolerances` maps a table's name to ``key`` (list of columns) and ``columns`` (column -> {relative, absolute, reason}).

    Raises
    ------
    InputError : there is no reference, or a table has no entry in the tolerances.
    """
    expected = sorted(path.name for path in reference.glob("*.csv"))
    if not expected:
        raise InputError("reference", str(reference), "a folder with tables; `snakemake update_reference` makes it")
    checks = []
    for name in sorted({*expected, *(path.name for path in regenerated.glob("*.csv") if path.stem in tolerances)}):
        if not (regenerated / name).exists():
            checks.append(TableCheck(name, False, ["not regenerated"]))
        elif not (reference / name).exists():
            checks.append(TableCheck(name, False, ["not in the reference"]))
        else:
            checks.append(check_table(regenerated / name, reference / name, tolerances))
    return checks


def check_table(regenerated: Path, reference: Path, tolerances: Mapping[str, Any]) -> TableCheck:
    """Compare one table, by hash first and by key otherwise."""
    if sha256(regenerated) == sha256(reference):
        return TableCheck(reference.name, True, ["identical bytes"])
    if reference.stem not in tolerances:
        raise InputError(f"tolerances.{reference.stem}", None, "present, as the tables differ")
    rules = tolerances[reference.stem]
    return compare(read_table(regenerated), read_table(reference), rules["key"], rules["columns"], reference.name)


def compare(
    new: pd.DataFrame, old: pd.DataFrame, key: list[str], columns: Mapping[str, Mapping[str, Any]], name: str
) -> TableCheck:
    """Compare two tables by key, see the module's docstring."""
    if list(new.columns) != list(old.columns):
        return TableCheck(name, False, [f"columns {list(new.columns)}, expected {list(old.columns)}"])
    for table, label in ((new, "regenerated"), (old, "reference")):
        if table.duplicated(key).any():
            return TableCheck(name, False, [f"{label}: the key {key} is not unique"])
    new, old = new.set_index(key).sort_index(), old.set_index(key).sort_index()
    missing, extra = old.index.difference(new.index), new.index.difference(old.index)
    messages = [f"missing row {row}" for row in missing[:WORST]] + [f"extra row {row}" for row in extra[:WORST]]
    common = old.index.intersection(new.index)
    cells = []
    for column in old.columns:
        ours, theirs = new.loc[common, column], old.loc[common, column]
        missing_in_both = ours.isna() & theirs.isna()
        if column in columns:
            allowed = columns[column]["absolute"] + columns[column]["relative"] * theirs.abs()
            equal = (ours == theirs) | missing_in_both
            excess = ((ours - theirs).abs() / allowed.where(allowed > 0, np.finfo(float).tiny)).where(~equal, 0.0)
            excess = excess.fillna(np.inf)
        else:
            equal = (ours.astype(str) == theirs.astype(str)) | missing_in_both
            excess = pd.Series(np.where(equal, 0.0, np.inf), index=common)
        cells += [(value, column, row) for row, value in excess.items() if value > 0]
    failed = [cell for cell in cells if cell[0] > 1]
    for value, column, row in sorted(cells, key=lambda cell: -cell[0])[:WORST]:
        messages.append(
            f"{column} at {row}: {new.loc[row, column]!r}, expected {old.loc[row, column]!r}, {value:.3g} x tolerance"
        )
    return TableCheck(name, not (len(missing) or len(extra) or failed), messages)


def replace_reference(regenerated: Path, reference: Path, tables: Mapping[str, Any]) -> None:
    """Make `reference` hold exactly the `tables` of `regenerated`."""
    shutil.rmtree(reference, ignore_errors=True)
    reference.mkdir(parents=True)
    for name in sorted(tables):
        shutil.copyfile(regenerated / f"{name}.csv", reference / f"{name}.csv")
