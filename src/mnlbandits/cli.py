"""The command line: try one thing before running a study."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from mnlbandits.algorithms import REGISTRY, get_algorithm
from mnlbandits.analysis.intervals import to_known_digits
from mnlbandits.assortment import algorithms as assortment
from mnlbandits.errors import InputError, require_integer
from mnlbandits.files import require_writable, unwritable
from mnlbandits.instances import FAMILIES, Instance, make_instance, read_instance
from mnlbandits.instances.action_sets import KINDS, NAMES
from mnlbandits.instances.data import DATA_SETS
from mnlbandits.instances.families import GRIDS, family_parameters
from mnlbandits.instances.saturated import GEOMETRIES
from mnlbandits.ledger.command import add_claims
from mnlbandits.model.kappa import CONVENTIONS, kappa
from mnlbandits.results import write_table
from mnlbandits.simulate import NOISE, SIMULATORS, Runs, simulate

FAMILY_OPTIONS = (
    *("outcomes", "dim", "norm", "arms", "reward_norm", "convention", "grid", "actions"),
    *("member", "epsilon", "signs", "rounds", "hypothesis", "saturation", "geometry", "dataset", "features", "bound"),
)

OPTIONS = {option.name: option for algorithm in REGISTRY.values() for option in algorithm.options}
"""Options of the algorithms by name; those of the same name mean the same."""

OTHERS = "The other framework, assortments (Logit bandits, Appendix E): played by the study `assortment`, not by `simulate`."
"""Heading of its algorithms."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status, 2 for a value that is not allowed."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except InputError as error:
        print(f"mnlbandits: error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever reads the output, as `head` does, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="mnlbandits", description=__doc__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    constants = commands.add_parser("constants", help="K, d, R, S, kappa, kappa_*, nu and the gap of an instance")
    add_instance_options(constants)
    constants.add_argument("--json", action="store_true", help="print JSON")
    constants.set_defaults(run=print_constants)

    kappa_command = commands.add_parser("kappa", help="certified kappa for K outcomes and radius S X")
    kappa_command.add_argument("--outcomes", type=number, required=True, help="K >= 2")
    kappa_command.add_argument("--radius", type=number, required=True, help="S X > 0")
    kappa_command.add_argument("--convention", default="frobenius", help=" or ".join(CONVENTIONS))
    kappa_command.add_argument("--json", action="store_true", help="print JSON")
    kappa_command.set_defaults(run=print_kappa)

    run = commands.add_parser("simulate", help="run one algorithm on one instance and write its regret")
    add_instance_options(run)
    run.add_argument("--algorithm", required=True, help="see `mnlbandits algorithms`")
    run.add_argument("--preset", help="set of constants; default the algorithm's first")
    for option in OPTIONS.values():
        factor = {"type": number, "help": "for calibrated constants, which need at least one; one that is left out is 1"}
        values = {"help": " or ".join(option.choices)} if option.choices else factor
        run.add_argument(f"--{option.name.replace('_', '-')}", **values)
    run.add_argument("--simulator", default="exact", help=" or ".join(SIMULATORS))
    run.add_argument("--horizon", type=number, required=True, help="T, e.g. 1e5")
    run.add_argument("--learning-rounds", type=number, default=0, help="rounds that `counts` plays after the exploration")
    run.add_argument("--step", type=number, default=0.01, help="share of information that a batch of `leap` adds")
    run.add_argument(
        "--noise", default="off", help="outcomes of a batch of `leap`, expected or random: " + " or ".join(NOISE)
    )
    run.add_argument("--runs", type=number, default=1, help="number of runs")
    run.add_argument("--seed", type=number, default=0, help="seed of all runs")
    run.add_argument("--delta", type=number, default=0.05, help="failure level of the confidence sets")
    run.add_argument("--out", required=True, help="file to write, .parquet or .csv: columns run, t, regret (leap: error)")
    run.set_defaults(run=run_simulation)

    add_claims(commands)

    algorithms = commands.add_parser("algorithms", help="list the algorithms")
    algorithms.add_argument("--json", action="store_true", help="print JSON")
    algorithms.set_defaults(run=list_algorithms)

    instances = commands.add_parser("instances", help="list the families of instances")
    instances.add_argument("--json", action="store_true", help="print JSON")
    instances.set_defaults(run=list_instances)
    return top


def number(text: str) -> float:
    """A number; integers keep their type, and what is out of a float's range becomes infinite for the checks to name."""
    try:
        return int(text)
    except ValueError:
        return float(text)


def action_sets(text: str) -> Any:
    """A name of action sets, or a mapping in JSON; what is neither is left for the checks to name."""
    try:
        return json.loads(text) if text.lstrip().startswith("{") else text
    except ValueError:
        return text


def add_instance_options(command: argparse.ArgumentParser) -> None:
    """The options that make an instance."""
    command.add_argument("--instance", required=True, help="a family or an instance file (.json)")
    command.add_argument("--outcomes", type=number, help="K")
    command.add_argument("--dim", type=number, help="d")
    command.add_argument("--norm", type=number, help="S, the norm of theta_*")
    command.add_argument("--arms", type=number, help="number of arms")
    command.add_argument("--reward-norm", type=number, help="R")
    command.add_argument("--convention", help="which norm S bounds: " + " or ".join(CONVENTIONS))
    command.add_argument("--grid", help="how the arms of the large-kappa-star example lie: " + " or ".join(GRIDS))
    command.add_argument(
        "--actions", type=action_sets, help=f"sets of a random instance: a name, {', '.join(NAMES)}, or JSON"
    )
    command.add_argument("--member", help="member of the lower-bound family")
    command.add_argument("--epsilon", type=number, help="perturbation of the lower-bound family")
    command.add_argument("--signs", type=number, nargs="+", help="v of the lower-bound family, e of the saturated cube")
    command.add_argument("--rounds", type=number, help="T for which hidden pairs and saturated cubes are hard")
    command.add_argument("--hypothesis", type=number, help="which of the hidden pairs, from 0")
    command.add_argument("--saturation", type=number, help="M of the saturated cube")
    command.add_argument("--geometry", help="of the saturated cube: " + " or ".join(GEOMETRIES))
    command.add_argument("--dataset", help="real data: " + " or ".join(DATA_SETS))
    command.add_argument("--features", nargs="+", help="columns of the data set that describe an arm")
    command.add_argument("--bound", type=number, help="S over the norm of theta_* that was fitted to the data set")
    command.add_argument(
        "--instance-seed", type=number, help="seed of a random instance, of items, or of the rows of a data set"
    )


def instance_of(options: argparse.Namespace) -> Instance:
    """The instance that the options describe."""
    given = {key: getattr(options, key) for key in FAMILY_OPTIONS} | {"seed": options.instance_seed}
    given = {key: value for key, value in given.items() if value is not None}
    if options.instance not in FAMILIES and options.instance.endswith(".json"):
        if given:
            raise InputError(next(iter(given)), next(iter(given.values())), "left out, as the instance comes from a file")
        return read_instance(options.instance)
    if options.instance not in FAMILIES:
        raise InputError("instance", options.instance, "a .json file or one of " + ", ".join(sorted(FAMILIES)))
    return make_instance(options.instance, options.instance, given)


def show(record: dict[str, Any], as_json: bool) -> None:
    """Print a record, as JSON or as aligned lines."""
    if as_json:
        print(json.dumps(record))
        return
    width = max(len(key) for key in record)
    for key, value in record.items():
        print(f"{key:<{width}}  {value}")


def print_constants(options: argparse.Namespace) -> None:
    """``mnlbandits constants``."""
    show(instance_of(options).constants, options.json)


def print_kappa(options: argparse.Namespace) -> None:
    """``mnlbandits kappa``."""
    certified = kappa(options.outcomes, options.radius, options.convention)
    show(
        {
            "outcomes": options.outcomes,
            "radius": options.radius,
            "convention": options.convention,
            "kappa": certified.value,
            "lower": certified.lower,
            "upper": certified.upper,
            "relative_gap": certified.gap,
            "logits": list(certified.logits),
        },
        options.json,
    )


def run_simulation(options: argparse.Namespace) -> None:
    """``mnlbandits simulate``."""
    if Path(options.out).suffix not in (".parquet", ".csv"):
        raise InputError("out", options.out, "a path that ends in .parquet or .csv")
    assortment.refuse_other_framework("algorithm", options.algorithm)
    algorithm = get_algorithm(options.algorithm)
    chosen = {name: getattr(options, name) for name in OPTIONS}
    instance = instance_of(options)
    require_writable("out", options.out)
    runs = simulate(
        instance,
        options.algorithm,
        options.horizon,
        range(require_integer("runs", options.runs, 1)),
        seed=options.seed,
        preset=options.preset or algorithm.presets[0],
        options={key: value for key, value in chosen.items() if value is not None},
        simulator=options.simulator,
        delta=options.delta,
        learning_rounds=options.learning_rounds,
        step=options.step,
        noise=options.noise,
        progress=lambda indices: tqdm(indices, desc=options.algorithm, unit="run"),
    )
    try:
        write_table(runs.regret_table(), options.out)
    except OSError as error:
        raise unwritable("out", options.out, error) from None
    note = exploration_note(runs, same=instance.actions.kind == "list")
    if note:
        print(note)
    if runs.error is not None:
        value, error = runs.regret[:, -1].mean(), runs.error[:, -1].mean()
        print(f"regret at t = {runs.t[-1]:.6g}: {to_known_digits(value, error)}")


def exploration_note(runs: Runs, same: bool) -> str:
    """What to say of runs that only explored, nothing if all did more; `same`: every round offers the same arms."""
    within, last = np.count_nonzero(~runs.left), runs.t[-1]
    if not within:
        return ""
    some = "" if within == len(runs.left) else f" in {within} of {len(runs.left)} runs"
    note = f"still exploring at t = {last:.6g}{some}: "
    if runs.length > last:
        note += f"the exploration takes tau = {runs.length:.3g} rounds; "
    elif runs.length == last:
        note = f"explored to the end of the exploration, t = tau = {last:.3g}, and no further: "
    note += "its actions do not depend on outcomes"
    return note + (", so the regret is the same in all runs" if same and not some else "")


def list_algorithms(options: argparse.Namespace) -> None:
    """``mnlbandits algorithms``."""
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
    options = {option.name: option.meaning + ("" if option.choices else " (calibrated)") for option in algorithm.options}
    record |= {"setting": algorithm.setting.name, "presets": list(algorithm.presets), "options": options}
    refused = {kind: algorithm.refusal(kind) for kind in KINDS if kind not in algorithm.kinds}
    return record | {"action_sets": list(algorithm.kinds), "refuses": refused}


def describe_other(name: str) -> dict[str, Any]:
    """The same of an algorithm of the other framework, as far as it has it."""
    record = {"name": name, "framework": "logit", "title": assortment.TITLES[name], "source": assortment.SOURCES[name]}
    options = {"radius_multiplier": "factor on the valid radius (calibrated)"}
    return record | {"setting": "assortment", "presets": list(assortment.PRESETS), "options": options}


def list_instances(options: argparse.Namespace) -> None:
    """``mnlbandits instances``."""
    families = {
        name: {"description": (build.__doc__ or "").strip().splitlines()[0], "parameters": family_parameters(name)}
        for name, build in FAMILIES.items()
    }
    if options.json:
        print(json.dumps(families))
        return
    for name, record in families.items():
        print(f"{name}: {record['description']}")
        for key, default in record["parameters"].items():
            print(f"    {key} (default {default})")


if __name__ == "__main__":
    sys.exit(main())
