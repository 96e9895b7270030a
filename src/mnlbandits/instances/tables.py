"""Tables of numbers in a user's files: CSV, Parquet, and the arrays of NPZ. Nothing is ever unpickled.

A CSV file is in UTF-8, with commas between cells and points in numbers.
"""

import errno
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mnlbandits.errors import NOTHING, InputError
from mnlbandits.model.softmax import Array

LARGEST = 400_000_000
"""Bytes of a file, or of its numbers where they are packed: 2e7 numbers or more, of which Python makes a few gigabytes."""

LABELS = ("arm", "outcome")
"""Names of a first column that holds no numbers but what the rows are called."""

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL")
"""Cells of a CSV file in which there is nothing."""


class Table(NamedTuple):
    """Numbers, and the names of their columns, none where a file has none."""

    values: Array
    names: tuple[str, ...]


@contextmanager
def reading(field: str, value: Any, kind: str) -> Iterator[None]:
    """Turn any error of reading a file, of which a garbled one raises nearly any, into one that names it."""
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise InputError(field, str(value), "a file that fits into memory") from None
    except Exception as error:
        missing = os.strerror(errno.ENOENT) if isinstance(error, FileNotFoundError) else ""  # which pyarrow words otherwise
        reason = getattr(error, "strerror", None) or missing or " ".join(str(error).split())
        raise InputError(field, str(value), f"a readable {kind} ({reason})") from None


def within_memory(field: str, path: Path | str, size: int | None = None) -> None:
    """Raise `InputError` for a file of more than `LARGEST` bytes, or whose unpacked numbers take more (`size`)."""
    size = Path(path).stat().st_size if size is None else size
    if size > LARGEST:
        raise InputError(field, str(path), f"at most {LARGEST:.0e} bytes of numbers, for memory, and these are {size:.3g}")


@contextmanager
def open_npz(field: str, path: Path | str) -> Iterator[Any]:
    """An NPZ file whose arrays are small enough for memory, open.

    Raises
    ------
    InputError : they are not.
    ValueError, OSError, .. : it cannot be read.
    """
    with Path(path).open("rb") as file:
        start = file.read(6)
        if start == b"\x93NUMPY":
            raise ValueError("it holds one array without a name")
        if not start.startswith(b"PK"):
            raise ValueError("it is no NPZ file")
        file.seek(0)
        with np.load(file, allow_pickle=False) as data:
            within_memory(field, path, sum(member.file_size for member in data.zip.infolist()))
            yield data


def read_columns(field: str, path: Path | str, header: bool | None = True) -> Any:
    """A CSV or Parquet file as a pandas frame with its columns' names as text; cells of CSV are text.

    Parameters
    ----------
    field : what the file was named as.
    header : whether the first row of CSV has names; None: if no cell of it is a number, else columns are called 1, 2, ..

    Raises
    ------
    InputError : no such file, too large, not readable, no row, or names that are not different.
    """
    import pandas as pd  # slow to import, and most instances do without

    path = Path(path)
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(field, str(path), "a table that ends in .csv or .parquet")
    with reading(field, path, "table"):
        within_memory(field, path)
        if path.suffix == ".parquet":
            from pyarrow import parquet

            shape = parquet.read_metadata(path)
            within_memory(field, path, 8 * shape.num_rows * shape.num_columns)
            frame = pd.read_parquet(path)
            names = [str(name) for name in frame.columns]
        else:
            frame = pd.read_csv(path, header=None, dtype=str, na_filter=False, encoding="utf-8-sig")
            first = [str(cell).strip() for cell in frame.iloc[0]]
            if len(first) == 1 and ";" in first[0]:
                allowed = "a CSV file with commas between cells and points in numbers, and it has semicolons"
                raise InputError(field, str(path), allowed)
            if header is None:
                header = names_in(field, path, first)
            names = first if header else [str(place) for place in range(1, len(first) + 1)]
            frame = frame.iloc[1:] if header else frame
    return named_columns(field, path, frame, names)


def named_columns(field: str, where: Path | str, frame: Any, names: list[str]) -> Any:
    """A frame with its columns called by these names, and its rows 0, 1, ..

    Raises
    ------
    InputError : the names are not different, or there is no row.
    """
    wrong = [name for place, name in enumerate(names) if not name or name in names[:place]]
    if wrong:
        raise InputError(field, str(where), f"a table whose columns have different names, and not one like {wrong[0]!r}")
    if not len(frame):
        raise InputError(field, str(where), "a table with a row below its names")
    return frame.set_axis(names, axis=1).reset_index(drop=True)


def names_in(field: str, path: Path, first: list[str]) -> bool:
    """Whether the first row of a file has names and not numbers; `InputError` for some of both."""
    numbers = [cell for cell in first if not math.isnan(number(cell)) or cell in MISSING]
    if numbers and len(numbers) < len(first):
        text = next(cell for cell in first if cell not in numbers)
        raise InputError(field, text, f"a number, or row 1 of {path.name} one of names alone, and it has {numbers[0]!r}")
    return not numbers


def number(cell: Any) -> float:
    """A cell as a number, NaN where it is none."""
    try:
        return math.nan if isinstance(cell, str) and "_" in cell else float(cell)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def numbers(field: str, cells: Any, path: Path | str) -> Array:
    """A column (n,) of a frame as finite numbers.

    Raises
    ------
    InputError : naming the first cell that is none, its row, counted from 1 below the names, and its column.
    """
    values = np.array([number(cell) for cell in cells])
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        cell = cells.iloc[wrong[0]]
        more = f", and {len(wrong) - 1} more like it" if len(wrong) > 1 else ""
        place = f"row {wrong[0] + 1}, column {cells.name} of {Path(path).name}{more}"
        raise InputError(field, NOTHING if is_missing(cell) else str(cell), f"a finite number in {place}")
    return values


def is_missing(cell: Any) -> bool:
    """Whether there is nothing in a cell."""
    import pandas as pd  # slow to import, and most instances do without

    return cell.strip() in MISSING if isinstance(cell, str) else pd.api.types.is_scalar(cell) and bool(pd.isna(cell))


def matrix_of_table(field: str, folder: Path, file: str, axes: int) -> Table:
    """The numbers of the table `file`, relative to `folder`: all columns but labels; of NPZ the array called `field`.

    Parameters
    ----------
    axes : 2, or 1 for a single column or row.

    Raises
    ------
    InputError : the file cannot be read, or a cell is no finite number.
    """
    path = folder / file
    if path.suffix == ".npz":
        with reading(field, path, "NPZ file"), open_npz(field, path) as data:
            if field not in data.files:
                raise InputError(field, file, f"an NPZ file with an array called {field}")
            return Table(data[field], ())
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(field, file, "numbers, or the path of a table, .csv, .parquet or .npz")
    frame = read_columns(field, path, header=None)
    if frame.columns[0] in LABELS:
        frame = frame.iloc[:, 1:]
    values = np.column_stack([numbers(field, frame[name], path) for name in frame.columns] or [np.empty((len(frame), 0))])
    names = () if all(name.isdigit() for name in frame.columns) else tuple(frame.columns)
    if axes == 1:
        if 1 not in values.shape:
            raise InputError(field, file, f"a table of one column or one row, not {values.shape[0]} x {values.shape[1]}")
        values = values.ravel()
    return Table(values, names)
