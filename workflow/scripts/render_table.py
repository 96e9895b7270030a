"""One table as LaTeX."""

from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_latex

with log_to(snakemake.log[0]):
    write_latex(read_table(snakemake.input.table), snakemake.output.tex)
