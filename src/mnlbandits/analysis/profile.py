"""Performance profiles: on which share of all plays a system pays at most so much, over all instances at once."""

from collections.abc import Iterable

import pandas as pd

from mnlbandits.analysis.intervals import LEVEL, NEAR, clopper_pearson
from mnlbandits.instances import Instance

RATIOS = tuple(float(f"{10 ** (tenth / 10):.4g}") for tenth in range(-30, 11))
"""Regrets over that of uniform play at which a profile is taken."""

COLUMNS = ["preset", "algorithm", "ratio", "instances", "plays", "share", "low", "high"]


def uniform_regret(instance: Instance, horizon: float) -> float:
    """The regret of `horizon` rounds that are spread evenly over the arms of an instance: T times its mean gap."""
    return horizon * float(instance.gaps.mean())


def counts(instance: Instance) -> bool:
    """Whether an instance has a fixed list of arms that differ in their mean rewards by more than rounding."""
    return instance.actions.kind == "list" and uniform_regret(instance, 1) > NEAR * float(abs(instance.rewards).max())


def profile_table(runs: pd.DataFrame, instances: Iterable[Instance]) -> pd.DataFrame:
    """Shares of the plays of a system, all its runs on all instances, whose regret is at most so much of uniform play's.

    Uniform play pays a known number on each instance, so plays are independent; the profile is the mean of their
    probabilities. Clopper and Pearson's intervals hold for such a mean where one play more than expected is seen (Hoeffding
    1956, Theorem 4), here at a level with which all of them together hold with 95 %, by Bonferroni.

    Parameters
    ----------
    runs : columns instance, algorithm, preset, run, t, regret; yardsticks (preset ``none``) are left out, and what does not
        play every instance that counts.
    instances : those with a fixed list of arms, not all best, count.

    Returns
    -------
    Columns `COLUMNS`: a row for each algorithm and each of `RATIOS`.
    """
    horizon = runs["t"].max()
    paid = {each.name: uniform_regret(each, horizon) for each in instances if counts(each)}
    final = runs[(runs["t"] == horizon) & (runs["preset"] != "none") & runs["instance"].isin(paid)]
    final = final.assign(ratio=final["regret"] / final["instance"].map(paid).astype(float))
    systems = {
        key: group for key, group in final.groupby(["preset", "algorithm"]) if group["instance"].nunique() == len(paid)
    }
    level = 1 - (1 - LEVEL) / max(1, len(systems) * len(RATIOS))
    rows = []
    for key, group in systems.items():
        for ratio in RATIOS:
            within, plays = int((group["ratio"] <= ratio * (1 + NEAR)).sum()), len(group)
            rows.append((*key, ratio, len(paid), plays, within / plays, *clopper_pearson(within, plays, level)))
    return pd.DataFrame(rows, columns=COLUMNS)
