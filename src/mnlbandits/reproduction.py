"""The reproduction check: regenerated tables against the committed ones.

A table passes if its bytes are equal. Otherwise its rows are matched by key, those with the same key in their order, and
every other column is compared within the tolerance that ``reference/tolerances.yaml`` gives it, with a reason. Text must be
equal, no row missing and none new.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd

from mnlbandits.errors import InputError
from mnlbandits.files import write_atomic
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


def tables_in(folder: Path) -> list[str]:
    """The names of the tables of a folder, in order."""
    return sorted(path.name for path in folder.glob("*") if path.suffix in (".csv", ".parquet"))


def check_tables(regenerated: Path, reference: Path, tolerances: Mapping[str, Any]) -> list[TableCheck]:
    """Compare every table of the folder `reference` with its namesake in `regenerated`.

    `tolerances` maps a table's name to ``key`` (list of columns) and ``columns`` (column -> {relative, absolute, reason},
    and ``of`` if a number may differ relative to another column).

    Raises
    ------
    InputError : there is no reference, or a table has no entry in the tolerances.
    """
    expected = tables_in(reference)
    if not expected:
        raise InputError("reference", str(reference), "a folder with tables; `snakemake update_reference` makes it")
    checks = []
    for name in sorted({*expected, *(name for name in tables_in(regenerated) if Path(name).stem in tolerances)}):
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
    if new.duplicated(key).any() or old.duplicated(key).any():
        new, old = (table.assign(row=table.groupby(key).cumcount()) for table in (new, old))
        key = [*key, "row"]
    new, old = new.set_index(key).sort_index(), old.set_index(key).sort_index()
    missing, extra = old.index.difference(new.index), new.index.difference(old.index)
    messages = [f"missing row {row}" for row in missing[:WORST]] + [f"extra row {row}" for row in extra[:WORST]]
    common = old.index.intersection(new.index)
    cells = []
    for column in old.columns:
        ours, theirs = new.loc[common, column], old.loc[common, column]
        missing_in_both = ours.isna() & theirs.isna()
        if column in columns:
            rule = columns[column]
            allowed = rule["absolute"] + rule["relative"] * old.loc[common, rule.get("of", column)].abs()
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


def said(checks: Sequence[TableCheck], tables: Path, reference: Path) -> str:
    """What a reader is told: a line for a table that passes, the worst cells of one that does not, and what to do then."""
    lines = [f"{'pass' if check.passed else 'FAIL'}  {check.name}: " + "\n      ".join(check.messages) for check in checks]
    failed = sum(not check.passed for check in checks)
    if failed:
        lines.append(
            f"{failed} of {len(checks)} tables differ from {reference} by more than the tolerances allow. The tables are in "
            f"{tables}. If they are right, `snakemake update_reference` makes them the reference."
        )
    return "\n".join(lines)


def write_reports(checks: Sequence[TableCheck], json_file: Path | str, junit_file: Path | str) -> None:
    """Write the outcomes as JSON, a list of {table, passed, messages}, and as JUnit's XML, a test case a table."""
    outcomes = [{"table": check.name, "passed": check.passed, "messages": check.messages} for check in checks]
    text = json.dumps(outcomes, indent=1) + "\n"
    write_atomic(json_file, lambda handle: handle.write(text.encode()))
    failures = str(sum(not check.passed for check in checks))
    suite = ElementTree.Element("testsuite", name="reproduction", tests=str(len(checks)), failures=failures)
    for check in checks:
        case = ElementTree.SubElement(suite, "testcase", classname="reproduction", name=check.name)
        element = ElementTree.SubElement(case, "system-out" if check.passed else "failure")
        element.text = "\n".join(check.messages)
    write_atomic(
        junit_file, lambda handle: handle.write(ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True))
    )


def replace_reference(regenerated: Path, reference: Path, tables: Mapping[str, Any]) -> None:
    """Make `reference` hold exactly the `tables` of `regenerated`."""
    shutil.rmtree(reference, ignore_errors=True)
    reference.mkdir(parents=True)
    for name in tables_in(regenerated):
        if Path(name).stem in tables:
            shutil.copyfile(regenerated / name, reference / name)
