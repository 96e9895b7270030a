"""What a build is made of: the instances it uses, the batches it plays, the loops that its jobs call."""

from collections.abc import Mapping
from typing import Any

from mnlbandits.algorithms import REGISTRY, get_algorithm, module_of
from mnlbandits.config.catalogue import calibration_of, pairs, to_calibrate
from mnlbandits.config.kinds import KINDS, to_run

Loops = list[tuple[str, str]]
"""Algorithms, and the loop that plays each: over a kind of action sets, or that of leaps."""

PLAYED_BY_CLAIMS: Mapping[str, Loops] = {
    "exploration": [("real", "list")],
    "learning": [("real", "list"), ("real", "leap")],
    "regret": [("real", "leap")],
    "theorem_one": [("real", "leap")],
    "adaptive": [("adaptive-real", "list"), ("adaptive-real", "leap")],
}
"""What the claims of a part of the paper play."""

NOTEBOOKS: Mapping[str, Loops] = {
    "model": [],
    "exploration": [("real", "list")],
    "learning": [("real", "list"), ("real", "leap")],
    "comparing": [(name, "list") for name in ("uniform", "real", "oful-mlogb", "mnl-ucb", "rs-mnl")],
    "lower_bound": [("sign-sampler", "list"), ("pair-sampler", "list")],
    "ledger": [],
    "own_algorithm": [("uniform", "list"), ("oful-mlogb", "list")],
}
"""Notebooks in the order in which they are read, and what each plays."""


def module_name(algorithm: str) -> str:
    """The module of an algorithm as file names have it: of those of the package its last part, own-... of others."""
    name = module_of(get_algorithm(algorithm))
    last = name.removeprefix("mnlbandits.algorithms.")
    return last if last != name else f"own-{name.replace('.', '-')}"


def modules() -> dict[str, str]:
    """Modules of all algorithms by these names."""
    return {module_name(name): module_of(REGISTRY[name]) for name in REGISTRY}


def calibrated_and_played(algorithm: str) -> Loops:
    """What plays an algorithm that is calibrated round by round and then played by leaps; a yardstick has one loop."""
    return [(algorithm, "list"), *([] if get_algorithm(algorithm).knows_theta else [(algorithm, "leap")])]


def playing(config: Mapping[str, Any]) -> dict[str, list[tuple[str, str]]]:
    """By study that plays the catalogue, its instances and labels."""
    return {name: pairs(config, name) for name, study in config["studies"].items() if KINDS[study["kind"]].plays}


def to_be_calibrated(config: Mapping[str, Any], played: Mapping[str, list[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Sorted instances and labels of the calibrations that a build shows; `played` is as `playing` gives it."""
    return sorted(
        {
            calibration_of(config, instance, label)
            for study in to_run(config)
            for instance, label in played.get(study, ())
            if to_calibrate(config["algorithms"][label])
        }
    )


def used_instances(config: Mapping[str, Any]) -> list[str]:
    """All instances of the catalogue that a build uses, in the config's order."""
    parts = to_run(config)
    lists = [config["studies"].get(name, {}).get("instances", []) for name in parts]
    lists += [config["cost"]["instances"]] if "cost" in parts else []
    return [name for name in config["instances"] if any(name in names for names in lists)]


def batches(study: Mapping[str, Any]) -> range:
    """Batch numbers of a study."""
    return range(-(-study["runs"] // study["batch"]))
