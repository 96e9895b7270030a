"""The options of the commands."""

import argparse
import json
from collections.abc import Callable, Mapping
from typing import Any

from mnlbandits.commands.listing import listing
from mnlbandits.plots import UNDATED

FORMATS = [f".{kind}" for kind in UNDATED]
"""How the path of a figure can end."""


def simulate(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits simulate``."""
    words = listing()
    choices = words["choices"]
    add_instance(command)
    command.add_argument("--algorithm", required=True, help="see `mnlbandits algorithms`")
    command.add_argument("--preset", help="set of constants; default the algorithm's first")
    command.add_argument("--simulator", default="exact", help=" or ".join(choices["simulator"]))
    command.add_argument("--horizon", type=number, required=True, help="T, e.g. 1e5")
    command.add_argument("--learning-rounds", type=number, default=0, help="rounds after the exploration, of `counts`")
    command.add_argument("--step", type=number, default=0.01, help="share of information that a batch of `leap` adds")
    noise = "outcomes of a batch of `leap`, expected or random: " + " or ".join(choices["noise"])
    command.add_argument("--noise", default="off", help=noise)
    command.add_argument("--runs", type=number, default=1, help="number of runs")
    command.add_argument("--seed", type=number, default=0, help="seed of all runs")
    command.add_argument("--delta", type=number, default=0.05, help="failure level of the confidence sets")
    command.add_argument("--out", help="file to write, .parquet or .csv: columns run, t, regret (leap: error)")
    add_modules(command)
    add_flags(command, words["flags"])


def plot(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits plot``."""
    words = "what `mnlbandits simulate` wrote with --out, or runs of a study; NAME=FILE gives its line a name"
    command.add_argument("files", nargs="+", metavar="FILE", help=words)
    command.add_argument("--out", required=True, help="figure to write: " + ", ".join(FORMATS))
    words = "width and height in inches, e.g. 8 4.5 for a slide; default those of a paper's column or page"
    command.add_argument("--size", type=number, nargs=2, metavar=("WIDTH", "HEIGHT"), help=words)
    command.add_argument("--linear", action="store_true", help="linear axes from 0 on, not log-log ones")
    command.add_argument("--together", action="store_true", help="all sets of constants in one row, not a row for each")
    add_modules(command)


def calibrate(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits calibrate``."""
    add_instance(command)
    command.add_argument("--algorithm", required=True, help="one with a calibrated preset, see `mnlbandits algorithms`")
    command.add_argument("--horizon", type=number, default=2000, help="rounds of a run, of learning after an exploration")
    command.add_argument("--long-horizon", type=number, default=10**9, help="rounds within which an exploration has to end")
    command.add_argument("--delta", type=number, default=0.05, help="failure level of the confidence sets")
    command.add_argument("--seed", type=number, default=1, help="seed of all runs, another one than that of simulate")
    add_modules(command)
    add_json(command)


def check(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits check``."""
    command.add_argument("what", nargs="+", help="a Python file with algorithms of your own, or the name of an algorithm")
    words = "compare the first arms played with those in FILE; if there is none, write it once all checks pass"
    command.add_argument("--golden", metavar="FILE", help=words)
    add_modules(command)


def plan(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits plan``."""
    words = "config of the study, laid over the full one; several are laid over one another; default the full study"
    command.add_argument("--config", action="append", default=[], metavar="FILE", help=words)
    command.add_argument("--profile", default="local", help="how jobs are run: local, slurm or generic")
    add_json(command)


def constants(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits constants``."""
    add_instance(command)
    add_json(command)


def fit(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits fit``."""
    command.add_argument("data", help="a table with an observation a row: .csv, with names in its first row, or .parquet")
    command.add_argument("--outcome", required=True, help="name of the column with the outcome")
    command.add_argument("--features", nargs="+", help="names of the columns that describe an arm; default all others")
    rewards = "rho, a number an outcome in their order, or NAME=NUMBER each; default the outcomes, if they are numbers"
    command.add_argument("--rewards", nargs="+", help=rewards)
    command.add_argument("--bound", type=number, default=1.0, help="S over the norm of the fitted theta_*, at least 1")
    conventions = "which norm S bounds: " + " or ".join(listing()["choices"]["convention"])
    command.add_argument("--convention", default="frobenius", help=conventions)
    command.add_argument("--arms", type=number, default=0, help="how many of the different rows are arms; default all")
    command.add_argument("--instance-seed", type=number, default=0, help="seed that draws them")
    command.add_argument("--name", help="of the instance; default that of the table")
    command.add_argument("--out", help="instance file to write, .json or .npz")
    add_json(command)


def kappa(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits kappa``."""
    command.add_argument("--outcomes", type=number, required=True, help="K >= 2")
    command.add_argument("--radius", type=number, required=True, help="S X > 0")
    command.add_argument("--convention", default="frobenius", help=" or ".join(listing()["choices"]["convention"]))
    add_json(command)


def claims(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits claims``."""
    command.add_argument("ids", nargs="*", metavar="id", help="claims to examine, e.g. C020; without any, all are listed")
    command.add_argument("--verdict", help="only those with this verdict, e.g. corrected")
    command.add_argument("--label", help="only those about this label of the LaTeX source")
    command.add_argument("--theorem", help="only those on which this theorem rests: 1, 2 or 3")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--effort", default="full", help="how hard to look: smoke or full")
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="examine one claim with another constant than the paper's; a wrong name lists those there are",
    )


def algorithms(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits algorithms``."""
    add_json(command)
    add_modules(command)


def instances(command: argparse.ArgumentParser) -> None:
    """Of ``mnlbandits instances``."""
    add_json(command)


OPTIONS: Mapping[str, Callable[[argparse.ArgumentParser], None]] = {
    function.__name__: function
    for function in (simulate, plot, calibrate, check, plan, constants, fit, kappa, claims, algorithms, instances)
}
"""By command, what adds its options to its parser."""

FAMILY = (
    *("outcomes", "dim", "norm", "arms", "reward_norm", "convention", "grid", "actions"),
    *("member", "epsilon", "signs", "rounds", "hypothesis", "saturation", "geometry", "dataset", "features", "bound"),
)
"""Options of an instance that are parameters of the same name of its family."""


def add_instance(command: argparse.ArgumentParser) -> None:
    """The options that make an instance."""
    choices = listing()["choices"]
    command.add_argument("--instance", required=True, help="a family or an instance file (.json, .npz)")
    command.add_argument("--outcomes", type=number, help="K")
    command.add_argument("--dim", type=number, help="d")
    command.add_argument("--norm", type=number, help="S, the norm of theta_*")
    command.add_argument("--arms", type=number, help="number of arms")
    command.add_argument("--reward-norm", type=number, help="R")
    command.add_argument("--convention", help="which norm S bounds: " + " or ".join(choices["convention"]))
    grids = "how the arms of the large-kappa-star example lie: " + " or ".join(choices["grid"])
    command.add_argument("--grid", help=grids)
    sets = command.add_mutually_exclusive_group()
    names = f"sets of a random instance: a name, {', '.join(choices['actions'])}, or JSON"
    sets.add_argument("--actions", type=action_sets, help=names)
    offered = """N arms, drawn anew in every round, can be played; short for '{"name": "random-subsets", "size": N}'"""
    sets.add_argument("--offered", type=random_subsets, dest="actions", metavar="N", help=offered)
    command.add_argument("--member", help="member of the lower-bound family")
    command.add_argument("--epsilon", type=number, help="perturbation of the lower-bound family")
    command.add_argument("--signs", type=number, nargs="+", help="v of the lower-bound family, e of the saturated cube")
    command.add_argument("--rounds", type=number, help="T for which hidden pairs and saturated cubes are hard")
    command.add_argument("--hypothesis", type=number, help="which of the hidden pairs, from 0")
    command.add_argument("--saturation", type=number, help="M of the saturated cube")
    command.add_argument("--geometry", help="of the saturated cube: " + " or ".join(choices["geometry"]))
    command.add_argument("--dataset", help="real data: " + " or ".join(choices["dataset"]))
    command.add_argument("--features", nargs="+", help="columns of the data set that describe an arm")
    command.add_argument("--bound", type=number, help="S over the norm of theta_* that was fitted to the data set")
    command.add_argument(
        "--instance-seed", type=number, help="seed of a random instance, of items, or of the rows of a data set"
    )


def add_flags(command: argparse.ArgumentParser, flags: Mapping[str, Any]) -> None:
    """A flag for the options of a name that algorithms have: ``--NAME``, or ``--option-NAME`` where that is taken."""
    for name, words in flags.items():
        settings = {"dest": f"option {name}", "metavar": "VALUE", "help": words["help"].replace("%", "%%")}
        settings |= {"nargs": "?", "const": "true"} if words["switch"] else {}
        flag = name.replace("_", "-")
        try:
            command.add_argument(f"--{flag}", **settings)
        except argparse.ArgumentError:
            command.add_argument(f"--option-{flag}", **settings)


def add_json(command: argparse.ArgumentParser) -> None:
    """The option to print JSON."""
    command.add_argument("--json", action="store_true", help="print JSON")


def add_modules(command: argparse.ArgumentParser) -> None:
    """The option to load algorithms of one's own; `mnlbandits.cli` loads them before all else."""
    command.add_argument(
        "--module", action="append", metavar="FILE", help="a Python file with algorithms of your own; can be given again"
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


def random_subsets(text: str) -> dict[str, Any]:
    """The action sets of ``--offered``."""
    return {"name": "random-subsets", "size": number(text)}
