"""One table as LaTeX."""

from mnlbandits.config import load_modules
from mnlbandits.logs import log_to
from mnlbandits.paper import write_latex
from mnlbandits.results import read_table

with log_to(snakemake.log[0]):
    load_modules(snakemake.config)
    kind = snakemake.params.kind
    write_latex(read_table(snakemake.input.table, kind), snakemake.output.tex, kind)
