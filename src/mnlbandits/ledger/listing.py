"""The verdicts as a package carries them: a row per claim, read at once, without examining anything."""

import csv
from collections.abc import Mapping
from pathlib import Path

from mnlbandits.errors import InputError, require_choice

LISTING = Path(__file__).with_name("listing.csv")
"""Columns: id, label, place, statement, section, verdict, level, effect, slip, ours, theorems."""

Row = Mapping[str, str]


def listed(
    ids: list[str] | None = None, verdict: str | None = None, label: str | None = None, theorem: str | None = None
) -> list[Row]:
    """Rows of `LISTING` in the order of the paper: those of these ids, verdict, label of the source, proof of a theorem.

    Raises
    ------
    InputError : no claim has such an id, label or theorem, or there is no such verdict.
    """
    with LISTING.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    verdicts = {row["verdict"] for row in rows}
    if ids:
        chosen = [known_id(id, rows) for id in ids]
        rows = [row for row in rows if row["id"] in chosen]
    if verdict is not None:
        require_choice("verdict", verdict, verdicts)
        rows = [row for row in rows if row["verdict"] == verdict]
    if label is not None:
        require_choice("label", label, sorted({name for row in rows for name in row["label"].split("; ")} - {""}))
        rows = [row for row in rows if label in row["label"].split("; ")]
    if theorem is not None:
        require_choice("theorem", theorem, sorted({name for row in rows for name in row["theorems"].split()}))
        rows = [row for row in rows if theorem in row["theorems"].split()]
    return rows


def known_id(id: str, rows: list[Row]) -> str:
    """The claim that is meant, whatever the case of its letters."""
    found = next((row["id"] for row in rows if row["id"].lower() == id.strip().lower()), None)
    if found is None:
        raise InputError("claim", id, "one that `mnlbandits claims` lists")
    return found
