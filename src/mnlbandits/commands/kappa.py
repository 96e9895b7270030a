"""``mnlbandits kappa``: kappa with its certificate."""

import argparse

from mnlbandits.commands.shared import show
from mnlbandits.model.kappa import kappa


def run(options: argparse.Namespace) -> None:
    """Print it."""
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
