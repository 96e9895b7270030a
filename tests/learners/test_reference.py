"""Reference-class coordinates: the bound on the curvature, and relative rows."""

import math

import numpy as np
import pytest
from trajectories import unit_instance

from mnlbandits.learners.reference import curvature_bound, relative
from mnlbandits.model.softmax import softmax_jacobian
from mnlbandits.textbook.reference import ReferenceModel


@pytest.mark.parametrize("outcomes", [2, 3, 4])
def test_curvature_bound(outcomes):
    instance = unit_instance(outcomes, 2, norm=1.5)
    bound, generator = math.sqrt(outcomes) * 1.5, np.random.default_rng(0)
    certified, largest = curvature_bound(instance.problem(100, 0.05)), 0.0
    for _ in range(2000):
        z = generator.normal(size=outcomes - 1)
        z *= bound / np.linalg.norm(z)
        largest = max(largest, 1 / np.linalg.eigvalsh(softmax_jacobian(np.append(z, 0))[:-1, :-1])[0])
    assert largest <= certified * (1 + 1e-9)
    assert outcomes > 2 or largest == pytest.approx(certified)
    assert ReferenceModel(instance.problem(100, 0.05)).kappa_bound() == pytest.approx(certified)


def test_relative_coordinates():
    out = np.zeros((2, 1))
    relative(1, np.array([[1.0], [2.0], [5.0]]), out)
    assert out.tolist() == [[-1], [3]]
