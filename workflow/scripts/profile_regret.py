"""The performance profile of a study."""

import pandas as pd

from mnlbandits.analysis.profile import profile_table
from mnlbandits.instances import read_instance
from mnlbandits.logs import log_to
from mnlbandits.results import write_table

with log_to(snakemake.log[0]):
    instances = [read_instance(path) for path in snakemake.input.instances]
    profile = profile_table(pd.read_parquet(snakemake.input.regret), instances)
    write_table(profile, snakemake.output.profile, "profile")
