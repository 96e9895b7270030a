"""What the proofs about the learning routine prove is above what the claims state, at random points."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.learning import (
    EVENT_CASES,
    cauchy_schwarz,
    event_box,
    optimism_below,
    optimism_on_event,
    range_below_norm,
    remainder_below,
    variance_below_range,
)
from mnlbandits.ledger.paper.confidence_set import first_order_gap, gap_box, range_gap
from mnlbandits.ledger.paper.learning_algorithm import compared_step, step_is_minimiser
from mnlbandits.ledger.paper.optimistic_reward import index_box, index_of_wbar, second_order, second_order_box
from mnlbandits.ledger.search import Box, Point
from mnlbandits.seeds import generator

COUNT = 300


def points(box: Box, name: str) -> Iterator[Point]:
    """Random points of a box."""
    stream = generator("tests reductions", 0, name)
    for _ in range(COUNT):
        yield {key: float(stream.uniform(*ends)) for key, ends in box.items()}


def test_identities():
    assert variance_below_range()
    assert range_below_norm()
    assert cauchy_schwarz()
    assert step_is_minimiser()


def test_constants_of_the_remainder():
    assert remainder_below(Fraction(1, 2))
    assert not remainder_below(Fraction(49, 100))
    assert not optimism_below(0)


@pytest.mark.parametrize("outcomes", [2, 3, 6])
def test_remainder(outcomes):
    worst = max(
        second_order(FLOATS, outcomes, **point) for point in points(second_order_box(outcomes), f"second {outcomes}")
    )
    assert worst <= 1 / 6


@pytest.mark.parametrize("outcomes", [2, 3, 6])
def test_one_step(outcomes):
    bound = range_gap(FLOATS)
    assert bound < 1
    for point in points(gap_box(outcomes), f"gap {outcomes}"):
        assert first_order_gap(FLOATS, outcomes, **point) <= bound
    far = {"z0": 30.0, "z1": 0.0, "e0": 1.0, "e1": -1.0}
    assert first_order_gap(DIGITS, 2, **far) == pytest.approx(float(range_gap(DIGITS)), rel=1e-9)


@pytest.mark.parametrize("case", EVENT_CASES)
def test_optimism_with_the_constant_of_the_proof(case):
    reach = event_box(**case) | {"sigma": (-2.0, 1.0)}
    assert max(optimism_on_event(FLOATS, **case, constant=0.5, **point) for point in points(reach, str(case))) <= 1 + 1e-9


@pytest.mark.parametrize("case", EVENT_CASES)
def test_index_of_wbar_in_50_digits(case):
    for point in list(points(index_box(**case), f"index {case}"))[:5]:
        exact = {key: DIGITS.number(value) for key, value in point.items()}
        assert index_of_wbar(DIGITS, **case, **exact) < 1e-30


def test_mirror_step():
    stream = generator("tests reductions", 0, "mirror step")
    steps = [compared_step(stream, 2.0) for _ in range(50)]
    assert max(difference for difference, _, _ in steps) < 1e-9
    assert {bounded for _, _, bounded in steps} == {True, False}
