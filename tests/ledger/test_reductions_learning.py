"""What the proofs about the learning routine prove is above what the claims state, at random points."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from mnlbandits.algorithms import get_algorithm, real
from mnlbandits.instances import Instance
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.beyond_theta import error_over_bonuses
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
from mnlbandits.ledger.formulas.recursion import range_gap
from mnlbandits.ledger.paper.learning_algorithm import compared_step, step_is_minimiser
from mnlbandits.ledger.paper.lemma_two_steps import first_order_gap, gap_box, third_order_box, third_order_part
from mnlbandits.ledger.paper.optimistic_maximum import centre_by_outcome
from mnlbandits.ledger.paper.optimistic_reward import index_box, index_of_wbar, second_order, second_order_box
from mnlbandits.ledger.search import Box, Point
from mnlbandits.ledger.simulate.exploration import DELTA, estimate, examples
from mnlbandits.ledger.simulate.learning import distance
from mnlbandits.ledger.simulate.mended import Stretched, reached, state_of, stretched
from mnlbandits.model.softmax import contrast_basis, loss_gradient, softmax, softmax_jacobian
from mnlbandits.seeds import generator
from mnlbandits.simulators import leap
from mnlbandits.textbook.solvers import mirror_descent

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


@pytest.mark.parametrize("outcomes", [2, 3, 6])
def test_third_order(outcomes):
    for point in points(third_order_box(outcomes), f"third {outcomes}"):
        assert third_order_part(FLOATS, outcomes, **point) <= 1


def test_centres_differ_by_the_outcome():
    """At b = 0 and W~ = 2 sqrt(2) + 1/2 the steps are 1/4 each way, so 1/2 apart in all."""
    assert centre_by_outcome(FLOATS, 0.0, math.log10(2 * math.sqrt(2))) == pytest.approx(1, rel=1e-12)
    assert centre_by_outcome(FLOATS, 0.0, 3.0, lag=1) == 0


def quadrature(size):
    """Points (n, 2) and weights of a standard normal law in the plane."""
    points, weights = np.polynomial.hermite_e.hermegauss(size)
    grid = np.stack(np.meshgrid(points, points), axis=-1).reshape(-1, 2)
    return grid, np.outer(weights, weights).ravel() / weights.sum() ** 2


def minus_log(phi, x, basis, outcome):
    """Losses at points phi (n, 2), K = 3, d = 1."""
    return -np.log(softmax(phi @ basis.T * x)[:, outcome])


def test_recursion_of_lemma_two_for_three_outcomes():
    """K = 3, d = 1: the step by the textbook's solver, Theta a ball of diameter 1/sqrt(6), the forecast by quadrature."""
    stream, basis, (grid, weights) = generator("tests reductions", 0, "recursion"), contrast_basis(3), quadrature(40)
    needed, bounded = [], 0
    for _ in range(300):
        raw = stream.standard_normal((2, 2))
        w = 10 ** stream.uniform(math.log10(4), 2) * np.eye(2) + 10 ** stream.uniform(-1, 2) * raw @ raw.T
        centre, x, radius = stream.uniform(-4, 4, 2), stream.uniform(0.2, 1), 0.5 / math.sqrt(6)
        here, truth = (
            centre + radius * stream.uniform(0.5, 1) * v / np.linalg.norm(v) for v in stream.standard_normal((2, 2))
        )
        outcome = int(stream.integers(3))
        curved = w + 1.25 * x**2 * basis.T @ softmax_jacobian(basis @ here * x) @ basis
        gradient = basis.T @ loss_gradient((basis @ here)[:, None], np.array([x]), outcome).ravel()
        after, active = mirror_descent(here, gradient, curved, 1.25, centre, np.eye(2), radius)
        bounded += active
        grown = w + x**2 * basis.T @ softmax_jacobian(basis @ after * x) @ basis
        cloud = here + math.sqrt(1.4) * grid @ np.linalg.inv(np.linalg.cholesky(w))
        forecast = math.log(weights @ np.exp(-minus_log(cloud, x, basis, outcome)))
        drop = minus_log(truth[None], x, basis, outcome)[0] + forecast
        spent = (after - truth) @ grown @ (after - truth) - (here - truth) @ w @ (here - truth) - 2.5 * drop
        needed.append(spent / math.log(np.linalg.det(grown) / np.linalg.det(w)))
    assert 0 < bounded < 300
    assert max(needed) <= 2.1


def test_theta_as_printed_is_left_as_far_as_the_bounds_say():
    """REAL at the paper's constants, K = 2, d = 1, the arm 1e-5, S = 1000, T = 1e18."""
    theta = np.array([[1.0], [-1.0]]) * (1000 / math.sqrt(2))
    instance, horizon = Instance("far", theta, np.array([[1e-5]]), np.array([1.0, 0.0]), 1000.0), 10**18
    record = get_algorithm("real")
    state = record.begin(instance, instance.problem(horizon, DELTA), "paper", {})
    tau, stream = state.tau, generator("tests reductions", 0, "far")
    ones = int(stream.binomial(tau, instance.probabilities[0, 0]))
    counts = np.array([[ones, tau - ones]])
    record.exploration.finish(state, state.lambda_0 * np.eye(1) + tau * 1e-10 / state.kappa, counts)
    assert np.allclose(estimate(instance, counts, state.lambda_0), contrast_basis(2) @ state.learner.phi)
    leap.follow(record, state, instance, tau, np.array([float(horizon - tau)]), np.zeros(1), 0.2, stream, True)
    real.choose(state, float(horizon))
    here = softmax(contrast_basis(2) @ state.learner.phi @ instance.arms[0]) @ instance.rewards
    wrong = abs(instance.probabilities[0] @ instance.rewards - here) / (state.learner.scores[0] - here)
    assert error_over_bonuses(FLOATS, 1000.0, 1e-5, horizon) < wrong < 300


@pytest.mark.parametrize("norm", [3.0, 1e8])
def test_mended_state(norm):
    """Its sigma is that of the formula, its start is within S of theta_*, in the units in which rounds are thinned."""
    play = stretched(examples()[0], norm)
    assert play.horizon == pytest.approx(1e6 * play.tau)
    assert play.sigma(5.0) == pytest.approx(math.sqrt(4 * norm**2 * 288 + 2.5 * math.log(20) + 2.1 * math.log(1 + 5 / 288)))
    expected = 42 * (norm + 3) ** 2 * (norm + 1) * 2 * math.log(play.horizon / DELTA) * math.log(play.horizon)
    assert play.tau == pytest.approx(expected * play.unit.constants["kappa"], rel=1e-9, abs=1)  # whole, of 1e9 to 1e30
    state, theta = state_of(play, generator("tests reductions", 0, "mended"))
    assert 0 < theta < 1
    scaled = real.sigma(state, 1.0) * math.sqrt(play.thin)
    assert scaled == pytest.approx(play.sigma(play.tau), rel=1e-9)
    start = distance(play.unit, state) * math.sqrt(play.thin)
    assert 0 < start <= norm * math.sqrt(288) * (1 + 1e-9)
    assert np.linalg.norm(state.learner.phi) <= play.unit.norm_bound


def test_lengths_do_not_matter_in_the_mended_runs():
    """Arms of length 1/2 as such, and as arms of length 1 of twice the norm: the same play."""
    unit = examples()[0]
    short = Instance(unit.name, unit.theta * 2, unit.arms / 2, unit.rewards, 2 * unit.norm_bound)
    first = reached(Stretched(unit, 6.0, 1e14), generator("tests reductions", 0, "lengths"))
    second = reached(Stretched(short, 6.0, 1e14), generator("tests reductions", 0, "lengths"))
    np.testing.assert_allclose(first, second, rtol=1e-6)
