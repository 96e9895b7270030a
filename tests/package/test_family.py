"""Regret on the family of the lower bound."""

import math

import numpy as np
import pandas as pd
import pytest

from mnlbandits.errors import InputError
from mnlbandits.verify.family import (
    BASE,
    CHOICE,
    CONSTANT,
    family_points,
    family_table,
    member,
    spread_of_proof,
)

CALIBRATION = {"horizon": 50, "long_horizon": 10**6, "seed": 1}


@pytest.mark.parametrize(("outcomes", "dim"), [(2, 2), (3, 4), (8, 3)])
def test_a_member_is_of_the_family_with_this_spread(outcomes, dim):
    instance = member(outcomes, dim, 1e6, 0.7)
    m = instance.theta[0] - instance.theta[1]
    assert np.linalg.norm(m) == pytest.approx(1, rel=1e-12)
    star = instance.constants["kappa_star"]
    np.testing.assert_allclose(m[1:] ** 2, 0.7 * math.sqrt(star / ((outcomes + 3) * 1e6)), rtol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(instance.arms, axis=1), 1, rtol=1e-12)
    best = instance.arms[np.argmin(instance.gaps)]
    np.testing.assert_allclose(best, m, rtol=1e-9)
    signs = {tuple(np.sign(arm[1:])) for arm in instance.arms if np.allclose(np.abs(arm), np.abs(m), rtol=1e-9)}
    assert len(signs) == 2 ** (dim - 1)


def test_the_proofs_spread_is_its_epsilon():
    horizon, outcomes = 1e12, 5
    m = (lambda theta: theta[0] - theta[1])(member(outcomes, 2, horizon, spread_of_proof(outcomes)).theta)
    epsilon = 2 / math.sqrt(outcomes + 3) * m[1] / m[0]
    star = member(outcomes, 2, horizon, 1.0).constants["kappa_star"]
    assert epsilon**2 == pytest.approx(CHOICE / (outcomes + 3) * math.sqrt(star / horizon), rel=1e-4)


def test_too_short_a_horizon_is_refused():
    with pytest.raises(InputError, match=r"^T: got 10"):
        member(3, 6, 10, 4.0)


@pytest.mark.parametrize("error", [-1e-12, 0.0, 1e-12])
def test_rounding_does_not_choose_among_spreads_that_are_equally_hard(error):
    """The first one played is taken, but for one that is harder by a share of 1e-6."""
    point = {"family": "signs", "algorithm": "a", "quantity": "T", "K": 3, "d": 2, "T": 100, "kappa_star": 24.0}
    point |= {"low": 1.0, "high": 2.0}
    means = {10: (5.0, 7.0 * (1 + error), 7.0), 20: (7.0 * (1 + error), 7.0, 7.0 * (1 + 1e-6))}
    points = [
        point | {"value": value, "spread": spread, "mean": mean}
        for value, row in means.items()
        for spread, mean in zip((spread_of_proof(3), 1.0, 4.0), row, strict=True)
    ]
    assert family_table(pd.DataFrame(points))["spread"].tolist() == [1.0, 4.0]


def test_points_of_the_specialist_and_of_a_system():
    grids = {"K": [2, 3], "d": [3], "T": [4000]}
    specialist = family_points("sign-sampler", 2000, grids, [1.0], 3, 0.5, 0.05, 0, CALIBRATION)
    system = family_points("oful-mlogb", 2000, grids, [1.0], 3, 0.5, 0.05, 0, CALIBRATION)
    for points in (specialist, system):
        assert len(points) == 8
        assert (points["mean"] >= 0).all()
        assert (points["low"] <= points["mean"]).all()
        moved = points[points["quantity"] == "d"]
        assert (moved[["K", "d", "T"]] == [BASE["K"], 3, 2000]).all(axis=None)
    assert (specialist["error"] == 0).all()
    table = family_table(pd.concat([specialist, system]))
    assert len(table) == 8
    row = table[(table["algorithm"] == "oful-mlogb") & (table["quantity"] == "K")].iloc[0]
    rate = row["d"] * math.sqrt(row["K"] * row["T"] / row["kappa_star"])
    assert row["over_root_KT"] == pytest.approx(row["mean"] / rate)
    assert row["over_root_T"] == pytest.approx(row["mean"] / rate * math.sqrt(row["K"]))
    assert row["bound"] * rate == pytest.approx(
        row["d"] * math.sqrt((row["K"] + 3) * row["T"] / row["kappa_star"]) / CONSTANT
    )
