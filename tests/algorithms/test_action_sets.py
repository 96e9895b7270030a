"""Sets of arms that change: every system that plays them against its textbook twin, and the others' reasons."""

import numpy as np
import pytest
from test_twins import ALGORITHMS, scores
from trajectories import SETS, Run, in_one_group, offers, on_sets, uniforms, unit_instance

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.base import UNABLE
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.instances.action_sets import KINDS
from mnlbandits.learners.binary_mle import MOVED
from mnlbandits.seeds import generator
from mnlbandits.textbook import TEXTBOOK

ROUNDS = 30

TOLERANCE = 1e-10
"""Of the largest score; both sides add up rounding errors of 1e-16 a round."""

PRESETS = [(name, "calibrated") for name in ALGORITHMS] + [("ada-ofu-ecolog", "paper"), ("improved-mnl-ucb-plus", "paper")]
"""Small radii let the choices move; the last two have steps of their own."""


def instance_for(name: str, sets: str) -> Instance:
    """An instance of the algorithm's setting on such sets."""
    three, two = unit_instance(3, 2, 0, arms=5), unit_instance(2, 2, 0, arms=5)
    return on_sets(three if REGISTRY[name].setting.holds(three.rewards) else two, sets)


def certified(state) -> float:
    """What a program's search may leave of the index by its own certificate, 0 if there is none."""
    return state.certificate[0] if hasattr(state, "certificate") else 0.0


PLAYED = [
    (name, preset, sets)
    for name, preset in PRESETS
    for sets in SETS
    if instance_for(name, sets).actions.kind in REGISTRY[name].kinds
]


@pytest.mark.parametrize(("name", "preset", "sets"), in_one_group(*PLAYED))
def test_the_textbook_plays_the_same(name, preset, sets):
    """The same arm in every round, the index of every arm on offer, and the ratio of the confidence set."""
    algorithm, instance = REGISTRY[name], instance_for(name, sets)
    options = dict.fromkeys(algorithm.multipliers, 0.1) if preset == "calibrated" else {}
    own = {"generator": generator(name, 0, instance.name)} if algorithm.randomised else {}
    run = Run.begin(instance, name, preset, options)
    book, played = TEXTBOOK[name](instance.problem(1e4, 0.05), preset, **own, **options), set()
    for offer, uniform in zip(offers(instance, ROUNDS), uniforms(instance, 0, ROUNDS), strict=True):
        book.arms, book.offered = offer
        index, expected = book.index(run.t + 1), book.choose(run.t + 1)
        arm, outcome = run.round_on(offer, uniform)
        assert arm == expected
        error, size = np.abs(scores(run.state) - index)[book.offered].max(), np.abs(index[book.offered]).max()
        assert error <= TOLERANCE * size + certified(run.state), f"round {run.t}: {error:.1e}"
        book.update(run.t, arm, outcome)
        assert run.ratio == pytest.approx(book.ratio(run.t, instance.theta), rel=1e-6, abs=1e-6)
        played.add(arm)
    assert len(played) > 1 or preset == "paper"


@pytest.mark.parametrize("name", REGISTRY)
def test_a_refusal_has_a_reason(name):
    """The error gives it, and it is not that of an algorithm which nobody thought of."""
    algorithm = REGISTRY[name]
    for sets in SETS:
        instance = instance_for(name, sets)
        kind = instance.actions.kind
        assert (kind in algorithm.kinds) == (algorithm.refusal(kind) == "")
        if kind in algorithm.kinds:
            continue
        assert algorithm.refusal(kind) != UNABLE[kind]
        with pytest.raises(InputError) as caught:
            Run.begin(instance, name, algorithm.presets[-1], {})
        assert algorithm.refusal(kind) in str(caught.value)


@pytest.mark.parametrize("name", REGISTRY)
def test_what_is_refused_is_not_played(name):
    algorithm = REGISTRY[name]
    assert set(algorithm.refuses) <= set(KINDS)
    assert not set(algorithm.refuses) & set(algorithm.kinds)


@pytest.mark.parametrize("sets", SETS)
@pytest.mark.parametrize("name", ["uniform", "oracle"])
def test_yardsticks(name, sets):
    """Uniform play plays every arm of a set as often, up to the few rounds; the oracle has no regret."""
    instance, rounds = on_sets(unit_instance(3, 2, 0, arms=5), sets), 600
    run, expected, pulls = Run.begin(instance, name, "none", {}), np.zeros(5), np.zeros(5)
    for offer, uniform in zip(offers(instance, rounds), uniforms(instance, 0, rounds), strict=True):
        arm, _ = run.round_on(offer, uniform)
        expected += offer[1] / offer[1].sum()
        pulls[arm] += 1
    if name == "oracle":
        assert run.regret <= 1e-12
    else:
        np.testing.assert_allclose(pulls, expected, atol=0.04 * rounds)


@pytest.mark.parametrize("sets", ["cycle", "fresh"])
def test_limits_of_vectors_that_come_once(sets):
    """Logistic-UCB-2 where its limits bind: with fresh vectors every round has one of its own.

    The interior-point method stops at 1e-8 standard errors, SLSQP at about 1e-8 of the objective.
    """
    name, options, instance = "logistic-ucb-2", {"radius_multiplier": 0.03}, instance_for("logistic-ucb-2", sets)
    run = Run.begin(instance, name, "calibrated", options)
    book = TEXTBOOK[name](instance.problem(1e4, 0.05), "calibrated", **options)
    for offer, uniform in zip(offers(instance, ROUNDS), uniforms(instance, 0, ROUNDS), strict=True):
        book.arms, book.offered = offer
        index, expected = book.index(run.t + 1), book.choose(run.t + 1)
        arm, outcome = run.round_on(offer, uniform)
        assert arm == expected
        np.testing.assert_allclose(scores(run.state)[book.offered], index[book.offered], rtol=1e-8)
        book.update(run.t, arm, outcome)
    assert run.state.learner.counters[MOVED] == book.moved > 10
    assert np.isfinite(run.state.limits).sum() == (ROUNDS if sets == "fresh" else len(set(run.arms)))


def test_no_list_of_exceptions_needs_no_memory():
    """The valid preset has none: fresh vectors for a billion rounds; the paper's keeps a row for every round."""
    instance = instance_for("ada-ofu-ecolog", "fresh")
    Run.begin(instance, "ada-ofu-ecolog", "valid", {}, horizon=1e9)
    with pytest.raises(InputError, match="horizon"):
        Run.begin(instance, "ada-ofu-ecolog", "paper", {}, horizon=1e9)
