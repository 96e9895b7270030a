"""mu and its derivatives against the package's model and closed forms."""

import math

import numpy as np
import pytest
from agreement import everywhere

from mnlbandits.ledger.formulas.softmax import (
    binary_curvature,
    curvature,
    jacobian_of,
    sigmoid,
    slope,
    softmax,
    softmax_jacobian,
)
from mnlbandits.model import softmax as model

Z = [0.75, -1.5, 0.25, 2.0]


def test_softmax():
    np.testing.assert_allclose(everywhere(softmax, Z), model.softmax(Z), rtol=1e-13)
    assert sum(everywhere(softmax, Z)) == pytest.approx(1, rel=1e-14)


def test_sigmoid_is_the_softmax_of_two():
    for u in (-2.5, 0.0, 1.25):
        assert everywhere(sigmoid, u) == pytest.approx(model.softmax([u, 0])[0], rel=1e-13)
        assert everywhere(slope, u) == pytest.approx(model.softmax_jacobian([u, 0])[0, 0], rel=1e-13)
    assert everywhere(sigmoid, 0) == 1 / 2
    assert everywhere(slope, 0) == 1 / 4


def test_jacobian():
    np.testing.assert_allclose(everywhere(softmax_jacobian, Z), model.softmax_jacobian(Z), rtol=1e-12)
    assert everywhere(jacobian_of, [0.5, 0.25, 0.25]) == [
        [1 / 4, -1 / 8, -1 / 8],
        [-1 / 8, 3 / 16, -1 / 16],
        [-1 / 8, -1 / 16, 3 / 16],
    ]


def test_curvature():
    assert everywhere(curvature, Z) == pytest.approx(np.linalg.eigvalsh(model.softmax_jacobian(Z))[1], rel=1e-12)
    assert everywhere(curvature, [0, 0, 0.0]) == pytest.approx(1 / 3, rel=1e-14)


def test_curvature_of_two_outcomes():
    size = 1.75
    z = [size / math.sqrt(2), -size / math.sqrt(2)]
    assert everywhere(binary_curvature, size) == pytest.approx(np.linalg.eigvalsh(model.softmax_jacobian(z))[1], rel=1e-12)
    assert everywhere(binary_curvature, 0) == 1 / 2
