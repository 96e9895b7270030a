"""Make one instance and its constants."""

from mnlbandits.config import build_instance
from mnlbandits.instances import write_instance
from mnlbandits.logs import log_to

with log_to(snakemake.log[0]):
    write_instance(build_instance(snakemake.wildcards.instance, snakemake.params.entry), snakemake.output.instance)
