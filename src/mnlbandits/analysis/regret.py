"""Regret over runs."""

import pandas as pd

from mnlbandits.analysis.intervals import mean_interval


def regret_summary(runs: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Mean cumulative regret with its 95 % Student interval, per group of `keys` and t.

    `runs` has the columns of `keys` and run, t, regret. Columns of the result: keys, t, runs, mean, low, high.
    """
    rows = []
    for group, table in runs.groupby([*keys, "t"], sort=True):
        mean, low, high = mean_interval(table["regret"].to_numpy())
        rows.append((*group, len(table), mean, low, high))
    return pd.DataFrame(rows, columns=[*keys, "t", "runs", "mean", "low", "high"])


def final_regret(summary: pd.DataFrame) -> pd.DataFrame:
    """The rows of `regret_summary` at the horizon."""
    return summary[summary["t"] == summary["t"].max()].reset_index(drop=True)
