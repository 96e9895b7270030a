"""Tabulate kappa and the bounds that the paper prints for it."""

from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.constants import kappa_table

with log_to(snakemake.log[0]):
    write_table(kappa_table(**snakemake.params.grid), snakemake.output.table, "kappa")
