"""Probabilities, curvature and the ridge estimate against numpy and scipy."""

import numpy as np
import pytest

from mnlbandits.learners import likelihood
from mnlbandits.model.softmax import contrast_basis, loss_hessian, reference_basis, softmax, softmax_jacobian
from mnlbandits.seeds import generator
from mnlbandits.textbook.solvers import ridge_estimate

ROUNDING = 1e-14
"""Sums of at most a few dozen terms of size one."""

STANDARD_ERRORS = 1e-6
"""The kernel stops at a Newton decrement of 1e-9 standard errors; sums over 1e9 observations round by 1e-7, which is 1e-6
standard errors where only a ridge of 0.01 holds the estimate."""

BASES = [contrast_basis(k) for k in (2, 3, 5)] + [reference_basis(k, k // 2) for k in (2, 3, 5)]


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0, 1000.0])
def test_probabilities(basis, scale):
    draw = generator("test", 0, "probabilities").standard_normal
    phi, x, p = scale * draw((basis.shape[1], 3)), draw(3), np.full(len(basis), np.nan)
    likelihood.probabilities(basis, phi, x, p)
    # The logits carry a relative rounding error, so p does times the logits' size.
    np.testing.assert_allclose(p, softmax(basis @ phi @ x), rtol=ROUNDING * max(1, 10 * scale), atol=0)


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("scale", [0.0, 1.0, 10.0])
def test_curvature(basis, scale):
    z = scale * generator("test", 0, "curvature").standard_normal(len(basis))
    block = np.full((basis.shape[1],) * 2, np.nan)
    likelihood.curvature(basis, softmax(z), block)
    np.testing.assert_allclose(block, basis.T @ softmax_jacobian(z) @ basis, rtol=0, atol=ROUNDING)


def data(seed: int, kind: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Random arms (N, d), outcome counts (N, K) of a random parameter, and a ridge."""
    draw = generator("test", seed, f"ridge {kind}")
    outcomes, dim, count = draw.integers(2, 6), draw.integers(1, 4), draw.integers(1, 9)
    arms = draw.standard_normal((count, dim))
    arms /= np.maximum(1, np.linalg.norm(arms, axis=1, keepdims=True))
    logits = draw.uniform(0, 4) * arms @ draw.standard_normal((dim, outcomes))
    ridge = 10.0 ** draw.uniform(-2, 3)
    if kind == "separable":  # every arm always shows its likeliest outcome
        counts = np.eye(outcomes, dtype=np.int64)[logits.argmax(axis=1)] * draw.integers(1, 100, (count, 1))
    else:
        most = {"few": 20, "many": 10**5, "huge": 10**9}[kind]
        counts = draw.multinomial(draw.integers(0, most, count, endpoint=True), softmax(logits))
    return arms, counts, ridge


@pytest.mark.parametrize("kind", ["few", "many", "huge", "separable"])
@pytest.mark.parametrize("seed", range(15))
def test_ridge_estimate(kind, seed):
    arms, counts, ridge = data(seed, kind)
    outcomes, dim = counts.shape[1], arms.shape[1]
    basis, phi = contrast_basis(outcomes), np.zeros((outcomes - 1, dim))
    likelihood.ridge_estimate(basis, arms, counts, ridge, phi, likelihood.make_scratch(outcomes, dim))
    expected = ridge_estimate(arms, counts, ridge)
    difference = (basis @ phi - expected).ravel()
    hessian = sum(n * loss_hessian(expected, x) for x, n in zip(arms, counts.sum(axis=1), strict=True))
    errors = np.sqrt(difference @ (hessian + ridge * np.eye(len(difference))) @ difference)
    assert errors <= STANDARD_ERRORS


@pytest.mark.parametrize("start", [0.1, 10.0])
def test_ridge_estimate_from_any_start(start):
    arms, counts, ridge = data(3, "many")
    outcomes, dim = counts.shape[1], arms.shape[1]
    basis = contrast_basis(outcomes)
    phi = start * generator("test", 0, "start").standard_normal((outcomes - 1, dim))
    likelihood.ridge_estimate(basis, arms, counts, ridge, phi, likelihood.make_scratch(outcomes, dim))
    np.testing.assert_allclose(basis @ phi, ridge_estimate(arms, counts, ridge), rtol=0, atol=1e-9)  # as above, sd <= 1e-2


def test_ridge_estimate_leaves_the_padding_of_its_scratch_alone():
    """Its matrices are (D, D); the scratch has a row more, which a kernel that asks for the wrong size would fill."""
    arms, counts, ridge = data(3, "many")
    outcomes, dim = counts.shape[1], arms.shape[1]
    size = (outcomes - 1) * dim
    scratch = likelihood.make_scratch(outcomes, dim)
    scratch.lower[size] = np.pi
    likelihood.ridge_estimate(contrast_basis(outcomes), arms, counts, ridge, np.zeros((outcomes - 1, dim)), scratch)
    assert (scratch.lower[size] == np.pi).all()
