"""Exponents of the regret in the regime of sqrt(T), at the paper's own constants, on the whole sphere."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import linregress
from scipy.stats import t as student

from mnlbandits.analysis.intervals import LEVEL
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, make_instance
from mnlbandits.model import constants
from mnlbandits.verify.horizon import play

THEOREM = {"T": 0.5, "kappa_star": -0.5, "d": 1.0, "d, radius": 0.5, "K": 0.5, "R": 1.0}
"""Exponents of Theorem 1 (leading term, without logarithms); for ``d, radius`` see `exponent_table`."""

BASE = {"outcomes": 3, "dim": 2, "norm": 2.0, "reward_norm": 1.0}


def sphere_instance(outcomes: int, dim: int, norm: float, reward_norm: float, bound: float) -> Instance:
    """The large-kappa_* example on the whole sphere with ||theta_*|| = `norm`, for a learner that knows `bound` as S."""
    name = f"K{outcomes} d{dim} norm{norm:.6g} R{reward_norm:g}"
    parameters = {"outcomes": outcomes, "dim": dim, "norm": norm, "reward_norm": reward_norm}
    instance = make_instance(name, "large-kappa-star", parameters | {"arms": 48 * (dim - 1) + 1, "grid": "sphere"})
    return replace(instance, norm_bound=bound)


def kappa_star_with(norm: float, outcomes: int) -> float:
    """kappa_* of the large-kappa_* example with ||theta_*|| = `norm`."""
    example = make_instance("root", "large-kappa-star", {"outcomes": outcomes, "dim": 2, "norm": norm, "arms": 2})
    return constants.kappa_star(example.theta, example.arms, example.rewards)


def smallest_norm(outcomes: int) -> float:
    """The norm of theta_* from which on P(y = 1) >= 1/2 at x_* of the large-kappa_* example, and kappa_* grows with it."""
    return max(math.log(outcomes - 1) * math.sqrt((outcomes - 1) / outcomes), 1e-3)


def norm_with(kappa_star: float, outcomes: int, bound: float) -> float:
    """||theta_*|| from `smallest_norm` to `bound` of the large-kappa_* example for which kappa_* has this value.

    Raises
    ------
    InputError : there is none.
    """
    least = smallest_norm(outcomes)
    low, high = kappa_star_with(least, outcomes), kappa_star_with(bound, outcomes)
    if least >= bound or not low <= kappa_star <= high:
        raise InputError("kappa_star", kappa_star, f"in {low:.8g} .. {high:.8g} with K = {outcomes} and S = {bound:g}")
    return float(brentq(lambda norm: math.log(kappa_star_with(norm, outcomes) / kappa_star), least, bound, xtol=1e-12))


def exponent_points(
    algorithm: str, grids: Mapping[str, Sequence[float]], bound: float, horizon: float, delta: float, step: float
) -> pd.DataFrame:
    """Regret after the exploration, at the paper's constants, with one quantity moved at a time and all others fixed.

    Parameters
    ----------
    grids : values of d, K (with kappa_* fixed by the norm of theta_*), kappa_star (by the norm) and R; T takes the
        checkpoints of the last three decades before the horizon.
    bound : S, the same for all.

    Returns
    -------
    Columns: algorithm, quantity, value, kappa_star, tau, regret, error.
    """
    rows = []

    def measure(quantity: str, value: float, instance: Instance, every: bool = False) -> None:
        run = play(instance, algorithm, horizon, delta, step)
        tau = 0.0 if math.isnan(run.tau) else run.tau
        t, before = run.t.astype(float), run.t <= tau
        spent = run.regret[0, before][-1] if before.any() else 0.0
        for column in np.flatnonzero(t >= horizon / 1e3 * (1 - 1e-9)) if every else [-1]:
            rows.append(
                {"algorithm": algorithm, "quantity": quantity, "value": t[column] if every else value}
                | {"kappa_star": instance.constants["kappa_star"], "tau": tau}
                | {"regret": run.regret[0, column] - spent, "error": run.error[0, column]}
            )

    base = sphere_instance(**BASE, bound=bound)
    measure("T", horizon, base, every=True)
    for dim in grids["d"]:
        measure("d", dim, sphere_instance(**BASE | {"dim": dim}, bound=bound))
    for outcomes in grids["K"]:
        norm = norm_with(base.constants["kappa_star"], outcomes, bound)
        measure("K", outcomes, sphere_instance(**BASE | {"outcomes": outcomes, "norm": norm}, bound=bound))
    for kappa_star in grids["kappa_star"]:
        norm = norm_with(kappa_star, BASE["outcomes"], bound)
        measure("kappa_star", kappa_star, sphere_instance(**BASE | {"norm": norm}, bound=bound))
    for reward_norm in grids["R"]:
        measure("R", reward_norm, sphere_instance(**BASE | {"reward_norm": reward_norm}, bound=bound))
    return pd.DataFrame(rows)


def exponent_table(points: pd.DataFrame) -> pd.DataFrame:
    """Slope of log regret in the log of every quantity.

    The quantity ``d, radius`` is the regret over (d - 1)/sqrt(d + 1), the factor that the sphere contributes, against d.
    Balancing the bonus sigma r sqrt(u^2/H + 1/(g t)) of an angle u, where g and r^2 = R^2 g/kappa_* are the curvature and
    the squared slope of the reward at x_* and H = (g/(d - 1)) sum u^2 the information in each of d - 1 directions, against
    its price gives H proportional to sqrt(t) and the regret sigma R sqrt(T/kappa_*) (d - 1)/sqrt(2 (d + 1)): what is left
    is the radius sigma.

    Columns: algorithm, quantity, points, slope, low, high (95 % Student interval of the regression: how far the points are
    from a power law), theorem (that of Theorem 1, whatever the algorithm), largest_error (relative error of the
    points by batches).
    """
    by_d = points[points["quantity"] == "d"]
    factor = (by_d["value"] - 1) / np.sqrt(by_d["value"] + 1)
    over = by_d.assign(quantity="d, radius", regret=by_d["regret"] / factor, error=by_d["error"] / factor)
    points, rows = pd.concat([points, over]), []
    for (algorithm, quantity), group in points.groupby(["algorithm", "quantity"], sort=False):
        fit = linregress(np.log(group["value"]), np.log(group["regret"]))
        half = float(student.ppf((1 + LEVEL) / 2, len(group) - 2)) * fit.stderr if len(group) > 2 else math.inf
        rows.append(
            {"algorithm": algorithm, "quantity": quantity, "points": len(group), "slope": fit.slope}
            | {"low": fit.slope - half, "high": fit.slope + half, "theorem": THEOREM[quantity]}
            | {"largest_error": float((group["error"] / group["regret"]).max())}
        )
    return pd.DataFrame(rows)
