"""What the library says of itself: its algorithms with their options, its families of instances, and their names.

``python -m mnlbandits.commands.describe`` writes `LISTING` anew, after an edit of an algorithm or a family of instances.
"""

import json
from typing import Any

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.base import PRESETS
from mnlbandits.algorithms.options import Option
from mnlbandits.assortment import algorithms as assortment
from mnlbandits.commands.listing import LISTING, digest_of_sources
from mnlbandits.instances.action_sets import KINDS, NAMES
from mnlbandits.instances.data import DATA_SETS
from mnlbandits.instances.families import FAMILIES, GRIDS, family_parameters
from mnlbandits.instances.saturated import GEOMETRIES
from mnlbandits.model.kappa import CONVENTIONS
from mnlbandits.simulators import NOISE, SIMULATORS


def everything() -> dict[str, Any]:
    """All of it, as JSON has it.

    Returns
    -------
    dict
        ``sources``: the hash of the files that it was made from. ``algorithms``: a record each. ``flags``: the options of
        algorithms. ``families``: a record each. ``choices``: the names that an option of a command can have.
    """
    words = {
        "sources": digest_of_sources(),
        "algorithms": [*map(describe, REGISTRY), *map(describe_other, assortment.TITLES)],
        "flags": {name: describe_flag(options) for name, options in options_by_name().items()},
        "families": {name: describe_family(name) for name in FAMILIES},
        "choices": {
            "algorithm": list(REGISTRY),
            "preset": list(PRESETS),
            "simulator": SIMULATORS,
            "noise": NOISE,
            "instance": list(FAMILIES),
            "convention": CONVENTIONS,
            "grid": GRIDS,
            "actions": list(NAMES),
            "geometry": GEOMETRIES,
            "dataset": list(DATA_SETS),
        },
    }
    return json.loads(json.dumps(words))


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


def describe_family(name: str) -> dict[str, Any]:
    """What a family of instances is, and its parameters with their defaults."""
    description = (FAMILIES[name].__doc__ or "").strip().partition("\n")[0]
    return {"description": description, "parameters": family_parameters(name)}


def options_by_name() -> dict[str, list[Option]]:
    """The options of all algorithms, those of the same name together."""
    named: dict[str, list[Option]] = {}
    for algorithm in REGISTRY.values():
        for option in algorithm.options:
            named.setdefault(option.name, []).append(option)
    return named


def describe_flag(options: list[Option]) -> dict[str, Any]:
    """What the help says of options of the same name, and whether one of them is a switch."""
    switch = any(isinstance(option.default, bool) for option in options)
    return {"help": "; ".join(dict.fromkeys(map(in_words, options))), "switch": switch}


def in_words(option: Option) -> str:
    """What the help says of an option."""
    if option.multiplier:
        return "for calibrated constants, which need at least one; one that is left out is 1"
    return f"{option.meaning}: {option.allowed} (default {option.written})"


def text() -> str:
    """`LISTING` as it has to be."""
    return json.dumps(everything(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    LISTING.write_text(text(), encoding="utf-8")
