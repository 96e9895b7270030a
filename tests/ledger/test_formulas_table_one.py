"""Table 1 as expressions of its terms at numbers, written out again, and the rates that the text quotes."""

from fractions import Fraction
from math import sqrt

import pytest
from agreement import everywhere

from mnlbandits.algorithms import REGISTRY
from mnlbandits.ledger.formulas.table_one import (
    QUOTED,
    QUOTED_PRINTED,
    RADICAL,
    SCALES_BOX,
    TABLE,
    TABLE_PRINTED,
    Rate,
    Scales,
    earlier_rows,
    printed_row,
    rate_of,
    rate_value,
    scales_of,
    with_factors,
)
from mnlbandits.verify.table1 import PRINTED

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
    assert set(QUOTED) == set(QUOTED_PRINTED) <= set(TABLE)
    assert Fraction(1, 2) == RADICAL


def unspaced(*texts):
    return ["".join(text.split()) for text in texts]


@pytest.mark.parametrize(("name", "printed"), list(zip(TABLE_PRINTED, PRINTED, strict=True)))
def test_rows_are_printed_like_those_that_are_run(name, printed):
    setting, regret, cost = TABLE_PRINTED[name]
    assert setting == printed.setting
    assert unspaced(regret, cost) == unspaced(printed.regret, printed.cost)
    run = [algorithm for algorithm in REGISTRY.values() if algorithm.row == PRINTED.index(printed) + 1]
    assert run or not TABLE[name].tractable
    for algorithm in run:
        assert unspaced(algorithm.regret, algorithm.cost) == unspaced(regret, cost)


def test_rates_are_read_from_what_is_printed():
    assert rate_of(r"R^2 d K^{3/2}") == Rate(R=2, d=1, K=Fraction(3, 2))
    assert rate_of(r"\kappa^{1/2} \kappa_* \sqrt{K^2 T / \kappa_*}") == Rate(
        kappa=RADICAL, kappa_star=RADICAL, K=1, T=RADICAL
    )
    assert rate_of(r"d \sqrt T") == Rate(d=1, T=RADICAL)
    assert printed_row("binary", r"d + \kappa", "-") == ("binary", Rate(d=1), Rate(kappa=1), False)
    assert printed_row("binary", "K", "O(1)") == ("binary", Rate(K=1), None, True)


@pytest.mark.parametrize("printed", [r"R + d", r"\nu d", r"\sqrt{\nu}", r"d \log T"])
def test_no_rate_is_read_from_anything_else(printed):
    with pytest.raises(ValueError, match="no product of powers"):
        rate_of(printed)


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


def test_factors_are_multiplied_and_nothing_else_is_read():
    half = Fraction(1, 2)
    assert with_factors(Rate(R=1), r"d^2 K^{3/2}", half) == Rate(R=1, d=1, K=Fraction(3, 4))
    with pytest.raises(ValueError, match="no product"):
        with_factors(Rate(), "d + K", half)


def test_earlier_rows_are_all_but_the_papers():
    assert earlier_rows(True) == ["Amani 2021", "Lee 2024", "Zhang 2024"]
    assert len(earlier_rows(False)) == 5
