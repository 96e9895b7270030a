"""The curves of claims whose picture says more than their number."""

from mnlbandits.compiled import take_kernels_from
from mnlbandits.ledger.pictures import pictures
from mnlbandits.ledger.search import EFFORTS
from mnlbandits.logs import log_to
from mnlbandits.results import write_table

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    write_table(pictures(EFFORTS[snakemake.params.effort]), snakemake.output.table, "claims_pictures")
