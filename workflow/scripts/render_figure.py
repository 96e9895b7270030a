"""Draw one figure from its table."""

from importlib import import_module

from mnlbandits.config import load_modules
from mnlbandits.logs import log_to
from mnlbandits.plots.style import save
from mnlbandits.results import read_table

with log_to(snakemake.log[0]):
    load_modules(snakemake.config)
    figure = import_module(f"mnlbandits.plots.{snakemake.params.module}").draw(read_table(snakemake.input.table))
    save(figure, snakemake.output.pdf, snakemake.output.png, snakemake.output.svg)
