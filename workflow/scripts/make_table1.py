"""The paper's Table 1 beside what was measured."""

from mnlbandits.config import load_modules
from mnlbandits.logs import log_to
from mnlbandits.paper import write_latex
from mnlbandits.results import read_table, write_table
from mnlbandits.verify.table1 import table1

with log_to(snakemake.log[0]):
    load_modules(snakemake.config)
    table = table1(read_table(snakemake.input.costs, "cost"), read_table(snakemake.input.regrets, "final"))
    write_table(table, snakemake.output.csv, "table1")
    write_latex(table, snakemake.output.tex, "table1")
