"""``mnlbandits instances``: the families of instances."""

import argparse

from mnlbandits.commands.json_text import as_json_text
from mnlbandits.commands.listing import listing


def run(options: argparse.Namespace) -> None:
    """List them."""
    families = listing()["families"]
    if options.json:
        print(as_json_text(families))
        return
    for name, record in families.items():
        print(f"{name}: {record['description']}")
        for key, default in record["parameters"].items():
            print(f"    {key} (default {default})")
