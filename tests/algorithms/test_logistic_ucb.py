"""The convex surrogate of Logistic-UCB-2: its limits and its admissible estimate."""

import math

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.instances import Instance
from mnlbandits.learners.admissible import admissible_estimate, make_interior_point
from mnlbandits.learners.binary_mle import MOVED
from mnlbandits.learners.data import make_data
from mnlbandits.model.softmax import reference_basis
from mnlbandits.seeds import generator
from mnlbandits.textbook.binary_mle import LogisticUcb2, admissible_minimiser

STANDARD_ERRORS = 1e-5
"""SLSQP leaves the limits by up to 1e-7 of them, with 1e3 observations and multipliers to match."""


def limited(seed: int):
    """Random data (N, 2) of outcomes, limits that are often active, and both versions of the estimate."""
    draw = generator("test", seed, "admissible")
    dim, count = int(draw.integers(1, 5)), int(draw.integers(1, 9))
    arms = draw.standard_normal((count, dim))
    arms /= np.linalg.norm(arms, axis=1, keepdims=True)
    instance = Instance("limits", np.zeros((2, dim)), arms, np.array([1.0, 0.0]), float(draw.uniform(0.5, 4)))
    problem = instance.problem(1e4, 0.05)
    counts = draw.integers(0, 10 ** draw.integers(1, 4), (2, count)).astype(float)
    ridge, limits = 10.0 ** draw.uniform(-1, 1.5), 10.0 ** draw.uniform(-2, 0.5, count)
    limits[draw.random(count) < 0.3] = math.inf
    data = make_data(problem, reference_basis(2, 1), "suffstat")
    data.counts[:] = counts
    b, bound = np.zeros((1, dim)), math.sqrt(2) * problem.norm_bound
    admissible_estimate(data, ridge, limits, bound, b, make_interior_point(count))

    book = LogisticUcb2(problem)
    book.lambda_, pulls = ridge, counts.astype(int)
    book.X = np.repeat(np.vstack([arms, arms]), np.concatenate(pulls), axis=0)
    book.r = np.repeat([1.0, 0.0], pulls.sum(axis=1))
    finite = limits < math.inf
    expected = admissible_minimiser(book, arms[finite].reshape(-1, dim), limits[finite])
    return b[0], expected, book, arms, limits


@pytest.mark.parametrize("seed", range(50))
def test_admissible_estimate(seed):
    """It is admissible and agrees with SLSQP."""
    b, expected, book, arms, limits = limited(seed)
    assert (np.abs(arms @ b) <= limits * (1 + 1e-9)).all()
    assert np.linalg.norm(b) <= book.S * (1 + 1e-9)
    difference = b - expected
    assert math.sqrt(difference @ book.hessian(expected) @ difference) <= STANDARD_ERRORS


def test_admissible_estimate_on_a_line():
    """d = 1: the estimate is the unconstrained one, cut off at the smallest limit."""
    instance = Instance("line", np.zeros((2, 1)), np.array([[1.0], [0.5]]), np.array([1.0, 0.0]), 3.0)
    data = make_data(instance.problem(1e4, 0.05), reference_basis(2, 1), "suffstat")
    data.counts[0] = 1000.0
    for limits, expected in (([0.7, 10.0], 0.7), ([10.0, 0.7], 1.4), ([math.inf, math.inf], math.sqrt(2) * 3)):
        b = np.zeros((1, 1))
        admissible_estimate(data, 0.5, np.array(limits), math.sqrt(2) * 3, b, make_interior_point(2))
        assert b[0, 0] == pytest.approx(expected, rel=1e-8)


def test_limits_do_not_look_at_the_outcome_of_their_round():
    instance = unit_instance(2, 2)
    limits = []
    for last in (0, 1):
        run = Run.begin(instance, "logistic-ucb-2", "calibrated", {"radius_multiplier": 0.05})
        for uniform in uniforms(instance, 0, 30):
            run.round(uniform)
        run.algorithm.update(run.state, 31, 2, last)
        limits.append(run.state.limits.copy())
    assert (limits[0] == limits[1]).all()
    assert limits[0][2] < math.inf


@pytest.mark.parametrize("multiplier", [1.0, 0.1])
def test_limits(multiplier):
    """They only fall, the estimate keeps to them, and theta_* is admissible if the set is valid."""
    moved = 0
    for seed in range(5):
        instance = unit_instance(2, 2, seed)
        run = Run.begin(instance, "logistic-ucb-2", "calibrated", {"radius_multiplier": multiplier})
        b_star = (instance.theta[1] - instance.theta[0]) * np.sign(instance.rewards[1] - instance.rewards[0])
        before = run.state.limits.copy()
        for uniform in uniforms(instance, seed, 200):
            run.round(uniform)
            assert (run.state.limits <= before).all()
            assert (np.abs(instance.arms @ run.state.b2[0]) <= run.state.limits * (1 + 1e-9)).all()
            before = run.state.limits.copy()
        if multiplier == 1.0:
            assert (np.abs(instance.arms @ b_star) <= run.state.limits * (1 + 1e-9)).all()
        moved += run.state.learner.counters[MOVED]
    assert (moved > 0) == (multiplier < 1)
