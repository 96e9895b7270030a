"""The costs that the package carries, from the benchmarks of studies that were run here; by hand, see the Makefile."""

import sys

import pandas as pd

from mnlbandits.algorithms import REGISTRY
from mnlbandits.benchmarks import read_benchmarks
from mnlbandits.config import PAIR_SPECIALIST, SPECIALIST, whole_config
from mnlbandits.planning.costs import MEASURED, ROUNDS, measured_table
from mnlbandits.planning.jobs import jobs_of
from mnlbandits.planning.rounds import rounds_table
from mnlbandits.results import write_table

parts = []
for files in ([], *([path] for path in sys.argv[1:])):
    config = whole_config(files)
    benchmarks = read_benchmarks(f"logs/{config['name']}/benchmarks")
    parts.append(measured_table(config["name"], jobs_of(config), benchmarks))
write_table(pd.concat(parts, ignore_index=True), MEASURED, "costs")
write_table(rounds_table(name for name in REGISTRY if name not in (SPECIALIST, PAIR_SPECIALIST)), ROUNDS, "rounds")
