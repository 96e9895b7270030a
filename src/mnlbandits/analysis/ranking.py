"""Which differences between algorithms are resolved, on common random numbers."""

import math
from itertools import combinations

import pandas as pd
from scipy import stats

from mnlbandits.analysis.intervals import LEVEL, NEAR

KEYS = ["instance", "preset"]
"""Algorithms are compared on the same instance with the same kind of constants."""


def pairs_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Differences of the regret at the horizon between every two algorithms of a group, run by run; none within `NEAR`.

    `runs` has the columns of `KEYS`, algorithm, run, t, regret; yardsticks (preset ``none``) are left out.

    Columns: `KEYS`, algorithm, other, runs, difference (mean of the regret of `algorithm` minus that of `other`), low, high
    (paired Student interval; all of a group hold together with 95 %, by Bonferroni), resolved (0 is outside).
    """
    final = runs[(runs["t"] == runs["t"].max()) & (runs["preset"] != "none")]
    rows = []
    for group, table in final.groupby(KEYS, sort=True):
        regrets = table.pivot(index="run", columns="algorithm", values="regret")
        pairs = list(combinations(sorted(regrets), 2))
        count = len(regrets)
        quantile = stats.t.ppf(1 - (1 - LEVEL) / 2 / max(1, len(pairs)), count - 1) if count > 1 else math.inf
        for one, other in pairs:
            gaps = regrets[one] - regrets[other]
            gaps = gaps.where(gaps.abs() > NEAR * regrets[one].abs(), 0.0).to_numpy()
            mean, error = gaps.mean(), gaps.std(ddof=1) / math.sqrt(count) if count > 1 else math.nan
            half = 0.0 if error == 0 else quantile * error
            rows.append((*group, one, other, count, mean, mean - half, mean + half, abs(mean) > half))
    columns = [*KEYS, "algorithm", "other", "runs", "difference", "low", "high", "resolved"]
    return pd.DataFrame(rows, columns=columns)


def ranking_table(summary: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """The place of every algorithm in its group, as far as it is resolved.

    Parameters
    ----------
    summary : as `mnlbandits.analysis.regret.final_regret` gives it. pairs : as `pairs_table` does.

    Returns
    -------
    Columns: `KEYS`, algorithm, mean, best (1 + how many are resolved to have less regret), worst (all but those resolved to
    have more); in the order of the mean to nine digits, then of the name.
    """
    better = dict.fromkeys(zip(*(summary[name] for name in (*KEYS, "algorithm")), strict=True), 0)
    worse = dict(better)
    for row in pairs[pairs["resolved"]].itertuples():
        winner, loser = (row.algorithm, row.other) if row.difference < 0 else (row.other, row.algorithm)
        better[row.instance, row.preset, loser] += 1
        worse[row.instance, row.preset, winner] += 1
    rows = []
    for (instance, preset), group in summary[summary["preset"] != "none"].groupby(KEYS, sort=True):
        order = group.assign(digits=[float(f"{mean:.9g}") for mean in group["mean"]]).sort_values(["digits", "algorithm"])
        for row in order.itertuples():
            key = instance, preset, row.algorithm
            rows.append((*key, row.mean, 1 + better[key], len(group) - worse[key]))
    return pd.DataFrame(rows, columns=[*KEYS, "algorithm", "mean", "best", "worst"])
