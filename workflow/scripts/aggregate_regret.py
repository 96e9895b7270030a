"""Mean regret with intervals, at every checkpoint and at the horizon."""

import pandas as pd

from mnlbandits.analysis.regret import final_regret, regret_summary
from mnlbandits.logs import log_to
from mnlbandits.results import write_table

with log_to(snakemake.log[0]):
    summary = regret_summary(pd.read_parquet(snakemake.input.regret), ["instance", "algorithm", "preset"])
    write_table(summary, snakemake.output.regret, "regret")
    write_table(final_regret(summary), snakemake.output.final, "final")
