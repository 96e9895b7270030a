"""Draw one figure from its table."""

from importlib import import_module

from mnlbandits.config import load_modules
from mnlbandits.instances import read_instance
from mnlbandits.logs import log_to
from mnlbandits.plots.style import facts_of, save
from mnlbandits.results import read_table

with log_to(snakemake.log[0]):
    load_modules(snakemake.config)
    draw = import_module(f"mnlbandits.plots.{snakemake.params.module}").draw
    instances = [read_instance(path) for path in snakemake.input.instances]
    options = {"facts": {each.name: facts_of(each) for each in instances}} if instances else {}
    figure = draw(read_table(snakemake.input.table), **options)
    save(figure, snakemake.output.pdf, snakemake.output.png, snakemake.output.svg)
