"""Regret at the paper's constants, far beyond simulation, with its local slope."""

import pandas as pd

from mnlbandits.instances import read_instance
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.horizon import horizon_table

with log_to(snakemake.log[0]):
    runs, sets = (pd.read_parquet(snakemake.input[name]) for name in ("regret", "sets"))
    instances = map(read_instance, snakemake.input.instances)
    write_table(horizon_table(runs, sets, instances), snakemake.output.table, "horizon")
