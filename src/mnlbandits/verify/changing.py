"""Theorem 3 at work: regret on action sets that change, beside the sum of 1/kappa_{*,t} and the rounds that explore."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from mnlbandits.algorithms import get_algorithm
from mnlbandits.analysis.intervals import mean_interval
from mnlbandits.instances import Instance
from mnlbandits.simulators.trigger import bound_on_exploration


def changing_table(runs: pd.DataFrame, instances: Mapping[str, Instance], delta: float) -> pd.DataFrame:
    """Means over the runs of a study at every checkpoint.

    Parameters
    ----------
    runs : columns instance, algorithm, preset, run, t, regret, explored, optimal; with `leap` also error.

    Returns
    -------
    Columns instance, algorithm, preset, t, runs, mean, low, high (regret with its 95 % Student interval), error (mean bound
    on what batches change, 0 round by round), optimal (mean sum of 1/kappa_{*,t}), explored (mean rounds of exploration),
    bound (`bound_on_exploration` for the study's horizon, nan but for adaptive REAL at the paper's constants).
    """
    rows, keys = [], ["instance", "algorithm", "preset"]
    for group, table in runs.groupby(keys, sort=False):
        t = np.array(sorted(set(table["t"])), dtype=float)
        bound = np.full(len(t), np.nan)
        if group[1].startswith("adaptive-real") and group[2] == "paper":
            problem = instances[group[0]].problem(t[-1], delta)
            state = get_algorithm("adaptive-real").start(problem, "paper")
            bound = [bound_on_exploration(problem, state, each) for each in t]
        for (time, part), largest in zip(table.groupby("t", sort=True), bound, strict=True):
            mean, low, high = mean_interval(part["regret"].to_numpy())
            error = float(part["error"].mean()) if "error" in part else 0.0
            rows.append(
                (*group, time, len(part), mean, low, high, error, part["optimal"].mean(), part["explored"].mean(), largest)
            )
    columns = ["t", "runs", "mean", "low", "high", "error", "optimal", "explored", "bound"]
    return pd.DataFrame(rows, columns=[*keys, *columns])
