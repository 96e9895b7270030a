"""Paired differences and the ranking, by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mnlbandits.analysis.ranking import pairs_table, ranking_table


def runs_of(regrets):
    parts = [
        pd.DataFrame({"instance": "i", "algorithm": name, "preset": preset, "t": 10, "run": range(len(values))}).assign(
            regret=values
        )
        for (name, preset), values in regrets.items()
    ]
    return pd.concat(parts, ignore_index=True)


def summary_of(runs):
    means = runs.groupby(["instance", "algorithm", "preset"], as_index=False)["regret"].mean()
    return means.rename(columns={"regret": "mean"})


def test_common_noise_cancels():
    noise = np.array([0.0, 50.0, -30.0, 10.0])
    runs = runs_of({("a", "valid"): 100 + noise, ("b", "valid"): 101 + noise, ("c", "valid"): 100.5 + noise[::-1]})
    pairs = pairs_table(runs).set_index(["algorithm", "other"])
    assert pairs.loc[("a", "b"), "difference"] == pytest.approx(-1)
    assert pairs["resolved"].to_dict() == {("a", "b"): True, ("a", "c"): False, ("b", "c"): False}
    gaps = noise - noise[::-1] - 0.5
    half = stats.t.ppf(1 - 0.05 / 6, 3) * gaps.std(ddof=1) / 2
    assert pairs.loc[("a", "c"), "high"] == pytest.approx(gaps.mean() + half)


def test_places_are_as_far_apart_as_is_resolved():
    noise = np.array([0.0, 50.0, -30.0, 10.0])
    runs = runs_of({("a", "valid"): 100 + noise, ("b", "valid"): 101 + noise, ("c", "valid"): 100.5 + noise[::-1]})
    table = ranking_table(summary_of(runs), pairs_table(runs)).set_index("algorithm")
    assert list(table.index) == ["a", "c", "b"]
    assert table[["best", "worst"]].to_numpy().tolist() == [[1, 2], [1, 3], [2, 3]]


@pytest.mark.parametrize("error", [-1e-12, 0.0, 1e-12])
def test_algorithms_that_differ_by_rounding_share_a_place(error):
    """In every run alike, so that the difference has no noise; they come in the order of their names."""
    played = np.array([100.0, 150.0, 70.0, 110.0])
    moved = played * (1 + error)
    runs = runs_of({("a", "valid"): moved, ("b", "valid"): played, ("c", "valid"): moved, ("d", "valid"): played + 1e-4})
    pairs = pairs_table(runs).set_index(["algorithm", "other"])
    assert pairs["resolved"].to_dict() == {pair: pair[1] == "d" for pair in pairs.index}
    table = ranking_table(summary_of(runs), pairs_table(runs))
    assert table["algorithm"].tolist() == ["a", "b", "c", "d"]
    assert table[["best", "worst"]].to_numpy().tolist() == [[1, 3]] * 3 + [[4, 4]]


def test_presets_and_yardsticks_are_not_mixed():
    runs = runs_of({("a", "paper"): [1.0, 2.0], ("b", "valid"): [3.0, 4.0], ("oracle", "none"): [0.0, 0.0]})
    assert pairs_table(runs).empty
    assert len(ranking_table(summary_of(runs), pairs_table(runs))) == 2
