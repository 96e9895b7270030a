"""Binary mirror descent: the multinomial method at K = 2, constants, the ball, coverage."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from trajectories import ALWAYS_1, Run, side_by_side, uniforms, unit_instance

from mnlbandits.algorithms import glb_omd
from mnlbandits.instances import Instance
from mnlbandits.learners.binary import PROJECTED
from mnlbandits.seeds import generator
from mnlbandits.simulators.exact import advance, new_tally
from mnlbandits.textbook import TEXTBOOK

NAMES = ("oful-mlogb-binary", "glb-omd")


@pytest.mark.parametrize("preset", ["paper", "valid"])
def test_the_multinomial_method_with_two_outcomes_is_the_binary_one(preset):
    """The same estimate, matrix and radius on the same data; only the index differs."""
    instance, draw = unit_instance(2, 3), generator("test", 0, "arms")
    problem = instance.problem(1e4, 0.05)
    binary, multinomial = TEXTBOOK["oful-mlogb-binary"](problem, preset), TEXTBOOK["oful-mlogb"](problem, preset)
    for t in range(1, 41):
        arm, outcome = int(draw.integers(len(instance.arms))), int(draw.integers(2))
        binary.update(t, arm, outcome)
        multinomial.update(t, arm, outcome)
        np.testing.assert_allclose(binary.b, multinomial.beta[0], atol=1e-12)
        np.testing.assert_allclose(binary.H, multinomial.H, rtol=1e-12)
        assert binary.radius(t) == pytest.approx(multinomial.radius(t), rel=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_paper_preset_against_the_textbook(name):
    side_by_side(unit_instance(2, 2, 1, arms=5), name, "paper", {}, 30, 1e-9)


def test_the_printed_radius_by_hand_and_above_ours():
    """S = 1, d = 2: eta = 1 + sqrt 2, lambda = 28 eta, and 2 eta (2 alpha + 1/2) = 6 eta^2 + eta for alpha = 3 eta/2."""
    instance = unit_instance(2, 2, norm=1.0)
    printed, ours = (Run.begin(instance, "glb-omd", preset, {}) for preset in ("paper", "valid"))
    eta = 1 + math.sqrt(2)
    assert 2 * eta * (2 * 1.5 * eta + 0.5) == pytest.approx(6 * eta**2 + eta)
    square = 4 * 28 * eta * 2 + 2 * eta * math.log(20) + 2 * (6 * eta**2 + eta) * math.log(1 + 7 / (4 * 28 * eta))
    assert glb_omd.radius(printed.state, 7) == pytest.approx(math.sqrt(square))
    for uniform in uniforms(instance, 0, 200):
        ours.round(uniform)
        assert glb_omd.radius(ours.state, ours.t) < glb_omd.radius(printed.state, ours.t)


@pytest.mark.parametrize("name", NAMES)
def test_projections_against_the_textbook(name):
    """A norm bound far below the norm that the outcomes ask for: the ball binds, and b stays inside it."""
    instance = Instance("short", np.array([[0.05], [-0.05]]), np.ones((1, 1)), np.array([1.0, 0.0]), 0.1)
    run = Run.begin(instance, name, "valid", {})
    book = TEXTBOOK[name](instance.problem(1e4, 0.05), "valid")
    for _ in range(30):
        arm, outcome = run.round(0.0)
        book.update(run.t, arm, outcome)
        assert run.state.learner.b[0] == pytest.approx(book.b[0], rel=1e-12)
        assert abs(run.state.learner.b[0]) <= math.sqrt(2) * 0.1 * (1 + 1e-12)
    assert run.state.learner.counters[PROJECTED] == book.projections > 0
    assert run.state.learner.b[0] == pytest.approx(math.sqrt(2) * 0.1)


def test_constants_by_hand():
    """S = 1, d = 2: S_b = sqrt 2."""
    instance = unit_instance(2, 2, norm=1.0)
    state = Run.begin(instance, "glb-omd", "valid", {}).state
    assert state.eta == pytest.approx(1 + math.sqrt(2))
    assert state.radius.ridge == pytest.approx(28 * (1 + math.sqrt(2)))
    state = Run.begin(instance, "oful-mlogb-binary", "valid", {}).state
    assert state.eta == pytest.approx(math.log(2) / 2 + math.sqrt(2) + 1)
    assert state.radius.ridge == pytest.approx(72 * state.eta)


def test_first_index_by_hand():
    """b = 0 and H = lambda I, so every unit arm has beta / sqrt(lambda), and beta^2 = lambda S_b^2 + 2 eta log 20."""
    run = Run.begin(unit_instance(2, 2, norm=1.0), "glb-omd", "valid", {})
    run.round(0.0)
    expected = math.sqrt(2 + 2 * math.log(20) / 28)
    np.testing.assert_allclose(run.state.scores, expected, rtol=1e-12)
    assert run.arms == [0]


@pytest.mark.parametrize("dim", [1, 2, 5])
def test_the_gaussian_of_the_mix_loss(dim):
    """2 E[e^|u| - 1 - |u|] <= 6/5 log(1 + y) v/y for u ~ N(0, v), v <= 1/(12 d), y <= 1/(56 d): step (iii) of the radius."""
    v, y = 1 / (12 * dim), 1 / (56 * dim)
    density = lambda u: math.exp(-u * u / (2 * v)) / math.sqrt(2 * math.pi * v)  # noqa: E731
    moment = 4 * quad(lambda u: (math.exp(u) - 1 - u) * density(u), 0, 20 * math.sqrt(v))[0]
    assert moment * y <= 6 / 5 * math.log1p(y) * v
    z = np.linspace(-10, 10, 100001)
    s = 1 / (1 + np.exp(-z))
    assert np.abs(s * (1 - s) * (1 - 2 * s)).max() <= 1 / (6 * math.sqrt(3)) + 1e-12
    assert 2 * 2 / 2 / (6 * math.sqrt(3)) < 0.193 < 6 / 4 / 7


@pytest.mark.parametrize("name", NAMES)
def test_ties_equal_arms_and_a_single_arm(name):
    theta, rewards = np.array([[0.5, 0.2], [-0.5, -0.2]]), np.array([0.0, 1.0])
    for arms in (np.array([[1.0, 0.0]]), np.array([[0.6, 0.8]] * 3), np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])):
        run = Run.begin(Instance("tie", theta, arms, rewards, 1.0), name, "valid", {})
        for uniform in uniforms(run.instance, 0, 30):
            run.round(uniform)
            assert np.isfinite(run.state.scores).all()
            assert 0 < run.ratio < math.inf
        assert run.arms[0] == 0
        if len({tuple(arm) for arm in arms}) == 1:
            assert set(run.arms) == {0}


def test_the_better_outcome_raises_the_logit():
    for rewards, sign in (([0.0, 1.0], 1), ([1.0, 0.0], -1)):
        instance = Instance("sign", np.array([[0.5], [-0.5]]), np.ones((1, 1)), np.array(rewards), 1.0)
        run = Run.begin(instance, "glb-omd", "valid", {})
        run.round(ALWAYS_1)
        assert np.sign(run.state.learner.b[0]) == sign


@pytest.mark.parametrize("name", NAMES)
def test_coverage(name):
    instance = unit_instance(2, 2, norm=1.0)
    algorithm = Run.begin(instance, name, "valid", {}).algorithm
    for run in range(20):
        state = algorithm.begin(instance, instance.problem(300, 0.05), "valid", {}, 0, run)
        tally = new_tally(len(instance.arms))
        advance(algorithm, state, instance, generator("test", run, name), 0, 300, tally)
        assert 0 < tally.worst[0] <= 1
