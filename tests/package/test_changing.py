"""The study of Theorem 3: the lemma's bound, the table, and leaps over sets that repeat."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mnlbandits.algorithms import get_algorithm
from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance
from mnlbandits.instances.action_sets import Ball, Cycle, Fresh, Late, RandomSubsets
from mnlbandits.seeds import generator
from mnlbandits.simulators import simulate
from mnlbandits.simulators.trigger import bound_on_exploration
from mnlbandits.verify.changing import changing_table

SETS = [[0, 1, 2], [3, 4], [5, 6, 7, 8]]


def bounds(problem, t):
    """The lemma's bound at the rounds t."""
    state = get_algorithm("adaptive-real").start(problem, "paper")
    return np.array([bound_on_exploration(problem, state, each) for each in t])


def drawn(actions, **parameters):
    return make_instance("drawn", "random", {"outcomes": 3, "dim": 2, "arms": 9, "seed": 4, "actions": actions} | parameters)


def test_the_bound_by_hand():
    """2 tau^2 kappa K d log(1 + t/(K d lambda^w)), tau^2 = 24 beta^2."""
    instance = drawn("list", norm=0.5)
    problem = instance.problem(1e6, 0.05)
    ridge = 72 * (1 + math.sqrt(6) * 0.5) * 6
    t = np.array([10.0, 1e6])
    beta = 2 * np.sqrt(6 * np.log(t / 0.05)) + math.sqrt(ridge)
    expected = 48 * beta**2 * problem.kappa * 6 * np.log1p(t / (6 * ridge))
    np.testing.assert_allclose(bounds(problem, t), expected, rtol=1e-12)


def test_the_table_by_hand():
    rows = {"instance": "a", "algorithm": "adaptive-real-paper", "preset": "paper", "run": [0, 0, 1, 1], "t": [1, 10, 1, 10]}
    runs = pd.DataFrame(
        rows | {"regret": [0.0, 2.0, 1.0, 4.0], "explored": [1.0, 10.0, 1.0, 6.0], "optimal": [0.5, 3.0, 0.5, 5.0]}
    )
    table = changing_table(runs, {"a": drawn("list")}, 0.05)
    assert table["mean"].tolist() == [0.5, 3.0]
    assert table["explored"].tolist() == [1.0, 8.0]
    assert table["optimal"].tolist() == [0.5, 4.0]
    np.testing.assert_allclose(table["bound"], bounds(drawn("list").problem(10, 0.05), [1.0, 10.0]))
    assert changing_table(runs.assign(algorithm="real-paper"), {"a": drawn("list")}, 0.05)["bound"].isna().all()


def test_leaps_over_a_cycle_are_the_rounds_of_it():
    """Exploring for ever, so that no outcome matters: the same regret, exploration and curvature as round by round."""
    instance = drawn({"name": "cycle", "sets": SETS})
    exact = simulate(instance, "adaptive-real", 3000, [0])
    leap = simulate(instance, "adaptive-real", 3000, [0], simulator="leap", step=1e-9)
    np.testing.assert_allclose(leap.regret, exact.regret, rtol=1e-9)
    np.testing.assert_allclose(leap.optimal, exact.optimal, rtol=1e-9)
    assert leap.explored.tolist() == exact.explored.tolist()


def test_the_trigger_stops_below_the_bound_on_every_kind_of_repeating_sets():
    for actions in ("list", {"name": "cycle", "sets": SETS}):
        instance = drawn(actions, norm=0.5)
        runs = simulate(instance, "adaptive-real", 1e12, [0], simulator="leap", step=0.05)
        bound = bounds(instance.problem(1e12, 0.05), [1e12])[0]
        assert 1000 < runs.explored[0, -1] < 0.1 * bound
        assert runs.explored[0, -1] < runs.explored[0, runs.t >= 1e9][0] * 1.2  # a logarithm of the rounds


def test_the_curvature_of_a_set_that_stays_is_that_of_its_best_arm():
    """On a list and on the whole sphere, by every simulator and after an exploration too: t/kappa_*."""
    for parameters in ({"arms": 9}, {"arms": 9, "grid": "sphere"}):
        instance = make_instance("same", "large-kappa-star", parameters)
        common = {"preset": "calibrated", "options": {"exploration_multiplier": 1e-3}, "simulator": "leap"}
        for name, arguments in (("real", common), ("oful-mlogb", {"simulator": "leap"})):
            runs = simulate(instance, name, 1e6, [0], **arguments)
            np.testing.assert_allclose(runs.optimal[0], runs.t / instance.constants["kappa_star"], rtol=1e-9)


def test_the_sphere_has_unit_vectors_to_start_from():
    with pytest.raises(InputError, match="arms of norm 1"):
        drawn("sphere")
    assert drawn("ball").actions == Ball()


def test_sets_by_hand():
    gaps = np.array([0.3, 0.0, 0.2, 0.1])
    stream = generator("test", 0, "sets")
    masks, which = Cycle(((0, 2), (1,))).offers(stream, 4, 3, gaps)
    assert masks.tolist() == [[True, False, True, False], [False, True, False, False]]
    assert which.tolist() == [1, 0, 1]  # rounds 4, 5, 6
    masks, which = Late(2, 5).offers(stream, 4, 3, gaps)
    assert masks[which].tolist() == [[True, False, True, False]] * 2 + [[True] * 4]
    masks, which = RandomSubsets(3).offers(stream, 1, 50, gaps)
    assert (masks.sum(axis=1) == 3).all()
    vectors, counts = Fresh(2, 5).vectors(stream, 400, 3)
    assert vectors.shape == (400, 5, 3)
    assert set(counts.tolist()) == {2, 3, 4, 5}
    assert np.linalg.norm(vectors, axis=2).max() <= 1


def test_fresh_vectors_do_not_hang_on_blocks():
    """The sets of the first rounds are the same whatever the horizon, as each round draws as many numbers."""
    once = Fresh(1, 3).vectors(generator("test", 1, "sets"), 30, 2)
    stream = generator("test", 1, "sets")
    parts = [Fresh(1, 3).vectors(stream, rounds, 2) for rounds in (7, 23)]
    for together, apart in zip(once, zip(*parts, strict=True), strict=True):
        np.testing.assert_array_equal(together, np.concatenate(apart))


@pytest.mark.parametrize("name", ["oful-mlogb", "rs-mnl", "adaptive-real", "eofd-mlogb", "mle-second-order"])
def test_fresh_vectors_that_repeat_a_list_are_the_list(name, monkeypatch):
    """With the arms of the list as the fresh vectors of every round, all indices are those of the list up to rounding."""
    monkeypatch.setattr(
        Fresh, "vectors", lambda self, stream, rounds, dim: (np.tile(LIST.arms, (rounds, 1, 1)), np.full(rounds, 9))
    )
    options = {"radius_multiplier": 0.1} | ({"exploration_multiplier": 0.01} if name == "adaptive-real" else {})
    common = {"horizon": 400, "runs": [0], "preset": "calibrated", "options": options}
    fresh = simulate(replace(LIST, actions={"name": "fresh", "least": 9, "most": 9}), name, **common)
    listed = simulate(LIST, name, **common)
    np.testing.assert_allclose(fresh.regret, listed.regret, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(fresh.optimal, listed.optimal, rtol=1e-9)


LIST = drawn("list").unit
