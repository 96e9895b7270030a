"""The whole ledger: as a table, for LaTeX, as a page, and its verdicts alone."""

import pandas as pd

from mnlbandits.files import write_atomic
from mnlbandits.ledger.pages import latex, page
from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table

with log_to(snakemake.log[0]):
    table = pd.concat([read_table(path) for path in snakemake.input.tables], ignore_index=True)
    write_table(table, snakemake.output.ledger)
    write_atomic(snakemake.output.latex, lambda handle: handle.write(latex(table).encode()))
    write_atomic(snakemake.output.page, lambda handle: handle.write(page(table).encode()))
    write_table(table[["id", "part", "verdict", "level", "ratio", "difference"]], snakemake.output.verdicts)
