"""OFULog-r (Abeille, Faury and Calauzenes 2021): the most optimistic parameter of a log-loss set with a ridge, two outcomes.

b = theta of the better outcome minus theta of the worse one, ||b|| <= S_b, l_s(b) the loss of round s. The text
was not at hand: steps and constants as restated in Faury's thesis, numbered by us.

    1. for t = 1, 2, ...:
    2.     F(b) = sum_{s < t} l_s(b) + lambda_t/2 ||b||^2
    3.     bhat_t = argmin over R^d of F
    4.     E_t = {||b|| <= S_b, F(b) - F(bhat_t) <= beta_t^2}
    5.     play x_t = argmax_x max over E_t of x^T b
    6.     observe y_t

lambda_t = d log(2 + t/delta) and beta_t = gamma_t + gamma_t^2/sqrt(lambda_t). Line 5 is one convex program per arm, and its
index a logit (`log_loss_binary`).

Presets
-------
paper : gamma_t = sqrt(lambda_t) (S_b + 1/2) + d/sqrt(lambda_t) log(4 (1 + t/(4 d lambda_t))/delta), stated there for d >= 2.
valid : gamma_t = sqrt(lambda_t) (S_b + 1/2) + 2/sqrt(lambda_t) [log(1/delta) + log det(I + sum x x^T/(4 lambda_t))/2 +
    d log 2 + d/2 log(lambda_t/lambda_1)], the bound of Faury et al. 2020 before it is made independent of the data; the last
    term pays for a ridge that grows. Our derivation.
calibrated : the valid constants with beta_t times `radius_multiplier`. No guarantee.
"""

import math

from mnlbandits.algorithms.base import BINARY, DATA, RADIUS, Algorithm, Batch
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.linalg import log_volume
from mnlbandits.learners.log_loss_binary import EMPTY, BinaryState, choose, gain, make_state, observe, observe_many, ratio
from mnlbandits.learners.log_loss_set import penalised_loss, refit
from mnlbandits.learners.mle import minimise


class OfulogRState(BinaryState):
    """State of OFULog-r."""

    __slots__ = ()


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> OfulogRState:
    """OFULog-r before round 1."""
    state = make_state(OfulogRState, problem, preset, data, radius_multiplier)
    refit_after(state, 0)
    return state


@rare_kernel
def refit_after(state, t):
    """Lines 2 to 4: lambda, the estimates and the set of round t + 1, from the data of the rounds 1 .. t."""
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
        left = region.square[0] - (region.smallest[0] - region.lowest[0])
        region.allowed[0] = max(left, EMPTY * region.square[0])


@kernel
def update(state, t, arm, outcome):
    """Line 6, then lines 2 to 4 of the next round; line 5 is `log_loss_binary.choose`."""
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
