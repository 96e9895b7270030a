"""Appendix B.2, the example of a large kappa_*: how large it is, and what the regret then is."""

from fractions import Fraction
from functools import partial

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import LOOSE, Finding, universal
from mnlbandits.ledger.formulas.kappa_star_example import (
    EXAMPLE_BOX,
    EXAMPLE_SIZES,
    corner_entry,
    example_below,
    example_variance,
)
from mnlbandits.ledger.formulas.softmax import sigmoid
from mnlbandits.ledger.search import Effort

BELOW_WORDS = (
    r"with $n = K - 1$ and $m = S\sqrt{K/n}$, $1/\kappa_* = \frac{n}{n+4} e^{-m}/(n e^{-m} + 1)^2$; "
    r"$(n e^{-S} + 1)/(n e^{-m} + 1) \le 1 + n(m - S) e^{-S} \le 1 + \frac S2 e^{-S} \le \frac54$ and $\frac{25}{16} \frac{n}{n+4} \le 2$, "
    "each step as an identity of rational functions or without a negative coefficient"
)
"""The proof of `example_below`."""


def two_probabilities(m: Arithmetic, K: int, S: Number, power: int = 1) -> Number:
    """1/kappa_* over 2 mu_2^power mu_1, mu_1 = sigmoid(m - log(K - 1)), mu_2 = (1 - mu_1)/(K - 1)."""
    corner = corner_entry(m, K, S)
    logit = corner - m.log(m.number(K - 1))
    return example_variance(m, K, corner) / (2 * sigmoid(m, logit) * (sigmoid(m, -logit) / (K - 1)) ** power)


def two_probabilities_exactly(power: int = 1) -> bool:
    """The ratio is (K - 1)/(2 (K + 3)), at most 1/2, K = 2 + more; `rest` is 1 - mu_1."""
    p, rest, more = unknowns("p", "rest", "more")
    K = 2 + more
    return nonnegative(Fraction(1, 2) - p * rest / (K + 3) / (2 * p * (rest / (K - 1)) ** power))


C046 = claim(
    "C046",
    Statement(
        place="Appendix B.2, last line of that display",
        lines=(715, 715),
        kind="step",
        prints=r"$\kappa_*^{-1} \le 2 \mu(\theta_* x_*)_2 \mu(\theta_* x_*)_1$.",
    ),
    Inequality(
        two_probabilities,
        EXAMPLE_BOX,
        EXAMPLE_SIZES,
        note=r"the ratio is $(K - 1)/(2(K + 3))$; $\mu_2 \mu_1$ is a bound too",
        loose=True,
        proof=Exactly(
            two_probabilities_exactly, r"the ratio is $(K - 1)/(2(K + 3)) \le 1/2$, rational in $K$ and $\mu_1$", bound=LOOSE
        ),
    ),
    domain=r"every $K$ and $S$; searched at $K = 2, 3, 10, 1000$, $S \in [0.01, 100]$.",
    planted={"power": 2},
    formal="C046",
    module=__name__,
)


def corner_printed(m: Arithmetic, K: int, S: Number, projected: int = 1) -> Number:
    """Relative difference of the two sides, at m and at S; without `projected` at m/sqrt(K/(K - 1)), as if Pi were left out."""
    corner = corner_entry(m, K, S) / (1 if projected else m.sqrt(m.number(K) / (K - 1)))
    return abs(example_variance(m, K, corner) / example_variance(m, K, S) - 1)


def corner_mended(m: Arithmetic, K: int, S: Number, less: int = 1) -> Number:
    """Relative difference of ||Pi M_*||_F, from its K entries, from S, for m = S sqrt(K/(K - less))."""
    corner = S * m.sqrt(m.number(K) / (K - less))
    first, other = corner * (K - 1) / K, corner / K
    return abs(m.sqrt(first**2 + (K - 1) * other**2) / S - 1)


def corner_exactly(less: int = 1) -> bool:
    """Its square, and m (1 - 1/K) = S for m = S K/(K - 1), the norm of the first row; sqrt(K/(K - 1)) >= 1."""
    K, S, more = unknowns("K", "S", "more")
    square = S**2 * K / (K - less)
    rows = S * K / (K - 1) * (1 - 1 / K) == S
    return square * ((K - 1) ** 2 + (K - 1)) / K**2 == S**2 and rows and nonnegative((2 + more) / (1 + more) - 1)


C047 = claim(
    "C047",
    Statement(
        place="Appendix B.2, third line of the last computation",
        lines=(720, 721),
        kind="step",
        prints=r"$2\frac{\exp(-[M_*]_1^\top x_*)}{(K-1)\exp(-[M_*]_1^\top x_*) + 1} \cdot \frac{1}{(K-1)\exp(-[M_*]_1^\top x_*) + 1} = 2\frac{\exp(-S)}{(K-1)\exp(-S) + 1} \cdot \frac{1}{(K-1)\exp(-S) + 1}$.",
        hypotheses=r"$\lVert\theta_*\rVert_2 = \lVert\Pi M_*\rVert_2 = S$.",
        reading=r"By $[M_*]_1^\top x_* = S$. The Frobenius or the spectral norm, which are the same for a matrix of rank one.",
    ),
    Correction(
        "rate",
        Equality(
            corner_printed,
            EXAMPLE_BOX,
            EXAMPLE_SIZES,
            examples=({"K": 2, "S": 1.0},),
            note=r"$[M_*]_1^\top x_* = m = \sqrt 2$ at $K = 2$, $S = 1$, where the sides are $0.315$ and $0.393$",
        ),
        Equality(
            corner_mended,
            EXAMPLE_BOX,
            EXAMPLE_SIZES,
            proof=Exactly(corner_exactly, r"$\lVert\Pi M_*\rVert_F^2 = m^2 (1 - 1/K)$, rational in $K$"),
        ),
        r"$[M_*]_1^\top x_* = m = S\sqrt{K/(K-1)}$, $S K/(K-1)$ if $S$ is the largest row norm; as $m \ge S$, $e^{-m} \le e^{-S}$: the last bound stands, with a larger power of $e^S$ ($\sqrt 2$ at $K = 2$). With $\le$ for this $=$ the line would still be false: at $K = 10$, $S = 1$ the left side is $1.029$ times the right; the chain is true all the same, by the $K + 3$ that the line before lets go (C048)",
    ),
    domain=r"every $K$ and $S$; searched at $K = 2, 3, 10, 1000$, $S \in [0.01, 100]$.",
    planted={"projected": 0, "mended_less": 0},
    formal="C047",
    module=__name__,
)


def large_kappa_star_bound(m: Arithmetic, K: int, S: Number, factor: int = 2, rate: int = 1) -> Number:
    """1/kappa_* over factor exp(-rate S)/((K - 1) exp(-S) + 1)^2."""
    right = factor * m.exp(-rate * S) / ((K - 1) * m.exp(-S) + 1) ** 2
    return example_variance(m, K, corner_entry(m, K, S)) / right


def large_kappa_star_exactly(factor: int = 2, rate: int = 1) -> bool:
    """Both inequalities: `example_below`, and 1/(1 + a)^2 <= 1 for a = (K - 1) exp(-S); exp(-m) <= exp(-rate S), m >= S."""
    a, low, more = unknowns("a", "low", "more")
    return nonnegative((low + more) ** rate - low) and example_below(factor) and nonnegative(1 - 1 / (1 + a) ** 2)


C048 = claim(
    "C048",
    Statement(
        place="Appendix B.2, last computation",
        lines=(718, 723),
        kind="step",
        prints=r"$\kappa_*^{-1} \le 2 \frac{\exp(-S)}{(K-1)\exp(-S) + 1} \cdot \frac{1}{(K-1)\exp(-S) + 1} \le 2\exp(-S)$.",
        labels=("appendix:large kappa star",),
    ),
    Inequality(
        large_kappa_star_bound,
        EXAMPLE_BOX,
        (*EXAMPLE_SIZES, {"K": 10**7}),
        note=r"against the first of the two bounds, which is the smaller one, and by a factor $2$ for no $K$ beyond $10^6$; $1/\kappa_* \le e^{-S}$ holds too",
        proof=Exactly(large_kappa_star_exactly, BELOW_WORDS),
    ),
    domain=r"every $K \ge 2$ and $S > 0$; searched at $K = 2, 3, 10, 1000, 10^7$, $S \in [0.01, 100]$.",
    planted={"rate": 2},
    formal="C048",
    module=__name__,
)


def exponentially_small(m: Arithmetic, K: int, S: Number, power: int = 1) -> Number:
    """kappa_*^power over exp(-S)."""
    return m.exp(S) / example_variance(m, K, corner_entry(m, K, S)) ** power


def exponentially_large(m: Arithmetic, K: int, S: Number, rate: int = 1) -> Number:
    """1/kappa_* over exp(-rate S)."""
    return example_variance(m, K, corner_entry(m, K, S)) * m.exp(rate * S)


def exponentially_large_exactly(rate: int = 1) -> bool:
    """1/kappa_* = n/(n + 4) a/(n a + 1)^2 <= exp(-rate S), n = K - 1, a = exp(-m) and exp(-S) = a + more."""
    n, a, more = unknowns("n", "a", "more")
    return nonnegative((a + more) ** rate - n / (n + 4) * a / (n * a + 1) ** 2)


C049 = claim(
    "C049",
    Statement(
        place="Appendix B.2, end",
        lines=(724, 724),
        kind="text",
        prints=r"We exhibit a case where $\kappa_*$ is exponentially small in $S = \lVert\theta_*\rVert_2$.",
        reading=r"$\kappa_* \le e^{-S}$.",
    ),
    Correction(
        "misprint",
        Inequality(exponentially_small, EXAMPLE_BOX, EXAMPLE_SIZES, examples=({"K": 2, "S": 1.0},), note=r"$d = 1$"),
        Inequality(
            exponentially_large,
            EXAMPLE_BOX,
            EXAMPLE_SIZES,
            proof=Exactly(
                exponentially_large_exactly,
                r"$1/\kappa_* = \frac{n}{n+4} a/(n a + 1)^2 \le a = e^{-m} \le e^{-S}$, $n = K - 1$: the difference has no negative coefficient",
            ),
        ),
        r"misprint: $\kappa_*$ is exponentially large, $1/\kappa_* \le e^{-S}$ small",
    ),
    domain=r"every $K$ and $S$; searched at $K = 2, 3, 10, 1000$, $S \in [0.01, 100]$.",
    planted={"power": -1, "mended_rate": 2},
    formal="C049",
    module=__name__,
)


# What the regret then is


def nu_on_sphere(m: Arithmetic, inverse: Number, power: int = 1) -> Number:
    """nu of the example at K = 2, S = 1 for arms e_1, -e_1 and one at the angle 1/inverse^power to e_1.

    Both moments are affine in mu_1 = sigmoid(m x_1): with weights 3/5 and 1/sqrt 5. sigmoid(u) - sigmoid(u - h) is
    sigmoid(u) sigmoid(h - u) (1 - exp(-h)), for h = 2 m and for h = m (1 - cos).
    """
    corner = corner_entry(m, 2, m.number(1))

    def fall(h: Number) -> Number:
        return sigmoid(m, corner) * sigmoid(m, h - corner) * -m.expm1(-h)

    nearest = 2 * corner * m.sin(1 / inverse**power / 2) ** 2
    return 2 * m.number(Fraction(3, 5)) * m.sqrt(m.number(5)) * fall(2 * corner) / fall(nearest)


def finite_second_term(effort: Effort, power: int = 1) -> Finding:
    """Whether nu of arms of the sphere stays below a constant as they come nearer to e_1."""
    del effort
    angles = [10.0**n for n in (1, 2, 3, 4, 6, 8)]
    return universal(partial(nu_on_sphere, power=power), angles, "1/angle to e_1 (K = d = 2)")


def example_regret(m: Arithmetic, K: int, S: Number, halves: int = 1) -> Number:
    """sqrt(1/kappa_*) over sqrt(2) exp(-halves S/2)."""
    return m.sqrt(example_variance(m, K, corner_entry(m, K, S)) / 2) * m.exp(halves * S / 2)


def example_regret_exactly(halves: int = 1) -> bool:
    """Its square is what `large_kappa_star_exactly` bounds."""
    return large_kappa_star_exactly(rate=halves)


C050 = claim(
    "C050",
    Statement(
        place="Appendix B.2, last display",
        lines=(725, 728),
        kind="text",
        prints=r"In this case, by Theorem 1, the asymptotic regret is thus of order $Reg_T \le \tilde O(R d \exp(-S/2) \sqrt{KT})$.",
        hypotheses=r"$\mathcal X = \mathcal S_1(\mathbb R^d)$, $d \ge 1$",
        reading=r"That Theorem 1 applies to the example, with $\sqrt{1/\kappa_*} \le \sqrt 2 e^{-S/2}$ in its leading term and a second term that does not depend on $T$ but by logarithms.",
    ),
    Correction(
        "condition",
        finite_second_term,
        Inequality(
            example_regret,
            EXAMPLE_BOX,
            EXAMPLE_SIZES,
            note=r"an upper bound: the power of $e$ is $\sqrt{K/(K-1)}\,S/2$",
            proof=Exactly(example_regret_exactly, "the square of both sides: " + BELOW_WORDS),
        ),
        r"for a finite subset of the sphere that holds $e_1$ (the sphere itself if $d = 1$): Theorem 1 assumes a finite $\mathcal X$, and on the sphere the gap is $0$ and $\nu$ infinite, as for Theorem 2's instances (C031). The factor $\sqrt{1/\kappa_*} \le \sqrt 2 e^{-S/2}$ of the leading term is as printed; what is proved of Theorem 1 has $K$ for $\sqrt K$ (C156)",
    ),
    domain=r"printed: $K = d = 2$, $S = 1$, arms of the sphere ever nearer to $e_1$; corrected: every $K \ge 2$ and $S > 0$; searched at $K = 2, 3, 10, 1000$, $S \in [0.01, 100]$.",
    planted={"power": 0, "mended_halves": 2},
    module=__name__,
)
