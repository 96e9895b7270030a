"""Regret on the families of the lower bound over both rates."""

import pandas as pd

from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table
from mnlbandits.verify.family import family_table

with log_to(snakemake.log[0]):
    table = family_table(pd.concat(read_table(path) for path in snakemake.input))
    write_table(table, snakemake.output.table, "family")
