"""At K = 2 the multinomial systems are their binary twins: same estimates, and the same arms with matched radii."""

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.model.softmax import softmax

ROUNDS = 60


@pytest.mark.parametrize("seed", range(5))
def test_oful_mlogb_is_the_binary_one(seed):
    """The same step, ridge and radius; they differ in the index only: reward with two bonuses, or logit with one."""
    instance = unit_instance(2, 2, seed)
    multinomial, binary = (
        Run.begin(instance, "oful-mlogb", "valid", {}),
        Run.begin(instance, "oful-mlogb-binary", "valid", {}),
    )
    for uniform in uniforms(instance, seed, ROUNDS):
        arm, outcome = multinomial.round(uniform)
        binary.t += 1
        binary.algorithm.update(binary.state, binary.t, arm, outcome)
        sign = 1 if instance.rewards.argmin() == 0 else -1
        rows = multinomial.state.learner.basis @ multinomial.state.learner.phi
        np.testing.assert_allclose(sign * (rows[1] - rows[0]), binary.state.learner.b, rtol=0, atol=1e-10)
        ratio = binary.algorithm.ratio(binary.state, binary.t, instance.theta)
        assert ratio == pytest.approx(multinomial.ratio, rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_oful_mlogb_plays_as_the_binary_one_with_a_small_radius(seed):
    """With radius r both indices are monotone in x^T b + r ||x||_{H^-1} up to O(r^2): the arms agree as r falls."""
    instance = unit_instance(2, 2, seed)
    options = {"radius_multiplier": 1e-3}
    pair = [Run.begin(instance, name, "calibrated", options) for name in ("oful-mlogb", "oful-mlogb-binary")]
    stream = uniforms(instance, seed, ROUNDS)
    for uniform in stream[:1]:
        for run in pair:
            run.round(uniform)
    assert pair[0].arms == pair[1].arms
    for uniform in stream[1:]:
        for run in pair:
            run.round(uniform)
    agree = np.mean(np.array(pair[0].arms) == np.array(pair[1].arms))
    assert agree == 1.0


def test_mean_rewards_of_both_readings_agree():
    """rho^T mu(theta x) = rho_worse + (rho_better - rho_worse) s(b^T x) with b = theta_better - theta_worse."""
    for seed in range(20):
        instance = unit_instance(2, 3, seed)
        better = int(instance.rewards.argmax())
        b = instance.theta[better] - instance.theta[1 - better]
        low, high = instance.rewards[1 - better], instance.rewards[better]
        binary = low + (high - low) / (1 + np.exp(-instance.arms @ b))
        np.testing.assert_allclose(softmax(instance.arms @ instance.theta.T) @ instance.rewards, binary, rtol=1e-14)
