"""REAL with adaptive exploration (Algorithm 3), which also plays sets of arms that change from round to round.

Input: regularisation lambda^w, lambda, learning rate eta^w. Lines are numbered as in `real`.

    1. Init: H^w_0 = lambda^w I_{Kd}, H_1 = lambda I_{Kd}
    2. for each time step t in 1 .. T:
    3.     get action set X_t
    4.     if max over X_t of ||I_K (x) x||^2_{(H^w_{t-1})^-1} >= 1/tau_t^2:
    5.         play x_t = argmax over X_t of ||I_K (x) x||^2_{(H^w_{t-1})^-1}
    6.         observe y_t ~ mu(theta_* x_t)
    7.         get reward rho_{y_t}
    8.         Htilde^w_t <- H_{t-1} + eta^w/kappa I_K (x) x_t x_t^T
    9.         theta^w_{t+1} <- argmin over R^{K x d} of <grad mu(theta^w_t), theta> +
                   1/(2 eta^w) ||theta^w_t - theta||^2_{Htilde^w_t}
   10.         H^w_t <- H^w_{t-1} + 1/kappa I_K (x) x_t x_t^T
   11.         W_{t+1}(delta) <- {theta in R^{K x d} : ||theta - theta^w_{t+1}||_{H^w_t} <= beta_{t+1}(delta)}
   12.     else:
   13.         play x_t = argmax over X_t of rtilde_t(x), the optimistic reward (Eq. optimistic reward)
   14.         Htilde_{t+1} <- H_t + grad mu(theta_t x_t) (x) x_t x_t^T
   15.         theta_{t+1} <- argmin over W_t(delta) of <grad l_{t+1}(theta_t), theta> + ||theta - theta_t||^2_{Htilde_{t+1}}
   16.         H_{t+1} <- H_t + grad mu(theta_{t+1} x_t) (x) x_t x_t^T
   17.         Hbar_{t+1} <- H_{t+1} + 1_K 1_K^T (x) x_t x_t^T
   18.         W_{t+1}(delta) <- W_t(delta)
   19.         theta^w_{t+1} <- theta^w_t
   20.         H^w_t <- H^w_{t-1}

H^w = I (x) U^w with U^w = lambda^w I + 1/kappa sum x x^T (d, d), so the trigger and the sets need d x d matrices only.

Readings
--------
Some printed lines cannot be meant; two of them can be run nevertheless.

====  ============================================  =======================================  ===========================
line  Algorithm 3 prints                            repaired                                 printed
====  ============================================  =======================================  ===========================
1     neither Hbar_1, theta_1, theta^w_1 nor W_1    lambda I, see the presets, 0, and {||theta||_{H^w_0} <= beta_1}
8     H_{t-1}, the matrix of the learning phase     H^w_{t-1}                                the current H
9     grad mu(theta^w_t), of another shape          grad l_t(theta^w_t)                      as repaired
9,15  theta in R^{K x d}, not in Pi R^{K x d}       the same: the rows of all iterates sum to zero by themselves
11    theta_t may lie outside the new W_{t+1}       projected into it in the norm of H when learning resumes
13    no line that observes y_t                     as in line 6
14,5  no eta, no 1/(2 eta)                          as Algorithm 2 with eta = 1              a step of 1/2, the curvature
                                                                                             in full
17    Hbar without the 1 1^T of rounds before       as Algorithm 2, where it changes no number (`learner`)
====  ============================================  =======================================  ===========================

(The main text prints H^w without lambda^w I; line 1 has it.)

S and R are those of `real`: bounds on ||theta_*||_F, and ||rho|| in paper but ||rho - min rho|| in the others.

Presets
-------
paper : every constant as printed: eta^w = (1 + sqrt(6) S)/2, lambda^w = 144 eta^w K d, beta_t = 4 S sqrt(K d log(t/delta)) +
    2 S sqrt(lambda^w), tau_t = 2 sqrt(6) beta_t; lambda = 144 K d, sigma_t = 2 sqrt(K d log(t/delta)) + 24 S sqrt(K d).
    Learning starts from theta^w. The proof of beta_t takes ||theta - theta_*|| <= 2 S on W_t, which no line ensures.
valid : theta^w is the mirror descent of `oful_mlogb` on the rounds of exploration, in the ball of radius S of centred
    coordinates: eta^w = log(K)/2 + S + 1, lambda^w = max(6 sqrt(6) eta^w S, 36 eta^w D), D = (K-1) d, and after n rounds
    beta^2 = lambda^w S^2 + 2 eta^w log(1/delta) + 3 sqrt(6) eta^w^2 D log(1 + 2 n/(D lambda^w)). Its own matrix is at least
    H^w, since grad mu >= 1/kappa in the ball, so W_t holds theta_* and, by the trigger, has a diameter of at most 1/sqrt(6).
    Learning has eta = 3/2, lambda = 54 D and starts from 0, projected into W_t, so that ||theta_1 - theta_*|| <= S and
    sigma^2 = lambda S^2 + 2 eta log(1/delta) + 3 sqrt(6) eta^2 D log(1 + 2 n/(D lambda)) after n rounds of learning; a
    projection in the norm of H brings no theta_t further from theta_*. Both sets hold with probability 1 - 2 delta. Our
    derivation, not the paper's. Its kappa is that of the ball.
calibrated : the paper's constants, beta_t times `exploration_multiplier`, sigma_t times `radius_multiplier`. No guarantee.
"""

import math
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Algorithm, Batch, Option
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Problem
from mnlbandits.learners.design import REFRESH, add_pulls, put_widest_in_play, refresh_scores
from mnlbandits.learners.eigen import matrix_roots
from mnlbandits.learners.exploration_step import IN_BALL, PRINTED, REPAIRED, explore, explore_many
from mnlbandits.learners.learner import LEARNT, Learner, distance_to_truth, information, make_learner
from mnlbandits.learners.linalg import first_offered, quadratic_form, total
from mnlbandits.learners.mirror_descent import learn, learn_many
from mnlbandits.learners.optimistic_index import optimistic_arm
from mnlbandits.learners.projection import distance_to_centre, project
from mnlbandits.learners.radii import Radius, mix_loss_radius, radius
from mnlbandits.learners.search import Search, search_of
from mnlbandits.model.softmax import Array, contrast_basis

READINGS = ("repaired", "printed")


EXPLORED, EXPLORES, CHANGED = range(3)
"""Entries of `counters`: rounds of exploration so far, whether this round is one, whether W_t is not yet in the learner."""


class AdaptiveRealState(NamedTuple):
    """State of adaptive REAL; arrays are changed in place."""

    learner: Learner  # (phi, W); centre, shape and radius are the set W_t, scores the index of the last choice
    explorer: Learner  # phi is phi^w; the rest is used by mirror descent in the ball only
    arms: Array  # those of both learners (N, d)
    offered: Array  # arms on offer in this round (N,) bool
    search: Search | None  # what finds the best vector of a sphere or ball, then arm 0
    kappa: float
    delta: float
    step: int  # REPAIRED, PRINTED or IN_BALL
    beta: Radius
    sigma: Radius
    design: Array  # U^w (d, d) of H^w = I (x) U^w
    design_inverse: Array  # (d, d)
    design_scores: Array  # ||I (x) x||^2 in the norm of the inverse of H^w, of every arm (N,)
    lower: Array  # (d + 1, d) Cholesky factor of the design
    values: Array  # (d, d) its eigenvalues
    vectors: Array  # (d, d) its eigenvectors
    counters: Array  # (3,) see EXPLORED, EXPLORES and CHANGED


def start(
    problem: Problem,
    preset: str,
    reading: str = "repaired",
    exploration_multiplier: float = 1.0,
    radius_multiplier: float = 1.0,
) -> AdaptiveRealState:
    """The state before round 1 (line 1).

    Raises
    ------
    InputError : the valid preset has no printed reading.
    """
    s, delta, dim, outcomes = problem.frobenius_bound, problem.delta, problem.dim, problem.outcomes
    size, free = outcomes * dim, (outcomes - 1) * dim
    if preset == "valid":
        if reading != "repaired":
            raise InputError("adaptive-real.reading", reading, "repaired with the valid preset, which is not the paper's")
        step, eta, ahead = IN_BALL, 1.5, 1.5
        eta_w, lambda_ = 0.5 * math.log(outcomes) + s + 1, 36 * eta * free
        lambda_w = max(6 * math.sqrt(6) * eta_w * s, 36 * eta_w * free)
        beta, sigma = mix_loss_radius(s, delta, free, eta_w, lambda_w), mix_loss_radius(s, delta, free, eta, lambda_)
    else:
        step, eta, ahead = (PRINTED, 0.5, 1.0) if reading == "printed" else (REPAIRED, 1.0, 1.0)
        eta_w, lambda_ = (1 + math.sqrt(6) * s) / 2, 144.0 * size
        lambda_w = 144 * eta_w * size
        beta = Radius(float(exploration_multiplier), 2 * s * math.sqrt(lambda_w), 0.0, 16.0 * s**2 * size, 0.0, 0.0)
        sigma = Radius(float(radius_multiplier), 24 * s * math.sqrt(size), 0.0, 4.0 * size, 0.0, 0.0)
    basis, arms, fresh = contrast_basis(outcomes), problem.arms.copy(), problem.fresh
    rewards, reward_norm = problem.relative_rewards, problem.reward_norm if preset == "paper" else None
    learner = make_learner(basis, arms, rewards, lambda_, eta, 0.0, ahead, reward_norm, fresh)
    state = AdaptiveRealState(
        learner=learner,
        explorer=make_learner(basis, arms, rewards, lambda_w, eta_w, s, fresh=fresh),
        arms=arms,
        offered=np.ones(len(problem.arms), dtype=bool),
        search=search_of(problem, learner, lambda_),
        kappa=problem.kappa_of_ball if preset == "valid" else problem.kappa,
        delta=delta,
        step=step,
        beta=beta,
        sigma=sigma,
        design=lambda_w * np.eye(dim),
        design_inverse=np.zeros((dim, dim)),
        design_scores=np.zeros(len(problem.arms)),
        lower=np.zeros((dim + 1, dim)),
        values=np.zeros((dim, dim)),
        vectors=np.zeros((dim, dim)),
        counters=np.array([0.0, 0.0, 1.0]),
    )
    refresh_scores(state.learner.arms, state.design, state.design_scores, state.design_inverse, state.lower)
    state.learner.radius[0] = radius(state.beta, 1, delta, 0)
    return state


@kernel
def sigma(state, t):
    """The radius sigma_t(delta) of the learning phase."""
    return radius(state.sigma, t, state.delta, state.learner.counters[LEARNT])


@kernel
def choose(state, t):
    """Line 4: the trigger; then line 5 or 13: the arm that is explored least or the optimistic one, of those on offer."""
    beta = radius(state.beta, t, state.delta, state.counters[EXPLORED])
    put_widest_in_play(state.arms, state.design, state.search)
    if state.learner.fresh:
        refresh_scores(state.arms, state.design, state.design_scores, state.design_inverse, state.lower)
    widest = first_offered(state.design_scores, state.offered)
    if 24.0 * beta * beta * state.design_scores[widest] >= 1.0:
        state.counters[EXPLORES] = 1
        for n in range(len(state.offered)):
            state.learner.scores[n] = state.design_scores[n]
        return widest
    state.counters[EXPLORES] = 0
    if state.counters[CHANGED]:
        adopt_set(state)
    return optimistic_arm(state.learner, sigma(state, t), state.offered, state.search)


@rare_kernel
def adopt_set(state):
    """Make W_t the constraint of line 15 and project theta_t into it; the first theta_t is 0 or theta^w, see the presets."""
    learner, centre = state.learner, state.explorer.phi
    free, dim = centre.shape
    matrix_roots(state.design, learner.shape, state.values, state.vectors)
    first = learner.counters[LEARNT] == 0 and state.step != IN_BALL
    for a in range(free):
        for j in range(dim):
            learner.centre[a, j] = centre[a, j]
            if first:
                learner.phi[a, j] = centre[a, j]
    if distance_to_centre(learner, learner.phi) > learner.radius[0]:
        none = learner.scratch.g
        for a in range(free):
            for b in range(free):
                none[a, b] = 0.0
        project(learner, none, learner.phi)
    state.counters[CHANGED] = 0


@kernel
def update(state, t, arm, outcome):
    """Lines 6 to 11: theta^w, H^w and W_{t+1} after a round of exploration; else lines 14 to 20, the step of Algorithm 2."""
    if not state.counters[EXPLORES]:
        learn(state.learner, arm, outcome)
        return
    explore(state, arm, outcome)
    add_exploration(state, t, arm, 1.0)


@kernel
def pull(state, t, arm, counts):
    """`update` for many rounds of an arm at once."""
    if not state.counters[EXPLORES]:
        learn_many(state.learner, arm, counts)
        return
    explore_many(state, arm, counts)
    add_exploration(state, t, arm, total(counts))


@kernel
def gain(state, arm):
    """Relative growth of H by one pull, while learning.

    While exploring 100/n after n rounds of exploration, far more than there is: which arms a greedy design plays, among many
    designs as good, depends on its steps, and its regret with them.
    """
    if state.counters[EXPLORES]:
        return 100.0 / max(1.0, state.counters[EXPLORED])
    return information(state.learner, arm)


@kernel
def add_exploration(state, t, arm, pulls):
    """Lines 10 and 11: H^w, and the radius of W_{t+1}, after pulls of exploration."""
    arms, scratch = state.learner.arms, state.lower
    add_pulls(arms, state.kappa, arm, pulls, state.design, state.design_scores, state.design_inverse, scratch)
    state.counters[EXPLORED] += pulls
    if pulls > 1.0 or state.counters[EXPLORED] % REFRESH == 0.0:
        refresh_scores(arms, state.design, state.design_scores, state.design_inverse, scratch)
    state.learner.radius[0] = radius(state.beta, t + 1, state.delta, state.counters[EXPLORED])
    state.counters[CHANGED] = 1


@kernel
def ratio(state, t, theta):
    """The larger ratio of W_{t+1} in the norm of H^w and, once it has learnt, of ||theta - theta_{t+1}||_H to sigma_t."""
    learner, explorer = state.learner, state.explorer
    free, dim = explorer.phi.shape
    difference, square = learner.scratch.psi[:dim], 0.0
    for a in range(free):
        for j in range(dim):
            difference[j] = -explorer.phi[a, j]
            for k in range(len(theta)):
                difference[j] += learner.dual[a, k] * theta[k, j]
        square += quadratic_form(state.design, difference)
    largest = math.sqrt(square) / learner.radius[0]
    if learner.counters[LEARNT] > 0:
        largest = max(largest, distance_to_truth(learner, theta) / sigma(state, t))
    return largest


ALGORITHM = Algorithm(
    name="adaptive-real",
    title="REAL, adaptive exploration",
    source="Boudart, Gaillard and Rudi (2026), Algorithm 3",
    state=AdaptiveRealState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    batch=Batch(pull, gain),
    rounds_explored=lambda state: state.counters[EXPLORED],
    options=(
        Option("reading", "Algorithm 3 with its misprints repaired, or as printed where that can be run", READINGS),
        Option("exploration_multiplier", "factor on beta_t"),
        Option("radius_multiplier", "factor on sigma_t"),
    ),
    regret=r"R d \sqrt{K \sum_{t \notin T^w} 1 / \kappa_{*, t}}",
    cost="O(1)",
    mark="paper constants as printed, steps as printed or repaired (option `reading`); start and projection are ours",
)
