"""Proof of Theorem 2, Step 6: the choice of epsilon and the last two displays."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.family import SIZES
from mnlbandits.ledger.formulas.family_steps import (
    FREE,
    HORIZONS,
    bracket_of_step_six,
    chosen_eps,
    exponent_below,
    factor_of_step_six,
    last_bracket,
)

CHOICE = "Appendix, proof of Theorem 2, Step 6, display with c"
LAST_DISPLAY = "Appendix, proof of Theorem 2, Step 6, last display"


def prefactor(m: Arithmetic, K: int, d: int, surplus: Number, c: Number, constant: int = 64) -> Number:
    r"""Relative difference of the factor and $c d \sqrt{K+3}\,q$ over a constant."""
    q, wide = d * m.exp(surplus), m.number(K + 3)
    left = wide * m.sqrt(wide) * q**2 * chosen_eps(m, K, q, c) ** 2 / 64 * d / 2
    return abs(left / (c * d * m.sqrt(wide) * q / constant) - 1)


SMALL_CHOICE = ({"K": 2, "d": 2, "surplus": 0.0, "c": 0.01},)

C089 = claim(
    "C089",
    Statement(
        place=CHOICE,
        lines=(1513, 1518),
        kind="step",
        prints=r"$\frac{R (K+3)^{3/2} T \epsilon^2}{64 \kappa_*} \frac d2 = \frac{c R d \sqrt{(K+3) T}}{64 \sqrt{\kappa_*}}$",
        hypotheses=r"$\epsilon^2 = c (K+3)^{-1} \sqrt{\kappa_*/T}$",
    ),
    Correction(
        "constant",
        Equality(prefactor, FREE, SIZES, examples=SMALL_CHOICE),
        Equality(
            prefactor,
            FREE,
            SIZES,
            share=0.5,
            fixed={"constant": 128},
            proof=Exactly(factor_of_step_six, r"over unknown $\sqrt{K+3}$, $q$, $c$ and $d$"),
        ),
        "a constant: 128 for 64, and 256 with the factor 2 of C087 as well, so the constant of C092 is divided by 2 or, with both, by 4; no rate changes",
    ),
    domain=r"$K = 2..10^6$, $d = 2..10$, $\ln(\sqrt{T/\kappa_*}/d) \in [0, 20]$, $c \in [10^{-4}, 0.02]$; mended: all",
    planted={"constant": 128, "mended_constant": 64},
    formal="C089",
    module=__name__,
)


def last_term(m: Arithmetic, K: int, d: int, surplus: Number, c: Number, power: int = 1) -> Number:
    r"""Relative difference of the bracket and $6 c + c^2/4 + c^2/4\,d q^{power}$."""
    q = d * m.exp(surplus)
    return abs((6 * c + c**2 / 4 + c**2 / 4 * d * q**power) / last_bracket(K, d, q, chosen_eps(m, K, q, c)) - 1)


C090 = claim(
    "C090",
    Statement(
        place=CHOICE,
        lines=(1513, 1518),
        kind="step",
        prints=r"The bracket is $6 c + \frac14 c^2 + \frac14 c^2 d \sqrt{T/\kappa_*}$.",
        hypotheses=r"$\epsilon^2 = c (K+3)^{-1} \sqrt{\kappa_*/T}$",
    ),
    Correction(
        "misprint",
        Equality(last_term, FREE, SIZES, examples=SMALL_CHOICE),
        Equality(
            last_term,
            FREE,
            SIZES,
            share=0.5,
            fixed={"power": -1},
            proof=Exactly(bracket_of_step_six, r"over unknown $q$, $c$ and $d$"),
        ),
        r"misprint: $d \sqrt{\kappa_*/T}$, which $T \ge d^2 \kappa_*$ bounds by $1$, as the next display does. The printed bracket is the larger one, so that the display is true wherever the mended one is, and says nothing from $d \sqrt{T/\kappa_*} = 2600$ on; the next display, which is what counts, has $\frac14 c^2$, so that nothing follows from the slip",
    ),
    domain=r"$K = 2..10^6$, $d = 2..10$, $\ln(\sqrt{T/\kappa_*}/d) \in [0, 20]$, $c \in [10^{-4}, 0.02]$; mended: all",
    planted={"power": -1, "mended_power": 1},
    formal="C090",
    module=__name__,
)


def last_exponent(m: Arithmetic, K: int, d: int, surplus: Number, factor: int = 2) -> Number:
    """Ratio of the exponents."""
    return factor / m.sqrt(m.number(K + 3)) / m.sqrt(d * m.exp(surplus))


C091 = claim(
    "C091",
    Statement(
        place=LAST_DISPLAY,
        lines=(1519, 1522),
        kind="step",
        prints=r"$\exp(2 \sqrt c (K+3)^{-1/2} [\kappa_*/T]^{1/4}) \le \exp(\sqrt c)$",
        hypotheses=r"$T \ge d^2 \kappa_*$",
    ),
    Inequality(
        last_exponent,
        HORIZONS,
        SIZES,
        note=r"with $\exp(2 \sqrt{K+3}\,\epsilon)$ for $\exp(2 \epsilon)$, C079, it is $\exp(\sqrt{2 c})$ instead",
        share=0.5,
        loose=True,
        proof=Exactly(exponent_below, r"$2^2 \le (K+3) q$ as $K \ge 2$ and $q \ge d \ge 2$"),
    ),
    domain=r"all $K, d \ge 2$, $T \ge d^2 \kappa_*$; ratio of the exponents",
    planted={"factor": 4},
    formal="C091",
    module=__name__,
)


HUNDREDTH = ({"c": Fraction(1, 100)},)


def final_constant(m: Arithmetic, c: Fraction, constant: int = 25000, outer: int = 64) -> Number:
    """1/constant over the left side."""
    number = m.number(c)
    return outer / (constant * number * (1 - m.sqrt(8 * m.exp(m.sqrt(number)) * (6 * number + number**2 / 2))))


C092 = claim(
    "C092",
    Statement(
        place=LAST_DISPLAY,
        lines=(1519, 1522),
        kind="step",
        prints=r"$\frac{c}{64} \left[1 - \sqrt{8 \exp(\sqrt c)} \left[6 c + \frac14 c^2 + \frac14 c^2\right]^{1/2}\right] \ge \frac{1}{25000}$",
        hypotheses=r"$c = 0.01$",
    ),
    Inequality(
        final_constant,
        cases=HUNDREDTH,
        note="with 256 for 64 (C087, C089) the left side is a quarter",
        loose=True,
        proof=Balls(final_constant, {}, HUNDREDTH, words="one number"),
    ),
    domain="the number",
    planted={"constant": 20000},
    formal="C092",
    module=__name__,
)
