"""EVILL (Janz, Liu, Ayoub and Szepesvari 2024): maximum likelihood of the loss plus a random linear term.

Published for one-parameter families, so for K = 2 here, and written for K outcomes in reference-class coordinates, see
`reference`: D = (K-1) d, S the bound on ||beta||_F, F(beta) = L(beta) + lambda/2 ||beta||^2 of the data so far.

Input: S, delta, lambda

    1. for t = 1, 2, ..
    2.     beta-hat_t = argmin F over the ball;  H_t = Hessian of F at beta-hat_t
    3.     w_t ~ N(0, a_t^2 H_t)
    4.     beta~_t = argmin F(beta) - w_t^T beta over R^D
    5.     play x_t = argmax rho^T mu(beta~_t x) over the arms on offer

The authors draw w_t as a (sqrt(lambda) Z' + sum_s s'(x_s^T b-hat)^{1/2} Z_s x_s), a normal number for every round, which for
K = 2 has the law of line 3; here it is a_t L_t xi_t with L_t L_t^T = H_t and xi_t standard normal, outcomes of larger
rewards first, so that their names do not matter. Their estimate of line 2 is over R^D; ours is over the ball, which the
radius needs. To first order beta~_t - beta-hat_t is H_t^{-1} w_t, the noise of
Thompson sampling, see `ts_mlogb`, which also says why a_t needs no further root of D. For K >= 3 the extension is ours, and
no bound on the regret is known to us.

Presets
-------
valid : lambda = 1 and a_t = sigma_n, n = t - 1, sigma_n^2 = (2 + 2 sqrt(6) S)(beta_n^2 + lambda S^2/2), with the beta_n^2
    of `mnl_ucb_plus`. For all t, ||beta_* - beta-hat_t||_{H_t} <= sigma_n with probability 1 - delta: F(beta_*) -
    F(beta-hat) is at most L(beta_*) - min L + lambda S^2/2, min over the ball, and at least ||beta_* - beta-hat||_H^2 /
    (2 + 2 sqrt(6) S), as F is generalised self-concordant and beta-hat optimal in a ball that has beta_*. Our derivation.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.

No ``paper``: the text was not at hand. Public code of others restates its constants for K = 2 and b, ||b|| <= S_b, as m =
log max(3/delta, e sqrt(1 + T/(4 d))), lambda = max(1, 2 d m/S_b), a = sqrt(lambda)(1/2 + S_b) + 2 d m/sqrt(lambda), after a
warm-up by the G-optimal design until max ||x||^2_{V^-1} <= 1/(22 (1 + q C^2) C^2 a sqrt(kappa_b)), q = Xi + Xi^2, Xi =
sqrt(2)(2 S_b + 1/2), C = sqrt(d) + sqrt(2 log max(3 T/delta, 200)): 10^8 rounds for d = 2, S_b = sqrt(2), T = 10^5.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import DATA, RADIUS, Algorithm
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.data import Data, evaluate, loss, make_data, record
from mnlbandits.learners.linalg import cholesky, cholesky_in_order, first_offered, quadratic_form, solve_cholesky
from mnlbandits.learners.loss_set import LossSet, excess, make_loss_set
from mnlbandits.learners.mle import mean_rewards, minimise
from mnlbandits.learners.reference import by_reward, reference_of, relative
from mnlbandits.learners.splitmix import normals
from mnlbandits.model.softmax import Array

RIDGE = 1.0
"""lambda."""


class EvillState(NamedTuple):
    """State of EVILL; arrays are changed in place."""

    data: Data
    loss_set: LossSet
    reference: int
    order: Array  # (D,) coordinates in the order of the noise
    rewards: Array  # rho - rho_c (K,)
    arms: Array  # those of the data (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    estimate: Array  # (K-1, d) beta-hat
    sample: Array  # (K-1, d) beta~ of the last choice
    hessian: Array  # (D, D) H
    root: Array  # (D, D) L
    stream: Array  # (1,) uint64: the counter of splitmix64
    noise: Array  # (D,) xi of the last choice
    tilt: Array  # (D,) w of the last choice
    step: Array  # (D,) working memory
    truth: Array  # (K-1, d) working memory
    no_tilt: Array  # (D,) zeros
    scores: Array  # (N,) rho^T mu(beta~ x) of the last choice


def start(
    problem: Problem, preset: str, generator: np.random.Generator, data: str = "suffstat", radius_multiplier: float = 1.0
) -> EvillState:
    """The state before round 1; `generator` gives the key of the run's normal numbers."""
    reference, loss_set = reference_of(problem), make_loss_set(problem, preset, radius_multiplier)
    free, dim, size = problem.outcomes - 1, problem.dim, loss_set.size
    observations = make_data(problem, reference.basis, data)
    return EvillState(
        data=observations,
        loss_set=loss_set,
        reference=reference.outcome,
        order=by_reward(reference, dim),
        rewards=reference.rewards,
        arms=observations.arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        estimate=np.zeros((free, dim)),
        sample=np.zeros((free, dim)),
        hessian=RIDGE * np.eye(size),
        root=np.zeros((size, size)),
        stream=generator.integers(2**64, size=1, dtype=np.uint64),
        noise=np.zeros(size),
        tilt=np.zeros(size),
        step=np.zeros(size),
        truth=np.zeros((free, dim)),
        no_tilt=np.zeros(size),
        scores=np.zeros(len(problem.arms)),
    )


@kernel
def radius(loss_set, observations):
    """sigma_n for n observations."""
    bound = loss_set.norm_bound
    square = excess(loss_set, observations) + loss_set.scale**2 * RIDGE * bound * bound / 2.0
    return math.sqrt((2.0 + 2.0 * math.sqrt(6.0) * bound) * square)


@kernel
def choose(state, t):
    """Lines 3 to 5: argmax of rho^T mu at the minimiser of the tilted loss."""
    size, dim = len(state.tilt), state.sample.shape[1]
    normals(state.stream, state.noise)
    cholesky_in_order(state.hessian, state.order, state.root)
    width = radius(state.loss_set, t - 1)
    for i in range(size):
        state.step[i] = 0.0
        for j in range(i + 1):
            state.step[i] += width * state.root[i, j] * state.noise[j]
        state.tilt[state.order[i]] = state.step[i]
    solve_cholesky(state.root, state.step)
    for i in range(size):  # from beta-hat + H^-1 w, which is beta~ where there are no data
        a, j = divmod(state.order[i], dim)
        state.sample[a, j] = state.estimate[a, j] + state.step[i]
    minimise_tilted(state.data, RIDGE, state.tilt, state.sample, state.truth, state.step)
    mean_rewards(state.data, state.rewards, state.sample, state.scores)
    return first_offered(state.scores, state.offered)


@rare_kernel
def minimise_tilted(data, ridge, tilt, phi, trial, step):
    """Minimise F(phi) - tilt^T phi over R^D, in place from `phi` (K-1, d); `trial` (K-1, d) and `step` (D,) are scratch.

    The minimiser may be so far out that the damped steps of `minimise` would take for ever: Newton's method whose steps are
    halved until they pay. Steps with sqrt(6) ||step|| <= 1/2 are in the region of quadratic convergence, as F is generalised
    self-concordant, and are taken whole, until they no longer shrink.
    """
    size, dim, previous = len(tilt), phi.shape[1], math.inf
    for _ in range(500):
        value, length, slope = evaluate(data, phi, True) + rest(ridge, tilt, phi), 0.0, 0.0
        for i in range(size):
            data.gradient[i] += ridge * phi[i // dim, i % dim] - tilt[i]
            data.hessian[i, i] += ridge
            step[i] = -data.gradient[i]
        cholesky(data.hessian, data.lower)
        solve_cholesky(data.lower, step)
        for i in range(size):
            length += step[i] * step[i]
            slope += data.gradient[i] * step[i]
        reach, part = math.sqrt(6.0 * length), 1.0
        if reach <= 0.5 and reach >= previous:
            return
        for _ in range(60 if reach > 0.5 else 0):
            for i in range(size):
                trial[i // dim, i % dim] = phi[i // dim, i % dim] + part * step[i]
            if loss(data, trial) + rest(ridge, tilt, trial) <= value + 0.25 * part * slope:
                break
            part *= 0.5
        for i in range(size):
            phi[i // dim, i % dim] += part * step[i]
        previous = reach


@kernel
def rest(ridge, tilt, phi):
    """ridge/2 ||phi||^2 - tilt^T phi."""
    total, dim = 0.0, phi.shape[1]
    for i in range(len(tilt)):
        total += phi[i // dim, i % dim] * (0.5 * ridge * phi[i // dim, i % dim] - tilt[i])
    return total


@kernel
def update(state, t, arm, outcome):
    """The observation, then line 2 of the next round."""
    record(state.data, arm, outcome)
    minimise(state.data, RIDGE, state.no_tilt, state.loss_set.norm_bound, state.estimate)
    evaluate(state.data, state.estimate)
    for i in range(len(state.hessian)):
        for j in range(len(state.hessian)):
            state.hessian[i, j] = state.data.hessian[i, j] + (RIDGE if i == j else 0.0)


@kernel
def ratio(state, t, theta):
    """||beta - beta-hat||_H / sigma_t after round t, for theta (K, d)."""
    difference, dim = state.step, state.sample.shape[1]
    relative(state.reference, theta, state.truth)
    for i in range(len(difference)):
        difference[i] = state.truth[i // dim, i % dim] - state.estimate[i // dim, i % dim]
    return math.sqrt(quadratic_form(state.hessian, difference)) / radius(state.loss_set, t)


ALGORITHM = Algorithm(
    name="evill",
    title="EVILL",
    source="Janz, Liu, Ayoub and Szepesvari (2024)",
    state=EvillState,
    presets=("valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=(RADIUS, DATA),
    regret=r"d^{3/2} \sqrt{T / \kappa_*}",
    cost="O(t)",
    mark="steps read in the authors' code (K = 2), not in the text; estimate in the ball, more outcomes and radius ours",
    randomised=True,
)
