"""kappa and kappa_* beside the paper's formulas."""

from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.constants import kappa_star_table, kappa_table

with log_to(snakemake.log[0]):
    write_table(kappa_table(**snakemake.params.kappa), snakemake.output.kappa)
    write_table(kappa_star_table(**snakemake.params.kappa_star), snakemake.output.kappa_star)
