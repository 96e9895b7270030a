"""The whole ledger: as a table, for LaTeX, as a page, and its verdicts alone."""

import pandas as pd

from mnlbandits.claims.ledger import page
from mnlbandits.files import write_atomic
from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table

with log_to(snakemake.log[0]):
    table = pd.concat([read_table(path) for path in snakemake.input.tables], ignore_index=True)
    write_table(table, snakemake.output.ledger)
    write_table(table[["id", "place", "statement", "verdict", "effect", "margin"]], snakemake.output.latex)
    write_atomic(snakemake.output.page, lambda handle: handle.write(page(table).encode()))
    write_table(table[["id", "section", "verdict", "margin"]], snakemake.output.verdicts)
