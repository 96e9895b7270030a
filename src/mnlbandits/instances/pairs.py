"""A family on which the root of K in the regret is forced: pairs of outcomes, one of which hides a direction.

Of floor(K/2) pairs, one outcome has the reward r and one 0; both have the row S u_k of theta, u_k evenly on a circle, with S
so large that an arm near u_k has an outcome of pair k nearly always. In one pair the two rows are moved apart in one
direction: which pair and direction, the hypothesis, is what a learner has to find. How far apart depends on T. K
odd: one more outcome, row 0 and reward r/2. What this forces is proved by claim C028c of the ledger; see `proved_constant`.
"""

import itertools
import math

import numpy as np

from mnlbandits.errors import InputError, require_integer, require_positive
from mnlbandits.instances.instance import Instance
from mnlbandits.model import constants
from mnlbandits.model.softmax import Array

STEP_OF_PLANE, STEP = 0.243, 0.247
"""a of the proof, for d = 2 and d >= 3: the rows of the pair are 4 a sqrt(floor(K/2) D/T) apart."""

MISS = 1 / 200
"""eta of the proof: by what part the best arm may miss the limit of large S."""


def hypotheses(outcomes: int, dim: int) -> list[tuple[int, Array]]:
    """(pair, unit direction) of all hypotheses: d = 2, that of the pair's u_k; d >= 3, e_3 .. e_d and their opposites."""
    pairs = outcomes // 2
    if dim == 2:
        return list(enumerate(places(outcomes, dim)))
    directions = [sign * np.eye(dim)[axis] for axis in range(2, dim) for sign in (1, -1)]
    return list(itertools.product(range(pairs), directions))


def places(outcomes: int, dim: int) -> Array:
    """u_k of all pairs, (floor(K/2), d)."""
    angles = 2 * math.pi * np.arange(outcomes // 2) / (outcomes // 2)
    return np.hstack([np.cos(angles)[:, None], np.sin(angles)[:, None], np.zeros((len(angles), dim - 2))])


def best_arms(outcomes: int, dim: int) -> Array:
    """The best arm of every hypothesis: u_k, for d >= 3 with most of its length in the direction."""
    sine = 0.0 if dim == 2 else 1 - MISS / 3
    u = places(outcomes, dim)
    return np.array([math.sqrt(1 - sine**2) * u[pair] + sine * direction for pair, direction in hypotheses(outcomes, dim)])


def size_of_rows(outcomes: int, dim: int) -> float:
    """S, the norm of the rows before one pair is moved apart."""
    pairs, cosine = outcomes // 2, 1.0 if dim == 2 else math.sqrt(1 - (1 - MISS / 3) ** 2)
    alone = math.log(3 * (pairs - 1) / MISS) / (1 - math.cos(2 * math.pi / pairs)) if pairs > 1 else 0.0
    return max(alone, math.log(1.5 / MISS) if outcomes % 2 else 0.0) / cosine


def hidden_pairs(
    name: str,
    outcomes: int = 4,
    dim: int = 2,
    rounds: float = 1e5,
    hypothesis: int = 0,
    reward_norm: float = 1.0,
    norm: float | None = None,
) -> Instance:
    """Pairs of outcomes, of which one hides a direction: over T rounds they force regret of order sqrt(d K T/kappa_*).

    `outcomes`, `dim` and `reward_norm` are K, d and R; the arms are the best ones of all hypotheses; further:

    Parameters
    ----------
    rounds : T for which it is hard, at least d^2 times four for every pair, and one more for odd K.
    hypothesis : its number, from 0. norm : S; default the Frobenius norm of theta_*.
    """
    outcomes, dim = require_integer("outcomes", outcomes, 2), require_integer("dim", dim, 2)
    if dim == 2 and outcomes < 4:
        raise InputError("outcomes", outcomes, "at least 4 for d = 2, where one pair has nothing to hide from another")
    rounds, reward_norm = require_positive("rounds", rounds), require_positive("reward_norm", reward_norm)
    if rounds < dim**2 * least_kappa_star(outcomes):
        raise InputError("rounds", rounds, f"at least {dim**2 * least_kappa_star(outcomes)} for these outcomes and dim")
    known = hypotheses(outcomes, dim)
    if require_integer("hypothesis", hypothesis, 0) >= len(known):
        raise InputError("hypothesis", hypothesis, f"less than {len(known)}, as there are so many")
    theta = rows_of(outcomes, dim, rounds, hypothesis)
    pairs, high = outcomes // 2, 2 * reward_norm / math.sqrt(least_kappa_star(outcomes))
    rewards = np.array([high] * pairs + [0.0] * pairs + [high / 2] * (outcomes % 2))
    theta = theta - theta.mean(axis=0)
    bound = constants.norm(theta, "frobenius") if norm is None else require_positive("norm", norm)
    return Instance(name, theta, best_arms(outcomes, dim), rewards, bound)


def rows_of(outcomes: int, dim: int, rounds: float, hypothesis: int) -> Array:
    """The rows of theta, (K, d), before their mean is removed."""
    pairs, (pair, direction) = outcomes // 2, hypotheses(outcomes, dim)[hypothesis]
    u = size_of_rows(outcomes, dim) * places(outcomes, dim)
    rows = np.vstack([u, u, np.zeros((outcomes % 2, dim))])
    rows[pair] += spacing(outcomes, dim, rounds) / 2 * direction
    rows[pairs + pair] -= spacing(outcomes, dim, rounds) / 2 * direction
    return rows


def spacing(outcomes: int, dim: int, rounds: float) -> float:
    """How far apart the rows of the pair are."""
    return 4 * (STEP_OF_PLANE if dim == 2 else STEP) * math.sqrt(outcomes // 2 * max(1, dim - 2) / rounds)


def least_kappa_star(outcomes: int) -> int:
    """kappa_* is at least this, and less than 1.03 times as large from T = d^2 times this on."""
    return 4 * (outcomes // 2) + outcomes % 2


def proved_constant(outcomes: int, dim: int) -> float:
    """c such that every algorithm has E Reg_T >= c R sqrt(d K T/kappa_*), averaged over the hypotheses: claim C028c."""
    pairs, hidden, a = outcomes // 2, max(1, dim - 2), STEP_OF_PLANE if dim == 2 else STEP
    prior = 1 / pairs if dim == 2 else 1 / (2 * pairs * math.sqrt(hidden))
    delta = a * math.sqrt(hidden) / dim
    bracket = 1 - MISS - prior * math.cosh(delta) - a * math.sinh(delta / 2) / (delta / 2)
    return 2 * math.sqrt(pairs * hidden / (dim * outcomes)) * a * math.tanh(delta) / delta * bracket
