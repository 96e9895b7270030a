"""Improved MNL-UCB+: against its textbook version for three outcomes, and OFUGLB for two."""

import math

import numpy as np
import pytest
from scipy.special import expit
from trajectories import Run, uniforms, unit_instance

from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import Instance
from mnlbandits.learners.log_loss_set import FOLLOWED, SOLVED, penalised_loss
from mnlbandits.learners.optimism import follow_path
from mnlbandits.model.constants import relative
from mnlbandits.model.softmax import softmax
from mnlbandits.textbook import TEXTBOOK

NAME = "improved-mnl-ucb-plus"


def one_high(outcomes, seed, arms=5, high=1):
    """An instance with the rewards 0.2 and, for one outcome, 0.9."""
    drawn = unit_instance(outcomes, 2, seed, arms=arms)
    rewards = np.full(outcomes, 0.2)
    rewards[high] = 0.9
    return Instance(f"one-high-{outcomes}-{seed}", drawn.theta, drawn.arms, rewards, drawn.norm_bound)


@pytest.mark.parametrize(
    ("rewards", "playable"),
    [([0, 1], True), ([1, 1], True), ([0, 0, 1], True), ([0.2, 0.9, 0.2], True), ([0, 1, 1], False), ([0, 0.5, 1], False)],
)
def test_setting(rewards, playable):
    assert REGISTRY[NAME].setting.holds(np.array(rewards, dtype=float)) is playable


@pytest.mark.parametrize(("preset", "options"), [("paper", {}), ("valid", {}), ("calibrated", {"radius_multiplier": 0.15})])
def test_three_outcomes_against_the_textbook(preset, options):
    for seed in range(2):
        instance = one_high(3, seed)
        run = Run.begin(instance, NAME, preset, options)
        book = TEXTBOOK[NAME](instance.problem(1e4, 0.05), preset, **options)
        for uniform in uniforms(instance, seed, 8):
            index = book.index(run.t + 1)
            arm, outcome = run.round(uniform)
            assert run.state.scores == pytest.approx(index, abs=1e-6)
            book.update(run.t, arm, outcome)
            assert run.ratio == pytest.approx(book.ratio(run.t, instance.theta), rel=1e-5, abs=1e-6)
        assert run.state.certificate[0] <= 1e-6


@pytest.mark.parametrize(("norm", "multiplier"), [(2.0, 0.2), (2.0, 0.003), (8.0, 0.1), (8.0, 0.01), (20.0, 0.1)])
def test_two_outcomes_are_ofuglb(norm, multiplier):
    """Also where the data say next to nothing, the probabilities are 0 or 1 and the set has no interior to speak of."""
    instance = unit_instance(2, 3, 3, norm=norm)
    options = {"radius_multiplier": multiplier}
    ours, theirs = (Run.begin(instance, name, "calibrated", options) for name in (NAME, "ofuglb"))
    spread = np.ptp(instance.rewards)
    for t, uniform in enumerate(uniforms(instance, 3, 80), start=1):
        for run in (ours, theirs):
            chosen, region = run.algorithm.choose(run.state, t), run.state.region
            heights = np.array([penalised_loss(region, phi) for phi in region.points]) - region.smallest[0]
            assert (heights <= (1 + 1e-6) * region.allowed[0]).all()
        assert ours.state.scores == pytest.approx(spread * expit(theirs.state.scores), abs=1e-6)
        for run in (ours, theirs):
            run.algorithm.update(run.state, t, chosen, ours.outcome(chosen, uniform))


@pytest.mark.parametrize("outcomes", [3, 4])
def test_certificate_and_ball(outcomes):
    run = Run.begin(instance := one_high(outcomes, 1, arms=7), NAME, "calibrated", {"radius_multiplier": 0.2})
    for uniform in uniforms(instance, 1, 300):
        run.round(uniform)
    region = run.state.region
    assert 0 <= run.state.certificate[0] <= 1e-6
    assert (np.linalg.norm(region.points, axis=(1, 2)) <= region.bound * (1 + 1e-9)).all()
    assert region.counters[FOLLOWED] <= 0.01 * region.counters[SOLVED]


@pytest.mark.parametrize("data", ["stream", "suffstat"])
def test_the_path_ends_where_the_models_do(data):
    run = Run.begin(instance := one_high(3, 1), NAME, "calibrated", {"radius_multiplier": 0.2, "data": data})
    for uniform in uniforms(instance, 1, 60):
        run.round(uniform)
    run.algorithm.choose(run.state, 61)
    region = run.state.region
    for arm, x in enumerate(instance.arms):
        phi, counts = np.zeros_like(region.estimate), region.data.counts[:, : region.data.used[0]].copy()
        follow_path(region, arm, run.state.best, phi)
        assert (region.data.counts[:, : region.data.used[0]] == counts).all()
        assert region.data.used[0] == (60 if data == "stream" else len(instance.arms))
        assert penalised_loss(region, phi) - region.smallest[0] <= (1 + 2e-6) * region.allowed[0]
        if (region.points[arm] != region.corners[arm]).any():
            assert penalised_loss(region, phi) - region.smallest[0] == pytest.approx(region.allowed[0], rel=2e-6)
        reward = relative(instance.rewards) @ softmax(region.data.basis @ phi @ x)
        assert reward == pytest.approx(run.state.scores[arm], abs=1e-6)


def test_first_round_is_the_ball():
    instance = one_high(3, 0)
    run = Run.begin(instance, NAME, "valid", {})
    run.round(0.5)
    height = instance.norm_bound / math.sqrt(6)  # logits (2, -1, -1) times this
    assert run.state.scores == pytest.approx(0.7 / (1 + 2 * math.exp(-3 * height)))
    assert run.arms == [0]


def test_stream_and_suffstat_give_the_same_arms():
    instance = one_high(3, 2)
    runs = [
        Run.begin(instance, NAME, "calibrated", {"radius_multiplier": 0.1, "data": data}) for data in ("stream", "suffstat")
    ]
    for uniform in uniforms(instance, 2, 150):
        assert runs[0].round(uniform) == runs[1].round(uniform)


def test_the_last_round_of_a_stream():
    instance = one_high(3, 2)
    run = Run.begin(instance, NAME, "valid", {"data": "stream"}, horizon=30)
    for uniform in uniforms(instance, 2, 30):
        run.round(uniform)
    assert run.state.region.data.used[0] == 30


def test_the_valid_set_covers_and_the_index_is_optimistic():
    worst = -math.inf
    for seed in range(20):
        instance = one_high(3, seed % 5)
        run = Run.begin(instance, NAME, "valid", {})
        for uniform in uniforms(instance, 100 + seed, 300):
            run.round(uniform)
            worst = max(worst, run.ratio)
        assert (run.state.scores >= instance.probabilities @ relative(instance.rewards) - 1e-9).all()
    assert worst <= 1
