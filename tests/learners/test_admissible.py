"""The admissible estimate against its conditions of optimality and SLSQP, and on a line."""

import math

import numpy as np
import pytest
from scipy.optimize import nnls

from mnlbandits.instances import Instance
from mnlbandits.learners.admissible import admissible_estimate, make_interior_point
from mnlbandits.learners.data import make_data
from mnlbandits.model.softmax import reference_basis
from mnlbandits.seeds import generator
from mnlbandits.textbook.binary_mle import LogisticUcb2, admissible_minimiser

RESIDUAL = 1e-8
"""Of the conditions of optimality, in standard errors: at most 1e-9 was seen in 200 seeds."""

STANDARD_ERRORS = 1e-3
"""SLSQP stops early, whose point this is: 2e-4 was seen in 200 seeds."""


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


def residual(b, book, arms, limits) -> float:
    """How far b (d,) is from optimal: the gradient less its best combination of active constraints, in standard errors."""
    values = arms @ b
    active = [np.sign(values[i]) * arms[i] for i in np.flatnonzero(np.abs(values) >= limits * (1 - 1e-6))]
    active += [b] if np.linalg.norm(b) >= book.S * (1 - 1e-6) else []
    root = np.linalg.cholesky(book.hessian(b))
    gradient = np.linalg.solve(root, -book.gradient(b))
    if not active:
        return float(np.linalg.norm(gradient))
    return nnls(np.linalg.solve(root, np.array(active).T), gradient)[1]


@pytest.mark.parametrize("seed", range(50))
def test_admissible_estimate(seed):
    """It is admissible, optimal by its conditions, which the convex problem has nowhere else, and agrees with SLSQP."""
    b, expected, book, arms, limits = limited(seed)
    assert (np.abs(arms @ b) <= limits * (1 + 1e-9)).all()
    assert np.linalg.norm(b) <= book.S * (1 + 1e-9)
    assert residual(b, book, arms, limits) <= RESIDUAL
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
