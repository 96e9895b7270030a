"""REAL's constants, the end of its exploration and the start of its learning."""

import math

import numpy as np
import pytest
from trajectories import unit_instance

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.real import ALGORITHM, constants, sigma
from mnlbandits.instances.families import large_kappa_star
from mnlbandits.learners.learner import LEARNT
from mnlbandits.seeds import generator
from mnlbandits.simulators.counts import explore
from mnlbandits.simulators.exact import advance, new_tally
from mnlbandits.textbook.real import Real
from mnlbandits.textbook.solvers import weighted_norm

FORMULA = 1e-14
"""The same formula twice, in another order of operations."""


def play(instance, state, start, stop):
    """Play the rounds start+1 .. stop."""
    tally = new_tally(len(instance.arms))
    advance(ALGORITHM, state, instance, generator("test", start, "phases"), start, stop, tally)
    return tally.pulls


@pytest.mark.parametrize("preset", ["paper", "valid", "calibrated"])
@pytest.mark.parametrize("outcomes", [2, 3, 5])
@pytest.mark.parametrize(("horizon", "delta"), [(2, 0.5), (1e4, 0.05), (1e12, 0.01)])
def test_constants(preset, outcomes, horizon, delta):
    problem = unit_instance(outcomes, 2).problem(horizon, delta)
    options = {"exploration_multiplier": 0.3, "radius_multiplier": 0.2} if preset == "calibrated" else {}
    ours, printed = constants(problem, preset, **options), Real(problem, preset, **options)
    assert ours.tau == pytest.approx(printed.tau, rel=FORMULA)
    for name, value in [
        ("lambda_0", printed.lambda_0),
        ("theta_radius", printed.radius),
        ("stop_diameter", printed.diameter),
        ("eta", printed.eta),
        ("lambda_", printed.lambda_),
    ]:
        assert getattr(ours, name) == pytest.approx(value, rel=FORMULA), name
    state = ALGORITHM.start(problem, preset, **options)
    for t in (1, 10, 10**9):
        state.learner.counters[LEARNT] = printed.rounds = t - 1
        assert sigma(state, t) == pytest.approx(printed.sigma(t), rel=FORMULA)


def test_constants_of_one_problem_by_hand():
    """K = 3, d = 2, S = 1, T = 1e4, delta = 0.05: lambda_0 = 12 log(2e5), sqrt(lambda) = sqrt(864)."""
    problem = large_kappa_star("by hand").problem(1e4, 0.05)
    ours = constants(problem)
    assert ours.lambda_0 == pytest.approx(146.472871, abs=1e-6)  # the digits written here
    assert ours.theta_radius == pytest.approx(84 * math.sqrt(12 * math.log(2e5)), rel=FORMULA)
    assert ours.tau == math.ceil(112896 * ours.lambda_0 * problem.kappa * 6 * math.log(1e4))
    assert (ours.eta, ours.lambda_) == (1.0, 864.0)
    state = ALGORITHM.start(problem, "paper")
    expected = math.sqrt(2 / 3) * math.sqrt(6 * math.log(20 / 0.05)) + 2 * math.sqrt(864)
    assert sigma(state, 20) == pytest.approx(expected, rel=FORMULA)


def test_paper_constants_never_leave_exploration():
    instance = large_kappa_star("never", outcomes=3, dim=2, norm=1.0)
    state = ALGORITHM.start(instance.problem(1e4, 0.05), "paper")
    assert state.tau > 1e9
    play(instance, state, 0, 10**4)
    assert state.learning[0] == 0
    assert state.counts.sum() == 10**4


@pytest.fixture(scope="module")
def shortest():
    """An instance and a problem with about the smallest tau that the paper's constants allow, 4e5 rounds."""
    instance = large_kappa_star("shortest", outcomes=2, dim=1, norm=0.01, arms=2)
    return instance, instance.problem(2, 0.99)


def test_exploration_lasts_exactly_tau_rounds(shortest):
    instance, problem = shortest
    state = ALGORITHM.start(problem, "paper")
    tau = Real(problem).tau
    assert 1e5 < tau < 1e6
    play(instance, state, 0, tau - 1)
    assert state.learning[0] == 0
    play(instance, state, tau - 1, tau)
    assert state.learning[0] == 1
    assert state.counts.sum() == tau
    play(instance, state, tau, tau + 10)
    assert state.counts.sum() == tau
    assert state.learner.counters[LEARNT] == 10


def test_exploration_by_counts_is_the_same(shortest):
    instance, problem = shortest
    state = ALGORITHM.start(problem, "paper")
    pulls = play(instance, state, 0, state.tau)
    design = explore(instance.arms, ALGORITHM.exploration.plan(state), [state.tau])
    assert design.pulls[0].tolist() == pulls.tolist()
    np.testing.assert_allclose(design.matrix, state.design, rtol=1e-10)  # 4e5 additions of 1e-16 each


@pytest.mark.parametrize("preset", ["paper", "valid"])
def test_theta_ratio_and_first_estimate(preset):
    """||theta - theta_hat||_V / radius in R^{Kd}; learning starts at theta_hat, shrunk to norm S in valid."""
    instance = unit_instance(4, 2, norm=0.5)
    problem = instance.problem(1e4, 0.05)
    state, book = ALGORITHM.start(problem, preset), Real(problem, preset)
    counts = np.zeros((len(instance.arms), 4), dtype=np.int64)
    counts[:3] = [[9000, 100, 100, 0], [0, 50, 0, 8000], [10, 20, 30, 40]]
    design = book.lambda_0 * np.eye(2) + (instance.arms.T * (counts.sum(axis=1) / problem.kappa)) @ instance.arms
    ALGORITHM.exploration.finish(state, design, counts)
    book.V, book.counts = np.kron(np.eye(4), design), counts
    book.begin_learning()
    theta_hat, V, radius = book.Theta
    expected = weighted_norm((instance.theta - theta_hat).ravel(), V) / radius
    assert ALGORITHM.exploration.ratio(state, instance.theta) == pytest.approx(expected, rel=1e-10)  # as the estimate
    assert np.linalg.norm(theta_hat) > 0.6
    length = np.linalg.norm(state.learner.phi)
    assert length == pytest.approx(0.5 if preset == "valid" else np.linalg.norm(theta_hat), rel=1e-10)


def test_calibrated_with_multipliers_1_keeps_the_printed_radii():
    problem = unit_instance(3, 2).problem(1e4, 0.05)
    printed, calibrated = constants(problem, "paper"), constants(problem, "calibrated")
    assert vars(calibrated) == vars(printed) | {"stop_diameter": 1 / math.sqrt(6)}


def test_the_registered_real_is_this_one():
    assert get_algorithm("real") is ALGORITHM
