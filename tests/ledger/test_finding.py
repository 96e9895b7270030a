"""How a number becomes a verdict and how it is known: not fooled by rounding, never stronger than the evidence."""

import math
from fractions import Fraction

import pytest

from mnlbandits.errors import InputError
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS, Ball
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import All, Balls, Correction, Equality, Exactly, Inequality, Statement, claim, examine
from mnlbandits.ledger.finding import (
    LEVELS,
    Finding,
    all_of,
    confirmed,
    corrected,
    equality,
    exactly,
    exceedance,
    frequency,
    inequality,
    not_testable,
    universal,
    weakest,
)
from mnlbandits.ledger.prove import Certificate, Open
from mnlbandits.ledger.search import EFFORTS, Effort, Worst, at, column, worst_in_box, worst_of, worst_over

CERTIFICATE = Certificate(3, 0.1, 1.0, "on the whole domain")
SMOKE = EFFORTS["smoke"]


def constant(m, value):
    return m.number(1) * value


def wave(m, x, height=1, shift=0):
    """At most `height` + `shift`, reached at pi/2."""
    return height * m.sin(x) + shift


def searched(value, point=None):
    return Worst(value, point or {"value": value}, "here")


def test_the_search_finds_a_planted_violation_in_a_corner_and_inside():
    effort = Effort(50, 3, 0, 0)
    corner = worst_in_box(lambda x, y: 1 + x - y, {"x": (0.0, 1.0), "y": (2.0, 5.0)}, effort.draws, effort.starts, "corner")
    assert corner.value == pytest.approx(0)
    assert corner.point == {"x": 1.0, "y": 2.0}
    needle = worst_in_box(
        lambda x, y: 2 - (x - 0.123) ** 2 - (y - 3.21) ** 2, {"x": (-1.0, 1.0), "y": (2.0, 5.0)}, 50, 3, "needle"
    )
    assert needle.value == pytest.approx(2, abs=1e-9)
    assert math.isfinite(worst_in_box(lambda x: math.nan if x < 0 else x, {"x": (-1.0, 1.0)}, 20, 2, "nan").value)
    assert worst_in_box(lambda: 3.0, {}, 20, 2, "nothing to move").value == 3
    assert worst_of([Worst(1.0, 0, "first"), Worst(1.0, 1, "second")]).text == "first"


def test_a_search_over_cases_says_where_it_was():
    worst = worst_over(lambda m, K, x: K * x, [{"K": 2}, {"K": 3}], lambda K: {"x": (0.0, 1.0 / K**2)}, SMOKE)
    assert worst.point == {"K": 2, "x": 0.25}
    assert worst.text == "K = 2, x = 0.25"
    assert at(wave, x=1.0).value == math.sin(1)
    assert column({"z1": 1, "z2": 2, "zeta": 3, "y1": 4}, "z") == [1, 2]


def test_a_violation_in_balls_is_proved_and_one_in_digits_only_is_not():
    found = inequality(searched(1.5), constant)
    assert (found.verdict, found.level) == ("refuted", "proved")
    assert found.point == {"value": 1.5}

    def only_in_digits(m, value):
        return value if isinstance(m, type(DIGITS) | type(FLOATS)) else Ball("1 +/- 1")

    assert inequality(searched(1.5), only_in_digits).level == "searched"
    assert equality(searched(0.5), constant).level == "proved"


def test_rounding_is_no_violation():
    excess = Worst(1 + 1e-8, {"value": 1.0}, "here")
    assert inequality(excess, constant).verdict == "holds"
    assert equality(Worst(1e-8, {"value": 0.0}, "here"), constant).verdict == "holds"
    assert equality(Worst(1e-12, {}, ""), constant).verdict == "holds"


def test_only_a_certificate_proves():
    assert inequality(searched(0.9), constant).level == "searched"
    assert inequality(searched(0.9), constant, proof=Open({}, 3)).level == "searched"
    assert inequality(searched(0.9), constant, proof=CERTIFICATE).level == "proved"
    assert inequality(searched(1.5), constant, proof=CERTIFICATE).verdict == "refuted"
    assert equality(searched(0.0), constant, proof=CERTIFICATE).level == "proved"
    assert equality(searched(0.0), constant, proof=Open({}, 3)).level == "searched"


@pytest.mark.parametrize("error", [-1e-12, 0.0, 1e-12])
def test_rounding_does_not_decide_whether_an_inequality_is_loose(error):
    half = inequality(searched(0.5 * (1 + error)), constant)
    assert half.verdict == "holds"
    assert all_of(half, equality(searched(1e-16), constant)).ratio == half.ratio
    loose = inequality(searched(0.5 - 1e-6), constant)
    assert loose.verdict == "holds, loose"
    assert all_of(inequality(searched(0.1), constant), loose, exactly(True, "by hand")).verdict == "holds"
    assert all_of(inequality(searched(0.1), constant), loose).ratio == loose.ratio
    assert inequality(searched(0.3), constant, loose=False).verdict == "holds"


def test_a_counterexample_that_does_not_survive_is_not_believed():
    wrong = Finding("refuted", "searched", 2.0, counterexample="an example", evidence="in floats")
    assert confirmed(wrong, True, "again").evidence == "in floats; again"
    assert confirmed(wrong, True, "again", "proved").level == "proved"
    assert confirmed(wrong, False, "again").verdict == "holds"
    assert confirmed(Finding("holds", "searched", evidence="right"), False, "again").evidence == "right"
    ratios = [2.0, *[0.5] * 9, *[1.5] * 40]
    assert exceedance(ratios, 0.05, "", lambda run: DIGITS.number(ratios[run])).verdict == "refuted"
    assert exceedance(ratios, 0.05, "", lambda run: DIGITS.number(1)).verdict == "holds"


def test_a_constant_that_grows_is_none():
    values = [1.0, 10.0, 100.0]
    assert universal(lambda m, value: value, values, "x").verdict == "refuted"
    assert universal(lambda m, value: value, values, "x").level == "proved"
    assert universal(lambda m, value: 1 + 1 / value, values, "x").verdict == "holds"
    assert universal(lambda m, value: value if m is FLOATS else 1 + 0 * value, values, "x").verdict == "holds"


def test_a_correction_needs_to_hold_and_is_known_as_well_as_its_weaker_half():
    wrong, right = inequality(searched(2.0), constant), inequality(searched(1.0), constant)
    found = corrected("constant", wrong, right, "twice as much")
    assert (found.verdict, found.level) == ("corrected", "searched")
    proved = inequality(searched(1.0), constant, proof=CERTIFICATE)
    assert corrected("constant", wrong, proved, "twice as much").level == "proved"
    assert corrected("constant", wrong, wrong, "twice as much").verdict == "refuted"
    assert corrected("constant", right, wrong, "twice as much") == right


def test_the_weakest_level_counts():
    assert weakest(LEVELS) == "argued"
    assert weakest(["proved", "kernel"]) == "proved"
    assert weakest(["simulated", "searched"]) == "simulated"
    proved = exactly(True, "by hand")
    assert all_of(proved, inequality(searched(0.9), constant)).level == "searched"
    assert all_of(proved, exactly(False, "by hand", "x = 1")).verdict == "refuted"


def test_a_frequency_is_refuted_only_beyond_doubt():
    assert frequency(0, 100, 0.05, "").verdict == "holds"
    assert frequency(12, 100, 0.05, "").verdict == "holds"
    assert frequency(40, 100, 0.05, "").verdict == "refuted"
    assert frequency(40, 100, 0.05, "").level == "simulated"


def test_a_finding_is_complete():
    with pytest.raises(ValueError, match="counterexample"):
        Finding("refuted", "proved", evidence="because")
    with pytest.raises(ValueError, match="evidence"):
        Finding("holds", "proved")
    with pytest.raises(ValueError, match="effect"):
        Finding("corrected", "proved", 2.0, "an example", "because")
    with pytest.raises(ValueError, match="effect"):
        Finding("holds", "proved", evidence="because", effect="rate")
    with pytest.raises(InputError, match="verdict"):
        Finding("true", "proved", evidence="because")
    with pytest.raises(InputError, match="level"):
        Finding("holds", "certain", evidence="because")
    assert not_testable("no").verdict == "not testable"


def test_an_inequality_is_searched_and_proved():
    check = Inequality(wave, {"x": (0.0, 3.0)}, proof=Balls(wave, {"x": (0.0, 3.0)}, bound=1 + 1e-9))
    assert (check(SMOKE).verdict, check(SMOKE).level) == ("holds", "proved")
    assert check(SMOKE).ratio == pytest.approx(1)
    assert check(SMOKE, height=2).verdict == "refuted"
    assert Inequality(wave, {"x": (0.0, 3.0)})(SMOKE).level == "searched"
    example = Inequality(wave, {"x": (0.0, 3.0)}, examples=({"x": 1.0},), fixed={"height": 2})(SMOKE)
    assert example.counterexample == "x = 1"
    assert example.point == {"x": 1.0, "height": 2}


def test_a_proof_in_several_cases_counts_all_boxes():
    ratio = lambda m, K, x: x / K  # noqa: E731
    proof = Balls(ratio, lambda K: {"x": (0.0, float(K) - 0.5)}, ({"K": 1}, {"K": 2}), words="for two K")
    assert proof() == Certificate(2, 1.0, 1.0, "for two K")
    assert isinstance(Balls(ratio, {"x": (0.0, 1.5)}, ({"K": 2}, {"K": 1}))(), Open)


def test_an_equality_is_proved_by_exact_arithmetic():
    x, y = unknowns("x", "y")

    def squares(cross=2):
        return (x + y) ** 2 == x**2 + cross * x * y + y**2

    def difference(m, x, y, cross=2):
        return abs((x + y) ** 2 - (x**2 + cross * x * y + y**2))

    box = {"x": (-1.0, 1.0), "y": (-1.0, 1.0)}
    check = Equality(difference, box, proof=Exactly(squares, "a polynomial identity"))
    assert (check(SMOKE).verdict, check(SMOKE).level) == ("holds", "proved")
    assert "proved exactly; a polynomial identity" in check(SMOKE).evidence
    assert check(SMOKE, cross=1).verdict == "refuted"


def test_all_and_corrections_are_made_of_checks():
    high = Inequality(wave, {"x": (0.0, 3.0)}, fixed={"shift": Fraction(1, 2)})
    low = Inequality(wave, {"x": (0.0, 3.0)}, loose=False)
    assert All((low, high))(SMOKE).verdict == "refuted"
    found = Correction("constant", high, low, "without the shift")(SMOKE)
    assert (found.verdict, found.effect) == ("corrected", "constant")
    assert Correction("constant", high, low, "without the shift")(SMOKE, shift=0).verdict == "holds"


def test_a_claim_registers_once_and_an_unknown_one_is_named():
    stated = Statement("Section 1", (1, 2), "text", "$1 = 1$.")
    with pytest.raises(InputError, match="kind"):
        Statement("Section 1", (1, 2), "poem", "$1 = 1$.")
    with pytest.raises(InputError, match="claim: got 'C999'"):
        examine("C999", SMOKE)
    from mnlbandits.ledger.claim import CLAIMS

    arguments = {"domain": "", "planted": {}, "module": "a.b"}
    try:
        assert claim("C998", stated, lambda effort: exactly(True, "yes"), formal="C998", **arguments).section == "b"
        assert examine("C998", SMOKE).level == "kernel"
        with pytest.raises(ValueError, match="C998"):
            claim("C998", stated, lambda effort: exactly(True, "yes"), **arguments)
    finally:
        del CLAIMS["C998"]
