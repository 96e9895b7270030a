"""The site of a study."""

from mnlbandits.logs import log_to
from mnlbandits.site.build import Material, make_site

with log_to(snakemake.log[0]):
    made, params = snakemake.input, snakemake.params
    files = (made.figures, made.tables, made.claims, made.table1, made.notebooks)
    make_site(Material(snakemake.config, params.shown, *files, params.sources), snakemake.output.site, params.benchmarks)
