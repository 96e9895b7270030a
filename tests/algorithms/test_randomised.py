"""TS-MLogB and EVILL: every round against the textbook, the law of what they draw, the sets, K = 2."""

import math

import numpy as np
import pytest
from scipy.stats import kstest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.algorithms import evill, ts_mlogb
from mnlbandits.instances import Instance
from mnlbandits.instances.families import random_instance
from mnlbandits.learners.radii import online_radius
from mnlbandits.seeds import generator
from mnlbandits.simulators import simulate
from mnlbandits.textbook import TEXTBOOK

NAMES = ("ts-mlogb", "evill")
FALSE_ALARM = 1e-6
"""Of a Kolmogorov-Smirnov test; the seeds are fixed, so it either passes for ever or the law is another one."""


def estimate_and_matrix(run: Run) -> tuple[np.ndarray, np.ndarray]:
    state = run.state
    return (
        (state.estimate, state.hessian)
        if run.algorithm.name == "evill"
        else (
            state.learner.phi,
            state.learner.w,
        )
    )


@pytest.mark.parametrize("changing", [False, True])
@pytest.mark.parametrize("outcomes", [2, 3, 4])
@pytest.mark.parametrize(("name", "rounds"), [("ts-mlogb", 80), ("evill", 25)])
@pytest.mark.parametrize(("preset", "options"), [("valid", {}), ("calibrated", {"radius_multiplier": 0.05})])
def test_every_round_against_the_textbook(name, rounds, outcomes, preset, options, changing):
    """Scores and states to 1e-10 of their size, as both sides solve to rounding; the same arms."""
    instance = unit_instance(outcomes, 2, 1)
    run = Run.begin(instance, name, preset, options)
    book = TEXTBOOK[name](instance.problem(1e4, 0.05), preset, generator=generator(name, 0, instance.name), **options)
    draw = generator("test", outcomes, "sets")
    for uniform in uniforms(instance, 2, rounds):
        if changing:
            run.state.offered[:] = draw.permutation(len(run.state.offered)) < 4
        index = book.index(run.t + 1)
        arm, outcome = run.round(uniform)
        np.testing.assert_allclose(run.state.scores, index, rtol=0, atol=1e-10 * np.abs(index).max())
        best = index[run.state.offered].max()
        assert arm == np.flatnonzero(run.state.offered & (index >= best - 1e-12 * np.abs(index).max()))[0]
        book.update(run.t, arm, outcome)
        for ours, theirs in zip(estimate_and_matrix(run), (book.beta, book.H), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10 * np.abs(theirs).max())
        assert run.ratio == pytest.approx(book.ratio(run.t, instance.theta), rel=1e-9)
    assert len(set(run.arms)) > 1


@pytest.mark.parametrize("outcomes", [2, 3])
def test_estimate_on_the_sphere(outcomes):
    """A tiny ball, arms in one orthant and the first outcome in every round: the ball binds, and only the estimate."""
    unit = unit_instance(outcomes, 2, norm=0.02)
    instance = Instance("orthant", unit.theta, np.abs(unit.arms), unit.rewards, unit.norm_bound)
    run = Run.begin(instance, "evill", "valid", {})
    book = TEXTBOOK["evill"](instance.problem(1e4, 0.05), "valid", generator=generator("evill", 0, instance.name))
    for _ in range(15):
        index = book.index(run.t + 1)
        arm, outcome = run.round(0.0)
        np.testing.assert_allclose(run.state.scores, index, rtol=1e-9)
        book.update(run.t, arm, outcome)
        np.testing.assert_allclose(run.state.estimate, book.beta, atol=1e-9)
    assert np.linalg.norm(run.state.estimate) == pytest.approx(run.state.loss_set.norm_bound)
    assert np.linalg.norm(run.state.sample) > 10 * run.state.loss_set.norm_bound


def played(name: str, preset: str = "valid", rounds: int = 40) -> Run:
    run = Run.begin(unit_instance(3, 2, 1), name, preset, {})
    for uniform in uniforms(run.instance, 0, rounds):
        run.round(uniform)
    return run


def test_the_law_of_the_sample():
    """H^{1/2} (beta~ - beta_t)/sigma_t is standard normal, in every coordinate and in length."""
    run = played("ts-mlogb")
    learner, width = run.state.learner, online_radius(run.state.radius, 41)
    lower = np.linalg.cholesky(learner.w).T
    draws = []
    for _ in range(2000):
        ts_mlogb.choose(run.state, 41)
        draws.append(lower @ (run.state.sample - learner.phi).ravel() / width)
    for coordinate in np.transpose(draws):
        assert kstest(coordinate, "norm").pvalue > FALSE_ALARM
    assert kstest((np.array(draws) ** 2).sum(axis=1), "chi2", args=(4,)).pvalue > FALSE_ALARM


def test_the_law_of_the_tilt():
    """The authors' w, a normal number for every round, has the covariance a^2 H: for K = 2, sum s' x x^T + lambda I."""
    run = Run.begin(unit_instance(2, 2, 1), "evill", "valid", {})
    for uniform in uniforms(run.instance, 0, 40):
        run.round(uniform)
    state, width = run.state, evill.radius(run.state.loss_set, 40)
    z = run.instance.arms @ state.estimate[0]
    pulls = np.bincount(run.arms, minlength=len(z))
    slopes = 1 / (2 + 2 * np.cosh(z))
    expected = (run.instance.arms.T * (pulls * slopes)) @ run.instance.arms + np.eye(2)
    np.testing.assert_allclose(state.hessian, expected, rtol=1e-12)
    draws, inverse = [], np.linalg.inv(np.linalg.cholesky(expected))
    for _ in range(2000):
        evill.choose(state, 41)
        draws.append(inverse @ state.tilt / width)
    for coordinate in np.transpose(draws):
        assert kstest(coordinate, "norm").pvalue > FALSE_ALARM


def test_the_perturbed_minimiser_is_one():
    """The gradient of F at beta~ is w."""
    run = played("evill")
    state = run.state
    evill.choose(state, 41)
    tilt, sample = state.tilt.copy(), state.sample.copy()
    evill.evaluate(state.data, sample)
    np.testing.assert_allclose(state.data.gradient + sample.ravel(), tilt, atol=1e-9 * np.abs(tilt).max())


def test_radius_by_hand():
    """K = 2, S = 1: ||beta|| <= sqrt 2, and beta_0^2 = log 20 + d with d = 2."""
    state = Run.begin(unit_instance(2, 2, norm=1.0), "evill", "valid", {}).state
    expected = math.sqrt((2 + 2 * math.sqrt(6) * math.sqrt(2)) * (math.log(20) + 2 + 1))
    assert evill.radius(state.loss_set, 0) == pytest.approx(expected)
    scaled = Run.begin(unit_instance(2, 2, norm=1.0), "evill", "calibrated", {"radius_multiplier": 0.1}).state
    assert evill.radius(scaled.loss_set, 0) == pytest.approx(0.1 * expected)


@pytest.mark.parametrize("name", NAMES)
def test_draws_belong_to_the_run(name):
    """Another run draws others, the same run the same."""
    instance = unit_instance(3, 2, 1)
    algorithm = Run.begin(instance, name, "valid", {}).algorithm
    scores = []
    for run in (0, 0, 1):
        state = algorithm.begin(instance, instance.problem(100, 0.05), "valid", {}, 0, run)
        algorithm.choose(state, 1)
        scores.append(state.scores.copy())
    assert (scores[0] == scores[1]).all()
    assert (scores[0] != scores[2]).any()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("outcomes", [2, 3])
def test_the_valid_set_holds_the_truth(name, outcomes):
    result = simulate(unit_instance(outcomes, 2, 2), name, 300, range(20), preset="valid")
    assert (result.worst[:, -1] <= 1).all()


@pytest.mark.parametrize("name", NAMES)
def test_changing_sets_are_played(name):
    instance = random_instance("changing", 3, 2, arms=9, actions={"name": "random-subsets", "size": 3})
    assert (simulate(instance, name, 200, range(2), preset="valid").worst[:, -1] <= 1).all()


@pytest.mark.parametrize("name", NAMES)
def test_equal_arms_and_a_single_arm(name):
    for arms in (np.ones((3, 1)), np.ones((1, 1))):
        instance = Instance("equal", np.array([[0.5], [-0.5]]), arms, np.array([1.0, 0.0]), 1.0)
        run = Run.begin(instance, name, "valid", {})
        assert {run.round(uniform)[0] for uniform in uniforms(instance, 0, 50)} == {0}
