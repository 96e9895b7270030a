"""REAL: Recommendation with Exploration And Learning (Algorithms 1 and 2).

The paper's boxes number no lines; here the first one below the input is line 1. `lines` says what runs each of them.

Algorithm 1, Exploration_Routine. Input: length tau, regularisation lambda_0.

    1. Init: V_0 = lambda_0 I_{Kd}
    2. for each round t in 1 .. tau:
    3.     choose action x_t in argmax_x ||I_K (x) x||_{V_{t-1}^-1}
    4.     observe y_t ~ mu(theta_* x_t)
    5.     get reward rho_{y_t}
    6.     update V_t = V_{t-1} + 1/kappa I_K (x) x_t x_t^T
    7. hat theta_{tau+1} = argmin over R^{K x d} of sum_{s <= tau} l_s(theta) + lambda_0/2 ||theta||^2
    8. Output: Theta = {theta in Pi R^{K x d} : ||theta - hat theta_{tau+1}||^2_{V_tau} <= 84^2 lambda_0}

Algorithm 2, REAL. Input: tau, lambda_0, regularisation lambda, step size eta.

    1. Init: run Theta <- Exploration_Routine(tau, lambda_0)
    2. set W_{tau+1} = lambda I_{Kd}, Wbar_{tau+1} = lambda I_{Kd}
    3. for each round t in tau+1 .. T:
    4.     choose action x_t in argmax_x rtilde_t(x), the optimistic reward (Eq. optimistic reward)
    5.     observe y_t ~ mu(theta_* x_t)
    6.     get reward rho_{y_t}
    7.     compute Wtilde_t = W_t + eta grad mu(theta_t x_t) (x) x_t x_t^T
    8.     compute theta_{t+1} = argmin over Theta of <grad l_{t+1}(theta_t), theta> +
               1/(2 eta) ||theta - theta_t||^2_{Wtilde_t}
    9.     update W_{t+1} = W_t + grad mu(theta_{t+1} x_t) (x) x_t x_t^T
   10.     update Wbar_{t+1} = Wbar_t + grad mu(theta_{t+1} x_t) (x) x_t x_t^T + 1_K 1_K^T (x) x_t x_t^T

theta_{tau+1}, which no line sets, is hat theta_{tau+1}. V = I_K (x) A with A (d, d), so the score of line 3 is x^T A^-1 x;
theta = C phi with a basis C of 1^perp (`likelihood`), and Wbar changes no number (`learner`).
S bounds ||theta_*||_F: sqrt(K) S if the instance bounds the rows by S. R of the second-order bonus is ||rho|| in paper, so
there it grows with a common shift of the rewards, and ||rho - min rho|| in the others, which the same proof allows.

Presets
-------
paper : lambda_0 = (S + 1) K d log(T/delta), tau = 336^2 lambda_0 kappa K d log T, eta = 1, lambda = 144 K d and sigma_t =
    2/sqrt(6) sqrt(K d log(t/delta)) + 2 S sqrt(lambda): every constant as printed (Lemma constant diameter, Lemma
    confidence set learning, Theorem regret bound). theta_{tau+1} is the centre of Theta, our choice (C127, C127b).
valid : Theta as printed, but the exploration ends when the diameter of Theta, which is known in closed form, is
    1/sqrt(6), all that the analysis uses. Then eta = 3/2 = (2 + sqrt(6) diam)/2, lambda = 36 eta D and the radius of the
    mix-loss argument, sigma^2 = 4 S^2 lambda + 2 eta log(1/delta) + 3 sqrt(6) eta^2 D log(1 + 2 n/(D lambda)) after n
    rounds of learning, D = (K-1) d, started from the estimate shrunk into the ball of radius S. Our derivation.
custom : as printed, with other factors in place of 336, 84, 144 and 1: `tau_factor`, `theta_factor`, `lambda_factor`, `eta`.
calibrated : the paper's formulas with the radius of Theta times `exploration_multiplier`, the exploration ended when the
    diameter of that set is 1/sqrt(6), and sigma_t times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Algorithm, Batch, Exploration, ExplorationPlan, only_fixed
from mnlbandits.algorithms.real_constants import OPTIONS, constants
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.design import REFRESH, add_pulls, put_in_play, refresh_scores
from mnlbandits.learners.eigen import matrix_roots
from mnlbandits.learners.learner import LEARNT, Learner, distance_to_truth, make_learner
from mnlbandits.learners.likelihood import ridge_estimate
from mnlbandits.learners.linalg import first_argmax, largest, quadratic_form
from mnlbandits.learners.mirror_descent import information_of_learner, learn, pull
from mnlbandits.learners.optimistic_index import optimistic_arm
from mnlbandits.learners.radii import Radius, radius
from mnlbandits.learners.search import Search, search_of
from mnlbandits.model.softmax import Array, contrast_basis


class RealState(NamedTuple):
    """State of REAL; arrays are changed in place."""

    learner: Learner
    arms: Array  # those of the learner (N, d)
    search: Search | None  # what finds the best vector of a sphere or ball, then arm 0
    kappa: float
    lambda_0: float
    theta_radius: float
    tau: int
    target: float  # the exploration also ends once max ||x||^2_{A^-1} is at most this
    norm_bound: float  # S if learning starts inside the ball, else infinity
    sigma: Radius
    delta: float
    design: Array  # A (d, d) of V = I (x) A
    design_inverse: Array  # (d, d)
    design_arms: Array  # what is explored (M, d): the arms, or the axes on a sphere or ball
    design_scores: Array  # x^T A^-1 x (M,)
    lower: Array  # (d + 1, d) Cholesky factor of the design
    values: Array  # (d, d) its eigenvalues
    vectors: Array  # (d, d) its eigenvectors
    counts: Array  # outcomes seen while exploring (M, K), int64
    learning: Array  # (1,) int64: 1 once Theta is there


def start(problem: Problem, preset: str, **options: float) -> RealState:
    """The state before round 1: Algorithm 1, line 1, and Algorithm 2, lines 1 and 2."""
    c, dim, basis = constants(problem, preset, **options), problem.dim, contrast_basis(problem.outcomes)
    rewards, reward_norm = problem.relative_rewards, problem.reward_norm if preset in ("paper", "custom") else None
    arms, fresh = problem.arms.copy(), problem.fresh
    learner = make_learner(basis, arms, rewards, c.lambda_, c.eta, c.theta_radius, None, reward_norm, fresh)
    design_arms = np.eye(dim) if problem.continuous else arms
    state = RealState(
        learner=learner,
        arms=arms,
        search=search_of(problem, learner, c.lambda_),
        kappa=problem.kappa,
        lambda_0=c.lambda_0,
        theta_radius=c.theta_radius,
        tau=c.tau,
        target=(c.stop_diameter / (2 * c.theta_radius)) ** 2,
        norm_bound=problem.frobenius_bound if c.inside_ball else math.inf,
        sigma=c.sigma,
        delta=problem.delta,
        design=c.lambda_0 * np.eye(dim),
        design_inverse=np.zeros((dim, dim)),
        design_arms=design_arms,
        design_scores=np.zeros(len(design_arms)),
        lower=np.zeros((dim + 1, dim)),
        values=np.zeros((dim, dim)),
        vectors=np.zeros((dim, dim)),
        counts=np.zeros((len(design_arms), problem.outcomes), dtype=np.int64),
        learning=np.zeros(1, dtype=np.int64),
    )
    refresh_scores(state.design_arms, state.design, state.design_scores, state.design_inverse, state.lower)
    if explored(state, 0):
        begin_learning(state)
    return state


@rare_kernel
def begin_learning(state):
    """Algorithm 1, lines 7 and 8: the ridge estimate, and Theta = {||theta - estimate||_V <= theta_radius}."""
    learner, phi, dim = state.learner, state.learner.phi, len(state.design)
    phi[:] = 0.0
    ridge_estimate(learner.basis, state.design_arms, state.counts, state.lambda_0, phi, learner.scratch)
    length = 0.0
    for a in range(len(phi)):
        for j in range(dim):
            learner.centre[a, j] = phi[a, j]
            length += phi[a, j] * phi[a, j]
    shrink = min(1.0, state.norm_bound / math.sqrt(length)) if length > 0.0 else 1.0
    for a in range(len(phi)):
        for j in range(dim):
            phi[a, j] *= shrink
    matrix_roots(state.design, learner.shape, state.values, state.vectors)
    state.learning[0] = 1


@kernel
def sigma(state, t):
    """The confidence radius sigma_t(delta) (Lemma confidence set learning)."""
    return radius(state.sigma, t, state.delta, state.learner.counters[LEARNT])


@kernel
def choose(state, t):
    """Algorithm 1, line 3, while exploring; then Algorithm 2, line 4: argmax of the optimistic reward."""
    if state.learning[0]:
        return optimistic_arm(state.learner, sigma(state, t), None, state.search)
    return put_in_play(state.arms, state.design_arms, first_argmax(state.design_scores), state.search)


@kernel
def update(state, t, arm, outcome):
    """Algorithm 1, lines 4 to 8: V += (1/kappa) I (x) x x^T; then Algorithm 2, lines 5 to 10: the mirror-descent step."""
    if state.learning[0]:
        learn(state.learner, arm, outcome)
        return
    arms, scratch = state.design_arms, state.lower
    state.counts[arm, outcome] += 1
    add_pulls(arms, state.kappa, arm, 1.0, state.design, state.design_scores, state.design_inverse, scratch)
    if t % REFRESH == 0:
        refresh_scores(arms, state.design, state.design_scores, state.design_inverse, scratch)
    if explored(state, t):
        begin_learning(state)


@kernel
def explored(state, t):
    """Algorithm 1, line 2: whether the exploration is over after round t."""
    return t >= state.tau or largest(state.design_scores) <= state.target


@kernel
def ratio(state, t, theta):
    """||theta - theta_{t+1}||_{W_{t+1}} / sigma_t of the set C_t; -1 while exploring."""
    if not state.learning[0] or state.learner.counters[LEARNT] == 0:
        return -1.0
    return distance_to_truth(state.learner, theta) / sigma(state, t)


def plan(state: RealState) -> ExplorationPlan:
    """What the exploration will do."""
    return ExplorationPlan(state.kappa, state.lambda_0, state.tau, state.target, state.theta_radius)


def finish(state: RealState, design: Array, counts: Array) -> None:
    """Put the state at the end of an exploration that gave `design` and outcome `counts`."""
    state.design[:] = design
    state.counts[:] = counts
    begin_learning(state)


def theta_ratio(state: RealState, theta: Array) -> float:
    """||theta - estimate||_V / theta_radius for theta (K, d) in Pi R^{K x d}: <= 1 inside Theta, nan while exploring."""
    if not state.learning[0]:
        return math.nan
    difference = state.learner.basis.T @ theta - state.learner.centre
    return math.sqrt(sum(quadratic_form(state.design, row) for row in difference)) / state.theta_radius


ALGORITHM = Algorithm(
    name="real",
    title="REAL",
    source="Boudart, Gaillard and Rudi (2026), Algorithms 1 and 2",
    state=RealState,
    presets=("paper", "custom", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=OPTIONS,
    exploration=Exploration(plan, finish, theta_ratio),
    batch=Batch(pull, information_of_learner, on_sphere=True),
    rounds_explored=lambda state: state.counts.sum(),
    row=11,
    regret=r"R d \sqrt{K T / \kappa_*} + \kappa d^2 K^2",
    cost="O(1)",
    mark="as printed; the start of the learning phase, theta-hat, is our choice where any point of Theta is allowed",
    refuses=only_fixed(
        "Algorithm 1 explores one fixed set, before learning starts; Algorithm 3, adaptive-real, is for others"
    ),
)
