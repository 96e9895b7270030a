"""Regret at calibrated radii, and what a calibration is worth on an instance that it was not made on."""

import math
from collections.abc import Mapping

import pandas as pd

from mnlbandits.analysis.intervals import clopper_pearson, mean_interval

ITSELF = "itself"
"""Where multipliers are from that were found on the instance that they play."""


def transfer_table(
    regret: pd.DataFrame,
    sets: pd.DataFrame,
    multipliers: Mapping[tuple[str, str], float],
    sources: Mapping[str, str],
    delta: float,
) -> pd.DataFrame:
    """Regret at the horizon and coverage over all rounds, from the same runs.

    Parameters
    ----------
    regret, sets : tables of a study's runs: instance, algorithm (a label), preset, run, and t, regret; worst_ratio.
    multipliers : of the radius, by (instance, label); without an entry for what has no calibrated radius.
    sources : by label, the instance on which its multiplier was found, where that is not the one it plays.

    Returns
    -------
    Columns: instance, algorithm, preset, calibrated_on (`ITSELF`, an instance, or missing), multiplier, t, runs; mean, low,
    high of the regret, with its 95 % Student interval; coverage, coverage_low, coverage_high, Clopper and Pearson's 95 %
    interval; target (1 - delta).
    """
    rows, keys = [], ["instance", "algorithm", "preset"]
    ratios = {group: part.to_numpy() for group, part in sets.groupby(keys)["worst_ratio"]}
    last = regret[regret["t"] == regret["t"].max()]
    for group, table in last.groupby(keys, sort=False):
        mean, low, high = mean_interval(table["regret"].to_numpy())
        multiplier, coverage = multipliers.get(group[:2], math.nan), [math.nan] * 3
        if math.isfinite(multiplier):
            covered = int((ratios[group] <= 1).sum())
            coverage = [covered / len(ratios[group]), *clopper_pearson(covered, len(ratios[group]))]
        source = sources.get(group[1], ITSELF) if math.isfinite(multiplier) else None
        rows.append((*group, source, multiplier, table["t"].iloc[0], len(table), mean, low, high, *coverage, 1 - delta))
    columns = ["calibrated_on", "multiplier", "t", "runs", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=[*keys, *columns, "coverage", "coverage_low", "coverage_high", "target"])
