"""Algorithm 1 played to its end, exactly in law, at the paper's constants."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.base import ExplorationPlan
from mnlbandits.instances import Instance, make_instance
from mnlbandits.learners.design import greedy_pulls
from mnlbandits.learners.likelihood import make_scratch, ridge_estimate
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS, Arithmetic, Number
from mnlbandits.ledger.formulas.estimates import design_matrix, precise_estimate, ridge_zero, score
from mnlbandits.ledger.formulas.softmax import binary_curvature, sigmoid
from mnlbandits.ledger.search import Effort
from mnlbandits.model.softmax import Array, contrast_basis, softmax_jacobian
from mnlbandits.seeds import generator
from mnlbandits.simulators.counts import Design, draw_outcomes, explore
from mnlbandits.simulators.runs import LEAP_RESOLUTION

HORIZON, DELTA = 10**12, 0.05
"""T and delta of the simulations: the exploration ends within T in all of them."""

FARTHEST = 10**60
"""T of `one_arm_distances`, above tau for S up to 1e16."""

MOST_COUNTED = 2**62
"""Rounds up to which outcomes are counted as they are drawn."""


def examples() -> list[Instance]:
    """Instances on which statements about probabilities are simulated."""
    return [
        make_instance("K = 2, d = 1, S = 3", "random", {"outcomes": 2, "dim": 1, "norm": 3.0, "arms": 4}),
        make_instance("K = 2, d = 2, S = 2", "large-kappa-star", {"outcomes": 2, "dim": 2, "norm": 2.0, "arms": 8}),
        make_instance("K = 3, d = 2, S = 1", "random", {"outcomes": 3, "dim": 2, "norm": 1.0, "arms": 6}),
    ]


def short_arm(norm: float) -> Instance:
    """K = 2, d = 1, the single arm 1e-5 and ||theta_*|| = S = `norm`: outcomes tell nearly nothing about theta_*."""
    theta = np.array([[1.0], [-1.0]]) * (norm / math.sqrt(2))
    return Instance(f"short arm {norm:g}", theta, np.array([[1e-5]]), np.array([1.0, 0.0]), norm)


def ridge_of(instance: Instance, horizon: float = HORIZON, m: Arithmetic = FLOATS) -> Number:
    """lambda_0 of an instance."""
    return ridge_zero(m, instance.outcomes, instance.dim, m.number(instance.norm_bound), horizon, m.number(DELTA))


class Explored(NamedTuple):
    """The end of Algorithm 1: `state` of REAL and outcome `counts` (N, K)."""

    state: object
    counts: Array


def designed(instance: Instance) -> tuple[object, Design]:
    """A fresh state of REAL at the paper's constants, and the design of its exploration after tau rounds."""
    record = get_algorithm("real")
    state = record.begin(instance, instance.problem(HORIZON, DELTA), "paper", {})
    plan = record.exploration.plan(state)
    return state, explore(instance.arms, plan, np.array([plan.tau]), LEAP_RESOLUTION)


def explorations(instance: Instance, runs: int) -> Iterator[Explored]:
    """REAL after the tau rounds of its exploration, in `runs` runs; exact in law."""
    record, (_, design) = get_algorithm("real"), designed(instance)
    stream = generator("claims exploration", 0, instance.name)
    for _ in range(runs):
        state = record.begin(instance, instance.problem(HORIZON, DELTA), "paper", {})
        counts = draw_outcomes(instance, design.pulls[-1], stream)
        record.exploration.finish(state, design.matrix, counts)
        yield Explored(state, counts)


def explored_for(instance: Instance, rate: float, runs: int) -> Iterator[Array]:
    """Outcome counts (N, K) after tau = rate lambda_0 kappa d log T rounds of Algorithm 1, in `runs` runs; exact in law."""
    kappa, ridge = instance.constants["kappa"], ridge_of(instance)
    tau = math.ceil(rate * ridge * kappa * instance.dim * math.log(HORIZON))
    plan = ExplorationPlan(kappa, ridge, tau, 0.0, 1.0)
    pulls = explore(instance.arms, plan, np.array([tau]), LEAP_RESOLUTION).pulls[-1]
    stream = generator("claims explored", 0, f"{instance.name} {rate:g}")
    for _ in range(runs):
        yield draw_outcomes(instance, pulls, stream)


def theta_distance(instance: Instance, counts: Array) -> float:
    """||theta_* - hat theta||_V/sqrt(lambda_0) after these counts."""
    ridge = ridge_of(instance)
    off = estimate(instance, counts, ridge) - instance.theta
    design = design_matrix(FLOATS, instance.arms, counts.sum(axis=1), ridge, instance.constants["kappa"])
    return math.sqrt(((off @ design) * off).sum() / ridge)


def one_arm_distances(norm: float, arm: float, rate: Number, runs: int) -> Iterator[Number]:
    """||theta_* - hat theta||_V/sqrt(lambda_0), in 50 digits, after tau = rate lambda_0 kappa log T rounds of one arm.

    K = 2, d = 1, ||theta_*|| = S = `norm`, T = `FARTHEST`. Beyond `MOST_COUNTED` rounds outcomes are normal, which changes
    a probability by at most 1/sqrt(tau p (1 - p)), 1e-9 or less.
    """
    S, x, kappa = DIGITS.number(norm), DIGITS.number(arm), 1 / binary_curvature(DIGITS, DIGITS.number(norm * arm))
    ridge = ridge_zero(DIGITS, 2, 1, S, FARTHEST, DIGITS.number(DELTA))
    tau = int(rate * ridge * kappa * DIGITS.log(DIGITS.number(FARTHEST))) + 1
    chance, arms = sigmoid(DIGITS, DIGITS.sqrt(2) * S * x), DIGITS.array([[x]])
    truth, stream = DIGITS.array([S, -S]) / DIGITS.sqrt(2), generator("claims one arm", 0, f"{norm:g} {arm:g}")
    weight = design_matrix(DIGITS, arms, np.array([tau], dtype=object), ridge, kappa)[0, 0] / ridge
    for _ in range(runs):
        if tau <= MOST_COUNTED:
            first = int(stream.binomial(tau, float(chance)))
        else:
            first = int(tau * chance + DIGITS.sqrt(tau * chance * (1 - chance)) * stream.standard_normal())
        counts = np.array([[first, tau - first]], dtype=object)
        off = precise_estimate(truth, arms, counts, ridge) - truth
        yield DIGITS.sqrt(off @ off * weight)


def estimate(instance: Instance, counts: Array, ridge: float) -> Array:
    """hat theta (K, d) of outcome counts (N, K)."""
    basis = contrast_basis(instance.outcomes)
    phi = np.zeros((instance.outcomes - 1, instance.dim))
    ridge_estimate(basis, instance.arms.copy(), counts, ridge, phi, make_scratch(instance.outcomes, instance.dim))
    return basis @ phi


def information(instance: Instance, pulls: Array, ridge: float) -> Array:
    """H_t(theta_*) (Kd, Kd) after `pulls` (N,) of the arms."""
    total = ridge * np.eye(instance.outcomes * instance.dim)
    for x, n in zip(instance.arms, pulls, strict=True):
        total += n * np.kron(softmax_jacobian(instance.theta @ x), np.outer(x, x))
    return total


def score_distance(instance: Instance, counts: Array, ridge: float) -> float:
    """||g_t(theta_*) - g_t(hat theta)||_{H_t^-1(theta_*)} / sqrt(lambda_0); g_t(hat theta) is the sum of e_y (x) x."""
    pulls = counts.sum(axis=1)
    residual = (pulls[:, None] * instance.probabilities - counts).T @ instance.arms + ridge * instance.theta
    square = residual.ravel() @ np.linalg.solve(information(instance, pulls, ridge), residual.ravel())
    return math.sqrt(square / ridge)


def precise_truth(instance: Instance) -> Array:
    """theta_* (Kd,) in 50 digits."""
    return DIGITS.array(instance.theta.ravel())


def precise_score_distance(instance: Instance, counts: Array) -> Number:
    """`score_distance` after the exploration, in 50 digits."""
    ridge = ridge_of(instance, m=DIGITS)
    residual, hessian = score(DIGITS, precise_truth(instance), instance.arms, counts, ridge)
    return DIGITS.sqrt(residual @ (DIGITS.inverse(hessian) @ residual) / ridge)


def precise_theta(instance: Instance, counts: Array) -> tuple[Array, Array]:
    """Centre hat theta (Kd,) and matrix V (Kd, Kd) of Theta after the exploration, in 50 digits."""
    ridge, start = ridge_of(instance, m=DIGITS), estimate(instance, counts, ridge_of(instance))
    centre = precise_estimate(start.ravel(), instance.arms, counts, ridge)
    kappa = DIGITS.number(instance.constants["kappa"])
    design = design_matrix(DIGITS, instance.arms, counts.sum(axis=1), ridge, kappa)
    return centre, np.kron(DIGITS.array(np.eye(instance.outcomes, dtype=int)), design)


def precise_theta_distance(instance: Instance, counts: Array) -> Number:
    """||theta_* - hat theta||_V/sqrt(lambda_0) after the exploration, in 50 digits."""
    centre, shape = precise_theta(instance, counts)
    off = centre - precise_truth(instance)
    return DIGITS.sqrt(off @ shape @ off / ridge_of(instance, m=DIGITS))


def long_histories(effort: Effort) -> Iterator[tuple[Instance, float, list[Array]]]:
    """Instance, lambda_0 and counts after 1, 2, 4, ... rounds, in runs of four instances with S = 1 to 8."""
    wide = make_instance("K = 2, d = 2, S = 8", "random", {"outcomes": 2, "norm": 8.0, "arms": 6})
    for instance in [*examples(), wide]:
        ridge = ridge_of(instance, effort.rounds)
        for path in histories(instance, effort):
            yield instance, ridge, path


def histories(instance: Instance, effort: Effort) -> Iterator[list[Array]]:
    """Outcome counts (N, K) of Algorithm 1 after 1, 2, 4, ... rounds, for every run."""
    rounds, stream = effort.rounds, generator("claims histories", 0, instance.name)
    stops = np.unique(np.append(2 ** np.arange(int(math.log2(rounds)) + 1), rounds))
    pulls = np.zeros((len(stops), len(instance.arms)), dtype=np.int64)
    ridge = ridge_of(instance, rounds)
    greedy_pulls(instance.arms.copy(), instance.constants["kappa"], ridge, stops, 0.0, rounds, pulls)
    steps = np.diff(pulls, axis=0, prepend=0)
    for _ in range(effort.runs):
        yield list(np.cumsum([draw_outcomes(instance, step, stream) for step in steps], axis=0))
