"""``mnlbandits constants``: the constants of an instance."""

import argparse

from mnlbandits.commands.options import add_instance_options, add_json, instance_of, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_instance_options(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Print them."""
    show(instance_of(options).constants, options.json)
