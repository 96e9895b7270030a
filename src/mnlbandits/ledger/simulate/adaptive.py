"""Algorithm 3 played: its exploration alone, and exact runs on sets of arms that change."""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from mnlbandits.instances import Instance, make_instance
from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic
from mnlbandits.ledger.formulas.adaptive import beta_w, eps_two_of_last, eta_w, first_bonus, lambda_w, sigma_w
from mnlbandits.ledger.formulas.mirror import beta_w_mended, eta_w_mended, lambda_w_mended
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.model import constants
from mnlbandits.model.softmax import Array, contrast_basis
from mnlbandits.seeds import generator
from mnlbandits.simulators import simulate


class TriggerDesign(NamedTuple):
    """Rounds of Algorithm 3 one by one: whether each explores, and max ||I (x) x||^2_{(H^w_{t-1})^-1} before it."""

    explores: Array
    largest: Array


def trigger_design(instance: Instance, rounds: int) -> TriggerDesign:
    """The trigger over the first rounds, all arms on offer."""
    size, S, kappa = instance.outcomes * instance.dim, instance.norm_bound, instance.constants["kappa"]
    matrix = lambda_w(FLOATS, size, S) * np.eye(instance.dim)
    explores, largest = np.zeros(rounds, dtype=bool), np.zeros(rounds)
    for t in range(1, rounds + 1):
        scores = np.einsum("ni,ni->n", instance.arms @ np.linalg.inv(matrix), instance.arms)
        largest[t - 1] = scores.max()
        explores[t - 1] = scores.max() * 24 * beta_w(FLOATS, size, S, t) ** 2 >= 1
        if explores[t - 1]:
            x = instance.arms[scores.argmax()]
            matrix += np.outer(x, x) / kappa
    return TriggerDesign(explores, largest)


def explored_ratios(instance: Instance, runs: int, rounds: int) -> Array:
    """Largest ||theta_* - theta^w_{t+1}||_{H^w_t}/beta_{t+1} over `rounds` rounds of exploration, of every run.

    H^w = I (x) U; the step is theta^w -= eta^w grad (U + (eta^w/kappa) x x^T)^-1.
    """
    K, d = instance.theta.shape
    S, kappa, stream = instance.norm_bound, instance.constants["kappa"], generator("claims adaptive", 0, instance.name)
    eta = (1 + math.sqrt(6) * S) / 2
    matrix, theta = lambda_w(FLOATS, K * d, S) * np.eye(d), np.zeros((runs, K, d))
    largest = np.full(runs, S * math.sqrt(matrix[0, 0]) / beta_w(FLOATS, K * d, S, 1))
    for t in range(1, rounds + 1):
        scores = np.einsum("ni,ni->n", instance.arms @ np.linalg.inv(matrix), instance.arms)
        n = int(scores.argmax())
        x = instance.arms[n]
        outcomes = np.searchsorted(np.cumsum(instance.probabilities[n])[:-1], stream.random(runs))
        logits = theta @ x
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        residual = p / p.sum(axis=1, keepdims=True) - np.eye(K)[outcomes]
        theta -= eta * residual[:, :, None] * np.linalg.solve(matrix + eta / kappa * np.outer(x, x), x)
        matrix += np.outer(x, x) / kappa
        off = theta - instance.theta
        distances = np.sqrt(np.einsum("rki,ij,rkj->r", off, matrix, off))
        largest = np.maximum(largest, distances / beta_w(FLOATS, K * d, S, t + 1))
    return largest


def into_ball(matrices: Array, points: Array, norm: float) -> Array:
    """The points (runs, D) of the ball that are closest to `points`, each in the norm of its matrix (runs, D, D)."""
    lengths = np.linalg.norm(points, axis=1)
    beyond = lengths > norm
    if not beyond.any():
        return points
    values, vectors = np.linalg.eigh(matrices[beyond])
    parts = np.einsum("rij,ri->rj", vectors, points[beyond])
    low, high = np.zeros(beyond.sum()), values[:, -1] * (lengths[beyond] / norm - 1)
    for _ in range(60):
        shift = (low + high) / 2
        outside = np.linalg.norm(values / (values + shift[:, None]) * parts, axis=1) > norm
        low, high = np.where(outside, shift, low), np.where(outside, high, shift)
    found = points.copy()
    found[beyond] = np.einsum("rij,rj->ri", vectors, values / (values + high[:, None]) * parts)
    return found


def mirrored_ratios(instance: Instance, runs: int, rounds: int) -> Array:
    """`explored_ratios` of the mended theta^w and beta, see `formulas.mirror`."""
    K, d = instance.theta.shape
    S, kappa, stream = instance.norm_bound, instance.constants["kappa"], generator("claims mirror", 0, instance.name)
    free, eta, ridge, basis = (
        (K - 1) * d,
        *(f(FLOATS, *a) for f, a in ((eta_w_mended, (S,)), (lambda_w_mended, (K * d, S)))),
        contrast_basis(K),
    )
    truth, design = basis.T @ instance.theta, ridge * np.eye(d)
    theta, own, largest = np.zeros((runs, free)), np.tile(ridge * np.eye(free), (runs, 1, 1)), np.zeros(runs)

    def curved(points: Array, x: Array) -> tuple[Array, Array]:
        logits = points.reshape(runs, K - 1, d) @ x @ basis.T
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        jacobians = np.einsum("ka,rk,kb->rab", basis, p, basis) - np.einsum("ra,rb->rab", p @ basis, p @ basis)
        return p, np.einsum("rab,i,j->raibj", jacobians, x, x).reshape(runs, free, free)

    for t in range(1, rounds + 1):
        n = int(np.einsum("ni,ni->n", instance.arms @ np.linalg.inv(design), instance.arms).argmax())
        x = instance.arms[n]
        outcomes = np.searchsorted(np.cumsum(instance.probabilities[n])[:-1], stream.random(runs))
        p, added = curved(theta, x)
        gradient = np.einsum("ra,i->rai", (p - np.eye(K)[outcomes]) @ basis, x).reshape(runs, free)
        ahead = own + eta * added
        theta = into_ball(ahead, theta - eta * np.linalg.solve(ahead, gradient[:, :, None])[:, :, 0], S)
        own = own + curved(theta, x)[1]
        design += np.outer(x, x) / kappa
        off = theta.reshape(runs, K - 1, d) - truth
        radius = beta_w_mended(FLOATS, K * d, free, S, -math.log(DELTA), t)
        largest = np.maximum(largest, np.sqrt(np.einsum("rai,ij,raj->r", off, design, off)) / radius)
    return largest


def small_instance(outcomes: int = 3, dim: int = 2, norm: float = 0.1, offered: int = 4, seed: int = 0) -> Instance:
    """A random instance with a small S, on which Algorithm 3 learns early; `offered` of 12 arms in a round, 0 for all."""
    name = f"K = {outcomes}, d = {dim}, S = {norm:g}, {offered or 12} of 12 arms, seed {seed}"
    actions = {"name": "random-subsets", "size": offered} if offered else "list"
    parameters = {"outcomes": outcomes, "dim": dim, "norm": norm, "arms": 12, "actions": actions, "seed": seed}
    return make_instance(name, "random", parameters)


class PlayedExactly(NamedTuple):
    """Exact runs of Algorithm 3: regret at the end and the largest ratio of a confidence set, of every run."""

    instance: Instance
    regret: Array
    worst: Array


@cache
def exact_runs(runs: int, horizon: int) -> tuple[PlayedExactly, ...]:
    """Algorithm 3 at the paper's constants, round by round, on sets of arms drawn anew in every round."""
    found = []
    for instance in (small_instance(norm=0.05), small_instance(2, 1, 0.05), small_instance(4, 2, 0.1, seed=1)):
        run = simulate(instance, "adaptive-real", horizon, range(runs), simulator="exact", delta=DELTA)
        found.append(PlayedExactly(instance, run.regret[:, -1], run.worst.max(axis=1)))
    return tuple(found)


def effort_runs(effort: Effort) -> tuple[PlayedExactly, ...]:
    """`exact_runs` of this effort."""
    return exact_runs(effort.runs // 3, 10 * effort.rounds)


def mean_inverse_star(instance: Instance) -> float:
    """Mean of 1/kappa_{*,t} over the sets of the instance, all arms or random ones of some size."""
    means = constants.mean_rewards(instance.theta, instance.arms, instance.rewards)
    spread = constants.reward_variances(instance.theta, instance.arms, instance.rewards)
    order, count = np.argsort(-means), len(means)
    offered = instance.actions.size if instance.actions.kind == "subsets" else count
    chance = [math.comb(count - 1 - place, offered - 1) / math.comb(count, offered) for place in range(count)]
    return float(np.dot(chance, spread[order]) / (instance.rewards @ instance.rewards))


def share_of_worse(m: Arithmetic, cumulative: bool, rounds: int) -> float:
    """Share of the rounds in which the worse of two orthogonal arms is played, both learnt 1e12 times before."""
    plays, last, worse = [m.number(10**12)] * 2, 0, 0
    for t in range(rounds):
        level = m.log((2 * 10**12 + t) / m.number("0.05"))
        better, other = (
            mean
            + first_bonus(m, sigma_w(m, m.number(4), m.number(1), level), mean, plays[arm])
            + eps_two_of_last(m, level, 4 * mean * (1 - mean) * plays[arm], arm == last, cumulative)
            for arm, mean in enumerate((m.number("0.55"), m.number("0.5")))
        )
        last = int(other > better)
        plays[last] = plays[last] + 1
        worse += last == 1
    return worse / rounds


def learnt_square(step: float, runs: int, rounds: int) -> float:
    """Mean of H_T (theta_T - theta_*)^2 after rounds of learning with `step` times the move.

    K = 2, d = 1, x = 1, theta_* = 0; theta is along (1, -1)/sqrt(2), the ridge 288.
    """
    stream, root = generator("claims half step", 0, f"{step:g}"), math.sqrt(2)
    theta, matrix, p = np.zeros(runs), np.full(runs, 288.0), np.full(runs, 0.5)
    for _ in range(rounds):
        outcomes = stream.random(runs) < 0.5
        theta = theta - step * root * (p - outcomes) / (matrix + 2 * p * (1 - p))
        p = 1 / (1 + np.exp(-root * theta))
        matrix = matrix + 2 * p * (1 - p)
    return float((matrix * theta**2).mean())


def constant_steps(S: float, truth: float, runs: int, rounds: int) -> Array:
    """theta^w after rounds of exploration with H_{t-1} = 288 in the matrix of the step, as printed, before any learning.

    K = 2, d = 1, arm 1; theta^w, from 0, and theta_* = `truth` are along (1, -1)/sqrt(2).
    """
    stream, root, eta = generator("claims constant steps", 0, f"{S:g}"), math.sqrt(2), eta_w(FLOATS, S)
    theta, chance = np.zeros(runs), 1 / (1 + math.exp(-root * truth))
    move = eta * root / (288 + eta * binary_curvature(FLOATS, S))
    for _ in range(rounds):
        theta += move * ((stream.random(runs) < chance) - 1 / (1 + np.exp(-root * theta)))
    return theta
