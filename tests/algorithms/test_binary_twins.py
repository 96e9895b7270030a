"""At K = 2 the multinomial systems are their binary twins: same estimates, and the same arms with matched radii."""

import numpy as np
import pytest
from trajectories import SETS, Run, offers, on_sets, uniforms, unit_instance

from mnlbandits.instances import Instance
from mnlbandits.model.softmax import softmax

ROUNDS = 60

on_every_kind = pytest.mark.parametrize("sets", ["list", *SETS])
"""A fixed list, and sets that change."""


def instance_on(sets: str, seed: int) -> Instance:
    """Two outcomes, five arms, on a kind of sets."""
    instance = unit_instance(2, 2, seed, arms=5)
    return instance if sets == "list" else on_sets(instance, sets)


def play(run: Run, uniform: float, offer) -> tuple[int, int]:
    """One round on what it offers, None for the whole list."""
    return run.round(uniform) if offer is None else run.round_on(offer, uniform)


def offers_of(instance: Instance) -> list:
    """What every round offers."""
    return [None] * ROUNDS if instance.actions.kind == "list" else offers(instance, ROUNDS)


@on_every_kind
@pytest.mark.parametrize("seed", range(3))
def test_oful_mlogb_is_the_binary_one(sets, seed):
    """The same step, ridge and radius; they differ in the index only: reward with two bonuses, or logit with one."""
    instance = instance_on(sets, seed)
    multinomial, binary = (
        Run.begin(instance, "oful-mlogb", "valid", {}),
        Run.begin(instance, "oful-mlogb-binary", "valid", {}),
    )
    for uniform, offer in zip(uniforms(instance, seed, ROUNDS), offers_of(instance), strict=True):
        arm, outcome = play(multinomial, uniform, offer)
        binary.t += 1
        if offer is not None:
            binary.state.arms[:], binary.state.offered[:] = offer
        binary.algorithm.choose(binary.state, binary.t)  # looks at the arms
        binary.algorithm.update(binary.state, binary.t, arm, outcome)
        sign = 1 if instance.rewards.argmin() == 0 else -1
        rows = multinomial.state.learner.basis @ multinomial.state.learner.phi
        np.testing.assert_allclose(sign * (rows[1] - rows[0]), binary.state.learner.b, rtol=0, atol=1e-10)
        ratio = binary.algorithm.ratio(binary.state, binary.t, instance.theta)
        assert ratio == pytest.approx(multinomial.ratio, rel=1e-9)


@on_every_kind
@pytest.mark.parametrize("seed", range(3))
def test_oful_mlogb_plays_as_the_binary_one_with_a_small_radius(sets, seed):
    """With radius r both indices are monotone in x^T b + r ||x||_{H^-1} up to O(r^2): the arms agree as r falls."""
    instance = instance_on(sets, seed)
    pair = [
        Run.begin(instance, name, "calibrated", {"radius_multiplier": 1e-3}) for name in ("oful-mlogb", "oful-mlogb-binary")
    ]
    for uniform, offer in zip(uniforms(instance, seed, ROUNDS), offers_of(instance), strict=True):
        for run in pair:
            play(run, uniform, offer)
    assert pair[0].arms == pair[1].arms
    assert len(set(pair[0].arms)) > 1


@on_every_kind
@pytest.mark.parametrize("seed", range(2))
def test_improved_mnl_ucb_plus_is_ofuglb(sets, seed):
    """The same set and objective in other coordinates: every probability is s of the logit, up to the duality gap."""
    instance = instance_on(sets, seed)
    multinomial, binary = (
        Run.begin(instance, name, "calibrated", {"radius_multiplier": 0.1}) for name in ("improved-mnl-ucb-plus", "ofuglb")
    )
    for uniform, offer in zip(uniforms(instance, seed, ROUNDS), offers_of(instance), strict=True):
        assert play(multinomial, uniform, offer) == play(binary, uniform, offer)
        offered = multinomial.state.offered
        expected = np.ptp(instance.rewards) / (1 + np.exp(-binary.state.scores))
        within = 1e-10 + multinomial.state.certificate[0]
        np.testing.assert_allclose(multinomial.state.scores[offered], expected[offered], rtol=0, atol=within)
        assert multinomial.ratio == pytest.approx(binary.ratio, rel=1e-9)


def test_mean_rewards_of_both_readings_agree():
    """rho^T mu(theta x) = rho_worse + (rho_better - rho_worse) s(b^T x) with b = theta_better - theta_worse."""
    for seed in range(20):
        instance = unit_instance(2, 3, seed)
        better = int(instance.rewards.argmax())
        b = instance.theta[better] - instance.theta[1 - better]
        low, high = instance.rewards[1 - better], instance.rewards[better]
        binary = low + (high - low) / (1 + np.exp(-instance.arms @ b))
        np.testing.assert_allclose(softmax(instance.arms @ instance.theta.T) @ instance.rewards, binary, rtol=1e-14)
