"""Proof of Theorem 2, Steps 4 and 5: the two terms of the average entropy, bounded by the regret."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import Balls, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import LOOSE
from mnlbandits.ledger.formulas.family import ALL_OUTCOMES, SIZES, loss, mean_exp, shift, star
from mnlbandits.ledger.formulas.family_steps import step_five_below
from mnlbandits.ledger.formulas.softmax import slope


def fourth_step(m: Arithmetic, K: int, cosine: Number, d: int = 2, constant: int = 6) -> Number:
    r"""$\mu' \|x - x_*\|^2$ over `constant` $\sqrt{K+3}$ times the regret of a round over R."""
    left = slope(m, cosine - shift(m, m.number(K))) * (2 - 2 * cosine)
    return left / (constant * m.sqrt(m.number(K + 3)) * loss(m, m.number(K), cosine))


def fourth_reduced(m: Arithmetic, w: Number, gap: Number, constant: int = 6) -> Number:
    """`fourth_step` in w = 1/(K - 1) and gap = 1 - cosine."""
    return 2 * (1 + w * m.e) / (constant * mean_exp(m, gap) * (1 + w * m.exp(1 - gap)))


C083 = claim(
    "C083",
    Statement(
        place="Appendix, proof of Theorem 2, Step 4",
        lines=(1430, 1443),
        kind="step",
        prints=r"$\sum_t \mu'([\tilde M]_1^\top x_t - \ln(K-1)) \|x_t - x_*\|_2^2 \le 6 \frac{\sqrt{K+3}}{R} \mathrm{Reg}_T$",
        reading="For every sequence of arms; the factor that the display before it has in front of the sum is read inside it, see C065b.",
    ),
    Inequality(
        fourth_step,
        {"cosine": (-1.0, 0.9999)},
        (*SIZES, {"K": 4, "d": 2}),
        share=0.5,
        loose=True,
        note=r"the best constant is near $2.19$, at $K = 2$ and $1 - \cos = 0.75$",
        proof=Balls(
            fourth_reduced,
            {**ALL_OUTCOMES, "gap": (0.0, 2.0)},
            bound=LOOSE,
            words=r"so with $3$ for $6$, in $w = 1/(K-1) \in [0, 1]$ and $1 - \cos$, for all $K$, each round alone",
        ),
    ),
    domain=r"one round, all $K \ge 2$ and arms; searched for $K = 2..10^6$",
    planted={"constant": 2},
    module=__name__,
)


def fifth_step(m: Arithmetic, K: int, cosine: Number, d: int = 2, factor: Fraction | int = 1) -> Number:
    r"""$\mu'$ at an arm over $(K+3)/\kappa_*$ plus `factor` $\sqrt{K+3}$ times the regret of a round over R."""
    wide = m.number(K + 3)
    right = wide / star(m, m.number(K)) + factor * m.sqrt(wide) * loss(m, m.number(K), cosine)
    return slope(m, cosine - shift(m, m.number(K))) / right


C084 = claim(
    "C084",
    Statement(
        place="Appendix, proof of Theorem 2, Step 5",
        lines=(1446, 1469),
        kind="step",
        prints=r"$|\mu''| \le \mu'$ and $\sum_t \mu'([\tilde M]_1^\top x_t - \ln(K-1)) \le \frac{T (K+3)}{\kappa_*} + \frac{\sqrt{K+3}}{R} \mathrm{Reg}_T$.",
        reading="The first term is from Step 2; the text names Step 3.",
    ),
    Inequality(
        fifth_step,
        {"cosine": (-1.0, 1.0)},
        SIZES,
        share=0.5,
        loose=True,
        proof=Exactly(
            step_five_below,
            r"the right side exceeds the left by $(b-a)(2+a+b)/((1+a)^2 (1+b)^2)$, $a \le b$ the odds of outcome 1 at $x$ and $x_*$",
        ),
    ),
    domain=r"one round, all $K \ge 2$ and arms, all logits; searched for $K = 2..10^6$",
    planted={"factor": Fraction(1, 10)},
    module=__name__,
)
