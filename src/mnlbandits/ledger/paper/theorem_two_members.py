"""Appendix, proof of Theorem 2, set-up: best arms, the cap on the regret, one kappa_*, and the choice of eps."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Balls, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import LOOSE
from mnlbandits.ledger.formulas.family import (
    SIZES,
    SMALL_SIZES,
    first_row,
    high_reward,
    largest_epsilon,
    member,
    member_star,
    unit_row_exactly,
)
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import dot, scaled
from mnlbandits.ledger.search import column, vectors_box


def best_arm_ratio(m: Arithmetic, K: int, d: int, share: Number, half: Number = Fraction(1, 2), **entries: Number) -> Number:
    """Mean reward of x over that of [M]_1/||[M]_1||, the larger for Pi M, whose other rows are half [M]_1, and Pi M~."""
    row, rho = first_row(m, d, share, [1] * d), high_reward(m, K)
    x, best = scaled(m, column(entries, "x"), 1), scaled(m, row, 1)
    gap = (1 - m.number(half)) * 2 / m.sqrt(m.number(K + 3))
    means = [
        [dot(rho, softmax(m, [scale * dot(direction, arm), *[0] * (K - 1)])) for arm in (x, best)]
        for direction, scale in ((row, gap), (best, 1))
    ]
    return m.maximum(*(mean / top for mean, top in means))


def best_arm_exactly(half: Fraction = Fraction(1, 2)) -> bool:
    """Mean rewards increase in [M]_1^T x, which Cauchy and Schwarz bound by the identity of Lagrange."""
    E, F, w = unknowns("E", "F", "w")
    reward = (2 * E + w) / (E + w) == 1 + E / (E + w)
    increase = F / (F + w) - E / (E + w) == w * (F - E) / ((E + w) * (F + w))
    a, b, x, y = unknowns("a", "b", "x", "y")
    lagrange = (a**2 + b**2) * (x**2 + y**2) - (a * x + b * y) ** 2 == (a * y - b * x) ** 2
    return half < 1 and reward and increase and lagrange


C061 = claim(
    "C061",
    Statement(
        place="Appendix, proof of Theorem 2, after the definitions of M and M~",
        lines=(1206, 1223),
        kind="step",
        prints=r"$x_*(\theta) = [M]_1/\lVert [M]_1 \rVert_2$ for $\theta = \Pi M$, and $\operatorname{argmax}_x \rho^T \mu(M x) = \operatorname{argmax}_x \rho^T \mu(\gamma(M) x)$ over the sphere.",
        reading=r"So the sentence of lines 1209 to 1211, that $\tilde{\mathcal M}$ 'should be regarded as equivalent to $\mathcal M$', is taken: of the same best arms. The laws differ: for $K = d = 2$ and $\epsilon = 0$ the arm $e_1$ has outcome $1$ with probability $0.610$ under $M$ and $0.731$ under $\tilde M$; the proof works with $\tilde{\mathcal M}$.",
    ),
    Inequality(
        best_arm_ratio,
        lambda K, d: {"share": (1e-3, 1.0), **vectors_box(x=(d, 1.0))},
        SMALL_SIZES,
        share=0.25,
        proof=Exactly(
            best_arm_exactly,
            r"the mean reward is $(1 + P(1|x)) R/\sqrt{K+3}$, which increases in $[M]_1^T x/2$ for $M$ and in $[\tilde M]_1^T x$ for $\tilde M$ (exact factors, all $K$), and $[M]_1^T x \le \lVert [M]_1 \rVert$ with equality at $x_*$ (Lagrange's identity in two coordinates at a time)",
        ),
    ),
    domain=r"all $K$, $d$, $\epsilon$, $v$ and unit $x$; searched at $K = 2, 3, 10$, $d = 2, 3$, $v = 1$",
    planted={"half": 2},
    module=__name__,
)


def cap_ratio(m: Arithmetic, K: Number, constant: int = 25000, cap: int = 1) -> Number:
    """The final bound over the cap R d sqrt(K T/kappa_*)."""
    return m.sqrt(1 + 3 / m.number(K)) / (constant * cap)


def cap_reduced(m: Arithmetic, inverse: Number, constant: int = 25000, cap: int = 1) -> Number:
    """The same in 1/K."""
    return m.sqrt(1 + 3 * inverse) / (constant * cap)


C062 = claim(
    "C062",
    Statement(
        place="Appendix, proof of Theorem 2, before Step 1",
        lines=(1225, 1232),
        kind="step",
        prints=r"$Reg_T(\Pi \tilde M) \le R d \sqrt{K T/\kappa_*}$ for all $\tilde M \in \tilde{\mathcal M}$ is without loss of generality, since otherwise the lower bound already holds.",
        reading=r"Else the final bound, $R d \sqrt{(K+3) T/\kappa_*}/25000$, holds for one of them; $Reg_T$ as its expectation, as Step 6 inserts it.",
    ),
    Inequality(
        cap_ratio,
        cases=tuple({"K": K} for K in (2, 3, 10, 10**6)),
        loose=True,
        note=r"$\kappa_*$ is the same for all members (C063), as the argument needs",
        proof=Balls(cap_reduced, {"inverse": (0.0, 0.5)}, bound=LOOSE, words=r"in $1/K \in [0, 1/2]$"),
    ),
    domain=r"all $K$: the final bound over the cap",
    planted={"constant": 1},
    module=__name__,
)


def star_difference(m: Arithmetic, K: int, d: int, share: Number, kind: str = "M-tilde") -> Number:
    """How far kappa_* of the member v = (1, .., 1, -1) at eps = share times the largest is from that of v = 1 at 1/100 of it."""
    here = member_star(m, member(m, K, d, share, [1] * (d - 1) + [-1], kind))
    there = member_star(m, member(m, K, d, m.number(Fraction(1, 100)), [1] * d, kind))
    return abs(here / there - 1)


def star_exactly(kind: str = "M-tilde") -> bool:
    """The logit of outcome 1 over the others at x_* is 1 for all eps and v on M~; on M it is not."""
    return kind == "M-tilde" and unit_row_exactly()


C063 = claim(
    "C063",
    Statement(
        place="Appendix, proof of Theorem 2, Steps 5 and 6 (used, not stated)",
        lines=(1446, 1521),
        kind="step",
        prints=r"$\kappa_*(\tilde\theta)$ stands outside the averages over $\Xi$, and in the choice of $\epsilon$.",
        reading=r"$\kappa_*(\Pi \tilde M)$ is the same for all $v$ and $\epsilon$.",
    ),
    Equality(
        star_difference,
        {"share": (0.01, 1.0)},
        SMALL_SIZES,
        share=0.1,
        note=r"$\mathcal M$ instead of $\tilde{\mathcal M}$ has other values",
        proof=Exactly(
            star_exactly,
            r"$\kappa_*$ depends on $K$ and on $[\tilde M]_1^T x_* = \lVert [\tilde M]_1 \rVert$ only, whose square is $(1 + \sum_{i \ge 2} share^2/(d-1))/(1 + share^2) = 1$, exactly",
        ),
    ),
    domain=r"all $K$, $d$, $v$ and $\epsilon$; searched at $K = 2, 3, 10$, $d = 2, 3$, two $v$",
    planted={"kind": "M"},
    ours=True,
    module=__name__,
)


def choice_ratio(m: Arithmetic, K: Number, d: Number, surplus: Number, c: Number = Fraction(1, 100)) -> Number:
    """eps^2 of Step 6 over the largest eps^2, surplus = ln(sqrt(T/kappa_*)/d)."""
    return m.number(c) / (K + 3) / (d * m.exp(surplus)) / largest_epsilon(m, m.number(K), d) ** 2


def choice_reduced(m: Arithmetic, part: Number, inverse: Number, c: Number = Fraction(1, 100)) -> Number:
    """The same in part = d/sqrt(T/kappa_*) and inverse = 1/d: c (1 - 1/d) part/4."""
    return m.number(c) * (1 - inverse) * part / 4


C060b = claim(
    "C060b",
    Statement(
        place="Appendix, proof of Theorem 2, Step 6, choice of eps",
        lines=(1513, 1513),
        kind="step",
        prints=r"$\epsilon^2 = c (K+3)^{-1} \sqrt{\kappa_*/T}$ with $c = 0.01$.",
        hypotheses=r"$T \ge d^2 \kappa_*$.",
        reading=r"It stays within $(0, 4/((K+3)(d-1))]$, as the set-up assumes.",
    ),
    Inequality(
        choice_ratio,
        {"surplus": (0.0, 20.0)},
        SIZES,
        share=0.5,
        loose=True,
        note=r"the ratio is at most $c (d-1)/(4 d)$; $\epsilon$ depends on $T$, and so do the members, see C029",
        proof=Balls(
            choice_reduced,
            {"part": (0.0, 1.0), "inverse": (0.0, 0.5)},
            bound=LOOSE,
            words=r"in $d \sqrt{\kappa_*/T} \in [0, 1]$ and $1/d \in [0, 1/2]$, for all $K$",
        ),
    ),
    domain=r"all $K$, $d$ and $T \ge d^2 \kappa_*$; searched at $K = 2, \ldots, 10^6$, $d = 2, \ldots, 10$, $\sqrt{T/\kappa_*}/d \in [1, 5 \cdot 10^8]$",
    planted={"c": 10},
    formal="C060b",
    module=__name__,
)
