"""Helpers: small instances, and one round of a registered algorithm at a time through the simulator's own compiled loop."""

import math
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from mnlbandits.algorithms import Algorithm, get_algorithm
from mnlbandits.instances import Instance, Problem
from mnlbandits.instances.families import random_instance
from mnlbandits.learners.learner import PROJECTED
from mnlbandits.model.constants import relative
from mnlbandits.model.softmax import softmax
from mnlbandits.seeds import generator
from mnlbandits.simulators.exact import loop_of
from mnlbandits.textbook import TEXTBOOK
from mnlbandits.textbook.real import Real

ALWAYS_0, ALWAYS_1 = 0.0, 1 - 1e-15
"""Uniforms that force the first or the last outcome."""


def in_one_group(*argvalues: tuple) -> list:
    """Parameters whose first is an algorithm's name, marked so that one worker compiles that algorithm and runs them all."""
    return [pytest.param(*values, marks=pytest.mark.xdist_group(values[0])) for values in argvalues]


@cache
def unit_instance(outcomes: int, dim: int, seed: int = 0, norm: float = 2.0, arms: int = 7) -> Instance:
    """A random instance whose arms all have norm 1: no arm wins by its length, so the choices move."""
    name = f"unit-{outcomes}-{dim}-{seed}"
    drawn = random_instance(name, outcomes, dim, norm, arms, seed=seed)
    arms_on_sphere = drawn.arms / np.linalg.norm(drawn.arms, axis=1, keepdims=True)
    return Instance(name, drawn.theta, arms_on_sphere, drawn.rewards, norm)


def uniforms(instance: Instance, seed: int, rounds: int) -> np.ndarray:
    """The uniforms of a test, shape (rounds,)."""
    return generator("test", seed, instance.name).random(rounds)


Offer = tuple[np.ndarray, np.ndarray]
"""What a round offers: arms (N, d) and which of them, (N,) bool."""

SETS = {
    "random-subsets": {"size": 3},
    "cycle": {"sets": [[0, 1, 2], [2, 3, 4], [1, 4]]},
    "late": {"best": 2, "until": 12},
    "fresh": {"least": 1, "most": 5},
}
"""Action sets that change, for instances with five arms, by name."""


def on_sets(instance: Instance, name: str) -> Instance:
    """An instance with five arms on one of `SETS`."""
    return replace(instance, actions={"name": name} | SETS[name])


def offers(instance: Instance, rounds: int) -> list[Offer]:
    """What the first rounds of an instance whose sets change offer."""
    actions, stream, count = instance.actions, generator("test", 0, f"sets {instance.name}"), len(instance.arms)
    if actions.kind == "subsets":
        masks, which = actions.offers(stream, 1, rounds, instance.gaps)
        return [(instance.arms, masks[row]) for row in which]
    vectors, counts = actions.vectors(stream, rounds, instance.dim)
    offered = np.arange(count) < counts[:, None]
    return [(arms * mask[:, None], mask) for arms, mask in zip(vectors, offered, strict=True)]


def multiplier_for(problem: Problem, rounds: int) -> float:
    """`exploration_multiplier` with which REAL explores arms of norm 1 for about `rounds` rounds.

    diam(Theta) = 2 m 84 sqrt(lambda_0) max ||x||_{A^-1} has to fall to 1/sqrt(6), and x^T A^-1 x is about
    1 / (lambda_0 + rounds / (d kappa)).
    """
    growth = 1 + rounds / (problem.dim * problem.kappa * Real(problem).lambda_0)
    return math.sqrt(growth / 6) / 168


@dataclass
class Run:
    """One run of a compiled algorithm, round by round; `ratio` is that of its confidence set after the last round."""

    instance: Instance
    algorithm: Algorithm
    state: Any
    t: int = 0
    regret: float = 0.0
    ratio: float = -1.0
    arms: list[int] = field(default_factory=list)

    @classmethod
    def begin(cls, instance: Instance, name: str, preset: str, options: dict[str, Any], horizon: float = 1e4) -> "Run":
        algorithm = get_algorithm(name)
        return cls(instance, algorithm, algorithm.begin(instance, instance.problem(horizon, 0.05), preset, options))

    def outcome(self, arm: int, uniform: float) -> int:
        """The inverse of the arm's cumulative probabilities."""
        cumulative = np.cumsum(self.instance.probabilities[arm])[:-1]
        return int(np.searchsorted(cumulative, uniform, side="right"))

    def round(self, uniform: float, cumulative: np.ndarray | None = None) -> tuple[int, int]:
        """Play one round, with the instance's or other cumulative probabilities (N, K); its arm and outcome."""
        if cumulative is None:
            cumulative = np.cumsum(self.instance.probabilities, axis=1)
        pulls, worst = np.zeros(len(self.instance.arms), dtype=np.int64), np.array([-math.inf])
        loop = loop_of(self.algorithm)
        arm = loop(self.state, self.t, self.instance.theta.copy(), cumulative, np.array([uniform]), pulls, worst)
        self.t += 1
        self.ratio = worst[0]
        self.regret += self.instance.gaps[arm]
        self.arms.append(arm)
        return arm, self.outcome(arm, uniform)

    def round_on(self, offer: Offer, uniform: float) -> tuple[int, int]:
        """`round` on a set of arms, for an instance whose sets change."""
        kind, (arms, offered) = self.instance.actions.kind, offer
        theta, rewards, draws = self.instance.theta.copy(), relative(self.instance.rewards), np.array([uniform])
        worst, pulls, regret, optimal = np.array([-math.inf]), np.zeros(len(arms), dtype=np.int64), np.zeros(1), np.zeros(1)
        loop, probabilities = loop_of(self.algorithm, kind), softmax(arms @ theta.T)
        means = np.where(offered, probabilities @ rewards, -math.inf)
        if kind == "subsets":
            cumulative, first = np.cumsum(probabilities, axis=1), np.zeros(1, dtype=np.int64)
            worth = self.instance.gaps, self.instance.inverse_kappa_stars
            arm = loop(self.state, self.t, theta, cumulative, draws, offered[None], first, *worth, pulls, worst, optimal)
        else:
            vectors, count, p = arms[None], np.array([offered.sum()]), np.zeros(len(rewards))
            arm = loop(self.state, self.t, theta, rewards, 1.0, draws, vectors, count, p, regret, worst, optimal)
        self.t += 1
        self.ratio = worst[0]
        self.regret += means.max() - means[arm]
        self.arms.append(arm)
        return arm, int(np.searchsorted(np.cumsum(probabilities[arm])[:-1], uniform, side="right"))


def side_by_side(
    instance: Instance, name: str, preset: str, options: dict, rounds: int, tolerance: float
) -> tuple[Run, Any]:
    """Play both on the same uniforms; the compiled run and the textbook's state at the end."""
    run = Run.begin(instance, name, preset, options)
    book = TEXTBOOK[name](instance.problem(1e4, 0.05), preset, **options)
    for uniform in uniforms(instance, 1, rounds):
        index = book.index(run.t + 1)
        arm, outcome = run.round(uniform)
        assert np.abs(run.state.scores - index).max() <= tolerance * np.abs(index).max(), f"round {run.t}"
        book.update(run.t, arm, outcome)
        assert run.ratio == pytest.approx(book.ratio(run.t, instance.theta), rel=1e-5, abs=1e-6)
    return run, book


def assert_scores(ours: np.ndarray, exact: np.ndarray, outcomes: int, tolerance: float) -> None:
    """The optimistic rewards; for K > 3 the kernel leaves an upper bound where that is enough to rule an arm out."""
    equal = np.abs(ours - exact) <= tolerance * np.abs(exact).max()
    ruled_out = (ours > exact) & (ours < exact.max())
    assert (equal | ruled_out if outcomes > 3 else equal).all(), np.abs(ours - exact).max()


def theta_and_matrix(run: Run, book: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """Estimate and matrix of a run and of its textbook twin, in the same coordinates.

    REAL's reduced coordinates are theta = Q phi with an orthonormal basis Q of 1^perp, so the reduced W is the textbook's
    (Kd, Kd) matrix between the columns of Q (x) I.
    """
    learner = run.state.learner
    if run.algorithm.name == "oful-mlogb":
        return [(learner.phi, book.beta), (learner.w, book.H)]
    lift = np.kron(learner.basis, np.eye(run.instance.dim))
    return [(learner.basis @ learner.phi, book.theta), (learner.w, lift.T @ book.W @ lift)]


@dataclass
class SideBySide:
    """A compiled run and its textbook version, fed the same outcomes and compared after every round."""

    run: Run
    book: Any
    tolerance: float

    @classmethod
    def begin(
        cls, instance: Instance, name: str, preset: str, options: dict[str, Any], tolerance: float, horizon: float = 1e4
    ) -> "SideBySide":
        run = Run.begin(instance, name, preset, options, horizon)
        return cls(run, TEXTBOOK[name](instance.problem(horizon, 0.05), preset, **options), tolerance)

    def skip_exploration(self, t: int, design: np.ndarray, counts: np.ndarray) -> None:
        """Put both at the end of an exploration of t rounds."""
        self.run.algorithm.exploration.finish(self.run.state, design, counts)
        self.run.t = t
        self.book.V = np.kron(np.eye(self.run.instance.outcomes), design)
        self.book.counts[:] = counts
        self.book.begin_learning()
        self.compare_estimates()

    def play(self, stream: np.ndarray) -> None:
        """Play a round per uniform of the stream; the same arm in every round, then the same state."""
        for uniform in stream:
            expected = self.book.choose(self.run.t + 1)
            rewards = self.book.index(self.run.t + 1) if self.learning else None
            arm, outcome = self.run.round(uniform)
            assert arm == expected, f"round {self.run.t}"
            if rewards is not None:
                assert_scores(self.run.state.learner.scores, rewards, self.run.instance.outcomes, self.tolerance)
            self.book.update(self.run.t, arm, outcome)
            self.compare_estimates()
            ratio = self.book.ratio(self.run.t, self.run.instance.theta)
            self.equal(np.array([self.run.ratio]), np.array([ratio]), "ratio of the confidence set")

    @property
    def learning(self) -> bool:
        """Whether there is an estimate yet."""
        return self.run.algorithm.name != "real" or self.book.Theta is not None

    def compare_estimates(self) -> None:
        """The same phase, estimate and matrix."""
        if self.run.algorithm.name == "real":
            assert bool(self.run.state.learning[0]) == self.learning, f"phase after round {self.run.t}"
        if self.learning:
            for what, (ours, theirs) in zip(("estimate", "W"), theta_and_matrix(self.run, self.book), strict=True):
                self.equal(ours, theirs, what)
            assert self.run.state.learner.counters[PROJECTED] == self.book.projections, (
                f"projections after round {self.run.t}"
            )

    def equal(self, ours: np.ndarray, theirs: np.ndarray, what: str) -> None:
        """Within the tolerance, relative to the largest entry."""
        error, size = np.abs(ours - theirs).max(), np.abs(theirs).max()
        assert error <= self.tolerance * size, f"{what} after round {self.run.t}: {error:.1e} of {size:.1e}"
