"""Adaptive REAL: both kinds of rounds against the textbook version, and what the paper says of them."""

import math

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.adaptive_real import CHANGED, EXPLORED
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.instances.families import large_kappa_star
from mnlbandits.learners.learner import LEARNT
from mnlbandits.seeds import generator
from mnlbandits.simulators import exact, simulate
from mnlbandits.textbook import TEXTBOOK

NAME = "adaptive-real"


def two_lengths(outcomes: int, seed: int, scale: float = 0.3) -> Instance:
    """Three arms of norm 1 and three of norm `scale`: offering the short ones lowers the largest width."""
    drawn = unit_instance(outcomes, 2, seed, arms=6)
    arms = drawn.arms * np.where(np.arange(6) < 3, 1.0, scale)[:, None]
    return Instance(drawn.name, drawn.theta, arms, drawn.rewards, drawn.norm_bound)


def halves(t: int) -> np.ndarray:
    """All long arms but one every third round, else the short ones: exploration and learning take turns."""
    offered = np.zeros(6, dtype=bool)
    offered[[t % 3, (t + 1) % 3] if t % 3 == 0 else [3, 4, 5]] = True
    return offered


@pytest.mark.parametrize("outcomes", [2, 3, 4])
@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("calibrated", {"exploration_multiplier": 0.06, "radius_multiplier": 0.3}),
        ("calibrated", {"exploration_multiplier": 0.06, "radius_multiplier": 0.3, "reading": "printed"}),
        ("valid", {}),
    ],
)
def test_rounds_of_both_kinds(preset, options, outcomes):
    """At every round the arm, the index, both estimates and both matrices of the textbook version."""
    for seed in range(2):
        instance = two_lengths(outcomes, seed, 0.05 if preset == "valid" else 0.3)
        run = Run.begin(instance, NAME, preset, options)
        book = TEXTBOOK[NAME](instance.problem(1e4, 0.05), preset, **options)
        learner, explorer = run.state.learner, run.state.explorer
        lift = np.kron(learner.basis, np.eye(2))
        for uniform in uniforms(instance, seed, 30):
            run.state.offered[:] = book.offered = halves(run.t + 1)
            index, expected = book.index(run.t + 1), book.choose(run.t + 1)
            arm, outcome = run.round(uniform)
            assert arm == expected
            assert learner.scores[arm] == pytest.approx(index[arm], rel=1e-8)
            book.update(run.t, arm, outcome)
            np.testing.assert_allclose(explorer.phi, learner.basis.T @ book.theta_w, rtol=1e-7, atol=1e-10)
            if book.learnt:
                np.testing.assert_allclose(learner.w, lift.T @ book.H @ lift, rtol=1e-8, atol=1e-8)
                np.testing.assert_allclose(learner.basis @ learner.phi, book.theta, rtol=1e-6, atol=1e-8)
            assert run.ratio == pytest.approx(book.ratio(run.t, instance.theta), rel=1e-6)
        assert run.state.counters[EXPLORED] == book.explored == 10
        assert learner.counters[LEARNT] == book.learnt == 20


def test_a_smaller_set_takes_the_estimate_along():
    """W_t made small around a far centre by hand: the estimate of the next round of learning lies on its boundary."""
    instance = two_lengths(3, 0)
    run = Run.begin(instance, NAME, "calibrated", {"exploration_multiplier": 0.06, "radius_multiplier": 0.3})
    state = run.state
    state.offered[:] = halves(1)
    run.round(0.5)
    assert state.learner.counters[LEARNT] == 1
    state.explorer.phi[:] = 0.4
    state.learner.radius[0] = 1.0
    state.counters[CHANGED] = 1
    run.algorithm.choose(state, 2)
    difference = state.learner.phi - state.learner.centre
    assert np.sqrt(np.trace(difference @ state.design @ difference.T)) == pytest.approx(1.0, rel=1e-9)


def test_fewer_rounds_of_exploration_than_the_lemma_allows():
    """The printed constants, two outcomes, one feature: the lemma's bound is below the horizon, the count far below it."""
    instance, horizon, size = large_kappa_star("short", outcomes=2, dim=1, norm=0.5), 2_000_000, 2
    algorithm, problem = REGISTRY[NAME], instance.problem(horizon, 0.05)
    state = algorithm.begin(instance, problem, "paper", {})
    exact.advance(algorithm, state, instance, generator("test", 0, NAME), 0, horizon, exact.new_tally(2))
    lambda_w = 72 * (1 + math.sqrt(6) * 0.5) * size
    beta = 4 * 0.5 * math.sqrt(size * math.log(horizon / 0.05)) + 2 * 0.5 * math.sqrt(lambda_w)
    bound = 2 * 24 * beta**2 * problem.kappa * size * math.log(1 + horizon / (size * lambda_w))
    assert 10_000 < state.counters[EXPLORED] <= bound / 10 < bound < horizon
    assert state.counters[EXPLORED] + state.learner.counters[LEARNT] == horizon


def test_the_valid_sets_hold_the_truth():
    """20 runs on changing sets, where both kinds of rounds take turns: a long arm is on offer in one round of five."""
    drawn = two_lengths(3, 0, 0.05)
    arms = np.vstack([drawn.arms[:1], drawn.arms[3:], 0.5 * drawn.arms[3:4]])
    instance = Instance(
        "turns", drawn.theta, arms, drawn.rewards, drawn.norm_bound, actions={"name": "random-subsets", "size": 1}
    )
    result = simulate(instance, NAME, 2000, range(20), preset="valid")
    assert (result.worst[:, -1] <= 1).all()


def test_only_the_paper_has_a_printed_reading():
    instance = unit_instance(3, 2)
    with pytest.raises(InputError, match="reading"):
        Run.begin(instance, NAME, "valid", {"reading": "printed"})


def test_equal_arms_and_a_single_arm():
    for arms in (np.ones((3, 1)), np.ones((1, 1))):
        instance = Instance("equal", np.array([[0.5], [-0.5]]), arms, np.array([1.0, 0.0]), 1.0)
        run = Run.begin(instance, NAME, "calibrated", {"exploration_multiplier": 0.05, "radius_multiplier": 0.1})
        assert {run.round(uniform)[0] for uniform in uniforms(instance, 0, 50)} == {0}
