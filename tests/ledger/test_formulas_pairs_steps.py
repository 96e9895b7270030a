"""The steps of the lower bound with sqrt K, which must fail where a constant is wrong."""

import math
from fractions import Fraction

import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.formulas.pairs_steps import (
    aim_exactly,
    average_exactly,
    choice_exactly,
    excess,
    excess_below,
    horizon_exactly,
    mean_reward_exactly,
    pair_information_exactly,
    pair_steps,
    pairs_star_exactly,
    series_below,
    twice_cosh,
    upwards,
)

EXACTLY = [
    (mean_reward_exactly, {"odd": [0, 1]}),
    (excess_below, {"half": Fraction(49, 100)}),
    (aim_exactly, {"share": 2}),
    (pairs_star_exactly, {"quarter": [Fraction(1, 5), Fraction(1, 2)]}),
    (pair_information_exactly, {"factor": Fraction(99, 100), "moves": [(2, 0), (1, 0)]}),
    (average_exactly, {"pairs_power": [0, 2]}),
    (choice_exactly, {"factor": [1, 4]}),
    (horizon_exactly, {"eight": 9}),
    (pair_steps, {}),
]


@pytest.mark.parametrize(("identity", "wrong"), EXACTLY)
def test_steps(identity, wrong):
    assert_decides(identity, **wrong)


def test_series():
    """(cosh(t z) - 1)/(cosh(z) - 1) is at most t^2, and near it for small z, so not t^3."""
    assert_decides(series_below, {"terms": (2, 12)}, power=3)
    assert (math.cosh(0.05) - 1) / (math.cosh(0.1) - 1) > 0.5**3


def test_excess():
    """phi = w sinh(y)/(2 (1 + w (cosh(y) - 1)))."""
    y, w = 0.75, 0.25
    expected = w * math.sinh(y) / 2 / (1 + w * (math.cosh(y) - 1))
    assert everywhere(excess, math.exp(y), w) == pytest.approx(expected, rel=1e-13)
    assert everywhere(twice_cosh, math.exp(y)) == pytest.approx(2 * math.cosh(y), rel=1e-14)
    assert [str(part) for part in upwards()] == ["(s + 1)/(1)", "(1)/(v + 1)"]
