"""REAL: Recommendation with Exploration And Learning (Algorithms 1 and 2).

Presets
-------
paper : every constant as printed (Lemma constant diameter, Lemma confidence set learning, Theorem regret bound). Algorithm
    2 starts from any theta_{tau+1} in Theta; here from its centre theta-hat, a choice of ours (claims C127, C127b).
valid : Theta as printed, but the exploration ends when the diameter of Theta, which is known in closed form, is
    1/sqrt(6), all that the analysis uses. Then eta = 3/2 = (2 + sqrt(6) diam)/2, lambda = 36 eta D and the radius of the
    mix-loss argument, sigma^2 = 4 S^2 lambda + 2 eta log(1/delta) + 3 sqrt(6) eta^2 D log(1 + 2 n/(D lambda)) after n
    rounds of learning, D = (K-1) d, started from the estimate shrunk into the ball of radius S. Our derivation, not the
    paper's.
calibrated : the paper's formulas with the radius of Theta times `exploration_multiplier`, the exploration ended when the
    diameter of that set is 1/sqrt(6), and sigma_t times `radius_multiplier`. No guarantee.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms.base import Algorithm, Exploration, ExplorationPlan, Option
from mnlbandits.algorithms.design import REFRESH, add_pulls, refresh_scores
from mnlbandits.algorithms.likelihood import ridge_estimate
from mnlbandits.algorithms.linalg import first_argmax, matrix_roots, quadratic_form
from mnlbandits.algorithms.omd import (
    BATCH,
    Learner,
    distance_to_truth,
    learn,
    make_learner,
    optimistic_arm,
)
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Problem
from mnlbandits.instances.instance import LONGEST_COUNT
from mnlbandits.model.softmax import Array, contrast_basis

DIAMETER = 1 / math.sqrt(6)
"""The diameter of Theta at which self-concordance costs a factor e (Section exploration routine)."""


@dataclass(frozen=True)
class Constants:
    """The numbers of Algorithms 1 and 2 for one problem.

    Attributes
    ----------
    lambda_0 : (S + 1) K d log(T/delta), the ridge of the exploration.
    tau : ceil of 336^2 lambda_0 kappa K d log T, the most rounds it lasts.
    stop_diameter : the exploration also ends once diam(Theta) is at most this; 0 in the paper.
    theta_radius : 84 sqrt(lambda_0), the radius of Theta in the norm of V.
    eta, lambda_ : step size and ridge of the learning phase.
    sigma_scale, sigma_offset, sigma_constant, sigma_log, sigma_growth : the confidence radius of round t after n rounds of
        learning is scale (offset + sqrt(constant + log_ log(t/delta) + growth log(1 + 2 n/(D lambda)))).
    inside_ball : whether learning starts from the estimate shrunk into the ball of radius S.
    """

    lambda_0: float
    tau: int
    stop_diameter: float
    theta_radius: float
    eta: float
    lambda_: float
    sigma_scale: float
    sigma_offset: float
    sigma_constant: float
    sigma_log: float
    sigma_growth: float
    inside_ball: bool


def constants(
    problem: Problem, preset: str = "paper", exploration_multiplier: float = 1.0, radius_multiplier: float = 1.0
) -> Constants:
    """The constants of a preset, see the module's docstring.

    Raises
    ------
    InputError : tau does not fit the 64-bit round counter.
    """
    size, s, delta, horizon = problem.outcomes * problem.dim, problem.norm_bound, problem.delta, problem.horizon
    lambda_0 = (s + 1) * size * math.log(horizon / delta)
    tau = 336**2 * lambda_0 * problem.kappa * size * math.log(horizon)
    if tau > LONGEST_COUNT:
        raise InputError("tau", tau, f"at most {LONGEST_COUNT:.0e} rounds; take a smaller S, K, d or horizon")
    printed = Constants(
        lambda_0=lambda_0,
        tau=math.ceil(tau),
        stop_diameter=0.0,
        theta_radius=84 * math.sqrt(lambda_0),
        eta=1.0,
        lambda_=144.0 * size,
        sigma_scale=1.0,
        sigma_offset=2 * s * math.sqrt(144.0 * size),
        sigma_constant=0.0,
        sigma_log=4 / 6 * size,
        sigma_growth=0.0,
        inside_ball=False,
    )
    if preset == "paper":
        return printed
    if preset == "calibrated":
        return Constants(
            **vars(printed)
            | {
                "stop_diameter": DIAMETER,
                "theta_radius": exploration_multiplier * printed.theta_radius,
                "sigma_scale": radius_multiplier,
            }
        )
    free, eta = (problem.outcomes - 1) * problem.dim, 1.5
    return Constants(
        **vars(printed)
        | {
            "stop_diameter": DIAMETER,
            "eta": eta,
            "lambda_": 36 * eta * free,
            "sigma_offset": 0.0,
            "sigma_constant": 4 * s**2 * 36 * eta * free + 2 * eta * math.log(1 / delta),
            "sigma_log": 0.0,
            "sigma_growth": 3 * math.sqrt(6) * eta**2 * free,
            "inside_ball": True,
        }
    )


class RealState(NamedTuple):
    """State of REAL; arrays are changed in place."""

    learner: Learner
    kappa: float
    lambda_0: float
    theta_radius: float
    tau: int
    target: float  # the exploration also ends once max ||x||^2_{A^-1} is at most this
    norm_bound: float  # S if learning starts inside the ball, else infinity
    sigma: Array  # (5,) scale, offset, constant, log, growth
    sigma_rate: float  # 2 / (D lambda)
    delta: float
    design: Array  # A (d, d) of V = I (x) A
    design_inverse: Array  # (d, d)
    design_scores: Array  # x^T A^-1 x (N,)
    design_scratch: Array  # (2, d + 1, d)
    counts: Array  # outcomes seen while exploring (N, K), int64
    learning: Array  # (1,) int64: 1 once Theta is there


def start(problem: Problem, preset: str, **options: float) -> RealState:
    """The state before round 1."""
    c = constants(problem, preset, **options)
    dim, free = problem.dim, (problem.outcomes - 1) * problem.dim
    state = RealState(
        learner=make_learner(
            contrast_basis(problem.outcomes), problem.arms, problem.rewards, c.lambda_, c.eta, c.theta_radius
        ),
        kappa=problem.kappa,
        lambda_0=c.lambda_0,
        theta_radius=c.theta_radius,
        tau=c.tau,
        target=(c.stop_diameter / (2 * c.theta_radius)) ** 2,
        norm_bound=problem.norm_bound if c.inside_ball else math.inf,
        sigma=np.array([c.sigma_scale, c.sigma_offset, c.sigma_constant, c.sigma_log, c.sigma_growth]),
        sigma_rate=2 / (free * c.lambda_),
        delta=problem.delta,
        design=c.lambda_0 * np.eye(dim),
        design_inverse=np.zeros((dim, dim)),
        design_scores=np.zeros(len(problem.arms)),
        design_scratch=np.zeros((2, dim + 1, dim)),
        counts=np.zeros((len(problem.arms), problem.outcomes), dtype=np.int64),
        learning=np.zeros(1, dtype=np.int64),
    )
    refresh_scores(state.learner.arms, state.design, state.design_scores, state.design_inverse, state.design_scratch[0])
    if explored(state, 0):
        begin_learning(state)
    return state


@rare_kernel
def begin_learning(state):
    """Last lines of Algorithm 1: the ridge estimate and Theta = {||theta - estimate||_V <= theta_radius}; W is lambda I."""
    learner = state.learner
    phi, dim = learner.phi, len(state.design)
    for a in range(len(phi)):
        for j in range(dim):
            phi[a, j] = 0.0
    ridge_estimate(learner.basis, learner.arms, state.counts, state.lambda_0, phi, learner.scratch)
    length = 0.0
    for a in range(len(phi)):
        for j in range(dim):
            learner.centre[a, j] = phi[a, j]
            length += phi[a, j] * phi[a, j]
    shrink = min(1.0, state.norm_bound / math.sqrt(length)) if length > 0.0 else 1.0
    for a in range(len(phi)):
        for j in range(dim):
            phi[a, j] *= shrink
    matrix_roots(state.design, learner.shape, state.design_scratch)
    state.learning[0] = 1


@kernel
def sigma(state, t):
    """The confidence radius sigma_t(delta) (Lemma confidence set learning)."""
    rounds = state.learner.counters[0]
    square = (
        state.sigma[2] + state.sigma[3] * math.log(t / state.delta) + state.sigma[4] * math.log1p(rounds * state.sigma_rate)
    )
    return state.sigma[0] * (state.sigma[1] + math.sqrt(square))


@kernel
def choose(state, t):
    """Algorithm 1 line 3 while exploring, then argmax of the optimistic reward (Algorithm 2)."""
    if state.learning[0]:
        return optimistic_arm(state.learner, sigma(state, t))
    return first_argmax(state.design_scores)


@kernel
def update(state, t, arm, outcome):
    """V += (1/kappa) I (x) x x^T while exploring, the mirror-descent step afterwards."""
    if state.learning[0]:
        learn(state.learner, arm, outcome)
        return
    state.counts[arm, outcome] += 1
    arms, scratch = state.learner.arms, state.design_scratch[0]
    add_pulls(arms, state.kappa, arm, 1.0, state.design, state.design_scores, state.design_inverse, scratch)
    if t % REFRESH == 0:
        refresh_scores(arms, state.design, state.design_scores, state.design_inverse, scratch)
    if explored(state, t):
        begin_learning(state)


@kernel
def explored(state, t):
    """Whether the exploration is over after round t."""
    largest = 0.0
    for score in state.design_scores:
        largest = max(largest, score)
    return t >= state.tau or largest <= state.target


@kernel
def ratio(state, t, theta):
    """||theta - theta_{t+1}||_{W_{t+1}} / sigma_t of the set C_t; -1 while exploring."""
    if not state.learning[0] or state.learner.counters[0] == 0:
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
    basis = state.learner.basis
    difference = basis.T @ theta - state.learner.centre
    return math.sqrt(sum(quadratic_form(state.design, row) for row in difference)) / state.theta_radius


ALGORITHM = Algorithm(
    name="real",
    title="REAL",
    source="Boudart, Gaillard and Rudi (2026), Algorithms 1 and 2",
    state=RealState,
    presets=("paper", "valid", "calibrated"),
    start=start,
    choose=choose,
    update=update,
    ratio=ratio,
    options=(
        Option("exploration_multiplier", "factor on the radius of Theta"),
        Option("radius_multiplier", "factor on sigma_t"),
    ),
    exploration=Exploration(plan, finish, theta_ratio),
    batch=BATCH,
    rounds_explored=lambda state: state.counts.sum(),
    row=11,
    regret=r"R d \sqrt{K T / \kappa_*} + \kappa d^2 K^2",
    cost="O(1)",
    mark="as printed; the start of the learning phase, theta-hat, is our choice where any point of Theta is allowed",
)
