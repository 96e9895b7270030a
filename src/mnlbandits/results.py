"""Reading and writing tables: as the dictionary describes them, byte-stable, whole or not there.

pandas takes a third of a second to import: columns of numbers are written and read without it.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow
from pyarrow import parquet

from mnlbandits.dictionary import check_table, tables
from mnlbandits.files import write_atomic

if TYPE_CHECKING:
    import pandas as pd


def write_columns(columns: Mapping[str, np.ndarray], path: Path | str, kind: str) -> None:
    """Write columns of numbers, by name, as Parquet; `kind` and errors as of `write_table`."""
    check_table(columns, kind)
    table = pyarrow.table({name: arrow(np.ascontiguousarray(values)) for name, values in columns.items()})
    write_atomic(path, lambda handle: parquet.write_table(table, handle))


def arrow(numbers: np.ndarray) -> pyarrow.Array:
    """An array of numbers as one of Arrow, which would import pandas if it were to look at it itself."""
    kind = pyarrow.from_numpy_dtype(numbers.dtype)
    return pyarrow.Array.from_buffers(kind, len(numbers), [None, pyarrow.py_buffer(numbers)])


def write_table(table: "pd.DataFrame", path: Path | str, kind: str) -> None:
    """Write a table, as Parquet if the path ends in ``.parquet``, else as CSV (floats as their shortest exact decimal).

    Parameters
    ----------
    kind : of table, one of `mnlbandits.dictionary.tables`.

    Raises
    ------
    InputError : the table is not as its kind is described, see `mnlbandits.dictionary.check_table`.
    """
    check_table(table, kind)
    if Path(path).suffix == ".parquet":
        write_atomic(path, lambda handle: table.to_parquet(handle, index=False))
    else:
        text = table.to_csv(index=False, lineterminator="\n")
        write_atomic(path, lambda handle: handle.write(text.encode()))


def read_table(path: Path | str, kind: str | None = None) -> "pd.DataFrame":
    """Read a table that `write_table` wrote; from CSV, texts that look like numbers stay texts if its `kind` is given."""
    import pandas as pd

    if Path(path).suffix == ".parquet":
        return pd.read_parquet(path)
    texts = [name for name, column in tables()[kind].columns.items() if column.type == "text"] if kind else []
    return pd.read_csv(path, dtype=dict.fromkeys(texts, "str"), keep_default_na=False, na_values=[""])


def read_tables(paths: Iterable[Path | str], keys: Iterable[dict[str, str]]) -> "pd.DataFrame":
    """Concatenate tables, each with the constant columns of its entry of `keys` put first."""
    import pandas as pd

    parts = []
    for path, columns in zip(paths, keys, strict=True):
        table = read_table(path)
        for position, (key, value) in enumerate(columns.items()):
            table.insert(position, key, value)
        parts.append(table)
    return pd.concat(parts, ignore_index=True)
