"""Q_T of Step 4 of the proof of Theorem 1, along plays in batches, and plays that make it large."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.formulas.estimates import identity
from mnlbandits.ledger.formulas.regret import harmonic
from mnlbandits.ledger.formulas.softmax import jacobian_of, softmax
from mnlbandits.model.softmax import Array

Steps = Sequence[tuple[int, float]]
"""Plays in batches: arm n is played m times in a row, for (n, m) in turn."""


def jacobian_root(m: Arithmetic, p: Sequence[Number]) -> NDArray:
    """diag(sqrt p)(I - sqrt p sqrt p^T) (K, K), L with L L^T = diag(p) - p p^T, of probabilities p."""
    roots = m.array([m.sqrt(weight) for weight in p])
    return roots[:, None] * (identity(m, len(p)) - np.outer(roots, roots))


def batches(m: Arithmetic, theta: Array, arms: Array, steps: Steps, ridge: Number) -> Number:
    """Q_T = sum_t ||Wbar_t^(-1/2) (I (x) x_t) grad mu(theta x_t)^(1/2)||^2, the same theta in all rounds.

    Plays of one arm in a row sum to harmonic numbers. As grad mu 1 = 0, W_t without its 11^T gives the same.
    """
    parameter, rows = m.array(theta), m.array(arms)
    K, d = parameter.shape
    chances = [softmax(m, (parameter @ x).tolist()) for x in rows]
    roots = [jacobian_root(m, p) for p in chances]
    information = [np.kron(jacobian_of(m, p), np.outer(x, x)) for p, x in zip(chances, rows, strict=True)]
    w, total = ridge * identity(m, K * d), 0
    for n, count in steps:
        tall = np.kron(identity(m, K), rows[n][:, None]) @ roots[n]
        largest = m.eigenvalues(tall.T @ (m.inverse(w) @ tall))[-1]
        if largest > 1e-300:
            total = total + harmonic(m, m.number(count), 1 / largest)
        w = w + count * information[n]
    return total


def along(m: Arithmetic, theta: Array, arms: Array, steps: Steps, ridge: Number) -> Number:
    """Q_T over d log(1 + T/(lambda d)) along these plays."""
    rounds, d = sum(count for _, count in steps), arms.shape[1]
    return batches(m, theta, arms, steps, ridge) / (d * m.log1p(m.number(rounds) / (ridge * d)))


def commuting(m: Arithmetic, weight: Number, half: Number, ridge: int = 576) -> Number:
    """Q over log(1 + T/lambda), K = 4, d = 1, theta = (L, L, -L, -L), exp(2L) = `weight`, arms 1 and -1 in turn, T = 2 half.

    All matrices commute: (1, -1, 0, 0), (0, 0, 1, -1) and (1, 1, -1, -1) are eigenvectors, with p, q and 4pq for the arm 1
    and q, p, 4pq for -1, where p = e^L/(2 (e^L + e^-L)) and q = 1/2 - p.
    """
    p, q = weight / (2 * (1 + weight)), 1 / (2 * (1 + weight))
    both = p * harmonic(m, half, m.number(ridge), p + q) + p * harmonic(m, half, ridge + q, p + q)
    return both / m.log(1 + 2 * half / ridge)


def summand_of_commuting(m: Arithmetic, weight: Number, half: Number, ridge: int = 576) -> Number:
    """What (1, -1, 0, 0) alone gives to the summand of Q_T after 2 half rounds of these plays, over 1/(lambda + 2 half)."""
    p = weight / (2 * (1 + weight))
    return p * (ridge + 2 * half) / (ridge + m.number(half) / 2)


def first_bonuses(
    m: Arithmetic, theta: Array, arms: Array, rewards: Sequence[Number], steps: Steps, ridge: Number
) -> tuple[Number, Number]:
    """sum_t ||Wbar_t^(-1/2) (I (x) x_t) grad mu(theta x_t) rho|| and sum_t rho^T grad mu(theta x_t) rho, theta the same.

    The first is at most what is returned: of every batch all rounds count as its first does.
    """
    parameter, rows = m.array(theta), m.array(arms)
    K, d = parameter.shape
    jacobians = [jacobian_of(m, softmax(m, (parameter @ x).tolist())) for x in rows]
    slopes = [jacobian @ m.array(rewards) for jacobian in jacobians]
    w, bonuses, variances = ridge * identity(m, K * d), 0, 0
    for n, count in steps:
        tall = np.kron(slopes[n], rows[n])
        bonuses = bonuses + count * m.sqrt(tall @ m.inverse(w) @ tall)
        variances = variances + count * (m.array(rewards) @ slopes[n])
        w = w + count * np.kron(jacobians[n], np.outer(rows[n], rows[n]))
    return bonuses, variances


def excess_of_tangents(values: Sequence[Number]) -> Number:
    """sum_i ((1 + a_i)/(1 + mean) - 1), at least sum_i log((1 + a_i)/(1 + mean)), since log u <= u - 1; it is 0."""
    mean = sum(values) / len(values)
    return sum((1 + a) / (1 + mean) - 1 for a in values)


def tangents_cancel() -> bool:
    """That it is 0 for any number n of unknown values, from their sum s: (n + s)/(1 + s/n) = n; directly for n <= 6."""
    n, s = unknowns("n", "s")
    few = all(excess_of_tangents(unknowns(*(f"a{i}" for i in range(size)))) == 0 for size in range(1, 7))
    return few and (n + s) / (1 + s / n) == n


def rotation(count: int, horizon: float, growth: float = 0.05) -> list[tuple[int, float]]:
    """`count` arms in turn, in batches that grow like the number of rounds, to about `horizon` rounds."""
    steps, done = [], 0.0
    while done < horizon:
        size = max(1.0, math.floor(growth * done / count))
        steps += [(n, size) for n in range(count)]
        done += size * count
    return steps


def polygon(outcomes: int, sharpness: float = 12.0) -> tuple[Array, Array]:
    """theta (K, 2) with rows at the corners of a polygon, and the K/2 arms at which two of them tie at the top."""
    corners = 2 * math.pi * np.arange(outcomes) / outcomes
    size = sharpness / (math.cos(math.pi / outcomes) - math.cos(3 * math.pi / outcomes)) if outcomes > 2 else 1.0
    theta = size * np.column_stack([np.cos(corners), np.sin(corners)])
    edges = corners[::2] + math.pi / outcomes
    return theta, np.column_stack([np.cos(edges), np.sin(edges)])
