"""Regret on the lower bound's families (that of Theorem 2, and hidden pairs), beside R d sqrt(K T/kappa_*)."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mnlbandits.algorithms import get_algorithm
from mnlbandits.analysis.intervals import NEAR, mean_interval
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, make_instance
from mnlbandits.instances.families import frame_of, graded_sphere
from mnlbandits.instances.pairs import proved_constant
from mnlbandits.seeds import generator
from mnlbandits.simulators.runs import simulate
from mnlbandits.verify.calibration import calibration_table, multipliers_of

CONSTANT = 25_000
"""The proof's final bound is R d sqrt((K + 3) T/kappa_*) / `CONSTANT`."""

CHOICE = 0.01
"""c of the proof: eps^2 = c/(K + 3) sqrt(kappa_*/T)."""

BASE = {"K": 3, "d": 2}
"""K and d where it is not they that move."""

ARMS, SMALLEST = 24, 0.01
"""Arms on each of d - 1 great circles through the best one, and the smallest angle (rad) to it."""


def member(outcomes: int, dim: int, horizon: float, spread: float) -> Instance:
    """M~ of the family for this horizon, with every sign +1, on d - 1 great circles and the best arms of all signs.

    Every m_i, i >= 2, is sqrt(spread) (kappa_*/((K + 3) T))^(1/4): at a spread of 1, T rounds of x_* just about tell the
    signs apart. The arms come in an order drawn for their number.

    Raises
    ------
    InputError : the family has no such member: the horizon is too short.
    """
    m = tilt(outcomes, dim, horizon, spread)
    epsilon = 2 * m / math.sqrt((outcomes + 3) * (1 - (dim - 1) * m * m))
    name = f"K{outcomes} d{dim} T{horizon:.0e} spread{spread:g}"
    instance = make_instance(name, "lower-bound", {"outcomes": outcomes, "dim": dim, "epsilon": epsilon, "arms": 2})
    top = math.sqrt(1 - (dim - 1) * m * m)
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=dim - 1)))
    best = np.hstack([np.full((len(signs), 1), top), m * signs])
    circles = graded_sphere(frame_of(best[0]), ARMS * (dim - 1) + 1, SMALLEST)
    arms = np.vstack([best, circles[circles @ best[0] < 1 - 1e-12]])
    return replace(instance, arms=arms[generator("arms", 0, f"family {len(arms)}").permutation(len(arms))])


def tilt(outcomes: int, dim: int, horizon: float, spread: float) -> float:
    """The m_i of `member`, all the same; raises as it does."""
    m = math.sqrt(spread) * (1 / (slope(1 - math.log(outcomes - 1)) * horizon)) ** 0.25
    if 2 * (dim - 1) * m * m > 1:
        raise InputError("T", horizon, f"larger for K = {outcomes}, d = {dim} and a spread of {spread:g}")
    return m


def sizes(
    base: Mapping[str, int], horizon: int, grids: Mapping[str, Sequence[int]]
) -> list[tuple[str, int, dict[str, int]]]:
    """(quantity, value, K d and T) of all points, with one of them moved at a time from the base and the horizon."""
    base = {**base, "T": horizon}
    return [(quantity, value, base | {quantity: value}) for quantity, values in grids.items() for value in values]


def slope(z: float) -> float:
    """The derivative of the sigmoid."""
    return 1 / (2 + math.exp(z) + math.exp(-z))


def spread_of_proof(outcomes: int) -> float:
    """The spread of `member` that the proof's eps^2 = c/(K + 3) sqrt(kappa_*/T) amounts to, for small eps."""
    return CHOICE * math.sqrt(outcomes + 3) / 4


def family_points(
    algorithm: str,
    horizon: int,
    grids: Mapping[str, Sequence[int]],
    spreads: Sequence[float],
    runs: int,
    step: float,
    delta: float,
    seed: int,
    calibration: Mapping[str, Any],
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> pd.DataFrame:
    """Regret at the horizon on members of the family, with K, d or T moved at a time; R = 1.

    The specialist is played round by round; other algorithms by `leap` with drawn outcomes, with the multipliers that
    calibration finds on the base, K = 3 and d = 2.

    Parameters
    ----------
    grids : values of K, d and T. spreads : see `member`; besides them, that of the proof.

    Returns
    -------
    Columns: family (``signs``), algorithm, preset, quantity, value, K, d, T, spread, kappa_star, runs,
    mean, low, high of the regret, and error, what playing in batches makes of the mean.
    """
    record, common = get_algorithm(algorithm), {"seed": seed, "delta": delta}
    if record.knows_theta:
        common |= {"preset": "none", "simulator": "exact"}
    else:
        found = calibration_table(member(BASE["K"], BASE["d"], horizon, 1.0), algorithm, delta=delta, **calibration)
        common |= {"preset": "calibrated", "options": multipliers_of(found)}
        common |= {"simulator": "leap", "noise": "drawn", "step": step}
    rows = []
    points = list(itertools.product(sizes(BASE, horizon, grids), (0.0, *spreads)))
    for (quantity, value, size), spread in progress(points):
        spread = spread or spread_of_proof(size["K"])
        instance = member(size["K"], size["d"], size["T"], spread)
        played = simulate(instance, algorithm, size["T"], range(runs), **common)
        mean, low, high = mean_interval(played.regret[:, -1])
        rows.append(
            {"family": "signs", "algorithm": algorithm, "preset": common["preset"], "quantity": quantity, "value": value}
            | {**size, "spread": spread}
            | {"kappa_star": instance.constants["kappa_star"], "runs": runs, "mean": mean, "low": low, "high": high}
            | {"error": 0.0 if played.error is None else float(played.error[:, -1].max())}
        )
    return pd.DataFrame(rows)


def family_table(points: pd.DataFrame) -> pd.DataFrame:
    """The regret of every algorithm at the hardest of its spreads, over both rates, beside what is proved.

    The hardest is the first one played whose mean is within `NEAR` of the largest; hidden pairs have no spread, and their
    mean is that over all hypotheses.

    Parameters
    ----------
    points : those of `family_points` and of `mnlbandits.verify.hidden_pairs.pair_points`.

    Columns: those of `family_points`, over_root_KT = mean/(R d sqrt(K T/kappa_*)) with its interval, over_root_T =
    mean/(R d sqrt(T/kappa_*)) with its interval, and bound over R d sqrt(K T/kappa_*): the final one of Theorem 2's proof,
    or that of claim C028c.
    """
    keys = ["family", "algorithm", "quantity", "value"]
    largest = points.groupby(keys)["mean"].transform("max")
    table = points[points["mean"] >= (1 - NEAR) * largest].drop_duplicates(keys, ignore_index=True)
    rate = table["d"] * np.sqrt(table["T"] / table["kappa_star"])
    for name, scale in (("over_root_KT", rate * np.sqrt(table["K"])), ("over_root_T", rate)):
        for column, suffix in (("mean", ""), ("low", "_low"), ("high", "_high")):
            table[name + suffix] = table[column] / scale
    return table.assign(bound=[bound(row.family, row.K, row.d) for row in table.itertuples()])


def bound(family: str, outcomes: int, dim: int) -> float:
    """What is proved to be a lower bound, over R d sqrt(K T/kappa_*)."""
    if family == "pairs":
        return proved_constant(outcomes, dim) / math.sqrt(dim)
    return math.sqrt((outcomes + 3) / outcomes) / CONSTANT
