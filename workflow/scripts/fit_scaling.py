"""Slopes of the regret in every quantity."""

import pandas as pd

from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table
from mnlbandits.verify.scaling import scaling_table

with log_to(snakemake.log[0]):
    table = scaling_table(pd.concat(read_table(path) for path in snakemake.input.runs))
    write_table(table, snakemake.output.table, "scaling")
