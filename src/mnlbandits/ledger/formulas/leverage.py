"""The mended Lemma 1: from how little one round of the exploration tells to a Theta that holds theta_* and is narrow.

The arms of Algorithm 1 do not depend on outcomes, so at each t the noise is a sum of independent terms. In units of
sqrt(lambda_0), let bb be ||g(theta_*) - g(hat theta)||_{H^-1(theta_*)}; in those of its inverse, let lev be the largest
||I (x) x||_{V^-1}; p = bb lev. In 1/r^2 = S + 1 all is bounded for every S: r is in (0, 1], lengths are those over S + 1.
"""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.designs import determinant_grows, scores_decrease
from mnlbandits.ledger.formulas.radii import (
    ROOT,
    TAU,
    TAU_MENDED,
    THETA_MENDED,
    gamma_root_mended,
    tau_root_mended,
    theta_root_mended,
)

LEAST_LEVEL = 12
"""log T of every horizon T >= 2 with tau <= T is at least this, see `horizon_over_tau`."""

LARGEST_SCORE = Fraction(1, 4 * LEAST_LEVEL)
"""1/(kappa lambda_0) is at most this, as kappa >= 2 and lambda_0 >= 2 log T."""

SLACK = Fraction(48, 47)
"""More than 1 + `LARGEST_SCORE`."""


def noise_root(m: Arithmetic, r: Number, lev: Number | int, net: int = 2) -> Number:
    """The noise, net (sqrt(2 u) + sqrt(2) u lev/3) for u = 1/(S + 1), over r.

    Bernstein's inequality in one direction of H^(-1/2) 1^perp (x) R^d, of variance at most 1 and terms at most
    ||e_y - mu|| lev <= sqrt(2) lev; net = 2 for a 1/2-net of its unit sphere, of at most 5^D points, D = (K - 1) d.
    """
    return net * m.sqrt(m.number(2)) * (1 + lev * r / 3)


def score_root(m: Arithmetic, r: Number, lev: Number | int, net: int = 2) -> Number:
    """bb over S + 1: the ridge, which is S at most, and the noise."""
    return 1 - r**2 + r**3 * noise_root(m, r, lev, net)


def deviation_below(dim_factor: int = 1) -> bool:
    """D log 5 + log(1/delta) <= K d log(T/delta) for T >= 5, and with log(T/delta) for log(1/delta) if T/delta >= 5.

    With a = log 5, b = log(T/delta): K d b - D a - (b - log T) is at least D (b - a) + (d - 1) b + log T, and
    K d b - D a - b = D (b - a) + (d - 1) b.
    """
    free, more_dims, five, more, log_horizon = unknowns("free", "more_dims", "five", "more", "log_horizon")
    dim, level = 1 + more_dims, five + more
    size = dim_factor * (free + dim)
    once = size * level - free * five - (level - log_horizon)
    always = size * level - free * five - level
    return nonnegative(once) and nonnegative(always)


def few_rounds_below(noise: int = 4) -> bool:
    """t sqrt(2) <= 4 lambda_0 for t <= T <= 4, lambda_0 >= 2 log T, where 5^D points are too many.

    T^2 <= 2 (noise log T)^2 in integers: log 2 > 2/3, log 3 > 1 and log 4 > 4/3.
    """
    least = {2: Fraction(2, 3), 3: Fraction(1), 4: Fraction(4, 3)}
    return all((noise * 2 * level) ** 2 >= 2 * T**2 for T, level in least.items())


def concordance_factor(m: Arithmetic, p: Number) -> Number:
    """1/(1 - sqrt(2) p), which c = 1 + sqrt(2) max ||(hat theta - theta_*) x|| is at most, with H <= c G and V <= H.

    The maximum is at most ||I (x) x||_{G^-1} ||hat theta - theta_*||_G <= sqrt(c) lev sqrt(c) bb = c p.
    """
    return 1 / (1 - m.sqrt(m.number(2)) * p)


def factor_is_fixed_point() -> bool:
    """c = 1 + a c at c = 1/(1 - a), and 1 + a x - x = (1 - a) (c - x): so x <= 1 + a x says x <= c if a < 1."""
    a, x = unknowns("a", "x")
    c = 1 / (1 - a)
    return c == 1 + a * c and 1 + a * x - x == (1 - a) * (c - x)


def distance_root(m: Arithmetic, r: Number, lev: Number, p: Number) -> Number:
    """||hat theta - theta_*||_V/sqrt(lambda_0) is at most c bb; over S + 1."""
    return concordance_factor(m, p) * score_root(m, r, lev)


def leverage_mended(m: Arithmetic, r: Number, tau: int) -> Number:
    """lev (S + 1) after the mended tau: lev^2 <= slack kappa d log(1 + tau/(w d))/tau, w = kappa lambda_0; over lambda_0."""
    return m.sqrt(m.number(SLACK)) / tau_root_mended(m, 1 - r**2, r**2, tau)


def theta_covers(m: Arithmetic, r: Number, theta: Fraction | float = THETA_MENDED, tau: int = TAU_MENDED) -> Number:
    """||hat theta - theta_*||_V over the radius of the mended Theta."""
    over = leverage_mended(m, r, tau)
    p = over * score_root(m, r, over * r**2)
    return distance_root(m, r, over * r**2, p) / theta_root_mended(m, 1 - r**2, r**2, theta)


def theta_is_narrow(m: Arithmetic, r: Number, theta: Fraction | float = THETA_MENDED, tau: int = TAU_MENDED) -> Number:
    """sqrt(6) diam(Theta) = sqrt(6) 2 radius lev of the mended Theta."""
    return 2 * m.sqrt(m.number(6)) * theta_root_mended(m, 1 - r**2, r**2, theta) * leverage_mended(m, r, tau)


def printed_theta_covers(m: Arithmetic, S: Number, root: int = ROOT, tau: int = TAU) -> Number:
    """||hat theta - theta_*||_V over the printed radius after the printed tau, K >= 2."""
    r, lev = 1 / m.sqrt(S + 1), m.sqrt(m.number(SLACK) / (2 * tau))
    p = lev * (S + 1) * score_root(m, r, lev)
    return (S + 1) * distance_root(m, r, lev, p) / root


def event_covers(m: Arithmetic, r: Number, offset: int = 4) -> Number:
    """The noise at lev = 1/sqrt(lambda_0), that is after any number of rounds, over what the mended gamma leaves for it."""
    return r * noise_root(m, r, 1) / gamma_root_mended(0, 1, offset)


def gamma_adds_to_ridge(offset: int = 4) -> bool:
    """The root of the mended gamma is S and what it is at S = 0."""
    (S,) = unknowns("S")
    return gamma_root_mended(S, 1, offset) - S == gamma_root_mended(0, 1, offset)


def horizon_over_tau(m: Arithmetic, level: Number, tau: int = TAU_MENDED) -> Number:
    """T over the least tau, log T = `level`: S = 0, K = kappa = 2, d = delta = 1; below 1 no such T is a horizon."""
    return m.exp(level) / (4 * tau_root_mended(m, m.number(0), 1, tau) ** 2 * level**2)


def elliptical_steps() -> bool:
    """The identities by which tau max ||x||^2_{B^-1} <= sum q_s and sum log(1 + q_s) = log(|B_tau|/w^d); 1 + T/4 <= T."""
    (more,) = unknowns("more")
    return scores_decrease() and determinant_grows() and nonnegative((2 + more) - 1 - (2 + more) / 4)


# With lambda_0 = L/(1 + S)^2, L = D log(5/delta)


FREE_THETA, FREE_TAU = 25, 600
"""beta/L, and tau/(kappa d (L + 2) log(1 + 2 T/(L d))), for that lambda_0."""


def short_arm_over_kappa(m: Arithmetic, y: Number, constant: int = 2) -> Number:
    """(1 + y)^2/kappa over `constant`, y = S X, as kappa >= max(2, exp(sqrt(2) y)/2)."""
    return (1 + y) ** 2 / m.maximum(2, m.exp(m.sqrt(m.number(2)) * y) / 2) / constant


def short_arm_falls(m: Arithmetic, inverse: Number) -> Number:
    """The growth 2/(1 + y) of log (1 + y)^2 over that of log kappa, sqrt(2), y = 1/inverse."""
    return 2 * inverse / (1 + inverse) / m.sqrt(m.number(2))


def kappa_above(s: Number, K: Number) -> Number:
    """s^-2/2 times u^T grad mu(z) u/|u|^2 for u = e_2 - 1/K, z = y (1, -1, 0, ...)/sqrt(2), s = exp(-y/sqrt(2)).

    The second outcome has probability p = s^2/(1 + s^2 + (K - 2) s), u the variance p (1 - p), |u|^2 = (K - 1)/K: at
    y = S X it is exp(sqrt(2) S X)/2 over kappa at most.
    """
    p = s**2 / (1 + s**2 + (K - 2) * s)
    mean, norm = p - 1 / K, (1 - 1 / K) ** 2 + (K - 1) / K**2
    spread = p * (1 - 1 / K - mean) ** 2 + (1 - p) * (-1 / K - mean) ** 2
    return spread / norm / (2 * s**2)


def kappa_steps() -> bool:
    """`kappa_above` is at most 1 for every K >= 2 and s > 0: kappa >= exp(sqrt(2) S X)/2."""
    s, more = unknowns("s", "more")
    return nonnegative(1 - kappa_above(s, 2 + more))


def free_theta_covers(m: Arithmetic, theta: int = FREE_THETA, tau: int = FREE_TAU) -> Number:
    """||hat theta - theta_*||_V over its radius sqrt(25 L): lev^2 <= 1/(600 L), ridge and noise at most sqrt(L) each."""
    lev, two = 1 / m.sqrt(tau * m.number(1)), m.sqrt(m.number(2))
    score = 1 + 2 * two * (1 + lev / 3)
    return concordance_factor(m, lev * score) * score / m.sqrt(theta * m.number(1))


def free_theta_is_narrow(m: Arithmetic, theta: int = FREE_THETA, tau: int = FREE_TAU) -> Number:
    """6 diam(Theta)^2 = 6 4 25 L lev^2."""
    return 6 * 4 * theta * m.number(1) / tau
