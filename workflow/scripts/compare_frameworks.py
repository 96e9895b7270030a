"""Regret of systems for MNL and for Logit bandits, each on an environment of its own."""

from mnlbandits.compiled import take_kernels_from
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.frameworks import frameworks_table

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    table = frameworks_table(**snakemake.params.study, seed=snakemake.params.seed, delta=snakemake.params.delta)
    write_table(table, snakemake.output.table, "frameworks")
