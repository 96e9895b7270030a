"""What the proofs about the exploration prove is above what the claims state, at random points."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from agreement import everywhere

from mnlbandits.instances import Instance
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.concordance import curvature_growth, growth_box
from mnlbandits.ledger.formulas.designs import one_over_log
from mnlbandits.ledger.formulas.information import PAIRS, norm_of_pair, on_event, pair_box, pair_of
from mnlbandits.ledger.formulas.leverage import free_theta_is_narrow, theta_is_narrow
from mnlbandits.ledger.formulas.orders import largest_relative, square_form
from mnlbandits.ledger.formulas.radii import TAU, distance_at_tau, event_at_tau, rounds_at_tau, theta_root_mended
from mnlbandits.ledger.paper.appendix_diameter import chain_at_own_length, chain_bound, diameter_of_basis
from mnlbandits.ledger.paper.appendix_diameter_potential import (
    arms_box,
    capped_potential,
    potential_of_arms,
    potential_of_one_arm,
)
from mnlbandits.ledger.paper.appendix_exploration_set import level_form
from mnlbandits.ledger.paper.appendix_information import NOTATION_BOX, added_per_round, notation_of_hbar
from mnlbandits.ledger.paper.appendix_proposition_three import curvature_over_mean, mean_box
from mnlbandits.ledger.paper.exploration_routine import third_over_second
from mnlbandits.ledger.paper.lemma_one import diameter_of_one_arm, least_distance
from mnlbandits.ledger.paper.lemma_one_diameter import diameter_box, explored_diameter, one_arm_diameter, squared_diameter
from mnlbandits.ledger.paper.lemma_one_free import free_diameter_of_one_arm, free_distance_of_one_arm
from mnlbandits.ledger.search import Box, Point, vectors_box
from mnlbandits.ledger.simulate.exploration import (
    MOST_COUNTED,
    estimate,
    examples,
    explored_for,
    information,
    one_arm_distances,
    precise_theta_distance,
    ridge_of,
    score_distance,
    short_arm,
    theta_distance,
)
from mnlbandits.seeds import generator

COUNT = 200


def points(box: Box, name: str, count: int = COUNT) -> Iterator[Point]:
    """Random points of a box."""
    stream = generator("tests reductions", 0, name)
    for _ in range(count):
        yield {key: float(stream.uniform(*ends)) for key, ends in box.items()}


@pytest.mark.parametrize("outcomes", [2, 3, 6])
def test_growth(outcomes):
    """The factor of the proof, exp(sqrt(2) r), and its limit sqrt(2) for small shifts."""
    for diameter in (0.01, 1.0, 5.0):
        for point in points(growth_box(outcomes), f"growth {outcomes}"):
            assert curvature_growth(FLOATS, outcomes, diameter, **point) <= math.exp(math.sqrt(2) * diameter) * (1 + 1e-9)
    reach = vectors_box(z=(outcomes, 8.0), v=(outcomes, 1.0), u=(outcomes, 1.0))
    assert max(third_over_second(FLOATS, outcomes, 2, **point) for point in points(reach, "third")) <= 1 + 1e-9


@pytest.mark.parametrize("outcomes", [2, 3, 6])
def test_mean_curvature(outcomes):
    reach = mean_box(outcomes)
    assert max(curvature_over_mean(FLOATS, outcomes, 2, **point) for point in points(reach, "mean")) <= 1 + 1e-9


@pytest.mark.parametrize("case", PAIRS)
def test_information_on_the_event(case):
    """H <= f G with f = 1 + ||theta_* - hat theta||_G/sqrt(2); f <= 9.9 and ||.||_H^2 <= f^2 gamma on the event."""
    inside = 0
    for point in points(pair_box(**case), str(case)):
        for scale in (1.0, 0.2, 0.04):
            smaller = {key: value * scale if key[0] == "e" else value for key, value in point.items()}
            pair = pair_of(FLOATS, **case, **smaller)
            f = 1 + norm_of_pair(FLOATS, pair) / math.sqrt(2)
            assert largest_relative(FLOATS, pair.h, pair.g) <= f * (1 + 1e-9)
            if on_event(FLOATS, pair, 16) == 1:
                inside += 1
                assert f <= 9.9
                assert square_form(pair.delta, pair.h) <= f**2 * 16
    assert inside > 10


def test_notation():
    """What is proved is the ratio of what a round adds; the whole is between that and 1."""
    for point in points(NOTATION_BOX, "notation"):
        part = added_per_round(FLOATS, point["S"])
        assert part <= notation_of_hbar(FLOATS, **point, added=1) <= 1


@pytest.mark.parametrize("d", [1, 2, 3])
def test_diameter(d):
    """The bound of the proof at the least K log T, whose kappa lambda_0 is 1 in the search and at least 4 log(3e8) there."""
    bound = squared_diameter(FLOATS, 1.0)
    assert bound < 1
    for point in points(diameter_box(d), f"diameter {d}", 20):
        assert explored_diameter(FLOATS, d, **point) ** 2 <= bound


def test_diameter_of_longer_horizons():
    """The bound with the tangent of the logarithm is above the one without, for K log T = 2 log(3e8)/share."""
    least = 2 * math.log(3e8)
    for share in (1.0, 0.5, 0.1, 0.01):
        without = 24 * 84**2 * (1 + 1 / (2 * least)) * math.log(1 + TAU * least / share) / (TAU * least / share)
        assert squared_diameter(FLOATS, share) >= without * (1 - 1e-12)


def test_logarithm_of_scores():
    """Near 0 the ratio of derivatives is above the ratio itself."""
    for q in (1e-3, 0.1, 0.5):
        assert one_over_log(FLOATS, q, True, 2) >= one_over_log(FLOATS, q, False, 2)
    assert one_over_log(FLOATS, 1.0, False, 2) == pytest.approx(0.5 / math.log(2))


def test_potentials():
    """c = q/log(1 + q) at the largest score, 1/(4 log 2), and at 1: below the constants 4 and 2."""
    largest = 1 / (4 * math.log(2))
    constant = largest / math.log1p(largest)
    for rounds in (1, 2, 4):
        for point in points(arms_box(2, rounds), f"potential {rounds}"):
            assert potential_of_arms(FLOATS, 2, rounds, **point, constant=constant) <= 1
            capped = {key: 3 * value for key, value in point.items() if key[0] == "x"}
            assert capped_potential(FLOATS, rounds, constant=1 / math.log(2), **capped) <= 1 + 1e-9
    limits = {"digits": (0.0, 9.0), "outcomes": (2.0, 20.0), "weight": (0.0, 3.0)}
    assert max(potential_of_one_arm(FLOATS, **point, constant=constant) for point in points(limits, "one arm")) <= 1.1


S, SHORT, HORIZON = 5.0, 1e-9, 10**12


def test_rounds_at_tau():
    """kappa = 1 + cosh(sqrt(2) S x) for K = 2."""
    kappa = 1 + math.cosh(math.sqrt(2) * S * 0.25)
    expected = 336**2 * 2 * kappa * math.log(HORIZON) + 1
    assert everywhere(rounds_at_tau, S, 0.25, HORIZON) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("first", [0.0, 0.3, 1.0])
def test_short_arm_at_tau(first):
    """Whatever part of the outcomes is the first, distances are above the bounds; nearly equal to them if it always is."""
    instance = short_arm(S)
    arms = instance.arms * (SHORT / 1e-5)
    instance = type(instance)("shorter arm", instance.theta, arms, instance.rewards, S)
    ridge = ridge_of(instance)
    pulls = int(ridge * float(rounds_at_tau(DIGITS, S, SHORT, HORIZON)))
    counts = np.array([[round(first * pulls), pulls - round(first * pulls)]])
    least = event_at_tau(FLOATS, 1, S, SHORT, HORIZON)
    assert score_distance(instance, counts, ridge) ** 2 >= least * (1 - 1e-9)
    away = abs(estimate(instance, counts, ridge) - instance.theta)
    assert math.sqrt((away**2).sum()) >= distance_at_tau(FLOATS, 1, S, SHORT, HORIZON) * (1 - 1e-9)
    if first == 1:
        assert score_distance(instance, counts, ridge) ** 2 == pytest.approx(least, rel=1e-6)


def test_bounds_at_tau_everywhere():
    assert 16 * everywhere(event_at_tau, 16, S, SHORT, HORIZON) == pytest.approx(
        event_at_tau(FLOATS, 1, S, SHORT, HORIZON), rel=1e-12
    )
    assert 84 * everywhere(distance_at_tau, 84, S, SHORT, HORIZON) == pytest.approx(
        distance_at_tau(FLOATS, 1, S, SHORT, HORIZON), rel=1e-12
    )


@pytest.mark.parametrize("T", [3e9, 1e12, 1e100])
@pytest.mark.parametrize("factor", [1, 6])
def test_chain_of_the_proof(T, factor):
    """16 beta kappa K d log(1 + tau/(Kd))/tau at K = 2, d = 1, S = 0, delta = 1; it bounds what the search finds."""
    level = math.log(T)
    ridge, kappa, size = 2 * level, 2, 2
    tau = factor * TAU * ridge * kappa * size * level
    assert tau <= T
    square = 16 * 84**2 * ridge * kappa * size * math.log(1 + tau / size) / tau
    assert chain_bound(FLOATS, int(T), factor * TAU) == pytest.approx(6 * square, rel=1e-12)
    assert (chain_bound(FLOATS, int(T), factor * TAU) <= 1) == (factor == 6 or T == 1e100)


def test_diameter_of_one_arm():
    """The width that the links prove is above that of one arm, whatever S, the arm and T are."""
    bound = theta_is_narrow(FLOATS, 1.0)
    assert bound < 1
    for point in points({"norm": (-2.0, 16.0), "x": (-20.0, 0.0), "level": (12.0, 700.0)}, "one arm"):
        assert diameter_of_one_arm(FLOATS, **point) <= bound
        assert diameter_of_one_arm(FLOATS, **point, tau=2) <= math.sqrt(24 * 1.67 / (2 * point["level"])) * (1 + 1e-9)
    reach = {"norm": (-2.0, 16.0), "size": (-30.0, 1.0), "level": (1.6, 1000.0), "horizon": (10.0, 700.0)}
    assert free_theta_is_narrow(FLOATS) == 1
    for point in points(reach, "free"):
        assert free_diameter_of_one_arm(FLOATS, **point) <= 1
        assert free_distance_of_one_arm(FLOATS, **point) <= 1
    assert one_arm_diameter(FLOATS, 2, 1.0) > 1 > one_arm_diameter(FLOATS, 3, 1.0)


@pytest.mark.parametrize("norm", [2.0, 8.0, 16.0])
def test_least_distance(norm):
    """Runs of one short arm are no closer than the least distance, in units of the radius."""
    S, arm = 10**norm, 10 ** (-20.0 - norm)
    rate, root = 42 * (S + 3) ** 2, theta_root_mended(DIGITS, DIGITS.number(S))
    runs = [float(distance / root) for distance in one_arm_distances(S, arm, rate, 3)]
    assert min(runs) >= least_distance(FLOATS, norm, -20.0) * (1 - 1e-9)
    assert max(runs) < 1


def test_distances_of_explorations():
    """Of the same outcomes in floats and in 50 digits; and just below and above the rounds at which draws become normal."""
    instance = examples()[2]
    for counts in explored_for(instance, 42 * 16, 3):
        assert theta_distance(instance, counts) == pytest.approx(float(precise_theta_distance(instance, counts)), rel=1e-6)
    S, x = 1e3, 1e-3
    level, kappa = math.log(1e60 / 0.05), 1 + math.cosh(math.sqrt(2))
    unit = (S + 1) * 2 * level * kappa * math.log(1e60)
    medians = [
        np.median([float(distance) for distance in one_arm_distances(S, x, share * MOST_COUNTED / unit, 60)])
        for share in (0.99, 1.01)
    ]
    assert 0 < medians[0] < 10
    assert medians[0] == pytest.approx(medians[1], rel=0.2)


LINE = np.array([[1.0], [-1.0]]) / math.sqrt(2)
"""theta = b LINE."""


@pytest.mark.parametrize("b", [-9.0, -4.9, 2.0])
def test_level_form(b):
    """||g(theta) - g(hat theta)||^2_{H^-1(theta)}/lambda_0 from the estimate of these counts."""
    counts = np.array([[0, 500], [0, 14142]])
    instance = Instance("level", b * LINE, np.array([[1.0], [1e-3]]), np.array([1.0, 0.0]), 10.0)
    assert estimate(instance, counts, 1.0) == pytest.approx(-9.930251 * LINE, rel=1e-6)
    assert everywhere(level_form, b) == pytest.approx(score_distance(instance, counts, 1.0) ** 2, rel=1e-6)


def test_set_of_proposition_three():
    """||theta - hat theta||^2_{Hbar(theta)} <= 7056 at -7 and 12 and not at 0, after 1e5 outcomes 2 of one arm."""
    squares = []
    for b in (-7.0, 0.0, 12.0):
        instance, counts = Instance("set", b * LINE, np.ones((1, 1)), np.array([1.0, 0.0]), 20.0), np.array([[0, 10**5]])
        off = (estimate(instance, counts, 1.0) - instance.theta).ravel()
        squares.append(off @ information(instance, counts.sum(axis=1), 1.0) @ off)
    assert squares[0] < 0.01
    assert squares[1] == pytest.approx(2.4564e6, rel=1e-4)
    assert squares[2] == pytest.approx(364.42, rel=1e-4)


def test_own_length_of_the_proof():
    """96 84^2 lambda_0 kappa K d log(1 + T/(K d)) rounds of d orthogonal arms, T = 2, K = 2: the least pulled decides."""
    d, ridge, kappa = 100, 2 * 200 * math.log(2), 2
    tau = math.ceil(96 * 84**2 * ridge * kappa * 2 * d * math.log1p(2 / (2 * d)))
    width = math.sqrt(6) * 2 * 84 * math.sqrt(ridge / (ridge + tau // d / kappa))
    assert everywhere(diameter_of_basis, 2, d) <= width
    assert everywhere(diameter_of_basis, 2, d) == pytest.approx(width, rel=1e-3)
    for share in (1e-6, 0.5, 1.0):
        expected = math.log1p(share * 1e3 / 1e2) / math.log1p(1e3 / 1e2)
        assert everywhere(chain_at_own_length, 3.0, share, 2.0) == pytest.approx(expected, rel=1e-9)
