"""The exploration of Algorithm 3, round by round."""

from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.horizon import trigger_table

with log_to(snakemake.log[0]):
    table = trigger_table(**snakemake.params.study, delta=snakemake.params.delta)
    write_table(table, snakemake.output.table, "trigger")
