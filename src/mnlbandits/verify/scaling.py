"""How the regret at a practical horizon moves with one quantity at a time, with radii calibrated at the base instance."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mnlbandits.algorithms import get_algorithm
from mnlbandits.analysis.intervals import LEVEL
from mnlbandits.errors import InputError, require_integer
from mnlbandits.instances import Instance, make_instance
from mnlbandits.instances.families import graded_sphere
from mnlbandits.seeds import generator
from mnlbandits.simulators.runs import simulate
from mnlbandits.verify.calibration import calibration_table, multipliers_of
from mnlbandits.verify.exponents import kappa_star_with, norm_with

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

WIDEST = {"T": 0.05, "kappa_star": 0.05, "d": 0.05, "K": 0.1, "R": 0.05}
"""Half the width of an interval up to which a slope counts as resolved."""

RESAMPLES = 1000

Points = list[tuple[float, dict[str, Any]]]
"""Values of a quantity and the parameters of `example` there."""

ARMS, SMALLEST = 24, 0.003
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
    horizons: Sequence[int],
    step: float,
    runs: int,
    most_runs: int,
    delta: float,
    seed: int,
    calibration: Mapping[str, Any],
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> pd.DataFrame:
    """Regret of every run with one quantity moved at a time, all with the multipliers of the base, by `leap` with noise.

    The base has K = 3 (binary systems: 2), d = 2 and R = 1; coverage elsewhere, and beyond the rounds of the calibration, is
    not checked. Of an algorithm with an exploration of its own it is the regret after it, at those horizons that lie beyond
    it by a factor of `WINDOW` or more. Runs are doubled until the slope is resolved. An interval has its level only in the
    limit of many runs (Chow and Robbins, 1965, for such a rule): it does not know of what happens in fewer than one of its
    runs.

    Parameters
    ----------
    grids : values of kappa_star (by the norm of theta_*), d, K (with kappa_* fixed by the norm) and R; T takes the
        checkpoints from horizon / `WINDOW` on. Binary systems skip K and R.
    norm, bound : ||theta_*|| of the base, and S of all.
    horizons : T, each in runs of its own. step : of `leap`.
    runs, most_runs : of a point, at first and at most.
    calibration : the keyword arguments horizon, long_horizon and seed of `calibration_table`.

    Returns
    -------
    Columns: algorithm, horizon, quantity, value, run, regret, and error (of the mean, by batches).

    Raises
    ------
    InputError : `most_runs` is below `runs`, or the algorithm explores for too long at every horizon.
    """
    binary = get_algorithm(algorithm).setting.name == "binary"
    base = {"outcomes": 2 if binary else 3, "dim": 2, "norm": norm, "reward_norm": 1.0, "bound": bound}
    found = calibration_table(example(**base), algorithm, delta=delta, **calibration)
    common = {"algorithm": algorithm, "preset": "calibrated", "options": multipliers_of(found), "delta": delta, "seed": seed}
    common |= {"simulator": "leap", "noise": "drawn", "step": step}
    require_integer("most_runs", most_runs, runs)
    parts = []
    for horizon, (quantity, group) in progress(list(itertools.product(horizons, points_of(grids, base).items()))):
        count, tables = runs, play(group, quantity, horizon, runs, common)
        while len(tables) > 1 and count < most_runs and not slope_of(pd.concat(tables))["resolved"]:
            count = min(2 * count, most_runs)
            tables = play(group, quantity, horizon, count, common)
        parts += tables if len(tables) > 1 else []
    if not parts:
        raise InputError("horizons", max(horizons), f"{WINDOW} times as long as the exploration of {algorithm}, or longer")
    return pd.concat(parts, ignore_index=True)


def play(points: Points, quantity: str, horizon: int, count: int, common: Mapping[str, Any]) -> list[pd.DataFrame]:
    """The rows of `scaling_runs` of a slope, a table for every value; none where the exploration is too long."""
    tables, first = [], horizon / WINDOW if quantity == "T" else horizon
    for value, parameters in points:
        played = simulate(example(**parameters), horizon=horizon, runs=range(count), **common)
        tau = 0.0 if math.isnan(played.tau) else played.tau
        spent = played.regret[:, played.t <= tau].max(axis=1, initial=0.0)
        for column in np.flatnonzero(played.t >= first * (1 - 1e-9)) if tau * WINDOW <= horizon else ():
            keys = {"algorithm": common["algorithm"], "horizon": horizon, "quantity": quantity}
            keys["value"] = float(played.t[column]) if quantity == "T" else value
            regret = {"run": played.index, "regret": played.regret[:, column] - spent}
            tables.append(pd.DataFrame(keys | regret | {"error": played.error[:, column]}))
    return tables


def points_of(grids: Mapping[str, Sequence[float]], base: Mapping[str, Any]) -> dict[str, Points]:
    """The points of every quantity that moves; that of T is the base."""
    outcomes, bound = base["outcomes"], base["bound"]
    points = {"T": [(math.nan, base)]}
    points["kappa_star"] = [(value, base | {"norm": norm_with(value, outcomes, bound)}) for value in grids["kappa_star"]]
    points["d"] = [(value, base | {"dim": value}) for value in grids["d"]]
    if outcomes > 2:
        fixed = kappa_star_with(base["norm"], outcomes)
        points["K"] = [(value, base | {"outcomes": value, "norm": norm_with(fixed, value, bound)}) for value in grids["K"]]
        points["R"] = [(value, base | {"reward_norm": value}) for value in grids["R"]]
    return points


def slope_of(runs: pd.DataFrame) -> dict[str, Any]:
    """The row of `scaling_table` of the runs (`scaling_runs`) of one algorithm, horizon and quantity."""
    algorithm, horizon, quantity = keys = tuple(runs[["algorithm", "horizon", "quantity"]].iloc[0])
    table = runs.pivot(index="value", columns="run", values="regret")
    regret, count = table.to_numpy(), table.shape[1]
    x = np.log(table.index.to_numpy(dtype=float))
    weights = (x - x.mean()) / ((x - x.mean()) ** 2).sum()
    stream, shape = generator("bootstrap", 0, " ".join(map(str, keys))), (1 if quantity == "T" else len(regret), count)
    drawn = (np.take_along_axis(regret, stream.integers(count, size=shape), axis=1) for _ in range(RESAMPLES))
    slopes = [np.log(sample.mean(axis=1)) @ weights for sample in drawn]
    low, high = np.quantile(slopes, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return (
        {"algorithm": algorithm, "horizon": horizon, "quantity": quantity, "points": len(regret), "runs": count}
        | {"first": table.index[0], "last": table.index[-1], "slope": float(np.log(regret.mean(axis=1)) @ weights)}
        | {"low": low, "high": high, "resolved": bool(high - low <= 2 * WIDEST[quantity])}
        | {"printed": PRINTED.get(algorithm, {}).get(quantity, math.nan)}
        | {"batches": float((runs["error"] / runs.groupby("value")["regret"].transform("mean")).max())}
    )


def scaling_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Slope of log mean regret in the log of every quantity, with its 95 % bootstrap interval over runs.

    For T all points are of the same runs, which are resampled together.

    Columns: algorithm, horizon, quantity, points, runs, first, last (of the values), slope, low, high, resolved (no wider
    than `WIDEST` either way), printed (`PRINTED`, nan if there is none), batches (largest relative error of a point that
    playing in batches makes).
    """
    return pd.DataFrame([slope_of(group) for _, group in runs.groupby(["algorithm", "horizon", "quantity"], sort=True)])
