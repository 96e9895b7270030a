"""Regret on the sphere and ball: against the best vector of the whole set."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from mnlbandits.algorithms import Algorithm
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, make_instance
from mnlbandits.instances.families import random_instance
from mnlbandits.model.constants import relative
from mnlbandits.model.softmax import softmax
from mnlbandits.seeds import generator
from mnlbandits.simulators import simulate
from mnlbandits.simulators.best_vector import with_best_vector

pytestmark = pytest.mark.xdist_group("continuum")


def on(sets: str, outcomes: int, dim: int, seed: int = 0) -> Instance:
    """A random instance with five unit vectors as examples, none of them the best."""
    drawn = random_instance("best", outcomes, dim, 3.0, 5, seed=seed)
    arms = drawn.arms / np.linalg.norm(drawn.arms, axis=1, keepdims=True)
    return Instance("best", drawn.theta, arms, drawn.rewards, 3.0, actions=sets)


def means(instance: Instance, x: np.ndarray) -> np.ndarray:
    """The mean of rho - min rho of every row of x."""
    return softmax(x @ instance.theta.T) @ relative(instance.rewards)


@pytest.mark.parametrize("sets", ["sphere", "ball"])
@pytest.mark.parametrize(("outcomes", "dim"), [(2, 2), (3, 2), (5, 2), (3, 3)])
def test_nothing_on_a_grid_is_better_than_the_best_vector(outcomes, dim, sets):
    instance = with_best_vector(on(sets, outcomes, dim, outcomes))
    draw = generator("test", 0, "grid")
    grid = draw.standard_normal((200_000, dim))
    grid /= np.linalg.norm(grid, axis=1, keepdims=True)
    if sets == "ball":
        grid *= draw.uniform(size=(200_000, 1)) ** (1 / dim)
    best, largest = means(instance, instance.arms[:1])[0], means(instance, grid).max()
    assert instance.gaps.argmin() == 0
    assert largest <= best + 1e-12
    assert largest >= best - (1e-3 if dim == 3 or sets == "ball" else 1e-7)
    assert 0 <= instance.discretisation_error <= (1e-5 if dim == 3 else 1e-8)
    assert with_best_vector(instance).gaps.min() == 0


def test_families_on_the_sphere_have_their_best_vector():
    """Theirs is in closed form, the difference of two rows of M."""
    instance = make_instance("circle", "large-kappa-star", {"arms": 7, "grid": "sphere"})
    best = instance.arms[instance.gaps.argmin()]
    np.testing.assert_allclose(with_best_vector(instance).arms[0], best, atol=1e-7)


class Still(NamedTuple):
    """It plays one vector for ever."""

    arms: np.ndarray
    search: np.ndarray
    pulls: np.ndarray


def still(x: list[float]) -> Algorithm:
    """An algorithm in plain NumPy for a sphere or ball."""

    def start(problem, preset):
        assert problem.arms.shape == (1, problem.dim)
        return Still(problem.arms.copy(), np.zeros(1), np.zeros(problem.outcomes))

    def choose(state, t):
        state.arms[0] = x
        return 0

    def update(state, t, arm, outcome):
        state.pulls[outcome] += 1

    return Algorithm("still", "still", "test", Still, ("none",), start, choose, update)


@pytest.mark.parametrize(("sets", "x"), [("sphere", [0.6, 0.8]), ("ball", [0.3, -0.1]), ("ball", [0.0, 0.0])])
def test_regret_is_what_the_best_vector_gives_more(register, sets, x):
    register(still(x))
    instance = on(sets, 2, 2)
    runs = simulate(instance, "still", 1000, [0, 1], preset="none")
    b = instance.theta[instance.rewards.argmax()] - instance.theta[instance.rewards.argmin()]
    best = b / np.linalg.norm(b)
    expected = means(instance, np.array([best])) - means(instance, np.array([x]))
    np.testing.assert_allclose(runs.regret, runs.t * np.ones((2, 1)) * expected, rtol=1e-11)
    slope = replace(instance, arms=best[None]).inverse_kappa_stars
    np.testing.assert_allclose(runs.optimal, runs.t * np.ones((2, 1)) * slope, rtol=1e-11)


@pytest.mark.parametrize(("sets", "x"), [("sphere", [0.6, 0.7]), ("ball", [0.8, 0.7]), ("ball", [np.nan, 0.0])])
def test_a_vector_that_is_not_in_the_set(register, sets, x):
    register(still(x))
    with pytest.raises(InputError, match="a vector of the set"):
        simulate(on(sets, 2, 2), "still", 10, [0], preset="none")
