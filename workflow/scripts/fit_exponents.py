"""Slopes of the regret in every quantity."""

import pandas as pd

from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table
from mnlbandits.verify.exponents import exponent_table

with log_to(snakemake.log[0]):
    points = pd.concat([read_table(path) for path in snakemake.input.points])
    write_table(points, snakemake.output.points, "exponent_points")
    write_table(exponent_table(points), snakemake.output.exponents, "exponents")
