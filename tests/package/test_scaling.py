"""Slopes of the regret at a practical horizon."""

import itertools

import numpy as np
import pandas as pd
import pytest

from mnlbandits.algorithms import REGISTRY
from mnlbandits.errors import InputError
from mnlbandits.verify import scaling
from mnlbandits.verify.exponents import kappa_star_with, norm_with
from mnlbandits.verify.scaling import ARMS, PRINTED, QUANTITIES, WIDEST, example, scaling_runs, scaling_table

VALUES = [2, 3, 4, 6, 8]


def power_law(power, factors, quantity="d"):
    """Regret value^power times a factor (len(VALUES), runs)."""
    rows = [
        {
            "algorithm": "real",
            "horizon": 100,
            "quantity": quantity,
            "error": 0.0,
            "value": value,
            "run": run,
            "regret": 5 * value**power * factor,
        }
        for value, row in zip(VALUES, factors, strict=True)
        for run, factor in enumerate(row)
    ]
    return pd.DataFrame(rows)


def test_a_power_law_has_its_power():
    noise = np.exp(0.1 * np.random.default_rng(0).standard_normal((len(VALUES), 40)))
    row = scaling_table(power_law(0.7, noise)).iloc[0]
    assert row["low"] < 0.7 < row["high"]
    x = np.log(VALUES)
    error = 0.1 / np.sqrt(40) / np.sqrt(((x - x.mean()) ** 2).sum())
    assert (row["high"] - row["low"]) / 2 == pytest.approx(1.96 * error, rel=0.25)
    assert (row["points"], row["runs"], row["printed"]) == (5, 40, 1.0)


@pytest.mark.parametrize("quantity", ["d", "K"])
@pytest.mark.parametrize(("share", "resolved"), [(0.7, True), (1.4, False)])
def test_a_slope_is_resolved_up_to_its_width(quantity, share, resolved):
    """400 runs, noise such that the half-width is this share of the widest; the bootstrap errs by a few percent."""
    x = np.log(VALUES)
    noise = share * WIDEST[quantity] * np.sqrt(400 * ((x - x.mean()) ** 2).sum()) / 1.96
    factors = np.exp(noise * np.random.default_rng(1).standard_normal((len(VALUES), 400)) - noise**2 / 2)
    assert scaling_table(power_law(0.7, factors, quantity)).iloc[0]["resolved"] == resolved


def test_points_of_the_same_runs_are_resampled_together():
    shared = np.tile(np.exp(np.random.default_rng(0).standard_normal(40)), (len(VALUES), 1))
    together = scaling_table(power_law(0.5, shared, "T")).iloc[0]
    assert together["slope"] == pytest.approx(0.5, abs=1e-12)
    assert together["high"] - together["low"] < 1e-12
    apart = scaling_table(power_law(0.5, shared)).iloc[0]
    assert apart["high"] - apart["low"] > 0.1


@pytest.mark.parametrize("dim", [2, 4])
def test_the_example_keeps_the_best_arm_but_not_in_front(dim):
    instance = example(3, dim, 1.0, 2.0, 1.5)
    assert len(instance.arms) == ARMS * (dim - 1) + 1
    np.testing.assert_allclose(np.linalg.norm(instance.arms, axis=1), 1, rtol=1e-12)
    best = int(np.argmin(instance.gaps))
    np.testing.assert_allclose(instance.arms[best], np.eye(dim)[0], atol=1e-12)
    assert best > 0
    assert instance.norm_bound == 1.5
    assert np.linalg.norm(instance.rewards) == pytest.approx(2.0)


def test_a_norm_for_every_kappa_star_in_reach():
    assert kappa_star_with(norm_with(60.0, 5, 4.0), 5) == pytest.approx(60.0, rel=1e-9)
    with pytest.raises(InputError, match="kappa_star"):
        norm_with(5.0, 3, 4.0)


def test_printed_powers_are_of_registered_systems():
    assert set(PRINTED) <= set(REGISTRY)
    for powers in PRINTED.values():
        assert set(powers) <= set(QUANTITIES)
        assert powers["T"] == 0.5
        assert powers["d"] == 1.0


def runs_of(algorithm, horizons, most_runs=2):
    grids = {"kappa_star": [28, 30], "d": [2, 3], "K": [2, 3], "R": [1, 2]}
    calibration = {"horizon": 10, "long_horizon": 10**7, "seed": 1}
    return scaling_runs(algorithm, grids, 1.2, 1.4, horizons, 0.5, 2, most_runs, 0.05, 0, calibration)


def test_binary_systems_skip_outcomes_and_rewards():
    runs = runs_of("oful-mlogb-binary", [10, 1000])
    assert set(runs["quantity"]) == {"T", "kappa_star", "d"}
    assert (runs["regret"] >= 0).all()
    table = scaling_table(runs)
    assert list(table["runs"].unique()) == [2]
    assert list(table.loc[table["quantity"] == "T", "last"]) == [10, 1000]
    assert list(table.loc[table["quantity"] == "T", "first"]) == [1, 10]


def test_an_exploration_is_left_out():
    table = scaling_table(runs_of("real", [10, 10**8]))
    assert set(table["horizon"]) == {10**8}
    assert set(table["quantity"]) == set(QUANTITIES)
    assert (table["batches"] >= 0).all()


def test_a_slope_that_few_runs_carry_is_not_resolved():
    values, runs = np.repeat([1.0, 10.0], 20), np.tile(np.arange(20), 2)
    keys = {"algorithm": "real", "horizon": 10, "quantity": "d", "value": values, "run": runs, "error": 0.0}
    even, rare = 100 + runs % 2, np.where(runs == 0, 1000.0, 1.0)
    assert scaling_table(pd.DataFrame(keys | {"regret": even * values})).resolved.all()
    assert not scaling_table(pd.DataFrame(keys | {"regret": rare * values})).resolved.any()


def test_runs_are_doubled_until_the_slope_is_resolved():
    runs = runs_of("oful-mlogb-binary", [100], most_runs=7)
    table = scaling_table(runs).set_index("quantity")
    assert set(table["runs"]) <= {2, 4, 7}
    assert (table["resolved"] | (table["runs"] == 7)).all()
    assert (table["runs"] > 2).any()
    fewer = scaling_table(runs[runs["run"] < 4]).set_index("quantity")
    assert not fewer.loc[table["runs"] == 7, "resolved"].any()


def test_no_number_of_runs_is_skipped(monkeypatch):
    counts = []

    def recorded(points, quantity, horizon, count, common, play=scaling.play):
        counts.append(count)
        return play(points, quantity, horizon, count, common)

    monkeypatch.setattr(scaling, "play", recorded)
    runs_of("oful-mlogb-binary", [100], most_runs=11)
    assert {(first, second) for first, second in itertools.pairwise(counts) if second > first} == {
        (2, 4),
        (4, 8),
        (8, 11),
    }


def test_what_leaves_no_slope_is_refused():
    with pytest.raises(InputError, match="horizons: got 10"):
        runs_of("real", [10])
    with pytest.raises(InputError, match="most_runs: got 1"):
        runs_of("real", [10], most_runs=1)
