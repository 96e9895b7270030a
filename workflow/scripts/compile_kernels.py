"""Compile a loop of the algorithms of one module, so that no two jobs do it at the same time."""

from mnlbandits.compiled import archiving
from mnlbandits.config import load_modules
from mnlbandits.logs import log_to
from mnlbandits.simulators.runs import compile_leaps, compile_loops

with log_to(snakemake.log[0]), archiving(snakemake.output.archive):
    load_modules(snakemake.config)
    module, loop = snakemake.params.module, snakemake.wildcards.loop
    compile_leaps(module) if loop == "leap" else compile_loops(module, loop)
