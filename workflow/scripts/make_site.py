"""The site of a study."""

from mnlbandits.logs import log_to
from mnlbandits.site.build import Material, make_site

with log_to(snakemake.log[0]):
    made = snakemake.input
    material = Material(
        snakemake.config,
        snakemake.params.shown,
        made.figures,
        made.tables,
        made.claims,
        made.table1,
        snakemake.params.sources,
    )
    make_site(material, snakemake.output.site, snakemake.params.benchmarks)
