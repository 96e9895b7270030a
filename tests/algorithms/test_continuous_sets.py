"""The unit sphere and ball: every system that plays them against its textbook twin, which looks at a net of them."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from test_twins import ALGORITHMS, scores
from trajectories import multiplier_for, uniforms, unit_instance

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.base import UNABLE
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, Problem
from mnlbandits.learners.learner import make_learner, refresh
from mnlbandits.learners.optimistic_index import optimistic_arm
from mnlbandits.learners.radii import online_radius
from mnlbandits.model.softmax import softmax
from mnlbandits.simulators import simulate
from mnlbandits.textbook import TEXTBOOK

pytestmark = pytest.mark.xdist_group("continuum")

SYSTEMS = [name for name in ALGORITHMS if "continuous" in REGISTRY[name].kinds]

TOLERANCE = 1e-10
"""Of the index; both sides add up rounding errors of 1e-16 a round."""


def circle(count: int) -> np.ndarray:
    """Unit vectors of the plane."""
    angles = 2 * math.pi * np.arange(count) / count
    return np.column_stack([np.cos(angles), np.sin(angles)])


NETS = {"sphere": circle(120), "ball": np.vstack([length * circle(40) for length in (0.0, 0.3, 0.6, 0.9, 1.0)])}


def instance_on(sets: str, name: str, seed: int = 0, norm: float = 2.0) -> Instance:
    """An instance of the algorithm's setting in the plane."""
    outcomes = 3 if REGISTRY[name].setting.holds(np.zeros(3)) else 2
    return replace(unit_instance(outcomes, 2, seed, norm), actions=sets)


def options_for(name: str, problem: Problem) -> dict[str, float]:
    """Radii that let the vectors move; explorations last a few rounds."""
    explored = {"real": multiplier_for(problem, 7), "ofu-ecolog": 0.02, "adaptive-real": 0.0416}
    radius = 3.0 if name == "ofu-ecolog" else 0.1
    return {key: explored[name] if "exploration" in key else radius for key in REGISTRY[name].multipliers}


def play(
    name: str, instance: Instance, options: dict[str, Any], rounds: int, preset: str = "calibrated"
) -> Iterator[tuple[int, Any, int, int]]:
    """The rounds of a run, each before its outcome is learnt: t, the state, the arm, and the outcome."""
    algorithm = REGISTRY[name]
    state = algorithm.begin(instance, instance.problem(1e4, 0.05), preset, options)
    for t, uniform in enumerate(uniforms(instance, 0, rounds), start=1):
        arm = algorithm.choose(state, t)
        chances = np.cumsum(softmax(instance.theta @ state.arms[0]))[:-1]
        outcome = int(np.searchsorted(chances, uniform, side="right"))
        yield t, state, arm, outcome
        algorithm.update(state, t, arm, outcome)


@pytest.mark.parametrize("sets", NETS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_textbook_agrees(name, sets):
    """The index of the vector played, that no vector of a net is better by more than the certificate, and the ratio."""
    instance, algorithm = instance_on(sets, name), REGISTRY[name]
    problem = instance.problem(1e4, 0.05)
    net, options, vectors = np.vstack([np.eye(2), NETS[sets]]), options_for(name, problem), []
    book, checked = TEXTBOOK[name](replace(problem, arms=net), "calibrated", **options), None
    for t, state, arm, outcome in play(name, instance, options, 24):
        if checked is not None:
            assert algorithm.ratio(state, t - 1, instance.theta) == pytest.approx(checked, rel=1e-6, abs=1e-6)
        x = state.arms[0].copy()
        book.arms, book.offered = np.vstack([net, x]), np.ones(len(net) + 1, dtype=bool)
        row, index = int(np.flatnonzero((book.arms == x).all(axis=1))[0]), book.index(t)
        exploring = name == "real" and not state.learning[0]
        ours = (state.design_scores if exploring else scores(state))[arm]
        assert ours == pytest.approx(index[row], rel=TOLERANCE)
        assert index.max() <= ours * (1 + TOLERANCE) + state.search.certificate[0]
        book.update(t, row, outcome)
        checked = book.ratio(t, instance.theta)
        vectors.append(tuple(x))
    assert len(set(vectors)) > 10
    if algorithm.rounds_explored is not None:
        assert 2 <= algorithm.rounds_explored(state) <= 20


def test_the_sphere_is_the_limit_of_fine_lists():
    """Regret and ratio on a list of 4000 unit vectors, half a gap from the sphere's vectors at most."""
    sphere = instance_on("sphere", "glm-ucb")
    options = {"radius_multiplier": 0.1}
    runs = [
        simulate(instance, "glm-ucb", 150, range(3), preset="calibrated", options=options)
        for instance in (sphere, replace(sphere, arms=circle(4000), actions="list"))
    ]
    np.testing.assert_allclose(runs[0].regret[:, -1], runs[1].regret[:, -1], rtol=1e-3)
    np.testing.assert_allclose(runs[0].worst[:, -1], runs[1].worst[:, -1], rtol=1e-3)
    np.testing.assert_allclose(runs[0].optimal[:, -1], runs[1].optimal[:, -1], rtol=1e-4)


def test_the_index_of_the_sphere_is_the_limit_of_that_of_lists():
    """In every round of a run the index loses O(1/N^2) on N vectors, more or less by where they lie."""
    instance, losses = instance_on("sphere", "oful-mlogb"), []
    for t, state, _, _ in play("oful-mlogb", instance, {"radius_multiplier": 0.1}, 40):
        learner, losses = state.learner, [*losses, []]
        for count in (100, 1000, 10_000):
            listed = make_learner(learner.basis, circle(count), learner.rewards, 1.0, 1.0, 1.0)
            listed.phi[:], listed.w[:] = learner.phi, learner.w
            refresh(listed)
            arm = optimistic_arm(listed, online_radius(state.radius, t), None)
            losses[-1].append(learner.scores[0] - listed.scores[arm])
    assert np.min(losses) >= -1e-13
    largest = np.max(losses, axis=0)
    assert largest[0] > 1e-8
    assert (largest <= largest[0] / np.array([1, 5, 300])).all()


@pytest.mark.parametrize("seed", range(3))
def test_oful_mlogb_is_the_binary_one(seed):
    """At K = 2, from the same rounds, the same estimate and, with a small radius, the same vector.

    Both indices are monotone in x^T b + r ||x||_{H^-1} up to O(r^2); one is searched, the other has a closed form.
    """
    instance, options = instance_on("sphere", "oful-mlogb-binary", seed), {"radius_multiplier": 1e-3}
    binary, sign = REGISTRY["oful-mlogb-binary"], 1 if instance.rewards.argmin() == 0 else -1
    twin = binary.begin(instance, instance.problem(1e4, 0.05), "calibrated", options)
    for t, state, arm, outcome in play("oful-mlogb", instance, options, 30):
        rows = state.learner.basis @ state.learner.phi
        np.testing.assert_allclose(sign * (rows[1] - rows[0]), twin.learner.b, rtol=0, atol=1e-10)
        binary.choose(twin, t)
        if t > 1:
            np.testing.assert_allclose(twin.arms, state.arms, atol=1e-3)
        twin.arms[:] = state.arms
        binary.update(twin, t, arm, outcome)


@pytest.mark.parametrize("sets", NETS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_corners(name, sets):
    """Vectors of the set and numbers, where logits saturate or vanish, rewards are equal, or there is one feature."""
    outcomes = len(instance_on(sets, name).rewards)
    for dim, norm, spread in ((2, 1e-6, 1.0), (2, 300.0, 1.0), (2, 1.0, 0.0), (1, 1.0, 1.0)):
        drawn = unit_instance(outcomes, dim, 0, norm)
        instance = Instance("corner", drawn.theta, drawn.arms, spread * drawn.rewards, norm, actions=sets)
        for _, state, arm, _ in play(name, instance, {}, 12, "valid"):
            length = np.linalg.norm(state.arms[0])
            assert length == pytest.approx(1, abs=1e-12) or (sets == "ball" and length < 1)
            assert state.search.certificate[0] >= 0
            assert np.isfinite(scores(state)[arm if len(scores(state)) > arm else 0])


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name not in SYSTEMS])
def test_the_others_say_why_they_refuse(name):
    with pytest.raises(InputError) as caught:
        simulate(instance_on("ball", name), name, 10, [0], preset="valid")
    assert UNABLE["continuous"] in str(caught.value)
