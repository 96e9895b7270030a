"""Paired differences of the comparison, and the ranking that they resolve."""

from mnlbandits.analysis.ranking import pairs_table, ranking_table
from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_table

with log_to(snakemake.log[0]):
    pairs = pairs_table(read_table(snakemake.input.regret))
    write_table(pairs, snakemake.output.pairs, "pairs")
    final = read_table(snakemake.input.final, "final")
    write_table(ranking_table(final, pairs), snakemake.output.ranking, "ranking")
