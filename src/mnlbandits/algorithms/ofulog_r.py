"""OFULog-r, OFULog+ and OFUGLB: the most optimistic parameter of a log-loss set, for two outcomes.

Each plays argmax over x of max{x^T b : ||b|| <= S_b, F(b) - F(b_hat) <= beta_t^2}, b (d,) the difference of the two rows
of theta, S_b a bound on it, one convex program per arm. F is the loss summed over the rounds before t, for OFULog-r plus
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

from mnlbandits.algorithms.base import BINARY, DATA, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.linalg import log_volume
from mnlbandits.learners.log_loss_binary import EMPTY, BinaryState, binary_fields, choose, gain, observe, observe_many, ratio
from mnlbandits.learners.log_loss_set import penalised_loss, refit
from mnlbandits.learners.mle import minimise


class OfulogRState(BinaryState):
    """State of OFULog-r."""

    __slots__ = ()


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> OfulogRState:
    """OFULog-r before round 1."""
    state = OfulogRState(*binary_fields(problem, preset, data, radius_multiplier))
    refit_after(state, 0)
    return state


@rare_kernel
def refit_after(state, t):
    """lambda, the estimates and the set of round t + 1, from the data of the rounds 1 .. t."""
    region, dim, delta = state.region, state.design.shape[0], state.delta
    ridge = dim * math.log(2.0 + (t + 1.0) / delta)
    root = math.sqrt(ridge)
    gamma = root * (region.bound + 0.5)
    if state.published:
        gamma += dim / root * math.log(4.0 * (1.0 + (t + 1.0) / (4.0 * dim * ridge)) / delta)
    else:
        volume = log_volume(state.design, 4.0 * ridge, region.data.shifted, region.data.lower)
        growth = dim * math.log(ridge / (dim * math.log(2.0 + 1.0 / delta)))
        gamma += 2.0 / root * (math.log(1.0 / delta) + dim * math.log(2.0) + 0.5 * (volume + growth))
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


@kernel
def update(state, t, arm, outcome):
    """The observation, then the set of the next round."""
    observe(state, arm, outcome)
    refit_after(state, t)


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    observe_many(state, arm, counts)
    refit_after(state, t)


ALGORITHM = Algorithm(
    name="ofulog-r",
    title="OFULog-r",
    source="Abeille, Faury and Calauzenes (2021)",
    state=OfulogRState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, gain),
    options=(RADIUS, DATA),
    setting=BINARY,
    row=3,
    regret=r"d \sqrt{T / \kappa_*} + \kappa d^2",
    cost="O(t)",
    mark="steps and constants of the paper preset as in an author's thesis; constants of valid our derivation",
)
