"""The ECOLog family (Faury, Abeille, Jun and Calauzenes 2022): implicit online steps for two outcomes.

b_{t+1} minimises ||b - b_t||^2_{W_t}/(2 + D) + l_t(b) over Theta, where |x^T(b - b')| <= D, and W_{t+1} = W_t +
s'(x_t^T b_{t+1}) x_t x_t^T from W_1 = lambda I. The authors approximate the step; here it is exact, from one scalar
equation. Before the outcome of round t is seen, b-bar_t minimises the same with the losses of both outcomes for l_t.
S_b bounds b, X is the longest arm, Theta_1 the ball ||b|| <= S_b with D = 2 S_b X, and kappa_b = 2 + 2
cosh(S_b X) >= 1/s'.

- ofu-ecolog first plays argmax ||x||_{V^-1}, V = I/(4 S_b^2) + sum x x^T/kappa_b, and sets Theta = {||b - b-hat||_V <=
  r}, b-hat the maximum likelihood estimate in the ball, as soon as D = 2 r max ||x||_{V^-1} <= 1. Then W starts from I
  at b-hat.
- ada-ofu-ecolog has no such phase. In ``paper`` the observation of a round in which s'(x_t^T b-bar_t) exceeds twice s'
  at the step with one of the outcomes goes to the exceptional list instead, which shrinks Theta to {||b - b-hat||_V <=
  r}, V and b-hat from that list alone, within the ball. In ``valid`` Theta is the ball, no list.
- ts-ecolog draws b~ = b_t + radius W_t^{-1/2} xi, xi standard normal, and plays argmax x^T b~. The paper draws again
  until b~ is in Theta; this draws once, as public code does, since in the ball of R^5 that would not end. Steps as in
  ``valid``.

The first two play argmax x^T b_t + radius ||x||_{W_t^-1}.

Presets
-------
paper (ada-ofu-ecolog) : the constants of the authors' code, lambda = 1, radius^2 = 2 S_b^2 + (1 + S_b X)^2 gamma_t +
    sum [(2 + D)(l_s(b-bar_s) - l_s(b_{s+1})) - ||b_{s+1} - b-bar_s||^2_{W_s}/2] over rounds without exception and
    gamma_t = 1/2 + 2 log(2 sqrt(1 + t/4)/delta), with its slips repaired: b-bar comes before the update, the norm is
    squared, the bonus is on the logit, D is the diameter, a failed test makes an exception. gamma_t enters unsquared,
    as coded, so that nothing is proved. The constants of the exceptional set were not at hand; they are ours, those of
    r below.
valid : lambda = 1 and radius^2 = lambda B^2 + (2 + D) {log(1/delta) + sum [l_s(b-bar_s) - l_s(b_{s+1})]} - sum
    ||b_{s+1} - b_s||^2_{W_s}, never below (2 + D) log(1/delta), where B = S_b bounds ||b_* - b_1||. Our derivation:
    the optimality of every step and l(b_*) >= l(b) + l'(b)(b_* - b) + s'(x^T b)(x^T(b_* - b))^2/(2 + D) add up to the
    bound with sum [l_s(b_*) - l_s(b_{s+1})], and sum [l_s(b_*) - l_s(b-bar_s)] is the logarithm of a martingale of
    mean 1 (a product of likelihood ratios), at most log(1/delta) for ever. For ofu-ecolog delta is halved, D = 1, B^2
    = min(4 S_b^2, r^2/lambda_min(V)), and r^2 = 1 + (2 + 2 S_b X)(log(2/delta) + d log max(e, 2 e S_b X t/d)), from
    the likelihood's mass near b-hat and the same curvature.
calibrated : the valid constants with the radius times `radius_multiplier` and, for ofu-ecolog, r times
    `exploration_multiplier`. No guarantee.

The numbers in the radii of ofu-ecolog and ts-ecolog as published were not at hand, so they have no ``paper``.
"""

from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.ada_ofu_ecolog import start as start_ada
from mnlbandits.algorithms.base import BINARY, RADIUS, Algorithm
from mnlbandits.compiled import kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.binary import distance_to_truth, logit
from mnlbandits.learners.follower import Follower, follow, radius
from mnlbandits.learners.linalg import cholesky, first_argmax
from mnlbandits.learners.splitmix import normals
from mnlbandits.model.softmax import Array


class TsState(NamedTuple):
    """State of TS-ECOLog."""

    follower: Follower
    stream: Array  # (1,) uint64: the counter of splitmix64
    noise: Array  # (d,) xi of the last choice
    sample: Array  # (d,) b~ of the last choice
    root: Array  # (d, d) working memory
    scores: Array  # (N,) x^T b~ of the last choice


def start(problem: Problem, preset: str, generator: np.random.Generator, radius_multiplier: float = 1.0) -> TsState:
    """The state of TS-ECOLog before round 1; `generator` gives the key of the run's normal numbers."""
    dim = problem.dim
    return TsState(
        follower=start_ada(problem, preset, radius_multiplier).follower,
        stream=generator.integers(2**64, size=1, dtype=np.uint64),
        noise=np.zeros(dim),
        sample=np.zeros(dim),
        root=np.zeros((dim, dim)),
        scores=np.zeros(len(problem.arms)),
    )


@kernel
def choose(state, t):
    """argmax of x^T b~, with the Cholesky factor of W^-1 for its root."""
    learner, dim = state.follower.learner, len(state.sample)
    normals(state.stream, state.noise)
    cholesky(learner.inverse, state.root)
    width = radius(state.follower, 0.0)
    for i in range(dim):
        state.sample[i] = learner.b[i]
        for j in range(i + 1):
            state.sample[i] += width * state.root[i, j] * state.noise[j]
    for n in range(len(state.scores)):
        state.scores[n] = logit(learner, n, state.sample)
    return first_argmax(state.scores)


@kernel
def update(state, t, arm, outcome):
    """The implicit step."""
    follow(state.follower, arm, outcome)


@kernel
def ratio(state, t, theta):
    """||b - b_{t+1}||_{W_{t+1}} over the radius, for theta (2, d)."""
    return distance_to_truth(state.follower.learner, state.follower.better, theta) / radius(state.follower, 0.0)


ALGORITHM = Algorithm(
    name="ts-ecolog",
    title="TS-ECOLog",
    source="Faury, Abeille, Jun and Calauzenes (2022)",
    state=TsState,
    presets=("valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=(RADIUS,),
    setting=BINARY,
    regret=r"d^{3/2} \sqrt{T / \kappa_*} + \kappa d^2",
    cost=r"O(\log^2 (t))",
    mark="sampling as in later papers and code, without resampling; radius our derivation",
    randomised=True,
)
