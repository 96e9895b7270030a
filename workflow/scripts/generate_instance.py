"""Make one instance and its constants."""

from mnlbandits.instances import build_instance, write_instance
from mnlbandits.logs import log_to

with log_to(snakemake.log[0]):
    entry = snakemake.params.entry | ({"file": snakemake.input[0]} if snakemake.input else {})
    write_instance(build_instance(snakemake.wildcards.instance, entry), snakemake.output.instance)
