"""The family of instances of Theorem 2: its matrices, the regret of a round, kappa_*, and what the mended proof gives.

`share` = eps over the largest eps that the paper allows is the tangent of the angle of x_* to e_1.
"""

import itertools
import math
from collections.abc import Sequence

from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.formulas.softmax import sigmoid, slope, softmax
from mnlbandits.ledger.formulas.vectors import dot, scaled, variance

SIZES = tuple({"K": K, "d": d} for K, d in ((2, 2), (3, 2), (5, 3), (10, 4), (1000, 2), (10**6, 10)))
"""The K and d of the searches in which only scalars are computed."""

SMALL_SIZES = tuple({"K": K, "d": d} for K, d in ((2, 2), (3, 2), (3, 3), (10, 3)))
"""The K and d of the checks that compute with the matrices."""

MENDED = 312
"""The corrected bound: T first, E Reg_T >= R d sqrt(T / kappa_*) / 312 on a member of the family with ||[M~]_1|| = 1."""

MENDED_STEP = "0.15"
"""c of the corrected bound: [x_*]_i^2 = c/sqrt((K + 3) T/kappa_*), i >= 2."""

PRINTED = 25000
"""The constant of the paper's lower bound."""

MENDED_OUTCOMES = PRINTED**2 // MENDED**2
"""Up to this K the corrected bound implies the printed one, R d sqrt(K T/kappa_*)/PRINTED."""

MENDED_SIZES = (*SIZES, {"K": 2, "d": 10**6}, {"K": 10**20, "d": 2})
"""The K and d of the searches of the corrected bound."""

MENDED_TEXT = (
    rf"for every $T \ge d^2 \kappa_*$ a member of the family has $E\,Reg_T \ge R d \sqrt{{T/\kappa_*}}/{MENDED}$; "
    r"one way to it: Steps 1 to 6 with $4 \epsilon^2/\lVert [M]_1 \rVert^2$ for $4 \epsilon^2$, see C080; "
    r"so $\epsilon^2$ is of order $(K+3)^{-3/2} \sqrt{\kappa_*/T}$, namely $[x_*]_i^2 = "
    + MENDED_STEP
    + r"/\sqrt{(K+3) T/\kappa_*}$; "
    r"1 for $3/8$, see C069; Lemma 4 with the constants that C073 derives; "
    rf"and the cap $R d \sqrt{{T/\kappa_*}}/{MENDED}$"
)
"""The corrected bound, in words."""


def rise(m: Arithmetic, high: Number, low: Number) -> Number:
    """sigmoid(high) - sigmoid(low) without cancellation."""
    return m.expm1(high - low) / ((1 + m.exp(-low)) * (1 + m.exp(high)))


def shift(m: Arithmetic, K: Number) -> Number:
    """ln(K - 1), Eq. (proof lower bound eq proba)."""
    return m.log(K - 1)


def star(m: Arithmetic, K: Number, norm: Number = 1) -> Number:
    """kappa_* of the instances Pi M~ with ||[M~]_1|| = `norm`, Step 2 (claim C071)."""
    return (K + 3) / slope(m, norm - shift(m, K))


def largest_epsilon(m: Arithmetic, K: Number, d: Number) -> Number:
    """2/sqrt((K + 3)(d - 1)), the largest eps of the family."""
    return 2 / m.sqrt((K + 3) * (d - 1))


def loss(m: Arithmetic, K: Number, cosine: Number) -> Number:
    """Regret of one round, over R, of an arm at this cosine to x_*, Step 1 (claim C064)."""
    return rise(m, 1 - shift(m, K), cosine - shift(m, K)) / m.sqrt(K + 3)


def family_signs(d: int) -> list[tuple[int, ...]]:
    """All v in {-1, 1}^d with v_1 = 1; v_1 is not used."""
    return [(1, *rest) for rest in itertools.product((1, -1), repeat=d - 1)]


def first_row(m: Arithmetic, d: int, share: Number, signs: Sequence[int]) -> list[Number]:
    """sqrt(K + 3)/2 [M]_1 = (1, share v_i/sqrt(d - 1)), of norm sqrt(1 + share^2)."""
    return [m.number(1), *(share * sign / m.sqrt(m.number(d - 1)) for sign in signs[1:])]


def member(m: Arithmetic, K: int, d: int, share: Number, signs: Sequence[int], kind: str = "M-tilde") -> NDArray:
    """The matrix M (`kind` M) or M~ (M-tilde) of the signs v, (K, d)."""
    row, size = first_row(m, d, share, signs), m.sqrt(1 + share * share)
    if kind == "M":
        below, scale = [entry / 2 for entry in row], 2 / m.sqrt(m.number(K + 3))
    else:
        below, scale = [m.number(0)] * d, 1 / size
    return m.array([row] + [below] * (K - 1)) * scale


def unit_row_exactly() -> bool:
    """||[M~]_1||^2 = (1 + (d - 1) share^2/(d - 1))/(1 + share^2) = 1, as rational functions."""
    share, others = unknowns("share", "others")
    return (1 + others * (share**2 / others)) / (1 + share**2) == 1


def members(m: Arithmetic, K: int, d: int, share: Number, kind: str = "M-tilde") -> list[tuple[tuple[int, ...], NDArray]]:
    """(v, matrix) of all members of M or M~."""
    return [(signs, member(m, K, d, share, signs, kind)) for signs in family_signs(d)]


def high_reward(m: Arithmetic, K: int) -> list[Number]:
    """rho/R = (2, 1, ..., 1)/sqrt(K + 3)."""
    return [entry / m.sqrt(m.number(K + 3)) for entry in (2, *[1] * (K - 1))]


def member_logits(m: Arithmetic, K: Number, share: Number, angle: Number) -> tuple[Number, Number]:
    """The logits of outcome 1 of an arm in the plane if x_* is at +alpha, and if it is at -alpha, tan(alpha) = `share`."""
    alpha = m.atan(share)
    return m.cos(angle - alpha) - shift(m, K), m.cos(angle + alpha) - shift(m, K)


def divergence(m: Arithmetic, z: Number, other: Number) -> Number:
    """KL(Bernoulli(sigmoid(z)), Bernoulli(sigmoid(other))) without cancellation."""
    gap = z - other
    return gap * sigmoid(m, z) - m.log1p(m.expm1(gap) * sigmoid(m, other))


def pulls_of(K: int, horizon: float) -> int:
    """Pulls n of every e_j when exploring, then committing, in T = `horizon` rounds."""
    return math.ceil(math.sqrt(horizon * star(FLOATS, K) / (K + 3)))


def family_bound(m: Arithmetic, K: int, d: int, horizon: int, share: str = "0.03") -> Number:
    """A bound on the expected regret, over R d sqrt(T/kappa_*), of exploring then committing, for every unit [M~]_1.

    v_j estimates u_j = ([M~]_1)_j from n pulls with c_j outcomes 1, of chance p_j <= 1/2; s_j^2 = n p_j (1 - p_j). If |c_j -
    n p_j| + 1/2 <= share n p_j for all j, then |v_j - u_j| <= (|c_j - n p_j| + 1/2)/((1 - share) s_j^2), and 1 - cos(u, v)
    <= ||u - v||^2/(1 + sqrt(1 - r^2)), r = `reach` >= ||u - v||. A round then costs at most the slope at x_* times this; in
    the other case, of a probability that Bernstein's inequality bounds, what the opposite arm costs. No term is larger than
    with u_j = -1.

    Raises
    ------
    ValueError : an outcome 1 is more likely than not, `share` too large or too small, or T too short to explore.
    """
    top, pulls, part = 1 - shift(m, m.number(K)), pulls_of(K, horizon), m.number(share)
    reach = m.sqrt(m.number(d)) * 2 * part / (1 - part)
    p = sigmoid(m, top - 2)
    spread, within = m.sqrt(pulls * p * (1 - p)), part * pulls * p - m.number("0.5")
    if top > 0 or reach >= 1 or within <= 0 or pulls * d > horizon:
        raise ValueError(f"no bound at K = {K}, d = {d}, T = {horizon} with share {share}")
    square = d * ((spread + m.number("0.5")) / ((1 - part) * spread**2)) ** 2
    failure = 2 * d * m.exp(-(within**2) / (2 * pulls * p * (1 + part / 3)))
    committed = slope(m, top) / m.sqrt(m.number(K + 3)) * square / (1 + m.sqrt(1 - reach**2))
    opposite = loss(m, m.number(K), m.number(-1))
    total = pulls * d * opposite + horizon * (committed + failure * opposite)
    return total / (d * m.sqrt(horizon / star(m, m.number(K))))


def against(left: Number, right: Number) -> Number:
    """left/right, and 2 where the right side is not positive: what is claimed to be at least left > 0 is then not."""
    return left / right if right > 0 else 0 * left + 2


def mended_core(m: Arithmetic, logit: Number, part: Number, c: Number, cap: Number) -> Number:
    """What the corrected chain gives, of the largest distance of two members' logits and d/((1 + 2b) sqrt(K + 3) q).

    q = sqrt(T/kappa_*), b = ||[M~]_1||. Either the regret exceeds `cap`, or the information is small.
    """
    information = 16 * c * cap + 4 * c * c * (1 + cap * part)
    return c / 8 * (1 - m.sqrt(m.exp(2 * logit) * information))


def mended_constant(
    m: Arithmetic, K: Number, d: Number, q: Number, norm: Number = 1, c: Number | None = None, cap: Number | None = None
) -> Number:
    """What the corrected chain gives for (1 + 2 ||[M~]_1||) max E Reg_T/(R d q), q = sqrt(T/kappa_*), ||[M~]_1|| = `norm`.

    x_* has [x_*]_i^2 = c/(||[M~]_1|| sqrt(K + 3) q), i >= 2; c is MENDED_STEP and `cap` 3/MENDED if they are not given.
    """
    c = m.number(MENDED_STEP) if c is None else c
    cap = m.number(3) / MENDED if cap is None else cap
    root = m.sqrt(K + 3)
    return mended_core(m, 2 * m.sqrt(c * norm / (root * q)), d / ((1 + 2 * norm) * root * q), c, cap)


def mended_ratio(m: Arithmetic, K: Number, d: Number, surplus: Number, constant: int = MENDED) -> Number:
    """3/constant over `mended_constant`, surplus = ln(sqrt(T/kappa_*)/d)."""
    cap = m.number(3) / constant
    return against(cap, mended_constant(m, K, d, d * m.exp(surplus), cap=cap))


def mended_reduced(m: Arithmetic, logit: Number, part: Number, constant: int = MENDED) -> Number:
    """`mended_ratio` by its two scalars, each of which it increases in: for all K, d >= 2 and T >= d^2 kappa_*."""
    cap = m.number(3) / constant
    return against(cap, mended_core(m, logit, part, m.number(MENDED_STEP), cap))


MENDED_BOX = {"logit": (0.0, 0.367), "part": (0.0, 0.15)}
"""All K, d >= 2, b >= 1, q >= b d: b/(sqrt(K + 3) q) <= 1/(2 sqrt 5), so logit <= 0.3663 and part <= 1/(3 sqrt 5)."""

MENDED_WORDS = (
    r"in $2 \sqrt{c b/(\sqrt{K+3}\,q)} \le 0.367$ and $d/((1 + 2b) \sqrt{K+3}\,q) \le 0.15$, $q = \sqrt{T/\kappa_*}$, "
    r"for all $K, d \ge 2$, $b = \lVert [\tilde M]_1 \rVert \ge 1$ and $q \ge b d$ at once"
)
"""What `MENDED_BOX` is, in words."""


def mean_exp(m: Arithmetic, x: Number) -> Number:
    """(exp(x) - 1)/x as the integral of exp(v x) over v in [0, 1], so that x may be 0."""
    return m.integral(lambda v: m.exp(v * x))


def third_reduced(m: Arithmetic, w: Number, gap: Number, constant: int = 3) -> Number:
    """slope at x_* times gap/constant over the loss of probability 1, gap = 1 - cos(x, x_*), w = 1/(K - 1).

    sigmoid(u - ln(K - 1)) = w e^u/(1 + w e^u), and its derivative is that over 1 + w e^u.
    """
    return (1 + w * m.exp(1 - gap)) / (constant * (1 + w * m.e) * mean_exp(m, -gap))


ALL_OUTCOMES = {"w": (0.0, 1.0)}
"""w = 1/(K - 1) of all K >= 2, and of the limit."""


def member_star(m: Arithmetic, matrix: NDArray) -> Number:
    """kappa_* = R^2/(rho^T grad mu(theta x_*) rho) of a member, from the softmax; x_* is its first row, scaled."""
    rows = matrix.tolist()
    best = scaled(m, rows[0], 1)
    return 1 / variance(softmax(m, [dot(row, best) for row in rows]), high_reward(m, len(rows)))


def chain_exactly(**_: object) -> bool:
    """That the steps, at b = ||[M~]_1||, compose to `mended_core`: exact identities between rational functions.

    q = sqrt(T/kappa_*), r = sqrt(K + 3), a = [x_*]_i with a^2 = c/(b r q), regrets over R. Where every regret is at most
    cap d q/(1 + 2b): one round loses at least mu'_* b ||x - x_*||^2/(2 (1 + 2b) r) (C065), mu'_* = r^2/kappa_* (C071), so
    that the regret is at least `first` P, P = sum_i P(A_i) (C069); its KL for coordinate i is at most e^(2 logit) 4 b^2 a^2
    mu' [x]_i^2 (C077), sum_i [x]_i^2 <= 2 ||x - x_*||^2 + 2 (d - 1) a^2 (C082), sum mu' ||x - x_*||^2 <= 2 (1 + 2b) r Reg/b
    (C065), sum mu' <= q^2 r^2 + r Reg (C084). With P >= (d - 1)/2 (1 - sqrt(KL/(2 (d - 1)))) (C073) the rest is here.
    """
    d, b, q, r, c, cap = unknowns("d", "b", "q", "r", "c", "cap")
    square, regret = c / (b * r * q), cap * d * q / (1 + 2 * b)
    first = q**2 * r * b * square / (2 * (1 + 2 * b))
    entropy = 4 * b**2 * square * (4 * (1 + 2 * b) * r * regret / b + 2 * (d - 1) * square * (q**2 * r**2 + r * regret))
    part = d / ((1 + 2 * b) * r * q)
    within = 2 * (d - 1) * (16 * c * cap + 4 * c**2 * (1 + cap * part)) - entropy == 16 * c * cap * (d - 2)
    outside = (1 + 2 * b) * first * (d - 1) / (2 * d * q) - c / 8 == c * (d - 2) / (8 * d)
    return within and outside


CHAIN_WORDS = (
    r"that C065, C069, C071, C073 with the constants that it derives, C077, C082, C084 compose to it, "
    r"for all $K$, $d \ge 2$, $b$ and $q$, are exact identities with remainders $\propto d - 2 \ge 0$"
)
"""What `chain_exactly` shows."""
