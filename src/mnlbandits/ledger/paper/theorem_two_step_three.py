"""Proof of Theorem 2, Step 3: averaging, and the information of a round."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.family import divergence, family_signs, member_logits, rise, shift
from mnlbandits.ledger.formulas.family_steps import (
    ANGLES,
    AVERAGING_WORDS,
    PLANE,
    averaging_below,
    chi_square_above,
    mean_value_exact,
    outcomes_merge,
    slope_is_concordant,
)
from mnlbandits.ledger.formulas.softmax import sigmoid, slope, softmax
from mnlbandits.ledger.formulas.trees import TREES, chain_rule, tree_at, tree_box
from mnlbandits.ledger.search import Effort

PLACE_THREE = "Appendix, proof of Theorem 2, Step 3"


def printed_lemma(base: Fraction = Fraction(1, 4)) -> bool:
    """Whether the constants of the lemma follow."""
    return averaging_below(base, Fraction(1, 4))


def events_below(m: Arithmetic, K: int, d: int, base: Fraction = Fraction(1, 4), **point: Number) -> Number:
    r"""The bound of Eq. (inside 8) over the average of $\sum_i P(A_i)$."""
    tree = tree_at(m, K, d, **point)
    return (d * m.number(base) - m.sqrt(d * m.maximum(tree.steps, 0)) / 2) / tree.events


C073 = claim(
    "C073",
    Statement(
        place=f"{PLACE_THREE}, Eq. (inside 8) (Abeille et al., Lemma 4)",
        lines=(1357, 1360),
        kind="lemma",
        prints=r"$\frac{1}{|\Xi|} \sum_{\tilde\theta \in \Xi} \sum_{i=2}^d P_{\tilde\theta}(A_i(\theta)) \ge \frac d4 - \frac{\sqrt d}{2} \sqrt{\frac{1}{|\Xi|} \sum_{\tilde\theta \in \Xi} \sum_{i=2}^d KL(P_{\tilde\theta}, P_{\mathrm{Flip}_i(\tilde\theta)})}$",
        labels=("eq:inside proof lower bound 8",),
    ),
    Inequality(
        events_below,
        tree_box,
        TREES,
        note=r"sharp for $d = 2$",
        proof=Exactly(printed_lemma, AVERAGING_WORDS),
        share=1 / 6,
        loose=True,
    ),
    domain=r"searched for $K = 2, 3, 10$; $d = 2, 3$; algorithms of $T = 1, 2$ rounds without own randomness (a tree of 1 or 3 arms), all outcomes enumerated; $\epsilon$ over its range; proved for every algorithm, $K$ and $d \ge 2$",
    planted={"base": Fraction(1, 2)},
    module=__name__,
)


def flips_to_member(d: int, K: int, row: bool) -> bool:
    r"""Whether every flip of every member $\Pi \tilde M$ is a member, as matrices over the unknown share, times K and their norm."""
    (s,) = unknowns("s")
    rows = [[1 + 0 * s, *(s * v for v in signs[1:])] for signs in family_signs(d)]
    family = [[[weight * entry for entry in line] for weight in (K - 1, *[-1] * (K - 1))] for line in rows]
    return all(
        [[-x if (k if row else j) == i else x for j, x in enumerate(line)] for k, line in enumerate(matrix)] in family
        for matrix in family
        for i in range(1, d)
    )


def flipping(effort: Effort, row: bool = False) -> Finding:
    """The flip of column i, or of `row` i."""
    del effort
    failed = [f"K = {K}, d = {d}" for K in (2, 3, 5) for d in (2, 3, 4) if not flips_to_member(d, K, row)]
    return exactly(
        not failed,
        r"$\|[M]_1\|$ does not depend on $v$, so the normalisation keeps the other coordinates; over an unknown share, in exact arithmetic",
        next(iter(failed), ""),
    )


C073b = claim(
    "C073b",
    Statement(
        place=f"{PLACE_THREE}, definition of Flip_i",
        lines=(1361, 1364),
        kind="definition",
        prints=r"$[\mathrm{Flip}_i(\theta)]_i = -[\theta]_i$ and $[\mathrm{Flip}_i(\theta)]_j = [\theta]_j$ for all $j \neq i$",
        reading=r"$[\theta]_i$ is column $i \ge 2$; $\mathrm{Flip}_i$ maps $\tilde{\mathcal M}$ to itself.",
    ),
    flipping,
    domain=r"$K = 2, 3, 5$; $d = 2, 3, 4$; all $v$ and $i$, every $\epsilon$",
    planted={"row": True},
    module=__name__,
)


def decomposed(m: Arithmetic, K: int, d: int, factor: int = 1, **point: Number) -> Number:
    r"""Difference of the KL of all rounds and the expected sum of those of the rounds."""
    tree = tree_at(m, K, d, **point)
    return abs(tree.entropy - factor * tree.steps)


C074 = claim(
    "C074",
    Statement(
        place=f"{PLACE_THREE}, Eq. (inside 1), equality",
        lines=(1367, 1370),
        kind="equation",
        prints=r"$KL(P_{\tilde\theta}, P_{\mathrm{Flip}_i(\tilde\theta)}) = E_{\tilde\theta}\left[\sum_{t=1}^T KL(P^{\tilde\theta}_{x_t}, P^{\mathrm{Flip}_i(\tilde\theta)}_{x_t})\right]$",
        labels=("eq:inside proof lower bound 1",),
    ),
    Equality(
        decomposed,
        tree_box,
        TREES,
        share=1 / 6,
        proof=Exactly(
            chain_rule,
            r"after every history a round adds its own KL to the expected log-ratio, then induction on the rounds",
        ),
    ),
    domain=r"every algorithm, $K$ and $T$; searched on the trees of C073",
    planted={"factor": 2},
    module=__name__,
)


def entropy_over_chi(m: Arithmetic, K: int, share: Number, angle: Number, d: int = 2, factor: Fraction | int = 1) -> Number:
    r"""KL of a round over $\chi^2$, 0 where the members' logits are close."""
    z, other = member_logits(m, m.number(K), share, angle)
    if abs(z - other) < 1e-4:
        return 0 * z
    return divergence(m, z, other) / (factor * rise(m, z, other) ** 2 / slope(m, other))


C074b = claim(
    "C074b",
    Statement(
        place=f"{PLACE_THREE}, Eq. (inside 1), inequality",
        lines=(1367, 1370),
        kind="step",
        prints=r"$E_{\tilde\theta}\left[\sum_{t=1}^T KL(P^{\tilde\theta}_{x_t}, P^{\mathrm{Flip}_i(\tilde\theta)}_{x_t})\right] \le E_{\tilde\theta}\left[\sum_{t=1}^T D_{\chi^2}(P^{\tilde\theta}_{x_t}, P^{\mathrm{Flip}_i(\tilde\theta)}_{x_t})\right]$",
    ),
    Inequality(
        entropy_over_chi,
        ANGLES,
        PLANE,
        note=r"for close members KL is half of $\chi^2$",
        share=0.5,
        loose=True,
        proof=Exactly(chi_square_above, r"$\sum p \ln(p/q) \le \sum p (p/q - 1) = \chi^2$, the last over unknown $p$, $q$"),
    ),
    domain=r"one round, every pair of Bernoulli laws; searched for $K = 2..10^6$, an arm at any angle to $e_1$",
    planted={"factor": Fraction(1, 3)},
    module=__name__,
)


def merged(m: Arithmetic, K: int, u: Number, w: Number, others: int = 1) -> Number:
    r"""Differences of KL and $\chi^2$ of all outcomes and of outcome 1 alone, logits u and w of it, the others 0."""
    here, there = (softmax(m, [logit] + [0 * logit] * (K - 1)) for logit in (u, w))
    entropy = sum(p * m.log(p / q) for p, q in zip(here, there, strict=True))
    square = sum((p - q) ** 2 / q for p, q in zip(here, there, strict=True))
    z, other = (logit - m.log(m.number(K) - others) if others < K else logit for logit in (u, w))
    return abs(entropy - divergence(m, z, other)) + abs(square - rise(m, z, other) ** 2 / slope(m, other))


C075 = claim(
    "C075",
    Statement(
        place=f"{PLACE_THREE}, Bernoulli variables",
        lines=(1371, 1381),
        kind="step",
        prints=r"The multinomial variables $P^{\tilde\theta}_{x_t}$ and $P^{\mathrm{Flip}_i(\tilde\theta)}_{x_t}$ can be written as Bernoulli variables.",
        reading=r"KL and $\chi^2$ of the outcomes under two members equal those of the variable 'outcome 1'.",
    ),
    Equality(
        merged,
        {"u": (-1.0, 1.0), "w": (-1.0, 1.0)},
        ({"K": 2}, {"K": 3}, {"K": 10}),
        proof=Exactly(outcomes_merge, r"chances, ratios and $\chi^2$ over unknown $p$, $q$ and $K$"),
    ),
    domain=r"every $K$, every arm; searched for $K = 2, 3, 10$",
    planted={"others": 2},
    module=__name__,
)


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
        place=f"{PLACE_THREE}, displays on chi^2 and the mean-value theorem",
        lines=(1383, 1391),
        kind="step",
        prints=r"$D_{\chi^2} = \frac{(\mu(z) - \mu(z'))^2}{\mu'(z')}$ and $\mu(z) - \mu(z') = \int_0^1 \mu'(v z + (1 - v) z')\,dv\,(z - z')$, $z = [\tilde M]_1^\top x_t - \ln(K-1)$ and $z'$ its flip.",
        reading=r"$E_{\tilde\theta}$ for $E_\theta$, a misprint.",
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


def mean_over_end(m: Arithmetic, end: Number, gap: Number, side: int = 1, factor: Fraction | int = 1) -> Number:
    r"""The mean of $\mu'$ over $\mu'(z') \exp(|z - z'|)$."""
    return rise(m, end + gap, end) / gap / (slope(m, end) * m.exp(factor * abs(gap)))


C077 = claim(
    "C077",
    Statement(
        place=f"{PLACE_THREE}, self-concordance, both displays",
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
        place=f"{PLACE_THREE}, 'Thus we obtain', first line",
        lines=(1404, 1404),
        kind="step",
        prints=r"$\chi^2$ of a round is at most $\mu'([\tilde M]_1^\top x_t/2 - \ln(K-1)) D^2 \exp(2 |D|)$, $D = ([\tilde M]_1 - [\mathrm{Flip}_i(\tilde M)]_1)^\top x_t$.",
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
    planted={"part": 1},
    module=__name__,
)
