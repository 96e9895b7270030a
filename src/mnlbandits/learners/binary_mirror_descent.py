"""Mirror descent for two outcomes in the ball ||b|| <= S_b: the state and the step of OFUL-MLogB and GLB-OMD.

The step:

    Htilde_t = H_t + eta s'(x_t^T b_t) x_t x_t^T
    b_{t+1} = argmin over the ball of l_t'(b_t)^T b + 1/(2 eta) ||b - b_t||^2_{Htilde_t}
    H_{t+1} = H_t + s'(x_t^T b_{t+1}) x_t x_t^T
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import (
    PROJECTED,
    Learner,
    add_curvature,
    better_outcome,
    binary_bounds,
    logit,
    make_learner,
)
from mnlbandits.learners.farthest import Complement, complement_of
from mnlbandits.learners.linalg import solve_in_ball
from mnlbandits.learners.radii import OnlineRadius
from mnlbandits.learners.sigmoid import curvature, sigmoid
from mnlbandits.model.softmax import Array


class DescentState(NamedTuple):
    """State of binary mirror descent; arrays are changed in place."""

    learner: Learner
    arms: Array  # those of the learner (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    search: Complement | None  # what finds the best vector of a sphere or ball, then arm 0
    eta: float  # step size
    radius: OnlineRadius
    better: int  # the outcome with the larger reward
    growth: Array  # (1,) log det(H/lambda)
    proposal: Array  # (d,) working memory
    scores: Array  # (N,) optimistic logits of the last choice


def make_state(kind: type, problem: Problem, eta: float, ridge: float, restated: bool, scale: float) -> DescentState:
    """The state before round 1, of class `kind`."""
    (bound, _), arms = binary_bounds(problem), problem.arms.copy()
    return kind(
        learner=make_learner(arms, ridge, bound, problem.fresh),
        arms=arms,
        offered=np.ones(len(arms), dtype=bool),
        search=complement_of(problem),
        eta=eta,
        radius=OnlineRadius(2, problem.dim, eta, ridge, bound, problem.delta, restated, float(scale)),
        better=better_outcome(problem),
        growth=np.zeros(1),
        proposal=np.zeros(problem.dim),
        scores=np.zeros(len(problem.arms)),
    )


@kernel
def update(state, t, arm, outcome):
    """One mirror-descent step within the ball, then H += s'(x^T b_{t+1}) x x^T."""
    step(state, arm, 1.0, 1.0 if outcome == state.better else 0.0)


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    step(state, arm, counts[0] + counts[1], counts[state.better])


@kernel
def gain(state, arm):
    """Relative growth of H by one pull."""
    learner = state.learner
    return curvature(logit(learner, arm, learner.b)) * learner.widths[arm]


@kernel
def step(state, arm, pulls, hits):
    """The step on the summed losses of `pulls` rounds of an arm, `hits` of them with the better outcome."""
    learner = state.learner
    x, b, dim, proposal = learner.arms[arm], learner.b, len(learner.b), state.proposal
    z = logit(learner, arm, b)
    bend = state.eta * (pulls * curvature(z))
    residual = pulls * sigmoid(z) - hits
    shift = state.eta * residual / (1.0 + bend * learner.widths[arm])
    square = 0.0
    for i in range(dim):
        proposal[i] = b[i]
        for j in range(dim):
            proposal[i] -= shift * learner.inverse[i, j] * x[j]
        square += proposal[i] * proposal[i]
    if square > learner.radius[0] ** 2:
        project(learner, x, bend, proposal)
        learner.counters[PROJECTED] += 1
    for i in range(dim):
        b[i] = proposal[i]
    weight = pulls * curvature(logit(learner, arm, b))
    state.growth[0] += math.log1p(weight * learner.widths[arm])
    add_curvature(learner, arm, weight)


@rare_kernel
def project(learner, x, bend, proposal):
    """Replace `proposal` (d,) by the point of the ball closest to it in the norm of H + bend x x^T."""
    dim = len(proposal)
    tilted, target, work = learner.scratch.quadratic, learner.scratch.target, learner.scratch.work
    for i in range(dim):
        target[i] = 0.0
        for j in range(dim):
            tilted[i, j] = learner.w[i, j] + bend * x[i] * x[j]
            target[i] += tilted[i, j] * proposal[j]
    solve_in_ball(tilted, target, learner.radius[0], proposal, learner.scratch.shifted, learner.scratch.lower, work)
