"""REAL with the constants of the mended Lemmas 1 and 2, in batches, with arms of any length and horizons of any size.

Arms of length X at ||theta_*|| are arms of length 1 at X ||theta_*|| with the ridges divided by X^2, so an instance is
stored like that. For large S fewer rounds are drawn, with the ridges and the squared radii in proportion: that adds noise,
and nothing else.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms import get_algorithm, real
from mnlbandits.algorithms.base import ExplorationPlan
from mnlbandits.instances import Instance, make_instance
from mnlbandits.learners.eigen import matrix_roots
from mnlbandits.learners.learner import LEARNT, make_learner
from mnlbandits.learners.radii import Radius
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.estimates import ridge_zero
from mnlbandits.ledger.formulas.mended import RADIUS_GROWTH, STEP_SIZE, learning_ridge, sigma_square_mended, tau_mended
from mnlbandits.ledger.formulas.radii import theta_root_mended
from mnlbandits.ledger.simulate.exploration import DELTA, estimate, examples
from mnlbandits.ledger.simulate.learning import STEP, distance
from mnlbandits.model.constants import mean_rewards
from mnlbandits.model.softmax import contrast_basis
from mnlbandits.seeds import generator
from mnlbandits.simulators import leap
from mnlbandits.simulators.counts import draw_outcomes, explore
from mnlbandits.textbook.solvers import mirror_descent

MOST_COUNTS = 10**12
"""Rounds of an exploration that are drawn as so many."""

THINNED = 1e4
"""S above which the rounds of learning are divided by (S/`THINNED`)^2, so that S^2 lambda stays far above their noise."""

ONE_ARM, FIRST = np.array([[1.0]]), np.array([1.0, 0.0])

FURTHEST = 1e12
"""Rounds of learning in units of lambda/X^2, beyond which W is too uneven to be inverted in floats."""

STOPS = 8
"""Rounds of learning, spread evenly in their logarithm, at which a run is looked at."""


class Stretched(NamedTuple):
    """An instance with ||theta_*|| raised to S = `norm` and its arms shortened as much, by the factor `reach`."""

    unit: Instance
    norm: float
    horizon: float

    @property
    def reach(self) -> float:
        return self.unit.norm_bound / self.norm

    @property
    def ridge(self) -> float:
        """lambda_0."""
        return ridge_zero(FLOATS, self.unit.outcomes, self.unit.dim, self.norm, self.horizon, DELTA)

    @property
    def learnt(self) -> float:
        """Rounds of learning that are played."""
        furthest = FURTHEST * learning_ridge(self.unit.outcomes, self.unit.dim) / self.reach**2
        return min(self.horizon - self.tau, furthest)

    @property
    def thin(self) -> float:
        """What the rounds of learning are divided by."""
        return max(1.0, (self.norm / THINNED) ** 2)

    @property
    def tau(self) -> float:
        """The length of the exploration."""
        K, d, kappa = self.unit.outcomes, self.unit.dim, self.unit.constants["kappa"]
        return math.ceil(tau_mended(FLOATS, K, d, self.norm, kappa, self.horizon, DELTA))

    def sigma(self, t: float) -> float:
        """The radius of round t."""
        return math.sqrt(sigma_square_mended(FLOATS, self.unit.outcomes, self.unit.dim, self.norm, t, DELTA))


def stretched(unit: Instance, norm: float) -> Stretched:
    """With a horizon of about 1e6 tau."""
    found = Stretched(unit, norm, 1e9)
    for _ in range(30):
        found = found._replace(horizon=1e6 * found.tau)
    return found


def short_arms() -> list[Stretched]:
    """Instances with S from 0.1 to 1e16, arms as long as 1 and as short as 1e-18."""
    lone = [
        Instance(f"K = 2, d = 1, S X = {size:g}", np.array([[1.0], [-1.0]]) * size / math.sqrt(2), ONE_ARM, FIRST, size)
        for size in (0.01, 0.1, 1.0)
    ]
    first, second, third = examples()
    many = make_instance("K = 6, d = 2", "random", {"outcomes": 6, "dim": 2, "norm": 0.5, "arms": 5})
    sizes = [(lone[1], 0.1), (lone[0], 1e2), (lone[0], 1e3), (lone[2], 1e8), (lone[0], 1e16), (first, 3.0), (first, 1e4)]
    return [stretched(*play) for play in (*sizes, (second, 1e8), (third, 1.0), (third, 1e12), (third, 1e16), (many, 1e6))]


class Reached(NamedTuple):
    """A run: distance over radius of Theta, largest distance over sigma, largest error of a mean reward over its bonuses."""

    theta: float
    distance: float
    bonus: float


def state_of(play: Stretched, stream: np.random.Generator) -> tuple[object, float]:
    """REAL at the end of its exploration, and ||theta_* - hat theta||_V over the radius of Theta."""
    unit, kappa = play.unit, play.unit.constants["kappa"]
    K, d, free, basis = unit.outcomes, unit.dim, (unit.outcomes - 1) * unit.dim, contrast_basis(unit.outcomes)
    scale = max(1.0, play.tau / MOST_COUNTS)
    ridge = play.ridge / play.reach**2 / scale
    radius = theta_root_mended(FLOATS, play.norm) * math.sqrt(play.ridge / scale)
    plan = ExplorationPlan(kappa, ridge, math.ceil(play.tau / scale), 0.0, radius)
    design = explore(unit.arms, plan, np.array([plan.tau]), 1000)
    centre = basis.T @ estimate(unit, draw_outcomes(unit, design.pulls[-1], stream), ridge)
    shape, off = np.kron(np.eye(K - 1), design.matrix), (basis.T @ unit.theta - centre).ravel()
    least, _ = mirror_descent(
        np.zeros(free),
        np.zeros(free),
        np.eye(free),
        1.0,
        centre.ravel(),
        shape / ridge,
        radius / math.sqrt(ridge),
    )
    learner = make_learner(
        basis, unit.arms, unit.rewards, learning_ridge(K, d) / play.reach**2 / play.thin, float(STEP_SIZE), radius
    )
    learner.centre[:], learner.phi[:], learner.counters[LEARNT] = centre, least.reshape(K - 1, d), play.tau / play.thin
    state = real.start(unit.problem(10**6, DELTA), "paper")._replace(
        learner=learner,
        sigma=Radius(
            play.thin**-0.5,
            0.0,
            play.sigma(0.0) ** 2,
            0.0,
            float(RADIUS_GROWTH) * free,
            play.thin / (learning_ridge(K, d) * free),
        ),
    )
    state.learning[0] = 1
    matrix_roots(design.matrix, learner.shape, state.values, state.vectors)
    return state, float(math.sqrt(off @ shape @ off) / radius)


def reached(play: Stretched, stream: np.random.Generator, constant: float = 1.0) -> Reached:
    """A run; what it is compared with, not what it plays with, is multiplied by `constant`."""
    unit, (state, theta) = play.unit, state_of(play, stream)
    record, truth, basis = get_algorithm("real"), unit.probabilities @ unit.rewards, contrast_basis(unit.outcomes)
    pulls, done, far, wrong = np.zeros(len(unit.arms)), 0.0, 0.0, 0.0
    start = play.tau / play.thin
    for stop in np.geomspace(10.0, play.learnt / play.thin, STOPS).round():
        leap.follow(record, state, unit, start + done, np.array([stop - done]), pulls, STEP / 2, stream, True)
        done = stop
        sigma = constant * play.sigma(play.thin * (start + stop))
        far = max(far, math.sqrt(play.thin) * distance(unit, state) / sigma)
        real.choose(state, start + stop + 1.0)
        here = mean_rewards(basis @ state.learner.phi, unit.arms, unit.rewards)
        wrong = max(wrong, float((np.abs(truth - here) / (state.learner.scores - here)).max()) / constant)
    return Reached(theta, far, wrong)


def reached_by(instances: Sequence[Stretched], runs: int, constant: float = 1.0) -> Iterator[tuple[Stretched, Reached]]:
    """`runs` runs of every instance."""
    for play in instances:
        stream = generator("claims mended", 0, f"{play.unit.name} {play.norm:g}")
        yield from ((play, reached(play, stream, constant)) for _ in range(runs))
