"""Steps 3 to 6 of the proof of Theorem 2: what is printed at numbers, and the identities with their constants wrong."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.family import largest_epsilon, member, members
from mnlbandits.ledger.formulas.family_steps import (
    ANGLES,
    FREE,
    HORIZONS,
    PLANE,
    averaging_below,
    bracket_of_step_six,
    cap_below,
    capped_bracket,
    chi_square_above,
    chosen_eps,
    dimension_below,
    entropy_below,
    entropy_growth,
    entropy_terms,
    eps_of,
    exponent_below,
    factor_of_step_six,
    flip_below,
    flip_size,
    last_bracket,
    mean_value_exact,
    outcomes_merge,
    pinsker_below,
    round_entropy_below,
    slope_is_concordant,
    step_five_below,
    step_four_below,
    young_below,
)
from mnlbandits.model.softmax import softmax

BELOW_ONE = Fraction(99, 100)

IDENTITIES = [
    (averaging_below, {"base": Fraction(26, 100), "factor_square": Fraction(12, 100)}),
    (mean_value_exact, {}),
    (chi_square_above, {"factor": BELOW_ONE}),
    (outcomes_merge, {"others": [0, 2]}),
    (slope_is_concordant, {"factor": BELOW_ONE}),
    (pinsker_below, {"four": 5}),
    (flip_below, {"factor": BELOW_ONE, "root": 0}),
    (round_entropy_below, {"factor": BELOW_ONE, "root": 0}),
    (young_below, {"factor": 1}),
    (step_four_below, {"constant": 5}),
    (step_five_below, {"factor": BELOW_ONE}),
    (entropy_below, {"factor": [1, Fraction(199, 100)], "root": 0}),
    (cap_below, {"power": Fraction(51, 100)}),
    (dimension_below, {"c": Fraction(1, 40)}),
    (exponent_below, {"factor": 4}),
]


@pytest.mark.parametrize(("identity", "wrong"), IDENTITIES)
def test_identities(identity, wrong):
    assert_decides(identity, **wrong)


def test_identities_are_sharp():
    """3^2 <= 10 < 4^2; 8 e^(2 sqrt(c/10)) (6 c + c^2/2) is 1 at c = 0.01906109, by Brent's method."""
    assert exponent_below(3)
    assert dimension_below(Fraction("0.019061"))
    assert not dimension_below(Fraction("0.019062"))


def test_factors_of_step_six():
    assert [factor_of_step_six(constant) for constant in (64, 128, 256)] == [False, True, False]
    assert [bracket_of_step_six(power) for power in (-2, -1, 0, 1)] == [False, True, False, False]


def test_flip():
    """Against the members of the family: Flip_i turns the sign of their i-th entry."""
    d, share, x = 3, 0.75, [0.5, -0.25, 0.75]
    rows = [member(FLOATS, 4, d, share, signs)[0] for signs in ((1, 1, 1), (1, 1, -1))]
    assert everywhere(flip_size, d, share, 0.75) == pytest.approx(abs((rows[0] - rows[1]) @ x), rel=1e-13)
    assert everywhere(flip_size, d, share, -0.75) == pytest.approx(abs((rows[0] - rows[1]) @ x), rel=1e-13)


def test_eps():
    assert everywhere(eps_of, 6, 5, 0.75) == pytest.approx(0.75 * largest_epsilon(FLOATS, 6, 5), rel=1e-14)


def test_entropy_growth():
    assert everywhere(entropy_growth, 6, 0.25, 0) == pytest.approx(math.exp(0.5) / 16, rel=1e-13)
    assert everywhere(entropy_growth, 6, 0.25, 1) == pytest.approx(math.exp(2 * 0.75) * 0.75**2, rel=1e-13)


def test_entropy_terms():
    """KL of the laws of outcome 1 under two members, whose x_* are at the angles +-alpha."""
    K, share, angle = 5, 0.75, 1.25
    _, (one, other) = zip(*members(FLOATS, K, 2, share), strict=True)
    x = np.array([math.cos(angle), math.sin(angle)])
    p, q = (softmax(theta @ x) for theta in (one, other))
    expected = [p @ np.log(p / q), p[0] * (1 - p[0]), np.sum((x - one[0]) ** 2), share**2]
    assert everywhere(entropy_terms, K, share, angle) == pytest.approx(expected, rel=1e-11)
    assert expected[3] == pytest.approx((K + 3) * (share * largest_epsilon(FLOATS, K, 2)) ** 2 / 4, rel=1e-14)


def test_mended_entropy():
    """2 (K + 3) eps^2 is the least of these that follows for all K >= 2: K + 3 >= 5, so that (K + 3)^2/2 is more."""
    cases = [(factor, root) for factor in (1, 2, 3, 9, 10) for root in (0, 1, 2)]
    enough = [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (9, 1), (9, 2), (10, 1), (10, 2)]
    assert [case for case in cases if entropy_below(*case)] == enough


def test_brackets():
    """At K = 6, d = 3, q = 4, eps = 1/2: w = 9/4, and d last/eps^2 exceeds the capped one by (w/2)^2 (q^2 + d q)/eps^2."""
    assert everywhere(capped_bracket, 6, 3, 4.0, 0.5) == 6 * 9 * 12 + 9 / 4 * 2 / 4 * (9 * 16 + 9 * 12)
    assert everywhere(capped_bracket, 6, 3, 4.0, 0.5, inner=4) == 4 * 9 * 12 + 9 / 4 * 2 / 4 * (9 * 16 + 9 * 12)
    assert everywhere(last_bracket, 6, 3, 4.0, 0.5) == 6 / 4 * 9 * 4 + 81 / 16 / 4 * 16 + 81 / 16 / 4 * 12
    surplus = 3 * last_bracket(6, 3, 4.0, 0.5) - capped_bracket(6, 3, 4.0, 0.5) / 4
    assert surplus == pytest.approx((9 / 4 / 2) ** 2 * (16 + 12), rel=1e-14)


def test_chosen_eps():
    assert everywhere(chosen_eps, 6, 4.0, 0.25) == pytest.approx(math.sqrt(0.25 / 36), rel=1e-14)


def test_domain():
    assert [case["K"] for case in PLANE] == [2, 3, 5, 6, 10, 1000, 10**6]
    assert {case["d"] for case in PLANE} == {2}
    assert {"share": (1e-3, 1.0), "angle": (-np.pi, np.pi)} == ANGLES
    assert HORIZONS == {"surplus": (0.0, 20.0)}
    assert FREE == {"surplus": (0.0, 20.0), "c": (1e-4, 0.02)}
