"""GLM-UCB, Logistic-UCB-1 and Logistic-UCB-2: cases worked by hand, known faults of public code, and their guarantees."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit
from trajectories import Run, uniforms, unit_instance

from mnlbandits.algorithms import get_algorithm
from mnlbandits.instances import Instance
from mnlbandits.learners.binary_mle import FAILED, MOVED
from mnlbandits.model.constants import relative
from mnlbandits.simulators.exact import advance, new_tally

NAMES = ["glm-ucb", "logistic-ucb-1", "logistic-ucb-2"]
PRESETS = ["paper", "valid", "calibrated"]
BETTER = 0
SEPARABLE = {"glm-ucb": 400, "logistic-ucb-1": 1200, "logistic-ucb-2": 1200}
"""Pulls of e1 that always show the better outcome after which the ridge no longer holds the estimate in the ball."""

names = pytest.mark.parametrize("name", NAMES)


def instance_of(arms: list, name: str = "hand", norm: float = 2.0) -> Instance:
    """Rewards 1 and 0, b_* = (1, 0, ..., 0)."""
    dim = len(arms[0])
    theta = np.zeros((2, dim))
    theta[:, 0] = 0.5, -0.5
    return Instance(name, theta, np.array(arms, dtype=float), np.array([1.0, 0.0]), norm)


def begin(name: str, instance: Instance, preset: str = "valid", **options) -> Run:
    return Run.begin(instance, name, preset, options)


def feed(run: Run, arm: int, outcomes: list[int]) -> None:
    """Pulls of one arm with given outcomes."""
    for outcome in outcomes:
        run.t += 1
        run.algorithm.update(run.state, run.t, arm, outcome)


def estimate(run: Run) -> np.ndarray:
    """The estimate of the index."""
    return run.state.b2[0] if run.algorithm.name == "logistic-ucb-2" else run.state.learner.b[0]


@names
@pytest.mark.parametrize("rewards", [(1.0, 0.0), (0.2, 0.9)])
def test_estimate_solves_its_score_equation(name, rewards):
    """200 pulls of e1, the better outcome in 90 % of them: 200 s(b) - 180 + lambda b = 0."""
    instance = Instance("score", np.zeros((2, 2)), np.eye(2), np.array(rewards), 5.0)
    run, better = begin(name, instance), int(np.argmax(rewards))
    feed(run, 0, ([better] * 9 + [1 - better]) * 20)
    ridge = run.state.learner.ridge
    expected = brentq(lambda b: 200 * expit(b) - 180 + ridge * b, 0, 10, xtol=1e-14)
    np.testing.assert_allclose(estimate(run), [expected, 0], rtol=0, atol=1e-8)  # 1e-8 standard errors of at most 0.4
    assert run.state.learner.counters.tolist() == [200, 0, 0]


@names
def test_separable_data_leave_the_estimate_in_the_ball(name):
    """The bound is on ||b||, sqrt(2) S, not on its square; the data pull it out, and the test of the proof is passed."""
    run = begin(name, instance_of(np.eye(2)))
    feed(run, 0, [BETTER] * SEPARABLE[name])
    assert np.linalg.norm(estimate(run)) == pytest.approx(2 * math.sqrt(2), rel=1e-8)
    assert run.state.learner.counters[MOVED] > 0
    assert run.state.learner.counters[FAILED] == 0


@names
def test_test_of_the_proof_fails_for_a_tiny_radius(name):
    run = begin(name, instance_of(np.eye(2)), "calibrated", radius_multiplier=1e-6)
    feed(run, 0, [BETTER] * SEPARABLE[name])
    moved, failed = run.state.learner.counters[MOVED:]
    assert moved == failed > 0


@names
@pytest.mark.parametrize("preset", PRESETS)
def test_radius_is_positive_and_decides_the_first_index(name, preset):
    """Before any data the index is 1/2 + bonus with V = kappa lambda I; all bonuses by hand for ||x|| = 1."""
    instance = instance_of([[1, 0], [0, 0.5]])
    run = begin(name, instance, preset)
    run.algorithm.choose(run.state, 1)
    bound, d, delta, log = 2 * math.sqrt(2), 2, 0.05, math.log
    kappa, printed = (1 + math.exp(bound)) * (1 + math.exp(-bound)), preset == "paper"
    ridge = d if name == "glm-ucb" else d * log(1e4)
    if name == "glm-ucb":
        noise = d * log((1 + 1 / (kappa * d)) / delta) if printed else 2 * log(1 / delta) + d * log(1 + 1 / (kappa * d * d))
        radius = math.sqrt(ridge / kappa) * bound + math.sqrt(noise) / 2
        bonus = kappa / 2 * radius / math.sqrt(kappa * ridge)
    else:
        volume = (1 + 1 / (4 * d * ridge)) ** d if printed else 1.0
        radius = math.sqrt(ridge) * (bound + 0.5) + 2 / math.sqrt(ridge) * log(2**d / delta * math.sqrt(volume))
        if name == "logistic-ucb-1":
            bonus = math.sqrt(4 + 8 * bound) * radius / math.sqrt(ridge) / 4
        else:
            second = (4 + 8 * bound) / 4 if printed else (2 + 4 * bound) / (6 * math.sqrt(3))
            bonus = (2 + 4 * bound) / 4 * radius / math.sqrt(ridge) + second * radius**2 / ridge
    assert run.state.learner.scores[0] == pytest.approx(0.5 + bonus, rel=1e-12)


@names
@pytest.mark.parametrize(
    "arms",
    [[[0.6, 0.8]], [[0.6, 0.8]] * 3, [[0.5], [-0.5]], [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]],
    ids=["one arm", "equal arms", "opposite arms", "a zero arm"],
)
def test_degenerate_arms(name, arms):
    instance = instance_of(arms, "degenerate")
    run = begin(name, instance, "calibrated", radius_multiplier=0.05)
    for uniform in uniforms(instance, 0, 200):
        run.round(uniform)
    assert np.isfinite(run.state.learner.scores).all()
    if len({tuple(arm) for arm in arms}) == 1:
        assert set(run.arms) == {0}  # ties go to the first arm


@names
@pytest.mark.parametrize("multiplier", [1.0, 0.05])
def test_stream_and_suffstat_play_the_same_arms(name, multiplier):
    instance = unit_instance(2, 3, seed=1)
    runs = [begin(name, instance, "calibrated", data=data, radius_multiplier=multiplier) for data in ("suffstat", "stream")]
    for uniform in uniforms(instance, 0, 400):
        assert len({run.round(uniform) for run in runs}) == 1


@names
def test_valid_set_covers_and_the_index_is_optimistic(name):
    """20 runs of 300 rounds, ||b_*|| = S_b: theta_* stays in the set and no index is below its arm's mean reward."""
    for seed in range(20):
        instance = unit_instance(2, 2, seed)
        run = begin(name, instance)
        means = instance.probabilities @ relative(instance.rewards)
        for uniform in uniforms(instance, seed, 300):
            run.round(uniform)
            assert (run.state.learner.scores >= means).all()
        assert 0 < run.ratio <= 1  # `ratio` is the largest so far
        assert run.state.learner.counters[FAILED] == 0


@names
def test_inverse_of_v_is_refreshed(name):
    instance = unit_instance(2, 3)
    run = begin(name, instance, "calibrated", radius_multiplier=0.1)
    tally = new_tally(len(instance.arms))
    advance(get_algorithm(name), run.state, instance, np.random.default_rng(0), 0, 2100, tally)
    learner = run.state.learner
    expected = learner.ridge * np.eye(3) + (instance.arms.T * tally.pulls) @ instance.arms / learner.kappa
    np.testing.assert_allclose(learner.design, expected, rtol=1e-12, atol=1e-12 * expected.max())
    widths = np.sum(instance.arms @ np.linalg.inv(expected) * instance.arms, axis=1)
    np.testing.assert_allclose(learner.widths, widths, rtol=1e-11)
