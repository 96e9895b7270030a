"""``mnlbandits constants``: the constants of an instance."""

import argparse

from mnlbandits.commands.shared import instance_of, show


def run(options: argparse.Namespace) -> None:
    """Print them."""
    show(instance_of(options).constants, options.json)
