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

from mnlbandits.algorithms.base import BINARY, DATA, RADIUS, Algorithm
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.log_loss_binary import BinaryState, binary_fields, choose, observe, ratio
from mnlbandits.learners.log_loss_set import refit
from mnlbandits.learners.radii import mixture_square


class OfuglbState(BinaryState):
    """State of OFUGLB."""

    __slots__ = ()


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> OfuglbState:
    """OFUGLB before round 1."""
    state = OfuglbState(*binary_fields(problem, preset, data, radius_multiplier))
    refit_after(state, 0)
    return state


@rare_kernel
def refit_after(state, t):
    """The estimate and the set of round t + 1, from the data of the rounds 1 .. t."""
    bound, dim = state.region.bound, state.design.shape[0]
    variation = bound * t * ((1.0 + 0.5 * bound) if state.published else 1.0)
    refit(state.region, state.scale**2 * mixture_square(dim, variation, state.delta))


@kernel
def update(state, t, arm, outcome):
    """The observation, then the set of the next round."""
    observe(state, arm, outcome)
    refit_after(state, t)


ALGORITHM = Algorithm(
    name="ofuglb",
    title="OFUGLB",
    source="Lee, Yun and Jun (2024)",
    state=OfuglbState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=(RADIUS, DATA),
    setting=BINARY,
    regret=r"d \sqrt{T / \kappa_*} + \kappa d^2",
    cost="O(t)",
    mark="steps and constants of the paper preset as in the authors' code; constants of valid our derivation",
)
