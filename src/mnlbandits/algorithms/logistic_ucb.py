"""Logistic-UCB-1 and Logistic-UCB-2 (Faury, Abeille, Calauzenes and Fercoq 2020): sets in the local metric of the loss.

Both rest on C_t = {||b|| <= S_b, ||g(b) - g(bhat)||_{H(b)^-1} <= gamma_t}, V = kappa_b lambda I + sum x x^T and lambda =
d log T. Logistic-UCB-1 has the bonus sqrt(4 + 8 S_b) sqrt(kappa_b) gamma_t ||x||_{V^-1} / 4 at the estimate of
`binary_mle`.

Logistic-UCB-2 keeps for every round s the largest |x_s^T b| in C_s, l_s, and admits only b with |x_s^T b| <= l_s for all s.
At the admissible estimate b2 its bonus is (2 + 4 S_b) s'(x^T b2) gamma_t ||x||_{H(b2)^-1} + c M kappa_b gamma_t^2
||x||^2_{V^-1}. What runs here, with every preset, is a convex surrogate of ours: the maxima l_s are over the larger convex
set {||b|| <= S_b, F(b) <= min F + beta_s^2}, min F over the ball, beta = gamma + gamma^2/sqrt(lambda), and b2 minimises F
over the admissible set. The published C_s is not convex, and neither is its objective ||g(b) - g(bhat)||_{H(b)^-1}. Of the
l_s of an arm only the smallest matters. Whether b2 passes the test of the proof, ||g(b2) - g(bhat)||_{H(b2)^-1} <= gamma_t,
is counted as in `binary_mle`.

Presets
-------
paper : gamma_t = sqrt(lambda) (S_b + 1/2) + 2/sqrt(lambda) log(2^d/delta (1 + t/(4 d lambda))^{d/2}), c = 4 + 8 S_b,
    M = 1/4.
valid : gamma_t with det(I + sum x x^T/(4 lambda)) where the paper has its bound (1 + t/(4 d lambda))^d; c = 2 + 4 S_b and
    M = 1/(6 sqrt(3)) = max |s''|, as Taylor's remainder is at most M/2 (x^T (b_* - b2))^2 and |x^T (b_* - b2)| <=
    sqrt(kappa_b) ||x||_{V^-1} 2 sqrt(1 + 2 S_b) gamma_t. Our derivation.
calibrated : the valid constants with gamma_t times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import BINARY, Algorithm, Batch, Option
from mnlbandits.algorithms.binary_mle import (
    FAILED,
    MOVED,
    BinaryMle,
    add_bonus,
    gain,
    inverse_norm,
    local_distance,
    make_binary,
    observe,
    observe_many,
    penalised,
    set_truth,
)
from mnlbandits.algorithms.linalg import cholesky, first_argmax, invert_positive, quadratic_form, solve_cholesky
from mnlbandits.algorithms.mle import DATA, largest_linear, loss, mean_rewards
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array

CURVATURE = 1 / (6 * math.sqrt(3))
"""max |s''| of the sigmoid."""


class LogisticUcb1State(NamedTuple):
    """State of Logistic-UCB-1; arrays are changed in place."""

    learner: BinaryMle
    printed: bool  # the paper preset's gamma
    scale: float  # multiplier on gamma
    volume: Array  # (1,) log det(I + sum x x^T / (4 lambda))


class LogisticUcb2State(NamedTuple):
    """State of Logistic-UCB-2; arrays are changed in place."""

    learner: BinaryMle
    printed: bool  # the paper preset's gamma and second-order bonus
    scale: float  # multiplier on gamma
    volume: Array  # (1,) log det(I + sum x x^T / (4 lambda))
    limits: Array  # (N,) smallest l_s of every arm, infinite before its first round
    smallest: Array  # (2,) min F over the ball, and beta^2
    paths: Array  # (2, N, 1, d) last maximisers of x^T b and -x^T b, to start from
    speeds: Array  # (2, N, 1) their tilts
    b2: Array  # (1, d) the admissible estimate
    curved: Array  # (d, d) H(b2)^-1
    multipliers: Array  # (3, N + 1): multiplier, slack and curvature of every constraint
    direction: Array  # (d,)


def ridge_of(problem: Problem) -> float:
    """lambda = d log T, at least that of T = 2."""
    return problem.dim * math.log(max(2, problem.horizon))


def start_1(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> LogisticUcb1State:
    """The state of Logistic-UCB-1 before round 1."""
    learner = make_binary(problem, data, ridge_of(problem))
    return LogisticUcb1State(learner, preset == "paper", radius_multiplier, np.zeros(1))


def start_2(problem: Problem, preset: str, data: str = "suffstat", radius_multiplier: float = 1.0) -> LogisticUcb2State:
    """The state of Logistic-UCB-2 before round 1."""
    learner, (count, dim) = make_binary(problem, data, ridge_of(problem)), problem.arms.shape
    return LogisticUcb2State(
        learner=learner,
        printed=preset == "paper",
        scale=radius_multiplier,
        volume=np.zeros(1),
        limits=np.full(count, np.inf),
        smallest=np.zeros(2),
        paths=np.zeros((2, count, 1, dim)),
        speeds=np.ones((2, count, 1)),
        b2=np.zeros((1, dim)),
        curved=np.eye(dim) / learner.ridge,
        multipliers=np.zeros((3, count + 1)),
        direction=np.zeros(dim),
    )


@kernel
def radius(state, t):
    """gamma_t, see the module's docstring."""
    learner = state.learner
    dim, ridge = learner.b.shape[1], learner.ridge
    volume = dim * math.log1p(t / (4.0 * dim * ridge)) if state.printed else state.volume[0]
    noise = math.log(1.0 / learner.delta) + dim * math.log(2.0) + 0.5 * volume
    return state.scale * (math.sqrt(ridge) * (learner.norm_bound + 0.5) + 2.0 / math.sqrt(ridge) * noise)


@kernel
def measure_volume(state):
    """log det(I + sum x x^T / (4 lambda)) of the V so far."""
    learner = state.learner
    dim, matrix, lower = learner.b.shape[1], learner.data.shifted, learner.data.lower
    for i in range(dim):
        for j in range(dim):
            matrix[i, j] = learner.design[i, j] / (4.0 * learner.ridge)
        matrix[i, i] += 1.0 - 0.25 * learner.kappa
    cholesky(matrix, lower)
    total = 0.0
    for i in range(dim):
        total += 2.0 * math.log(lower[i, i])
    state.volume[0] = total


@kernel
def choose_1(state, t):
    """argmax of rho^T mu + bonus."""
    learner = state.learner
    add_bonus(learner, 0.25 * math.sqrt((4.0 + 8.0 * learner.norm_bound) * learner.kappa) * radius(state, t))
    return first_argmax(learner.scores)


@kernel
def update_1(state, t, arm, outcome):
    """Fit, and test the estimate if it was moved."""
    learner = state.learner
    multiplier = observe(learner, arm, outcome)
    measure_volume(state)
    if multiplier > 0.0 and local_distance(learner, learner.b) > radius(state, t):
        learner.counters[FAILED] += 1


@kernel
def pull_1(state, t, arm, counts):
    """`update_1` for many rounds of an arm at once."""
    observe_many(state.learner, arm, counts)
    measure_volume(state)


@kernel
def ratio(state, t, theta):
    """||g(b) - g(bhat)||_{H(b)^-1} / gamma_t for theta (2, d)."""
    set_truth(state.learner, theta)
    return local_distance(state.learner, state.learner.truth) / radius(state, t)


@kernel
def choose_2(state, t):
    """argmax of rho^T mu + first-order bonus + second-order bonus, at the admissible estimate."""
    learner = state.learner
    scores, arms, gamma, bound = learner.scores, learner.data.arms, radius(state, t), learner.norm_bound
    if state.printed:
        second = (4.0 + 8.0 * bound) * 0.25 * learner.kappa * gamma**2
    else:
        second = (2.0 + 4.0 * bound) * CURVATURE * learner.kappa * gamma**2
    mean_rewards(learner.data, learner.rewards, state.b2, scores)
    for n in range(len(scores)):
        logit = 0.0
        for j in range(arms.shape[1]):
            logit += arms[n, j] * state.b2[0, j]
        decay = math.exp(-abs(logit))
        slope = decay / (1.0 + decay) ** 2
        first = (2.0 + 4.0 * bound) * slope * gamma * math.sqrt(max(0.0, quadratic_form(state.curved, arms[n])))
        scores[n] += learner.spread * (first + second * learner.widths[n])
    return first_argmax(scores)


@kernel
def limit(state, arm, gamma):
    """Lower the arm's limit to the largest |x^T b| of the convex set on the data so far."""
    learner = state.learner
    x, direction = learner.data.arms[arm], state.direction
    square, length = 0.0, 0.0
    for j in range(len(x)):
        square += x[j] * x[j]
        length += learner.b[0, j] ** 2
    state.smallest[0] = loss(learner.data, learner.b) + 0.5 * learner.ridge * length
    state.smallest[1] = (gamma + gamma**2 / math.sqrt(learner.ridge)) ** 2
    if square > 0.0:
        largest = 0.0
        for side in range(2):
            for j in range(len(x)):
                direction[j] = x[j] if side == 0 else -x[j]
            value = largest_linear(
                learner.data,
                learner.ridge,
                direction,
                state.smallest,
                learner.norm_bound,
                state.paths[side, arm],
                state.speeds[side, arm],
            )
            largest = max(largest, value)
        state.limits[arm] = min(state.limits[arm], largest)


@rare_kernel
def admissible(arms, limits, b):
    """Whether |x^T b| is within the limit of every arm, for b (1, d)."""
    for n in range(len(arms)):
        logit = 0.0
        for j in range(arms.shape[1]):
            logit += arms[n, j] * b[0, j]
        if abs(logit) > limits[n]:
            return False
    return True


@rare_kernel
def admissible_estimate(data, ridge, limits, bound, b, multipliers):
    """Minimise F over {||b|| <= bound, |x^T b| <= limit of every arm}, in place from `b` (1, d).

    Primal-dual interior point: constraints c = (x^T b / limit)^2 - 1 and ||b / bound||^2 - 1 with c + slack = 0, slack > 0
    and multiplier > 0; Newton's method for slack x multiplier = a tenth of their mean, with steps that keep both positive
    and are damped as in `minimise`. It stops when the step is below 1e-8 standard errors, or no longer decreases (rounding):
    late steps are as large as the slacks, which shrink tenfold each time.

    Parameters
    ----------
    limits : (N,) > 0, may be infinite. multipliers : (3, N + 1) working memory.
    """
    arms, dim = data.arms, b.shape[1]
    count = len(arms)
    weight, slack, value = multipliers[0], multipliers[1], multipliers[2]
    step, normal, matrix = data.vectors[0], data.vectors[1], data.shifted
    previous, used = math.inf, 0
    for n in range(count + 1):
        weight[n], slack[n] = 1.0, 1.0
        if n == count or limits[n] < math.inf:
            used += 1
    for _ in range(200):
        penalised(data, ridge, b)
        mean = 0.0
        for n in range(count + 1):
            if n == count or limits[n] < math.inf:
                mean += weight[n] * slack[n] / used
        aim = 0.1 * mean
        for i in range(dim):
            step[i] = -data.gradient[i]
            for j in range(dim):
                matrix[i, j] = data.hessian[i, j]
        for n in range(count + 1):
            scale = bound if n == count else limits[n]
            if scale == math.inf:
                continue
            value[n] = -1.0
            if n == count:
                for j in range(dim):
                    value[n] += (b[0, j] / scale) ** 2
                    normal[j] = 2.0 * b[0, j] / scale**2
                    matrix[j, j] += 2.0 * weight[n] / scale**2
            else:
                logit = 0.0
                for j in range(dim):
                    logit += arms[n, j] * b[0, j] / scale
                value[n] += logit**2
                for i in range(dim):
                    normal[i] = 2.0 * logit * arms[n, i] / scale
                    for j in range(dim):
                        matrix[i, j] += 2.0 * weight[n] * arms[n, i] * arms[n, j] / scale**2
            pull = weight[n] + (aim + weight[n] * value[n]) / slack[n]
            for i in range(dim):
                step[i] -= pull * normal[i]
                for j in range(dim):
                    matrix[i, j] += weight[n] / slack[n] * normal[i] * normal[j]
        cholesky(matrix, data.lower)
        solve_cholesky(data.lower, step)
        length, decrement = 0.0, 0.0
        for i in range(dim):
            length += step[i] * step[i]
            for j in range(dim):
                decrement += step[i] * data.hessian[i, j] * step[j]
        reach = math.sqrt(6.0 * length)
        share = math.log1p(reach) / reach if reach > 0.0 else 1.0
        for n in range(count + 1):  # `value` becomes the step of the slack
            scale = bound if n == count else limits[n]
            if scale == math.inf:
                continue
            along = 0.0
            if n == count:
                for j in range(dim):
                    along += 2.0 * b[0, j] * step[j] / scale**2
            else:
                logit, change = 0.0, 0.0
                for j in range(dim):
                    logit += arms[n, j] * b[0, j] / scale
                    change += arms[n, j] * step[j] / scale
                along = 2.0 * logit * change
            value[n] = -(value[n] + slack[n]) - along
            turn = aim / slack[n] - weight[n] - weight[n] / slack[n] * value[n]
            if value[n] < 0.0:
                share = min(share, -0.99 * slack[n] / value[n])
            if turn < 0.0:
                share = min(share, -0.99 * weight[n] / turn)
        for n in range(count + 1):
            if n == count or limits[n] < math.inf:
                turn = aim / slack[n] - weight[n] - weight[n] / slack[n] * value[n]
                slack[n] += share * value[n]
                weight[n] += share * turn
        for j in range(dim):
            b[0, j] += share * step[j]
        if mean < 1e-4 and (decrement < 1e-16 or (decrement < 1e-12 and decrement >= previous)):
            return
        previous = decrement


@kernel
def update_2(state, t, arm, outcome):
    """The arm's limit from the data before this round; then fit, move the estimate, and test it if it was moved."""
    learner = state.learner
    limit(state, arm, radius(state, t - 1))
    moved = observe(learner, arm, outcome) > 0.0
    measure_volume(state)
    for j in range(learner.b.shape[1]):
        state.b2[0, j] = learner.b[0, j]
    if not admissible(learner.data.arms, state.limits, state.b2):
        admissible_estimate(learner.data, learner.ridge, state.limits, learner.norm_bound, state.b2, state.multipliers)
        learner.counters[MOVED] += 0 if moved else 1
        moved = True
    penalised(learner.data, learner.ridge, state.b2)
    invert_positive(learner.data.hessian, state.curved, learner.square)
    distance = inverse_norm(learner.data.hessian, learner.data.gradient, learner.data.lower)
    if moved and distance > radius(state, t):
        learner.counters[FAILED] += 1


COMMON = {
    "source": "Faury, Abeille, Calauzènes and Fercoq (2020)",
    "presets": ("paper", "valid", "calibrated"),
    "ratio": ratio,
    "options": (DATA, Option("radius_multiplier", "factor on the valid radius")),
    "setting": BINARY,
    "cost": "O(t)",
}

ALGORITHMS = (
    Algorithm(
        name="logistic-ucb-1",
        title="Logistic-UCB-1",
        state=LogisticUcb1State,
        start=start_1,
        choose=choose_1,
        update=update_1,
        batch=Batch(pull_1, gain),
        regret=r"d \sqrt{\kappa T}",
        mark="as published, with the constrained MLE as projection; valid: the determinant for its bound, our change",
        **COMMON,
    ),
    Algorithm(
        name="logistic-ucb-2",
        title="Logistic-UCB-2 (convex surrogate)",
        state=LogisticUcb2State,
        start=start_2,
        choose=choose_2,
        update=update_2,
        row=2,
        regret=r"d \sqrt{T} + \kappa d^2",
        mark="convex surrogate of ours: log-loss sets for the limits, constrained MLE as projection; bonus as published",
        **COMMON,
    ),
)
