"""Maximum likelihood on cases worked by hand."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from mnlbandits.instances import Instance
from mnlbandits.learners.data import evaluate, make_data
from mnlbandits.learners.mle import minimise
from mnlbandits.model.softmax import reference_basis


def fitted(instance: Instance, arm: int, outcomes: list[int], ridge: float) -> np.ndarray:
    """The ridge estimate, reference outcome 0, after these outcomes of one arm."""
    data = make_data(instance.problem(100, 0.05), reference_basis(instance.outcomes, 0), "suffstat")
    for outcome in outcomes:
        data.counts[outcome, arm] += 1
    phi = np.zeros((instance.outcomes - 1, instance.dim))
    minimise(data, ridge, np.zeros(phi.size), math.inf, phi)
    evaluate(data, phi)
    assert np.abs(data.gradient + ridge * phi.ravel()).max() < 1e-9  # solves its own score equation
    return phi


def axes(outcomes: int, norm: float = 1.0) -> Instance:
    """Arms e1 and e2; outcome 0 pays least."""
    theta = np.zeros((outcomes, 2))
    return Instance("axes", theta, np.eye(2), np.arange(outcomes, dtype=float), norm)


def test_the_fit_uses_the_reference_outcomes():
    phi = fitted(axes(2), 0, [0] * 7 + [1], 1.0)
    assert phi[0] == pytest.approx([brentq(lambda b: 8 / (1 + math.exp(-b)) - 1 + b, -5, 5), 0])
    assert phi[0, 0] == pytest.approx(-1.06, abs=0.01)


def test_the_fit_is_finite_and_right():
    phi = fitted(axes(2), 0, [1] * 180 + [0] * 20, 1.0)
    assert phi[0, 1] == 0
    assert phi[0, 0] == pytest.approx(brentq(lambda b: 200 / (1 + math.exp(-b)) - 180 + b, -9, 9))
