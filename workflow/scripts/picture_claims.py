"""The curves of claims whose picture says more than their number."""

from mnlbandits.claims import EFFORTS
from mnlbandits.claims.pictures import pictures
from mnlbandits.logs import log_to
from mnlbandits.results import write_table

with log_to(snakemake.log[0]):
    write_table(pictures(EFFORTS[snakemake.params.effort]), snakemake.output.table)
