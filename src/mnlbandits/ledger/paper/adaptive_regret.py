"""Appendix H, proof of Theorem 3: the regret split, and its constants."""

from fractions import Fraction
from functools import partial
from itertools import combinations

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, corrected, exactly, universal
from mnlbandits.ledger.formulas.adaptive import (
    DELTA_W,
    optimal_by_score,
    sigma_w,
)
from mnlbandits.ledger.formulas.regret import exact_moments
from mnlbandits.ledger.search import Effort


def term_with_kappa(
    m: Arithmetic, K: int, d: int, S: Number, reward: Number, curved: Number, digits: Number, power: int = 0
) -> Number:
    r"""The term with $\kappa$ of Step 6 over the two printed, R^power in the second; R, kappa/K and T in powers of ten.

    The first printed term over that of Step 6, in which $R$ and $K d$ cancel, is $2 \log(1 + T/(K \lambda))/(\lambda \sigma L)$.
    """
    size, T, R, kappa = K * d, 10**digits, 10**reward, K * 10**curved
    sigma, ridge = sigma_w(m, m.number(size), S, m.log(20 * T)), 144 * K * d
    level = m.log(1 + T / (size * ridge * kappa))
    first = 2 * m.log(1 + T / (K * ridge)) / (ridge * sigma * level)
    return 1 / (first + R ** (power - 1))


def terms_contained(power: int = 1) -> bool:
    r"""The mended display minus Step 6, term by term: `first` + R^power k - R k and those of $4 \sqrt 2 e$ and $16 e^2 (4 R + 2 \nu)$."""
    first, k, R, nu = unknowns("first", "k", "R", "nu")
    others = nonnegative(16 * (4 * R + 2 * nu) - 4 * (2 * R + nu)) and 4**2 * 2 >= 2**2
    return others and nonnegative(first + R**power * k - R * k)


CONCLUDING = {"S": (0.05, 10.0), "reward": (-2.0, 2.0), "curved": (0.0, 9.0), "digits": (6.0, 18.0)}
SMALL_AND_LARGE = ({"K": 2, "d": 1}, {"K": 10, "d": 10})

C185 = claim(
    "C185",
    Statement(
        place="Appendix H, proof of Theorem 3, Step 3, display",
        lines=(1692, 1697),
        kind="step",
        prints=r"With probability $1 - 2 \delta$, $\mathrm{Reg}_T(\text{Learning}) \le \frac{24 \sigma_T \kappa K d R}{\lambda} \log\left(1 + \frac{T}{K \lambda}\right) + 12 \kappa \sigma_T^2 K d \log\left(1 + \frac{T}{K d \lambda \kappa}\right) + 4 \sqrt 2 e \sigma_T \sqrt{d \log\left(1 + \frac{T}{\lambda d}\right)} R \sqrt{\sum \frac{1}{\kappa_{*,t}}} + 16 e^2 \sigma_T^2 d \log\left(1 + \frac{T}{\lambda d}\right) (4 R + 2 \nu)$",
        reading=r"Whether it contains the three terms of Theorem 1's Step 6 (C164), of which it is a copy. Like these it has $d \log(1 + T/(\lambda d))$, where the proof gives $(K - 1) d \log(1 + \frac{2 T}{(K - 1) d \lambda})$: C154 and C162, each corrected as a rate, and not counted again here.",
    ),
    Correction(
        "misprint",
        Inequality(
            term_with_kappa,
            CONCLUDING,
            SMALL_AND_LARGE,
            examples=({"K": 2, "d": 1, "S": 1.0, "reward": 1.0, "curved": 0.3, "digits": 12.0},),
            share=0.2,
        ),
        Inequality(
            term_with_kappa,
            CONCLUDING,
            SMALL_AND_LARGE,
            share=0.2,
            proof=Exactly(
                terms_contained, "each term of Step 6 is at most its own here, over unknown terms that are not negative"
            ),
            fixed={"power": 1},
        ),
        r"misprint: $12 R \kappa \sigma_T^2 K d \log(\cdot)$; the first term has no counterpart in Step 6 and is smaller, the other constants ($4 \sqrt 2 e$ for $2 e$, $16 e^2 (4 R + 2 \nu)$ for $4 e^2 (2 R + \nu)$) are larger than there",
    ),
    domain=r"the term with $\kappa$: $12 R \kappa \sigma^2 K d \log(1 + T/(K d \lambda \kappa))$ of Step 6 over the two printed here; $(K, d) = (2, 1), (10, 10)$, $S \in [0.05, 10]$, $R \in [0.01, 100]$, $\kappa/K \in [1, 10^9]$, $T \in [10^6, 10^{18}]$; mended: all three terms, whatever $K$, $d$, $S$, $R$, $\nu$, $\kappa$ and $T$",
    planted={"power": 1, "mended_power": 0},
    module=__name__,
)


FIRST_LINE, SECOND_LINE = 530, 31
"""Constants of the last line as mended."""


def level_needed(m: Arithmetic, level: Number, power: int = 0) -> Number:
    r"""The second term over $d \sqrt K R$, K = 2, d = 1, S = 0.1, lambda = 288, at $\log(T/\delta)$, over its power."""
    sigma = sigma_w(m, m.number(2), m.number("0.1"), level)
    inner = level + m.log(m.number(DELTA_W) / 288 + m.exp(-level))
    return 4 * m.sqrt(2) * m.e * sigma * m.sqrt(inner) / level**power / m.sqrt(2)


def display_over_line(
    m: Arithmetic,
    K: int,
    d: int,
    S: Number,
    log_T: Number,
    level: Number,
    curved: Number,
    reward: Number,
    nu: Number,
    star: Number,
    first: int = FIRST_LINE,
    second: int = SECOND_LINE,
) -> Number:
    r"""The mended display over the mended last line; kappa/K, R, nu and the sum of $1/\kappa_{*,t}$ in powers of ten, level = log(1/delta)."""
    size, ridge, kappa, R = K * d, m.number(144 * K * d), K * 10**curved, 10**reward
    both, T = log_T + level, m.exp(log_T)
    sigma, volume = sigma_w(m, m.number(size), S, both), d * m.log1p(T / (ridge * d))
    weight, lead = 4 * R + 2 * 10**nu, R * m.sqrt(10**star)
    terms = 24 * sigma * kappa * size * R / ridge * m.log1p(T / (K * ridge))
    terms = (
        terms
        + 12 * R * kappa * sigma**2 * size * m.log1p(T / (size * ridge * kappa))
        + 16 * m.e**2 * sigma**2 * volume * weight
    )
    terms = terms + 4 * m.sqrt(m.number(2)) * m.e * sigma * m.sqrt(volume) * lead
    root = m.sqrt(both)
    line = first * kappa * (R + 10**nu) * size**2 * both * (root + 12 * S) ** 2
    return terms / (line + second * d * m.sqrt(m.number(K)) * lead * root * (root + 12 * S))


def last_line_contains(first: int = FIRST_LINE, second: int = SECOND_LINE) -> bool:
    r"""Term by term, all logarithms at most $L = \log(T/\delta)$, $l = \sqrt L + 12 S \ge 4/5$, $\sigma = 2 \sqrt{K d}\, l$, $\sqrt{K d} \le K d/\sqrt 2$."""
    more, dim, curved, R, nu, x = unknowns("more", "dim", "curved", "R", "nu", "x")
    K, d, length = 2 + more, 1 + dim, Fraction(4, 5) + x
    kappa, size, e_square = K + curved, K * d, Fraction("7.3891")
    leading = (4 * Fraction("2.7183") * 2) ** 2 * 2 <= second**2
    terms = Fraction(24, 144) * Fraction("1.4143") * kappa * size * R * length
    terms = terms + 48 * R * kappa * size**2 * length**2 + 64 * e_square * size * d * length**2 * (4 * R + 2 * nu)
    return leading and nonnegative(first * kappa * (R + nu) * size**2 * length**2 - terms)


LEVELS_OF_T = (1e2, 1e4, 1e6, 1e8)
LINES = {
    "S": (0.0, 1e16),
    "log_T": (0.6932, 69.0),
    "level": (0.0, 69.0),
    "curved": (0.0, 9.0),
    "reward": (-9.0, 9.0),
    "nu": (-9.0, 9.0),
    "star": (-30.0, 30.0),
}


def lost_logarithms(
    effort: Effort, power: int = 0, mended_first: int = FIRST_LINE, mended_second: int = SECOND_LINE
) -> Finding:
    """Whether one constant does for all log(T/delta)."""
    mended = Inequality(
        display_over_line,
        LINES,
        ({"K": 2, "d": 1}, {"K": 10, "d": 10}),
        share=0.1,
        proof=Exactly(
            last_line_contains,
            r"every logarithm is at most $\log(T/\delta)$ as $1 + T/2 \le T$, and $\sqrt{\log 2} \ge 4/5$",
        ),
    )(effort, first=mended_first, second=mended_second)
    words = r"for $T \ge 2$, with $L = \log(T/\delta)$, $\le 530\, \kappa (R + \nu) K^2 d^2 L (\sqrt L + 12 S)^2 + 31\, R d \sqrt{L} (\sqrt L + 12 S) \sqrt{\sum K/\kappa_{*,t}}$: $\log^2(T/\delta)$ in the first term and $\log(T/\delta)$ in the second, as in Theorem 1, and powers of $S$ from the $24 S$ in $\sigma_T$, of which the printed $C$ is free. $\tilde O$ of Theorem 3 allows for the logarithms only. This is about the display of line 1694 with its $R$ (C185), whose own $\sqrt K$ is Step 4's (C154)"
    printed = universal(partial(level_needed, power=power), LEVELS_OF_T, "log(T/delta)")
    return corrected("rate", printed, mended, words)


C185b = claim(
    "C185b",
    Statement(
        place="Appendix H, proof of Theorem 3, Step 3, last line",
        lines=(1698, 1698),
        kind="step",
        prints=r"$\lesssim C \kappa (R + \nu) K^2 d^2 + C d R \sqrt{\sum_{t \notin T^w} \frac{K}{\kappa_{*,t}}}$",
        reading=r"$C$ universal, as defined in Section 2.",
    ),
    lost_logarithms,
    domain=r"printed: $K = 2$, $d = 1$, $S = 0.1$: $4 \sqrt 2 e \sigma_T \sqrt{d \log(1 + T/(\lambda d))}$ over $d \sqrt K$, $\log(T/\delta) \ge 10^2$; mended: every $K$, $d$, $S$, $R$, $\nu$, $\kappa$, $\kappa_{*,t}$, $\delta$ and $T \ge 2$; searched with $(K, d) = (2, 1), (10, 10)$, $S$ to $10^{16}$, $T$ to $10^{30}$",
    planted={"power": 1, "mended_first": 10, "mended_second": 3},
    module=__name__,
)

PERCENT, EIGHTH = Fraction(1, 100), Fraction(1, 8)

ARMS_OF_SETS = (PERCENT, PERCENT, 98 * PERCENT), (EIGHTH, 6 * EIGHTH, EIGHTH), (41 * PERCENT, 20 * PERCENT, 39 * PERCENT)
"""mu of three arms with rewards (0, 1, 2); the set of round t is the last two."""


def score_outside(largest: bool, factor: int = 2) -> Fraction:
    """Largest score nu rho + rho^2 outside of X_{*,t} minus the best inside over all pairs; nu of X, or `largest` over the pairs."""
    moments = [exact_moments(row) for row in ARMS_OF_SETS]
    pairs = list(combinations(moments, 2))

    def nu_of(arms: list[tuple[Fraction, Fraction]]) -> Fraction:
        means, squares = zip(*arms, strict=True)
        best = max(means)
        return factor * (max(squares) - min(squares)) / min(best - mean for mean in means if mean < best)

    nu = max(nu_of(list(pair)) for pair in pairs) if largest else nu_of(moments)
    gaps = [(min(pair), max(pair)) for pair in pairs]
    return max(nu * (low[0] - high[0]) + low[1] - high[1] for low, high in gaps)


def nu_of_sets(effort: Effort, largest: bool = False, factor: int = 2, mended_factor: int = 2) -> Finding:
    """nu of X on the sets of two arms, and the largest nu of these sets for every set."""
    del effort
    above = score_outside(largest, factor)
    text = "rho = (0, 1, 2), X: mu = (1, 1, 98)/100, (1, 6, 1)/8, (41, 20, 39)/100; X_t: the last two; means 1 > 0.98, maximiser the last"
    evidence = f"in exact arithmetic the score of the worse arm minus that of the better is at most {above}"
    printed = exactly(above < 0, evidence, text)
    mended = exactly(
        optimal_by_score(mended_factor) and score_outside(True, mended_factor) < 0,
        r"with $2 D/g$ of $\mathcal X_t$ for $\nu$ the score of $x_{*,t}$ exceeds that of a worse arm by $D + 2 D e/g + f$, $D, e, f \ge 0$; a larger $\nu$ adds to it, as the gap is positive, and where $D = 0$ the score differs by $\nu$ times the gap",
        text,
    )
    return corrected(
        "condition", printed, mended, r"$\nu = \max_t \nu(\mathcal X_t)$, and $x_{*,t}$ chosen as in Theorem 1's proof"
    )


C186 = claim(
    "C186",
    Statement(
        place="Appendix H, proof of Theorem 3, Step 3; nu with changing sets",
        lines=(1692, 1697),
        kind="step",
        prints=r"We may now follow our proof of Theorem 1 to obtain [...] $(4 R + 2 \nu)$",
        reading=r"The $\nu$ of the display, defined for $\mathcal X$, serves for all $\mathcal X_t$: every maximiser over $\mathcal X_t$ of $(\nu \rho + \rho^2)^\top \mu(\theta_* x)$ is in $\mathcal X_{*,t}$.",
    ),
    nu_of_sets,
    domain=r"$K = 3$, $\rho = (0, 1, 2)$, three arms, $\mathcal X_t$ two of them; mended: every finite family of finite sets with $\nu > 0$",
    planted={"largest": True, "factor": 20, "mended_factor": 1},
    module=__name__,
)
