"""Coverage and margins of Theta and of C_t."""

import pandas as pd

from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.coverage import KEYS, coverage_table, margins

with log_to(snakemake.log[0]):
    runs = pd.concat([pd.read_parquet(path) for path in snakemake.input.runs])
    table = margins(runs, snakemake.params.delta)
    write_table(table, snakemake.output.margins, "margins")
    write_table(coverage_table(table, KEYS), snakemake.output.coverage, "coverage")
