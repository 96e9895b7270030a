"""OFULog-r, OFULog+ and OFUGLB on cases worked by hand, and what must not depend on how it is computed."""

import math

import numpy as np
import pytest
from scipy.special import expit
from trajectories import Run, uniforms, unit_instance

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import Instance
from mnlbandits.learners.log_loss_set import SOLVED
from mnlbandits.learners.mle import largest_linear

NAMES = ("ofulog-r", "ofulog-plus", "ofuglb")
names = pytest.mark.parametrize("name", NAMES)


def instance_with(arms, norm=2.0):
    theta = np.array([[0.5, -0.2], [-0.5, 0.2]])
    return Instance("by-hand", theta, np.array(arms, dtype=float), np.array([1.0, 0.0]), norm)


def fed(name, observations, norm=2.0, preset="valid"):
    """The state after (arm, outcome) pairs on the arms e1, e2."""
    instance, algorithm = instance_with(np.eye(2), norm), REGISTRY[name]
    state = algorithm.begin(instance, instance.problem(1e4, 0.05), preset, {})
    for t, (arm, outcome) in enumerate(observations, start=1):
        algorithm.update(state, t, arm, outcome)
    return state


@names
def test_separable_data_give_a_finite_estimate_that_solves_its_score_equation(name):
    state = fed(name, [(0, 0 if s % 10 else 1) for s in range(200)])
    b = state.region.estimate[0]
    score = 200 * expit(b[0]) - 180 + state.region.ridge[0] * b[0]
    assert np.linalg.norm(b) < state.region.bound
    assert score == pytest.approx(0, abs=1e-6)
    assert b[1] == 0


@names
def test_the_ball_has_radius_s_and_not_its_square(name):
    state = fed(name, [(0, 0)] * 3000, norm=1.5)
    assert np.linalg.norm(state.region.estimate) <= math.sqrt(2) * 1.5 * (1 + 1e-12)
    if name != "ofulog-r":
        assert np.linalg.norm(state.region.estimate) == pytest.approx(math.sqrt(2) * 1.5)
    REGISTRY[name].choose(state, 3001)
    norms = np.linalg.norm(state.region.points[:, 0], axis=1)
    assert (norms <= state.region.bound * (1 + 1e-9)).all()


def test_first_round_is_the_ball():
    state = fed("ofuglb", [])
    assert REGISTRY["ofuglb"].choose(state, 1) == 0
    assert state.scores == pytest.approx(2 * math.sqrt(2))
    assert state.region.square[0] == pytest.approx(math.log(20) + 2)


@pytest.mark.parametrize("preset", ["paper", "valid"])
@names
def test_no_radius_is_zero(name, preset):
    for observations in ([], [(0, 0)], [(0, 0), (1, 1)] * 10):
        state = fed(name, observations, preset=preset)
        assert state.region.square[0] >= math.log(20)
        assert state.region.allowed[0] > 0


def test_radii_by_hand():
    observations, d, delta, S = [(0, 0), (1, 1), (1, 0)], 2, 0.05, 2 * math.sqrt(2)
    square = {
        preset: {n: fed(n, observations, preset=preset).region.square[0] for n in NAMES} for preset in ("paper", "valid")
    }
    V = 3 * S
    assert square["valid"]["ofuglb"] == pytest.approx(math.log(20) + 2 * math.log(math.e * V))
    assert square["paper"]["ofuglb"] == pytest.approx(math.log(20) + 2 * math.log(math.e * V * (1 + S / 2)))
    plus = 20 * math.log(math.e + S) + 2 * (math.e - 2 + S) * math.log(20)
    assert square["paper"]["ofulog-plus"] == pytest.approx(plus)
    assert square["valid"]["ofulog-plus"] == square["valid"]["ofuglb"]
    ridge = d * math.log(2 + 4 / delta)
    noise = math.log(20) + math.log((1 + 1 / (4 * ridge)) * (1 + 2 / (4 * ridge))) / 2 + d * math.log(2)
    noise += math.log(ridge / (d * math.log(22)))
    gamma = math.sqrt(ridge) * (S + 0.5) + 2 / math.sqrt(ridge) * noise
    assert square["valid"]["ofulog-r"] == pytest.approx((gamma + gamma**2 / math.sqrt(ridge)) ** 2)
    gamma = math.sqrt(ridge) * (S + 0.5) + d / math.sqrt(ridge) * math.log(4 * (1 + 4 / (4 * d * ridge)) / delta)
    assert square["paper"]["ofulog-r"] == pytest.approx((gamma + gamma**2 / math.sqrt(ridge)) ** 2)


@names
def test_scores_are_those_of_the_path_of_the_shared_kernel(name):
    instance = unit_instance(2, 3, 1, arms=6)
    run = Run.begin(instance, name, "calibrated", {"radius_multiplier": 0.2})
    for uniform in uniforms(instance, 1, 120):
        run.round(uniform)
    run.algorithm.choose(run.state, 121)
    region = run.state.region
    for n, x in enumerate(instance.arms):
        phi, tau = region.estimate.copy(), np.ones(1)
        value = largest_linear(
            region.data, region.ridge[0], x.copy(), region.smallest[0], region.allowed[0], region.bound, phi, tau
        )
        assert run.state.scores[n] == pytest.approx(value, abs=1e-8)
    assert region.counters[SOLVED] == 6 * 121


@names
def test_stream_and_suffstat_give_the_same_arms(name):
    instance = unit_instance(2, 2, 2)
    runs = [
        Run.begin(instance, name, "calibrated", {"radius_multiplier": 0.1, "data": data}) for data in ("stream", "suffstat")
    ]
    for uniform in uniforms(instance, 2, 200):
        assert runs[0].round(uniform) == runs[1].round(uniform)
        assert runs[0].ratio == pytest.approx(runs[1].ratio, abs=1e-7)


@pytest.mark.parametrize("arms", [[[0.6, 0.8]], [[0.6, 0.8]] * 3, [[0.0, 0.0], [0.6, 0.8], [0.6, 0.8]]])
@names
def test_a_single_arm_equal_arms_and_a_zero_arm(name, arms):
    instance = instance_with(arms)
    run = Run.begin(instance, name, "calibrated", {"radius_multiplier": 0.1})
    for uniform in uniforms(instance, 0, 60):
        run.round(uniform)
        assert np.isfinite(run.state.scores).all()
        last = run.state.scores[-1]
        assert run.state.scores[[any(x) for x in arms]] == pytest.approx(last, abs=1e-12)
        assert any(arms[run.arms[-1]]) or last <= 0


@names
def test_the_valid_set_covers_and_the_index_is_optimistic(name):
    worst = -math.inf
    for seed in range(20):
        instance = unit_instance(2, 2, seed % 5)
        best = (instance.theta[np.argmax(instance.rewards)] - instance.theta[np.argmin(instance.rewards)]) @ instance.arms.T
        run = Run.begin(instance, name, "valid", {})
        for uniform in uniforms(instance, 100 + seed, 300):
            run.round(uniform)
            worst = max(worst, run.ratio)
        assert (run.state.scores >= best - 1e-9).all()
    assert worst <= 1
