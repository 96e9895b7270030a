"""Compile the kernels of one module of algorithms, so that no two jobs do it at the same time."""

from mnlbandits.config import load_modules
from mnlbandits.logs import log_to
from mnlbandits.simulators.runs import compile_algorithms, compile_leaps

with log_to(snakemake.log[0]):
    load_modules(snakemake.config)
    (compile_leaps if snakemake.params.leap else compile_algorithms)(snakemake.params.module)
