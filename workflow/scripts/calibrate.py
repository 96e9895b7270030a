"""Find the multipliers of a calibrated algorithm on one instance."""

from mnlbandits.compiled import take_kernels_from
from mnlbandits.config import load_modules, options_of
from mnlbandits.instances import read_instance
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.calibration import calibration_table

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    load_modules(snakemake.config)
    entry, settings = snakemake.params.entry, snakemake.params.settings | {"delta": snakemake.params.delta}
    instance = read_instance(snakemake.input.instance)
    table = calibration_table(instance, entry["algorithm"], **settings, options=options_of(entry))
    write_table(table, snakemake.output.table, "multipliers")
