"""``mnlbandits calibrate``: the multipliers of calibrated constants on one instance."""

import argparse

from mnlbandits.commands.shared import instance_of, show
from mnlbandits.verify.calibration import calibrate


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
