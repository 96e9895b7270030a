"""Where the time of a build went, by the benchmarks of its jobs."""

from mnlbandits.benchmarks import read_benchmarks, rules_table
from mnlbandits.config import load_modules
from mnlbandits.logs import log_to
from mnlbandits.paper import write_latex
from mnlbandits.results import write_table

with log_to(snakemake.log[0]):
    load_modules(snakemake.config)
    table = rules_table(read_benchmarks(snakemake.params.benchmarks), snakemake.params.asked)
    write_table(table, snakemake.output.csv, "rules")
    write_latex(table, snakemake.output.tex, "rules")
