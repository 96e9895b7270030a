"""``mnlbandits constants``: the constants of an instance."""

import argparse

from mnlbandits.commands.shared import instance_of, show, with_exploration


def run(options: argparse.Namespace) -> None:
    """Print them."""
    show(with_exploration(instance_of(options)), options.json)
