"""Regret at equal coverage and multipliers from elsewhere: the table, and where multipliers come from."""

import math

import pandas as pd
import pytest

from mnlbandits.analysis.intervals import clopper_pearson, mean_interval
from mnlbandits.config import calibration_of
from mnlbandits.verify.transfer import ITSELF, transfer_table

KEYS = {"instance": "i", "preset": "calibrated"}


def runs(label, regrets, ratios):
    """Tables of a label's runs at rounds 1 and 10."""
    keys = KEYS | {"algorithm": label, "run": range(len(regrets))}
    regret = pd.concat([pd.DataFrame(keys | {"t": t, "regret": [t * each for each in regrets]}) for t in (1, 10)])
    return regret, pd.DataFrame(keys | {"worst_ratio": ratios})


def test_the_table_by_hand():
    parts = [
        runs("own", [1.0, 3.0], [0.5, 1.0]),
        runs("other", [2.0, 2.0], [1.1, math.nan]),
        runs("none", [5.0, 5.0], [math.nan, math.nan]),
    ]
    regret, sets = (pd.concat(tables) for tables in zip(*parts, strict=True))
    table = transfer_table(regret, sets, {("i", "own"): 0.3, ("i", "other"): 0.2}, {"other": "j"}, 0.05).set_index(
        "algorithm"
    )
    assert table["calibrated_on"].dropna().to_dict() == {"own": ITSELF, "other": "j"}
    assert tuple(table.loc["own", ["mean", "low", "high"]]) == mean_interval([10.0, 30.0])
    assert table.loc["own", "coverage"] == 1
    assert table.loc["other", "coverage"] == 0  # outside once, and once without any set
    assert tuple(table.loc["other", ["coverage_low", "coverage_high"]]) == clopper_pearson(0, 2)
    assert math.isnan(table.loc["none", "coverage"])
    assert set(table["t"]) == {10}
    assert set(table["target"]) == {0.95}


@pytest.mark.parametrize(
    ("label", "expected"),
    [("own", ("i", "own")), ("moved", ("j", "own")), ("alone", ("j", "alone"))],
)
def test_a_calibration_is_made_once(label, expected):
    own = {"algorithm": "oful-mlogb", "preset": "calibrated"}
    moved, alone = own | {"calibrated_on": "j"}, {"algorithm": "rs-mnl", "preset": "calibrated", "calibrated_on": "j"}
    assert calibration_of({"algorithms": {"own": own, "moved": moved, "alone": alone}}, "i", label) == expected
