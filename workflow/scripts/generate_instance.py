"""Make one instance and its constants."""

from mnlbandits.instances import build_instance, write_instance
from mnlbandits.logs import log_to

with log_to(snakemake.log[0]):
    write_instance(build_instance(snakemake.wildcards.instance, snakemake.params.entry), snakemake.output.instance)
