"""Proof of Theorem 2, Step 3: chi^2 of a round by the mean-value theorem and self-concordance."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.family import divergence, member_logits, rise, shift
from mnlbandits.ledger.formulas.family_steps import (
    ANGLES,
    FLIP_WORDS,
    PLANE,
    chi_square_above,
    mean_value_exact,
    slope_is_concordant,
)
from mnlbandits.ledger.formulas.softmax import sigmoid, slope

PLACE_CHI = "Appendix, proof of Theorem 2, Step 3"


def chi_by_mean_value(m: Arithmetic, K: int, share: Number, angle: Number, d: int = 2, power: int = 2) -> Number:
    r"""Relative difference of $\chi^2$ of a round and its form by the mean value of $\mu'$; 0 for close members."""
    z, other = member_logits(m, m.number(K), share, angle)
    gap = z - other
    if abs(gap) < 1e-3:
        return 0 * gap
    direct = rise(m, z, other) ** 2 * (1 / sigmoid(m, other) + 1 / sigmoid(m, -other))
    mean = m.integral(lambda v: slope(m, other + v * gap))
    return abs(abs(mean * gap) ** power / slope(m, other) / direct - 1)


C076 = claim(
    "C076",
    Statement(
        place=f"{PLACE_CHI}, displays on chi^2 and the mean-value theorem",
        lines=(1383, 1391),
        kind="step",
        prints=r"$D_{\chi^2} = \frac{(\mu(z) - \mu(z'))^2}{\mu'(z')}$ and $\mu(z) - \mu(z') = \int_0^1 \mu'(v z + (1 - v) z')\,dv\,(z - z')$, $z = [\tilde M]_1^\top x_t - \ln(K-1)$ and $z'$ its flip.",
        reading=FLIP_WORDS + r" One round; for the expectation over the rounds in the first display see C076b.",
    ),
    Equality(
        chi_by_mean_value,
        ANGLES,
        PLANE,
        share=0.1,
        rounding=1e-8,
        proof=Exactly(
            mean_value_exact,
            r"$\mu' = \mu (1 - \mu)$ is the derivative of $\mu$, and $\frac1q + \frac1{1-q} = \frac{1}{q (1-q)}$; then the fundamental theorem of calculus",
        ),
    ),
    domain=r"every pair of logits; searched for $K = 2..10^6$, the integral by quadrature with 64 nodes",
    planted={"power": 3},
    module=__name__,
)


def second_round(m: Arithmetic, K: int, share: Number, other_law: bool = True) -> Number:
    r"""KL of two rounds over the printed bound: $e_1$, then $e_2$ after outcome 1 and $e_1$ after any other; d = 2.

    At $e_1$ no member differs from its flip, so that both sides are those of $e_2$ times the chance of outcome 1 in the first
    round: under $\tilde\theta$, and under $\theta = \Pi M$ (`other_law`) on the right.
    """
    length, level = m.sqrt(1 + share**2), shift(m, m.number(K))
    own = sigmoid(m, 1 / length - level)
    taken = sigmoid(m, 1 / m.sqrt(m.number(K + 3)) - level) if other_law else own
    z, flipped = (sign * share / length - level for sign in (1, -1))
    return own * divergence(m, z, flipped) * slope(m, flipped) / (taken * rise(m, z, flipped) ** 2)


def own_law(other_law: bool) -> bool:
    """KL <= chi^2 under the law that both expectations are of."""
    return not other_law and chi_square_above()


SECOND_ROUND = {"share": (1e-2, 0.3)}

C076b = claim(
    "C076b",
    Statement(
        place=f"{PLACE_CHI}, display with the chi^2 of Bernoulli variables",
        lines=(1383, 1386),
        kind="step",
        prints=r"$KL(P_{\tilde\theta}, P_{\mathrm{Flip}_i(\tilde\theta)}) \le E_\theta\left[\sum_t \frac{(\mu(z_t) - \mu(z'_t))^2}{\mu'(z'_t)}\right]$, $z_t = [\tilde M]_1^\top x_t - \ln(K-1)$ and $z'_t$ its flip.",
        reading=FLIP_WORDS
        + r" $\theta = \Pi M$, $M = \gamma^{-1}(\tilde M)$, as Step 1 defines it; the displays before and after have $E_{\tilde\theta}$.",
    ),
    Correction(
        "misprint",
        Inequality(
            second_round,
            SECOND_ROUND,
            ({"K": 50},),
            examples=({"K": 50, "share": 0.1},),
            note=r"$d = 2$: $x_1 = e_1$, $x_2 = e_2$ after outcome $1$, else $e_1$, and $e_1$ from then on, which adds nothing to either side, so for every $T \ge 2$; outcome $1$ has the chance $e/(e + 49)$ under $\tilde\theta$ for small $\epsilon$, and $e^{1/\sqrt{53}}/(e^{1/\sqrt{53}} + 49)$ under $\theta$, a quotient near $2.3 > 2$, and KL is about half of $\chi^2$",
        ),
        Inequality(
            second_round,
            SECOND_ROUND,
            tuple({"K": K} for K in (2, 3, 50, 10**6)),
            fixed={"other_law": False},
            loose=True,
            proof=Exactly(
                own_law,
                r"$KL \le \chi^2$ in every round, whatever the history (C074b), and the rounds add up (C074)",
            ),
        ),
        r"misprint: $E_{\tilde\theta}$ for $E_\theta$",
    ),
    domain=r"printed: $K = 50$, $d = 2$, all $T \ge 2$, this algorithm; corrected: every algorithm, $K$, $d$ and $T$; searched with this algorithm for $K = 2, 3, 50, 10^6$",
    planted={"other_law": False, "mended_other_law": True},
    module=__name__,
)


def mean_over_end(m: Arithmetic, end: Number, gap: Number, side: int = 1, factor: Fraction | int = 1) -> Number:
    r"""The mean of $\mu'$ over $\mu'(z') \exp(|z - z'|)$."""
    return rise(m, end + gap, end) / gap / (slope(m, end) * m.exp(factor * abs(gap)))


C077 = claim(
    "C077",
    Statement(
        place=f"{PLACE_CHI}, self-concordance, both displays",
        lines=(1392, 1399),
        kind="lemma",
        prints=r"$\int_0^1 \mu'(v z + (1 - v) z')\,dv \le \mu'(z') \exp(|z - z'|)$, and the same with $\mu'(z)$.",
    ),
    Inequality(
        mean_over_end,
        lambda side: {"end": (-30.0, 30.0), "gap": (-60.0, -1e-6) if side < 0 else (1e-6, 60.0)},
        ({"side": -1}, {"side": 1}),
        note=r"true with $(e^D - 1)/D$ for $e^D$, $D = |z - z'|$: half the exponent for small $D$",
        loose=True,
        proof=Exactly(
            slope_is_concordant,
            r"$\mu'(z' + s) \le \mu'(z') e^{|s|}$ under the integral; the two displays are the same by symmetry",
        ),
    ),
    domain=r"all logits; searched in $z' \in [-30, 30]$, $z - z' \in [-60, 60]$",
    planted={"factor": Fraction(1, 2)},
    formal="C077",
    module=__name__,
)


def chi_over_slope(m: Arithmetic, K: int, share: Number, angle: Number, d: int = 2, part: Number = Fraction(1, 2)) -> Number:
    r"""$\chi^2$ of a round over $\mu'$ at a `part` of the logit times $D^2 \exp(2 |D|)$, 0 where D is 0."""
    z, other = member_logits(m, m.number(K), share, angle)
    if z == other:
        return 0 * z
    level = shift(m, m.number(K))
    right = slope(m, (z + level) * m.number(part) - level) * (z - other) ** 2 * m.exp(2 * abs(z - other))
    return rise(m, z, other) ** 2 / slope(m, other) / right


def whole_logit(part: int) -> bool:
    """Whether the logit is whole, and the two bounds on the mean slope hold."""
    return part == 1 and slope_is_concordant() and mean_value_exact()


C078 = claim(
    "C078",
    Statement(
        place=f"{PLACE_CHI}, 'Thus we obtain', first line",
        lines=(1404, 1404),
        kind="step",
        prints=r"$\chi^2$ of a round is at most $\mu'([\tilde M]_1^\top x_t/2 - \ln(K-1)) D^2 \exp(2 |D|)$, $D = ([\tilde M]_1 - [\mathrm{Flip}_i(\tilde M)]_1)^\top x_t$.",
        reading=FLIP_WORDS,
    ),
    Correction(
        "misprint",
        Inequality(chi_over_slope, ANGLES, PLANE, examples=({"K": 10, "d": 2, "share": 0.05, "angle": 0.5},), share=0.5),
        Inequality(
            chi_over_slope,
            ANGLES,
            PLANE,
            share=0.5,
            fixed={"part": 1},
            proof=Exactly(whole_logit, "the two displays of C077, one for each factor of the square"),
        ),
        "misprint: no division by 2, as in the next line",
    ),
    domain=r"$K = 2..10^6$; two members, an arm at any angle to $e_1$; mended: all $K$ and arms",
    planted={"part": 1, "mended_part": Fraction(1, 2)},
    module=__name__,
)
