"""Regret of one algorithm with one quantity moved at a time."""

from mnlbandits.compiled import take_kernels_from
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.exponents import exponent_points

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    study = snakemake.params.study
    points = exponent_points(
        snakemake.wildcards.algorithm,
        study["grids"],
        study["norm"],
        study["horizon"],
        snakemake.params.delta,
        study["step"],
    )
    write_table(points, snakemake.output.table, "exponent_points")
