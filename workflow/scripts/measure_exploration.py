"""How long Algorithms 1 and 3 explore, and how long would do."""

from tqdm import tqdm

from mnlbandits.logs import log_to
from mnlbandits.results import write_table
from mnlbandits.verify.horizon import examples, exploration_table

with log_to(snakemake.log[0]):
    grid = snakemake.params.grid
    instances = list(examples(grid["outcomes"], grid["dims"], grid["norms"], arms=grid["arms"]))
    lengths = exploration_table(tqdm(instances), grid["deltas"], grid["horizon"])
    write_table(lengths, snakemake.output.table, "exploration")
