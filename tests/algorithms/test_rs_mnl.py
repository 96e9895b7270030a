"""RS-MNL: when it refits, and what happens in between."""

import math

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.model.softmax import softmax_jacobian


@pytest.mark.parametrize(("preset", "outcomes"), [("valid", 3), ("paper", 3), ("valid", 2)])
def test_switching_rule(preset, outcomes):
    """Refit exactly when det H has doubled; else the estimate stays and H grows by the curvature at it."""
    instance = unit_instance(outcomes, 2, 0)
    run = Run.begin(instance, "rs-mnl", preset, {})
    learner, reference = run.state.learner, int(np.argmin(instance.rewards))
    at_fit = np.linalg.slogdet(learner.w)[1]
    for uniform in uniforms(instance, 0, 300):
        estimate, H, fits, radius = learner.phi.copy(), learner.w.copy(), run.state.fits[0], run.state.radius[0]
        arm, _ = run.round(uniform)
        x = instance.arms[arm]
        jacobian = softmax_jacobian(np.insert(estimate @ x, reference, 0.0))
        block = np.delete(np.delete(jacobian, reference, 0), reference, 1)
        grown = H + np.kron(block, np.outer(x, x))
        doubled = np.linalg.slogdet(grown)[1] >= at_fit + math.log(2)
        assert run.state.fits[0] == fits + doubled
        if doubled:
            at_fit = np.linalg.slogdet(learner.w)[1]
        else:
            assert (learner.phi == estimate).all()
            assert learner.w == pytest.approx(grown, rel=1e-12)
            assert run.state.radius[0] == radius
        assert learner.inverse @ learner.w == pytest.approx(np.eye(len(H)), abs=1e-9)
    assert 1 <= run.state.fits[0] <= 60


def test_radius_of_the_code():
    instance = unit_instance(3, 2, 0, norm=2.0)
    state = Run.begin(instance, "rs-mnl", "paper", {}, 1000).state
    size, bound = 4, math.sqrt(3) * 2
    rewards = instance.rewards - instance.rewards.min()
    expected = np.linalg.norm(rewards) * bound * math.sqrt(2 * size * math.log(1000 / 0.05))
    assert state.radius[0] == pytest.approx(expected)
    assert state.learner.w == pytest.approx(size * math.log(1000) / math.sqrt(bound) * np.eye(size))
