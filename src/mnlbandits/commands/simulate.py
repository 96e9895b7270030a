"""``mnlbandits simulate``: the regret of one algorithm on one instance."""

import argparse
import logging
from pathlib import Path

import numpy as np
from tqdm import tqdm
from tqdm.contrib.logging import logging_redirect_tqdm

from mnlbandits.algorithms import REGISTRY, get_algorithm
from mnlbandits.analysis.intervals import to_known_digits
from mnlbandits.assortment.algorithms import refuse_other_framework
from mnlbandits.commands.options import add_instance_options, instance_of, number
from mnlbandits.errors import InputError, require_integer
from mnlbandits.files import require_writable, unwritable
from mnlbandits.results import write_table
from mnlbandits.simulate import NOISE, SIMULATORS, Runs, simulate

OPTIONS = {option.name: option for algorithm in REGISTRY.values() for option in algorithm.options}
"""Options of the algorithms by name; those of the same name mean the same."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_instance_options(parser)
    parser.add_argument("--algorithm", required=True, help="see `mnlbandits algorithms`")
    parser.add_argument("--preset", help="set of constants; default the algorithm's first")
    for option in OPTIONS.values():
        factor = {"type": number, "help": "for calibrated constants, which need at least one; one that is left out is 1"}
        values = {"help": " or ".join(option.choices)} if option.choices else factor
        parser.add_argument(f"--{option.name.replace('_', '-')}", **values)
    parser.add_argument("--simulator", default="exact", help=" or ".join(SIMULATORS))
    parser.add_argument("--horizon", type=number, required=True, help="T, e.g. 1e5")
    parser.add_argument("--learning-rounds", type=number, default=0, help="rounds that `counts` plays after the exploration")
    parser.add_argument("--step", type=number, default=0.01, help="share of information that a batch of `leap` adds")
    parser.add_argument(
        "--noise", default="off", help="outcomes of a batch of `leap`, expected or random: " + " or ".join(NOISE)
    )
    parser.add_argument("--runs", type=number, default=1, help="number of runs")
    parser.add_argument("--seed", type=number, default=0, help="seed of all runs")
    parser.add_argument("--delta", type=number, default=0.05, help="failure level of the confidence sets")
    parser.add_argument("--out", required=True, help="file to write, .parquet or .csv: columns run, t, regret (leap: error)")


def run(options: argparse.Namespace) -> None:
    """Simulate, write, and say what happened."""
    if Path(options.out).suffix not in (".parquet", ".csv"):
        raise InputError("out", options.out, "a path that ends in .parquet or .csv")
    refuse_other_framework("algorithm", options.algorithm)
    algorithm = get_algorithm(options.algorithm)
    chosen = {name: getattr(options, name) for name in OPTIONS}
    instance = instance_of(options)
    require_writable("out", options.out)
    with logging_redirect_tqdm([logging.getLogger("mnlbandits")]):
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
