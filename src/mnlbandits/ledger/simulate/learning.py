"""Algorithm 2 after the exploration: round by round, and in batches out to horizons of 1e22."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms import get_algorithm
from mnlbandits.instances import Instance, make_instance
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.model.softmax import Array, contrast_basis
from mnlbandits.simulators import exact
from mnlbandits.verify.horizon import play

STEP = 0.5
"""Share of information in a batch of `leap`; the reported error bound is added to the regret."""


class Round(NamedTuple):
    """A round t of learning: theta_t (K, d), and the `state` of REAL with the round's scores, theta_{t+1} and W_{t+1}."""

    t: int
    theta: Array
    state: object


def learning(instance: Instance, state: object, stream: np.random.Generator, rounds: int) -> Iterator[Round]:
    """Play the first rounds after the exploration, at whose end `state` is, one by one."""
    tally, basis = exact.new_tally(len(instance.arms)), contrast_basis(instance.outcomes)
    for t in range(state.tau + 1, state.tau + 1 + rounds):
        theta = basis @ state.learner.phi
        exact.advance(get_algorithm("real"), state, instance, stream, t - 1, t, tally)
        yield Round(t, theta, state)


def distance(instance: Instance, state: object) -> float:
    """||theta_* - theta_{t+1}||_{W_{t+1}}, the same with Wbar_{t+1}."""
    difference = (contrast_basis(instance.outcomes).T @ instance.theta - state.learner.phi).ravel()
    return math.sqrt(difference @ state.learner.w @ difference)


def example(
    outcomes: int = 3, dim: int = 2, norm: float = 2.0, reward_norm: float = 1.0, known: float = 2.0, arms: int = 24
) -> Instance:
    """The large-kappa_* example on a finite set of arms, dense around x_*, for a learner that knows S = `known`."""
    parameters = {"outcomes": outcomes, "dim": dim, "norm": norm, "reward_norm": reward_norm}
    name = f"K = {outcomes}, d = {dim}, ||theta_*|| = {norm:.4g}, S = {known:g}, R = {reward_norm:g}"
    grid = {"arms": 2 * (dim - 1) * arms + 1, "grid": "graded"}
    return replace(make_instance(name, "large-kappa-star", parameters | grid), norm_bound=known)


@cache
def learning_regret(horizon: float, **parameters: float) -> float:
    """Regret of REAL on an `example` after its exploration, paper's constants; error bounds added."""
    run = play(example(**parameters), "real", horizon, DELTA, STEP)
    explored = run.t <= run.tau
    total = run.regret[0] + run.error[0]
    return float(total[-1] - total[explored][-1])
