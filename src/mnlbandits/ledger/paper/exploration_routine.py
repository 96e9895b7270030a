"""Section 3.1 after Algorithm 1: self-concordance, for the sake of which Theta is to be small."""

import math
from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.concordance import (
    contrast_of,
    curvature_growth,
    growth_below,
    growth_box,
    range_within,
    third_derivative,
)
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import centred, dot, over, variance
from mnlbandits.ledger.search import column, vectors_box


def third_over_second(m: Arithmetic, K: int, square: int = 6, **point: Number) -> Number:
    """|D^3 f(z)[v, u, u]| over sqrt(square) ||v|| u^T grad mu(z) u."""
    del K
    p, v, u = softmax(m, column(point, "z")), centred(column(point, "v")), contrast_of(point)
    mean_v, mean_u = dot(p, v), dot(p, u)
    third = sum(q * (a - mean_v) * (b - mean_u) ** 2 for q, a, b in zip(p, v, u, strict=True))
    return over(abs(third), m.sqrt(square) * m.sqrt(dot(v, v)) * variance(p, u))


def third_below(square: int = 6) -> bool:
    """The third derivative is a mean of v_k - p^T v times the second, and (v_k - v_j)^2 <= 2 ||v||^2."""
    return third_derivative() and range_within(square)


C096 = claim(
    "C096",
    Statement(
        place="Section 3.1, after Algorithm 1 (Proposition 8 of Sun and Tran-Dinh)",
        lines=(363, 363),
        kind="lemma",
        prints=r"What the citation stands for: $\log\sum\exp$ is generalised self-concordant with $\nu = 2$ and constant $\sqrt 6$: $|D^3 f(z)[v, u, u]| \le \sqrt 6 \|v\|_2 u^\top \nabla\mu(z) u$.",
        reading=r"in the norm $\|\cdot\|_2$",
        labels=("section:exploration routine",),
    ),
    Inequality(
        third_over_second,
        lambda K: vectors_box(z=(K, 8.0), v=(K, 1.0), u=(K, 1.0)),
        cases=({"K": 2}, {"K": 3}, {"K": 4}),
        share=0.2,
        note=r"$\sqrt 2$ is the best constant",
        proof=Exactly(
            third_below,
            r"$D^3 f[v, u, u] = \sum_k p_k (v_k - p^\top v)(u_k - p^\top u)^2$, as rational functions at $K = 4$ (no term has more than three indices), is at most $\max_k |v_k - p^\top v| \le \sqrt 2 \|v\|$ times the second derivative: for every $K$",
        ),
    ),
    domain=r"every $K$, all logits and directions $v$ and $u$ (searched: $K = 2, 3, 4$, logits in $[-8, 8]^K$)",
    planted={"square": 1},
    ours=True,
    module=__name__,
)


def curvature_in_theta(m: Arithmetic, K: int, diameter: Number, square: int = 6, **point: Number) -> Number:
    """`curvature_growth` over exp(sqrt(square) diameter)."""
    return curvature_growth(m, K, diameter, **point) / m.exp(m.sqrt(square) * diameter)


def curvature_over_e(m: Arithmetic, K: int, square: int = 6, **point: Number) -> Number:
    """`curvature_growth` over e at the diameter 1/sqrt(square)."""
    return curvature_growth(m, K, 1 / m.sqrt(m.number(square)), **point) / m.e


GROWTH_PROOF = Exactly(
    growth_below,
    r"$u^\top \nabla\mu(z + e) u \le \max_k (p'_k/p_k) u^\top \nabla\mu(z) u \le \exp(\max e - \min e) u^\top \nabla\mu(z) u$ and $\max e - \min e \le \sqrt 2 \|e\|$, from identities in unknown logits at $K = 4$ (no term has more than three indices): for every $K$",
)

C097 = claim(
    "C097",
    Statement(
        place=r"Section 3.1, display on $\nabla\mu$, first inequality",
        lines=(363, 366),
        kind="equation",
        prints=r"$\nabla\mu(\theta_1 x) \le \exp(\sqrt 6 \operatorname{diam}(\Theta)) \nabla\mu(\theta_2 x)$.",
        quantifiers=r"for all $x \in \mathcal X$ and $\theta_1, \theta_2 \in \Theta$",
        reading=r"$\|(\theta_1 - \theta_2) x\|_2 \le \operatorname{diam}(\Theta)$, Appendix A",
    ),
    Inequality(
        curvature_in_theta,
        growth_box,
        cases=tuple({"K": K, "diameter": r} for K in (2, 3) for r in (0.01, 1 / math.sqrt(6), 1.0, 5.0)),
        share=0.1,
        note=r"the worst factor of a shift of norm $r$ is $\exp(\sqrt 2 r)$, so the ratio tends to 1 as $r$ does to 0",
        proof=GROWTH_PROOF,
    ),
    domain=r"every $K$, all logits, shifts and directions (searched: $K = 2, 3$, logits in $[-8, 8]^K$, shifts of norm $0.01$, $1/\sqrt 6$, 1 and 5)",
    planted={"square": 1},
    module=__name__,
)

UNIT_SHIFT = {"K": 2, "z0": 3.0, "z1": -3.0, "e0": -1.0, "e1": 1.0, "u0": 1.0, "u1": 0.0}
"""z = (3, -3) and theta_1 x = z - (1, -1)/sqrt(2), at distance 1."""

CURVATURE_OVER_E = Inequality(
    curvature_over_e,
    growth_box,
    cases=({"K": 2}, {"K": 3}),
    share=0.2,
    fixed={"square": 6},
    note=r"$\exp(\sqrt 2/\sqrt 6) = 1.78$ suffices",
    proof=GROWTH_PROOF,
)

UNIT_DIAMETER = Inequality(
    curvature_over_e,
    growth_box,
    cases=({"K": 2}, {"K": 3}),
    examples=(UNIT_SHIFT,),
    share=0.1,
    note=r"up to $\exp(\sqrt 2 \operatorname{diam}) = 4.11$ instead of $e$",
    fixed={"square": 1},
)


def exponent_of_diameter(m: Arithmetic, diameter: Number, square: int = 6) -> Number:
    """exp(sqrt(square) diameter) over e."""
    return m.exp(m.sqrt(square) * diameter) / m.e


def exponent_within_one(square: int = 6) -> bool:
    """square (1/sqrt(6))^2 <= 1."""
    return Fraction(square, 6) <= 1


C097b = claim(
    "C097b",
    Statement(
        place=r"Section 3.1, display on $\nabla\mu$, second inequality",
        lines=(363, 366),
        kind="equation",
        prints=r"$\exp(\sqrt 6 \operatorname{diam}(\Theta)) \nabla\mu(\theta_2 x) \le e \nabla\mu(\theta_2 x)$.",
        hypotheses=r"$\operatorname{diam}(\Theta) \le 1$, two lines above: the goal of Algorithm 1",
        quantifiers=r"for all $x \in \mathcal X$ and $\theta_1, \theta_2 \in \Theta$",
    ),
    Correction(
        "constant",
        Inequality(
            exponent_of_diameter,
            cases=({"diameter": 1.0},),
            note=r"$\exp(\sqrt 6) = 11.6$ for $e$",
            fixed={"square": 6},
        ),
        Inequality(
            exponent_of_diameter,
            {"diameter": (0.0, 0.40824)},
            fixed={"square": 6},
            note=r"equality at $1/\sqrt 6$",
            proof=Exactly(exponent_within_one, r"$\sqrt 6 \operatorname{diam}(\Theta) \le 1$"),
        ),
        r"$\operatorname{diam}(\Theta) \le 1/\sqrt 6$, which Lemma 1 states; see C098",
    ),
    domain=r"printed: $\operatorname{diam}(\Theta) = 1$; corrected: every diameter up to $1/\sqrt 6$",
    planted={"square": 1, "mended_square": 12},
    module=__name__,
)

C098 = claim(
    "C098",
    Statement(
        place="Section 3.1, text before the display; proof of Theorem 1, first display",
        lines=(363, 366),
        kind="text",
        prints=r"The goal [...] is to produce a confidence set $\Theta$ such that $\theta_* \in \Theta$ with high probability and $\operatorname{diam}(\Theta) \le 1$. This enables us to leverage the self-concordance property [...]. Consequently, for all $x \in \mathcal X$, we have w.h.p. $\nabla\mu(\theta_1 x) \le e \nabla\mu(\theta_2 x)$.",
        reading=r"the same diameter stands at the head of the proof of Theorem 1 (line 952), whose steps use $e$",
    ),
    Correction(
        "constant",
        UNIT_DIAMETER,
        CURVATURE_OVER_E,
        r"$\operatorname{diam}(\Theta) \le 1/\sqrt 6$, which Lemma 1 states. With the diameter of Lemma 1 nothing in Theorem 1 changes",
    ),
    domain=r"every $K$, all logits, shifts of at most the given norm and directions (searched: $K = 2, 3$, logits in $[-8, 8]^K$, that norm)",
    planted={"square": 6, "mended_square": 1},
    module=__name__,
)
