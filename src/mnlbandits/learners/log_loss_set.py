"""Log-loss sets {||phi|| <= bound, F(phi) <= min F + excess} with F = L + ridge/2 ||.||^2."""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import Data, loss, make_data, next_row
from mnlbandits.learners.linalg import cut_by_ball
from mnlbandits.learners.mle import minimise
from mnlbandits.learners.reference import norm
from mnlbandits.model.softmax import Array

SOLVED, FOLLOWED = range(2)
"""Entries of `counters`: programs solved, how many of them needed the path."""


class Scratch(NamedTuple):
    """Working memory of `optimism` for the objective f; holds nothing between two calls."""

    slopes: Array  # (D,) gradient of f
    bend: Array  # (D, D) minus its Hessian
    bent: Array  # (D, D) Hessian of F - tau f
    step: Array  # (D,)
    target: Array  # (D,) right side of the models' linear system, then the slope of the step's rise
    psi: Array  # (D,) minimiser of the models
    slope: Array  # (D,) of the minimiser in tau
    normal: Array  # (D,) of the ball
    ends: Array  # (2, D) the steps at both ends of the bracket of tau


class LogLossSet(NamedTuple):
    """The set, what it is made from, and where the last searches ended; arrays are changed in place."""

    data: Data
    fresh: bool  # whether every round has arms of its own: then corners and points are those of the last choice
    dual: Array  # (K-1, K): phi = dual theta
    bound: float  # on ||phi||_F
    estimate: Array  # (K-1, d) minimiser of F over the ball
    trial: Array  # (K-1, d) working memory
    untilted: Array  # (D,) zeros
    ridge: Array  # (1,)
    lowest: Array  # (1,) F at the estimate that the radius is about
    square: Array  # (1,) beta_t^2
    smallest: Array  # (1,) min of F over the ball
    allowed: Array  # (1,) how much F may exceed it within the set
    corners: Array  # (N, K-1, d) the maximiser over the ball alone, of every arm
    points: Array  # (N, K-1, d) that over the set at the last choice
    multipliers: Array  # (N, 1) tau: F increases by tau times the objective there
    counters: Array  # (2,) int64, see SOLVED and FOLLOWED
    gap: Array  # (1,) duality gap of the last program
    p: Array  # (K,)
    scratch: Scratch


def make_set(problem: Problem, basis: Array, bound: float, data: str, outcome: int) -> LogLossSet:
    """A set without data and radius, in coordinates `basis` (K, K-1), to maximise the probability of `outcome`."""
    (outcomes, free), (count, dim) = basis.shape, problem.arms.shape
    centred = np.eye(outcomes) - 1 / outcomes
    region = LogLossSet(
        data=make_data(problem, basis, data),
        fresh=problem.fresh,
        dual=np.ascontiguousarray(np.linalg.pinv(centred @ basis) @ centred),
        bound=float(bound),
        estimate=np.zeros((free, dim)),
        trial=np.zeros((free, dim)),
        untilted=np.zeros(free * dim),
        ridge=np.zeros(1),
        lowest=np.zeros(1),
        square=np.zeros(1),
        smallest=np.zeros(1),
        allowed=np.zeros(1),
        corners=np.zeros((count, free, dim)),
        points=np.zeros((count, free, dim)),
        multipliers=np.ones((count, 1)),
        counters=np.zeros(2, dtype=np.int64),
        gap=np.zeros(1),
        p=np.zeros(outcomes),
        scratch=make_scratch(free * dim),
    )
    for arm in range(count):
        find_corner(region, arm, outcome)
    return region


def make_scratch(size: int) -> Scratch:
    """Fresh working memory for D = `size`."""
    slopes, step, target, psi, slope, normal = np.zeros((6, size))
    bend, bent = np.zeros((2, size, size))
    return Scratch(slopes, bend, bent, step, target, psi, slope, normal, np.zeros((2, size)))


@rare_kernel
def find_corner(region, arm, outcome):
    """The corner of an arm: bound u x^T/||x||, with u of `corner_direction`; 0 if x is 0."""
    basis, x, corner, direction = region.data.basis, region.data.arms[arm], region.corners[arm], region.scratch.psi
    square = 0.0
    for entry in x:
        square += entry * entry
    length = math.sqrt(square)
    corner_direction(basis, outcome, region.bound * length, direction)
    for a in range(corner.shape[0]):
        for j in range(len(x)):
            corner[a, j] = region.bound * direction[a] * (x[j] / length) if length > 0.0 else 0.0


@rare_kernel
def corner_direction(basis, outcome, largest, out):
    """The unit vector u (K-1,) that maximises mu_a(L C u), a = `outcome`, L = `largest`, for both kinds of coordinates C.

    The gradient there, a multiple of c_a - sum q_k c_k over the others with q their softmax, has the direction of u. In
    centred coordinates and for two outcomes all others have the same logit. Relative to an outcome other than a, u has an
    entry cos t for a and the same -sin t / sqrt(K-2) for the rest, tan t = w / sqrt(K-2), w the part of the rest in q: the
    left side increases with t, w decreases. Exact where the probability is 1 up to rounding.
    """
    outcomes, free = basis.shape
    offset, square = 0.0, 0.0
    for a in range(free):
        others = 0.0
        for k in range(outcomes):
            others += basis[k, a] if k != outcome else 0.0
        offset = max(offset, abs(others + basis[outcome, a]))
        out[a] = basis[outcome, a] - others / (outcomes - 1)
        square += out[a] * out[a]
    if free == 1 or offset < 1e-9:
        for a in range(free):
            out[a] /= math.sqrt(square)
        return
    root, low, high = math.sqrt(free - 1.0), 0.0, 0.5 * math.pi
    for _ in range(60):
        t = 0.5 * (low + high)
        rest = (free - 1.0) * math.exp(-largest * math.sin(t) / root)
        if math.tan(t) * root > rest / (1.0 + rest):
            high = t
        else:
            low = t
    for a in range(free):
        out[a] = math.cos(low) if basis[outcome, a] > 0.0 else -math.sin(low) / root


@rare_kernel
def look(region, outcome, offered):
    """Corners of the arms of this round that are offered, and the estimate as the point to search from."""
    for n in range(len(offered)):
        if offered[n]:
            find_corner(region, n, outcome)
            region.multipliers[n, 0] = 1.0
            for a in range(region.estimate.shape[0]):
                for j in range(region.estimate.shape[1]):
                    region.points[n, a, j] = region.estimate[a, j]


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
    region.smallest[0] = region.lowest[0]
    region.allowed[0] = square


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
    row = next_row(data, arm)
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
