"""Regret at calibrated radii on real data, and coverage with multipliers found elsewhere."""

import pandas as pd

from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table
from mnlbandits.verify.transfer import transfer_table

with log_to(snakemake.log[0]):
    found = [read_table(path)["multiplier"].iloc[0] for path in snakemake.input.multipliers]
    regret, sets = (pd.read_parquet(snakemake.input[name]) for name in ("regret", "sets"))
    multipliers = dict(zip(map(tuple, snakemake.params.cells), found, strict=True))
    table = transfer_table(regret, sets, multipliers, snakemake.params.sources, snakemake.params.delta)
    write_table(table, snakemake.output.table, "transfer")
