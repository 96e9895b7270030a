"""The config of a workflow run: read, composed of its layers, and checked in full before anything runs."""

from mnlbandits.config.catalogue import (
    calibration_of,
    can_play,
    expand_algorithms,
    kinds_of_sets,
    load_modules,
    options_of,
    pairs,
    to_calibrate,
)
from mnlbandits.config.check import PAIR_SPECIALIST, SPECIALIST, check_config
from mnlbandits.config.kinds import (
    KINDS,
    OTHERS,
    PANELS,
    TABLES_OF_OTHERS,
    figures_of,
    studies_of,
    tables_of,
    to_run,
    typeset_of,
)
from mnlbandits.config.layers import compose, laid_over
from mnlbandits.config.messages import LIMITS
from mnlbandits.config.yaml_file import read_config

__all__ = [
    "KINDS",
    "LIMITS",
    "OTHERS",
    "PAIR_SPECIALIST",
    "PANELS",
    "SPECIALIST",
    "TABLES_OF_OTHERS",
    "calibration_of",
    "can_play",
    "check_config",
    "compose",
    "expand_algorithms",
    "figures_of",
    "kinds_of_sets",
    "laid_over",
    "load_modules",
    "options_of",
    "pairs",
    "read_config",
    "studies_of",
    "tables_of",
    "to_calibrate",
    "to_run",
    "typeset_of",
]
