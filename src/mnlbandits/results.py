"""Reading and writing tables: byte-stable, whole or not there."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pyarrow  # noqa: F401  pandas reads and writes Parquet with it

from mnlbandits.files import write_atomic


def write_table(table: pd.DataFrame, path: Path | str) -> None:
    """Write a table by the path's suffix: ``.csv`` (floats as their shortest exact decimal), ``.parquet`` or ``.tex``."""
    suffix = Path(path).suffix
    if suffix == ".parquet":
        write_atomic(path, lambda handle: table.to_parquet(handle, index=False))
    elif suffix == ".tex":
        text = table.to_latex(index=False, float_format="%.4g", escape=True)
        write_atomic(path, lambda handle: handle.write(text.encode()))
    else:
        text = table.to_csv(index=False, lineterminator="\n")
        write_atomic(path, lambda handle: handle.write(text.encode()))


def read_table(path: Path | str) -> pd.DataFrame:
    """Read a table that `write_table` wrote as ``.csv`` or ``.parquet``."""
    return pd.read_parquet(path) if Path(path).suffix == ".parquet" else pd.read_csv(path)


def read_tables(paths: Iterable[Path | str], keys: Iterable[dict[str, str]]) -> pd.DataFrame:
    """Concatenate tables, each with the constant columns of its entry of `keys` put first."""
    tables = []
    for path, columns in zip(paths, keys, strict=True):
        table = read_table(path)
        for position, (key, value) in enumerate(columns.items()):
            table.insert(position, key, value)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)
