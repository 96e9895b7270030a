"""``mnlbandits calibrate``: the multipliers of calibrated constants on one instance."""

import argparse

from mnlbandits.commands.options import add_instance_options, add_json, add_modules, instance_of, number, show
from mnlbandits.verify.calibration import calibrate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_instance_options(parser)
    parser.add_argument("--algorithm", required=True, help="one with a calibrated preset, see `mnlbandits algorithms`")
    parser.add_argument("--horizon", type=number, default=2000, help="rounds of a run, of learning after an exploration")
    parser.add_argument("--long-horizon", type=number, default=10**9, help="rounds within which an exploration has to end")
    parser.add_argument("--delta", type=number, default=0.05, help="failure level of the confidence sets")
    parser.add_argument("--seed", type=number, default=1, help="seed of all runs, another one than that of simulate")
    add_modules(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Search and print them."""
    found = calibrate(
        instance_of(options),
        options.algorithm,
        options.horizon,
        options.long_horizon,
        options.delta,
        options.seed,
    )
    show(found, options.json)
