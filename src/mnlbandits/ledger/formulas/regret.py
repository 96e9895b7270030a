"""The regret of Algorithm 2: its exploration, sums along an arm played again and again, Theorem 1, small instances."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.model.softmax import Array

SHORTEST_HORIZON = 3 * 10**8
"""The shortest T with tau <= T: tau >= 336^2 8 log(T)^2, its value at K = 2, d = 1, S = 0, delta = 1."""


def tau_of(m: Arithmetic, size: Number, S: Number, horizon: Number, kappa: Number, delta: Number) -> Number:
    """tau = 336^2 (S + 1) (Kd)^2 kappa log(T/delta) log T, Lemma 1, size = Kd."""
    return 336**2 * (S + 1) * size**2 * kappa * m.log(horizon / delta) * m.log(horizon)


def exploration_cost(m: Arithmetic, S: Number, R: Number, power: int = 0) -> Number:
    """Regret of the exploration over R^power tau, K = 2, d = 1, arms 1 and -1 in turn, rho = (R, 0), ||theta_*|| = S."""
    return R * m.tanh(S / m.sqrt(2)) / 2 / R**power


def harmonic(m: Arithmetic, count: Number, start: Number, step: Number = 1) -> Number:
    """sum_{i < count} 1/(start + i step), by digamma."""
    first = start / step
    return (m.digamma(first + count) - m.digamma(first)) / step


def leading(
    m: Arithmetic,
    constants: Mapping[str, float],
    horizon: Number,
    delta: Number,
    outcomes: Number | float = 0.5,
    star: Number | float = 0.5,
) -> Number:
    """R d sqrt(K T/kappa_*) log(T/delta), Theorem 1, the powers of K and 1/kappa_* free; `constants` of an instance."""
    rate = m.power(constants["outcomes"], outcomes) / m.power(constants["kappa_star"], star)
    return constants["R"] * constants["dim"] * m.sqrt(horizon) * rate * m.log(horizon / delta)


def three_outcomes(*rows: Sequence[float]) -> tuple[Array, Array]:
    """theta (K, N) and the N unit arms (N, N) for which mu(theta x) are the rows of K probabilities; K = 3 in examples."""
    logits = np.log(np.array(rows, dtype=float)).T
    return logits - logits.mean(axis=0), np.eye(len(rows))


def exact_moments(row: Sequence[Fraction | float]) -> tuple[Fraction, Fraction]:
    """Mean and second moment of the rewards (0, 1, 2, ...) under the probabilities of a row, exactly."""
    first, second = (sum((k**power * Fraction(p) for k, p in enumerate(row)), Fraction(0)) for power in (1, 2))
    return first, second
