"""``mnlbandits plot``: the regret of simulated runs."""

import argparse
from pathlib import Path

import pandas as pd

from mnlbandits.commands.options import FORMATS
from mnlbandits.errors import InputError
from mnlbandits.files import require_writable
from mnlbandits.instances.tables import reading
from mnlbandits.plots import style
from mnlbandits.plots.curves import plot_tables

COLUMNS = {"run", "t", "regret", "instance", "algorithm", "preset"}


def run(options: argparse.Namespace) -> None:
    """Draw and write."""
    if Path(options.out).suffix not in FORMATS:
        raise InputError("out", options.out, "a path that ends in " + " or ".join(FORMATS))
    tables = [named_regret(words) for words in options.files]
    require_writable("out", options.out)
    size = tuple(options.size) if options.size else None
    style.save(plot_tables(tables, size, not options.linear, options.together), options.out)
    print(f"wrote {options.out}")


def named_regret(words: str) -> pd.DataFrame:
    """The table of ``FILE`` or of ``NAME=FILE``, which is its name in the legend."""
    name, equals, file = words.partition("=")
    if not equals or Path(words).exists():
        return read_regret(words)
    return read_regret(file).assign(algorithm=name)


def read_regret(file: str) -> pd.DataFrame:
    """A table that ``mnlbandits simulate`` wrote.

    Raises
    ------
    InputError : it cannot be read, or lacks one of `COLUMNS`.
    """
    with reading("file", file, "table that simulate wrote"):
        table = pd.read_parquet(file) if file.endswith(".parquet") else pd.read_csv(file)
    missing = sorted(COLUMNS - set(table.columns))
    if missing:
        raise InputError("file", file, f"a table that simulate wrote, with the column {missing[0]}")
    return table
