"""The implicit step for two outcomes against scipy, and the index on the logit."""

import math

import numpy as np
import pytest

from mnlbandits.learners import binary, implicit
from mnlbandits.seeds import generator
from mnlbandits.textbook.ecolog import Objective

KKT = 1e-8
"""The textbook's step carries a ridge of 1e-10, and curvatures are above 0.01."""


def random_learner(seed: int) -> binary.Learner:
    """Estimate inside the ball, W of condition 1e2; about every other step leaves the ball."""
    draw = generator("test", seed, "binary learner")
    dim = int(draw.integers(1, 5))
    arms = draw.standard_normal((4, dim))
    learner = binary.make_learner(arms / np.linalg.norm(arms, axis=1, keepdims=True), 1.0, draw.uniform(0.2, 3))
    q = np.linalg.qr(draw.standard_normal((dim, dim)))[0]
    learner.w[:] = (q * np.geomspace(1, 100, dim)) @ q.T * draw.uniform(0.05, 1)
    learner.inverse[:] = np.linalg.inv(learner.w)
    direction = draw.standard_normal(dim)
    learner.b[:] = direction / np.linalg.norm(direction) * learner.radius[0] * draw.uniform(0.7, 1)
    learner.offsets[:] = draw.uniform(-1, 1, 4) if seed % 2 else 0.0
    return learner


@pytest.mark.parametrize(("copies", "hits"), [(1, 0), (1, 1), (2, 1)])
def test_implicit_step(copies, hits):
    active = 0
    for seed in range(0, 60, 2):
        learner, weight = random_learner(seed), generator("test", seed, "weight").uniform(0.1, 0.5)
        counts = {1: float(hits), 0: float(copies - hits)}
        expected, binds = Objective(
            2 * weight * learner.w, 2 * weight * learner.w @ learner.b, [(learner.arms[0], counts)]
        ).minimum_in(np.zeros(len(learner.b)), np.eye(len(learner.b)), learner.radius[0])
        out = np.zeros(len(learner.b))
        assert implicit.implicit_step(learner, 0, weight, float(copies), float(hits), out) == binds
        np.testing.assert_allclose(out, expected, rtol=0, atol=KKT * max(1, np.abs(expected).max()))
        assert np.linalg.norm(out) <= learner.radius[0] * (1 + 1e-12)
        active += binds
    assert 2 <= active <= 27


def test_implicit_step_with_offsets_solves_its_equation():
    for seed in range(1, 60, 2):
        learner = random_learner(seed)
        out = np.zeros(len(learner.b))
        x = learner.arms[0]
        if implicit.implicit_step(learner, 0, 0.25, 1.0, 1.0, out):
            continue
        gradient = 0.5 * learner.w @ (out - learner.b) - x / (1 + math.exp(learner.offsets[0] + x @ out))
        assert np.abs(gradient).max() < 1e-13 * max(1, np.abs(learner.w).max())


def test_implicit_residual_at_extremes():
    for z, reach in [(0.0, 1e6), (800.0, 1.0), (-800.0, 1e3), (30.0, 0.0), (5.0, 1e-9)]:
        for copies, hits in [(1.0, 0.0), (1.0, 1.0), (2.0, 1.0)]:
            r = implicit.implicit_residual(z, reach, copies, hits)
            v = z - reach * r
            assert copies / (1 + math.exp(-min(700.0, max(-700.0, v)))) - hits == pytest.approx(r, abs=1e-10)


def test_the_bonus_is_on_the_logit():
    """theta = (3, 0), W^-1 = diag(.01, .0625), beta = 4: 3 + .4 against 0 + 1. On s(logit) the second arm would win."""
    learner = binary.make_learner(np.eye(2), 1.0, 5.0)
    learner.b[:] = 3.0, 0.0
    learner.widths[:] = 0.01, 0.0625
    scores = np.zeros(2)
    assert binary.optimistic_logit(learner, 4.0, scores) == 0
    np.testing.assert_allclose(scores, [3.4, 1.0], rtol=1e-15)
    assert 1 / (1 + math.exp(-3)) + 0.4 < 0.5 + 1.0
