"""When REAL overtakes others, for one number of outcomes."""

from tqdm import tqdm

from mnlbandits.compiled import take_kernels_from
from mnlbandits.config import load_modules
from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.horizon import crossover_table, examples

with log_to(snakemake.log[0]):
    take_kernels_from(snakemake.input.kernels)
    load_modules(snakemake.config)
    grid, outcomes, delta = snakemake.params.grid, int(snakemake.wildcards.outcomes), snakemake.params.delta
    instances = examples([outcomes], grid["dims"], grid["norms"], arms=grid["arms"], grid="graded")
    total = len(grid["dims"]) * len(grid["norms"])
    table = crossover_table(
        tqdm(instances, total=total), grid["rivals"], grid["horizon"], snakemake.params.delta, grid["step"]
    )
    write_table(table, snakemake.output.table, "crossovers")
