"""Table 1 as expressions of its terms at numbers, written out again, and the rates that the text quotes."""

from fractions import Fraction
from math import sqrt

import pytest
from agreement import everywhere

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.table_one import (
    BINARY_SECOND,
    QUOTED,
    RADICAL,
    SCALES_BOX,
    TABLE,
    Rate,
    Scales,
    rate_value,
    scales_of,
)

R, d, K, kappa, star, T = 1.5, 3.0, 5.0, 40.0, 7.0, 1e4
SCALES = Scales(R, d, K, kappa, star, T)

LEADING = {
    "Filippi 2010": d * kappa * sqrt(T),
    "Faury 2020": d * sqrt(T),
    "Abeille 2021": d * sqrt(T / star),
    "Faury 2022": d * sqrt(T / star),
    "Zhang 2024 (binary)": d * sqrt(T / star),
    "Amani 2021": R * d * K * sqrt(kappa * T),
    "Amani 2021 (improved)": R * d * K * sqrt(K) * sqrt(T),
    "Lee 2024": R * d * sqrt(K) * sqrt(kappa * T),
    "Lee 2024 (improved)": R * d * sqrt(K) * sqrt(T),
    "Zhang 2024": R * d * K * sqrt(T),
    "ours": R * d * sqrt(K * T / star),
}

SECOND = {
    **dict.fromkeys(("Filippi 2010", "Amani 2021", "Lee 2024"), 0.0),
    **dict.fromkeys(("Faury 2020", "Abeille 2021", "Faury 2022", "Zhang 2024 (binary)"), kappa * d * d),
    **dict.fromkeys(("Amani 2021 (improved)", "Lee 2024 (improved)", "ours"), kappa * d * d * K * K),
    "Zhang 2024": kappa * d * d * K * sqrt(K),
}


def value(rate):
    """A rate at the scales, in the three arithmetics; its exponents stay fractions."""
    return everywhere(lambda m, scales: rate_value(m, rate, scales), SCALES)


@pytest.mark.parametrize("name", TABLE)
def test_rows(name):
    row = TABLE[name]
    assert value(row.first) == pytest.approx(LEADING[name], rel=1e-13)
    assert value(row.second) == pytest.approx(SECOND[name], rel=1e-13)
    assert row.tractable == ("improved" not in name)
    assert (row.setting == "binary") == any(text in name for text in ("Filippi", "Faury", "Abeille", "binary"))


@pytest.mark.parametrize("name", QUOTED)
def test_quoted(name):
    assert value(QUOTED[name]) == pytest.approx(LEADING[name], rel=1e-13)


def test_tables_are_whole():
    assert set(TABLE) == set(LEADING) == set(SECOND)
    assert rate_value(FLOATS, BINARY_SECOND, SCALES) == kappa * d * d
    assert Fraction(1, 2) == RADICAL


def test_times():
    assert Rate(R=1, T=RADICAL).times(T=RADICAL, d=-2) == Rate(R=1, d=-2, T=1)


def test_no_rate_is_zero_and_no_exponent_is_one():
    assert value(None) == 0
    assert value(Rate()) == 1
    assert value(Rate(R=-1, K=RADICAL)) == pytest.approx(sqrt(K) / R, rel=1e-13)


def test_scales():
    found = everywhere(scales_of, R=0.0, d=1.0, K=2.0, kappa=0.5, kappa_star=-1.0, T=3.0)
    assert found == pytest.approx([1, 10, 100, sqrt(10), 0.1, 1000], rel=1e-13)
    assert list(SCALES_BOX) == list(Scales._fields)
    assert SCALES_BOX["T"] == (0.0, 30.0)
