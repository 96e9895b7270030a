"""The whole ledger: as a table, for LaTeX; its errata, its verdicts alone, and the chains of its theorems."""

import pandas as pd

from mnlbandits.files import write_atomic
from mnlbandits.ledger.chain import chain_table
from mnlbandits.ledger.errata import errata_latex
from mnlbandits.ledger.pages import latex
from mnlbandits.ledger.summary import SUMMARY, with_slips
from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table

with log_to(snakemake.log[0]):
    parts = [read_table(path, "claims_part") for path in snakemake.input.tables]
    table = with_slips(pd.concat(parts, ignore_index=True))
    write_table(table, snakemake.output.ledger, "claims")
    write_atomic(snakemake.output.latex, lambda handle: handle.write(latex(table).encode()))
    write_atomic(snakemake.output.errata, lambda handle: handle.write(errata_latex(table).encode()))
    write_table(table[SUMMARY], snakemake.output.verdicts, "verdicts")
    write_table(chain_table(table), snakemake.output.chains, "chains")
