"""The sets Theta of the ECOLog family that a likelihood estimate gives, and steps within them.

    {||b - bhat||_V <= r},   V = I/(4 S_b^2) + sum x x^T/kappa_b,
    r^2 = 1 + (2 + 2 S_b X)(log(1/delta) + d log max(e, 2 e S_b X n/d)),

bhat the maximum likelihood estimate from n observations in the ball ||b|| <= S_b, X the longest arm, kappa_b = 2 + 2
cosh(S_b X) >= 1/s'. Our derivation, from the likelihood's mass near bhat and the curvature of `follower`.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import better_outcome, binary_bounds, largest_inverse_slope
from mnlbandits.learners.data import Data, make_data
from mnlbandits.learners.implicit import implicit_in_ball, implicit_step
from mnlbandits.learners.linalg import quadratic_form
from mnlbandits.learners.mle import minimise
from mnlbandits.model.softmax import Array, reference_basis


class Region(NamedTuple):
    """The set {||b - centre||_V^2 <= square}, V = I/(4 S_b^2) + sum x x^T/kappa_b, of a likelihood estimate in the ball."""

    data: Data
    kappa: float  # kappa_b
    norm_bound: float  # S_b
    largest_logit: float  # S_b X
    delta: float
    scale: float  # multiplier on its radius
    centre: Array  # (1, d)
    design: Array  # V (d, d)
    square: Array  # (1,)
    no_tilt: Array  # (d,) zeros
    difference: Array  # (d,) from the centre
    quadratic: Array  # (d, d) Q of an objective b^T Q b/2 - p^T b
    linear: Array  # (d,) p


def make_region(problem: Problem, delta: float, scale: float, arms: Array | None = None) -> Region:
    """A region without observations; `arms` (N, d) are kept if they are given."""
    (bound, largest), dim = binary_bounds(problem), problem.dim
    return Region(
        data=make_data(problem, reference_basis(2, 1 - better_outcome(problem)), "suffstat", arms),
        kappa=largest_inverse_slope(largest),
        norm_bound=bound,
        largest_logit=largest,
        delta=delta,
        scale=scale,
        centre=np.zeros((1, dim)),
        design=np.eye(dim) / (4 * bound**2),
        square=np.zeros(1),
        no_tilt=np.zeros(dim),
        difference=np.zeros(dim),
        quadratic=np.zeros((dim, dim)),
        linear=np.zeros(dim),
    )


@kernel
def region_square(region, rounds):
    """r^2 after that many observations."""
    dim, logits = region.centre.shape[1], 2.0 * region.largest_logit
    volume = dim * max(1.0, 1.0 + math.log(max(1, rounds) * logits / dim))
    return region.scale**2 * (1.0 + (2.0 + logits) * (math.log(1.0 / region.delta) + volume))


@rare_kernel
def fit_region(region, rounds):
    """Centre and r^2 from `rounds` observations."""
    minimise(region.data, 0.0, region.no_tilt, region.norm_bound, region.centre)
    region.square[0] = region_square(region, rounds)


@kernel
def excess_over_region(region, b):
    """||b - centre||_V^2 - r^2."""
    for i in range(len(b)):
        region.difference[i] = b[i] - region.centre[0, i]
    return quadratic_form(region.design, region.difference) - region.square[0]


@rare_kernel
def step_within(state, arm, weight, copies, hits, out):
    """`implicit_step` over the ball and, once there are exceptions, their region: whether a constraint is active.

    With a multiplier mu of the region, (mu/2) ||b - centre||_V^2 joins the objective, and ||b - centre||_V falls with mu:
    the secant method on its inverse, which is nearly linear in mu, between brackets.
    """
    learner, region = state.follower.learner, state.region
    active = implicit_step(learner, arm, weight, copies, hits, out)
    if state.exceptions[0] == 0 or excess_over_region(region, out) <= 0.0:
        return active
    level = 1.0 / math.sqrt(region.square[0])
    low, high, mu, previous = 0.0, math.inf, weight, 0.0
    gap_before = level - 1.0 / math.sqrt(region.square[0] + excess_over_region(region, out))
    for _ in range(200):
        tilt_to_region(learner, region, weight, mu)
        implicit_in_ball(learner, region.quadratic, region.linear, arm, copies, hits, out)
        excess = excess_over_region(region, out)
        if excess > 0.0:
            low = mu
        else:
            high = mu
        if abs(excess) <= 1e-13 * region.square[0] or (high < math.inf and high - low <= 1e-15 * high):
            break
        gap = level - 1.0 / math.sqrt(max(1e-300, region.square[0] + excess))
        following = mu - gap * (mu - previous) / (gap - gap_before) if gap != gap_before else low
        previous, gap_before = mu, gap
        fallback = 2.0 * low if high == math.inf else 0.5 * (low + high)
        mu = following if low < following < high else fallback
    return True


@kernel
def tilt_to_region(learner, region, weight, mu):
    """Q = 2 weight W + mu V and p = 2 weight W b_t + mu V centre, so that b^T Q b/2 - p^T b is the quadratic objective."""
    quadratic, linear = region.quadratic, region.linear
    for i in range(len(linear)):
        linear[i] = 0.0
        for j in range(len(linear)):
            own, other = 2.0 * weight * learner.w[i, j], mu * region.design[i, j]
            quadratic[i, j] = own + other
            linear[i] += own * learner.b[j] + other * region.centre[0, j]
