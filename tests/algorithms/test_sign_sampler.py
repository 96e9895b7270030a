"""The specialist of the lower bound's family: Bayes' rule, its draws, its limits."""

import math
from dataclasses import replace

import numpy as np
import pytest

from mnlbandits.algorithms import get_algorithm
from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance
from mnlbandits.seeds import generator
from mnlbandits.simulators import simulate
from mnlbandits.verify.family import member

SPECIALIST = get_algorithm("sign-sampler")


def begin(instance, run=0):
    return SPECIALIST.begin(instance, instance.problem(1000, 0.05), "none", {}, 0, run)


@pytest.mark.parametrize(("outcomes", "dim"), [(2, 2), (3, 3), (5, 4)])
def test_the_weights_are_the_posterior(outcomes, dim):
    """Against products of probabilities of the multinomial model itself, over all sign vectors."""
    instance, stream = member(outcomes, dim, 1e5, 4.0), generator("test", 0, "posterior")
    state = begin(instance)
    theta = instance.theta - instance.theta[1]
    likelihood = np.ones(2 ** (dim - 1))
    for t in range(1, 201):
        arm = int(stream.integers(len(instance.arms)))
        outcome = int(stream.choice(outcomes, p=instance.probabilities[arm]))
        SPECIALIST.update(state, t, arm, outcome)
        for v, best in enumerate(state.best):
            z = theta.copy()
            z[0] = np.linalg.norm(theta[0]) * instance.arms[best]
            e = np.exp(z @ instance.arms[arm])
            likelihood[v] *= e[outcome] / e.sum()
        likelihood /= likelihood.sum()
    np.testing.assert_allclose(state.weights, likelihood, rtol=1e-10)


def test_one_hit_at_the_best_arm_of_the_right_signs_by_hand():
    instance = member(3, 2, 1e5, 4.0)
    state = begin(instance)
    m = instance.theta[0] - instance.theta[1]
    arm = int(np.argmax(instance.arms @ m))
    odds = [1 / (1 + math.exp(math.log(2) - z)) for z in (m @ m, m[0] ** 2 - m[1] ** 2)]
    SPECIALIST.update(state, 1, arm, 0)
    np.testing.assert_allclose(state.weights, np.array(odds) / sum(odds), rtol=1e-12)
    assert state.best[0] == arm


def test_it_draws_from_its_weights():
    """200,000 draws: a share is within 5 standard deviations of its weight, false alarm below 1e-6 each."""
    state = begin(member(3, 3, 1e5, 1.0))
    state.weights[:] = [0.1, 0.2, 0.3, 0.4]
    drawn = np.array([SPECIALIST.choose(state, t) for t in range(200_000)])
    for best, weight in zip(state.best, state.weights, strict=True):
        assert abs((drawn == best).mean() - weight) < 5 * math.sqrt(weight * (1 - weight) / 200_000)


def test_it_finds_the_signs_where_they_are_wide_apart():
    instance = member(3, 3, 5000, 8.0)
    regret = simulate(instance, "sign-sampler", 5000, range(20), preset="none").regret
    always_wrong = 5000 * np.sort(instance.gaps[begin(instance).best])[1]
    assert regret[:, -1].mean() < 0.3 * always_wrong
    assert (regret >= 0).all()


def test_an_instance_outside_the_family_is_refused():
    random = make_instance("random", "random", {"outcomes": 3, "dim": 2, "arms": 5})
    with pytest.raises(InputError, match=r"rows 2 \.\. K of theta equal"):
        begin(random)
    instance = member(3, 2, 1e5, 1.0)
    without = np.delete(instance.arms, begin(instance).best[1], axis=0)
    with pytest.raises(InputError, match="best arms of all sign vectors"):
        begin(replace(instance, arms=without))
