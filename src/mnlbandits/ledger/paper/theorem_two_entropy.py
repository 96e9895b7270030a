"""Proof of Theorem 2, Step 3: from the information of a round to the average entropy."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.family import SIZES, divergence, member_logits
from mnlbandits.ledger.formulas.family_steps import (
    ANGLES,
    FLIP_WORDS,
    PLANE,
    entropy_below,
    entropy_growth,
    entropy_terms,
    eps_of,
    flip_below,
    flip_size,
    round_entropy_below,
    young_below,
)
from mnlbandits.ledger.formulas.softmax import slope
from mnlbandits.ledger.shared import entropy_without_norm

ENTRIES = {"share": (1e-3, 1.0), "entry": (0.1, 1.0)}
"""eps over the largest eps, and [x]_i."""

TENTH = 5**0.5 / 20
"""eps over the largest eps for eps = 1/10, K = 2, d = 2: there [M]_1 = (2/sqrt 5, 1/10) has norm 9/10."""

FOR_ALL = r"mended: all $K$, $d \ge 2$, $\epsilon$ and arms"


def exponent_kept(root: int, factor: int = 1) -> bool:
    """Whether the flip is at most factor (K + 3)^(root/2) eps."""
    return flip_below(factor**2, root)


def flip_exponent(m: Arithmetic, K: int, d: int, share: Number, entry: Number, factor: int = 1, root: int = 0) -> Number:
    r"""$|D|$ over `factor` $\epsilon$, times $\sqrt{K+3}$ with root 1."""
    return flip_size(m, d, share, entry) / (factor * m.sqrt(m.number(K + 3)) ** root * eps_of(m, K, d, share))


C079 = claim(
    "C079",
    Statement(
        place="Appendix, proof of Theorem 2, Step 3, 'Thus we obtain', second line",
        lines=(1405, 1405),
        kind="step",
        prints=r"$\exp(2 |([\tilde M]_1 - [\mathrm{Flip}_i(\tilde M)]_1)^\top x_t|) \le \exp(2 \epsilon)$",
        reading=FLIP_WORDS,
    ),
    Correction(
        "constant",
        Inequality(
            flip_exponent,
            ENTRIES,
            SIZES,
            examples=({"K": 2, "d": 2, "share": TENTH, "entry": 1.0},),
            note=r"there $\epsilon = 1/10$, $x = e_2$ and $|..| = 2/9$; without the normalisation of $\tilde M$, $|..|$ would be at most $2 \epsilon$",
        ),
        Inequality(
            flip_exponent, ENTRIES, SIZES, fixed={"root": 1}, proof=Exactly(exponent_kept, "over unknown K, d and share")
        ),
        r"$|..| = 2 \epsilon |[x]_i|/\|[M]_1\| \le \sqrt{K+3}\,\epsilon$, so $\exp(2 \sqrt{K+3}\,\epsilon)$; with an $\epsilon$ as in Step 6 or C094 this costs a constant factor only",
    ),
    domain=rf"$K = 2..10^6$; $d = 2..10$; $\epsilon \in (0, 2/\sqrt{{(K+3)(d-1)}}]$, $[x]_i \in [0.1, 1]$; ratio of the exponents; {FOR_ALL}",
    planted={"factor": 10**4, "mended_root": 0},
    module=__name__,
)


def flip_square(m: Arithmetic, K: int, d: int, share: Number, entry: Number, factor: int = 4, root: int = 0) -> Number:
    r"""$D^2$ over `factor` $\epsilon^2 [x]_i^2$, times K + 3 with root 1."""
    scale = m.number(K + 3) ** root * factor * (eps_of(m, K, d, share) * entry) ** 2
    return flip_size(m, d, share, entry) ** 2 / scale


C080 = claim(
    "C080",
    Statement(
        place="Appendix, proof of Theorem 2, Step 3, 'Thus we obtain', third line",
        lines=(1406, 1406),
        kind="step",
        prints=r"$(([\tilde M]_1 - [\mathrm{Flip}_i(\tilde M)]_1)^\top x_t)^2 \le 4 \epsilon^2 [x_t]_i^2$",
        reading=FLIP_WORDS,
    ),
    Correction(
        "rate",
        Inequality(
            flip_square,
            ENTRIES,
            SIZES,
            examples=({"K": 2, "d": 2, "share": TENTH, "entry": 1.0},),
            note=r"there $\epsilon = 1/10$, $x = e_2$ and $(2/9)^2 = 4/81 > 4/100$; that is the value for $M$, but $[\tilde M]_1$ is $[M]_1$ over its norm $\le \sqrt{8/(K+3)}$",
        ),
        Inequality(
            flip_square,
            ENTRIES,
            SIZES,
            fixed={"factor": 1, "root": 1},
            proof=Exactly(flip_below, "over unknown K, d and share"),
        ),
        r"$4 \epsilon^2 [x]_i^2/\|[M]_1\|^2 \le (K+3) \epsilon^2 [x]_i^2$: the information is up to $(K+3)/4$ times the printed one; with $\epsilon^2$ of order $(K+3)^{-3/2} \sqrt{\kappa_*/T}$ the proof goes through and gives $R d \sqrt{T/\kappa_*}$, without $\sqrt K$; the rate for every fixed $K$ stands, see C028 and C094",
    ),
    domain=rf"$K = 2..10^6$; $d = 2..10$; $\epsilon \in (0, 2/\sqrt{{(K+3)(d-1)}}]$, $[x]_i \in [0.1, 1]$; {FOR_ALL}",
    planted={"factor": 10**8, "mended_root": 0},
    module=__name__,
)


def round_entropy(m: Arithmetic, K: int, share: Number, angle: Number, d: int = 2, factor: int = 4, root: int = 0) -> Number:
    r"""KL of a round over $\exp(2 \epsilon)$ `factor` $\epsilon^2 \mu' [x]_i^2$, 0 where $[x]_i$ is small."""
    z, other = member_logits(m, m.number(K), share, angle)
    entry = m.sin(angle)
    if abs(entry) < 1e-3:
        return 0 * entry
    return divergence(m, z, other) / (factor * entropy_growth(m, K, eps_of(m, K, d, share), root) * slope(m, z) * entry**2)


C081 = claim(
    "C081",
    Statement(
        place="Appendix, proof of Theorem 2, Step 3, 'Thus we obtain', result",
        lines=(1402, 1407),
        kind="step",
        prints=r"KL of a round is at most $\exp(2 \epsilon)\,4 \epsilon^2\,\mu'([\tilde M]_1^\top x_t - \ln(K-1)) [x_t]_i^2$.",
        reading=FLIP_WORDS,
    ),
    Correction(
        "rate",
        Inequality(
            round_entropy,
            ANGLES,
            PLANE,
            examples=({"K": 6, "d": 2, "share": 0.01, "angle": 0.1},),
            note=r"KL is about half of $\chi^2$",
            share=0.5,
        ),
        Inequality(
            round_entropy,
            ANGLES,
            PLANE,
            share=0.5,
            fixed={"factor": 1, "root": 1},
            proof=Exactly(round_entropy_below, r"$KL \le \chi^2 \le \mu' D^2 e^{2 |D|}$, and $D$ as in C079 and C080"),
        ),
        r"$(K+3) \epsilon^2$ for $4 \epsilon^2$ and $\sqrt{K+3}\,\epsilon$ for $\epsilon$ in the exponent, from C079 and C080",
    ),
    domain=rf"$K = 2..10^6$, $d = 2$; arms at any angle to $e_1$; {FOR_ALL}",
    planted={"factor": 10**6, "mended_root": 0},
    module=__name__,
)


def young_ratio(m: Arithmetic, K: int, d: int, share: Number, angle: Number, factor: int = 2) -> Number:
    r"""The larger of the two ratios, in the plane of $e_1$ and $v$."""
    eps = eps_of(m, K, d, share)
    rest = (d - 1) * eps**2 / (m.number(4) / (K + 3) + (d - 1) * eps**2)
    square = 2 - 2 * m.cos(angle - m.atan(share))
    return m.maximum(m.sin(angle) ** 2 / (factor * (square + rest)), 4 * rest / ((K + 3) * (d - 1) * eps**2))


C082 = claim(
    "C082",
    Statement(
        place="Appendix, proof of Theorem 2, Step 3, Young's inequality and the last two lines before Eq. (inside 6)",
        lines=(1409, 1427),
        kind="step",
        prints=r"$\sum_{i \ge 2} [x]_i^2 \le 2 \|x - x_*\|^2 + 2 \frac{(d-1) \epsilon^2}{\|[M_0]_1\|^2 + (d-1) \epsilon^2}$ and the last term is at most $\frac{K+3}{2} (d-1) \epsilon^2$.",
        reading=r"The remark after the display names the second to last inequality; $\lVert [M_0]_1 \rVert = 2/\sqrt{K+3}$ serves the last one.",
    ),
    Inequality(young_ratio, ANGLES, SIZES, share=0.5, loose=True, proof=Exactly(young_below, "both over unknowns")),
    domain=r"all $K$, $d$, $\epsilon$ and $x$; searched for $K = 2..10^6$ in the plane of $e_1$ and $v$",
    planted={"factor": 1},
    ours=True,
    module=__name__,
)


def young_display(m: Arithmetic, K: int, share: Number, angle: Number, d: int = 2, factor: int = 8, root: int = 0) -> Number:
    r"""KL of a round over $\exp(2 \epsilon)$ `factor` $\epsilon^2 \mu' ([x_* - x]_2^2 + [x_*]_2^2)$."""
    z, other = member_logits(m, m.number(K), share, angle)
    best = m.sin(m.atan(share))
    inside = slope(m, z) * ((best - m.sin(angle)) ** 2 + best**2)
    return divergence(m, z, other) / (factor * entropy_growth(m, K, eps_of(m, K, d, share), root) * inside)


def young_display_below(factor: int = 2, root: int = 1) -> bool:
    """C081 as mended, and 2 ((b - a)^2 + b^2) - a^2 = (a - 2 b)^2."""
    a, b = unknowns("a", "b")
    return round_entropy_below(Fraction(factor) / 2, root) and 2 * ((b - a) ** 2 + b**2) - a**2 == (a - 2 * b) ** 2


C082c = claim(
    "C082c",
    Statement(
        place="Appendix, proof of Theorem 2, Step 3, display with Young's inequality",
        lines=(1409, 1414),
        kind="step",
        prints=r"$KL(P_{\tilde\theta}, P_{\mathrm{Flip}_i(\tilde\theta)}) \le 8 \exp(2 \epsilon) \epsilon^2 E_{\tilde\theta}\left[\sum_t \mu'([\tilde M]_1^\top x_t - \ln(K-1)) \left([x_* - x_t]_i^2 + [x_*]_i^2\right)\right]$",
        reading=FLIP_WORDS + " Young's inequality itself is C082.",
    ),
    entropy_without_norm(
        young_display,
        {"K": 6, "d": 2, "share": 0.01, "angle": 0.02},
        Exactly(young_display_below, r"C081 mended, and $2 ((b - a)^2 + b^2) - a^2 = (a - 2 b)^2$"),
    ),
    domain=rf"$K = 2..10^6$, $d = 2$; algorithms that play one arm; {FOR_ALL}, every algorithm",
    planted={"factor": 10**6, "mended_root": 0},
    module=__name__,
)


def sixth(m: Arithmetic, K: int, share: Number, angle: Number, d: int = 2, factor: int = 8, root: int = 0) -> Number:
    """KL of a round over the right side of Eq. (inside 6)."""
    entropy, prime, square, last = entropy_terms(m, K, share, angle)
    return entropy / (factor * entropy_growth(m, K, eps_of(m, K, d, share), root) * prime * (square + last))


C082b = claim(
    "C082b",
    Statement(
        place="Appendix, proof of Theorem 2, Step 3, Eq. (inside 6)",
        lines=(1415, 1425),
        kind="equation",
        prints=r"$\sum_{i=2}^d KL(P_{\tilde\theta}, P_{\mathrm{Flip}_i(\tilde\theta)}) \le 8 \exp(2 \epsilon) \epsilon^2 E_{\tilde\theta}\left[\sum_t \mu'([\tilde M]_1^\top x_t - \ln(K-1)) \left(\|x_t - x_*\|^2 + \frac{K+3}{4} (d-1) \epsilon^2\right)\right]$",
        reading=FLIP_WORDS,
        labels=("eq:inside proof lower bound 6",),
    ),
    entropy_without_norm(
        sixth,
        {"K": 6, "d": 2, "share": 0.01, "angle": 0.02},
        Exactly(entropy_below, "C081 mended, summed over i, with C082"),
    ),
    domain=rf"$K = 2..10^6$, $d = 2$; algorithms that play one arm; {FOR_ALL}, every algorithm",
    planted={"factor": 10**6, "mended_root": 0},
    module=__name__,
)
