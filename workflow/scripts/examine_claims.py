"""Examine the claims of one section of the ledger."""

from tqdm import tqdm

from mnlbandits.claims.ledger import ledger
from mnlbandits.logs import log_to
from mnlbandits.results import write_table

with log_to(snakemake.log[0]):
    write_table(ledger(snakemake.wildcards.section, snakemake.params.effort, tqdm), snakemake.output.table)
