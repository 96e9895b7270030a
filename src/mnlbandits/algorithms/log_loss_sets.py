"""OFULog-r, OFULog+ and OFUGLB: the most optimistic parameter of a log-loss set, for two outcomes.

Each plays argmax over x of max{x^T b : ||b|| <= S_b, F(b) - F(b_hat) <= beta_t^2}, b (d,) the difference of the two rows
of theta, S_b = sqrt(2) S, one convex program per arm. F is the loss summed over the rounds before t, for OFULog-r plus
lambda_t/2 ||b||^2; b_hat minimises it, for OFULog-r over R^d, for the others over ||b|| <= S_b. The index is a logit.

Presets
-------
paper : OFULog-r (Abeille, Faury and Calauzenes 2021, constants as restated in Faury's thesis):
    lambda_t = d log(2 + t/delta), beta_t = gamma_t + gamma_t^2/sqrt(lambda_t),
    gamma_t = sqrt(lambda_t) (S_b + 1/2) + d/sqrt(lambda_t) log(4 (1 + t/(4 d lambda_t))/delta), stated there for d >= 2.
    OFULog+ (Lee, Yun and Jun 2024, as in their code):
    beta_t^2 = 10 d log(e + S_b t/(2 d)) + 2 (e - 2 + S_b) log(1/delta).
    OFUGLB (Lee, Yun and Jun 2024, as in their code):
    beta_t^2 = log(1/delta) + d log max(e, 2 e S_b (1 + S_b/2) (t - 1)/d).
valid : OFULog-r with gamma_t = sqrt(lambda_t) (S_b + 1/2) + 2/sqrt(lambda_t) [log(1/delta)
    + log det(I + sum x x^T/(4 lambda_t))/2 + d log 2 + d/2 log(lambda_t/lambda_1)], the bound of Faury et al. 2020 before
    it is made independent of the data; the last term pays for a ridge that grows. Our derivation.
    OFULog+ and OFUGLB with beta_t^2 = log(1/delta) + d log max(e, 2 e S_b (t - 1)/d), which suffices as the loss of a
    round has Lipschitz constant 1. Our derivation, see `mixture_square`; with it the two are the same algorithm.
calibrated : the valid constants with beta_t times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, Algorithm, Batch, Option
from mnlbandits.algorithms.linalg import cholesky, first_argmax
from mnlbandits.algorithms.mle import DATA, information, minimise, record, record_many
from mnlbandits.algorithms.optimism import (
    LogLossSet,
    distance_to_truth,
    make_set,
    mixture_square,
    most_optimistic,
    penalised_loss,
    refit,
)
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array, reference_basis

EMPTY = 1e-6
"""If no point of the ball lies within beta_t^2 of F(b_hat), the set is that within this part of it of F's minimum there."""


class BinaryState(NamedTuple):
    """What the three algorithms share; arrays are changed in place."""

    region: LogLossSet
    better: int  # the outcome with the larger reward
    scores: Array  # (N,) largest x^T b at the last choice
    free: Array  # (1, d) minimiser of F over R^d, where there is a ridge
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
    worse = int(np.argmin(problem.rewards))
    return (
        make_set(problem, reference_basis(2, worse), math.sqrt(2) * problem.norm_bound, data, 1 - worse),
        1 - worse,
        np.zeros(len(problem.arms)),
        np.zeros((1, problem.dim)),
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
    for n in range(len(state.scores)):
        state.scores[n] = most_optimistic(state.region, n, state.better, True)
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
    minimise(region.data, ridge, region.untilted, math.inf, state.free)
    for j in range(dim):
        square += state.free[0, j] ** 2
    if square > region.bound**2:
        region.lowest[0] = penalised_loss(region, state.free)
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


@rare_kernel
def observe(state, arm, outcome):
    """Add one observation to the data and to the design."""
    record(state.region.data, arm, outcome)
    add_to_design(state, arm, 1.0)


@rare_kernel
def observe_many(state, arm, counts):
    """`observe` for many rounds of an arm at once."""
    record_many(state.region.data, arm, counts)
    add_to_design(state, arm, counts[0] + counts[1])


@kernel
def add_to_design(state, arm, pulls):
    """The design += pulls x x^T."""
    x = state.region.data.arms[arm]
    for i in range(len(x)):
        for j in range(len(x)):
            state.design[i, j] += pulls * x[i] * x[j]


@kernel
def update_ofulog_r(state, t, arm, outcome):
    """The observation, then the set of the next round."""
    observe(state, arm, outcome)
    refit_ofulog_r(state, t)


@kernel
def pull_ofulog_r(state, t, arm, counts):
    """`update_ofulog_r` for many rounds of an arm at once."""
    observe_many(state, arm, counts)
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
def gain(state, arm):
    """Relative growth, by one pull, of the Hessian of F at the estimate."""
    return information(state.region.data, state.region.ridge[0], state.region.estimate, arm)


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
        batch=Batch(pull_ofulog_r, gain),
        options=OPTIONS,
        setting=BINARY,
        row=3,
        regret=r"d \sqrt{T / \kappa_*} + \kappa d^2",
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
