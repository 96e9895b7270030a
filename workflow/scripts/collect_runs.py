"""Put the batches of a study together."""

from mnlbandits.logs import log_to
from mnlbandits.results import read_tables, write_table

with log_to(snakemake.log[0]):
    keys = [
        {"instance": part["instance"], "algorithm": part["label"], "preset": snakemake.params.presets[part["label"]]}
        for part in snakemake.params.parts
    ]
    write_table(read_tables(snakemake.input.regret, keys), snakemake.output.regret, "regret_runs")
    write_table(read_tables(snakemake.input.sets, keys), snakemake.output.sets, "sets_runs")
