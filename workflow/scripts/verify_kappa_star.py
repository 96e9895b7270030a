"""Tabulate kappa_* of the example beside the paper's formula."""

from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.constants import kappa_star_table

with log_to(snakemake.log[0]):
    write_table(kappa_star_table(**snakemake.params.grid), snakemake.output.table, "kappa_star")
