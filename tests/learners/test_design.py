"""The greedy exploration design against the rule evaluated from scratch in every round."""

import math

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.instances.families import random_instance, sphere_grid
from mnlbandits.learners.design import REFRESH, greedy_pulls, refresh_scores
from mnlbandits.textbook.solvers import first_argmax

EXACT = 10**6
"""A resolution with which every pick of a short run is one pull."""

INSTANCES = {
    "circle": sphere_grid(2, 12),  # many exact ties
    "sphere": sphere_grid(3, 20),
    "ball": random_instance("ball", 2, 3, arms=9).arms,
    "line": sphere_grid(1, 2),
    "one arm": np.array([[0.5, 0.0]]),
}


def greedy_by_inversion(arms, kappa, ridge, rounds, target=0.0, resolution=EXACT):
    """Pulls (N,), rounds played and largest score; a pick counts max(1, t // resolution) pulls."""
    design, pulls, t = ridge * np.eye(arms.shape[1]), np.zeros(len(arms), dtype=int), 0
    scores = np.sum(arms @ np.linalg.inv(design) * arms, axis=1)
    while t < rounds and scores.max() > target:
        arm, many = first_argmax(scores), min(max(1, t // resolution), rounds - t)
        pulls[arm] += many
        t += many
        design += many / kappa * np.outer(arms[arm], arms[arm])
        scores = np.sum(arms @ np.linalg.inv(design) * arms, axis=1)
    return pulls, t, scores.max()


def greedy(arms, kappa, ridge, stops, target=0.0, resolution=EXACT):
    pulls = np.zeros((len(stops), len(arms)), dtype=np.int64)
    rounds, design, largest = greedy_pulls(
        np.array(arms), kappa, ridge, np.array(stops, dtype=np.int64), target, resolution, pulls
    )
    return pulls, rounds, design, largest


@pytest.mark.parametrize("arms", INSTANCES.values(), ids=INSTANCES.keys())
@pytest.mark.parametrize(("kappa", "ridge"), [(9.0, 150.0), (1.5, 0.1)])
def test_greedy_pulls(arms, kappa, ridge):
    stops = [0, 1, 2, 10, 3 * REFRESH]
    pulls, rounds, design, largest = greedy(arms, kappa, ridge, stops)
    assert rounds.tolist() == stops
    for row, stop in enumerate(stops):
        expected, _, score = greedy_by_inversion(arms, kappa, ridge, stop)
        assert pulls[row].tolist() == expected.tolist()
        assert largest[row] == pytest.approx(score, rel=1e-12)  # at most REFRESH Sherman-Morrison updates of 1e-16 each
    matrix = ridge * np.eye(arms.shape[1]) + (arms.T * (pulls[-1] / kappa)) @ arms
    np.testing.assert_allclose(design, matrix, rtol=1e-12, atol=1e-12 * matrix.max())  # 3 REFRESH additions of 1e-16 each


def test_greedy_pulls_stop_at_the_target():
    arms, target = INSTANCES["circle"], 0.02
    expected, t, score = greedy_by_inversion(arms, 9.0, 40.0, 10**4, target)
    pulls, rounds, _, largest = greedy(arms, 9.0, 40.0, [5, 10**4, 2 * 10**4], target)
    assert 5 < t < 10**4
    assert rounds.tolist() == [5, t, t]
    assert pulls[1].tolist() == pulls[2].tolist() == expected.tolist()
    assert score <= target < largest[0]


@pytest.mark.parametrize("stop", [99, 100, 101, 199, 200, 201, 5000])
def test_coarse_steps_follow_the_same_rule(stop):
    arms = INSTANCES["ball"]
    pulls, rounds, _, _ = greedy(arms, 9.0, 40.0, [stop], resolution=100)
    assert rounds[0] == pulls[0].sum() == stop
    assert pulls[0].tolist() == greedy_by_inversion(arms, 9.0, 40.0, stop, resolution=100)[0].tolist()


def test_coarse_steps_end_near_the_exact_design():
    """The largest score has one limit, and a step of t / resolution pulls errs by a fraction 1 / resolution of it."""
    arms = INSTANCES["sphere"]
    exact, coarse = (greedy(arms, 9.0, 40.0, [10**5], resolution=r)[3][0] for r in (EXACT, 1000))
    assert coarse == pytest.approx(exact, rel=2e-3)


def test_real_explores_by_the_same_pulls():
    instance = unit_instance(3, 3)
    run = Run.begin(instance, "real", "paper", {})
    for uniform in uniforms(instance, 0, 300):
        run.round(uniform)
    pulls, *_ = greedy_by_inversion(instance.arms, run.state.kappa, run.state.lambda_0, 300)
    assert run.state.counts.sum(axis=1).tolist() == pulls.tolist()


def test_exploration_scores_are_refreshed():
    """After REFRESH rounds the scores are, to the last bit, those that A gives."""
    instance = unit_instance(2, 2)
    run = Run.begin(instance, "real", "paper", {})
    for uniform in uniforms(instance, 0, REFRESH):
        run.round(uniform)
    state = run.state
    scores, inverse = np.zeros_like(state.design_scores), np.zeros_like(state.design)
    refresh_scores(state.learner.arms, state.design, scores, inverse, np.zeros((3, 2)))
    assert (scores == state.design_scores).all()
    assert (inverse == state.design_inverse).all()
    assert not math.isnan(scores.sum())
