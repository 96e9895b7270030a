"""How the regret at a practical horizon moves with one quantity at a time, with radii calibrated to equal coverage."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mnlbandits.algorithms import get_algorithm
from mnlbandits.analysis.intervals import LEVEL
from mnlbandits.instances import Instance, make_instance
from mnlbandits.instances.families import graded_sphere
from mnlbandits.seeds import generator
from mnlbandits.simulate.runs import simulate
from mnlbandits.verify.calibration import calibrate
from mnlbandits.verify.exponents import norm_with

QUANTITIES = ("T", "kappa_star", "d", "K", "R")

PRINTED = {
    "glm-ucb": {"T": 0.5, "kappa_star": 0.0, "d": 1.0},
    "logistic-ucb-1": {"T": 0.5, "kappa_star": 0.0, "d": 1.0},
    "logistic-ucb-2": {"T": 0.5, "kappa_star": 0.0, "d": 1.0},
    "ofulog-r": {"T": 0.5, "kappa_star": -0.5, "d": 1.0},
    "ada-ofu-ecolog": {"T": 0.5, "kappa_star": -0.5, "d": 1.0},
    "oful-mlogb-binary": {"T": 0.5, "kappa_star": -0.5, "d": 1.0},
    "mnl-ucb": {"T": 0.5, "kappa_star": 0.0, "d": 1.0, "K": 1.0, "R": 1.0},
    "mnl-ucb-plus": {"T": 0.5, "kappa_star": 0.0, "d": 1.0, "K": 0.5, "R": 1.0},
    "oful-mlogb": {"T": 0.5, "kappa_star": 0.0, "d": 1.0, "K": 1.0, "R": 1.0},
    "real": {"T": 0.5, "kappa_star": -0.5, "d": 1.0, "K": 0.5, "R": 1.0},
}
"""Exponents of the leading terms of Table 1 (and of Logistic-UCB-1), without logarithms; K at fixed kappa and kappa_*."""

WINDOW = 100
"""Slopes in T are fitted from T / `WINDOW` to T."""

RESAMPLES = 1000
ARMS, SMALLEST = 16, 0.05
"""Arms on each of d - 1 great circles through the best one, and the smallest angle (rad) to it."""


def example(outcomes: int, dim: int, norm: float, reward_norm: float, bound: float) -> Instance:
    """The large-kappa_* example with ||theta_*|| = `norm` on d - 1 great circles; the learner knows `bound` as S.

    The arms come in an order drawn for the dimension: taking the first of equal arms must not find the best.
    """
    name = f"K{outcomes} d{dim} norm{norm:.6g} R{reward_norm:g}"
    parameters = {"outcomes": outcomes, "dim": dim, "norm": norm, "reward_norm": reward_norm}
    arms = graded_sphere(np.eye(dim), ARMS * (dim - 1) + 1, SMALLEST)
    arms = arms[generator("arms", 0, f"scaling d{dim}").permutation(len(arms))]
    return replace(make_instance(name, "large-kappa-star", parameters | {"arms": 2}), arms=arms, norm_bound=bound)


def scaling_runs(
    algorithm: str,
    grids: Mapping[str, Sequence[float]],
    norm: float,
    bound: float,
    horizon: int,
    runs: int,
    delta: float,
    seed: int,
    calibration: Mapping[str, Any],
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> pd.DataFrame:
    """Regret of every run with one quantity moved at a time, all with the multipliers of the base.

    The base has K = 3 (binary systems: 2), d = 2 and R = 1. Of an algorithm with an exploration of its own, it is the regret
    of the first `horizon` rounds after it.

    Parameters
    ----------
    grids : values of kappa_star (by the norm of theta_*), d, K (with kappa_* fixed by the norm) and R; T takes the
        checkpoints from horizon / `WINDOW` on. Binary systems skip K and R.
    norm, bound : ||theta_*|| of the base, and S of all.
    calibration : the keyword arguments horizon, long_horizon and seed of `calibrate`.

    Returns
    -------
    Columns: algorithm, quantity, value, run, regret, and multiplier of the radius.
    """
    record = get_algorithm(algorithm)
    binary = record.setting.name == "binary"
    base = {"outcomes": 2 if binary else 3, "dim": 2, "norm": norm, "reward_norm": 1.0, "bound": bound}
    found = calibrate(example(**base), algorithm, delta=delta, **calibration).set_index("option")["multiplier"]
    common = {"seed": seed, "preset": "calibrated", "options": dict(found), "delta": delta}
    if record.exploration is None:
        common |= {"horizon": horizon}
    else:
        common |= {"horizon": calibration["long_horizon"], "simulator": "counts", "learning_rounds": horizon}
    kappa_star = example(**base).constants["kappa_star"]
    points = [("T", float(horizon), base)]
    norms = {value: norm_with(value, base["outcomes"], bound) for value in grids["kappa_star"]}
    points += [("kappa_star", value, base | {"norm": norms[value]}) for value in norms]
    points += [("d", value, base | {"dim": value}) for value in grids["d"]]
    if not binary:
        norms = {value: norm_with(kappa_star, value, bound) for value in grids["K"]}
        points += [("K", value, base | {"outcomes": value, "norm": norms[value]}) for value in norms]
        points += [("R", value, base | {"reward_norm": value}) for value in grids["R"]]
    parts = []
    for quantity, value, parameters in progress(points):
        played = simulate(example(**parameters), algorithm, runs=range(runs), **common)
        tau = 0 if math.isnan(played.tau) else int(played.tau)
        before = played.regret[:, played.t <= tau].max(axis=1, initial=0.0)
        t, regret = played.t[played.t > tau] - tau, played.regret[:, played.t > tau] - before[:, None]
        for column in np.flatnonzero(t >= horizon / WINDOW) if quantity == "T" else [-1]:
            keys = {"algorithm": algorithm, "quantity": quantity, "value": float(t[column]) if quantity == "T" else value}
            parts.append(pd.DataFrame(keys | {"run": played.index, "regret": regret[:, column]}))
    return pd.concat(parts, ignore_index=True).assign(multiplier=found["radius_multiplier"])


def scaling_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Slope of log mean regret in the log of every quantity, with its 95 % bootstrap interval over runs.

    For T all points are of the same runs, which are resampled together.

    Columns: algorithm, quantity, points, runs, first, last (of the values), slope, low, high, printed (`PRINTED`, nan if
    there is none).
    """
    rows = []
    for (algorithm, quantity), group in runs.groupby(["algorithm", "quantity"], sort=True):
        table = group.pivot(index="value", columns="run", values="regret")
        regret, count = table.to_numpy(), table.shape[1]
        stream = generator("bootstrap", 0, f"{algorithm} {quantity}")
        shape = (RESAMPLES, 1 if quantity == "T" else len(regret), count)
        drawn = np.broadcast_to(stream.integers(count, size=shape), (RESAMPLES, len(regret), count))
        means = np.take_along_axis(regret[None], drawn, axis=2).mean(axis=2)
        x = np.log(table.index.to_numpy(dtype=float))
        weights = (x - x.mean()) / ((x - x.mean()) ** 2).sum()
        low, high = np.quantile(np.log(means) @ weights, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        rows.append(
            {"algorithm": algorithm, "quantity": quantity, "points": len(regret), "runs": count}
            | {"first": table.index[0], "last": table.index[-1], "slope": float(np.log(regret.mean(axis=1)) @ weights)}
            | {"low": low, "high": high, "printed": PRINTED.get(algorithm, {}).get(quantity, math.nan)}
        )
    return pd.DataFrame(rows)
