"""Theorem 1 with explicit constants: its numbers, and the steps of its proof from the mended Lemmas 1 and 2 on.

Algorithm 2 with the mended Theta and tau, eta = 5/4, the first estimate of least norm in Theta, sigma_t as below.
On Theta two parameters differ by at most 1/sqrt(6) at an arm, so that grad mu changes by `change`, here c, at most.
D = (K - 1) d.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.concordance import curvature_growth, growth_below
from mnlbandits.ledger.formulas.estimates import ridge_zero
from mnlbandits.ledger.formulas.learning import cauchy_schwarz, range_below_norm, variance_below_range
from mnlbandits.ledger.formulas.potentials import tangents_cancel
from mnlbandits.ledger.formulas.radii import TAU_MENDED
from mnlbandits.ledger.formulas.variances import compared, gaps_of, mean_below_norm, moments_of, no_gap, nu_times_gaps
from mnlbandits.ledger.search import column

STEP_SIZE = Fraction(5, 4)
"""eta."""

RADIUS_LEVEL, RADIUS_GROWTH = Fraction(5, 2), Fraction(21, 10)
"""Factors of log(1/delta) and of D log(1 + t/(lambda D)) in sigma_t^2."""

LEAST_RIDGE = 288
"""lambda = 144 K d at K = 2, d = 1."""

STAR: dict[str, Fraction] = {
    "leading": Fraction("3.34"),
    "second": Fraction("14.4"),
    "first": Fraction("22.28"),
    "nu": Fraction("5.6"),
    "trace": Fraction("2.01"),
    "repeats": Fraction("3.58"),
    "bonus": Fraction("5.72"),
}
"""Constants of the bound in terms of sigma and q, of the two bounds q on Q_T, and of the sum of the second bonuses."""

LAST: dict[str, Fraction] = {
    "free": Fraction("7.5"),
    "norm": Fraction(114),
    "curved": Fraction(36),
    "curved_norm": Fraction(8300),
    "square": Fraction(112),
    "square_nu": Fraction("28.2"),
    "square_norm": Fraction(25900),
    "square_norm_nu": Fraction(6500),
}
"""Constants of the last line."""


def change(m: Arithmetic) -> Number:
    """exp(sqrt(2)/sqrt(6)), by which grad mu changes at most between two points of Theta."""
    return m.exp(1 / m.sqrt(m.number(3)))


def learning_ridge(size: Number, dim: Number) -> Number:
    """lambda = 144 K d."""
    return 144 * size * dim


def sigma_square_mended(m: Arithmetic, K: Number, d: Number, S: Number, t: Number, delta: Number) -> Number:
    """sigma_t^2 = 4 S^2 lambda + 5/2 log(1/delta) + 21/10 D log(1 + t/(lambda D))."""
    free, ridge = (K - 1) * d, learning_ridge(K, d)
    growth = m.number(RADIUS_GROWTH) * free * m.log1p(t / (ridge * free))
    return 4 * S**2 * ridge - m.number(RADIUS_LEVEL) * m.log(delta) + growth


def tau_mended(m: Arithmetic, K: Number, d: Number, S: Number, kappa: Number, horizon: Number, delta: Number) -> Number:
    """42 (S + 3)^2 lambda_0 kappa d log T, which the mended tau is after rounding up."""
    return TAU_MENDED * (S + 3) ** 2 * ridge_zero(m, K, d, S, horizon, delta) * kappa * d * m.log(horizon)


class Given(NamedTuple):
    """What the bounds depend on: `level` is log(1/delta), `lead` R sqrt(T/kappa_*)."""

    K: Number
    d: Number
    S: Number
    log_T: Number
    level: Number
    kappa: Number
    R: Number
    nu: Number
    lead: Number


def star_bound(m: Arithmetic, given: Given) -> list[Number]:
    """The bound in terms of sigma and q, its terms in order, R tau last."""
    K, d, S, log_T, level, kappa, R, nu, lead = given
    star = {name: m.number(value) for name, value in STAR.items()}
    T, delta, free = m.exp(log_T), m.exp(-level), (K - 1) * d
    square = sigma_square_mended(m, K, d, S, T, delta)
    q = star["trace"] * free * m.log1p(T / (learning_ridge(K, d) * free))
    first, curved = star["leading"] * m.sqrt(square * q) * lead, m.log1p(T / (7 * kappa * d))
    return [
        first,
        star["second"] * R * kappa * d * square * curved,
        (star["first"] * R + star["nu"] * nu) * square * q,
        R * (1 + tau_mended(m, K, d, S, kappa, T, delta)),
    ]


def later_terms(m: Arithmetic, given: Given, **changed: Number) -> list[Number]:
    """What all but the first of them become in the last line; `changed` replaces constants of `LAST`. Also of unknowns."""
    K, d, S, log_T, level, kappa, R, nu, _ = given
    last = {name: m.number(value) for name, value in (LAST | changed).items()}
    free, both = (K - 1) * d, log_T + level
    curved = last["curved"] * free * both + last["curved_norm"] * S**2 * K * d
    square = (last["square"] * R + last["square_nu"] * nu) * free * both
    square = square + (last["square_norm"] * R + last["square_norm_nu"] * nu) * S**2 * K * d
    explored = TAU_MENDED * (S + 1) * (S + 3) ** 2 * kappa * K * d**2 * both * log_T
    return [R * kappa * d * both * curved, square * free * both, R * (1 + explored)]


def last_line(m: Arithmetic, given: Given, **changed: Number) -> list[Number]:
    """The terms of the last line of the mended theorem, in the same order."""
    K, d, S, log_T, level, *_, lead = given
    last = {name: m.number(value) for name, value in (LAST | changed).items()}
    free = (K - 1) * d
    leading = last["free"] * free * (log_T + level) + last["norm"] * S * m.sqrt(K * d * free * log_T)
    return [lead * leading, *later_terms(m, given, **changed)]


LAST_LINE_BOX = {
    "outcomes": (-20.0, 11.0),
    "dim": (-20.0, 6.0),
    "size": (-20.0, 16.0),
    "log_T": (0.7, 70.0),
    "level": (0.0, 50.0),
    "nu": (-20.0, 20.0),
}
"""The coordinates of `given_in_digits`; exp(0.7) > 2."""


def given_in_digits(
    m: Arithmetic, outcomes: Number, dim: Number, size: Number, log_T: Number, level: Number, nu: Number
) -> Given:
    """K - 2, d - 1, S and nu in powers of ten, R = lead = 1, kappa = K."""
    K = 2 + 10**outcomes
    return Given(K, 1 + 10**dim, 10**size, log_T, level, K, m.number(1), 10**nu, m.number(1))


def last_line_ratio(m: Arithmetic, point: Mapping[str, Number], **changed: Number) -> Number:
    """The largest quotient of a term of `star_bound` and what it becomes in the last line."""
    given = given_in_digits(m, **point)
    pairs = zip(star_bound(m, given), last_line(m, given, **changed), strict=True)
    return m.maximum(*(left / right for left, right in pairs))


# The steps, each as the largest ratio that a search can find and as a proof


def second_sum(m: Arithmetic, kappa: Number, ridge: Number, share: Number, bonus: Number = STAR["bonus"]) -> Number:
    """sum eps_2 over bonus R kappa sigma^2 d log(1 + T/(7 kappa d)) where W_t is as small as it may be.

    d orthonormal arms, T/d = share lambda kappa rounds of each; kappa - 1, ridge = lambda and share in powers of ten.
    """
    start = 10**ridge * (1 + 10**kappa) * change(m)
    rounds = start * 10**share
    total = 3 * change(m) * (m.digamma(start + rounds) - m.digamma(start))
    return total / (m.number(bonus) * m.log1p(rounds / (7 * (1 + 10**kappa))))


def log_above_share() -> bool:
    """u/(1 + u) <= log(1 + u), which is log v <= v - 1 at v = 1/(1 + u): 1 - v = u/(1 + u)."""
    (u,) = unknowns("u")
    return 1 - 1 / (1 + u) == u / (1 + u)


def second_sum_below(bonus: Fraction = STAR["bonus"]) -> bool:
    """3 c (1 + 1/(c kappa lambda)) <= bonus and 7 <= c lambda at the least kappa and lambda, and the steps to it."""
    steps = growth_below(2) and log_above_share() and tangents_cancel()
    c = change(BALLS)
    return steps and bool(3 * c * (1 + 1 / (c * 2 * LEAST_RIDGE)) <= bonus) and bool(c * LEAST_RIDGE >= 7)


def slope_change(m: Arithmetic, K: int, **point: Number) -> Number:
    """u^T grad mu(z + e) u over c times u^T grad mu(z) u, ||e|| = 1/sqrt(6)."""
    return curvature_growth(m, K, 1 / m.sqrt(6), **point) / change(m)


def largest_curvature() -> bool:
    """grad mu is at most 1/2, as the variance of u is at most (max - min)^2/4 <= ||u||^2/2, and its trace at most 1."""
    weight, others = unknowns("weight", "others")
    share = weight / (weight + others)
    return variance_below_range() and range_below_norm() and nonnegative(share - share * (1 - share))


def trace_below(trace: Fraction = STAR["trace"]) -> bool:
    """c (1 + 1/(2 lambda)) <= trace, and the steps to it."""
    steps = growth_below(2) and log_above_share() and tangents_cancel() and largest_curvature()
    return steps and bool(change(BALLS) * (1 + BALLS.number(Fraction(1, 2 * LEAST_RIDGE))) <= trace)


def repeated_arm(m: Arithmetic, u: Number, ridge: Number, share: Number, repeats: Number = STAR["repeats"]) -> Number:
    """sum over n < T of c^2 g/(c lambda + n g) over repeats log(1 + T/(2 lambda)), g = 2 mu'(u), K = 2; it bounds Q_T.

    One arm is played; ridge = lambda and share = T/lambda in powers of ten.
    """
    g = 1 / (1 + m.cosh(u))
    start, rounds = change(m) * 10**ridge / g, 10 ** (ridge + share)
    total = change(m) ** 2 * (m.digamma(start + rounds) - m.digamma(start))
    return total / (m.number(repeats) * m.log1p(rounds / (2 * 10**ridge)))


def repeats_below(repeats: Fraction = STAR["repeats"]) -> bool:
    """c^2 (1 + 1/(2 lambda)) <= repeats; a summand is at most c^2/(2 lambda + n) for g <= 1/2 and c >= 1."""
    n, ridge, more, less = unknowns("n", "ridge", "more", "less")
    g, c = 1 / (2 + less), 1 + more
    summand = nonnegative(1 / (2 * ridge + n) - g / (c * ridge + n * g))
    steps = growth_below(2) and log_above_share() and tangents_cancel() and largest_curvature()
    return steps and summand and bool(change(BALLS) ** 2 * (1 + BALLS.number(Fraction(1, 2 * LEAST_RIDGE))) <= repeats)


def variance_of_run(factor: int | Fraction = 2, multiple: int | Fraction = 1) -> bool:
    """Var_t <= Var_* + (factor R + multiple nu/2) gap_t, R = m_* + slack: with m_*^2 - m_t^2 = gap (2 m_* - gap)."""
    mean, gap = unknowns("mean", "gap")
    squares = mean**2 - (mean - gap) ** 2 == gap * (2 * mean - gap)
    arm = compared()
    above = arm.gap * (2 * arm.rest + arm.gap) + multiple * arm.half_nu * arm.gap - arm.second
    return squares and factor >= 2 and mean_below_norm() and nonnegative(above)


def variance_over_bound(m: Arithmetic, K: int, half_nu: Fraction | int = Fraction(1, 2), **point: Number) -> Number:
    """Var_t over Var_* + (2 R + half_nu nu) gap_t, the larger one of the two arms that are not optimal."""
    del K
    moments, norm = moments_of(m, point), m.norm(column(point, "r"))
    if no_gap(m, moments):
        return 0 * norm
    best, *others = (second - mean**2 for mean, second in moments)
    allowed = (
        2 * norm * gap + m.number(half_nu) * weighted
        for gap, weighted in zip(gaps_of(moments), nu_times_gaps(m, moments), strict=True)
    )
    return m.maximum(*(left / (best + right) for left, right in zip(others, allowed, strict=True)))


def quadratic_root(
    m: Arithmetic, square: Number, linear: Number = Fraction(5, 4), last: Number = Fraction(25, 16)
) -> Number:
    """x over linear E + last b^2 at the largest x with x <= E + b sqrt x, E = 1, b^2 = 10^square."""
    b = m.sqrt(10**square)
    return ((b + m.sqrt(b**2 + 4)) / 2) ** 2 / (m.number(linear) + m.number(last) * b**2)


def quadratic_below(linear: Fraction = Fraction(5, 4), last: Fraction = Fraction(25, 16)) -> bool:
    """With y = sqrt x and E = y^2 - b y + s: 5/4 E + 25/16 b^2 - y^2 = (y/2 - 5/4 b)^2 + 5/4 s."""
    y, b, s = unknowns("y", "b", "s")
    least = linear >= Fraction(5, 4) and last >= Fraction(25, 16)
    return (
        least
        and Fraction(5, 4) * (y**2 - b * y + s) + Fraction(25, 16) * b**2 - y**2
        == (y / 2 - Fraction(5, 4) * b) ** 2 + Fraction(5, 4) * s
    )


def star_follows(
    leading: Fraction = STAR["leading"],
    second: Fraction = STAR["second"],
    first: Fraction = STAR["first"],
    nu: Fraction = STAR["nu"],
    bonus: Fraction = STAR["bonus"],
) -> bool:
    """From x <= B + A R sqrt(T/kappa_*) + A sqrt((2 R + nu/2) x), A = 2 sqrt(c) sigma sqrt(q), B = 2 sum eps_2."""
    c = change(BALLS)
    square = Fraction(25, 16) * 4
    parts = (Fraction(5, 2) * BALLS.sqrt(c) <= leading, Fraction(5, 2) * bonus <= second)
    return cauchy_schwarz() and all(parts) and bool(2 * square * c <= first) and bool(c * square / 2 <= nu)


def last_line_below(
    free: Fraction = LAST["free"],
    norm: Fraction = LAST["norm"],
    curved: Fraction = LAST["curved"],
    curved_norm: Fraction = LAST["curved_norm"],
    square: Fraction = LAST["square"],
    square_nu: Fraction = LAST["square_nu"],
    square_norm: Fraction = LAST["square_norm"],
    square_norm_nu: Fraction = LAST["square_norm_nu"],
) -> bool:
    """sigma^2 <= 576 S^2 K d + 5/2 D log(T/delta) and logarithms of at most T for T >= 2, then constant by constant."""
    h, level, more, rest, far = unknowns("h", "level", "more", "rest", "far")
    D, T = 1 + more, 2 + far
    radius = nonnegative(RADIUS_LEVEL * D * (h + level) - RADIUS_LEVEL * level - RADIUS_GROWTH * D * h)
    logs = all(nonnegative(T - 1 - T / (least + rest)) for least in (LEAST_RIDGE, 14))
    S2, ridge = 4 * 144, STAR["trace"]
    roots = STAR["leading"] ** 2 * ridge * RADIUS_LEVEL <= free**2 and STAR["leading"] ** 2 * ridge * S2 <= norm**2
    steep = STAR["second"] * RADIUS_LEVEL <= curved and STAR["second"] * S2 <= curved_norm
    plain = STAR["first"] * ridge * RADIUS_LEVEL <= square and STAR["first"] * ridge * S2 <= square_norm
    with_nu = STAR["nu"] * ridge * RADIUS_LEVEL <= square_nu and STAR["nu"] * ridge * S2 <= square_norm_nu
    return radius and logs and roots and steep and plain and with_nu
