"""The bracket of the most optimistic reward, against local searches and the one case that is a convex program."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from trajectories import unit_instance

from mnlbandits.algorithms import REGISTRY
from mnlbandits.errors import InputError
from mnlbandits.model.softmax import log_softmax, softmax
from mnlbandits.seeds import generator
from mnlbandits.verify.bracket import largest_on_segment, reward_bracket


def example(seed, pulls=12):
    """A problem for three outcomes and the counts of some pulls of every arm."""
    instance = unit_instance(3, 2, seed, arms=4)
    draws = generator("test", seed, "bracket")
    counts = np.array([draws.multinomial(pulls, p) for p in instance.probabilities], dtype=float)
    return instance.problem(1e4, 0.05), counts


def local_maxima(problem, counts, arm, square, starts=12):
    """The best mean reward that SLSQP reaches within the set from random starts."""
    S, x, shape = problem.norm_bound, problem.arms[arm], (3, problem.dim)

    def L(v):
        return -(counts * log_softmax(problem.arms @ v.reshape(shape).T)).sum()

    ball = {"type": "ineq", "fun": lambda v: S**2 - v @ v}
    fit = minimize(L, np.zeros(6), method="SLSQP", constraints=[ball], options={"ftol": 1e-14, "maxiter": 500}).x
    inside = {"type": "ineq", "fun": lambda v: L(fit) + square - L(v)}
    best = -np.inf
    for start in generator("test", arm, "bracket-starts").standard_normal((starts, 6)):
        found = minimize(
            lambda v: -softmax(v.reshape(shape) @ x) @ problem.rewards,
            fit + 0.3 * start,
            method="SLSQP",
            constraints=[ball, inside],
            options={"ftol": 1e-12, "maxiter": 300},
        ).x
        if inside["fun"](found) > -1e-7 and ball["fun"](found) > -1e-7:
            best = max(best, softmax(found.reshape(shape) @ x) @ problem.rewards)
    return best


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("square", [0.5, 4.0])
def test_bracket_holds_the_best_local_maximum(seed, square):
    problem, counts = example(seed)
    bounds = reward_bracket(problem, counts, seed, square)
    best = local_maxima(problem, counts, seed, square)
    assert bounds.lower - 1e-6 <= best <= bounds.upper + 1e-6
    assert 0 <= bounds.gap <= 2e-3 * problem.rewards.max()
    assert reward_bracket(problem, counts, seed, square, directions=256).gap <= 0.5 * bounds.gap + 1e-9


def test_bracket_holds_the_exact_maximum_for_one_high_reward():
    problem, counts = example(0)
    problem = replace(problem, rewards=np.array([0.2, 0.9, 0.2]))
    algorithm = REGISTRY["improved-mnl-ucb-plus"]
    state = algorithm.start(problem, "valid")
    for arm in range(len(counts)):
        for outcome in range(3):
            state.region.data.counts[outcome, arm] = counts[arm, outcome]
    algorithm.update(state, int(counts.sum()) + 1, 0, 0)
    counts[0, 0] += 1
    algorithm.choose(state, int(counts.sum()) + 1)
    for arm in range(len(counts)):
        bounds = reward_bracket(problem, counts, arm, state.region.square[0])
        assert bounds.lower - 1e-8 <= 0.2 + state.scores[arm] <= bounds.upper + 1e-8  # scores are those of rho - min rho


def test_largest_on_segment_is_that_of_a_fine_grid():
    draws = generator("test", 0, "segments")
    for _ in range(200):
        start, stop = 4 * draws.standard_normal((2, 3))
        start, stop, rewards = start - start.mean(), stop - stop.mean(), draws.random(3)
        grid = softmax(start + np.linspace(0, 1, 2001)[:, None] * (stop - start)) @ rewards
        best = largest_on_segment(start, stop, rewards)
        assert grid.max() - 1e-12 <= best <= grid.max() + 1e-4


def test_bracket_needs_three_outcomes():
    with pytest.raises(InputError):
        reward_bracket(unit_instance(2, 2).problem(1e4, 0.05), np.ones((7, 2)), 0, 1.0)
