"""The convex surrogate of Logistic-UCB-2: its limits."""

import math

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.learners.binary_mle import MOVED


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
