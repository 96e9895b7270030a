"""The errata as PDF, by LaTeX."""

from pathlib import Path

from mnlbandits.latex import compile_document
from mnlbandits.logs import log_to

with log_to(snakemake.log[0]):
    compile_document(Path(snakemake.input.tex), snakemake.output.pdf)
