"""The ECOLog family: what must not depend on the outcome, the phases and lists that short twins miss."""

import copy
import math

import numpy as np
import pytest
from trajectories import ALWAYS_0, ALWAYS_1, Run, side_by_side, uniforms, unit_instance

from mnlbandits.instances import Instance
from mnlbandits.learners import binary
from mnlbandits.learners import follower as followers
from mnlbandits.learners import region as regions
from mnlbandits.seeds import generator
from mnlbandits.simulators.exact import advance, new_tally
from mnlbandits.textbook.ecolog import Objective

NAMES = ("ofu-ecolog", "ada-ofu-ecolog", "ts-ecolog")


def follower(run: Run) -> followers.Follower:
    return run.state.follower


def forced(run: Run, outcomes: list[int]) -> None:
    for outcome in outcomes:
        assert run.round(ALWAYS_1 if outcome else ALWAYS_0)[1] == outcome


# What must be known before the outcome.


@pytest.mark.parametrize(
    ("name", "preset"), [("ada-ofu-ecolog", "paper"), ("ada-ofu-ecolog", "valid"), ("ts-ecolog", "valid")]
)
def test_b_bar_and_the_list_do_not_look_at_the_outcome(name, preset):
    instance, exceptions = unit_instance(2, 2, norm=3.0), 0
    for length in range(8):
        for history in ([1] * length, [0, 1] * (length // 2)):
            bars, lists, estimates = [], [], []
            for last in (0, 1):
                run = Run.begin(instance, name, preset, {})
                forced(run, [*history, last])
                bars.append(follower(run).bar.copy())
                estimates.append(follower(run).learner.b.copy())
                lists.append(run.state.exceptions[0] if hasattr(run.state, "exceptions") else 0)
            assert (bars[0] == bars[1]).all()
            assert lists[0] == lists[1]
            exceptions += lists[0]
            if not lists[0]:
                assert np.abs(estimates[0] - estimates[1]).max() > 0
    assert (exceptions > 0) == (preset == "paper")


def test_an_exception_leaves_the_estimate_alone():
    run = Run.begin(unit_instance(2, 2, norm=3.0), "ada-ofu-ecolog", "paper", {})
    for _ in range(40):
        before = copy.deepcopy(follower(run).learner.b), copy.deepcopy(follower(run).learner.w), run.state.exceptions[0]
        forced(run, [1])
        if run.state.exceptions[0] > before[2]:
            assert (follower(run).learner.b == before[0]).all()
            assert (follower(run).learner.w == before[1]).all()
            assert run.state.region.data.counts.sum() == run.state.exceptions[0]
            return
    pytest.fail("no exception")


# Phases and lists against the textbook.


@pytest.mark.parametrize(("dim", "multiplier"), [(1, 0.02), (2, 0.02), (3, 0.02)])
def test_ofu_ecolog_learns_within_its_ellipsoid(dim, multiplier):
    options = {"exploration_multiplier": multiplier, "radius_multiplier": 0.5}
    run, book = side_by_side(unit_instance(2, dim, 3, arms=5), "ofu-ecolog", "calibrated", options, 25, 1e-6)
    assert book.learning
    assert run.state.learning[0] == 1
    assert 3 <= follower(run).learner.counters[binary.ADDED] < 25
    assert follower(run).learner.counters[binary.PROJECTED] == book.projections > 0
    centre, v, radius = book.Theta
    np.testing.assert_allclose(run.state.region.centre[0], centre, atol=1e-7)
    b = run.state.region.centre[0] + np.linalg.solve(run.state.root, follower(run).learner.b)
    np.testing.assert_allclose(b, book.b, atol=1e-6)
    assert (b - centre) @ v @ (b - centre) <= radius**2 * (1 + 1e-6)


def test_ada_ofu_ecolog_with_its_exceptional_list():
    run, book = side_by_side(unit_instance(2, 2, 0, norm=3.0, arms=5), "ada-ofu-ecolog", "paper", {}, 60, 1e-6)
    assert run.state.exceptions[0] == len(book.exceptional) > 0
    centre, v, radius = book.shrunk
    np.testing.assert_allclose(run.state.region.centre[0], centre, atol=1e-6)
    np.testing.assert_allclose(run.state.region.design, v, rtol=1e-12)
    assert run.state.region.square[0] == pytest.approx(radius**2)


@pytest.mark.parametrize("seed", range(12))
def test_step_within_ball_and_region(seed):
    """A region that cuts the ball, against SLSQP."""
    draw = generator("test", seed, "region")
    instance = unit_instance(2, 2, 0, norm=1.0, arms=5)
    run = Run.begin(instance, "ada-ofu-ecolog", "paper", {})
    state, learner = run.state, follower(run).learner
    state.exceptions[0] = 1
    centre = draw.standard_normal(2)
    state.region.centre[0] = centre / np.linalg.norm(centre) * math.sqrt(2) * draw.uniform(0.5, 1)
    state.region.design[:] = [[2.0, 0.3], [0.3, 0.7]]
    state.region.square[0] = draw.uniform(0.05, 0.5)
    out = np.zeros(2)
    assert regions.step_within(state, 0, 0.25, 1.0, 1.0, out) == (seed != 6)  # there the region holds the minimiser
    sets = (
        (state.region.centre[0], state.region.design, math.sqrt(state.region.square[0])),
        (np.zeros(2), np.eye(2), math.sqrt(2)),
    )
    objective = Objective(0.5 * learner.w, 0.5 * learner.w @ learner.b, [(instance.arms[0], {1: 1.0})])
    expected = objective.minimum_in_both(*sets)
    np.testing.assert_allclose(out, expected, atol=1e-5)
    for middle, v, radius in sets:
        assert (out - middle) @ v @ (out - middle) <= radius**2 * (1 + 1e-10)


# Constants.


@pytest.mark.parametrize("norm", [0.5, 1.5])
def test_the_constraint_is_on_s_not_its_square(norm):
    for name in ("ada-ofu-ecolog", "ts-ecolog"):
        run = Run.begin(unit_instance(2, 2, norm=norm), name, "valid", {})
        lengths = []
        for _ in range(300):
            forced(run, [1])
            lengths.append(np.linalg.norm(follower(run).learner.b))
        assert max(lengths) == pytest.approx(math.sqrt(2) * norm, rel=1e-9)
        assert follower(run).learner.counters[binary.PROJECTED] > 0


def test_radius_by_hand():
    """S = 1: S_b = sqrt 2, one arm of norm 1, D = 2 sqrt 2."""
    run = Run.begin(
        Instance("one", np.array([[0.5], [-0.5]]), np.ones((1, 1)), np.array([1.0, 0.0]), 1.0), "ada-ofu-ecolog", "valid", {}
    )
    assert follower(run).base[0] == pytest.approx(2 + (2 + 2 * math.sqrt(2)) * math.log(20))
    run.round(0.0)
    assert run.state.scores[0] == pytest.approx(math.sqrt(follower(run).base[0]))
    # v = z + r s(-v) from z = 0 with r = 1 + sqrt 2; b-bar = 0; W = 1 + s'(v)
    v = follower(run).learner.b[0]
    s = 1 / (1 + math.exp(-v))
    assert v == pytest.approx(min(math.sqrt(2), (1 + math.sqrt(2)) * (1 - s)))
    assert follower(run).bar[0] == 0
    assert follower(run).total[0] == pytest.approx((2 + 2 * math.sqrt(2)) * (math.log(2) + math.log(s)) - v**2)
    assert follower(run).learner.w[0, 0] == pytest.approx(1 + s * (1 - s))


def test_radii_are_never_zero():
    for name, preset in [("ada-ofu-ecolog", "valid"), ("ada-ofu-ecolog", "paper"), ("ts-ecolog", "valid")]:
        run = Run.begin(unit_instance(2, 2), name, preset, {})
        for uniform in uniforms(run.instance, 2, 200):
            run.round(uniform)
            assert 0 < run.ratio < math.inf
        assert follower(run).least == pytest.approx((2 + 4 * math.sqrt(2)) * math.log(20))


@pytest.mark.parametrize("name", NAMES)
def test_ties_equal_arms_and_a_single_arm(name):
    theta, rewards = np.array([[0.5, 0.2], [-0.5, -0.2]]), np.array([0.0, 1.0])
    for arms in (np.array([[1.0, 0.0]]), np.array([[0.6, 0.8]] * 3), np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])):
        run = Run.begin(Instance("tie", theta, arms, rewards, 1.0), name, "valid", {})
        for uniform in uniforms(run.instance, 0, 30):
            run.round(uniform)
            assert np.isfinite(run.state.scores).all()
        if len({tuple(arm) for arm in arms}) == 1:
            assert set(run.arms) == {0}
        elif name != "ts-ecolog":
            assert run.arms[0] == 0
    assert follower(run).better == 1


def test_the_inverse_survives_many_corrections():
    run = Run.begin(unit_instance(2, 3), "ada-ofu-ecolog", "valid", {})
    for uniform in uniforms(run.instance, 0, 511):
        run.round(uniform)
    learner = follower(run).learner
    np.testing.assert_allclose(learner.inverse @ learner.w, np.eye(3), atol=1e-11)
    np.testing.assert_allclose(
        learner.widths, np.einsum("ni,ij,nj->n", learner.arms, learner.inverse, learner.arms), rtol=1e-9
    )


# Random numbers.


def test_runs_of_ts_ecolog_have_streams_of_their_own():
    instance = unit_instance(2, 2)
    algorithm = Run.begin(instance, "ts-ecolog", "valid", {}).algorithm
    problem = instance.problem(100, 0.05)
    keys = [algorithm.begin(instance, problem, "valid", {}, seed, run).stream[0] for seed in (0, 1) for run in (0, 1)]
    assert len(set(keys)) == 4
    assert keys[0] == algorithm.begin(instance, problem, "valid", {}, 0, 0).stream[0]


# Coverage.


@pytest.mark.parametrize(("name", "rounds"), [("ofu-ecolog", 9000), ("ada-ofu-ecolog", 300), ("ts-ecolog", 300)])
def test_coverage(name, rounds):
    instance = unit_instance(2, 2, norm=1.0)
    algorithm = Run.begin(instance, name, "valid", {}).algorithm
    for run in range(20):
        state = algorithm.begin(instance, instance.problem(rounds, 0.05), "valid", {}, 0, run)
        tally = new_tally(len(instance.arms))
        advance(algorithm, state, instance, generator("test", run, name), 0, rounds, tally)
        assert 0 < tally.worst[0] <= 1
