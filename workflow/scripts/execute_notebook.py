"""Execute one notebook and write it as a page."""

from mnlbandits.logs import log_to
from mnlbandits.notebooks import execute

with log_to(snakemake.log[0]):
    execute(snakemake.input.notebook, snakemake.output.page)
