"""The paper's own constants at horizons that no simulation round by round can reach."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.real_constants import DIAMETER
from mnlbandits.instances import Instance, make_instance
from mnlbandits.model.softmax import Array
from mnlbandits.simulators import Runs, simulate
from mnlbandits.simulators.counts import explore
from mnlbandits.simulators.runs import LEAP_RESOLUTION
from mnlbandits.simulators.trigger import trigger


def horizon_table(runs: pd.DataFrame, sets: pd.DataFrame, instances: Iterable[Instance]) -> pd.DataFrame:
    """Regret of every label without noise.

    Columns instance, algorithm, preset, point (0, 1, ... along t), t, regret, error (bound on what batches change), tau
    (rounds of exploration before learning, nan without such a phase), slope (of log regret in log t around t), over_rate
    (regret over `rate` and sqrt(t)), learnt (regret since tau, nan before and without such a phase), learning_slope (of log
    `learnt` in log t, from the point before, nan up to 2 tau).
    """
    rates = {instance.name: rate(instance) for instance in instances}
    keys = ["instance", "algorithm", "preset"]
    table = runs[[*keys, "t", "regret", "error"]].merge(sets[[*keys, "tau"]], on=keys)
    table.insert(len(keys), "point", table.groupby(keys).cumcount())
    table["slope"] = math.nan
    for _, group in table.groupby(keys, sort=False):
        if len(group) > 1:
            slopes = np.gradient(np.log(group["regret"].clip(lower=1e-300)), np.log(group["t"].astype(float)))
            table.loc[group.index, "slope"] = slopes
    table["over_rate"] = table["regret"] / (table["instance"].map(rates) * np.sqrt(table["t"].astype(float)))
    table["learnt"], table["learning_slope"] = math.nan, math.nan
    for _, group in table[table["tau"].notna()].groupby(keys, sort=False):
        table.loc[group.index, "learnt"] = learnt_since_tau(group)
        table.loc[group.index, "learning_slope"] = learning_slopes(table.loc[group.index])
    return table


def rate(instance: Instance) -> float:
    """R d sqrt(K / kappa_*): the right side of Theorem 1 without its constants and logarithms, over sqrt(T)."""
    known = instance.constants
    return known["R"] * known["dim"] * math.sqrt(known["outcomes"] / known["kappa_star"])


def learnt_since_tau(curve: pd.DataFrame) -> pd.Series:
    """The regret after the last point of the exploration; nan up to it."""
    explored = curve["t"] <= curve["tau"]
    spent = curve.loc[explored, "regret"].iloc[-1] if explored.any() else 0.0
    return (curve["regret"] - spent).mask(explored)


def learning_slopes(curve: pd.DataFrame) -> Array:
    """The slope, log in log, from the point before to each one, of `learnt`; nan up to 2 tau."""
    t, tau, learnt = curve["t"].astype(float).to_numpy(), float(curve["tau"].iloc[0]), curve["learnt"].to_numpy()
    slopes = np.full(len(t), math.nan)
    for point in range(1, len(t)):
        if t[point - 1] > 2 * tau and t[point] > t[point - 1] and learnt[point - 1] > 0:
            slopes[point] = math.log(learnt[point] / learnt[point - 1]) / math.log(t[point] / t[point - 1])
    return slopes


def examples(outcomes: Sequence[int], dims: Sequence[int], norms: Sequence[float], **parameters: Any) -> Iterator[Instance]:
    """The large-kappa_* example for all K, d and S."""
    for k, d, s in product(outcomes, dims, norms):
        yield make_instance(f"K{k} d{d} S{s}", "large-kappa-star", {"outcomes": k, "dim": d, "norm": s, **parameters})


def described(instance: Instance) -> dict[str, float]:
    """outcomes, dim, norm, kappa and kappa_star of an example."""
    constants = instance.constants
    sizes = {"outcomes": instance.outcomes, "dim": instance.dim, "norm": instance.norm_bound}
    return sizes | {key: constants[key] for key in ("kappa", "kappa_star")}


def play(instance: Instance, algorithm: str, horizon: float, delta: float, step: float) -> Runs:
    """One run of the paper's constants in batches, without noise."""
    return simulate(instance, algorithm, horizon, [0], preset="paper", simulator="leap", delta=delta, step=step)


def crossover_table(
    instances: Iterable[Instance], rivals: Sequence[str], horizon: float, delta: float, step: float
) -> pd.DataFrame:
    """When the regret of REAL falls below that of `rivals` for good, with the paper's constants.

    Columns: outcomes, dim, norm, kappa, kappa_star, tau, outweighed (the first checkpoint at which REAL's regret of learning
    exceeds that of its exploration), rival (also ``uniform``), overtaken (the first checkpoint from which on REAL has less
    regret; missing, like `outweighed`, if there is none up to the horizon), error (relative, of both curves at the horizon).
    """
    rows = []
    for instance in instances:
        real = play(instance, "real", horizon, delta, step)
        t, regret, last = real.t.astype(float), real.regret[0], float(real.error[0, -1] / real.regret[0, -1])
        spent = regret[t <= real.tau][-1]
        outweighed = first_below(t, np.full(len(t), spent), t, regret - spent)
        shared = described(instance) | {"tau": real.tau, "outweighed": outweighed}
        overtaken = first_below(t, regret, t, t * instance.gaps.mean())
        rows.append(shared | {"rival": "uniform", "overtaken": overtaken, "error": last})
        for name in rivals:
            run = play(instance, name, horizon, delta, step)
            overtaken = first_below(t, regret, run.t.astype(float), run.regret[0])
            error = max(last, float(run.error[0, -1] / run.regret[0, -1]))
            rows.append(shared | {"rival": name, "overtaken": overtaken, "error": error})
    return pd.DataFrame(rows).replace({"outweighed": math.inf, "overtaken": math.inf}, math.nan)


def first_below(t: np.ndarray, regret: np.ndarray, other_t: np.ndarray, other: np.ndarray) -> float:
    """The first of `t` from which on `regret` is below the `other` curve, interpolated in log-log; inf if there is none."""
    positive = other > 0
    if not positive.any():
        return math.inf
    below = regret < np.exp(np.interp(np.log(t), np.log(other_t[positive]), np.log(other[positive])))
    if not below[-1]:
        return math.inf
    above = np.flatnonzero(~below)
    return float(t[above[-1] + 1]) if len(above) else float(t[0])


def exploration_table(instances: Iterable[Instance], deltas: Sequence[float], horizon: float) -> pd.DataFrame:
    """Rounds of exploration with the paper's constants.

    Columns: outcomes, dim, norm, kappa, kappa_star, delta, tau (Algorithm 1), sufficient (the fewest rounds of its design
    after which the diameter of its Theta is 1/sqrt(6)), first (first round of learning of Algorithm 3, missing if
    it is after the horizon), rounds (|T^w| of Algorithm 3 up to the horizon), bound (the paper's on it).
    """
    algorithm, rows = get_algorithm("real"), []
    for instance, delta in product(instances, deltas):
        plan = algorithm.exploration.plan(algorithm.begin(instance, instance.problem(horizon, delta), "paper", {}))
        target = (DIAMETER / (2 * plan.theta_radius)) ** 2
        design = explore(instance.arms, plan._replace(target=target), np.array([plan.tau]), LEAP_RESOLUTION)
        rows.append(
            described(instance)
            | {"delta": delta, "tau": plan.tau, "sufficient": int(design.t[-1])}
            | trigger(instance, horizon, delta, LEAP_RESOLUTION)._asdict()
        )
    return within(horizon, pd.DataFrame(rows))


def trigger_table(outcomes: int, dim: int, norm: float, arms: int, seeds: int, horizon: int, delta: float) -> pd.DataFrame:
    """The exploration of Algorithm 3, exactly, on random instances: seed, kappa, first, rounds, bound, bound_over_rounds."""
    parameters, rows = {"outcomes": outcomes, "dim": dim, "norm": norm, "arms": arms}, []
    for seed in range(seeds):
        instance = make_instance(f"random {seed}", "random", parameters | {"seed": seed})
        found = trigger(instance, horizon, delta, resolution=horizon)
        rows.append({"seed": seed, "kappa": instance.constants["kappa"]} | found._asdict())
    table = within(horizon, pd.DataFrame(rows))
    return table.assign(bound_over_rounds=table["bound"] / table["rounds"])


def within(horizon: float, table: pd.DataFrame) -> pd.DataFrame:
    """The table with `first` missing where it is later than the horizon."""
    first = table["first"].astype("Int64")
    return table.assign(first=first.where(first <= horizon))
