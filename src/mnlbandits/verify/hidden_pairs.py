"""Regret on the family of hidden pairs, where the root of K is forced, beside R d sqrt(K T/kappa_*)."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from mnlbandits.algorithms import get_algorithm
from mnlbandits.analysis.intervals import mean_interval
from mnlbandits.instances import Instance, make_instance
from mnlbandits.instances.pairs import hypotheses
from mnlbandits.simulators.runs import simulate
from mnlbandits.verify.calibration import calibration_table, multipliers_of
from mnlbandits.verify.family import sizes

BASE_OF_PAIRS = {"K": 4, "d": 2}
"""K where it is not K that moves, and d, which never does."""


def paired(outcomes: int, horizon: int, hypothesis: int) -> Instance:
    """One instance of the family."""
    parameters = {"outcomes": outcomes, "dim": BASE_OF_PAIRS["d"], "rounds": float(horizon), "hypothesis": hypothesis}
    return make_instance(f"pairs K{outcomes} T{horizon:.0e} {hypothesis}", "hidden-pairs", parameters)


def pair_points(
    algorithm: str,
    preset: str,
    options: Mapping[str, Any],
    horizon: int,
    grids: Mapping[str, Sequence[int]],
    runs: int,
    step: float,
    delta: float,
    seed: int,
    calibration: Mapping[str, Any],
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> pd.DataFrame:
    """Regret at the horizon, the mean over all hypotheses, with K or T moved at a time; d = 2, R = 1.

    The specialist is played round by round; other algorithms by `leap` with drawn outcomes, with a preset of constants; the
    multipliers of calibrated ones are the `options`, or those found at K = 4. Every hypothesis has the same number of runs,
    in all at least `runs`.

    Returns
    -------
    Columns: family (``pairs``), algorithm, preset, quantity, value, K, d, T, kappa_star, runs, mean, low, high of the
    regret, and error, what playing in batches makes of the mean.
    """
    common = {"seed": seed, "delta": delta, "preset": preset, "simulator": "exact"}
    if not get_algorithm(algorithm).knows_theta:
        common |= {"simulator": "leap", "noise": "drawn", "step": step}
    if preset == "calibrated" and not options:
        options = multipliers_of(
            calibration_table(paired(BASE_OF_PAIRS["K"], horizon, 0), algorithm, delta=delta, **calibration)
        )
    rows = []
    for quantity, value, size in progress(sizes(BASE_OF_PAIRS, horizon, grids)):
        count = len(hypotheses(size["K"], size["d"]))
        instances = [paired(size["K"], size["T"], each) for each in range(count)]
        played = [
            simulate(each, algorithm, size["T"], range(math.ceil(runs / count)), options=options, **common)
            for each in instances
        ]
        regret = np.concatenate([each.regret[:, -1] for each in played])
        mean, low, high = mean_interval(regret)
        rows.append(
            {"family": "pairs", "algorithm": algorithm, "preset": preset, "quantity": quantity, "value": value}
            | size
            | {"kappa_star": instances[0].constants["kappa_star"], "runs": len(regret)}
            | {"mean": mean, "low": low, "high": high}
            | {"error": max(0.0 if each.error is None else float(each.error[:, -1].max()) for each in played)}
        )
    return pd.DataFrame(rows)
