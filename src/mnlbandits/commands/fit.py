"""``mnlbandits fit``: an instance from labelled data."""

import argparse
from pathlib import Path
from typing import Any

from mnlbandits.commands.options import number
from mnlbandits.commands.shared import seed_by_its_option, show, with_exploration
from mnlbandits.errors import InputError
from mnlbandits.files import require_writable, unwritable
from mnlbandits.instances import Instance, fit_instance, write_instance


def run(options: argparse.Namespace) -> None:
    """Fit, write, and show theta_* with its standard errors and the constants."""
    if options.out and Path(options.out).suffix not in (".json", ".npz"):
        raise InputError("out", options.out, "a path that ends in .json or .npz")
    if options.out:
        require_writable("out", options.out)
    with seed_by_its_option():
        instance = fit_instance(
            options.name or Path(options.data).stem,
            options.data,
            options.outcome,
            rewards=options.rewards and rewards_of(options.rewards),
            features=options.features,
            bound=options.bound,
            arms=options.arms,
            seed=options.instance_seed,
            convention=options.convention,
        )
    if options.out:
        try:
            write_instance(instance, options.out)
        except OSError as error:
            raise unwritable("out", options.out, error) from None
    if options.json:
        estimates = {"theta": instance.theta.tolist(), "standard_errors": instance.standard_errors.tolist()}
        show(instance.parameters | estimates | {"rewards": instance.rewards.tolist()} | with_exploration(instance), True)
        return
    for line in estimate_lines(instance):
        print(line)
    show(with_exploration(instance), False)
    if options.out:
        print(f"wrote {options.out}")


def rewards_of(words: list[str]) -> Any:
    """Numbers in order, or a mapping if all are NAME=NUMBER."""
    try:
        if all("=" in word for word in words):
            return {name: number(value) for name, _, value in (word.rpartition("=") for word in words)}
        return [number(word) for word in words]
    except ValueError:
        raise InputError("rewards", " ".join(words), "a number an outcome, or NAME=NUMBER for every outcome") from None


def estimate_lines(instance: Instance) -> list[str]:
    """A table of theta_* with a row an outcome: its reward, and every entry with its standard error."""
    made = instance.parameters
    head = ["outcome", "reward", "constant", *made["features"]]
    cells = [
        [f"{value:.4g} ({error:.2g})" for value, error in zip(*row, strict=True)]
        for row in zip(instance.theta, instance.standard_errors, strict=True)
    ]
    rewards = [f"{reward:.6g}" for reward in instance.rewards]
    rows = [head, *([label, reward, *row] for label, reward, row in zip(made["outcome_names"], rewards, cells, strict=True))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return [f"theta_* (standard error), fitted to {made['observations']} observations:", *lines]
