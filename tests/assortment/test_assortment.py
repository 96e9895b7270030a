"""Assortment bandits: against brute force and scipy, hand-worked cases, recorded rounds, and known faults of other code."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mnlbandits.assortment import algorithms
from mnlbandits.assortment.instances import AssortmentInstance, random_assortments
from mnlbandits.assortment.model import best_assortment, choice_probabilities, expected_revenue, kappa
from mnlbandits.assortment.simulate import play, random_gap, simulate
from mnlbandits.assortment.textbook import TEXTBOOK, Learner, best_of_all
from mnlbandits.errors import InputError
from mnlbandits.seeds import generator

GOLDEN = Path(__file__).parent / "golden.txt"
PAIRS = [(name, preset) for name in algorithms.TITLES for preset in algorithms.PRESETS]
both = pytest.mark.parametrize("name", algorithms.TITLES)
everywhere = pytest.mark.parametrize(("name", "preset"), PAIRS)


def best(utilities, revenues, size):
    offered = np.zeros(len(utilities), dtype=bool)
    value = best_assortment(
        np.array(utilities, dtype=float), np.array(revenues, dtype=float), size, np.empty((2, len(utilities))), offered
    )
    return value, np.flatnonzero(offered).tolist()


def one_round(instance, state, t, uniform):
    """Play round t; the outcome and the ratio after it."""
    sums = np.array([0.0, -1.0])
    weights = np.exp(instance.utilities)
    return play(state, t - 1, instance.theta, weights, instance.best_revenue, np.array([uniform]), sums), sums


def test_probabilities_by_hand():
    p = choice_probabilities([math.log(2), 5.0, math.log(3)], [True, False, True])
    assert p == pytest.approx([2 / 6, 0, 3 / 6, 1 / 6], rel=1e-12)  # rounding
    assert expected_revenue([math.log(2), 5.0, math.log(3)], [3, 100, 1], [True, False, True]) == pytest.approx(
        1.5, rel=1e-12
    )
    assert choice_probabilities([900.0, 900.0], [True, True]) == pytest.approx([0.5, 0.5, 0])


def test_kappa_bounds_every_pair_from_below():
    draw = generator("test", 0, "kappa").normal
    for _ in range(100):
        utilities = draw(size=4)
        utilities *= 1.5 / max(1.5, np.abs(utilities).max())
        p = choice_probabilities(utilities, np.ones(4, dtype=bool))
        assert kappa(4, 1.5) <= (p[:-1] * p[-1]).min()
    assert kappa(2, 1.0) == pytest.approx(math.exp(-1) / (1 + 2 * math.e) ** 2, rel=1e-12)


def test_best_assortment_against_all_sets():
    stream = generator("test", 0, "best")
    for case in range(100):
        utilities, revenues, size = 2 * stream.normal(size=7), stream.random(7) + 0.05, 1 + case % 4
        value, chosen = best(utilities, revenues, size)
        mask, exact = best_of_all(utilities, revenues, size)
        assert value == pytest.approx(exact, rel=1e-12)  # rounding
        assert chosen == np.flatnonzero(mask).tolist()


def test_best_assortment_by_hand():
    assert best([0, 0], [1, 0.4], 2)[1] == [0]  # 1/2 alone, 1.4/3 with the other
    assert best([0, 0], [1, 0.6], 2)[1] == [0, 1]  # 1.6/3
    assert best([1, 3, 2, 0], [1, 1, 1, 1], 2)[1] == [1, 2]  # equal revenues: the largest utilities
    assert best([1, 1, 1], [1, 1, 1], 2)[1] == [0, 1]  # ties: the lowest indices
    assert best([300, 300, 300], [1, 0.5, 0.5], 2) == (1.0, [0])  # r - v is rounding in the end
    assert best([1000, 2], [0.82, 0.95], 2) == (pytest.approx(0.95 / (1 + math.exp(-2))), [1])  # though the first is e^1000
    assert best([341, 154], [0.82, 0.95], 2) == (0.95, [1])
    assert best([2000, 1999], [1, 2], 1) == (pytest.approx(2), [1])  # no overflow


@pytest.mark.parametrize("equal", [True, False])
@everywhere
def test_twin(name, preset, equal):
    """120 states an algorithm and preset: 5 instances and 12 rounds for equal and for other revenues."""
    factor = 0.05 if preset == "calibrated" else 1.0
    for seed in range(5):
        instance = random_assortments("twin", 6, 2 + seed % 2, 2 + seed % 2, equal_revenues=equal, seed=seed)
        state = algorithms.start(instance, name, preset, 100, radius_multiplier=factor)
        book = TEXTBOOK[name](instance, preset, multiplier=factor)
        for t, uniform in enumerate(generator("test", seed, "twin").random(12), 1):
            index, revenue = book.index(t), best_of_all(book.index(t), book.r, book.K)[1]
            outcome, sums = one_round(instance, state, t, uniform)
            assert state.scores == pytest.approx(index, rel=0, abs=1e-6 * np.abs(index).max())
            assert expected_revenue(index, book.r, state.offered) >= revenue * (1 - 1e-6)
            book.update(t, state.offered.copy(), outcome)
            assert state.theta == pytest.approx(book.theta, rel=0, abs=1e-6)
            assert state.h == pytest.approx(book.H, rel=1e-6)
            assert sums[1] == pytest.approx(book.ratio(t, instance.theta), rel=1e-5, abs=1e-6)


@everywhere
def test_the_radius_moves_with_t_and_delta(name, preset):
    """D-15: a radius computed once at t = 1, and a delta that is dropped."""
    instance = random_assortments("radius")
    state, sure = (algorithms.start(instance, name, preset, 10, delta) for delta in (0.05, 1e-6))
    assert 0 < algorithms.radius(state, 1) < algorithms.radius(state, 10) < algorithms.radius(state, 1000)
    published = (name, preset) == ("ucb-mnl", "paper")  # its failure level is 1/t
    assert (
        algorithms.radius(sure, 10) == algorithms.radius(state, 10)
        if published
        else algorithms.radius(sure, 10) > algorithms.radius(state, 10)
    )


@both
def test_a_constraint_on_the_norm_itself(name):
    """D-15: ||theta|| is compared with B, not B^2, and the projected iterate is the one that is kept."""
    one = AssortmentInstance("one", np.array([0.3, 0.0]), np.eye(2), np.ones(2), 1, 0.3)
    state = algorithms.start(one, name, "calibrated", 1, radius_multiplier=1e-9)
    state = state._replace(h=1e-3 * np.eye(2)) if name == "ofu-mnl+" else state
    book = TEXTBOOK[name](one, "calibrated", multiplier=1e-9)
    book.H = state.h.copy()
    for t in range(1, 30):
        algorithms.choose(state, t)
        offered, outcome = state.offered.copy(), int(np.flatnonzero(state.offered)[0])
        algorithms.update(state, t, outcome)
        book.update(t, offered, outcome)
        assert np.linalg.norm(state.theta) <= 0.3 * (1 + 1e-12)
        assert state.theta == pytest.approx(book.theta, abs=1e-6)
    assert np.linalg.norm(state.theta) == pytest.approx(0.3, rel=1e-9)


def test_the_likelihood_estimate_after_ninety_per_cent_purchases():
    """The finite solution of its own score equation, with and without the outcome 'none' in the data."""
    wide = AssortmentInstance("wide", np.zeros(2), np.eye(2), np.ones(2), 1, 5.0)
    state = algorithms.start(wide, "ucb-mnl", "valid", 200)
    for t in range(1, 201):
        state.offered[:] = [True, False]
        algorithms.update(state, t, 2 if t % 10 == 0 else 0)
    residual = 200 / (1 + math.exp(-state.theta[0])) - 180 + kappa(1, 5.0) * state.theta[0]
    assert abs(residual) < 1e-9
    assert state.theta[0] == pytest.approx(math.log(9), rel=1e-4)
    assert state.known[0] == 1


def test_gradient_and_hessian_against_differences():
    instance = random_assortments("derivatives", 5, 3, 3)
    book, offered, h = Learner.__new__(Learner), np.array([True, False, True, True, False]), 1e-6
    book.x, book.d = instance.items, 3

    def loss(theta, outcome):
        return -math.log(choice_probabilities(book.x @ theta, offered)[outcome])

    for outcome in (0, 2, 5):
        slopes = [
            (loss(instance.theta + h * e, outcome) - loss(instance.theta - h * e, outcome)) / (2 * h) for e in np.eye(3)
        ]
        assert book.gradient(instance.theta, offered, outcome) == pytest.approx(slopes, abs=1e-8)
    rows = [
        (book.gradient(instance.theta + h * e, offered, 0) - book.gradient(instance.theta - h * e, offered, 0)) / (2 * h)
        for e in np.eye(3)
    ]
    assert book.hessian(instance.theta, offered) == pytest.approx(np.array(rows), abs=1e-8)


@both
def test_valid_sets_cover(name):
    runs = simulate(random_assortments("coverage"), name, "valid", 300, range(20))
    assert runs["worst"].max() <= 1


@both
def test_runs_do_not_depend_on_each_other(name):
    instance = random_assortments("runs")
    together, alone = (simulate(instance, name, "valid", 200, runs) for runs in (range(3), [2]))
    assert together[together["run"] == 2].reset_index(drop=True).equals(alone)


@both
def test_equal_items_and_a_single_item(name):
    single = AssortmentInstance("single", np.array([0.5]), np.ones((1, 1)), np.ones(1), 1, 1.0)
    assert simulate(single, name, "valid", 20, [0])["regret"].abs().max() < 1e-12
    equal = AssortmentInstance("equal", np.array([0.5]), np.ones((3, 1)), np.ones(3), 2, 1.0)
    assert simulate(equal, name, "valid", 20, [0])["regret"].abs().max() < 1e-12
    assert random_gap(equal) == pytest.approx(0, abs=1e-12)


def test_bad_instances_and_choices_are_named():
    good = random_assortments("good")
    for change in ({"size": 11}, {"theta": 2 * good.theta}, {"items": 2 * good.items}, {"revenues": -good.revenues}):
        with pytest.raises(InputError, match=next(iter(change))):
            replace(good, **change)
    with pytest.raises(InputError, match="preset"):
        algorithms.start(good, "ucb-mnl", "tuned", 10)


def trajectory(name, preset):
    """(algorithm, preset, t, set, outcome) of 50 rounds."""
    instance = random_assortments("golden", 8, 3, 3, equal_revenues=True)
    state = algorithms.start(instance, name, preset, 50, radius_multiplier=0.02)
    lines = []
    for t, uniform in enumerate(generator("test", 0, "golden").random(50), 1):
        outcome, _ = one_round(instance, state, t, uniform)
        lines.append(f"{name} {preset} {t} {'+'.join(map(str, np.flatnonzero(state.offered)))} {outcome}")
    return lines


@everywhere
def test_golden(name, preset):
    """`python tests/assortment/test_assortment.py` records the rounds anew; look at the difference before you commit it."""
    recorded = [line for line in GOLDEN.read_text().splitlines() if line.startswith(f"{name} {preset} ")]
    assert recorded == trajectory(name, preset)


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(line for pair in PAIRS for line in trajectory(*pair)) + "\n")
