"""Algorithm 2 and Lemma 2: sigma_t, the bonuses, and mean rewards on the event ||theta_* - theta_t||_Wbar <= sigma."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.estimates import identity
from mnlbandits.ledger.formulas.frameworks import along_logit, law_of, unknown_vectors
from mnlbandits.ledger.formulas.orders import centred_columns, rows_of, square_form, vectors
from mnlbandits.ledger.formulas.softmax import softmax, softmax_jacobian
from mnlbandits.ledger.formulas.vectors import dot, variance
from mnlbandits.ledger.search import column, rewards_box, vectors_box

LEVEL = Fraction(1, 20)
"""delta in statements that hold for any."""

EVENT_CASES = ({"K": 2, "d": 1}, {"K": 3, "d": 1}, {"K": 2, "d": 2})
"""Sizes for which `means_on_event` is searched."""


def sigma_t(
    m: Arithmetic,
    size: Number | int,
    S: Number,
    t: Number | int,
    delta: Fraction = LEVEL,
    log_factor: Number | int = 2,
    ridge_factor: Number | int = 2,
) -> Number:
    """(2/sqrt(6)) sqrt(K d log(t/delta)) + 2 S sqrt(144 K d), the radius of Lemma 2, size = K d."""
    return log_factor / m.sqrt(6) * m.sqrt(size * m.log(t / m.number(delta))) + ridge_factor * S * m.sqrt(144 * size)


def bonus_factors(
    m: Arithmetic, theta: Sequence[Sequence[Number]], rewards: Sequence[Number], x: Sequence[Number], wbar: NDArray
) -> tuple[Number, Number]:
    """||Wbar^-1/2 (I (x) x) grad mu(theta x) rho||_2 and ||(I (x) x^T) Wbar^-1/2||_2^2: eps_1/sigma, eps_2/(3 R sigma^2)."""
    p, inverse = softmax(m, [dot(row, x) for row in theta]), m.inverse(wbar)
    mean = dot(p, rewards)
    slopes = [q * (reward - mean) * entry for q, reward in zip(p, rewards, strict=True) for entry in x]
    tall = np.kron(identity(m, len(p)), m.array(x)[:, None])
    block = tall.T @ inverse @ tall
    first = m.sqrt(m.maximum(square_form(slopes, inverse), 0))
    return first, m.eigenvalues((block + block.T) / 2)[-1]


def bonuses(m: Arithmetic, factors: tuple[Number, Number], sigma: Number, R: Number, constant: int = 3) -> Number:
    """eps_1 + eps_2 of the optimistic reward, Section 3.2, of `factors` as `bonus_factors` gives them."""
    return sigma * factors[0] + constant * R * sigma**2 * factors[1]


def wbar_of(
    m: Arithmetic,
    theta: Sequence[Sequence[Number]],
    arms: Sequence[Sequence[Number]],
    times: Sequence[Number],
    ridge: Number,
    ones: Sequence[Number] | None = None,
) -> NDArray:
    """Wbar of arms learnt `times` at theta, 11^T (x) x x^T added `ones` times, by default as often."""
    K = len(theta)
    wbar = ridge * identity(m, K * len(arms[0]))
    for x, pulls, added in zip(arms, times, ones or times, strict=True):
        outer = np.outer(m.array(x), m.array(x))
        curved = pulls * softmax_jacobian(m, [dot(row, x) for row in theta])
        wbar = wbar + np.kron(curved + added * m.array(np.ones((K, K), dtype=int)), outer)
    return wbar


def event_at(
    m: Arithmetic, K: int, d: int, ridge: Number, sigma: Number, share: Number, **point: Number
) -> tuple[list[Number], list[Number], list[Number], tuple[Number, Number]]:
    """Rewards, logits theta_t x, shift (theta - theta_t) x and `bonus_factors`, for ||theta - theta_t||_Wbar <= 10^sigma.

    Wbar holds two arms `x`, learnt 10^`n` times, with lambda = 10^`ridge`; the arm asked about is `q`; theta_t is `t`.
    """
    theta, rewards = rows_of(centred_columns(column(point, "t"), d), d), column(point, "r")
    arms, times = vectors(m, column(point, "x"), d), [10**digits for digits in column(point, "n")]
    wbar, away = wbar_of(m, theta, arms, times, 10**ridge), centred_columns(column(point, "e"), d)
    length = m.sqrt(square_form(away, wbar))
    scale = share * 10**sigma / length if length > 0 else 0 * length
    (asked,) = vectors(m, column(point, "q"), d)
    z = [dot(row, asked) for row in theta]
    shift = [scale * dot(row, asked) for row in rows_of(away, d)]
    return rewards, z, shift, bonus_factors(m, theta, rewards, asked, wbar)


def means_on_event(m: Arithmetic, K: int, d: int, **point: Number) -> tuple[Number, Number, Number, Number]:
    """Means rho^T mu at theta and at theta_t of `event_at`, and its two `bonus_factors`."""
    rewards, z, shift, factors = event_at(m, K, d, **point)
    moved = [a + b for a, b in zip(z, shift, strict=True)]
    return dot(softmax(m, moved), rewards), dot(softmax(m, z), rewards), *factors


def first_order_on_event(
    m: Arithmetic, K: int, d: int, sigma: Number, factor: Fraction | int = 1, **point: Number
) -> Number:
    """rho^T grad mu(theta_t x) (theta - theta_t) x over `factor` eps_1 in the setting of `event_at`."""
    rewards, z, shift, (first, _) = event_at(m, K, d, sigma=sigma, **point)
    p, bonus = softmax(m, z), m.number(factor) * 10**sigma * first
    mean = dot(p, rewards)
    change = sum(q * (reward - mean) * entry for q, reward, entry in zip(p, rewards, shift, strict=True))
    return abs(change) / bonus if bonus > 1e-6 else 0 * bonus


def event_box(K: int, d: int) -> dict[str, tuple[float, float]]:
    """The coordinates of `means_on_event`."""
    numbers = {"ridge": (0.0, 3.0), "sigma": (-2.0, 2.5), "share": (0.0, 1.0), "n0": (0.0, 5.0), "n1": (0.0, 5.0)}
    arms = vectors_box(t=(K * d, 5.0), e=(K * d, 1.0), x=(2 * d, 1.0), q=(d, 1.0))
    return arms | rewards_box(K) | numbers


def optimism_on_event(m: Arithmetic, K: int, d: int, sigma: Number, constant: int = 3, **point: Number) -> Number:
    """|rho^T mu(theta_* x) - rho^T mu(theta_t x)| over eps_1 + eps_2 on the event, Proposition 1; 3 is `constant`."""
    there, here, *factors = means_on_event(m, K, d, sigma=sigma, **point)
    rewards = column(point, "r")
    bonus = bonuses(m, factors, 10**sigma, m.sqrt(dot(rewards, rewards)), constant)
    return abs(there - here) / bonus if bonus > 1e-6 else 0 * bonus


def variance_below_range() -> bool:
    """Var v = (b - m)(m - a) - E (b - v)(v - a) <= (b - a)^2/4 for a <= v <= b with mean m: both steps as identities."""
    a, b, mean, second = unknowns("a", "b", "mean", "second")
    product = (b - mean) * (mean - a)
    between = (a + b) * mean - a * b - second
    return product - between == second - mean**2 and (b - a) ** 2 / 4 - product == ((a + b) / 2 - mean) ** 2


def range_below_norm() -> bool:
    """(u - w)^2 <= 2 (u^2 + w^2)."""
    u, w = unknowns("u", "w")
    return 2 * (u**2 + w**2) - (u - w) ** 2 == (u + w) ** 2


def second_derivative_of_mean(K: int = 4) -> bool:
    """D^2 (rho^T mu)(z)[v, v] = sum_k rho_k p_k ((v_k - p^T v)^2 - Var_p v), of unknown z, v and rho."""
    e, v, rewards = unknown_vectors(e=K, v=K, r=K)
    p = law_of(e)
    first = sum(v[k] * along_logit(dot(p, rewards), e, k) for k in range(K))
    second = sum(v[k] * along_logit(first, e, k) for k in range(K))
    spread = variance(p, v)
    return second == sum(r * q * ((a - dot(p, v)) ** 2 - spread) for r, q, a in zip(rewards, p, v, strict=True))


def remainder_below(constant: Fraction | int = 3) -> bool:
    """Whether R ||e||^2/2, above the remainder of rho^T mu(z + e) after its first order, is below constant R ||e||^2."""
    steps = second_derivative_of_mean() and variance_below_range() and range_below_norm()
    return steps and constant >= Fraction(1, 2)


def cauchy_schwarz() -> bool:
    """(a^T b)^2 <= a^T a b^T b, in orthonormal coordinates of a plane that holds both."""
    a, b, other_a, other_b = unknowns("a", "b", "other_a", "other_b")
    gap = (a**2 + other_a**2) * (b**2 + other_b**2) - (a * b + other_a * other_b) ** 2
    return gap == (a * other_b - other_a * b) ** 2


def first_order_below(factor: Fraction | int = 1) -> bool:
    """Whether the first order of the mean reward is at most `factor` eps_1 on the event."""
    (bound,) = unknowns("bound")
    return cauchy_schwarz() and nonnegative((factor - 1) * bound)


def optimism_below(constant: Fraction | int = 3) -> bool:
    """Whether the steps by which the bonuses bound the error of the mean reward on the event hold."""
    return cauchy_schwarz() and remainder_below(constant)
