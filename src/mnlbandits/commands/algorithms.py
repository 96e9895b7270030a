"""``mnlbandits algorithms``: the systems of the registry, and those of the other framework."""

import argparse
import json
from typing import Any

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.base import Option
from mnlbandits.assortment import algorithms as assortment
from mnlbandits.commands.options import add_json, add_modules
from mnlbandits.instances.action_sets import KINDS

OTHERS = "The other framework, assortments (Logit bandits, Appendix E): played by the study `assortment`, not by `simulate`."
"""Heading of its algorithms."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_json(parser)
    add_modules(parser)


def run(options: argparse.Namespace) -> None:
    """List them."""
    records = [describe(name) for name in REGISTRY]
    others = [describe_other(name) for name in assortment.TITLES]
    if options.json:
        print(json.dumps(records + others))
        return
    for record in records:
        show_algorithm(record)
    print(f"\n{OTHERS}\n")
    for record in others:
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


def describe(name: str) -> dict[str, Any]:
    """What the registry says of an algorithm."""
    algorithm = REGISTRY[name]
    record = {"name": name, "framework": "mnl"}
    record |= {key: getattr(algorithm, key) for key in ("title", "source", "row", "regret", "cost", "mark")}
    options = {option.name: describe_option(option) for option in algorithm.options}
    record |= {"setting": algorithm.setting.name, "presets": list(algorithm.presets), "options": options}
    refused = {kind: algorithm.refusal(kind) for kind in KINDS if kind not in algorithm.kinds}
    return record | {"action_sets": list(algorithm.kinds), "refuses": refused}


def describe_option(option: Option) -> str:
    """What it does, and which values it has."""
    values = "calibrated" if option.multiplier else f"{option.allowed}; default {option.written}"
    return f"{option.meaning} ({values})"


def describe_other(name: str) -> dict[str, Any]:
    """The same of an algorithm of the other framework, as far as it has it."""
    record = {"name": name, "framework": "logit", "title": assortment.TITLES[name], "source": assortment.SOURCES[name]}
    options = {"radius_multiplier": "factor on the valid radius (calibrated)"}
    return record | {"setting": "assortment", "presets": list(assortment.PRESETS), "options": options}
