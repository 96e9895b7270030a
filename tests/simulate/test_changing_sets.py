"""Instances that offer other arms in every round."""

import itertools
import json
from typing import Any, NamedTuple

import numpy as np
import pytest

from mnlbandits.algorithms import Algorithm
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, make_instance, read_instance, write_instance
from mnlbandits.instances.action_sets import AllArms, RandomSubsets
from mnlbandits.seeds import generator
from mnlbandits.simulators import exact, simulate

BY_HAND = Instance(
    "hand",
    np.array([[2.0], [-2.0]]),
    np.array([[1.0], [0.5], [-0.25], [-1.0]]),
    np.array([1.0, 0.0]),
    3.0,
    actions={"name": "random-subsets", "size": 2},
)
"""The better outcome has probability sigmoid(4 x): arms in order of their mean, best first."""


class First(NamedTuple):
    """What a recorder saw; plays the arm offered with the lowest index."""

    offered: Any
    seen: list


class Last(NamedTuple):
    """The same, but plays the highest index."""

    offered: Any
    seen: list


class Outside(NamedTuple):
    """Plays an arm that is not offered in round 3."""

    offered: Any
    seen: list


def player(name: str, state: type, choose, states: list) -> Algorithm:
    """An interpreted algorithm that records the sets it was offered and the outcomes."""

    def start(problem, preset):
        states.append(state(np.ones(len(problem.arms), dtype=bool), []))
        return states[-1]

    def update(state, t, arm, outcome):
        state.seen.append((tuple(np.flatnonzero(state.offered)), arm, outcome))

    return Algorithm(name, name, "test", state, ("none",), start, choose, update)


def first(state, t):
    return int(np.flatnonzero(state.offered)[0])


def last(state, t):
    return int(np.flatnonzero(state.offered)[-1])


def outside(state, t):
    return int(np.flatnonzero(state.offered != (t == 3))[0])


def test_regret_by_hand(register):
    """The best mean on offer minus the mean of the arm played, at every checkpoint."""
    states = []
    register(player("last", Last, last, states))
    result = simulate(BY_HAND, "last", 200, [0], preset="none")
    means = 1 / (1 + np.exp(-4 * BY_HAND.arms[:, 0]))
    regret = np.cumsum([means[min(sets)] - means[max(sets)] for sets, _, _ in states[0].seen])
    np.testing.assert_allclose(result.regret[0], regret[result.t - 1], rtol=1e-12)
    assert all(arm == max(sets) for sets, arm, _ in states[0].seen)


def test_the_best_of_every_set_has_no_regret(register):
    register(player("first", First, first, []))
    assert np.abs(simulate(BY_HAND, "first", 200, [0], preset="none").regret).max() < 1e-12


def test_all_algorithms_see_the_same_sets_and_uniforms(register, monkeypatch):
    states = []
    register(player("first", First, first, states))
    register(player("last", Last, last, states))
    for name in ("first", "last"):
        simulate(BY_HAND, name, 300, [0, 3], seed=5, preset="none")
    monkeypatch.setattr(exact, "BLOCK", 16)
    simulate(BY_HAND, "first", 300, [0], seed=5, preset="none")
    sets = [[seen[0] for seen in state.seen] for state in states]
    assert sets[0] == sets[2] == sets[4]  # run 0 of both algorithms, whatever the blocks
    assert sets[1] == sets[3] != sets[0]
    cumulative = np.cumsum(BY_HAND.probabilities, axis=1)
    for (_, arm, outcome), uniform in zip(states[2].seen, generator("outcomes", 5, "hand", 0).random(300), strict=True):
        assert outcome == int(uniform >= cumulative[arm, 0])


@pytest.mark.parametrize("offered", [1, 2, 3])
def test_every_subset_is_as_likely(register, offered):
    """Counts of 6000 sets: within five standard errors of the same share for each."""
    instance = Instance(
        "hand", BY_HAND.theta, BY_HAND.arms, BY_HAND.rewards, 3.0, actions={"name": "random-subsets", "size": offered}
    )
    states = []
    register(player("first", First, first, states))
    simulate(instance, "first", 6000, [0], preset="none")
    subsets = list(itertools.combinations(range(4), offered))
    counts = np.array([sum(seen[0] == subset for seen in states[0].seen) for subset in subsets])
    share = 1 / len(subsets)
    assert counts.sum() == 6000
    assert (np.abs(counts - 6000 * share) < 5 * np.sqrt(6000 * share * (1 - share))).all()


def test_an_algorithm_for_a_fixed_list_is_refused():
    with pytest.raises(InputError, match="explores one fixed set"):
        simulate(BY_HAND, "real", 10, [0], preset="valid")


def test_an_arm_that_is_not_offered_is_an_error(register):
    register(player("outside", Outside, outside, []))
    with pytest.raises(InputError, match="offered in this round"):
        simulate(BY_HAND, "outside", 10, [0], preset="none")


@pytest.mark.parametrize("name", ["adaptive-real", "oful-mlogb"])
def test_compiled_algorithms_play_changing_sets(name):
    """Where four of twenty arms are on offer, and the same numbers run by run or together."""
    instance = make_instance("drawn", "random", {"actions": {"name": "random-subsets", "size": 4}, "outcomes": 4})
    options = {"radius_multiplier": 0.1} | ({"exploration_multiplier": 0.01} if name == "adaptive-real" else {})
    both = simulate(instance, name, 3000, [0, 1], preset="calibrated", options=options)
    alone = simulate(instance, name, 3000, [1], preset="calibrated", options=options)
    np.testing.assert_array_equal(both.regret[1:], alone.regret)
    assert (np.diff(both.regret) >= -1e-9).all()
    assert (both.regret[:, -1] > 0).all()


def test_the_field_is_written_and_read(tmp_path):
    write_instance(BY_HAND, tmp_path / "hand.json")
    assert read_instance(tmp_path / "hand.json").actions == RandomSubsets(2)
    record = json.loads((tmp_path / "hand.json").read_text())
    del record["actions"]
    (tmp_path / "hand.json").write_text(json.dumps(record))
    assert read_instance(tmp_path / "hand.json").actions == AllArms()
    plain, changing = (
        make_instance("x", "random", parameters) for parameters in ({}, {"actions": {"name": "random-subsets", "size": 3}})
    )
    assert (plain.actions, changing.actions) == (AllArms(), RandomSubsets(3))
    np.testing.assert_array_equal(plain.arms, changing.arms)


@pytest.mark.parametrize("offered", [-1, 0, 4, 1.5, None, "2"])
def test_the_number_offered_is_checked(offered):
    with pytest.raises(InputError, match="size"):
        Instance(
            "hand", BY_HAND.theta, BY_HAND.arms, BY_HAND.rewards, 3.0, actions={"name": "random-subsets", "size": offered}
        )
