"""``mnlbandits check``: whether an algorithm keeps the contract of all of them."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from mnlbandits.algorithms import Algorithm, get_algorithm, load
from mnlbandits.errors import InputError
from mnlbandits.files import require_writable, write_atomic
from mnlbandits.verify.contract import contract, golden_line

PATIENCE = 10
"""Seconds after which progress is shown."""


def run(options: argparse.Namespace) -> int:
    """Check, a line for every check; returns 1 if one fails."""
    algorithms = [algorithm for what in options.what for algorithm in algorithms_of(what)]
    record = Path(options.golden) if options.golden else None
    recorded = read(record) if record and record.exists() else None
    if record and recorded is None:
        require_writable("golden", record)
    failed = False
    for algorithm in algorithms:
        for name, passed, text in contract(algorithm, recorded, patiently):
            print(f"{'ok   ' if passed else 'FAILS'} {algorithm.name} {name}: {text}", flush=True)
            failed |= not passed
    if record and recorded is None and not failed:
        lines = dict(golden_line(algorithm, preset) for algorithm in algorithms for preset in algorithm.presets)
        text = "".join(f"{key}: {arms}\n" for key, arms in lines.items())
        write_atomic(record, lambda handle: handle.write(text.encode()))
    return int(failed)


def patiently(plays: Sequence[Any]) -> Iterable[Any]:
    """A progress bar that shows up after `PATIENCE`."""
    return tqdm(plays, unit="play", delay=PATIENCE, leave=False)


def algorithms_of(what: str) -> list[Algorithm]:
    """The algorithms of a file, or the one of this name."""
    return load(what) if what.endswith(".py") else [get_algorithm(what)]


def read(record: Path) -> dict[str, str]:
    """The lines of a record by name and preset.

    Raises
    ------
    InputError : the file is no record.
    """
    try:
        return dict(line.split(": ", 1) for line in record.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):
        raise InputError("golden", str(record), "a file that `mnlbandits check --golden` wrote") from None
