"""``mnlbandits simulate``: the regret of one algorithm on one instance."""

import argparse
import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm
from tqdm.contrib.logging import logging_redirect_tqdm

from mnlbandits.algorithms import Algorithm, get_algorithm
from mnlbandits.analysis.intervals import mean_interval, to_known_digits
from mnlbandits.assortment.algorithms import refuse_other_framework
from mnlbandits.commands.shared import instance_of
from mnlbandits.errors import InputError
from mnlbandits.files import require_writable, unwritable
from mnlbandits.instances.instance import LONGEST_COUNT
from mnlbandits.results import write_table
from mnlbandits.simulators import Runs, simulate


def options_for(algorithm: Algorithm, options: argparse.Namespace) -> dict[str, Any]:
    """The options given on the command line, as their algorithm reads them."""
    known = {option.name: option for option in algorithm.options}
    flags = {flag.removeprefix("option "): text for flag, text in vars(options).items() if flag.startswith("option ")}
    return {name: known[name].read(text) if name in known else text for name, text in flags.items() if text is not None}


@contextmanager
def option_by_its_flag(algorithm: Algorithm) -> Iterator[None]:
    """An error about what the instance does not take says so if the algorithm would, by its longer flag."""
    try:
        yield
    except InputError as error:
        name = error.field.split(".")[-1]
        if name not in {option.name for option in algorithm.options}:
            raise
        flag = name.replace("_", "-")
        allowed = f"{error.allowed}; the option of {algorithm.name} is --option-{flag}"
        raise InputError(error.field, error.value, allowed) from None


def run(options: argparse.Namespace) -> None:
    """Simulate, write, and say what happened."""
    if options.out is not None and Path(options.out).suffix not in (".parquet", ".csv"):
        raise InputError("out", options.out, "a path that ends in .parquet or .csv")
    refuse_other_framework("algorithm", options.algorithm)
    algorithm = get_algorithm(options.algorithm)
    with option_by_its_flag(algorithm):
        instance = instance_of(options)
    if options.out is not None:
        require_writable("out", options.out)
    with logging_redirect_tqdm([logging.getLogger("mnlbandits")]):
        runs = simulate(
            instance,
            options.algorithm,
            options.horizon,
            options.runs,
            seed=options.seed,
            preset=options.preset,
            options=options_for(algorithm, options),
            simulator=options.simulator,
            delta=options.delta,
            learning_rounds=options.learning_rounds,
            step=options.step,
            noise=options.noise,
            progress=lambda indices: tqdm(indices, desc=options.algorithm, unit="run"),
        )
    if options.out is not None:
        try:
            write_table(runs.labelled_table(), options.out, "regret_runs")
        except OSError as error:
            raise unwritable("out", options.out, error) from None
    print(regret_line(runs))
    note = exploration_note(runs, same=instance.actions.kind == "list")
    if note:
        print(note)
    if options.out is not None:
        print(f"wrote {options.out}")


def regret_line(runs: Runs) -> str:
    """The regret at the last round: its mean with the 95 % Student interval, or with the error of playing in batches."""
    last, count = f"regret at t = {runs.t[-1]:.6g}", f"{len(runs.index)} run{'s' if len(runs.index) > 1 else ''}"
    mean, low, high = mean_interval(runs.regret[:, -1])
    if runs.error is not None:
        return f"{last}: {to_known_digits(mean, runs.error[:, -1].mean())} ({count})"
    interval = f"95 % interval {low:.4g} to {high:.4g}, " if math.isfinite(low) else ""
    return f"{last}: {mean:.4g} ({interval}{count})"


def exploration_note(runs: Runs, same: bool) -> str:
    """What to say of runs that only explored, nothing if all did more; `same`: every round offers the same arms."""
    within, last = np.count_nonzero(~runs.left), runs.t[-1]
    if not within:
        return ""
    some = "" if within == len(runs.left) else f" in {within} of {len(runs.left)} runs"
    note = f"still exploring at t = {last:.6g}{some}: "
    if runs.length >= LONGEST_COUNT:
        note += f"the exploration takes more than {LONGEST_COUNT:.0e} rounds; "
    elif runs.length > last:
        note += f"the exploration takes tau = {runs.length:.3g} rounds; "
    elif runs.length == last:
        note = f"explored to the end of the exploration, t = tau = {last:.3g}, and no further: "
    note += "its actions do not depend on outcomes"
    return note + (", so the regret is the same in all runs" if same and not some else "")
