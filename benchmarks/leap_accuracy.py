"""Regret of leaps beside that of single rounds, for every algorithm that can leap, at the paper's (else valid) constants.

Usage: python benchmarks/leap_accuracy.py [HORIZON [RUNS [ALGORITHM ...]]]

The reference is the exact simulator, the mean of `RUNS` runs; REAL learns from round 1 on, as if its exploration were over.
With drawn outcomes leaps must have the same law: prints their relative difference at every power of ten from 1e3 on, the
error that batches make (the mean difference of steps 0.01 and 0.005) and two standard errors of the difference of the two
means, and marks a difference above both 1 % and the sum of the two. Without noise (``off``) the estimate does not fluctuate:
what that leaves out is printed below it.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import make_instance
from mnlbandits.seeds import generator
from mnlbandits.simulators import exact, leap

LEAPS_PER_RUN = 4


def begin(algorithm, instance, horizon):
    """A fresh state, of REAL at the end of an exploration of 1e9 pulls of every arm with expected outcomes."""
    state = algorithm.begin(instance, instance.problem(horizon, 0.05), algorithm.presets[0], {})
    if algorithm.exploration:
        plan, pulls = algorithm.exploration.plan(state), np.full(len(instance.arms), 10**9)
        design = plan.ridge * np.eye(instance.dim) + instance.arms.T @ (pulls[:, None] * instance.arms) / plan.kappa
        algorithm.exploration.finish(state, design, np.rint(pulls[:, None] * instance.probabilities).astype(np.int64))
    return state


def follow(algorithm, instance, horizon, stops, step, run=None):
    """Regret of leaps at `stops`; of the run's drawn outcomes, or without noise."""
    state, stream = begin(algorithm, instance, horizon), generator(f"accuracy {step}", 1, algorithm.name, run or 0)
    return leap.follow(algorithm, state, instance, 0.0, stops, np.zeros(20), step, stream, run is not None)


def main(horizon: float, runs: int, names: Sequence[str]) -> None:
    """Print the table."""
    stops = 10.0 ** np.arange(3, round(np.log10(horizon)) + 1)
    print(f"{'algorithm':16}{'noise':>7}" + "".join(f"{f't = {stop:.0e}':>26}" for stop in stops))
    for name in names or [name for name, algorithm in REGISTRY.items() if algorithm.batch]:
        algorithm = REGISTRY[name]
        outcomes = 2 if algorithm.setting.name == "binary" else 3
        instance = make_instance("accuracy", "large-kappa-star", {"outcomes": outcomes, "arms": 20})
        exactly = np.zeros((runs, len(stops)))
        for run in range(runs):
            state, t, pulls = begin(algorithm, instance, horizon), 0, np.zeros(20, dtype=np.int64)
            stream = generator("accuracy", 0, name, run)
            for column, stop in enumerate(stops):
                exact.advance(algorithm, state, instance, stream, t, int(stop), pulls, np.array([-1.0]))
                t, exactly[run, column] = int(stop), (pulls * instance.gaps).sum()
        mean = exactly.mean(axis=0)
        coarse, fine = (
            np.array([follow(algorithm, instance, horizon, stops, step, run) for run in range(LEAPS_PER_RUN * runs)])
            for step in (0.01, 0.005)
        )
        spread = np.sqrt(exactly.var(axis=0, ddof=1) / len(exactly) + fine.var(axis=0, ddof=1) / len(fine))
        batches = np.abs((fine - coarse).mean(axis=0))
        show(name, "drawn", fine.mean(axis=0) / mean - 1, batches / mean, 2 * spread / mean)
        once, twice = (follow(algorithm, instance, horizon, stops, step) for step in (0.01, 0.005))
        show("", "off", (2 * twice - once) / mean - 1, np.abs(twice - once) / mean, 2 * spread / mean)


def show(name, noise, differences, batches, spreads):
    """Print a row, in percent."""
    cells = []
    for difference, batch, spread in zip(differences, batches, spreads, strict=True):
        mark = "!" if noise == "drawn" and abs(difference) > max(0.01, batch + spread) else " "
        cells.append(f"{100 * difference:9.3f}{mark}({100 * batch:6.3f},{100 * spread:6.3f})")
    print(f"{name:16}{noise:>7}" + "".join(f"{cell:>26}" for cell in cells), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("horizon", type=float, nargs="?", default=1e6)
    parser.add_argument("runs", type=int, nargs="?", default=8)
    parser.add_argument("algorithms", nargs="*", metavar="ALGORITHM")
    arguments = parser.parse_args()
    main(arguments.horizon, arguments.runs, arguments.algorithms)
