"""Examine the claims of one part of the paper."""

from tqdm import tqdm

from mnlbandits.compiled import take_kernels_from
from mnlbandits.ledger.tables import ledger
from mnlbandits.logs import log_to
from mnlbandits.results import write_table

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    table = ledger(snakemake.wildcards.part, snakemake.params.effort, tqdm)
    write_table(table, snakemake.output.table, "claims_part")
