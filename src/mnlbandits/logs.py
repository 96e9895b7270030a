"""Sending what a step prints, and its traceback if it fails, to its log file; what a user caused is one line."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from mnlbandits.errors import InputError


@contextmanager
def log_to(path: Path | str) -> Iterator[None]:
    """Write stdout, stderr and a failure's traceback to `path`; a failure still ends the step.

    Of an `InputError`, which a user caused, only its one line is seen outside of the file.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with Path(path).open("w", buffering=1, encoding="utf-8") as log, redirect_stdout(log), redirect_stderr(log):
        try:
            yield
        except BaseException as error:
            traceback.print_exc()
            print(f"{type(error).__name__}: {error}", file=sys.__stderr__)
            if isinstance(error, InputError):
                raise SystemExit(1) from None
            raise
