"""The commands: their options in `options`, and a module each with ``run(options)``, imported when its command runs.

What only helps or lists answers at once: nothing that computes is imported for it, see `listing`.
"""

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "simulate": "run one algorithm on one instance and write its regret",
    "plot": "draw the regret of what was simulated",
    "calibrate": "find the multipliers of calibrated constants on one instance",
    "check": "whether algorithms of a file of your own keep the contract of all",
    "plan": "what a study takes before it is run: jobs, core-hours, memory, disk, wall time",
    "constants": "K, d, R, S, kappa, kappa_*, nu and the gap of an instance",
    "fit": "make an instance from labelled data: a table with an observation a row",
    "kappa": "certified kappa for K outcomes and radius S X",
    "claims": "list the claims of the paper with their verdicts, or examine some",
    "algorithms": "list the algorithms",
    "instances": "list the families of instances",
}
"""What the commands do, by name."""
