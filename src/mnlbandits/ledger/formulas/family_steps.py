"""Steps 3 to 6 of the proof of Theorem 2: what is printed, and the algebra that decides it for all K and d.

The algebra is over unknowns, so each function that returns a bool decides an identity or an order for all values at once.
"""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.family import divergence, largest_epsilon, member_logits
from mnlbandits.ledger.formulas.softmax import slope

PLANE = tuple({"K": K, "d": 2} for K in (2, 3, 5, 6, 10, 1000, 10**6))
"""The K and d of the searches in which x and x_* are angles in the plane of e_1 and e_2."""

ANGLES = {"share": (1e-3, 1.0), "angle": (-3.141592653589793, 3.141592653589793)}
"""tan(angle of x_* to e_1) = eps/largest eps, and the angle of the arm to e_1."""

HORIZONS = {"surplus": (0.0, 20.0)}
"""ln(sqrt(T/kappa_*)/d), at least 0 as T >= d^2 kappa_*."""

FREE = HORIZONS | {"c": (1e-4, 0.02)}
"""The same, with the constant of eps^2 = c (K+3)^-1 sqrt(kappa_*/T)."""


def flip_size(m: Arithmetic, d: int, share: Number, entry: Number) -> Number:
    """|([M~]_1 - Flip_i [M~]_1)^T x| for [x]_i = `entry`."""
    return 2 * share / m.sqrt(1 + share**2) / m.sqrt(m.number(d - 1)) * abs(entry)


def eps_of(m: Arithmetic, K: int, d: int, share: Number) -> Number:
    """eps."""
    return share * largest_epsilon(m, m.number(K), m.number(d))


def entropy_growth(m: Arithmetic, K: int, eps: Number, root: int) -> Number:
    """exp(2 eps) eps^2 as printed (`root` 0), or with sqrt(K+3) eps for eps (1), as C079 and C080 need it."""
    wide = m.number(K + 3)
    return m.exp(2 * eps * m.sqrt(wide) ** root) * wide**root * eps**2


def capped_bracket(K: int, d: int, q: Number, eps: Number, inner: int = 6) -> Number:
    """6 (K+3) d q + (K+3)/4 (d-1) eps^2 ((K+3) q^2 + (K+3) d q), the capped bracket of Step 6; q = sqrt(T/kappa_*)."""
    wide = K + 3
    return inner * wide * d * q + (d - 1) * wide * eps**2 * (wide * q**2 + wide * d * q) / 4


def last_bracket(K: int, d: int, q: Number, eps: Number) -> Number:
    """6 eps^2 (K+3) q + eps^4 (K+3)^2/4 q^2 + eps^4 (K+3)^2/4 d q, the bracket after d has been taken out."""
    wide = eps**2 * (K + 3)
    return 6 * wide * q + wide**2 * q**2 / 4 + wide**2 * d * q / 4


def chosen_eps(m: Arithmetic, K: int, q: Number, c: Number) -> Number:
    """eps = sqrt(c (K+3)^-1 sqrt(kappa_*/T))."""
    return m.sqrt(c / (K + 3) / q)


def averaging_below(base: Fraction = Fraction(1, 4), factor_square: Fraction = Fraction(1, 4)) -> bool:
    """Whether sum_i P(A_i) is at least base d - sqrt(factor_square (d-1) E) on average, E that of sum_i KL, for all d >= 2.

    Each pair v, Flip_i(v): the two events cover all outcomes, so P(A_i) + P_Flip(A_i) >= 1 - sqrt(KL/2) by Pinsker's
    inequality; by Cauchy and Schwarz the average is at least (d-1)/2 - sqrt((d-1)/8 E). Here d is 2 + `more`.
    """
    (more,) = unknowns("more")
    return pinsker_below() and nonnegative((more + 1) / 2 - base * (more + 2)) and factor_square >= Fraction(1, 8)


def pinsker_below(four: int = 4) -> bool:
    """KL >= 2 (P(A) - Q(A))^2 for every event A.

    For two outcomes KL(p, q) - 2 (p - q)^2 has the sign of q - p as its derivative in q; outcomes merge two at a time, of
    chances p, r and q, s, as ln x >= 1 - 1/x.
    """
    p, q, r, s = unknowns("p", "q", "r", "s")
    whole = (p + r) / (q + s)
    merging = p * (1 - whole * q / p) + r * (1 - whole * s / r) == 0
    derivative = (1 - p) / (1 - q) - p / q - four * (q - p)
    return merging and derivative == (q - p) * (1 - 2 * q) ** 2 / (q * (1 - q))


AVERAGING_WORDS = (
    r"$P(A_i) + P_{\mathrm{Flip}_i}(A_i) \ge 1 - \sqrt{KL/2}$ by Pinsker's inequality, "
    r"whose derivative in $q$ is exact, and data processing, two outcomes at a time, by $\ln x \ge 1 - 1/x$; "
    r"Cauchy and Schwarz give $(d-1)/2 - \sqrt{(d-1)/8}\,\sqrt{\mathrm{average\ KL}}$, for every algorithm; "
    r"$(d-1)/2 \ge d/4$ for $d \ge 2$"
)
"""What `averaging_below` shows."""

FLIP_WORDS = r"$\mathrm{Flip}_i$ turns column $i$, see C073b."
EVENT_WORDS = r"$A_i$ with the index of C068, and $\mathrm{Flip}_i$ of column $i$, see C073b."
"""How the printed symbols are read."""


def mean_value_exact() -> bool:
    """mu' = mu (1 - mu) is the derivative of mu = e/(1+e) along e' = e, and chi^2 of two Bernoulli laws has it below."""
    e, p, q = unknowns("e", "p", "q")
    derivative = ((1 + e) - e) / (1 + e) ** 2 * e
    return derivative == e / (1 + e) * (1 - e / (1 + e)) and (p - q) ** 2 / q + (q - p) ** 2 / (1 - q) == (p - q) ** 2 / (
        q * (1 - q)
    )


def chi_square_above(factor: Fraction | int = 1) -> bool:
    """sum p ln(p/q) <= sum p (p/q - 1) = chi^2, as ln x <= x - 1."""
    p, q = unknowns("p", "q")
    return p * (p / q - 1) + (1 - p) * ((1 - p) / (1 - q) - 1) == (p - q) ** 2 / (q * (1 - q)) and factor >= 1


def outcomes_merge(others: int = 1) -> bool:
    """Laws that share the rest among K - `others` outcomes alike: chance of outcome 1, ratios and chi^2 are Bernoulli's."""
    e, p, q, K = unknowns("e", "p", "q", "K")
    rest = K - others
    sigmoid_of_shifted = 1 / (1 + (K - 1) / e)
    laws = ((1 - p) / rest, (1 - q) / rest)
    square = (K - 1) * (laws[0] - laws[1]) ** 2 / laws[1]
    return (
        e / (e + rest) == sigmoid_of_shifted and laws[0] / laws[1] == (1 - p) / (1 - q) and square == (p - q) ** 2 / (1 - q)
    )


def slope_is_concordant(factor: Fraction | int = 1) -> bool:
    """mu'(z + s) <= mu'(z) exp(|s|) for either sign of s: with p = mu(z), a = exp(-|s|), the quotient is a/(1 - p + p a)^2.

    For s < 0 it is at most 1/a as (1 - p + p a) - a = (1 - p)(1 - a) >= 0; for s > 0 the same with 1 - p for p.
    """
    p, a = unknowns("p", "a")
    e = p / (1 - p)
    moved = e * a / (1 + e * a) ** 2 / (p * (1 - p))
    return moved == a / (1 - p + p * a) ** 2 and (1 - p + p * a) - a == (1 - p) * (1 - a) and factor >= 1


def flip_below(factor: Fraction | int = 1, root: int = 1) -> bool:
    """The flip squared is at most factor (K + 3)^root eps^2 [x]_i^2 for all K >= 2, d and eps.

    It is 2 eps |[x]_i|/||[M]_1||, and ||[M]_1||^2 (K+3)/4 = 1 + share^2.
    """
    s, x, more, others = unknowns("s", "x", "more", "others")
    wide = 5 + more
    eps_square = s**2 * 4 / (wide * others)
    flip_square = 4 * s**2 / (1 + s**2) / others * x**2
    return nonnegative(factor * wide**root * eps_square * x**2 - flip_square)


def round_entropy_below(factor: Fraction | int = 1, root: int = 1) -> bool:
    """KL <= chi^2 <= mu'(z) D^2 exp(2 |D|), and what D is at most."""
    return chi_square_above() and mean_value_exact() and slope_is_concordant() and flip_below(factor, root)


def young_below(factor: int = 2) -> bool:
    """(a + b)^2 <= 2 a^2 + 2 b^2, and (d-1) eps^2/(4/(K+3) + (d-1) eps^2) <= (K+3)(d-1) eps^2/4."""
    a, b, K, rest = unknowns("a", "b", "K", "rest")
    young = 2 * a**2 + 2 * b**2 - (a + b) ** 2 == (a - b) ** 2
    share = rest / (4 / (K + 3) + rest)
    return young and (K + 3) * rest / 4 - share == (K + 3) * rest / 4 * share and factor >= 2


def step_four_below(constant: int = 6) -> bool:
    """mu'(x) gap 2 over the loss is 2 gap (1 + w e)/((e^gap - 1)(1 + w e^(1-gap))) <= 2 e, w = 1/(K-1) <= 1, gap <= 2.

    e^gap - 1 >= gap, e^(1-gap) >= 1/e, and e (1 + w/e) - (1 + w e) = (e - 1)(1 - w) >= 0.
    """
    w, e = unknowns("w", "e")
    return e * (1 + w / e) - (1 + w * e) == (e - 1) * (1 - w) and BALLS.e * 2 <= constant


def step_five_below(factor: Fraction | int = 1) -> bool:
    """mu'(x) <= mu'(x_*) + factor loss, a <= b = a + t the odds of outcome 1 at x and at x_*; |mu''| = |1 - 2 mu| mu'."""
    a, t, p = unknowns("a", "t", "p")
    b = a + t
    slopes = [odds / (1 + odds) ** 2 for odds in (a, b)]
    lost = b / (1 + b) - a / (1 + a)
    return nonnegative(slopes[1] + factor * lost - slopes[0]) and 1 - (1 - 2 * p) ** 2 == 4 * p * (1 - p)


def entropy_below(factor: Fraction | int = 2, root: int = 1) -> bool:
    """The information of a round, summed over i with Young's inequality, which doubles it, and Steps 4 and 5."""
    return round_entropy_below(Fraction(factor) / 2, root) and young_below() and step_four_below() and step_five_below()


def cap_below(power: Fraction = Fraction(1, 2)) -> bool:
    """sqrt(K + 3) K^power <= K + 3: (K+3)^2 - (K+3) K = 3 (K+3)."""
    (K,) = unknowns("K")
    return (K + 3) ** 2 - (K + 3) * K == 3 * (K + 3) and power <= Fraction(1, 2)


def dimension_below(c: Fraction = Fraction(1, 100)) -> bool:
    """d (1 - root)/2 <= d - 1 - left, where left <= root sqrt(d (d-1)/2) and root <= 1.

    eps^2 bracket <= d last bracket as the difference is w^2 (q^2 + d q)/4, w = eps^2 (K+3); d (d-1)/2 <= (d - 1)^2 as
    d >= 2; and root^2 <= 8 e^(2 sqrt(c/10)) (6 c + c^2/2), as q >= d >= 2.
    """
    w, q, d = unknowns("w", "q", "d")
    taken = 6 * w * d * q + (d - 1) * w**2 * (q**2 + d * q) / 4
    kept = 6 * w * q + w**2 * q**2 / 4 + w**2 * d * q / 4
    number = BALLS.number(c)
    root_square = 8 * BALLS.exp(2 * BALLS.sqrt(number / 10)) * (6 * number + number**2 / 2)
    return (
        d * kept - taken == w**2 * (q**2 + d * q) / 4
        and (d - 1) ** 2 - d * (d - 1) / 2 == (d - 1) * (d - 2) / 2
        and (root_square <= 1)
    )


def factor_of_step_six(constant: int) -> bool:
    """(K+3)^(3/2) q^2 eps^2/64 d/2 = c d sqrt(K+3) q/constant for eps^2 = c/((K+3) q), r = sqrt(K+3)."""
    r, q, c, d = unknowns("r", "q", "c", "d")
    return r**3 * q**2 * (c / (r**2 * q)) / 64 * d / 2 == c * d * r * q / constant


def bracket_of_step_six(power: int) -> bool:
    """The last bracket is 6 c + c^2/4 + c^2/4 d q^power for eps^2 = c/((K+3) q)."""
    q, c, d = unknowns("q", "c", "d")
    w = c / q
    return 6 * w * q + w**2 * q**2 / 4 + w**2 * d * q / 4 == 6 * c + c**2 / 4 + c**2 / 4 * d * q**power


def exponent_below(factor: int = 2) -> bool:
    """factor/sqrt((K+3) q) <= 1 for K >= 2 and q >= d >= 2."""
    return factor**2 <= (2 + 3) * 2


def entropy_terms(m: Arithmetic, K: int, share: Number, angle: Number) -> tuple[Number, Number, Number, Number]:
    r"""KL of a round of one arm, d = 2; $\mu'$ at it; its squared distance to $x_*$; and $(K+3) \epsilon^2/4$."""
    z, other = member_logits(m, m.number(K), share, angle)
    return divergence(m, z, other), slope(m, z), 2 - 2 * m.cos(angle - m.atan(share)), share**2


ENTROPY_WORDS = r"$2 (K+3) \exp(2 \sqrt{K+3}\,\epsilon) \epsilon^2$ for $8 \exp(2 \epsilon) \epsilon^2$, from C079 and C080"
"""How the average entropy is mended."""
