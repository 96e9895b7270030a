"""``mnlbandits kappa``: kappa with its certificate."""

import argparse

from mnlbandits.commands.options import add_json, number, show
from mnlbandits.model.kappa import CONVENTIONS, kappa


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--outcomes", type=number, required=True, help="K >= 2")
    parser.add_argument("--radius", type=number, required=True, help="S X > 0")
    parser.add_argument("--convention", default="frobenius", help=" or ".join(CONVENTIONS))
    add_json(parser)


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
