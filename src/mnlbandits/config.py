"""The config of a workflow run: checked in full before anything runs."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from mnlbandits.algorithms import REGISTRY, get_algorithm
from mnlbandits.errors import InputError, is_number, require_choice, require_integer
from mnlbandits.instances import build_instance

SPECIALIST = "sign-sampler"
"""The algorithm that plays the family of the lower bound only."""

ALGORITHM_KEYS = ("algorithm", "preset")


def pairs(config: Mapping[str, Any], study: str) -> list[tuple[str, str]]:
    """(instance, label) of all that a study plays: its algorithms on those of its instances that are of their setting."""
    chosen = config["studies"][study]
    rewards = {name: build_instance(name, config["instances"][name]).rewards for name in chosen["instances"]}
    settings = {label: get_algorithm(config["algorithms"][label]["algorithm"]).setting for label in chosen["algorithms"]}
    return [(name, label) for name in rewards for label in settings if settings[label].holds(rewards[name])]


def check_config(config: Mapping[str, Any], schema_file: Path | str) -> None:
    """Check a config against its JSON schema, then everything that the schema cannot know.

    Raises
    ------
    InputError : naming the field, its value and what is allowed.
    """
    from jsonschema import Draft202012Validator  # slow to import, and no job needs it, as claims
    from jsonschema.exceptions import best_match

    from mnlbandits.claims import SECTIONS

    schema = yaml.safe_load(Path(schema_file).read_text())
    error = best_match(Draft202012Validator(schema).iter_errors(dict(config)))
    if error is not None:
        raise explained(error)
    check_finite(config)
    for name, entry in config["instances"].items():
        try:
            build_instance(name, entry)
        except InputError as problem:
            raise InputError(f"instances.{name}.{problem.field}", problem.value, problem.allowed) from None
    for label, entry in config["algorithms"].items():
        try:
            get_algorithm(entry["algorithm"]).check(f"algorithms.{label}", entry["preset"], options_of(entry))
        except InputError as problem:
            field = problem.field if "." in problem.field else f"algorithms.{label}.{problem.field}"
            raise InputError(field, problem.value, problem.allowed) from None
    if config["calibration"]["seed"] == config["seed"]:
        raise InputError("calibration.seed", config["seed"], "another seed than that of the study")
    for study_name, study in config["studies"].items():
        for kind in ("instances", "algorithms"):
            for name in study[kind]:
                require_choice(f"studies.{study_name}.{kind}", name, config[kind])
        for label in study["algorithms"]:
            algorithm = get_algorithm(config["algorithms"][label]["algorithm"])
            if algorithm.name == SPECIALIST:
                raise InputError(f"studies.{study_name}.algorithms", label, "algorithms for any instance; see family")
            if study["simulator"] == "counts" and algorithm.exploration is None:
                raise InputError(f"studies.{study_name}.algorithms", label, "algorithms with an exploration phase")
            if study["simulator"] == "leap" and algorithm.batch is None:
                raise InputError(f"studies.{study_name}.algorithms", label, "algorithms that can play many rounds at once")
        if study["simulator"] == "leap" and study["runs"] != 1:
            raise InputError(f"studies.{study_name}.runs", study["runs"], "1: without noise all runs are the same")
        played = {label for _, label in pairs(config, study_name)}
        for label in study["algorithms"]:
            if label not in played:
                setting = get_algorithm(config["algorithms"][label]["algorithm"]).setting
                raise InputError(
                    f"studies.{study_name}.instances", study["instances"], f"such that {label} has {setting.condition}"
                )
    crossovers = config["crossovers"]
    for name in crossovers["rivals"]:
        check_leaping("crossovers.rivals", name, "paper")
    require_integer("crossovers.arms", crossovers["arms"], 2 * max(crossovers["dims"]) - 1)
    for name in config["scaling"]["algorithms"]:
        check_leaping("scaling.algorithms", name, "calibrated")
    if config["scaling"]["norm"] > config["scaling"]["bound"]:
        raise InputError("scaling.norm", config["scaling"]["norm"], f"at most scaling.bound = {config['scaling']['bound']}")
    require_integer("scaling.most_runs", config["scaling"]["most_runs"], config["scaling"]["runs"])
    check_reachable(config["scaling"]["grids"]["kappa_star"], config["scaling"]["bound"], "scaling", (3, 2))
    check_reachable(config["exponents"]["grids"]["kappa_star"], config["exponents"]["norm"], "exponents", (3,))
    for name in config["claims"]["sections"]:
        require_choice("claims.sections", name, SECTIONS)
    for name in config["family"]["algorithms"]:
        if name != SPECIALIST:
            check_leaping("family.algorithms", name, "calibrated")
    check_members(config["family"])
    for name in config["diameter"]["instances"]:
        require_choice("diameter.instances", name, config["instances"])
    for name in config["cost"]["instances"]:
        require_choice("cost.instances", name, config["instances"])
    offered = [build_instance(name, config["instances"][name]) for name in config["cost"]["instances"]]
    for name in config["cost"]["algorithms"]:
        setting = REGISTRY[require_choice("cost.algorithms", name, REGISTRY)].setting
        if not any(setting.holds(instance.rewards) for instance in offered):
            raise InputError("cost.instances", config["cost"]["instances"], f"such that {name} has {setting.condition}")
    require_integer("assortment.size", config["assortment"]["size"], 1, config["assortment"]["items"])


def check_leaping(field: str, name: str, preset: str) -> None:
    """Raise `InputError` unless `name` is an algorithm with this preset that can play many rounds at once."""
    record = REGISTRY[require_choice(field, name, REGISTRY)]
    if record.batch is None:
        raise InputError(field, name, "algorithms that can play many rounds at once")
    record.check(field, preset, {})


def check_finite(entry: Any, field: str = "") -> None:
    """Raise `InputError` for a number that is none, or infinite: a schema lets it pass."""
    if isinstance(entry, Mapping | list):
        for key, value in entry.items() if isinstance(entry, Mapping) else enumerate(entry):
            check_finite(value, f"{field}.{key}".lstrip("."))
    elif isinstance(entry, float) and not is_number(entry):
        raise InputError(field, entry, "a finite number")


def check_members(family: Mapping[str, Any]) -> None:
    """Raise `InputError` unless the lower bound's family has all members that its study asks for."""
    from mnlbandits.verify.family import sizes, spread_of_proof, tilt  # slow to import, and no job needs it

    for quantity, value, size in sizes(family["horizon"], family["grids"]):
        for spread in (spread_of_proof(size["K"]), *family["spreads"]):
            try:
                tilt(size["K"], size["d"], size["T"], spread)
            except InputError as problem:
                raise InputError(
                    f"family.grids.{quantity}", value, f"such that T = {size['T']} is {problem.allowed}"
                ) from None


def check_reachable(values: Iterable[float], bound: float, field: str, sizes: Iterable[int]) -> None:
    """Raise `InputError` unless every kappa_* belongs to a norm of theta_* up to `bound`, for each of these K."""
    from mnlbandits.verify.exponents import norm_with  # slow to import, and no job needs it

    for outcomes in sizes:
        for value in (min(values), max(values)):
            try:
                norm_with(value, outcomes, bound)
            except InputError as problem:
                raise InputError(f"{field}.grids.{problem.field}", problem.value, problem.allowed) from None


def explained(error: Any) -> InputError:
    """A `jsonschema` validation error as one sentence on one field."""
    path = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        unknown = next(key for key in error.instance if key not in known)
        return InputError(f"{path}.{unknown}".lstrip("."), unknown, "one of " + ", ".join(sorted(known)))
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return InputError(f"{path}.{missing}".lstrip("."), None, "present")
    rules = {
        "type": "of type {}",
        "minimum": ">= {}",
        "maximum": "<= {}",
        "exclusiveMinimum": "> {}",
        "exclusiveMaximum": "< {}",
        "enum": "one of {}",
        "pattern": "a name matching {}",
        "minItems": "a list of at least {}",
        "minProperties": "a mapping of at least {}",
        "uniqueItems": "a list without repetitions",
    }
    rule = rules.get(str(error.validator), error.message)
    return InputError(path or "config", error.instance, rule.format(error.validator_value))


def to_calibrate(entry: Mapping[str, Any]) -> bool:
    """Whether a calibrated entry leaves its multipliers to the calibration: it names none of them."""
    known = {option.name for option in get_algorithm(entry["algorithm"]).options if not option.choices}
    return entry["preset"] == "calibrated" and not known & set(entry)


def options_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The options among the keys of an algorithm's config entry."""
    return {key: value for key, value in entry.items() if key not in ALGORITHM_KEYS}
