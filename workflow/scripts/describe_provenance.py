"""The provenance of a study, as an RO-Crate."""

from mnlbandits.logs import log_to
from mnlbandits.provenance import Job, Study, write_provenance

with log_to(snakemake.log[0]):
    params, made = snakemake.params, snakemake.output
    jobs = [Job(**job) for job in params.jobs]
    study = Study(
        snakemake.config, params.layers, params.overrides, jobs, snakemake.input.results, params.workflow, params.root
    )
    write_provenance(study, made.config, made.description, made.crate)
