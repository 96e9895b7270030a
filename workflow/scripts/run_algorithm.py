"""Play one algorithm on one instance for a batch of runs."""

from tqdm import tqdm

from mnlbandits.compiled import take_kernels_from
from mnlbandits.config import load_modules, options_of
from mnlbandits.instances import read_instance
from mnlbandits.logs import log_to
from mnlbandits.results import read_table, write_columns
from mnlbandits.simulators import simulate
from mnlbandits.verify.calibration import multipliers_of

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    load_modules(snakemake.config)
    found = [multipliers_of(read_table(path)) for path in snakemake.input.get("multipliers", [])]
    runs = simulate(
        read_instance(snakemake.input.instance),
        snakemake.params.entry["algorithm"],
        runs=snakemake.params.runs,
        seed=snakemake.params.seed,
        preset=snakemake.params.entry["preset"],
        options=options_of(snakemake.params.entry) | (found[0] if found else {}),
        delta=snakemake.params.delta,
        progress=tqdm,
        **snakemake.params.play,
    )
    write_columns(runs.regret_columns, snakemake.output.regret, "regret_batch")
    write_columns(runs.set_columns, snakemake.output.sets, "sets_batch")
