"""What several commands share: numbers, the options that make an instance, and printing a record."""

import argparse
import json
from typing import Any

from mnlbandits.errors import InputError
from mnlbandits.instances import FAMILIES, Instance, make_instance, read_instance
from mnlbandits.instances.action_sets import NAMES
from mnlbandits.instances.data import DATA_SETS
from mnlbandits.instances.families import GRIDS
from mnlbandits.instances.saturated import GEOMETRIES
from mnlbandits.model.kappa import CONVENTIONS

FAMILY_OPTIONS = (
    *("outcomes", "dim", "norm", "arms", "reward_norm", "convention", "grid", "actions"),
    *("member", "epsilon", "signs", "rounds", "hypothesis", "saturation", "geometry", "dataset", "features", "bound"),
)


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
    command.add_argument("--instance", required=True, help="a family or an instance file (.json, .npz)")
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
    if options.instance not in FAMILIES and options.instance.endswith((".json", ".npz")):
        if given:
            raise InputError(next(iter(given)), next(iter(given.values())), "left out, as the instance comes from a file")
        return read_instance(options.instance)
    if options.instance not in FAMILIES:
        raise InputError("instance", options.instance, "a .json or .npz file, or one of " + ", ".join(sorted(FAMILIES)))
    return make_instance(options.instance, options.instance, given)


def show(record: dict[str, Any], as_json: bool) -> None:
    """Print a record, as JSON or as aligned lines."""
    if as_json:
        print(json.dumps(record))
        return
    width = max(len(key) for key in record)
    for key, value in record.items():
        print(f"{key:<{width}}  {value}")


def add_json(parser: argparse.ArgumentParser) -> None:
    """The option to print JSON."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_modules(parser: argparse.ArgumentParser) -> None:
    """The option to load algorithms of one's own; `mnlbandits.cli` loads them before all else."""
    parser.add_argument(
        "--module", action="append", metavar="FILE", help="a Python file with algorithms of your own; can be given again"
    )
