"""Put all multipliers together."""

from mnlbandits.logs import log_to
from mnlbandits.results import read_tables, write_table

with log_to(snakemake.log[0]):
    write_table(read_tables(snakemake.input.tables, snakemake.params.cells), snakemake.output.table, "calibration")
