"""Proofs by branch and bound: they prove what is true, nothing that is false, and say where they stopped."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnlbandits.ledger.arithmetic import BALLS
from mnlbandits.ledger.prove import Certificate, Open, beyond, prove


def hill(m, x, height=1):
    """At most `height`, which it reaches at 0.3; x stands in it twice, so that its balls are too wide."""
    x = x - m.number("0.3")
    return height * (1 + x) / (1 + x + x * x)


def guarded(m, x):
    """A false guard: on a ball around 0 neither answer is certain, and one of them hides the violation at 1/2."""
    return 2 * x if x > Fraction(1, 4) else 0 * x


def test_a_true_bound_has_a_certificate():
    found = prove(hill, {"x": (-0.6, 5.0)}, 1 + 1e-6)
    assert isinstance(found, Certificate)
    assert found.boxes > 1
    assert 0 < found.smallest < 1
    assert "boxes" in str(found)


@settings(deadline=None)
@given(excess=st.floats(1e-6, 0.5))
def test_a_false_bound_has_none(excess):
    found = prove(hill, {"x": (-0.6, 5.0)}, 1 - excess)
    assert isinstance(found, Open)
    low, high = found.box["x"]
    assert low - 1 <= 0.3 <= high + 1
    assert "x in [" in str(found)


def test_a_contact_stays_open():
    assert isinstance(prove(hill, {"x": (-0.6, 5.0)}), Open)


def test_a_bound_without_room_for_rounding_is_not_proved():
    assert isinstance(prove(lambda m, x: m.number(1) / 3 * 3, {"x": (0.0, 1.0)}), Open)
    assert isinstance(prove(lambda m, x: m.number(1), {"x": (0.0, 1.0)}), Certificate)


def test_a_guard_that_is_not_decided_splits_the_box_and_hides_nothing():
    assert isinstance(prove(guarded, {"x": (0.0, 1.0)}), Open)
    assert isinstance(prove(guarded, {"x": (0.0, 0.49)}), Open)
    assert isinstance(prove(guarded, {"x": (0.3, 0.49)}), Certificate)


def test_a_formula_that_leaves_the_balls_is_an_error():
    with pytest.raises(TypeError):
        prove(lambda m, x: math.exp(x), {"x": (0.0, 1.0)}, 3.0)
    with pytest.raises(TypeError):
        prove(lambda m, x: m.number(float(x)), {"x": (0.0, 1.0)}, 3.0)


def test_what_is_not_a_number_is_not_proved():
    assert isinstance(prove(lambda m, x: BALLS.number(1) * type(x)("nan"), {"x": (0.0, 1.0)}), Open)
    assert isinstance(prove(lambda m, x: 1 / x, {"x": (0.0, 1.0)}, 1e300), Open)


def test_several_coordinates_and_what_is_fixed():
    found = prove(lambda m, a, x, y: a * x * y, {"x": (0.0, 1.0), "y": (0.0, 1.0)}, 2.5, {"a": 2})
    assert isinstance(found, Certificate)
    assert isinstance(prove(lambda m, a, x, y: a * x * y, {"x": (0.0, 1.0), "y": (0.0, 1.0)}, 1.5, {"a": 2}), Open)


def test_a_proof_gives_up_in_time():
    found = prove(hill, {"x": (-0.6, 5.0)}, 1.0, most=10)
    assert isinstance(found, Open)
    assert found.boxes <= 12


def test_a_violation_at_a_point_is_a_proof():
    assert beyond(hill, {"x": 0.25, "height": 2}).lower > 1.9
    assert beyond(hill, {"x": 0.25}) is None
    assert beyond(lambda m, x: m.sqrt(x / 3 * 3 - x) + 2, {"x": 0.3}) is None
