"""Measure the cost of a round of every system as a function of t."""

from mnlbandits.compiled import take_kernels_from
from mnlbandits.config import load_modules
from mnlbandits.instances import read_instance
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.cost import cost_table

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    load_modules(snakemake.config)
    instances = [read_instance(path) for path in snakemake.input.instances]
    write_table(cost_table(instances, snakemake.params.names), snakemake.output.costs, "cost")
