"""B-MNL-CB: its batches and designs, the arms that stay, quotas, changing sets, many rounds at once."""

import math

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.algorithms import b_mnl_cb
from mnlbandits.instances import Instance
from mnlbandits.instances.families import random_instance
from mnlbandits.model.constants import mean_rewards
from mnlbandits.seeds import generator
from mnlbandits.simulators import simulate
from mnlbandits.textbook import TEXTBOOK

NAME = "b-mnl-cb"


def test_lengths_by_hand():
    """T = 10^4: alpha = 200, then 200 sqrt(200) = 2828.4; T = 50: alpha = 14.1, 14.1 sqrt(14) = 52.9."""
    np.testing.assert_array_equal(b_mnl_cb.batch_ends(10_000), [200, 3028, 10_000])
    np.testing.assert_array_equal(b_mnl_cb.batch_ends(50), [14, 50])
    np.testing.assert_array_equal(b_mnl_cb.batch_ends(1), [1])
    for power in range(1, 31):
        ends = b_mnl_cb.batch_ends(10**power)
        assert ends[-1] == float(10**power)
        assert (np.diff(ends) > 0).all()
        assert len(ends) <= 3 + math.log2(power * math.log2(10))  # the exponents 1/2, 3/4, 7/8, .. of T


@pytest.mark.parametrize(
    ("outcomes", "preset", "tolerance"),
    [(2, "calibrated", 1e-7), (3, "paper", 1e-10), (3, "calibrated", 1e-7), (4, "calibrated", 1e-7)],
)
@pytest.mark.parametrize("changing", [False, True])
def test_all_batches_against_the_textbook(outcomes, preset, tolerance, changing):
    """The same arms and bounds; the textbook's fit in the ball carries a ridge of 1e-9, its ridge fit is exact."""
    instance, horizon = unit_instance(outcomes, 2, 1, norm=1.0, arms=6), 300
    options = {"radius_multiplier": 0.005} if preset == "calibrated" else {}
    run = Run.begin(instance, NAME, preset, options, horizon)
    book = TEXTBOOK[NAME](instance.problem(horizon, 0.05), preset, **options)
    draw, ruled_out = generator("test", outcomes, "sets"), False
    for uniform in uniforms(instance, 3, horizon):
        if changing:
            book.offered = np.isin(np.arange(6), draw.choice(6, size=4, replace=False))
            run.state.offered[:] = book.offered
        index = book.index(run.t + 1)
        arm, outcome = run.round(uniform)
        np.testing.assert_array_equal(np.flatnonzero(run.state.members), book.survivors())
        ruled_out |= run.state.members.sum() < book.offered.sum()
        np.testing.assert_allclose(run.state.scores, index, atol=1e-12)
        assert arm == np.flatnonzero(index >= index.max() - 1e-12)[0]
        book.update(run.t, arm, outcome)
        assert run.state.over[0] == len(book.bounds)
        if book.bounds:
            for ours, theirs in zip((run.state.upper, run.state.lower), book.bounds[-1], strict=True):
                np.testing.assert_allclose(ours[len(book.bounds) - 1], theirs, rtol=tolerance, atol=tolerance)
        assert run.ratio == pytest.approx(book.ratio(run.t, instance.theta), rel=1e-6)
    assert len(book.bounds) == len(run.state.ends) - 1 == 2
    assert preset == "paper" or ruled_out


@pytest.mark.parametrize("outcomes", [2, 3])
def test_the_best_arm_stays(outcomes):
    """On the event of the confidence set, whatever the batch; the radius is far above what the noise needs."""
    instance = unit_instance(outcomes, 2, 2, norm=1.0)
    best = int(np.argmin(instance.gaps))
    for seed in range(10):
        run = Run.begin(instance, NAME, "calibrated", {"radius_multiplier": 0.3}, 400)
        for uniform in uniforms(instance, seed, 400):
            run.round(uniform)
            assert run.state.members[best]
            assert run.ratio <= 1
        means = mean_rewards(instance.theta, instance.arms, instance.rewards)
        shift = instance.rewards.min()  # the reference's reward counts as 0
        for upper, lower in zip(run.state.upper[: run.state.over[0]], run.state.lower, strict=False):
            assert (lower <= means - shift).all()
            assert (means - shift <= upper).all()


def test_a_quota_is_kept():
    """No arm is more than a round ahead of its share, nor a few behind."""
    run = Run.begin(unit_instance(3, 3, 1, arms=9), NAME, "valid", {}, 10**4)
    for uniform in uniforms(run.instance, 0, 200):
        run.round(uniform)
        assert run.state.credit.min() > -1
        assert run.state.credit.max() < 2


def test_changing_sets_are_played():
    instance = random_instance("changing", 3, 2, arms=9, actions={"name": "random-subsets", "size": 3})
    for preset in ("paper", "valid"):
        result = simulate(instance, NAME, 500, range(2), preset=preset)
        assert (result.worst[:, -1] <= 1).all()


def test_many_rounds_at_once():
    """Batches of rounds change the regret by a few per cent: the shares are the same."""
    instance = unit_instance(3, 2, 3, norm=1.0)
    kept = {"preset": "calibrated", "options": {"radius_multiplier": 0.2}}
    exact = simulate(instance, NAME, 20_000, range(3), **kept).regret[:, -1].mean()
    leapt = simulate(instance, NAME, 20_000, range(1), simulator="leap", **kept).regret[0, -1]
    assert leapt == pytest.approx(exact, rel=0.1)


def test_equal_arms_and_a_single_arm():
    for arms in (np.ones((3, 1)), np.ones((1, 1))):
        instance = Instance("equal", np.array([[0.5], [-0.5]]), arms, np.array([1.0, 0.0]), 1.0)
        run = Run.begin(instance, NAME, "valid", {}, 60)
        for uniform in uniforms(instance, 0, 60):
            run.round(uniform)
        assert max(run.arms.count(n) for n in range(len(arms))) <= 60 / len(arms) + 2
