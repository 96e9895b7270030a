"""The check of a config, in full and before anything runs."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from mnlbandits.algorithms import REGISTRY, get_algorithm
from mnlbandits.assortment.algorithms import refuse_other_framework
from mnlbandits.config.catalogue import can_play, load_modules, options_of, pairs, to_calibrate
from mnlbandits.config.kinds import KINDS, OTHERS, TABLES_OF_OTHERS, tables_of
from mnlbandits.config.messages import explained, in_entry
from mnlbandits.errors import NOTHING, InputError, Words, is_number, require_choice, require_integer
from mnlbandits.instances import build_instance

SPECIALIST = "sign-sampler"
"""The algorithm that plays the family of the lower bound only."""

PAIR_SPECIALIST = "pair-sampler"
"""The one that plays the family of hidden pairs only."""

Study = Mapping[str, Any]


def check_config(config: dict[str, Any], schema_file: Path | str) -> None:
    """Check a config against its JSON schema, then everything that the schema cannot know.

    In place: its `modules` are loaded, and what a study leaves out is filled in, by the schema's defaults.
    An integer is one in YAML too, not 2.0.

    Raises
    ------
    InputError : naming the field, its value and what is allowed.
    """
    schema = yaml.safe_load(Path(schema_file).read_text(encoding="utf-8"))
    check_values(config)
    check_against(schema, config)
    for name, study in config["studies"].items():
        kind = schema["$defs"]["kinds"][require_choice(f"studies.{name}.kind", study["kind"], KINDS)]
        study = config["studies"][name] = filled(study, kind)
        check_against({"$defs": schema["$defs"], **kind}, study, f"studies.{name}.")
    load_modules(config)
    check_instances(config)
    check_algorithms(config)
    if config["calibration"]["seed"] == config["seed"]:
        raise InputError("calibration.seed", config["seed"], "another seed than that of the study")
    check_names_of_studies(config)
    for name, study in config["studies"].items():
        if KINDS[study["kind"]].plays:
            check_play(config, name, study)
        if study["kind"] in CHECKS:
            CHECKS[study["kind"]](config, f"studies.{name}", study)
    check_claims(config)
    check_cost(config)


@contextmanager
def without(module: str) -> Iterator[None]:
    """A module that is not imported yet cannot be inside: what can do without it, does."""
    unknown = module not in sys.modules
    if unknown:
        sys.modules[module] = None
    try:
        yield
    finally:
        if unknown:
            del sys.modules[module]


def check_against(schema: Mapping[str, Any], content: Mapping[str, Any], above: str = "") -> None:
    """Raise `InputError` for the most telling violation of a JSON schema; `above` is what stands before the field."""
    with without("rfc3987_syntax"):  # two seconds of import, for a format that no schema of ours has
        from jsonschema import Draft202012Validator  # no job needs it, as claims
        from jsonschema.exceptions import relevance
        from jsonschema.validators import extend

    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    validator = extend(Draft202012Validator, type_checker=types)(schema)
    error = max(validator.iter_errors(content), key=relevance, default=None)
    if error is not None:
        raise explained(error, above)


def filled(study: Study, schema: Mapping[str, Any]) -> dict[str, Any]:
    """A study with what it leaves out: the schema's defaults, 20 runs, or 1 without noise, and all of them in one batch."""
    known = schema["properties"]
    study = {key: entry["default"] for key, entry in known.items() if "default" in entry} | dict(study)
    if "simulator" in known:
        study.setdefault("runs", 1 if study["simulator"] == "leap" else 20)
        study.setdefault("batch", study["runs"])
    return study


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


def check_instances(config: Mapping[str, Any]) -> None:
    """Raise `InputError` unless every instance of the catalogue can be made."""
    for name, entry in config["instances"].items():
        try:
            build_instance(name, entry)
        except InputError as problem:
            raise in_entry(problem, f"instances.{name}", name) from None


def check_algorithms(config: Mapping[str, Any]) -> None:
    """Raise `InputError` unless every algorithm of the catalogue can be played as its entry says."""
    for label, entry in config["algorithms"].items():
        try:
            refuse_other_framework("algorithm", entry["algorithm"])
            get_algorithm(entry["algorithm"]).check(label, entry["preset"], options_of(entry))
            check_transfer(config, label)
        except InputError as problem:
            raise in_entry(problem, f"algorithms.{label}", label) from None


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


def check_names_of_studies(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for a study whose name is taken, or would write a file of another; and for what `run` names."""
    owners = {file: "the package" for files in TABLES_OF_OTHERS.values() for file in files}
    for name, study in config["studies"].items():
        if name in OTHERS:
            raise InputError(f"studies.{name}", Words(f"a study called {name}"), f"of another name than {', '.join(OTHERS)}")
        for file in tables_of(name, study):
            if file in owners:
                raise InputError(
                    f"studies.{name}",
                    Words(f"a study that writes {file}"),
                    f"of another name, as that file is of {owners[file]}",
                )
            owners[file] = f"studies.{name}"
    for name in config.get("run", ()):
        require_choice("run", name, [*config["studies"], *OTHERS])


def check_play(config: Mapping[str, Any], name: str, study: Study) -> None:
    """Raise `InputError` unless every algorithm of a study can play one of its instances with its simulator."""
    field, simulator = f"studies.{name}", study["simulator"]
    for kind in ("instances", "algorithms"):
        for one in study[kind]:
            require_choice(f"{field}.{kind}", one, config[kind])
    systems = {label: get_algorithm(config["algorithms"][label]["algorithm"]) for label in study["algorithms"]}
    for label, system in systems.items():
        if system.name in (SPECIALIST, PAIR_SPECIALIST):
            raise InputError(f"{field}.algorithms", label, "algorithms for any instance; see the kind family")
        if simulator == "counts" and system.exploration is None:
            raise InputError(f"{field}.algorithms", label, "algorithms with an exploration phase")
        if simulator == "leap" and system.batch is None:
            raise InputError(f"{field}.algorithms", label, "algorithms that can play many rounds at once")
    if simulator == "leap" and study["runs"] != 1:
        raise InputError(f"{field}.runs", study["runs"], "1: without noise all runs are the same")
    played = {label for _, label in pairs(config, name)}
    for label, system in systems.items():
        if label not in played:
            kinds = " or ".join(system.kinds)
            allowed = f"such that {label} has {system.setting.condition} and action sets of the kind {kinds}"
            raise InputError(f"{field}.instances", study["instances"], allowed)


def check_coverage(config: Mapping[str, Any], field: str, study: Study) -> None:
    """Raise `InputError` unless there are runs, its own or of others, and the others are studies that play."""
    own = {key: bool(study.get(key)) for key in ("horizon", "instances", "algorithms")}
    if not all(own.values()) and (any(own.values()) or not study["also"]):
        missing = next(key for key, there in own.items() if not there)
        allowed = f"given, or {', '.join(own)} all left out and `also` the studies whose runs are counted"
        raise InputError(f"{field}.{missing}", NOTHING, allowed)
    playing = [name for name, other in config["studies"].items() if KINDS[other["kind"]].plays and other is not study]
    for name in study["also"]:
        require_choice(f"{field}.also", name, playing)


def check_crossovers(config: Mapping[str, Any], field: str, study: Study) -> None:
    """Raise `InputError` unless the rivals can leap and the grid has room for its dimensions."""
    for name in study["rivals"]:
        check_leaping(f"{field}.rivals", name, "paper")
    require_integer(f"{field}.arms", study["arms"], 2 * max(study["dims"]) - 1)


def check_exponents(config: Mapping[str, Any], field: str, study: Study) -> None:
    """Raise `InputError` unless every kappa_* can be reached."""
    check_reachable(study["grids"]["kappa_star"], study["norm"], field, (3,))


def check_scaling(config: Mapping[str, Any], field: str, study: Study) -> None:
    """Raise `InputError` unless the systems can leap and the grids be reached below the bound."""
    for name in study["algorithms"]:
        check_leaping(f"{field}.algorithms", name, "calibrated")
    if study["norm"] > study["bound"]:
        raise InputError(f"{field}.norm", study["norm"], f"at most {field}.bound = {study['bound']}")
    require_integer(f"{field}.most_runs", study["most_runs"], study["runs"])
    check_reachable(study["grids"]["kappa_star"], study["bound"], field, (3, 2))


def check_family(config: Mapping[str, Any], field: str, study: Study) -> None:
    """Raise `InputError` unless the systems can leap and both families have the members that are asked for."""
    for name in study["algorithms"]:
        if name != SPECIALIST:
            check_leaping(f"{field}.algorithms", name, "calibrated")
    check_members(field, study)
    for label in study["pairs"]["algorithms"]:
        entry = config["algorithms"][require_choice(f"{field}.pairs.algorithms", label, config["algorithms"])]
        if entry["algorithm"] != PAIR_SPECIALIST:
            check_leaping(f"{field}.pairs.algorithms", entry["algorithm"], entry["preset"])
    check_pairs(field, study)


def check_diameter(config: Mapping[str, Any], field: str, study: Study) -> None:
    """Raise `InputError` unless the instances are of the catalogue."""
    for name in study["instances"]:
        require_choice(f"{field}.instances", name, config["instances"])


def check_frameworks(config: Mapping[str, Any], field: str, study: Study) -> None:
    """Raise `InputError` unless no more items are offered than there are."""
    require_integer(f"{field}.size", study["size"], 1, study["items"])


CHECKS: dict[str, Callable[[Mapping[str, Any], str, Study], None]] = {
    "coverage": check_coverage,
    "crossovers": check_crossovers,
    "exponents": check_exponents,
    "scaling": check_scaling,
    "family": check_family,
    "diameter": check_diameter,
    "frameworks": check_frameworks,
}
"""What a schema cannot know of the studies of a kind."""


def check_claims(config: Mapping[str, Any]) -> None:
    """Raise `InputError` unless the parts are those of the paper."""
    from mnlbandits.ledger.paper import PARTS

    for name in config["claims"]["parts"]:
        require_choice("claims.parts", name, PARTS)


def check_cost(config: Mapping[str, Any]) -> None:
    """Raise `InputError` unless every system has an instance to be timed on, and its regrets a comparison."""
    cost = config["cost"]
    for name in cost["instances"]:
        require_choice("cost.instances", name, config["instances"])
    offered = [build_instance(name, config["instances"][name]) for name in cost["instances"]]
    for name in cost["algorithms"]:
        setting = REGISTRY[require_choice("cost.algorithms", name, REGISTRY)].setting
        if not any(setting.holds(instance.rewards) for instance in offered):
            raise InputError("cost.instances", cost["instances"], f"such that {name} has {setting.condition}")
    require_choice(
        "cost.comparison",
        cost["comparison"],
        [name for name, study in config["studies"].items() if study["kind"] == "comparison"],
    )


def check_leaping(field: str, name: str, preset: str) -> None:
    """Raise `InputError` unless `name` is an algorithm with this preset that can play many rounds at once."""
    record = REGISTRY[require_choice(field, name, REGISTRY)]
    if record.batch is None:
        raise InputError(field, name, "algorithms that can play many rounds at once")
    record.check(field, preset, {})


def check_members(field: str, family: Study) -> None:
    """Raise `InputError` unless the lower bound's family has all members that its study asks for."""
    from mnlbandits.verify.family import BASE, sizes, spread_of_proof, tilt  # slow to import, and no job needs it

    for quantity, value, size in sizes(BASE, family["horizon"], family["grids"]):
        for spread in (spread_of_proof(size["K"]), *family["spreads"]):
            try:
                tilt(size["K"], size["d"], size["T"], spread)
            except InputError as problem:
                raise InputError(
                    f"{field}.grids.{quantity}", value, f"such that T = {size['T']} is {problem.allowed}"
                ) from None


def check_pairs(field: str, family: Study) -> None:
    """Raise `InputError` unless there are hidden pairs at all points that the study asks for."""
    from mnlbandits.verify.family import sizes  # slow to import, and no job needs it
    from mnlbandits.verify.hidden_pairs import BASE_OF_PAIRS, paired

    for quantity, value, size in sizes(BASE_OF_PAIRS, family["horizon"], family["pairs"]["grids"]):
        try:
            paired(size["K"], size["T"], 0)
        except InputError as problem:
            raise InputError(
                f"{field}.pairs.grids.{quantity}", value, f"such that {problem.field} is {problem.allowed}"
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
