"""Appendix, proof of Theorem 2, Step 1: the regret is bounded from below by the slope at the optimum."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.family import (
    ALL_OUTCOMES,
    SIZES,
    high_reward,
    loss,
    rise,
    shift,
    third_reduced,
)
from mnlbandits.ledger.formulas.softmax import sigmoid, slope, softmax
from mnlbandits.ledger.formulas.vectors import dot, scaled
from mnlbandits.ledger.search import column, vectors_box


def bernoulli_difference(m: Arithmetic, K: int, cosine: Number, offset: int = -1) -> Number:
    """Softmax against the scalar formulas: P(1|x), and the regret of x over R, at [M~]_1^T x = `cosine`."""
    best, other = (softmax(m, [u, *[0] * (K - 1)]) for u in (m.number(1), cosine))
    rho, level = high_reward(m, K), offset * shift(m, m.number(K))
    lost = (dot(rho, best) - dot(rho, other)) * m.sqrt(m.number(K + 3))
    top, scalar = sigmoid(m, 1 + level), sigmoid(m, cosine + level)
    return m.maximum(abs(lost - (top - scalar)), abs(other[0] - scalar))


def bernoulli_exactly(offset: int = -1) -> bool:
    """The same for every K, x and arm: E, F = exp([M~]_1^T x), exp([M~]_1^T x_*), the K - 1 other exponentials are 1."""
    E, F, w = unknowns("E", "F", "w")
    chance, top = E / (E + w), F / (F + w)
    lost = (2 * F + w) / (F + w) - (2 * E + w) / (E + w)
    return chance == 1 / (1 + w ** (-offset) / E) and lost == top - chance


C064 = claim(
    "C064",
    Statement(
        place="Appendix, proof of Theorem 2, Step 1, displays up to Eq. (eq proba) and after it",
        lines=(1238, 1258),
        kind="equation",
        prints=r"$P(1|x) = [\mu(\tilde M x)]_1 = \mu([\tilde M]_1^T x - \ln(K-1))$ and $Reg_T = \frac{R}{\sqrt{K+3}} \sum_t [P(1|x_*) - P(1|x_t)]$.",
        reading=r"$\mu$ of a number is the sigmoid, $P(1|x)$ the probability of the reward $\rho_1$.",
        labels=("eq:proof lower bound eq proba",),
    ),
    Equality(
        bernoulli_difference,
        {"cosine": (-1.0, 1.0)},
        ({"K": 2}, {"K": 3}, {"K": 10}),
        proof=Exactly(
            bernoulli_exactly,
            r"rational identities in $e^{[\tilde M]_1^T x}$ and $e^{[\tilde M]_1^T x_*}$, the other $K - 1$ exponentials are 1, for all $K$",
        ),
    ),
    domain=r"all $K$, $d$, members and unit $x$, which enter by $[\tilde M]_1^T x \in [-1, 1]$; searched at $K = 2, 3, 10$",
    planted={"offset": 1},
    module=__name__,
)


def mean_value_difference(m: Arithmetic, K: Number, cosine: Number, power: int = 1, **_: int) -> Number:
    """The integral of the slope between [M~]_1^T x and 1, times their difference, over that of the sigmoid."""
    level = shift(m, m.number(K))
    integral = m.integral(lambda v: slope(m, cosine + v * (1 - cosine) - level))
    return abs(integral * (1 - cosine) ** power / rise(m, 1 - level, cosine - level) - 1)


def sigmoid_derivative(power: int = 1) -> bool:
    """The difference quotient of E/(E + w) is w/((E + w)(F + w)), so that its derivative in u = ln E is the slope."""
    E, F, w = unknowns("E", "F", "w")
    quotient = (F / (F + w) - E / (E + w)) / (F - E) ** power
    chance = E / (E + w)
    return quotient == w / ((E + w) * (F + w)) and E * (w / (E + w) ** 2) == chance * (1 - chance)


C064b = claim(
    "C064b",
    Statement(
        place="Appendix, proof of Theorem 2, Step 1, Eq. (eq 2)",
        lines=(1259, 1262),
        kind="equation",
        prints=r"$P(1|x_*) - P(1|x_t) = \int_0^1 \mu'([\tilde M]_1^T (v x_* + (1-v) x_t) - \ln(K-1))\,dv\; [\tilde M]_1^T (x_* - x_t)$.",
        labels=("eq:proof lower bound eq 2",),
    ),
    Equality(
        mean_value_difference,
        {"cosine": (-1.0, 0.999)},
        SIZES,
        share=0.5,
        proof=Exactly(
            sigmoid_derivative,
            r"the exact difference quotient of the sigmoid gives its derivative, then the fundamental theorem of calculus",
        ),
    ),
    domain=r"all $K$ and unit $x_t$; the integral searched at $K = 2, \ldots, 10^6$ and $[\tilde M]_1^T x_t \in [-1, 0.999]$",
    planted={"power": 2},
    module=__name__,
)


def concordance_ratio(m: Arithmetic, b: Number, gap: Number, sign: int = 1, factor: Number = 1) -> Number:
    """mu'(b)/(1 + factor gap) over the mean of mu' between b and b + sign gap."""
    return slope(m, b) / (1 + m.number(factor) * gap) * (sign * gap) / rise(m, b + sign * gap, b)


def concordance_exactly(factor: Fraction | int = 1) -> bool:
    """slope(b + s) - slope(b) e^{-s} = E (F - 1)(F + 1 + 2EF)/(F (1 + E)^2 (1 + EF)^2), E = e^b, F = e^s >= 1."""
    E, F = unknowns("E", "F")
    left = E * F / (1 + E * F) ** 2 - E / (1 + E) ** 2 / F
    right = E * (F - 1) * (F + 1 + 2 * E * F) / (F * (1 + E) ** 2 * (1 + E * F) ** 2)
    return factor >= 1 and left == right


C065 = claim(
    "C065",
    Statement(
        place="Appendix, proof of Theorem 2, Steps 1 and 4, self-concordance (Sun and Tran-Dinh, Corollary 2)",
        lines=(1263, 1265),
        kind="lemma",
        prints=r"Using the self-concordance property on $\mu'$ between $[\tilde M]_1^T x_t$ and $[\tilde M]_1^T x_*$ we get the factor $1/(1 + |[\tilde M]_1^T (x_* - x_t)|)$.",
        reading=r"$\int_0^1 \mu'(b + v (a - b))\,dv \ge \mu'(b)/(1 + |a - b|)$ for the sigmoid $\mu$, at either end $b$: line 1263 cites the property without its formula, which is taken from line 1265; for that display see C065b.",
    ),
    Inequality(
        concordance_ratio,
        {"b": (-30.0, 30.0), "gap": (1e-6, 60.0)},
        ({"sign": -1}, {"sign": 1}),
        proof=Exactly(
            concordance_exactly,
            r"exactly factored, $\mu'(b + s) \ge \mu'(b) e^{-|s|}$ (for $s < 0$ by $\mu'(-b) = \mu'(b)$), so the mean is at least $\mu'(b) (1 - e^{-D})/D$, $D = |a - b|$, and $e^D \ge 1 + D$",
        ),
    ),
    domain=r"all $a$, $b$; searched on $b \in [-30, 30]$, $|a - b| \in [10^{-6}, 60]$",
    planted={"factor": Fraction(1, 2)},
    formal="C065",
    module=__name__,
)


def before_the_sum(m: Arithmetic, K: int, cosine: Number, inside: bool = False) -> Number:
    """The right side over Reg_T: x_1 = x_*, [M~]_1^T x_t = `cosine` for t >= 2, the factor that of x_1, or of each round (`inside`)."""
    gap = 1 - cosine
    right = slope(m, 1 - shift(m, m.number(K))) * gap / (1 + gap if inside else 1)
    return right / (loss(m, m.number(K), cosine) * m.sqrt(m.number(K + 3)))


def inside_exactly(inside: bool) -> bool:
    """Inside the sum it is C065 in every round."""
    return inside and concordance_exactly()


C065b = claim(
    "C065b",
    Statement(
        place="Appendix, proof of Theorem 2, Steps 1 and 4, displays after self-concordance",
        lines=(1264, 1267),
        kind="step",
        prints=r"$Reg_T \ge \frac{R}{\sqrt{K+3}} \frac{1}{1 + |[\tilde M]_1^T (x_* - x_t)|} \sum_{t=1}^T \mu'([\tilde M]_1^T x_* - \ln(K-1)) [\tilde M]_1^T (x_* - x_t)$.",
        hypotheses=r"$\lVert [\tilde M]_1 \rVert = 1$ and the arms are unit vectors.",
        reading=r"$t$ is free in the factor before the sum: of any one round, as of the first; the same in the next line and in Step 4, line 1438. The lines with $1/(1 + 2 \lVert [\tilde M]_1 \rVert)$ and $1/3$, which follow, have no $t$ and are true (C066).",
    ),
    Correction(
        "misprint",
        Inequality(
            before_the_sum,
            {"cosine": (-1.0, 0.9)},
            tuple({"K": K} for K in (2, 3, 10, 10**6)),
            examples=({"K": 3, "cosine": -1.0},),
            share=0.5,
            note=r"$x_1 = x_*$, so that the factor of the first round is $1$, and one other arm in all later rounds: the sides are in the same ratio for every $T \ge 2$; at $K = 3$ and $-x_*$ they are $0.488$ and $0.421$ a round, over $R/\sqrt 6$",
        ),
        Inequality(
            before_the_sum,
            {"cosine": (-1.0, 0.9)},
            tuple({"K": K} for K in (2, 3, 10, 10**6)),
            share=0.5,
            fixed={"inside": True},
            proof=Exactly(inside_exactly, "C065 in every round"),
        ),
        "misprint: the factor belongs inside the sum",
    ),
    domain=r"printed: all $T \ge 2$, $x_1 = x_*$, then one arm, $K = 2, \ldots, 10^6$; corrected: all $K$, $d$, $T$ and unit $x_t$, each round alone",
    planted={"inside": True, "mended_inside": False},
    module=__name__,
)


def third_ratio(m: Arithmetic, K: Number, cosine: Number, constant: int = 3, **_: int) -> Number:
    """The slope at x_* times (1 - cosine)/constant over the loss of probability of outcome 1."""
    return (
        slope(m, 1 - shift(m, m.number(K)))
        * (1 - cosine)
        / (constant * loss(m, m.number(K), cosine) * m.sqrt(m.number(K + 3)))
    )


C066 = claim(
    "C066",
    Statement(
        place="Appendix, proof of Theorem 2, Step 1, display before the definition of x_* is used",
        lines=(1264, 1270),
        kind="step",
        prints=r"$Reg_T \ge \frac{R}{3 \sqrt{K+3}} \sum_t \mu'([\tilde M]_1^T x_* - \ln(K-1)) [\tilde M]_1^T (x_* - x_t)$.",
        hypotheses=r"$\lVert [\tilde M]_1 \rVert = 1$ and the arms are unit vectors.",
    ),
    Inequality(
        third_ratio,
        {"cosine": (-1.0, 0.9999)},
        SIZES,
        share=0.5,
        note=r"$1/(1 + 2 \lVert [\tilde M]_1 \rVert) = 1/3$; the best constant is $2/(1 - e^{-2}) = 2.313$, reached as $K$ grows",
        proof=Balls(
            third_reduced,
            {**ALL_OUTCOMES, "gap": (0.0, 2.0)},
            words=r"in $w = 1/(K-1) \in [0, 1]$ and $1 - [\tilde M]_1^T x_t$, for all $K$, each round alone",
        ),
    ),
    domain=r"all $K$, $d$, unit $x_t$; searched at $K = 2, \ldots, 10^6$",
    planted={"constant": 2},
    module=__name__,
)


def chord_difference(m: Arithmetic, factor: Number = Fraction(1, 2), **entries: Number) -> Number:
    """|1 - x^T y - factor ||x - y||^2| of two unit vectors."""
    x, y = (scaled(m, column(entries, name), 1) for name in "xy")
    apart = [a - b for a, b in zip(x, y, strict=True)]
    return abs(1 - dot(x, y) - m.number(factor) * dot(apart, apart))


def chord_exactly(factor: Fraction = Fraction(1, 2)) -> bool:
    """1 - xy - (x - y)^2/2 = (1 - x^2)/2 + (1 - y^2)/2, which sums to the statement over the coordinates."""
    x, y = unknowns("x", "y")
    return -x * y - factor * (x - y) ** 2 == -(x**2) / 2 - y**2 / 2


C067 = claim(
    "C067",
    Statement(
        place="Appendix, proof of Theorem 2, Step 1, display before Eq. (eq 1)",
        lines=(1270, 1274),
        kind="equation",
        prints=r"$[\tilde M]_1^T (x_* - x_t) = \lVert [\tilde M]_1 \rVert \frac12 \lVert x_* - x_t \rVert^2$, from $1 - x^T y = \frac12 \lVert x - y \rVert^2$ on the sphere.",
        hypotheses=r"$x_* = [\tilde M]_1/\lVert [\tilde M]_1 \rVert$ and $\lVert x_t \rVert = 1$.",
    ),
    Equality(
        chord_difference,
        vectors_box(x=(3, 1.0), y=(3, 1.0)),
        proof=Exactly(
            chord_exactly, r"the identity of polynomials in one coordinate of $x$ and $y$, summed over the coordinates"
        ),
    ),
    domain=r"all $d$ and unit vectors; searched at $d = 3$",
    planted={"factor": 1},
    module=__name__,
)


def sixth_ratio(m: Arithmetic, K: Number, share: Number, angle: Number, constant: int = 6, **_: int) -> Number:
    """Slope at x_* times the larger of ||x - x_*||^2 and its part of the coordinates i >= 2, over constant times the loss."""
    alpha = m.atan(share)
    whole, part = 2 - 2 * m.cos(angle - alpha), (m.sin(angle) - m.sin(alpha)) ** 2
    left = slope(m, 1 - shift(m, m.number(K))) * m.maximum(whole, part) / constant
    return left / (loss(m, m.number(K), m.cos(angle - alpha)) * m.sqrt(m.number(K + 3)))


def sixth_reduced(m: Arithmetic, w: Number, gap: Number, constant: int = 6) -> Number:
    """`sixth_ratio` in w = 1/(K - 1) and gap = ||x - x_*||^2/2."""
    return 2 * third_reduced(m, w, gap, constant)


C067b = claim(
    "C067b",
    Statement(
        place="Appendix, proof of Theorem 2, Step 1, Eq. (eq 1) to Eq. (inside 3)",
        lines=(1275, 1284),
        kind="equation",
        prints=r"$Reg_T \ge \frac{R}{6 \sqrt{K+3}} \mu'([\tilde M]_1^T x_* - \ln(K-1)) \sum_t \lVert x_* - x_t \rVert^2$, and so with $\sum_{i=2}^d [x_* - x_t]_i^2$.",
        labels=("eq:proof lower bound eq 1", "eq:inside proof lower bound 3"),
    ),
    Inequality(
        sixth_ratio,
        {"share": (1e-3, 1.0), "angle": (0.8, 6.28)},
        SIZES,
        share=0.5,
        note=r"the best constant is $4/(1 - e^{-2}) = 4.626$, reached at $x = -x_*$ as $K$ grows",
        proof=Balls(
            sixth_reduced,
            {**ALL_OUTCOMES, "gap": (0.0, 2.0)},
            words=r"in $w = 1/(K-1) \in [0, 1]$ and $\lVert x_* - x_t \rVert^2/2$, for all $K$, each round alone; the sum over $i \ge 2$ is part of $\lVert x_* - x_t \rVert^2$",
        ),
    ),
    domain=r"all $K$, $d$, members and unit $x_t$; searched in the plane of $e_1$ and $v$, $K = 2, \ldots, 10^6$, share $= \epsilon$ over the largest $\epsilon$",
    planted={"constant": 4},
    module=__name__,
)
