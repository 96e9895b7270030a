"""OFUGLB (Lee, Yun and Jun 2024): the most optimistic parameter of a log-loss set with a Lipschitz constant, two outcomes.

b = theta of the better outcome minus theta of the worse one, ||b|| <= S_b, l_s(b) the loss of round s. Steps as
in the authors' code, numbered by us.

    1. for t = 1, 2, ...:
    2.     bhat_t = argmin over ||b|| <= S_b of L(b) = sum_{s < t} l_s(b)
    3.     C_t = {||b|| <= S_b, L(b) - L(bhat_t) <= beta_t^2}
    4.     play x_t = argmax_x max over C_t of x^T b
    5.     observe y_t

Line 4 is one convex program per arm, and its index a logit (`log_loss_binary`).

Presets
-------
paper : beta_t^2 = log(1/delta) + d log max(e, 2 e S_b (1 + S_b/2) (t - 1)/d), as in the authors' code.
valid : beta_t^2 = log(1/delta) + d log max(e, 2 e S_b (t - 1)/d), which suffices as the loss of a round has Lipschitz
    constant 1. Our derivation, see `mixture_square`; with it OFULog+ is the same algorithm.
calibrated : the valid constants with beta_t times `radius_multiplier`. No guarantee.
"""

from mnlbandits.algorithms.base import BINARY, DATA, RADIUS, Algorithm
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.log_loss_binary import BinaryState, choose, make_state, observe, ratio
from mnlbandits.learners.log_loss_set import refit
from mnlbandits.learners.radii import mixture_square


class OfuglbState(BinaryState):
    """State of OFUGLB."""

    __slots__ = ()


def start(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> OfuglbState:
    """OFUGLB before round 1."""
    state = make_state(OfuglbState, problem, preset, data, radius_multiplier)
    refit_after(state, 0)
    return state


@rare_kernel
def refit_after(state, t):
    """Lines 2 and 3: the estimate and the set of round t + 1, from the data of the rounds 1 .. t."""
    bound, dim = state.region.bound, state.design.shape[0]
    variation = bound * t * ((1.0 + 0.5 * bound) if state.published else 1.0)
    refit(state.region, state.scale**2 * mixture_square(dim, variation, state.delta))


@kernel
def update(state, t, arm, outcome):
    """Line 5, then lines 2 and 3 of the next round; line 4 is `log_loss_binary.choose`."""
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
