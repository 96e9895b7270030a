"""Crossovers, slopes and exponents on curves that are known."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.real_constants import DIAMETER
from mnlbandits.dictionary import check_table
from mnlbandits.instances import make_instance
from mnlbandits.instances.action_sets import Sphere
from mnlbandits.simulators.counts import explore
from mnlbandits.verify import exponents
from mnlbandits.verify.exponents import THEOREM, exponent_points, exponent_table, norm_with, sphere_instance
from mnlbandits.verify.horizon import (
    exploration_table,
    first_below,
    horizon_table,
    learning_slopes,
    learnt_since_tau,
    trigger_table,
)


def test_first_below():
    t = np.array([1.0, 10.0, 100.0, 1000.0])
    rival = np.array([1.0, 10.0, 100.0, 1000.0])
    assert first_below(t, np.array([2.0, 5.0, 200.0, 300.0]), t, rival) == 1000
    assert first_below(t, rival / 2, t, rival) == 1
    assert first_below(t, 2 * rival, t, rival) == math.inf
    assert first_below(t, rival / 2, t, 0 * rival) == math.inf
    assert first_below(t, np.full(4, 50.0), np.array([1.0, 1000.0]), np.array([1.0, 1000.0])) == 100


def test_horizon_table_has_local_slopes():
    keys = {"instance": "i", "algorithm": "a", "preset": "paper"}
    t = np.array([1, 10, 100, 10**18])
    runs = pd.DataFrame(keys | {"run": 0, "t": t, "regret": 3 * np.sqrt(t), "error": 0.0})
    instance = make_instance("i", "large-kappa-star", {"outcomes": 3, "dim": 2, "norm": 1.0, "arms": 8})
    table = horizon_table(runs, pd.DataFrame([keys | {"run": 0, "tau": math.nan}]), [instance])
    assert list(table)[:3] == ["instance", "algorithm", "preset"]
    assert list(table)[3:] == ["point", "t", "regret", "error", "tau", "slope", "over_rate", "learnt", "learning_slope"]
    assert table["point"].tolist() == [0, 1, 2, 3]
    assert table["slope"].to_numpy() == pytest.approx(0.5)
    known = instance.constants
    rate = known["R"] * 2 * math.sqrt(3 / known["kappa_star"])
    assert table["over_rate"].to_numpy() == pytest.approx(3 / rate)
    assert table["learning_slope"].isna().all()


def test_slopes_of_learning_begin_after_twice_the_exploration():
    t = np.array([1, 10, 20, 30, 300, 3000])
    curve = pd.DataFrame({"t": t, "tau": 10.0, "regret": np.minimum(t, 10.0) + np.maximum(t - 10.0, 0) ** 0.7})
    learnt = learnt_since_tau(curve)
    assert learnt.isna().tolist() == [True, True, False, False, False, False]
    assert learnt[2:].to_numpy() == pytest.approx((t[2:] - 10) ** 0.7)
    slopes = learning_slopes(curve.assign(learnt=learnt))
    assert np.isnan(slopes[:4]).all()
    assert slopes[4:] == pytest.approx(0.7 * np.log([290 / 20, 2990 / 290]) / np.log(10))


def test_exponents_of_powers():
    rows = []
    for quantity in ("T", "d", "K", "kappa_star", "R"):
        for value in (2, 3, 5, 9):
            shape = (value - 1) / math.sqrt(value + 1) * math.sqrt(value) if quantity == "d" else value ** THEOREM[quantity]
            rows.append({"algorithm": "a", "quantity": quantity, "value": value, "regret": 7 * shape, "error": 0.07})
    table = exponent_table(pd.DataFrame(rows)).set_index("quantity")
    for quantity, power in THEOREM.items():
        if quantity != "d":
            assert table.loc[quantity, "slope"] == pytest.approx(power, abs=1e-12)
            assert table.loc[quantity, "low"] <= power + 1e-12
    assert table.loc["d", "slope"] > 1
    assert (table["points"] == 4).all()


@pytest.mark.parametrize("error", [-1e-12, 0.0, 1e-12])
def test_rounding_does_not_decide_whether_the_last_three_decades_begin_at_a_checkpoint(error, monkeypatch):
    t = np.array([1e18, 1e19 * (1 + error), 1e20, 1e22])
    run = SimpleNamespace(t=t, tau=math.nan, regret=np.sqrt(t)[None], error=np.zeros((1, 4)))
    monkeypatch.setattr(exponents, "play", lambda *_: run)
    points = exponent_points("a", {"d": [], "K": [], "kappa_star": [], "R": []}, 2.0, 1e22, 0.05, 0.1)
    assert points["value"].tolist() == t[1:].tolist()


@pytest.mark.parametrize("outcomes", [2, 3, 8])
def test_norm_with_this_kappa_star(outcomes):
    norm = norm_with(95.0, outcomes, 4.0)
    instance = sphere_instance(outcomes, 2, norm, 1.0, 4.0)
    assert instance.constants["kappa_star"] == pytest.approx(95, rel=1e-9)
    assert instance.norm_bound == 4.0
    assert instance.actions == Sphere()


def test_enough_exploration_is_enough_and_no_more():
    instance = replace(sphere_instance(3, 2, 1.0, 1.0, 1.0), actions="list")
    row = exploration_table([instance], [0.05], 1e12).iloc[0]
    algorithm = get_algorithm("real")
    plan = algorithm.exploration.plan(algorithm.begin(instance, instance.problem(1e12, 0.05), "paper", {}))
    enough = int(row["sufficient"])
    design = explore(instance.arms, plan, np.array([enough * 99 // 100, enough]), 10**4)
    assert design.diameters[0] > DIAMETER
    assert design.diameters[1] == pytest.approx(DIAMETER, rel=1e-3)
    assert row["rounds"] <= row["bound"]
    assert row["tau"] == plan.tau
    assert row["first"] < row["rounds"]


def test_a_round_after_the_horizon_is_missing():
    table = trigger_table(outcomes=2, dim=2, norm=1.0, arms=3, seeds=2, horizon=100, delta=0.05)
    assert table["first"].isna().all()
    assert table["rounds"].tolist() == [100, 100]
    check_table(table, "trigger")
