"""Algorithm 3: its constants, its trigger and its bonuses, Section 3.4 and Appendix H."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns

DELTA_W = Fraction(1, 20)
"""delta in statements about Algorithm 3 that hold for any."""


def lambda_w(m: Arithmetic, size: Number, S: Number, factor: int = 72) -> Number:
    """lambda^w = 72 (1 + sqrt(6) S) K d, size = K d."""
    return factor * (1 + m.sqrt(6) * S) * size


def eta_w(m: Arithmetic, S: Number, alpha: Number | int = 1) -> Number:
    """eta^w = (1 + sqrt(6) S)/2, as printed with alpha = S."""
    return (1 + m.sqrt(6) * alpha * S) / 2


def beta_over_norm(m: Arithmetic, size: Number, S: Number, level: Number) -> Number:
    """beta_t/S at level = log(t/delta)."""
    return 4 * m.sqrt(size * level) + 2 * m.sqrt(lambda_w(m, size, S))


def beta_w(m: Arithmetic, size: Number, S: Number, t: Number) -> Number:
    """beta_t = 4 S sqrt(K d log(t/delta)) + 2 S sqrt(lambda^w)."""
    return S * beta_over_norm(m, size, S, m.log(t / m.number(DELTA_W)))


def sigma_w(m: Arithmetic, size: Number, S: Number, level: Number) -> Number:
    """sigma_t = 2 sqrt(K d log(t/delta)) + 24 S sqrt(K d) at level = log(t/delta)."""
    return 2 * m.sqrt(size * level) + 24 * S * m.sqrt(size)


def inverse_eigenvalue(plays: Number, ones: Number, ridge: Number) -> Number:
    """lambda_max of Hbar^-1 on a unit arm learnt `plays` times at curvature 1/2, K = 2, 11^T counted ones/2 times."""
    return 1 / min(ridge + ones, ridge + plays / 2)


def eps_two_of_last(m: Arithmetic, level: Number, plays: Number, last: bool, cumulative: bool) -> Number:
    """eps_2 of that arm, d = 2, S = R = 1; with Hbar_{t+1} as printed 11^T counts once, for the arm played last only."""
    ones = 2 * plays if cumulative else m.number(2 * int(last))
    return 3 * sigma_w(m, m.number(4), m.number(1), level) ** 2 * inverse_eigenvalue(plays, ones, m.number(576))


def beta_grows() -> bool:
    """beta_T - beta_t = 4 S sqrt(K d) (b - a), b - a = (b^2 - a^2)/(a + b), b^2 = log(T/delta), a^2 = log(t/delta)."""
    a, b, base, factor = unknowns("a", "b", "base", "factor")
    return (factor * b + base) - (factor * a + base) == factor * (b**2 - a**2) / (a + b)


def gap_below_norm() -> bool:
    """A difference of means of rewards in [0, max rho] is at most max rho, and R^2 - rho_k^2 is a sum of squares."""
    low, rest, share, top = unknowns("low", "rest", "share", "top")
    between = top - (share * top + (1 - share) * low) == (1 - share) * (top - low)
    return between and (top**2 + low**2 + rest**2) - top**2 == low**2 + rest**2


def optimal_by_score(factor: int = 2) -> bool:
    """Whether nu = factor D/g makes every maximiser of nu rho + rho^2 optimal.

    D is at least every difference of second moments, g at most every gap. With gap = g + e and q_* - q = f - D, e, f >= 0,
    the score of x_* exceeds that of x by (factor - 1) D + factor D e/g + f.
    """
    D, g, e, f = unknowns("D", "g", "e", "f")
    exceeds = factor * D / g * (g + e) + (f - D)
    return exceeds == (factor - 1) * D + factor * D * e / g + f and factor > 1
