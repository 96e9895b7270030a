"""What OFULog-r, OFULog+ and OFUGLB share: the most optimistic parameter of a log-loss set, for two outcomes.

Each plays argmax over x of max{x^T b : ||b|| <= S_b, F(b) - F(bhat) <= beta_t^2}, one convex program per arm (`optimism`),
b (d,) the difference of the two rows of theta, ||b|| <= S_b. They differ in F, in beta_t and in where bhat minimises F.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import record, record_many
from mnlbandits.learners.linalg import add_outer, first_offered
from mnlbandits.learners.log_loss_set import LogLossSet, distance_to_truth, look, make_set
from mnlbandits.learners.mle import information
from mnlbandits.learners.optimism import most_optimistic
from mnlbandits.model.softmax import Array, reference_basis

EMPTY = 1e-6
"""If no point of the ball lies within beta_t^2 of F(b_hat), the set is that within this part of it of F's minimum there."""


class BinaryState(NamedTuple):
    """What the three algorithms share; arrays are changed in place."""

    region: LogLossSet
    arms: Array  # those of the data (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    better: int  # the outcome with the larger reward
    scores: Array  # (N,) largest x^T b at the last choice
    free: Array  # (1, d) minimiser of F over R^d, where there is a ridge
    design: Array  # (d, d) sum x x^T
    delta: float
    published: bool  # the paper preset
    scale: float  # multiplier on the radius


def make_state(kind: type, problem: Problem, preset: str, data: str, scale: float) -> BinaryState:
    """The state before round 1, of class `kind`, but for the radius."""
    worse = int(np.argmin(problem.rewards))
    region = make_set(problem, reference_basis(2, worse), problem.binary_bound, data, 1 - worse)
    return kind(
        region=region,
        arms=region.data.arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        better=1 - worse,
        scores=np.zeros(len(problem.arms)),
        free=np.zeros((1, problem.dim)),
        design=np.zeros((problem.dim, problem.dim)),
        delta=problem.delta,
        published=preset == "paper",
        scale=scale,
    )


@rare_kernel
def choose(state, t):
    """argmax of the largest x^T b over the set."""
    if state.region.fresh:
        look(state.region, state.better, state.offered)
    for n in range(len(state.scores)):
        if state.offered[n]:
            state.scores[n] = most_optimistic(state.region, n, state.better, math.inf)
    return first_offered(state.scores, state.offered)


@rare_kernel
def observe(state, arm, outcome):
    """Add one observation to the data and to the design."""
    record(state.region.data, arm, outcome)
    add_outer(state.design, 1.0, state.region.data.arms[arm])


@rare_kernel
def observe_many(state, arm, counts):
    """`observe` for many rounds of an arm at once."""
    record_many(state.region.data, arm, counts)
    add_outer(state.design, counts[0] + counts[1], state.region.data.arms[arm])


@kernel
def gain(state, arm):
    """Relative growth, by one pull, of the Hessian of F at the estimate."""
    return information(state.region.data, state.region.ridge[0], state.region.estimate, arm)


@kernel
def ratio(state, t, theta):
    """sqrt((F(b) - F(b_hat))/beta^2) after round t, for the b of theta (K, d)."""
    return distance_to_truth(state.region, theta)
