"""The diameter of Theta along the exploration, and at tau."""

import pandas as pd
from tqdm import tqdm

from mnlbandits.compiled import take_kernels_from
from mnlbandits.instances import read_instance
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.diameter import diameter_at_tau, diameter_path

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    instances = [read_instance(path) for path in snakemake.input.instances]
    paths = [diameter_path(instance, snakemake.params.horizon, snakemake.params.delta) for instance in tqdm(instances)]
    table = pd.concat(paths)
    write_table(table, snakemake.output.diameter, "diameter")
    write_table(diameter_at_tau(table), snakemake.output.at_tau, "diameter_at_tau")
