"""``mnlbandits --print-completion``: commands, options and names for the TAB key of a shell."""

import argparse

import shtab

from mnlbandits.commands.listing import listing

FILES = ("data", "files", "golden", "module", "out", "what")
"""Arguments that are paths."""


def script(top: argparse.ArgumentParser, shell: str) -> str:
    """What a shell has to read in order to complete the command line of a parser."""
    choices = listing()["choices"]
    for command in commands_of(top).values():
        for action in command._actions:
            names = [choices[flag[2:]] for flag in action.option_strings if flag[2:] in choices]
            action.choices = names[0] if names else action.choices
            if action.dest in FILES:
                action.complete = shtab.FILE
    return shtab.complete(top, shell)


def commands_of(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers of the commands, by name."""
    return next(action.choices for action in top._actions if isinstance(action, argparse._SubParsersAction))
