"""The command line: try one thing before running a study."""

import argparse
import importlib
import io
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from mnlbandits import __version__
from mnlbandits.commands import COMMANDS
from mnlbandits.commands.options import OPTIONS
from mnlbandits.errors import InputError, printable


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status, 2 for a value that is not allowed, 1 if what was checked fails."""
    arguments = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names have accents, whatever a locale can write
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        load_modules(arguments)
        options = parser(arguments).parse_args(arguments)
        with log_on_terminal():
            status = importlib.import_module(f"mnlbandits.commands.{options.command}").run(options)
        sys.stdout.flush()
    except InputError as error:
        print(f"mnlbandits: error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever reads the output, as `head` does, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status or 0


def load_modules(arguments: Sequence[str]) -> None:
    """Register the algorithms of the files given with ``--module``, before their options are looked for.

    Raises
    ------
    InputError : a file is broken.
    """
    first = argparse.ArgumentParser(prog="mnlbandits", add_help=False)
    first.add_argument("--module", action="append", default=[])
    files = first.parse_known_args(arguments)[0].module
    if files:
        from mnlbandits.algorithms import load  # slow to import

        for file in files:
            load(file)


@contextmanager
def log_on_terminal() -> Iterator[None]:
    """What the library says while it computes, such as that it compiles, is a line on standard error each."""
    log, lines = logging.getLogger("mnlbandits"), logging.StreamHandler()
    lines.setFormatter(logging.Formatter("mnlbandits: %(message)s"))
    before = log.level
    log.addHandler(lines)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(lines)
        log.setLevel(before)


def parser(arguments: Sequence[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    """The commands, and the options of those that are named in `arguments`."""
    top = Parser(prog="mnlbandits", description=__doc__)
    top.add_argument("--version", action="version", version=f"mnlbandits {__version__}")
    words = "print what this shell has to read to complete commands, options and names"
    top.add_argument("--print-completion", action=PrintCompletion, choices=("bash", "zsh"), help=words)
    commands = top.add_subparsers(required=True, dest="command", metavar="COMMAND")
    for name, help in COMMANDS.items():
        command = commands.add_parser(name, help=help, allow_abbrev=False)
        if name in arguments:
            OPTIONS[name](command)
    return top


class Parser(argparse.ArgumentParser):
    """One whose messages are one line, whatever was given."""

    def error(self, message: str) -> NoReturn:
        """As argparse calls it."""
        super().error(printable(message))


class PrintCompletion(argparse.Action):
    """Print the script that completes the command line in a shell, and exit."""

    def __call__(self, top, namespace, shell, option_string=None):
        """As argparse calls it."""
        from mnlbandits.commands.completion import script  # of all commands, and seldom needed

        print(script(parser(), shell))
        top.exit()


if __name__ == "__main__":
    sys.exit(main())
