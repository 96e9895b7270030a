"""One table as LaTeX."""

from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table

with log_to(snakemake.log[0]):
    write_table(read_table(snakemake.input.table), snakemake.output.tex)
