"""Means and variances of the rewards of several arms, and nu, as Step 5 of the proof of Theorem 1 compares them.

The gap that nu is divided by is g, the largest difference of second moments D. Of an arm that is not optimal, e is by how
much its own gap exceeds g, f by how much its second moment minus that of x_* stays below D.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import Quotient, nonnegative, unknowns
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, Point, column, rewards_box, vectors_box

LOGITS_OF_THREE = ("z", "y", "w")
"""The coordinates of the logits of three arms, in any order."""

Moments = Sequence[tuple[Number, Number]]
"""Mean and second moment of the reward of each arm, the optimal arm first, by decreasing mean."""


TIE = 1e-12
"""Means, or second moments, that are closer are equal up to rounding."""


def three_arms(K: int) -> Box:
    """Logits of three arms and the rewards."""
    return vectors_box(**dict.fromkeys(LOGITS_OF_THREE, (K, 12.0))) | rewards_box(K)


def moments_of(m: Arithmetic, point: Point) -> Moments:
    """The moments of the three arms of a point."""
    rewards = column(point, "r")
    squares = [reward**2 for reward in rewards]
    arms = [softmax(m, column(point, name)) for name in LOGITS_OF_THREE]
    return sorted(((dot(p, rewards), dot(p, squares)) for p in arms), key=lambda arm: arm[0], reverse=True)


def spread_of(m: Arithmetic, moments: Moments) -> Number:
    """max |(rho^2)^T (mu(theta_* x_1) - mu(theta_* x_2))|."""
    seconds = [second for _, second in moments]
    return m.maximum(*seconds) - m.minimum(*seconds)


def gaps_of(moments: Moments) -> list[Number]:
    """rho^T (mu(theta_* x_*) - mu(theta_* x)) of the other arms, the smallest first."""
    best, *others = (mean for mean, _ in moments)
    return [best - mean for mean in others]


def nu_times_gaps(m: Arithmetic, moments: Moments) -> list[Number]:
    """nu times these gaps, 2 D/g of each."""
    gaps = gaps_of(moments)
    return [2 * spread_of(m, moments) * gap / gaps[0] for gap in gaps]


def no_gap(m: Arithmetic, moments: Moments) -> bool:
    """Whether g or D is rounding."""
    return not (gaps_of(moments)[0] > TIE and spread_of(m, moments) > TIE)


def seconds_by_nu(m: Arithmetic, K: int, share: Fraction | int = 1, **point: Number) -> Number:
    """(rho^2)^T (mu_t - mu_*) over share nu rho^T (mu_* - mu_t), the larger of two arms that are not optimal."""
    del K
    moments = moments_of(m, point)
    if no_gap(m, moments):
        return 0 * gaps_of(moments)[0]
    rights = nu_times_gaps(m, moments)
    lefts = [second - moments[0][1] for _, second in moments[1:]]
    return m.maximum(*(left / (share * right) for left, right in zip(lefts, rights, strict=True)))


class Compared(NamedTuple):
    """An arm that is not optimal against x_*, for unknown g, D > 0 and e, f >= 0.

    Attributes
    ----------
    half_nu : D/g. gap : g + e. second : D - f, of second moments, the arm's minus that of x_*. spread : D. rest : another.
    """

    half_nu: Quotient
    gap: Quotient
    second: Quotient
    spread: Quotient
    rest: Quotient


def mean_below_norm(factor: int | Fraction = 1) -> bool:
    """rho^T mu <= factor R for every K, from mean, variance and the rest of R^2, sum_k rho_k^2 (1 - mu_k), none negative."""
    mean, spread, rest, weight, others, reward = unknowns("mean", "spread", "rest", "weight", "others", "reward")
    term = nonnegative(reward**2 * (1 - weight / (weight + others)))
    return term and nonnegative(factor**2 * (mean**2 + spread + rest) - mean**2)


def compared() -> Compared:
    """An arm of unknown g, D, e, f, and a further unknown `rest`."""
    g, D, e, f, rest = unknowns("g", "D", "e", "f", "h")
    return Compared(D / g, g + e, D - f, D, rest)


def seconds_below_nu(share: Fraction | int = 1) -> bool:
    """share nu gap minus the difference of second moments has no negative coefficient."""
    arm = compared()
    return nonnegative(share * 2 * arm.half_nu * arm.gap - arm.second)
