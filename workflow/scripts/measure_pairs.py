"""Regret of one algorithm on the family of hidden pairs."""

from tqdm import tqdm

from mnlbandits.compiled import take_kernels_from
from mnlbandits.config import load_modules, options_of
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.hidden_pairs import pair_points

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    load_modules(snakemake.config)
    params = snakemake.params
    common = {"delta": params.delta, "seed": params.seed, "calibration": params.calibration, "progress": tqdm}
    constants = (params.played["algorithm"], params.played["preset"], options_of(params.played))
    points = pair_points(*constants, **params.study, **common)
    write_table(points, snakemake.output.points, "family_points")
