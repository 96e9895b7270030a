"""Writing a file so that it is either there and whole, or not there."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from mnlbandits.errors import InputError


class Rehearsed(Exception):
    """Ends a writing that was only tried."""


@contextmanager
def folder_of(path: Path) -> Iterator[Path]:
    """The folder of `path`, made if there is none; those made are removed again, if empty, when the block fails."""
    missing = [folder for folder in path.parents if not folder.exists()]
    try:
        if missing:
            path.parent.mkdir(parents=True, exist_ok=True)
        yield path.parent
    except BaseException:
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()
        raise


def write_atomic(path: Path | str, write: Callable[[IO[bytes]], Any]) -> None:
    """Let `write` fill a temporary sibling of `path`, then move it into place; on failure nothing is left behind."""
    path = Path(path)
    with folder_of(path) as folder, NamedTemporaryFile(dir=folder, prefix=f".{path.name}.", delete=False) as handle:
        try:
            write(handle)
            handle.flush()
            os.fsync(handle.fileno())
            os.fchmod(handle.fileno(), 0o644)
            os.replace(handle.name, path)
        except BaseException:
            Path(handle.name).unlink()
            raise


def write_zip(path: Path | str, members: Iterable[tuple[str, bytes]], compression: int = ZIP_STORED) -> None:
    """Write a ZIP archive of members, names and contents, without their times: the same members give the same bytes."""

    def write(handle: IO[bytes]) -> None:
        with ZipFile(handle, "w") as archive:
            for name, content in members:
                member = ZipInfo(name)
                member.external_attr = 0o644 << 16
                archive.writestr(member, content, compression)

    write_atomic(path, write)


def require_writable(field: str, path: Path | str) -> None:
    """Try to write a file and leave nothing behind.

    Raises
    ------
    InputError : `write_atomic` could not write `path`.
    """

    def stop(handle: IO[bytes]) -> None:
        raise Rehearsed

    try:
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with suppress(Rehearsed):
            write_atomic(path, stop)
    except OSError as error:
        raise unwritable(field, path, error) from None


def unwritable(field: str, path: Path | str, error: OSError) -> InputError:
    """The error of a path that cannot be written, with the system's reason."""
    return InputError(field, str(path), f"a file that can be written ({error.strerror or error})")
