"""The projection on the constraint set, against its eigenvalue form: every size, near the set and far from it."""

import numpy as np
import pytest
from scipy.optimize import brentq

from mnlbandits.learners.learner import Learner, make_learner, prepare, refresh
from mnlbandits.learners.projection import distance_to_centre, project
from mnlbandits.model.softmax import contrast_basis
from mnlbandits.seeds import generator

ON_SPHERE = 1e-12
"""A norm that is right to 1e-14 in coordinates psi, seen through an A^{1/2} of condition 10."""
DIRECT = 1e-9
"""Matrices of condition 1e4, so 1e-12, for the point and the root; far away the multiplier amplifies it by up to 1e2."""
SIZES = [(2, 1), (2, 3), (3, 2), (5, 4), (4, 12)]


def make(outcomes: int, dim: int, seed: int) -> tuple[Learner, np.ndarray]:
    """A learner with a random ellipsoid and W, after `prepare`; and a matrix g."""
    draw = generator("test", seed, "projection")
    free, size = outcomes - 1, (outcomes - 1) * dim
    learner = make_learner(contrast_basis(outcomes), draw.standard_normal((3, dim)), np.arange(outcomes), 1.0, 1.0, 0.5)
    learner.w[:] = positive(draw, size, 1e4)
    learner.centre[:] = draw.standard_normal((free, dim))
    values, vectors = np.linalg.eigh(positive(draw, dim, 1e2))
    for power, root in zip((0.5, -0.5), learner.shape, strict=True):
        root[:] = (vectors * values**power) @ vectors.T
    refresh(learner)
    prepare(learner, 1)
    return learner, positive(draw, free, 10.0)


def positive(draw: np.random.Generator, size: int, condition: float) -> np.ndarray:
    """A positive definite matrix (size, size)."""
    q = np.linalg.qr(draw.standard_normal((size, size)))[0]
    return (q * np.geomspace(1, condition, size)) @ q.T


def by_eigenvalues(learner: Learner, g: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """argmin of ||. - phi||_{W + g (x) x x^T} in the set: (Omega + nu)^-1 Omega in the eigenbasis of the whitened matrix."""
    x, (root, inverse_root) = learner.arms[1], learner.shape
    whitener = np.kron(np.eye(len(g)), inverse_root)
    omega, basis = np.linalg.eigh(whitener @ (learner.w + np.kron(g, np.outer(x, x))) @ whitener)
    a = basis.T @ ((phi - learner.centre) @ root).ravel()

    def excess(nu: float) -> float:
        return np.linalg.norm(omega / (omega + nu) * a) / learner.radius[0] - 1

    nu = brentq(excess, 0.0, omega[-1] * np.linalg.norm(a) / learner.radius[0], xtol=1e-300, rtol=1e-15)
    psi = basis @ (omega / (omega + nu) * a)
    return learner.centre + psi.reshape(phi.shape) @ inverse_root


@pytest.mark.parametrize("beyond", [1e-9, 1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize(("outcomes", "dim"), SIZES)
@pytest.mark.parametrize("bent", [True, False])
def test_projection(outcomes, dim, beyond, bent):
    """From a point whose distance to the centre is (1 + beyond) radius; `bent`: in the norm of Wtilde, else of W."""
    learner, g = make(outcomes, dim, outcomes)
    g *= bent
    phi = learner.centre + generator("test", dim, "point").standard_normal(learner.phi.shape)
    phi = learner.centre + (phi - learner.centre) * (1 + beyond) * learner.radius[0] / distance_to_centre(learner, phi)
    expected = by_eigenvalues(learner, g, phi)
    project(learner, g, phi)
    assert distance_to_centre(learner, phi) == pytest.approx(learner.radius[0], rel=ON_SPHERE)
    size = np.linalg.norm(expected - learner.centre)
    np.testing.assert_allclose(phi, expected, rtol=0, atol=DIRECT * size + 1e-15 * np.abs(learner.centre).max())


def test_scalar_case():
    """W = 2 I and A = 4 I: the closest point of the ball of radius 1/2 around the centre is on the ray through the point."""
    learner = make_learner(contrast_basis(3), np.eye(2), np.arange(3), 2.0, 1.0, 1.0)
    learner.shape[0], learner.shape[1] = 2 * np.eye(2), np.eye(2) / 2
    learner.centre[:] = 1.0
    phi = learner.centre + np.array([[3.0, 0.0], [0.0, 4.0]])
    prepare(learner, 0)
    project(learner, np.zeros((2, 2)), phi)
    np.testing.assert_allclose(phi, [[1.3, 1.0], [1.0, 1.4]], rtol=1e-14)
