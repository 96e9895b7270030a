"""An algorithm that a user writes in plain NumPy, and the same functions compiled."""

import math
from typing import NamedTuple

import numba
import numpy as np
import pytest

from mnlbandits.algorithms import Algorithm
from mnlbandits.algorithms.base import Option
from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance
from mnlbandits.simulators import exact, simulate


class PlainState(NamedTuple):
    """UCB1 on the rewards."""

    rewards: np.ndarray
    pulls: np.ndarray
    sums: np.ndarray


class CompiledState(NamedTuple):
    """The same; every algorithm has a state class of its own."""

    rewards: np.ndarray
    pulls: np.ndarray
    sums: np.ndarray


def choose(state, t):
    """Every arm once, then the largest upper confidence bound."""
    if state.pulls.min() == 0:
        return np.argmin(state.pulls)
    return np.argmax(state.sums / state.pulls + np.sqrt(2 * math.log(t) / state.pulls))


def update(state, t, arm, outcome):
    """Count the pull and add its reward."""
    state.pulls[arm] += 1
    state.sums[arm] += state.rewards[outcome]


def ratio(state, t, theta):
    """Not a confidence set: any number that depends on all arguments."""
    return theta[0, 0] + state.sums[0] / t


def ucb(name, state, decorate):
    """The algorithm with functions decorated by `decorate`."""

    def start(problem, preset):
        arms = len(problem.arms)
        return state(problem.rewards.copy(), np.zeros(arms), np.zeros(arms))

    functions = {function.__name__: decorate(function) for function in (choose, update, ratio)}
    return Algorithm(name=name, title=name, source="test", state=state, presets=("none",), start=start, **functions)


@pytest.fixture(scope="module")
def instance():
    return make_instance("nine arms", "lower-bound", {"epsilon": 0.37, "arms": 9})


def test_a_plain_algorithm_equals_its_compiled_twin(instance, register, monkeypatch):
    """Same regret and same ratios to the last bit: both do the same operations in the same order (numpy's sum would not)."""
    register(ucb("plain", PlainState, lambda function: function))
    register(ucb("compiled", CompiledState, numba.njit))
    # Without numba's cache on disk, which would not notice an edit of this file.
    monkeypatch.setitem(exact.LOOPS, "list", (exact.play, numba.njit(exact.play.py_func)))
    plain = simulate(instance, "plain", 2000, range(3), seed=1, preset="none")
    compiled = simulate(instance, "compiled", 2000, range(3), seed=1, preset="none")
    assert plain.regret.tobytes() == compiled.regret.tobytes()
    assert plain.worst.tobytes() == compiled.worst.tobytes()
    assert len(np.unique(plain.regret[:, -1])) == 3  # and the runs are not trivial
    assert (plain.regret[:, -1] < instance.gaps.mean() * 2000).all()  # better than uniform play


def test_which_loop_plays(register):
    """Interpreted unless `choose` is compiled; with reference counting unless it was compiled without."""
    plain, compiled = ucb("plain", PlainState, lambda function: function), ucb("compiled", CompiledState, numba.njit)
    bare = ucb("bare", PlainState, numba.njit(_nrt=False))
    assert exact.loop_of(plain) is exact.play.py_func
    assert exact.loop_of(compiled) is exact.LOOPS["list"][1]
    assert exact.loop_of(bare) is exact.play


def test_the_learner_gets_a_problem_without_theta(instance, register):
    seen = []
    algorithm = ucb("plain", PlainState, lambda function: function)

    def start(problem, preset):
        seen.append(problem)
        return algorithm.start(problem, preset)

    register(Algorithm(**(vars(algorithm) | {"start": start})))
    simulate(instance, "plain", 10, [0], preset="none")
    assert not hasattr(seen[0], "theta")
    assert seen[0].horizon == 10


def test_options_are_for_calibrated_constants_and_numbers_above_zero(instance, register):
    def start(problem, preset, width=1.0):
        del width
        return PlainState(problem.rewards.copy(), np.zeros(len(problem.arms)), np.zeros(len(problem.arms)))

    algorithm = vars(ucb("plain", PlainState, lambda function: function))
    register(
        Algorithm(
            **(algorithm | {"start": start, "presets": ("valid", "calibrated"), "options": (Option("width", "a factor"),)})
        )
    )
    simulate(instance, "plain", 10, [0], preset="calibrated", options={"width": 2.0})
    for preset, options, field in (
        ("calibrated", {"width": -1.0}, "plain.width"),
        ("calibrated", {"wdith": 1.0}, "plain.wdith"),
        ("valid", {"width": 1.0}, "plain.width"),
        ("paper", {}, "plain.preset"),
    ):
        with pytest.raises(InputError) as caught:
            simulate(instance, "plain", 10, [0], preset=preset, options=options)
        assert caught.value.field == field
