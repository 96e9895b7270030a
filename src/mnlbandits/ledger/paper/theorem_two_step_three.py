"""Proof of Theorem 2, Step 3: averaging, and the information of the rounds."""

from fractions import Fraction
from functools import partial

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.family import divergence, member_logits, rise
from mnlbandits.ledger.formulas.family_steps import (
    ANGLES,
    AVERAGING_WORDS,
    EVENT_WORDS,
    FLIP_WORDS,
    PLANE,
    averaging_below,
    chi_square_above,
    outcomes_merge,
)
from mnlbandits.ledger.formulas.softmax import slope, softmax
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
        reading=EVENT_WORDS
        + r" With all entries of the vector in $A_i$ it would be false: for $K = d = 2$, $T = 1$, $x_1 = e_2$ and small $\epsilon$ neither member has the event, and the right side is near $1/2$.",
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


def flips_to_member(row: bool = True) -> bool:
    r"""Whether Flip_i of the member v is that of v with the sign of v_i turned, for all K, d, i and v, entry by entry.

    The entry (k, j) of $\Pi \tilde M$ is weight_k times 1 for j = 1 and times s v_j for j >= 2, over the norm. Flip_i turns
    column i, or row i; in a row the entry j = 1, which is the same for all members, turns as well.
    """
    weight, s, v, others = unknowns("weight", "s", "v", "others")
    first, other = (weight / (1 + others + s**2 * sign**2) for sign in (v, -v))
    turned = [(first * s * v, other * s * (-v))] if not row else [(first, other), (first * s * v, other * s * (-v))]
    return all(-before == after for before, after in turned)


def flipping(effort: Effort, row: bool = True) -> Finding:
    """The flip of row i, or of column i."""
    del effort
    return exactly(
        flips_to_member(row),
        r"over unknown entries: column $i \ge 2$ of $\Pi \tilde M$ is $v_i$ times one vector and $\lVert [M]_1 \rVert$ does not depend on $v$, so that its flip is the member with $-v_i$; in row $i$ the entry of $e_1$, the same for all members and not $0$, would turn its sign as well",
        r"K = 2, d = 2: the rows of a member are +-(1, s v_2)/(2 sqrt(1 + s^2)), and the flip of row 2 makes them equal",
    )


C073b = claim(
    "C073b",
    Statement(
        place=f"{PLACE_THREE}, definition of Flip_i",
        lines=(1361, 1364),
        kind="definition",
        prints=r"$[\mathrm{Flip}_i(\theta)]_i = -[\theta]_i$ and $[\mathrm{Flip}_i(\theta)]_j = [\theta]_j$ for all $j \neq i$",
        reading=r"$[M]_1$ is a row everywhere else in the proof, so $[\theta]_i$ is row $i$; $\mathrm{Flip}_i$ maps $\Pi \tilde{\mathcal M}$ to itself, as the averaging and $[\mathrm{Flip}_i(\tilde M)]_1$ need.",
    ),
    Correction(
        "misprint",
        flipping,
        partial(flipping, row=False),
        r"misprint: column $i$, as $i$ runs over the $d$ coordinates",
    ),
    domain=r"all $K$, $d \ge 2$, $i \ge 2$, $v$ and $\epsilon$, exactly",
    planted={"row": False, "mended_row": True},
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
        reading=r"True of any two instances, so of either reading of $\mathrm{Flip}_i$, C073b.",
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
        reading=r"True of any two laws, so of either reading of $\mathrm{Flip}_i$, C073b.",
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
        reading=FLIP_WORDS + r" KL and $\chi^2$ of the outcomes under two members equal those of the variable 'outcome 1'.",
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
