"""The config of a workflow run: checked in full before anything runs."""

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import yaml

from mnlbandits.algorithms import REGISTRY, Algorithm, get_algorithm, load
from mnlbandits.assortment.algorithms import refuse_other_framework
from mnlbandits.errors import NOTHING, InputError, Words, is_number, one_of, require_choice, require_integer
from mnlbandits.instances import Instance, build_instance

SPECIALIST = "sign-sampler"
"""The algorithm that plays the family of the lower bound only."""

PAIR_SPECIALIST = "pair-sampler"
"""The one that plays the family of hidden pairs only."""

ALGORITHM_KEYS = ("algorithm", "preset", "calibrated_on")


def pairs(config: Mapping[str, Any], study: str) -> list[tuple[str, str]]:
    """(instance, label) of all that a study plays: its algorithms on those of its instances that they can play."""
    chosen = config["studies"][study]
    instances = [build_instance(name, config["instances"][name]) for name in chosen["instances"]]
    systems = {label: get_algorithm(config["algorithms"][label]["algorithm"]) for label in chosen["algorithms"]}
    return [
        (instance.name, label) for instance in instances for label, system in systems.items() if can_play(system, instance)
    ]


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
    study ``glm-ucb`` stands for all of them.

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
    for study in config.get("studies", {}).values():
        if isinstance(study, Mapping) and isinstance(study.get("algorithms"), list):
            study["algorithms"] = [
                label
                for each in study["algorithms"]
                for label in (groups.get(each, [each]) if isinstance(each, str) else [each])
            ]


def check_config(config: Mapping[str, Any], schema_file: Path | str) -> None:
    """Check a config against its JSON schema, then everything that the schema cannot know; its `modules` are loaded.

    An integer is one in YAML too, not 2.0.

    Raises
    ------
    InputError : naming the field, its value and what is allowed.
    """
    from jsonschema import Draft202012Validator  # slow to import, and no job needs it, as claims
    from jsonschema.exceptions import relevance
    from jsonschema.validators import extend

    from mnlbandits.ledger.paper import PARTS

    check_values(config)
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    schema = yaml.safe_load(Path(schema_file).read_text(encoding="utf-8"))
    error = max(extend(Draft202012Validator, type_checker=types)(schema).iter_errors(config), key=relevance, default=None)
    if error is not None:
        raise explained(error)
    load_modules(config)
    for name, entry in config["instances"].items():
        try:
            build_instance(name, entry)
        except InputError as problem:
            raise in_entry(problem, f"instances.{name}", name) from None
    for label, entry in config["algorithms"].items():
        try:
            refuse_other_framework("algorithm", entry["algorithm"])
            get_algorithm(entry["algorithm"]).check(label, entry["preset"], options_of(entry))
            check_transfer(config, label)
        except InputError as problem:
            raise in_entry(problem, f"algorithms.{label}", label) from None
    if config["calibration"]["seed"] == config["seed"]:
        raise InputError("calibration.seed", config["seed"], "another seed than that of the study")
    for study_name, study in config["studies"].items():
        for kind in ("instances", "algorithms"):
            for name in study[kind]:
                require_choice(f"studies.{study_name}.{kind}", name, config[kind])
        for label in study["algorithms"]:
            algorithm = get_algorithm(config["algorithms"][label]["algorithm"])
            if algorithm.name in (SPECIALIST, PAIR_SPECIALIST):
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
                system = get_algorithm(config["algorithms"][label]["algorithm"])
                kinds = " or ".join(system.kinds)
                allowed = f"such that {label} has {system.setting.condition} and action sets of the kind {kinds}"
                raise InputError(f"studies.{study_name}.instances", study["instances"], allowed)
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
    for name in config["claims"]["parts"]:
        require_choice("claims.parts", name, PARTS)
    for name in config["family"]["algorithms"]:
        if name != SPECIALIST:
            check_leaping("family.algorithms", name, "calibrated")
    check_members(config["family"])
    for label in config["family"]["pairs"]["algorithms"]:
        entry = config["algorithms"][require_choice("family.pairs.algorithms", label, config["algorithms"])]
        if entry["algorithm"] != PAIR_SPECIALIST:
            check_leaping("family.pairs.algorithms", entry["algorithm"], entry["preset"])
    check_pairs(config["family"])
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


def check_values(entry: Any, field: str = "config", above: tuple[Any, ...] = ()) -> None:
    """Raise `InputError` for what YAML can say and a schema lets pass.

    A number that is none, infinite, or beyond the floats; a mapping or list that holds itself, by an anchor.
    """
    if isinstance(entry, Mapping | list):
        if any(entry is container for container in above):
            raise InputError(field, Words("an anchor for what it is part of"), "a mapping or a list that ends")
        for key, value in entry.items() if isinstance(entry, Mapping) else enumerate(entry):
            check_values(value, f"{field}.{key}".removeprefix("config."), (*above, entry))
    elif isinstance(entry, float | int) and not isinstance(entry, bool) and not is_number(entry):
        raise InputError(field, entry, "a finite number up to 1e308")


def check_members(family: Mapping[str, Any]) -> None:
    """Raise `InputError` unless the lower bound's family has all members that its study asks for."""
    from mnlbandits.verify.family import BASE, sizes, spread_of_proof, tilt  # slow to import, and no job needs it

    for quantity, value, size in sizes(BASE, family["horizon"], family["grids"]):
        for spread in (spread_of_proof(size["K"]), *family["spreads"]):
            try:
                tilt(size["K"], size["d"], size["T"], spread)
            except InputError as problem:
                raise InputError(
                    f"family.grids.{quantity}", value, f"such that T = {size['T']} is {problem.allowed}"
                ) from None


def check_pairs(family: Mapping[str, Any]) -> None:
    """Raise `InputError` unless there are hidden pairs at all points that the study asks for."""
    from mnlbandits.verify.family import sizes  # slow to import, and no job needs it
    from mnlbandits.verify.hidden_pairs import BASE_OF_PAIRS, paired

    for quantity, value, size in sizes(BASE_OF_PAIRS, family["horizon"], family["pairs"]["grids"]):
        try:
            paired(size["K"], size["T"], 0)
        except InputError as problem:
            raise InputError(
                f"family.pairs.grids.{quantity}", value, f"such that {problem.field} is {problem.allowed}"
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


def in_entry(problem: InputError, entry: str, owner: str) -> InputError:
    """An error of an instance or algorithm called `owner` as one of its `entry` of the config."""
    field = problem.field.removeprefix(f"{owner}.")
    value = NOTHING if problem.value is None else problem.value
    return InputError(f"{entry}.{field}", value, problem.allowed + advice(value, problem.allowed))


TYPES = {"object": "a mapping", "array": "a list", "string": "text", "number": "a number", "integer": "an integer"}
"""What a schema's types are called in messages."""

LIMITS = {
    "minimum": ">= {}",
    "maximum": "<= {}",
    "exclusiveMinimum": "> {}",
    "exclusiveMaximum": "< {}",
    "minItems": "a list of {} or more entries",
    "minProperties": "a mapping of {} or more entries",
    "pattern": "a name of letters, digits, _ and -",
}
"""What is allowed by a schema's keyword, with its value."""


def explained(error: Any) -> InputError:
    """A `jsonschema` validation error as one sentence on one field."""
    path, value, limit = ".".join(str(part) for part in error.absolute_path), error.instance, error.validator_value
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        unknown = next(key for key in value if key not in known)
        return InputError(f"{path}.{unknown}".lstrip("."), unknown, one_of(known))
    if error.validator == "required":
        missing = next(key for key in limit if key not in value)
        return InputError(f"{path}.{missing}".lstrip("."), NOTHING, "given")
    if error.validator == "uniqueItems":
        return InputError(path, next(one for place, one in enumerate(value) if one in value[:place]), "in the list once")
    if error.validator == "type":
        allowed = TYPES[limit] + advice(value, TYPES[limit])
    else:
        allowed = one_of(limit) if error.validator == "enum" else LIMITS[error.validator].format(limit)
    return InputError(path or "config", in_words(value), allowed)


def in_words(value: Any) -> Any:
    """A value as a message shows it: a mapping or a list only as what it is."""
    if value is None:
        return NOTHING
    if isinstance(value, Mapping | list):
        return Words(f"{'a' if value else 'an empty'} {'mapping' if isinstance(value, Mapping) else 'list'}")
    return value


def advice(value: Any, allowed: str) -> str:
    """How to write a number that YAML reads as text (``1e5``), or as a float where an integer is wanted (``2.0``)."""
    integer = "integer" in allowed
    if not isinstance(value, str | float) or not (integer or "number" in allowed):
        return ""
    try:
        number = Decimal(value)
    except InvalidOperation:
        return ""
    if not number.is_finite() or abs(number.adjusted()) > 30 or (integer and number != int(number)):
        return ""
    if isinstance(value, float):
        return f", written as {int(number)}" if integer else ""
    mantissa, _, exponent = value.lower().partition("e")
    digits = [str(int(number))] if number == int(number) else []
    if exponent and not integer:
        digits.append(f"{mantissa if '.' in mantissa else mantissa + '.0'}e{int(exponent):+d}")
    return f": YAML reads this as text, write {' or '.join(digits or [value])}"


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


def check_transfer(config: Mapping[str, Any], label: str) -> None:
    """Raise `InputError` unless the calibration of a label that names an instance for it can be made there."""
    entry = config["algorithms"][label]
    if "calibrated_on" not in entry:
        return
    field, system = f"{label}.calibrated_on", get_algorithm(entry["algorithm"])
    if not to_calibrate(entry):
        raise InputError(field, entry["calibrated_on"], "left out where nothing is left to the calibration")
    name = require_choice(field, entry["calibrated_on"], config["instances"])
    instance = build_instance(name, config["instances"][name])
    if not can_play(system, instance):
        raise InputError(field, name, f"an instance that {system.name} can play")


def options_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The options among the keys of an algorithm's config entry."""
    return {key: value for key, value in entry.items() if key not in ALGORITHM_KEYS}


def place_files(config: Mapping[str, Any], layers: Iterable[tuple[Path, Mapping[str, Any]]]) -> None:
    """Make every `file` of an instance in `config`, and `modules`, whole paths, in place: relative to the config with them.

    Parameters
    ----------
    layers : folder and content of the configs that `config` was made of, in the order in which they were laid over another.
    """
    for folder, layer in layers:
        for name, entry in mapping_at(layer, "instances").items():
            if isinstance(mapping_at(layer, "instances", name).get("file"), str):
                config["instances"][name]["file"] = str(folder / entry["file"])
        if isinstance(layer.get("modules"), list):
            config["modules"] = [str(folder / file) if isinstance(file, str) else file for file in layer["modules"]]


def mapping_at(config: Any, *keys: str) -> Mapping[str, Any]:
    """What a config holds under these keys if that is a mapping, else an empty one."""
    for key in keys:
        config = config.get(key) if isinstance(config, Mapping) else None
    return config if isinstance(config, Mapping) else {}


def check_names(layers: Iterable[Mapping[str, Any]]) -> None:
    """Check that no config writes over the results of one that it is laid over.

    Raises
    ------
    InputError : a layer changes something and has not a `name` of its own.
    """
    config: dict[str, Any] = {}
    names: list[Any] = []
    for layer in layers:
        changed = laid_over(config, layer)
        if changed == config:
            continue
        if changed.get("name") in names:
            raise InputError(
                "name", changed["name"], f"a name of its own, other than {' and '.join(names)}: results lie below the name"
            )
        config = changed
        names.append(config.get("name"))


def laid_over(config: Mapping[str, Any], layer: Mapping[str, Any]) -> dict[str, Any]:
    """A config with another laid over it: mappings are merged, all else is replaced."""
    merged = dict(config)
    for key, value in layer.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = laid_over(merged[key], value) if both else value
    return merged
