"""Regret of leaps beside that of single rounds, for every algorithm that can leap, at the paper's (else valid) constants.

Usage: python benchmarks/leap_accuracy.py [HORIZON]

The reference is the exact simulator, the mean of `RUNS` runs with its standard error; REAL learns from round 1 on, as if its
exploration were over. Prints the relative difference at every power of ten from 1e3 on, the reported error and the standard
error, and where the difference is above both 1 % and twice their sum.
"""

import sys

import numpy as np

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import make_instance
from mnlbandits.seeds import generator
from mnlbandits.simulate import exact, leap

RUNS = 4


def begin(algorithm, instance, horizon):
    """A fresh state, of REAL at the end of an exploration of 1e9 pulls of every arm with expected outcomes."""
    state = algorithm.begin(instance, instance.problem(horizon, 0.05), algorithm.presets[0], {})
    if algorithm.exploration:
        plan, pulls = algorithm.exploration.plan(state), np.full(len(instance.arms), 10**9)
        design = plan.ridge * np.eye(instance.dim) + instance.arms.T @ (pulls[:, None] * instance.arms) / plan.kappa
        algorithm.exploration.finish(state, design, np.rint(pulls[:, None] * instance.probabilities).astype(np.int64))
    return state


def main(horizon: float) -> None:
    """Print the table."""
    stops = 10.0 ** np.arange(3, round(np.log10(horizon)) + 1)
    print(f"{'algorithm':16}{'constants':>10}" + "".join(f"{f't = {stop:.0e}':>26}" for stop in stops))
    for name, algorithm in REGISTRY.items():
        if algorithm.batch is None:
            continue
        outcomes = 2 if algorithm.setting.name == "binary" else 3
        instance = make_instance("accuracy", "large-kappa-star", {"outcomes": outcomes, "arms": 20})
        regrets = np.zeros((RUNS, len(stops)))
        for run in range(RUNS):
            state, t, pulls = begin(algorithm, instance, horizon), 0, np.zeros(20, dtype=np.int64)
            stream = generator("accuracy", 0, name, run)
            for column, stop in enumerate(stops):
                exact.advance(algorithm, state, instance, stream, t, int(stop), pulls, np.array([-1.0]))
                t, regrets[run, column] = int(stop), (pulls * instance.gaps).sum()
        mean, spread = regrets.mean(axis=0), regrets.std(axis=0, ddof=1) / np.sqrt(RUNS)
        steps = []
        for step in (0.01, 0.005):
            state, stream = begin(algorithm, instance, horizon), generator("accuracy", 0, name)
            steps.append(leap.follow(algorithm, state, instance, 0.0, stops, np.zeros(20), step, stream, False))
        value, error = 2 * steps[1] - steps[0], np.abs(steps[1] - steps[0])
        cells = []
        for column in range(len(stops)):
            difference = value[column] / mean[column] - 1
            bars = error[column] / mean[column], spread[column] / mean[column]
            mark = "!" if abs(difference) > max(0.01, 2 * sum(bars)) else " "
            cells.append(f"{100 * difference:9.3f}{mark}({100 * bars[0]:6.3f},{100 * bars[1]:6.3f})")
        print(f"{name:16}{algorithm.presets[0]:>10}" + "".join(f"{cell:>26}" for cell in cells), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1e6)
