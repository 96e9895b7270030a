"""Intervals, aggregation and coverage against hand-worked cases."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mnlbandits.analysis.intervals import clopper_pearson, mean_interval, to_known_digits
from mnlbandits.analysis.regret import final_regret, regret_summary
from mnlbandits.verify.constants import at_most, kappa_star_table, kappa_table
from mnlbandits.verify.coverage import KEYS, coverage_table, margins


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (3, 7), (195, 200), (200, 200)])
def test_clopper_pearson_is_the_exact_test_inverted(successes, trials):
    expected = stats.binomtest(successes, trials).proportion_ci(0.95, method="exact")
    assert clopper_pearson(successes, trials) == pytest.approx((expected.low, expected.high), rel=1e-9)  # root finding


def test_full_coverage_closed_form():
    assert clopper_pearson(200, 200)[0] == pytest.approx(0.025 ** (1 / 200), rel=1e-12)  # rounding


def test_mean_interval_by_hand():
    mean, low, high = mean_interval(np.array([1.0, 2.0, 3.0]))
    half = stats.t.ppf(0.975, 2) / math.sqrt(3)
    assert (mean, low, high) == pytest.approx((2, 2 - half, 2 + half), rel=1e-12)  # rounding
    assert mean_interval(np.array([4.0])) == (4.0, -math.inf, math.inf)


def test_regret_summary():
    runs = pd.DataFrame({"instance": "i", "run": [0, 0, 1, 1], "t": [1, 10, 1, 10], "regret": [0.0, 2.0, 1.0, 4.0]})
    summary = regret_summary(runs, ["instance"])
    assert list(summary["mean"]) == [0.5, 3.0]
    assert list(summary["runs"]) == [2, 2]
    assert list(final_regret(summary)["t"]) == [10]


def test_coverage_counts_and_verdicts():
    keys = dict(zip(KEYS, ("i", "a", "paper"), strict=True))
    summary = pd.DataFrame({**keys, "run": range(200), "theta_ratio": math.nan, "worst_ratio": [0.5] * 199 + [1.5]})
    table = coverage_table(margins(summary, 0.05), KEYS)
    row = table.iloc[0]
    assert (row["set"], row["runs"], row["covered"], row["verdict"]) == ("C_t", 200, 199, "holds")
    assert row["largest_ratio"] == 1.5
    poor = margins(summary.assign(worst_ratio=[0.5] * 150 + [1.5] * 50), 0.05)
    assert coverage_table(poor, KEYS)["verdict"].item() == "fails"
    few = margins(summary.iloc[:20].assign(worst_ratio=0.5), 0.05)
    assert coverage_table(few, KEYS)["verdict"].item() == "undecided"


def test_runs_without_a_set_are_left_out():
    keys = dict(zip(KEYS, ("i", "a", "paper"), strict=True))
    assert margins(pd.DataFrame({**keys, "run": [0], "theta_ratio": [math.nan], "worst_ratio": [math.nan]}), 0.05).empty


def test_verdicts_between_intervals():
    assert at_most(1, 2, 2, 2) == "holds"
    assert at_most(3, 3, 1, 2) == "fails"
    assert at_most(1, 3, 2, 2) == "undecided"


def test_printed_bounds_on_kappa():
    table = kappa_table([2, 4], [1.0, 3.0]).set_index(["convention", "outcomes", "radius"])
    assert (table["weyl_holds"] == "holds").all()
    assert table.loc[("rows", 4, 3.0), "even_holds"] == "holds"
    assert table.loc[("frobenius", 4, 3.0), "even_holds"] == "fails"
    assert table.loc[("rows", 4, 3.0), "main_holds"] == "fails"


def test_the_example_beats_its_printed_bound():
    table = kappa_star_table([2, 3], [0.5, 4.0])
    assert (table["kappa_star"] >= table["printed"]).all()
    assert (table["kappa_star_m"] >= table["printed"]).all()


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (1234567.0, 20000.0, "1.23e+06 +- 2e+04"),
        (0.5, 0.004, "5.00e-01 +- 4e-03"),
        (2.0, 1.5, "2e+00 +- 2e+00"),
        (999.0, 100.0, "1e+03 +- 1e+02"),
        (1.0, 1.0, "0 +- 1e+00"),
        (0.25, 0.0, "2.500000000000000e-01 +- 0e+00"),
    ],
)
def test_the_digits_that_an_error_leaves(value, error, text):
    assert to_known_digits(value, error) == text
