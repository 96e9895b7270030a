"""Writing a file so that it is either there and whole, or not there."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any


def write_atomic(path: Path | str, write: Callable[[IO[bytes]], Any]) -> None:
    """Let `write` fill a temporary sibling of `path`, then move it into place; on failure nothing is left behind."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as handle:
        try:
            write(handle)
            handle.flush()
            os.fsync(handle.fileno())
            os.fchmod(handle.fileno(), 0o644)
            os.replace(handle.name, path)
        except BaseException:
            Path(handle.name).unlink()
            raise
