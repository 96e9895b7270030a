"""TS-MLogB, ours: multinomial Thompson sampling around the estimate of OFUL-MLogB.

The sampling of TS-ECOLog, for K outcomes, on the mirror descent of Zhang and Sugiyama (2023), in the same reference-class
coordinates and with the same constants as `oful_mlogb`: D = (K-1) d, S the bound on ||beta||_F, radius sigma_t.

Input: S, delta

    1. beta_1 = 0, H_1 = lambda I
    2. for t = 1, 2, ..
    3.     xi_t ~ N(0, I_D);  beta~_t = beta_t + sigma_t L_t xi_t, L_t L_t^T = H_t^{-1}
    4.     play x_t = argmax rho^T mu(beta~_t x) over the arms on offer
    5.     beta_{t+1} <- the mirror-descent step in the ball;  H_{t+1} = H_t + G(beta_{t+1} x_t) (x) x_t x_t^T

In line 3 outcomes of larger rewards come first, so that their names do not matter.
beta~_t is drawn once and may lie outside of the ball. Of the standard normal xi, u^T xi >= 1 with probability 0.159 for
every unit vector u, and ||xi|| <= sqrt(2 D log(2 D/delta)) with probability 1 - delta: it is the noise for which Abeille
and Lazaric (2017) prove d^{3/2} sqrt(T) for linear rewards, a root of d more than optimism has. It is in xi, the radius
is not enlarged once more. For two outcomes the reward increases with the logit, so that, if ||beta_* - beta_t||_{H_t} <=
sigma_t, the draw is optimistic at x_* with probability 0.159. For more outcomes rho^T mu is not linear, a draw is
optimistic up to its second order only, and we know no bound on the regret.

Presets
-------
valid : lambda, eta and sigma_t of the valid preset of `oful_mlogb`, for which ||beta_* - beta_t||_{H_t} <= sigma_t for all
    t with probability 1 - delta. Our derivation.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.
"""

from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import RADIUS, Algorithm
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.learner import Learner, distance_to_truth
from mnlbandits.learners.likelihood import probabilities
from mnlbandits.learners.linalg import cholesky_in_order, first_offered
from mnlbandits.learners.mirror_descent import in_reference_ball, learn
from mnlbandits.learners.radii import OnlineRadius, online_radius
from mnlbandits.learners.reference import by_reward, reference_of
from mnlbandits.learners.splitmix import normals
from mnlbandits.model.softmax import Array


class TsMLogBState(NamedTuple):
    """State of TS-MLogB; arrays are changed in place."""

    learner: Learner
    arms: Array  # those of the learner (N, d)
    radius: OnlineRadius
    offered: Array  # arms on offer in this round (N,) bool
    order: Array  # (D,) coordinates in the order of the noise
    stream: Array  # (1,) uint64: the counter of splitmix64
    noise: Array  # (D,) xi of the last choice
    sample: Array  # (K-1, d) beta~ of the last choice
    root: Array  # (D, D) L of the last choice
    scores: Array  # (N,) rho^T mu(beta~ x) of the last choice


def start(problem: Problem, preset: str, generator: np.random.Generator, radius_multiplier: float = 1.0) -> TsMLogBState:
    """The state before round 1; `generator` gives the key of the run's normal numbers."""
    free, dim = problem.outcomes - 1, problem.dim
    learner, numbers = in_reference_ball(problem, False, radius_multiplier)
    return TsMLogBState(
        learner=learner,
        arms=learner.arms,
        radius=numbers,
        offered=np.ones(len(problem.arms), dtype=bool),
        order=by_reward(reference_of(problem), dim),
        stream=generator.integers(2**64, size=1, dtype=np.uint64),
        noise=np.zeros(free * dim),
        sample=np.zeros((free, dim)),
        root=np.zeros((free * dim, free * dim)),
        scores=np.zeros(len(problem.arms)),
    )


@kernel
def choose(state, t):
    """Lines 3 and 4: argmax of rho^T mu at the draw."""
    learner, noise, sample, scores = state.learner, state.noise, state.sample, state.scores
    free, dim = sample.shape
    normals(state.stream, noise)
    cholesky_in_order(learner.inverse, state.order, state.root)
    width = online_radius(state.radius, t)
    for i in range(free * dim):
        step = 0.0
        for j in range(i + 1):
            step += state.root[i, j] * noise[j]
        a, j = divmod(state.order[i], dim)
        sample[a, j] = learner.phi[a, j] + width * step
    for n in range(len(scores)):
        probabilities(learner.basis, sample, learner.arms[n], learner.scratch.p)
        scores[n] = 0.0
        for k in range(len(learner.rewards)):
            scores[n] += learner.rewards[k] * learner.scratch.p[k]
    return first_offered(scores, state.offered)


@kernel
def update(state, t, arm, outcome):
    """Line 5: one mirror-descent step within the ball."""
    learn(state.learner, arm, outcome)


@kernel
def ratio(state, t, theta):
    """||beta - beta_{t+1}||_{H_{t+1}} / sigma_t, for theta (K, d)."""
    return distance_to_truth(state.learner, theta) / online_radius(state.radius, t)


ALGORITHM = Algorithm(
    name="ts-mlogb",
    title="TS-MLogB",
    source="ours: TS-ECOLog's sampling around the estimate of Zhang and Sugiyama (2023)",
    state=TsMLogBState,
    presets=("valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=(RADIUS,),
    cost="O(1)",
    mark="ours, not a published system; radius our derivation; for more than two outcomes we know no bound on the regret",
    randomised=True,
)
