"""Log-loss sets {||phi|| <= bound, F(phi) <= min F + excess} with F = L + ridge/2 ||.||^2."""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import Data, loss, make_data
from mnlbandits.learners.linalg import cut_by_ball
from mnlbandits.learners.mle import minimise
from mnlbandits.learners.reference import norm
from mnlbandits.model.softmax import Array


class LogLossSet(NamedTuple):
    """The set, what it is made from, and where the last searches ended; arrays are changed in place."""

    data: Data
    dual: Array  # (K-1, K): phi = dual theta
    bound: float  # on ||phi||_F
    estimate: Array  # (K-1, d) minimiser of F over the ball
    trial: Array  # (K-1, d) working memory
    untilted: Array  # (D,) zeros
    ridge: Array  # (1,)
    lowest: Array  # (1,) F at the estimate that the radius is about
    square: Array  # (1,) beta_t^2
    excess: Array  # (2,) min of F over the ball, and how much F may exceed it within the set
    corners: Array  # (N, K-1, d) the maximiser over the ball alone, of every arm
    points: Array  # (N, K-1, d) that over the set at the last choice
    multipliers: Array  # (N, 1) tau: F increases by tau times the objective there
    counters: Array  # (2,) int64: programs solved, how many of them needed the path
    gap: Array  # (1,) duality gap of the last program
    p: Array  # (K,)
    vectors: Array  # (6, D)
    matrices: Array  # (2, D, D)


def make_set(problem: Problem, basis: Array, bound: float, data: str, outcome: int) -> LogLossSet:
    """A set without data and radius, in coordinates `basis` (K, K-1), to maximise the probability of `outcome`."""
    (outcomes, free), (count, dim) = basis.shape, problem.arms.shape
    centred = np.eye(outcomes) - 1 / outcomes
    region = LogLossSet(
        data=make_data(problem, basis, data),
        dual=np.ascontiguousarray(np.linalg.pinv(centred @ basis) @ centred),
        bound=float(bound),
        estimate=np.zeros((free, dim)),
        trial=np.zeros((free, dim)),
        untilted=np.zeros(free * dim),
        ridge=np.zeros(1),
        lowest=np.zeros(1),
        square=np.zeros(1),
        excess=np.zeros(2),
        corners=np.zeros((count, free, dim)),
        points=np.zeros((count, free, dim)),
        multipliers=np.ones((count, 1)),
        counters=np.zeros(2, dtype=np.int64),
        gap=np.zeros(1),
        p=np.zeros(outcomes),
        vectors=np.zeros((6, free * dim)),
        matrices=np.zeros((2, free * dim, free * dim)),
    )
    for arm, x in enumerate(problem.arms):
        length = float(np.linalg.norm(x))
        if length > 0:
            direction = corner_direction(basis, outcome, region.bound * length)
            region.corners[arm] = region.bound * np.outer(direction, x / length)
    return region


def corner_direction(basis: Array, outcome: int, largest: float) -> Array:
    """The unit vector u (K-1,) that maximises mu_a(L C u), a = `outcome`, L = `largest`, for both kinds of coordinates C.

    The gradient there, a multiple of c_a - sum q_k c_k over the others with q their softmax, has the direction of u. In
    centred coordinates and for two outcomes all others have the same logit. Relative to an outcome other than a, u has an
    entry cos t for a and the same -sin t / sqrt(K-2) for the rest, tan t = w / sqrt(K-2), w the part of the rest in q: the
    left side increases with t, w decreases. Exact where the probability is 1 up to rounding.
    """
    outcomes, free = basis.shape
    if free == 1 or np.allclose(basis.sum(axis=0), 0):
        direction = basis[outcome] - (basis.sum(axis=0) - basis[outcome]) / (outcomes - 1)
        return direction / np.linalg.norm(direction)
    root, low, high = math.sqrt(free - 1), 0.0, math.pi / 2
    for _ in range(60):
        t = 0.5 * (low + high)
        rest = (free - 1) * math.exp(-largest * math.sin(t) / root)
        low, high = (low, t) if math.tan(t) * root > rest / (1 + rest) else (t, high)
    return np.where(basis[outcome] > 0, math.cos(low), -math.sin(low) / root)


@rare_kernel
def penalised_loss(region, phi):
    """F(phi) for phi (K-1, d)."""
    square = 0.0
    for a in range(phi.shape[0]):
        for j in range(phi.shape[1]):
            square += phi[a, j] ** 2
    return loss(region.data, phi) + 0.5 * region.ridge[0] * square


@rare_kernel
def refit(region, square):
    """The set of the data so far with F below its minimum over the ball plus `square`."""
    minimise(region.data, region.ridge[0], region.untilted, region.bound, region.estimate)
    region.lowest[0] = penalised_loss(region, region.estimate)
    region.square[0] = square
    region.excess[0] = region.lowest[0]
    region.excess[1] = square


@rare_kernel
def distance_to_truth(region, theta):
    """sqrt((F(phi) - lowest)/square), or ||phi||/bound beyond the ball, for the phi of theta (K, d): above 1 outside."""
    for a in range(region.trial.shape[0]):
        for j in range(region.trial.shape[1]):
            region.trial[a, j] = 0.0
            for k in range(len(theta)):
                region.trial[a, j] += region.dual[a, k] * theta[k, j]
    ratio = math.sqrt(max(0.0, penalised_loss(region, region.trial) - region.lowest[0]) / region.square[0])
    return cut_by_ball(ratio, norm(region.trial), region.bound)


@rare_kernel
def minimise_with(region, arm, outcome, weight, phi):
    """Minimise F - weight log mu_outcome(C phi x) over the ball, in place from `phi`: `weight` more observations of it."""
    data = region.data
    row = data.used[0] if data.stream else arm
    before = 0.0 if data.stream else data.counts[outcome, row]
    if data.stream:
        for j in range(data.arms.shape[1]):
            data.features[j, row] = data.arms[arm, j]
        data.used[0] = row + 1
    data.counts[outcome, row] = before + weight
    minimise(data, region.ridge[0], region.untilted, region.bound, phi)
    data.counts[outcome, row] = before
    if data.stream:
        data.used[0] = row
