"""MNL-UCB, and the offline methods for K outcomes: hand-worked cases."""

import math

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.algorithms import mnl_ucb
from mnlbandits.instances import Instance
from mnlbandits.simulators import simulate
from mnlbandits.textbook import TEXTBOOK

OFFLINE = ["mle-second-order", "mnl-ucb", "mnl-ucb-plus", "rs-mnl"]


def axes(outcomes: int, norm: float = 1.0) -> Instance:
    """Arms e1 and e2; outcome 0 pays least."""
    theta = np.zeros((outcomes, 2))
    return Instance("axes", theta, np.eye(2), np.arange(outcomes, dtype=float), norm)


def test_paper_radius_and_bonus_at_two_outcomes():
    """K_r = 1, d = 2, T = 100, delta = .05, S = sqrt(2): every printed term by hand."""
    state = Run.begin(axes(2), "mnl-ucb", "paper", {}, 100).state
    ridge, bound = 2 * math.log(100), math.sqrt(2)
    gamma = 2 / math.sqrt(ridge) * (math.log(1 + 3 / (2 * ridge)) + 2 * math.log(40)) + math.sqrt(ridge) * (0.5 + bound)
    assert mnl_ucb.radius(state, 3) == pytest.approx(gamma)
    kappa, largest = math.exp(bound) * (1 + math.exp(bound)) ** 2, math.exp(bound) / (1 + math.exp(bound))
    assert state.slope == pytest.approx(2 * largest * math.sqrt(1 + 2 * bound))  # the root of kappa is in the widths
    assert state.design.kappa == pytest.approx(kappa)
    assert state.design.widths == pytest.approx([1 / ridge] * 2)


def test_projection_is_in_the_ball_and_certified():
    instance = axes(3, norm=0.1)
    run = Run.begin(instance, "mnl-ucb", "valid", {}, 100)
    for t in range(1, 41):
        mnl_ucb.update(run.state, t, 0, 2)
    state, bound = run.state, math.sqrt(3) * 0.1
    assert np.linalg.norm(state.estimate) > bound
    assert np.linalg.norm(state.centre) == pytest.approx(bound)
    assert state.counters[mnl_ucb.MOVED] >= 30
    book = TEXTBOOK["mnl-ucb"](instance.problem(100, 0.05), "valid")
    for _ in range(40):
        book.model.record(instance.arms[0], 2)
    book.beta_hat = state.estimate
    distance = mnl_ucb.distance(state, state.centre)
    assert distance == pytest.approx(book.distance(state.centre), rel=1e-6)
    assert (state.counters[mnl_ucb.FAILED] > 0) == (distance > mnl_ucb.radius(state, 41))


@pytest.mark.parametrize("name", ["mnl-ucb", "mnl-ucb-plus", "rs-mnl"])
def test_paper_preset_is_the_textbook_one(name):
    instance = unit_instance(3, 2, 1, arms=5)
    run, book = Run.begin(instance, name, "paper", {}), TEXTBOOK[name](instance.problem(1e4, 0.05), "paper")
    for uniform in uniforms(instance, 1, 8):
        index = book.index(run.t + 1)
        arm, outcome = run.round(uniform)
        scores = run.state.scores if hasattr(run.state, "scores") else run.state.learner.scores
        assert scores == pytest.approx(index, rel=1e-6)
        book.update(run.t, arm, outcome)
        assert run.ratio == pytest.approx(book.ratio(run.t, instance.theta), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("name", OFFLINE)
def test_stream_and_suffstat_agree(name):
    instance = unit_instance(3, 2, 2)
    runs = [
        Run.begin(instance, name, "calibrated", {"data": data, "radius_multiplier": 0.02}) for data in ("stream", "suffstat")
    ]
    for uniform in uniforms(instance, 2, 150):
        assert len({run.round(uniform)[0] for run in runs}) == 1
    assert len(set(runs[0].arms)) > 1
    assert runs[0].ratio == pytest.approx(runs[1].ratio, rel=1e-6)


@pytest.mark.parametrize("arms", [[[0.6, 0.8]], [[0.6, 0.8]] * 3])
@pytest.mark.parametrize("name", OFFLINE)
def test_one_arm_and_equal_arms(name, arms):
    theta = np.array([[0.5, 0.0], [0.0, 0.2], [-0.5, -0.2]])
    run = Run.begin(Instance("equal", theta, np.array(arms), np.array([0.0, 0.5, 1.0]), 1.0), name, "valid", {})
    for uniform in uniforms(run.instance, 0, 20):
        run.round(uniform)
    assert set(run.arms) == {0}
    assert 0 <= run.ratio <= 1


@pytest.mark.parametrize("outcomes", [2, 3])
@pytest.mark.parametrize("name", OFFLINE)
def test_coverage(name, outcomes):
    result = simulate(unit_instance(outcomes, 2, 3), name, 300, range(20), preset="valid")
    assert (result.worst[:, -1] >= 0).all()
    assert (result.worst[:, -1] <= 1).all(), result.worst[:, -1].max()
