"""Figures, tables and references for a paper."""

from mnlbandits.config import load_modules
from mnlbandits.logs import log_to
from mnlbandits.paper import make_paper

with log_to(snakemake.log[0]):
    load_modules(snakemake.config)
    made = snakemake.input
    captions = {figure: entry["caption"] for figure, entry in snakemake.params.shown.items()}
    make_paper(snakemake.output.paper, made.figures, made.tables, captions)
