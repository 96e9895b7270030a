"""OFULog-r, OFULog+ and OFUGLB: the most optimistic parameter of a log-loss set, for two outcomes.

Each plays argmax over x of max{x^T b : ||b|| <= S_b, F(b) - F(b_hat) <= beta_t^2}, b (d,) the difference of the two rows of
theta, S_b = sqrt(2) S, one convex program per arm. F is the loss summed over the rounds before t, plus lambda_t/2 ||b||^2 for
OFULog-r; b_hat minimises it, for OFULog-r over R^d and for the others over the ball ||b|| <= S_b. The index is a logit.

Presets
-------
paper : OFULog-r (Abeille, Faury and Calauzenes 2021, constants as restated in Faury's thesis): lambda_t = d log(2 + t/delta),
    beta_t = gamma_t + gamma_t^2/sqrt(lambda_t),
    gamma_t = sqrt(lambda_t) (S_b + 1/2) + d/sqrt(lambda_t) log(4 (1 + t/(4 d lambda_t))/delta), stated there for d >= 2.
    OFULog+ (Lee, Yun and Jun 2024, as in their code): beta_t^2 = 10 d log(e + S_b t/(2 d)) + 2 (e - 2 + S_b) log(1/delta).
    OFUGLB (Lee, Yun and Jun 2024, as in their code): beta_t^2 = log(1/delta) + d log max(e, 2 e S_b (1 + S_b/2) (t - 1)/d).
valid : OFULog-r with gamma_t = sqrt(lambda_t) (S_b + 1/2)
    + 2/sqrt(lambda_t) [log(1/delta) + log det(I + sum x x^T/(4 lambda_t))/2 + d log 2 + d/2 log(lambda_t/lambda_1)], the bound
    of Faury et al. 2020 before it is made independent of the data; the last term pays for a ridge that grows. Our derivation.
    OFULog+ and OFUGLB with beta_t^2 = log(1/delta) + d log max(e, 2 e S_b (t - 1)/d), which suffices since the loss of a round
    has Lipschitz constant 1 (uniform mixture over the ball, our derivation): with it they are the same algorithm.
calibrated : the valid constants with beta_t times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, Algorithm, Option
from mnlbandits.algorithms.linalg import cholesky, first_argmax
from mnlbandits.algorithms.mle import DATA, Data, largest_linear, loss, make_data, minimise, record
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array, reference_basis


EMPTY = 1e-6
"""If no point of the ball lies within beta_t^2 of F(b_hat), the set is that within this part of it of F's minimum there."""


class LogLossSet(NamedTuple):
    """{||phi|| <= bound, F(phi) - lowest <= square} with F = L + ridge/2 ||.||^2; arrays are changed in place."""

    data: Data
    dual: Array  # (K-1, K): phi = dual theta
    bound: float  # on ||phi||_F
    estimate: Array  # (K-1, d) minimiser of F over the ball
    free: Array  # (K-1, d) minimiser of F over R^D, where there is a ridge
    trial: Array  # (K-1, d) working memory
    untilted: Array  # (D,) zeros
    ridge: Array  # (1,)
    lowest: Array  # (1,)
    square: Array  # (1,) beta_t^2
    excess: Array  # (2,) min of F over the ball, and how much F may exceed it within the set
    points: Array  # (N, K-1, d) the optimistic parameter of every arm at the last choice
    multipliers: Array  # (N,) tau of every arm at the last choice, see `largest_linear`


def make_set(problem: Problem, basis: Array, bound: float, data: str) -> LogLossSet:
    """A set without data and radius, in coordinates `basis` (K, K-1)."""
    (outcomes, free), (count, dim) = basis.shape, problem.arms.shape
    centred = np.eye(outcomes) - 1 / outcomes
    return LogLossSet(
        data=make_data(problem, basis, data),
        dual=np.ascontiguousarray(np.linalg.pinv(centred @ basis) @ centred),
        bound=float(bound),
        estimate=np.zeros((free, dim)),
        free=np.zeros((free, dim)),
        trial=np.zeros((free, dim)),
        untilted=np.zeros(free * dim),
        ridge=np.zeros(1),
        lowest=np.zeros(1),
        square=np.zeros(1),
        excess=np.zeros(2),
        points=np.zeros((count, free, dim)),
        multipliers=np.ones(count),
    )


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
    """sqrt((F(phi) - lowest)/square) for the phi of theta (K, d): above 1 outside the set."""
    for a in range(region.trial.shape[0]):
        for j in range(region.trial.shape[1]):
            region.trial[a, j] = 0.0
            for k in range(len(theta)):
                region.trial[a, j] += region.dual[a, k] * theta[k, j]
    return math.sqrt(max(0.0, penalised_loss(region, region.trial) - region.lowest[0]) / region.square[0])


class BinaryState(NamedTuple):
    """What the three algorithms share; arrays are changed in place."""

    region: LogLossSet
    scores: Array  # (N,) largest x^T b at the last choice
    design: Array  # (d, d) sum x x^T
    delta: float
    published: bool  # the paper preset
    scale: float  # multiplier on the radius


class OfulogRState(BinaryState):
    """State of OFULog-r."""

    __slots__ = ()


class OfulogPlusState(BinaryState):
    """State of OFULog+."""

    __slots__ = ()


class OfuglbState(BinaryState):
    """State of OFUGLB."""

    __slots__ = ()


def binary_fields(problem: Problem, preset: str, data: str, scale: float) -> tuple:
    """The fields of a `BinaryState` before round 1, but for the radius."""
    basis = reference_basis(2, int(np.argmin(problem.rewards)))
    return (
        make_set(problem, basis, math.sqrt(2) * problem.norm_bound, data),
        np.zeros(len(problem.arms)),
        np.zeros((problem.dim, problem.dim)),
        problem.delta,
        preset == "paper",
        scale,
    )


def start_ofulog_r(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> OfulogRState:
    """OFULog-r before round 1."""
    state = OfulogRState(*binary_fields(problem, preset, data, radius_multiplier))
    refit_ofulog_r(state, 0)
    return state


def start_ofulog_plus(
    problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0
) -> OfulogPlusState:
    """OFULog+ before round 1."""
    state = OfulogPlusState(*binary_fields(problem, preset, data, radius_multiplier))
    refit_ofulog_plus(state, 0)
    return state


def start_ofuglb(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> OfuglbState:
    """OFUGLB before round 1."""
    state = OfuglbState(*binary_fields(problem, preset, data, radius_multiplier))
    refit_ofuglb(state, 0)
    return state


@rare_kernel
def choose(state, t):
    """argmax of the largest x^T b over the set."""
    region = state.region
    arms = region.data.arms
    for n in range(len(arms)):
        square = 0.0
        for j in range(arms.shape[1]):
            square += arms[n, j] * arms[n, j]
        state.scores[n] = 0.0
        if square > 0.0:
            point, tau = region.points[n], region.multipliers[n : n + 1]
            state.scores[n] = largest_linear(region.data, region.ridge[0], arms[n], region.excess, region.bound, point, tau)
    return first_argmax(state.scores)


@rare_kernel
def refit_ofulog_r(state, t):
    """lambda, the estimates and the set of round t + 1, from the data of the rounds 1 .. t."""
    region, dim, delta = state.region, state.design.shape[0], state.delta
    ridge = dim * math.log(2.0 + (t + 1.0) / delta)
    root = math.sqrt(ridge)
    gamma = root * (region.bound + 0.5)
    if state.published:
        gamma += dim / root * math.log(4.0 * (1.0 + (t + 1.0) / (4.0 * dim * ridge)) / delta)
    else:
        shifted, lower = region.data.shifted, region.data.lower
        for i in range(dim):
            for j in range(dim):
                shifted[i, j] = state.design[i, j] / (4.0 * ridge) + (1.0 if i == j else 0.0)
        cholesky(shifted, lower)
        first_ridge = dim * math.log(2.0 + 1.0 / delta)
        bracket = math.log(1.0 / delta) + dim * math.log(2.0) + 0.5 * dim * math.log(ridge / first_ridge)
        for i in range(dim):
            bracket += math.log(lower[i, i])
        gamma += 2.0 / root * bracket
    region.ridge[0] = ridge
    refit(region, (state.scale * (gamma + gamma * gamma / root)) ** 2)
    square = 0.0
    minimise(region.data, ridge, region.untilted, math.inf, region.free)
    for j in range(dim):
        square += region.free[0, j] ** 2
    if square > region.bound**2:
        region.lowest[0] = penalised_loss(region, region.free)
        left = region.square[0] - (region.excess[0] - region.lowest[0])
        region.excess[1] = max(left, EMPTY * region.square[0])


@rare_kernel
def refit_ofulog_plus(state, t):
    """The estimate and the set of round t + 1, from the data of the rounds 1 .. t."""
    bound, dim, delta = state.region.bound, state.design.shape[0], state.delta
    if state.published:
        square = 10.0 * dim * math.log(math.e + bound * (t + 1.0) / (2.0 * dim))
        square += 2.0 * (math.e - 2.0 + bound) * math.log(1.0 / delta)
    else:
        square = mixture_square(dim, bound * t, delta)
    refit(state.region, state.scale**2 * square)


@rare_kernel
def refit_ofuglb(state, t):
    """The estimate and the set of round t + 1, from the data of the rounds 1 .. t."""
    bound, dim = state.region.bound, state.design.shape[0]
    variation = bound * t * ((1.0 + 0.5 * bound) if state.published else 1.0)
    refit(state.region, state.scale**2 * mixture_square(dim, variation, state.delta))


@kernel
def mixture_square(size, variation, delta):
    """beta^2 = log(1/delta) + D log max(e, 2 e V/D) for D = `size` parameters and V = `variation`.

    V bounds the Lipschitz constant of L times the radius of the ball. From Ville's inequality for the uniform mixture over
    the ball, restricted to the ball shrunk by a factor min(1, D/(2 V)) about the estimate.
    """
    return math.log(1.0 / delta) + size * math.log(max(math.e, 2.0 * math.e * variation / size))


@rare_kernel
def observe(state, arm, outcome):
    """Add one observation to the data and to the design."""
    x = state.region.data.arms[arm]
    record(state.region.data, arm, outcome)
    for i in range(len(x)):
        for j in range(len(x)):
            state.design[i, j] += x[i] * x[j]


@kernel
def update_ofulog_r(state, t, arm, outcome):
    """The observation, then the set of the next round."""
    observe(state, arm, outcome)
    refit_ofulog_r(state, t)


@kernel
def update_ofulog_plus(state, t, arm, outcome):
    """The observation, then the set of the next round."""
    observe(state, arm, outcome)
    refit_ofulog_plus(state, t)


@kernel
def update_ofuglb(state, t, arm, outcome):
    """The observation, then the set of the next round."""
    observe(state, arm, outcome)
    refit_ofuglb(state, t)


@kernel
def ratio(state, t, theta):
    """sqrt((F(b) - F(b_hat))/beta^2) after round t, for the b of theta (K, d)."""
    return distance_to_truth(state.region, theta)


OPTIONS = (Option("radius_multiplier", "factor on the valid radius"), DATA)

ALGORITHMS = (
    Algorithm(
        name="ofulog-r",
        title="OFULog-r",
        source="Abeille, Faury and Calauzenes (2021)",
        state=OfulogRState,
        presets=("paper", "valid", "calibrated"),
        start=start_ofulog_r,
        choose=choose,
        update=update_ofulog_r,
        ratio=ratio,
        options=OPTIONS,
        setting=BINARY,
        row=3,
        regret=r"d \sqrt{T / \kappa_*} + \kappa",
        cost="O(t)",
        mark="steps and constants of the paper preset as in an author's thesis; constants of valid our derivation",
    ),
    Algorithm(
        name="ofulog-plus",
        title="OFULog+",
        source="Lee, Yun and Jun (2024)",
        state=OfulogPlusState,
        presets=("paper", "valid", "calibrated"),
        start=start_ofulog_plus,
        choose=choose,
        update=update_ofulog_plus,
        ratio=ratio,
        options=OPTIONS,
        setting=BINARY,
        regret=r"d \sqrt{T / \kappa_*} + \kappa d^2",
        cost="O(t)",
        mark="steps and constants of the paper preset as in the authors' code; constants of valid our derivation",
    ),
    Algorithm(
        name="ofuglb",
        title="OFUGLB",
        source="Lee, Yun and Jun (2024)",
        state=OfuglbState,
        presets=("paper", "valid", "calibrated"),
        start=start_ofuglb,
        choose=choose,
        update=update_ofuglb,
        ratio=ratio,
        options=OPTIONS,
        setting=BINARY,
        regret=r"d \sqrt{T / \kappa_*} + \kappa d^2",
        cost="O(t)",
        mark="steps and constants of the paper preset as in the authors' code; constants of valid our derivation",
    ),
)
