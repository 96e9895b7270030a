"""The exploration phase of Algorithm 1 at any length: its actions do not depend on outcomes, so only counts matter.

The arms' pulls come from the greedy rule itself (`design.greedy_pulls`), once for all runs; the outcomes of a run are one
multinomial draw per arm, and the estimate needs nothing else. Given the pulls this is exact in law, up to `JUST_BELOW` in a
chance.
"""

import math
from dataclasses import dataclass

import numpy as np

from mnlbandits.algorithms.base import ExplorationPlan
from mnlbandits.instances import Instance
from mnlbandits.learners.design import greedy_pulls
from mnlbandits.model.softmax import Array
from mnlbandits.simulators.leap import JUST_BELOW

RESOLUTION = 10**6
"""The greedy rule is followed pull by pull for 2 RESOLUTION rounds, then in steps of t / RESOLUTION pulls."""


@dataclass(frozen=True)
class Design:
    """Greedy exploration at the rounds `t` (M,).

    Attributes
    ----------
    pulls : (M, N) int64. matrix : A (d, d) at the last round. largest : (M,) max over arms of x^T A^-1 x.
    diameters : (M,) diam(Theta) = 2 theta_radius sqrt(largest), in closed form.
    excess : relative excess of the last `largest` over the smallest that any allocation of as many pulls can reach; it
        bounds the error made by steps of many pulls, as both designs lie between that value and their own.
    """

    t: Array
    pulls: Array
    matrix: Array
    largest: Array
    diameters: Array
    excess: float


def explore(arms: Array, plan: ExplorationPlan, stops: Array, resolution: int = RESOLUTION) -> Design:
    """Follow the greedy rule to the rounds `stops` (increasing, each at most tau), ending early at the plan's target."""
    stops = np.asarray(stops, dtype=np.int64)
    pulls = np.zeros((len(stops), len(arms)), dtype=np.int64)
    t, matrix, largest = greedy_pulls(arms.copy(), plan.kappa, plan.ridge, stops, plan.target, resolution, pulls)
    smallest = smallest_score(arms, plan, matrix, t[-1]) if t[-1] else largest[-1]
    excess = largest[-1] / smallest - 1 if smallest > 0 else math.inf
    return Design(t, pulls, matrix, largest, 2 * plan.theta_radius * np.sqrt(largest), float(excess))


def smallest_score(arms: Array, plan: ExplorationPlan, matrix: Array, t: int) -> float:
    """A lower bound of max_x x^T A'^-1 x over all allocations A' of t pulls, from the one with A = `matrix`.

    With M the mean of x x^T over the pulls of A, the largest score of A' is at least tr(A'^-1 M), which is convex in A', so
    at least its tangent at A, 2 tr(A^-1 M) - tr(A^-1 M A^-1 A'); and A' = lambda_0 I + (1/kappa) sum of t vectors x x^T.
    """
    inverse = np.linalg.inv(matrix)
    mean = (matrix - plan.ridge * np.eye(len(matrix))) * (plan.kappa / t)
    slope = inverse @ mean @ inverse
    steepest = ((arms @ slope) * arms).sum(axis=1).max()
    return float(2 * np.trace(inverse @ mean) - plan.ridge * np.trace(slope) - t / plan.kappa * steepest)


def draw_outcomes(instance: Instance, pulls: Array, generator: np.random.Generator) -> Array:
    """Outcome counts (N, K) int64 of `pulls` (N,): one multinomial draw per arm."""
    return generator.multinomial(pulls, JUST_BELOW * instance.probabilities)
