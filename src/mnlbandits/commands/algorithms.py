"""``mnlbandits algorithms``: the systems of the registry, and those of the other framework."""

import argparse
from typing import Any

from mnlbandits.commands.json_text import as_json_text
from mnlbandits.commands.listing import listing

OTHERS = "The other framework, assortments (Logit bandits, Appendix E): played by the study `frameworks`, not by `simulate`."
"""Heading of its algorithms."""


def run(options: argparse.Namespace) -> None:
    """List them."""
    records = listing()["algorithms"]
    if options.json:
        print(as_json_text(records))
        return
    for record in records:
        if record["framework"] == "mnl":
            show_algorithm(record)
    print(f"\n{OTHERS}\n")
    for record in records:
        if record["framework"] != "mnl":
            show_algorithm(record)


def show_algorithm(record: dict[str, Any]) -> None:
    """Print what `describe` or `describe_other` says of an algorithm."""
    print(f"{record['name']}: {record['title']}, {record['source']}")
    for key in ("row", "setting", "regret", "cost", "mark"):
        if record.get(key):
            print(f"    {key}: {record[key]}")
    print(f"    presets: {', '.join(record['presets'])}")
    if "action_sets" in record:
        print(f"    action sets: {', '.join(record['action_sets'])}")
    for option, sentence in record["options"].items():
        print(f"    {option}: {sentence}")
