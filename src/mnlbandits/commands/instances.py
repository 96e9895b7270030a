"""``mnlbandits instances``: the families of instances."""

import argparse
import json

from mnlbandits.commands.options import add_json
from mnlbandits.instances import FAMILIES
from mnlbandits.instances.families import family_parameters


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """List them."""
    families = {
        name: {"description": (build.__doc__ or "").strip().partition("\n")[0], "parameters": family_parameters(name)}
        for name, build in FAMILIES.items()
    }
    if options.json:
        print(json.dumps(families))
        return
    for name, record in families.items():
        print(f"{name}: {record['description']}")
        for key, default in record["parameters"].items():
            print(f"    {key} (default {default})")
