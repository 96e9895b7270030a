"""SupSplitLog as reconstructed: every round against the textbook, its stages, its widths, what may depend on what."""

import math

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.algorithms import sup_split_log
from mnlbandits.algorithms.sup_split_log import CORRECTION, INITIAL, NEITHER
from mnlbandits.instances import Instance
from mnlbandits.instances.families import random_instance
from mnlbandits.seeds import generator
from mnlbandits.simulators import simulate
from mnlbandits.textbook import TEXTBOOK

NAME = "sup-split-log"


@pytest.mark.parametrize("changing", [False, True])
@pytest.mark.parametrize(("seed", "multiplier"), [(0, 0.08), (1, 0.02), (2, 0.01)])
def test_every_round_against_the_textbook(seed, multiplier, changing):
    """The textbook's fit in the ball carries a ridge of 1e-10 on curvatures of 0.1 or more."""
    instance, options, rounds = unit_instance(2, 2, seed, norm=1.0, arms=5), {"radius_multiplier": multiplier}, 120
    run = Run.begin(instance, NAME, "calibrated", options, rounds)
    book = TEXTBOOK[NAME](instance.problem(rounds, 0.05), "calibrated", **options)
    draw, parts = generator("test", seed, "sets"), set()
    for uniform in uniforms(instance, seed, rounds):
        if changing:
            book.offered = draw.permutation(5) < 3
            run.state.offered[:] = book.offered
        index = book.index(run.t + 1)
        arm, outcome = run.round(uniform)
        np.testing.assert_allclose(run.state.scores, index, rtol=1e-7, atol=1e-7)
        assert index[arm] >= index.max() - 1e-7
        book.update(run.t, arm, outcome)
        parts.add((run.state.stage[0], run.state.part[0]))
        sizes = [[len(stage.Phi), len(stage.Psi)] for stage in book.stages]
        np.testing.assert_array_equal(run.state.sizes, sizes)
        assert run.ratio == pytest.approx(book.ratio(run.t, instance.theta), rel=1e-6)
    seen = {int(part) for _, part in parts}
    assert CORRECTION in seen
    assert (INITIAL in seen) == (multiplier == 0.08)
    assert max(stage for stage, _ in parts) > 0


def test_constants_by_hand():
    """T = 64: k_max = 4; S = 1 and unit arms: S_b = sqrt 2, X = 1; N = 7: L = log(4 7 64 4/0.05)."""
    state = Run.begin(unit_instance(2, 2, norm=1.0), NAME, "valid", {}, 64).state
    chance = math.log(4 * 7 * 64 * 4 / 0.05)
    assert len(state.sizes) == 4
    assert state.chance == pytest.approx(chance)
    assert state.ridge == pytest.approx(chance / (6 * math.sqrt(2)))
    np.testing.assert_allclose(state.widths[:, INITIAL], 2 * math.sqrt(2))  # nothing seen: the diameter of the ball
    first = 2 * math.sqrt(2) * math.sqrt(state.ridge) + math.sqrt(2 * chance) + chance / (3 * math.sqrt(state.ridge))
    np.testing.assert_allclose(state.widths[:, CORRECTION], first / math.sqrt(state.ridge))


def test_the_remainder_of_the_newton_step():
    """|s(z + v) - s(z) - s'(z) v| <= s'(z)(e^|v| - 1 - |v|) and s'(z + v) <= e^|v| s'(z): what the width rests on."""
    z, v = np.meshgrid(np.linspace(-12, 12, 241), np.linspace(-4, 4, 161))
    s, slope = 1 / (1 + np.exp(-z)), 1 / (2 + 2 * np.cosh(z))
    moved = 1 / (1 + np.exp(-z - v))
    assert (np.abs(moved - s - slope * v) <= slope * (np.exp(np.abs(v)) - 1 - np.abs(v)) + 1e-15).all()
    assert (1 / (2 + 2 * np.cosh(z + v)) <= slope * np.exp(np.abs(v)) * (1 + 1e-12)).all()


def test_a_stage_does_not_see_what_it_judges():
    """Which rounds and arms are in Psi_k must not depend on its outcomes: flipped, the stage goes on with the same arms.

    As long as no arm leaves stage 1, all rounds are in it, so only the outcomes of Phi_1 may matter.
    """
    instance, plays = unit_instance(2, 2, 0, norm=1.0, arms=5), []
    for flip in (False, True):
        run, early = Run.begin(instance, NAME, "calibrated", {"radius_multiplier": 0.3}, 10**4), 0.0
        for uniform in uniforms(instance, 0, 1000):
            sup_split_log.choose(run.state, run.t + 1)
            assert run.state.stage[0] == 0
            correction = run.state.part[0] == CORRECTION
            run.round(1 - 1e-9 if flip and correction else 0.0 if correction else uniform)
            if run.state.sizes[0, CORRECTION] == 100:
                early = run.state.sizes[0, INITIAL]
        plays.append(run.arms)
        assert 20 < early < run.state.sizes[0, INITIAL]  # it was fitted anew after outcomes that it must not see
    assert plays[0] == plays[1]


@pytest.mark.parametrize("seed", range(3))
def test_no_arm_that_is_best_leaves(seed):
    """With a radius that covers, the arm of least gap is in A in all stages."""
    instance = unit_instance(2, 2, seed, norm=1.0)
    run, best = Run.begin(instance, NAME, "calibrated", {"radius_multiplier": 0.4}, 8000), int(np.argmin(instance.gaps))
    deepest = 0
    for uniform in uniforms(instance, seed, 8000):
        run.round(uniform)
        assert run.state.members[best]
        assert run.ratio <= 1
        deepest = max(deepest, run.state.stage[0])
    assert deepest >= 1


def test_exploitation_keeps_nothing():
    """A ball so small that all widths are below 1/sqrt(T) from the start."""
    instance = Instance("small", np.array([[1e-4], [-1e-4]]), np.array([[1.0], [-1.0]]), np.array([1.0, 0.0]), 1.5e-4)
    run = Run.begin(instance, NAME, "valid", {}, 100)
    for uniform in uniforms(instance, 0, 100):
        run.round(uniform)
        assert run.state.part[0] == NEITHER
    assert run.state.sizes.sum() == 0
    assert set(run.arms) == {0}


def test_the_valid_set_holds_the_truth():
    result = simulate(unit_instance(2, 2, 2), NAME, 400, range(20), preset="valid")
    assert (result.worst[:, -1] <= 1).all()


def test_changing_sets_are_played():
    instance = random_instance("changing", 2, 2, arms=9, actions={"name": "random-subsets", "size": 3})
    assert (simulate(instance, NAME, 300, range(3), preset="valid").worst[:, -1] <= 1).all()


def test_equal_arms_and_a_single_arm():
    for arms in (np.ones((3, 1)), np.ones((1, 1))):
        instance = Instance("equal", np.array([[0.5], [-0.5]]), arms, np.array([1.0, 0.0]), 1.0)
        run = Run.begin(instance, NAME, "valid", {}, 50)
        assert {run.round(uniform)[0] for uniform in uniforms(instance, 0, 50)} == {0}
