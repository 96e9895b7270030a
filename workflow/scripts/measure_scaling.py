"""Regret of one algorithm with one quantity moved at a time."""

from tqdm import tqdm

from mnlbandits.compiled import take_kernels_from
from mnlbandits.config import load_modules
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.scaling import scaling_runs

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    load_modules(snakemake.config)
    params = snakemake.params
    common = {"delta": params.delta, "seed": params.seed, "calibration": params.calibration, "progress": tqdm}
    runs = scaling_runs(snakemake.wildcards.algorithm, **params.study, **common)
    write_table(runs, snakemake.output.runs, "scaling_runs")
