"""Regret of optimistic systems of both frameworks, MNL and Logit, each on an environment of its own."""

import numpy as np
import pandas as pd

from mnlbandits.algorithms.oful_mlogb import ALGORITHM
from mnlbandits.analysis.regret import regret_summary
from mnlbandits.assortment import simulate as logit
from mnlbandits.assortment.algorithms import TITLES
from mnlbandits.assortment.instances import random_assortments
from mnlbandits.instances.families import random_instance
from mnlbandits.simulators import runs as mnl

KEYS = ["framework", "algorithm", "preset"]


def frameworks_table(
    items: int, dim: int, size: int, horizon: int, runs: int, seed: int = 0, delta: float = 0.05
) -> pd.DataFrame:
    """Mean cumulative regret with its 95 % Student interval at log-spaced rounds, valid constants.

    Columns: `KEYS`, t, runs, mean, low, high.

    ``logit``: `items` items of revenue 1, `size` of which may be offered. ``mnl``: as many arms as items and as many
    outcomes as a full set has (`size` + 1), with parameters of the same norm 1. Yardsticks (preset ``none``) are uniformly
    random arms, and random sets of `size` items; their regret is its expectation.
    """
    sets = random_assortments("frameworks", items, dim, size, equal_revenues=True)
    arms = random_instance("frameworks", size + 1, dim, arms=items)
    played = mnl.simulate(arms, ALGORITHM.name, horizon, range(runs), seed, "valid", delta=delta)
    parts = [played.regret_table().assign(framework="mnl", algorithm=ALGORITHM.name)]
    for name in TITLES:
        part = logit.simulate(sets, name, "valid", horizon, range(runs), seed, delta)
        parts.append(part.assign(framework="logit", algorithm=name))
    table = regret_summary(pd.concat(parts).assign(preset="valid"), KEYS)
    gaps = {"mnl": float(np.mean(arms.gaps)), "logit": logit.random_gap(sets)}
    yardsticks = [
        pd.DataFrame({"framework": name, "algorithm": "uniform", "preset": "none", "t": played.t, "runs": runs, "mean": gap})
        for name, gap in gaps.items()
    ]
    for part in yardsticks:
        part["mean"] *= part["t"]
        part["low"] = part["high"] = part["mean"]
    return pd.concat([table, *yardsticks], ignore_index=True)
