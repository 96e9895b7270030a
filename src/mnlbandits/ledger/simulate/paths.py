"""The learning phase of Algorithm 2 in batches, as a list of its plays."""

import itertools
import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms import Algorithm, get_algorithm
from mnlbandits.instances import Instance, Problem
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.constants import kappa_at_most
from mnlbandits.ledger.formulas.potentials import batches, polygon
from mnlbandits.ledger.formulas.regret import tau_of
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.ledger.simulate.learning import example
from mnlbandits.seeds import generator
from mnlbandits.simulators import leap
from mnlbandits.simulators.counts import explore
from mnlbandits.simulators.runs import LEAP_RESOLUTION, checkpoints

SHARPNESS = 1.0
"""By how much the two largest logits of an arm of a polygon exceed the others."""

LONG = 100
"""T/tau on polygons."""


class Path(NamedTuple):
    """Batches that REAL played after its exploration, on the arms of `instance`: (arm, plays) in turn."""

    instance: Instance
    steps: list[tuple[int, float]]


def path_of(outcomes: int, horizon: float) -> Path:
    """The learning phase of REAL to `horizon` rounds in batches, expected outcomes, at the paper's constants."""
    instance = example(outcomes)
    record = get_algorithm("real")
    state = record.begin(instance, instance.problem(horizon, DELTA), "paper", {})
    plan = record.exploration.plan(state)
    design = explore(instance.arms, plan, np.array([plan.tau]), LEAP_RESOLUTION)
    seen = np.rint(design.pulls[-1][:, None] * instance.probabilities).astype(np.int64)
    record.exploration.finish(state, design.matrix, seen)
    stops = np.append(0, checkpoints(1, horizon)[::-3][::-1])
    return Path(instance, plays_between(record, state, instance, state.tau, stops, drawn=False))


def plays_between(
    record: Algorithm, state: object, instance: Instance, start: float, stops: np.ndarray, drawn: bool
) -> list[tuple[int, float]]:
    """(arm, plays) from each number of rounds after round `start` to the next."""
    pulls, steps = np.zeros(len(instance.arms)), []
    stream = generator("claims path", 0, instance.name)
    for done, stop in itertools.pairwise(stops):
        before = pulls.copy()
        leap.follow(record, state, instance, start + done, np.array([stop - done]), pulls, 0.2, stream, drawn)
        steps += [(n, float(count)) for n, count in enumerate(pulls - before) if count > 0]
    return steps


def polygon_horizon(outcomes: int, norm: float) -> float:
    """T = `LONG` tau, the tau of Lemma 1 at this T, an upper bound of kappa and S = `norm`."""
    kappa, horizon = kappa_at_most(FLOATS, outcomes, norm), 1e10
    for _ in range(60):
        horizon = LONG * tau_of(FLOATS, 2 * outcomes, norm, horizon, kappa, DELTA)
    return horizon


def polygon_path(outcomes: int) -> Path:
    """REAL for T - tau rounds from theta_* on, in batches, on the arms of a polygon.

    For rho = (1, 0, 1, 0, ...) all of them are optimal. What tau is made of is not used, but in T.
    """
    theta, arms = polygon(outcomes, SHARPNESS)
    norm, rewards = float(np.linalg.norm(theta)), np.array([1.0, 0.0] * (outcomes // 2))
    instance = Instance(f"polygon {outcomes}", theta, arms, rewards, 1.001 * norm)
    horizon, record = polygon_horizon(outcomes, norm), get_algorithm("real")
    state = record.begin(instance, Problem(arms, rewards, norm, float(outcomes), 10**6, DELTA), "paper", {})
    truth, learner = state.learner.basis.T @ theta, state.learner
    learner.phi[:] = learner.centre[:] = truth
    learner.radius[0], state.learning[0] = math.inf, 1
    rounds = horizon - horizon / LONG
    stops = np.append(0, np.append(np.unique(np.rint(10 ** np.arange(0, math.log10(rounds), 1 / 3))), rounds))
    return Path(instance, plays_between(record, state, instance, horizon / LONG, stops, drawn=True))


def polygon_potential(outcomes: int) -> tuple[float, float]:
    """(Q_T over d log(1 + T/(lambda d)), T) along REAL's plays on a polygon, theta = theta_*, the paper's lambda."""
    path, ridge = polygon_path(outcomes), 288 * outcomes
    horizon = polygon_horizon(outcomes, float(np.linalg.norm(path.instance.theta)))
    potential = batches(FLOATS, path.instance.theta, path.instance.arms, path.steps, ridge)
    return potential / (2 * math.log1p(horizon / (2 * ridge))), horizon
