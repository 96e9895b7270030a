"""S so large that the curvature, and with it a determinant or kappa, is beyond rounding or beyond the numbers."""

import math

import mpmath
import numpy as np
import pytest
from trajectories import ALWAYS_0, Run, uniforms

from mnlbandits.instances import Instance
from mnlbandits.instances.families import random_instance
from mnlbandits.learners import linalg
from mnlbandits.model.kappa import kappa

ARMS = np.array([[1.0, 0], [0, 1], [0.6, 0.8]])
THETA = np.array([[0.5, 0.25], [-0.5, -0.25]])


def volume_in_digits(gram: np.ndarray, divisor: float) -> float:
    """log det(I + gram/divisor) with 60 digits."""
    with mpmath.workdps(60):
        return float(mpmath.log(mpmath.det(mpmath.eye(len(gram)) + mpmath.matrix(gram.tolist()) / divisor)))


@pytest.mark.parametrize("name", ["logistic-ucb-1", "logistic-ucb-2"])
@pytest.mark.parametrize("norm", [24.0, 25.0, 28.0, 300.0, 1e3])
@pytest.mark.parametrize("preset", ["valid", "calibrated"])
def test_volume_of_logistic_ucb(name, norm, preset):
    """Before, -inf after the first round at S = 28, and 1.7253 at S = 24 and 0 at S = 25 after 200 rounds."""
    instance = Instance("s", THETA, ARMS, np.array([1.0, 0.0]), norm)
    factors = {"radius_multiplier": 1.0} if preset == "calibrated" else {}
    run, gram = Run.begin(instance, name, preset, factors, 200), np.zeros((2, 2))
    for t in range(1, 201):
        arm, _ = run.round(ALWAYS_0)
        gram += np.outer(ARMS[arm], ARMS[arm])
        if t in (1, 200):
            expected = volume_in_digits(gram, 4 * 2 * math.log(200))
            assert run.state.volume[0] == pytest.approx(expected, rel=1e-13)
        assert 0 <= run.ratio <= 1


@pytest.mark.parametrize("norm", [24.0, 25.0])
def test_volume_after_200_rounds(norm):
    """The value that the list of faults gives."""
    instance = Instance("s", THETA, ARMS, np.array([1.0, 0.0]), norm)
    run = Run.begin(instance, "logistic-ucb-1", "valid", {}, 200)
    for _ in range(200):
        run.round(ALWAYS_0)
    assert run.state.volume[0] == pytest.approx(1.7437, abs=5e-5)


@pytest.mark.parametrize("scale", [1e-300, 1e-20, 1.0, 1e20])
def test_log_volume(scale):
    """Of a matrix with a condition number of about 1e5, and of size from nothing to 1e20."""
    root = np.array([[1.0, 0, 0], [1, 0.1, 0], [1, 1, 0.01]])
    gram, scratch = scale * (root @ root.T), np.zeros((2, 3, 3))
    found = linalg.log_volume(gram, 7.0, scratch[0], scratch[1])
    expected = volume_in_digits(gram, 7.0)
    assert found == pytest.approx(expected, rel=1e-10, abs=1e-15)


def large(norm: float, rewards: np.ndarray) -> Instance:
    """Three outcomes, five arms and ||theta_*|| = 2, far below S."""
    drawn = random_instance("large", 3, 2, 2.0, 5, seed=1)
    return Instance("large", drawn.theta, drawn.arms, rewards, norm)


@pytest.mark.parametrize("norm", [26.0, 28.0, 30.0, 300.0, 1e3])
def test_improved_mnl_ucb_plus_plays(norm):
    """`paper` divided by zero for K = 3, T = 60 and S = 28."""
    run = Run.begin(large(norm, np.array([0.0, 0.0, 1.0])), "improved-mnl-ucb-plus", "paper", {}, 60)
    for uniform in uniforms(run.instance, 0, 60):
        run.round(uniform)
        assert np.isfinite(run.state.scores).all()
        assert math.isfinite(run.ratio)


@pytest.mark.parametrize("norm", [140.0, 300.0, 1e3])
def test_mnl_ucb_plays(norm):
    """`begin` of `paper` failed for K = 3 and S = 140, where kappa in reference-class coordinates is no number."""
    run = Run.begin(large(norm, np.array([0.25, 0.0, 1.0])), "mnl-ucb", "paper", {}, 60)
    for uniform in uniforms(run.instance, 0, 60):
        run.round(uniform)
        assert np.isfinite(run.state.scores).all()
        assert 0 <= run.ratio <= 1


@pytest.mark.parametrize("outcomes", [20, 50])
@pytest.mark.parametrize("radius", [1e-6, 1.0, 3.0, 30.0, 300.0])
def test_kappa_of_many_outcomes(outcomes, radius):
    """Certified to 1e-8; the best estimate, which is printed, is attained."""
    found = kappa(outcomes, radius)
    assert found.lower <= found.value <= found.upper <= found.lower * (1 + 1e-8)
    z = np.array(found.logits)
    assert np.linalg.norm(z) == pytest.approx(radius, rel=1e-12)
    if radius <= 3:  # beyond, the eigenvalue is below the rounding of a dense matrix
        p = np.exp(z - z.max())
        p /= p.sum()
        eigenvalue = np.linalg.eigvalsh(np.diag(p) - np.outer(p, p))[1]
        assert found.value == pytest.approx(1 / eigenvalue, rel=1e-8)
