"""The log-loss sets around the MLE in the ball, for K outcomes, and the ellipsoids around them.

With n observations the confidence set is the part of the ball ||beta||_F <= S where L - L(betahat) <= beta_n^2. It lies in
the ellipsoid ||beta - betahat||_H <= sigma_n, with H = Hessian of L at betahat + lambda I and

    sigma_n^2 = (2 + 2 sqrt(6) S) beta_n^2 + 4 lambda S^2,   lambda = 1/(4 S^2),

since the linear term is >= 0 at the minimiser over the ball and L is generalised self-concordant with constant sqrt(6).

beta_n^2 = log(1/delta) + D log max(e, 2 e M S n/D) with a Lipschitz constant M of the loss, sqrt(2), or 1 for K = 2: Ville's
inequality for the uniform mixture over the ball, shrunk towards betahat. Our derivation. In a ``paper`` preset beta_n^2 =
5 D log(e + S n/D) + 2 (e - 2 + sqrt(6) S) log(1/delta), recalled, not verified.
"""

import math
from typing import NamedTuple

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import evaluate
from mnlbandits.learners.learner import refresh
from mnlbandits.learners.mle import minimise
from mnlbandits.learners.radii import recalled_square
from mnlbandits.learners.reference import reference_of


class LossSet(NamedTuple):
    """The constants of a log-loss set."""

    size: int  # D
    norm_bound: float  # S
    lipschitz: float  # M
    delta: float
    recalled: bool  # the paper preset's radius, else Ville's
    scale: float  # multiplier on the radius


def make_loss_set(problem: Problem, preset: str, radius_multiplier: float) -> LossSet:
    """The constants of a preset."""
    return LossSet(
        size=(problem.outcomes - 1) * problem.dim,
        norm_bound=reference_of(problem).norm_bound,
        lipschitz=1.0 if problem.outcomes == 2 else math.sqrt(2),
        delta=problem.delta,
        recalled=preset == "paper",
        scale=radius_multiplier,
    )


@kernel
def excess(loss_set, observations):
    """beta_n^2 for n observations."""
    size, bound, delta = loss_set.size, loss_set.norm_bound, loss_set.delta
    if loss_set.recalled:
        square = recalled_square(size, bound, observations, delta)
    else:
        volume = 2.0 * math.e * loss_set.lipschitz * bound * observations / size
        square = math.log(1.0 / delta) + size * math.log(max(math.e, volume))
    return loss_set.scale**2 * square


@kernel
def radius(loss_set, observations):
    """sigma_n for n observations; 4 lambda S^2 = 1."""
    growth = 2.0 + 2.0 * math.sqrt(6.0) * loss_set.norm_bound
    return math.sqrt(growth * excess(loss_set, observations) + loss_set.scale**2)


@rare_kernel
def fit_in_ball(data, no_tilt, norm_bound, learner):
    """The MLE in the ball as phi of the learner; W = Hessian there + 1/(4 S^2) I, with all that follows from it."""
    minimise(data, 0.0, no_tilt, norm_bound, learner.phi)
    curvature_at_estimate(data, 1.0 / (4.0 * norm_bound * norm_bound), learner)


@kernel
def curvature_at_estimate(data, ridge, learner):
    """W = Hessian of L at phi + ridge I, W^-1 and the blocks."""
    evaluate(data, learner.phi)
    for i in range(len(learner.w)):
        for j in range(len(learner.w)):
            learner.w[i, j] = data.hessian[i, j] + (ridge if i == j else 0.0)
    refresh(learner)
