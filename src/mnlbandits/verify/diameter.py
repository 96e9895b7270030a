"""The diameter of Theta along the exploration (Lemma constant diameter), in closed form.

V = I_K (x) A, so diam(Theta) = max_x sup ||(theta_1 - theta_2) x||_2 = 2 * 84 sqrt(lambda_0) max_x ||x||_{A^-1}: for every
difference D of two elements ||D x||_2 <= ||D A^{1/2}||_F ||A^{-1/2} x||_2, with equality for a rank-one D.
"""

import pandas as pd

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.real_constants import DIAMETER
from mnlbandits.instances import Instance
from mnlbandits.simulators.counts import explore
from mnlbandits.simulators.runs import checkpoints


def diameter_path(instance: Instance, horizon: float, delta: float) -> pd.DataFrame:
    """diam(Theta) of Algorithm 1 with the paper's constants for horizon T, had it stopped after t rounds, for t up to tau.

    Columns: instance, t, diameter, bound (1/sqrt(6)), tau, shortest (first listed t at which the diameter is within the
    bound, missing if there is none), excess (certified relative excess of the squared diameter at tau over the best
    allocation of tau pulls).
    """
    algorithm = get_algorithm("real")
    state = algorithm.begin(instance, instance.problem(horizon, delta), "paper", {})
    plan = algorithm.exploration.plan(state)
    design = explore(instance.arms, plan, checkpoints(1, max(1, plan.tau)))
    table = pd.DataFrame(
        {
            "instance": instance.name,
            "t": design.t,
            "diameter": design.diameters,
            "bound": DIAMETER,
            "tau": plan.tau,
            "shortest": pd.Series(design.t, dtype="Int64")[design.diameters <= DIAMETER].min(),
            "excess": design.excess,
        }
    )
    return table.astype({"shortest": "Int64"})


def diameter_at_tau(paths: pd.DataFrame) -> pd.DataFrame:
    """Last row of every instance, with tau over the shortest exploration that suffices and the lemma's verdict."""
    table = paths.groupby("instance", sort=True).last().reset_index().drop(columns="t")
    table["tau_over_shortest"] = table["tau"] / table["shortest"]
    table["verdict"] = ["holds" if row.diameter <= row.bound else "fails" for row in table.itertuples()]
    return table
