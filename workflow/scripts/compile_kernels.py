"""Compile the kernels of the algorithms of one module, before many jobs want them at once."""

from mnlbandits.logs import log_to
from mnlbandits.simulate.runs import compile_algorithms

with log_to(snakemake.log[0]):
    compile_algorithms(snakemake.wildcards.module)
