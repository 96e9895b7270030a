"""What a config says of algorithms and instances, and which of them play together."""

from collections.abc import Mapping
from typing import Any

from mnlbandits.algorithms import Algorithm, get_algorithm, load
from mnlbandits.config.kinds import KINDS
from mnlbandits.config.layers import mapping_at
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, build_instance

ALGORITHM_KEYS = ("algorithm", "preset", "calibrated_on")

PLAYING = {name for name, kind in KINDS.items() if kind.plays}
"""Kinds of studies that play the catalogue."""


def pairs(config: Mapping[str, Any], study: str) -> list[tuple[str, str]]:
    """(instance, label) of all that a study plays: its algorithms on those of its instances that they can play."""
    chosen = config["studies"][study]
    instances = [build_instance(name, config["instances"][name]) for name in chosen["instances"]]
    systems = {label: get_algorithm(config["algorithms"][label]["algorithm"]) for label in chosen["algorithms"]}
    return [
        (instance.name, label) for instance in instances for label, system in systems.items() if can_play(system, instance)
    ]


def kinds_of_sets(config: Mapping[str, Any]) -> dict[str, str]:
    """The kind of the action sets of every instance of the catalogue."""
    return {name: build_instance(name, entry).actions.kind for name, entry in config["instances"].items()}


def can_play(system: Algorithm, instance: Instance) -> bool:
    """Whether an instance is of the system's setting, and its sets of arms of a kind that the system plays."""
    return system.setting.holds(instance.rewards) and instance.actions.kind in system.kinds


def load_modules(config: Mapping[str, Any]) -> None:
    """Load the algorithms of the files that a config names under `modules`.

    Raises
    ------
    InputError : a file is broken.
    """
    for file in config.get("modules", ()):
        try:
            load(file)
        except InputError as problem:
            raise InputError(f"modules: {problem.field}", problem.value, problem.allowed) from None


def expand_algorithms(config: dict[str, Any]) -> None:
    """Write out the entries of the catalogue that are lists of presets, in place, and what names them in studies.

    ``glm-ucb: [paper, valid]`` is ``glm-ucb-paper: {algorithm: glm-ucb, preset: paper}`` and the same for ``valid``; with
    the preset ``none`` the label is the name alone. What an entry of its own says of a label is added. In the list of a
    study that plays, ``glm-ucb`` stands for all of them, or for those of the study's `presets`, and a list for its entries.

    Raises
    ------
    InputError : a preset is no text.
    """
    catalogue, written, groups = config.get("algorithms"), {}, {}
    if not isinstance(catalogue, Mapping):
        return  # which the schema names
    for name, entry in catalogue.items():
        if not isinstance(entry, list):
            written.setdefault(name, entry)
            continue
        for preset in entry:
            if not isinstance(preset, str):
                raise InputError(f"algorithms.{name}", preset, "a list of names of presets")
        labels = {name if preset == "none" else f"{name}-{preset}": preset for preset in entry}
        groups[name] = list(labels)
        for label, preset in labels.items():
            own = catalogue[label] if label != name and isinstance(catalogue.get(label), Mapping) else {}
            written[label] = {"algorithm": name, "preset": preset, **own}
    config["algorithms"] = written
    for study in mapping_at(config, "studies").values():
        if isinstance(study, dict) and str(study.get("kind")) in PLAYING and isinstance(study.get("algorithms"), list):
            presets = study.get("presets")
            study["algorithms"] = [
                label
                for entry in spliced(study["algorithms"])
                for label in (groups.get(entry, [entry]) if isinstance(entry, str) else [entry])
                if label == entry or not isinstance(presets, list) or written[label]["preset"] in presets
            ]


def spliced(entries: list[Any]) -> list[Any]:
    """A list with the entries of the lists in it, such as those that stand there by an anchor, in their place."""
    return [one for each in entries for one in (each if isinstance(each, list) else [each])]


def to_calibrate(entry: Mapping[str, Any]) -> bool:
    """Whether a calibrated entry leaves its multipliers to the calibration: it names none. Named some, the others are 1."""
    return entry["preset"] == "calibrated" and not set(get_algorithm(entry["algorithm"]).multipliers) & set(entry)


def calibration_of(config: Mapping[str, Any], instance: str, label: str) -> tuple[str, str]:
    """Instance and label of the calibration whose multipliers a label plays an instance with.

    It is made on the instance itself, or on that of `calibrated_on`; there the first label is taken that says the same.
    """
    entry = dict(config["algorithms"][label])
    if "calibrated_on" not in entry:
        return instance, label
    instance = entry.pop("calibrated_on")
    return instance, next((other for other, known in config["algorithms"].items() if dict(known) == entry), label)


def options_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The options among the keys of an algorithm's config entry."""
    return {key: value for key, value in entry.items() if key not in ALGORITHM_KEYS}
