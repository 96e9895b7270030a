"""The config of a workflow run: read, composed of its layers, and checked in full before anything runs."""

from mnlbandits.config.build import (
    NOTEBOOKS,
    PLAYED_BY_CLAIMS,
    batches,
    calibrated_and_played,
    module_name,
    modules,
    playing,
    to_be_calibrated,
    used_instances,
)
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
    FIGURES_OF_OTHERS,
    KINDS,
    OTHERS,
    PANELS,
    TABLES_OF_OTHERS,
    TYPESET_OF_OTHERS,
    figures_of,
    studies_of,
    tables_of,
    to_run,
    typeset_of,
)
from mnlbandits.config.layers import compose, laid_over
from mnlbandits.config.messages import LIMITS
from mnlbandits.config.whole import checked, whole_config
from mnlbandits.config.yaml_file import read_config

__all__ = [
    "FIGURES_OF_OTHERS",
    "KINDS",
    "LIMITS",
    "NOTEBOOKS",
    "OTHERS",
    "PAIR_SPECIALIST",
    "PANELS",
    "PLAYED_BY_CLAIMS",
    "SPECIALIST",
    "TABLES_OF_OTHERS",
    "TYPESET_OF_OTHERS",
    "batches",
    "calibrated_and_played",
    "calibration_of",
    "can_play",
    "check_config",
    "checked",
    "compose",
    "expand_algorithms",
    "figures_of",
    "kinds_of_sets",
    "laid_over",
    "load_modules",
    "module_name",
    "modules",
    "options_of",
    "pairs",
    "playing",
    "read_config",
    "studies_of",
    "tables_of",
    "to_be_calibrated",
    "to_calibrate",
    "to_run",
    "typeset_of",
    "used_instances",
    "whole_config",
]
