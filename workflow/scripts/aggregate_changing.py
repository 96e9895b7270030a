"""Regret on action sets that change, the sum of 1/kappa_{*,t} and the rounds of exploration."""

import pandas as pd

from mnlbandits.instances import read_instance
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.changing import changing_table

with log_to(snakemake.log[0]):
    instances = {instance.name: instance for instance in map(read_instance, snakemake.input.instances)}
    table = changing_table(pd.read_parquet(snakemake.input.regret), instances, snakemake.params.delta)
    write_table(table, snakemake.output.table, "changing")
