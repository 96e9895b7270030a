"""Coverage of confidence sets over runs (Lemmas constant diameter and confidence set learning)."""

import pandas as pd

from mnlbandits.analysis.intervals import clopper_pearson

SETS = {"theta_ratio": "Theta", "worst_ratio": "C_t"}
"""Columns of a run's summary and the confidence set whose ratio (distance of theta_* over radius) they hold."""


KEYS = ["instance", "algorithm", "preset"]


def margins(summary: pd.DataFrame, delta: float) -> pd.DataFrame:
    """Ratio of every set of every run, long: `KEYS`, run, set, ratio, delta. Sets that a run does not have are left out."""
    table = summary.melt(id_vars=[*KEYS, "run"], value_vars=list(SETS), var_name="set", value_name="ratio")
    table["set"] = table["set"].map(SETS)
    return table.dropna(subset="ratio", ignore_index=True).assign(delta=delta)


def coverage_table(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """From `margins`, per group of `keys` and set: runs, covered, coverage with its 95 % Clopper-Pearson interval, margin.

    A run is covered if theta_* was inside the set at every round checked. `largest_ratio` is the closest it came to the
    boundary (1), `median_ratio` the median over runs. `verdict` compares the interval with 1 - delta: ``holds`` if its lower
    end is at least that, ``fails`` if its upper end is below, else ``undecided``.
    """
    rows = []
    for group, runs in table.groupby([*keys, "set"], sort=True):
        delta = runs["delta"].iloc[0]
        covered = int((runs["ratio"] <= 1).sum())
        low, high = clopper_pearson(covered, len(runs))
        verdict = "holds" if low >= 1 - delta else "fails" if high < 1 - delta else "undecided"
        rows.append(
            dict(zip([*keys, "set"], group, strict=True))
            | {
                "runs": len(runs),
                "covered": covered,
                "coverage": covered / len(runs),
                "low": low,
                "high": high,
                "target": 1 - delta,
                "verdict": verdict,
                "median_ratio": runs["ratio"].median(),
                "largest_ratio": runs["ratio"].max(),
            }
        )
    return pd.DataFrame(rows)
