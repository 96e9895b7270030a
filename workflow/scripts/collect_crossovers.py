"""Put the crossovers together."""

import pandas as pd

from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table

with log_to(snakemake.log[0]):
    table = pd.concat([read_table(path) for path in snakemake.input.tables])
    write_table(table, snakemake.output.table, "crossovers")
