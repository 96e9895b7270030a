"""Appendix B.1: the lemma that bounds kappa, and the proof of its right side."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, not_testable
from mnlbandits.ledger.formulas.constants import kappa_at_most
from mnlbandits.ledger.formulas.frameworks import law_of
from mnlbandits.ledger.formulas.softmax import binary_curvature, curvature, softmax
from mnlbandits.ledger.formulas.vectors import variance
from mnlbandits.ledger.search import Effort, column, vectors_box

LEMMA_SIZES = tuple({"K": K} for K in (2, 4, 6, 8, 16))
"""Even K at which the lemma is searched."""


def halves(m: Arithmetic, K: int, size: Number) -> list[Number]:
    """mu(z) for z = -size in the first half of the outcomes and size in the second."""
    return softmax(m, [-size] * (K // 2) + [size] * (K // 2))


# The lemma


def even_bound(m: Arithmetic, K: int, r: Number, rate: int = 2) -> Number:
    """K/4 + K/4 exp(2 S X), r = S X, of the lemma."""
    return K * (1 + m.exp(rate * r)) / 4


def even_bound_printed(m: Arithmetic, K: int, r: Number, rate: int = 2) -> Number:
    """The printed bound over an upper bound of kappa, r = S X: 1 + cosh(sqrt(2) r) at K = 2, 1 + (K - 1) exp(sqrt(2) r) else."""
    return even_bound(m, K, r, rate) / (1 / binary_curvature(m, r) if K == 2 else kappa_at_most(m, K, r))


def even_bound_mended(m: Arithmetic, K: int, size: Number, factor: int = 1) -> Number:
    """The bound, size = SX of the rows, times the Rayleigh quotient of grad mu(+-size) at e_1 - e_2, which is at least 1/kappa."""
    return factor * even_bound(m, K, size) * variance(halves(m, K, size), [1, -1] + [0] * (K - 2)) / 2


def even_bound_exactly(factor: int = 1) -> bool:
    """That ratio, with exp(2 size) = 1 + s, is factor/2 for every even K >= 4 and factor (1 + s)/(2 + s) at K = 2: at most 1."""
    K, s = unknowns("K", "s")
    q = 1 + s
    low = 1 / (K / 2 + K / 2 * q)
    from_four = factor * K * (1 + q) / 4 * variance([low, low], [1, -1]) / 2
    at_two = factor * 2 * (1 + q) / 4 * variance(law_of([1, q]), [1, -1]) / 2
    return at_two == factor * q / (1 + q) and nonnegative(1 - from_four) and nonnegative(1 - at_two)


EVEN_MENDED = Inequality(
    even_bound_mended,
    {"size": (0.001, 12.0)},
    LEMMA_SIZES,
    proof=Exactly(
        even_bound_exactly,
        r"at logits $\pm l$ in halves, $l = SX$ of the rows, the Rayleigh quotient at $e_1 - e_2 \perp 1$ times the bound is $1/2$ for $K \ge 4$, $q/(1 + q) < 1$ for $K = 2$, $q = e^{2l}$",
    ),
)


C034 = claim(
    "C034",
    Statement(
        place="Appendix B.1, lemma (left)",
        lines=(636, 641),
        kind="lemma",
        prints=r"$\frac{K}{4} + \frac{K}{4} e^{2SX} \le \kappa$, for $\kappa$ as defined in Eq. (1).",
        hypotheses=r"$K$ even, $\mathcal X = \{x \in \mathbb R^d : \lVert x \rVert \le X\}$.",
        reading=r"$\lVert \theta \rVert_2$ of Eq. (1) is the Frobenius or the spectral norm, which give the same $\kappa$ (C008); the largest norm of a row, which the proof uses, is the third reading, and in it the lemma is true.",
        labels=("appendix:bounds on constants kappa", "appendix:bounding kappa"),
    ),
    Correction(
        "rate",
        Inequality(
            even_bound_printed,
            {"r": (0.01, 12.0)},
            LEMMA_SIZES,
            examples=({"K": 2, "r": 1.0},),
            note=r"$S = 1$, $X = 1$, $d = 1$; $\kappa \le 1 + (K - 1) e^{\sqrt 2 SX}$ as logits differ by at most $\sqrt 2 SX$, and $\kappa = 1 + \cosh(\sqrt 2 SX)$ at $K = 2$: 3.178 against 4.195",
        ),
        EVEN_MENDED,
        r"true as printed if every row has norm $\le S$; for $\lVert\theta\rVert_F \le S$ (or spectral, C008) with $S/\sqrt K$ for $S$, the norm of the proof's rows then; there $\kappa$ grows like $e^{\sqrt 2 SX}$ (C021), a power $1/\sqrt 2$ of the printed bound, as in C022",
    ),
    domain=r"every even $K$ and every $SX > 0$; searched at $K = 2, 4, 6, 8, 16$, $SX \in [0.01, 12]$.",
    planted={"rate": 1, "mended_factor": 3},
    module=__name__,
)


def earlier_bounds(effort: Effort, own_lemma: bool = False) -> Finding:
    """What others prove is not looked at; that the bounds of Eq. (3) are within a constant of each other, is."""
    if own_lemma:
        return EVEN_MENDED(effort)
    return not_testable(
        r"the bounds of earlier work are not in this paper, and are stated for another $\kappa$; of the lemma itself see C020 and C034"
    )


C034b = claim(
    "C034b",
    Statement(
        place="Appendix B.1, first paragraph",
        lines=(634, 634),
        kind="text",
        prints=r"In particular, we recover up to constant factors the bounds proved by Amani and Thrampoulidis for earlier definitions of $\kappa$.",
    ),
    earlier_bounds,
    domain="none: the reason is an argument",
    planted={"own_lemma": True},
    unproved="no verdict: it compares with a text that is not part of the paper",
    module=__name__,
)


# Weyl's inequality and the smallest probability


def weyl(m: Arithmetic, K: int, factor: int = 1, **point: Number) -> Number:
    """min_i mu_i over lambda_{K-1}(grad mu(z))."""
    z = column(point, "z")
    return factor * m.minimum(*softmax(m, z)) / curvature(m, z)


def weyl_exactly(factor: int = 1) -> bool:
    """For u with sum 0, c = sum_k mu_k u_k: each term of u^T grad mu u = sum_k mu_k (u_k - c)^2 is >= min mu (u_k - c)^2.

    The sum of (u_k - c)^2 is that of u_k^2, plus K c^2, as that of -2 c u_k is 0. The least mu is p, mu_k = p + over.
    """
    u, c, p, over, second, K = unknowns("u", "c", "p", "over", "second", "K")
    form = second - c**2 == second - 2 * c * c + c**2
    term = (p + over) * (u - c) ** 2 - p * (u - c) ** 2 == over * (u - c) ** 2
    return form and term and (u - c) ** 2 == u**2 - 2 * c * u + c**2 and nonnegative(second + K * c**2 - factor * second)


C036 = claim(
    "C036",
    Statement(
        place="Appendix B.1, proof, display 1 (Weyl)",
        lines=(645, 647),
        kind="step",
        prints=r"$\lambda_{K-1}(\mathrm{diag}(\mu(z)) - \mu(z)\mu(z)^\top) \ge \lambda_K(\mathrm{diag}(\mu(z))) + \lambda_{K-1}(-\mu(z)\mu(z)^\top) = \min_i \mu(z)_i$.",
        hypotheses=r"$z \in \mathbb R^K$.",
    ),
    Inequality(
        weyl,
        lambda K: vectors_box(z=(K, 6.0)),
        ({"K": 2}, {"K": 3}, {"K": 5}, {"K": 9}),
        note=r"equality if the smallest probability occurs twice, within a factor $K/(K-1)$ always",
        share=0.2,
        proof=Exactly(
            weyl_exactly,
            r"for $u \perp 1$, $u^\top \nabla\mu u = \sum_k \mu_k (u_k - c)^2 \ge \min \mu \sum_k (u_k - c)^2 = \min\mu (\lVert u \rVert^2 + K c^2)$, $c = \mu^\top u$, each step a polynomial identity",
        ),
    ),
    domain=r"every $K$ and $z$; searched at $K = 2, 3, 5, 9$, logits in $[-6, 6]$.",
    planted={"factor": 2},
    module=__name__,
)


def smallest_probability(m: Arithmetic, K: int, r: Number, rate: int = 2, **point: Number) -> Number:
    """exp(-rate r)/K over min_i mu_i at logits r z, |z_k| <= 1, that is the largest of sums of exp(r (z_j - z_k - rate))."""
    z = column(point, "z")
    return m.maximum(*(sum(m.exp(r * (other - own - rate)) for other in z) for own in z)) / K


def spread_of_cube(rate: int = 2) -> bool:
    """z_j - z_k <= rate for z_j = 1 - a, z_k = -1 + b with a, b >= 0: each of the K terms is at most 1; and `weyl_exactly`."""
    a, b = unknowns("a", "b")
    return weyl_exactly() and nonnegative(rate - ((1 - a) - (b - 1)))


C037 = claim(
    "C037",
    Statement(
        place="Appendix B.1, proof, display 2",
        lines=(649, 651),
        kind="step",
        prints=r"$\lambda_{K-1}(\mathrm{diag}(\mu(z)) - \mu(z)\mu(z)^\top) \ge \frac{\exp(-SX)}{K \exp(SX)} = \frac1K \exp(-2SX)$.",
        hypotheses=r"$\lVert \theta \rVert_2 \le S$, $X := \max_{x \in \mathcal X} \lVert x \rVert_2$.",
        reading=r"$z = \theta x$, and used of the hypotheses: $|[\theta x]_k| \le SX$ for every $k$. The step is $\lambda_{K-1} \ge \min_i \mu(z)_i$, C036, whose right side is examined.",
    ),
    Inequality(
        smallest_probability,
        lambda K: {"r": (0.001, 300.0), **vectors_box(z=(K, 1.0))},
        ({"K": 2}, {"K": 3}, {"K": 5}),
        note=r"over $\min_i \mu_i$, which $\lambda_{K-1}$ is at least (C036, proved again here); for $\lVert\theta\rVert_F \le S$, logits differ by at most $\sqrt 2 SX$ and $\min_i \mu_i \ge 1/(1 + (K - 1) e^{\sqrt 2 SX})$",
        proof=Exactly(
            spread_of_cube,
            r"$1/\mu_k = \sum_j e^{z_j - z_k}$, $K$ terms, each at most $e^{2SX}$ as $z_j - z_k \le 2SX$; and $u^\top \nabla\mu\, u \ge \min_i \mu_i \lVert u \rVert^2$ for $u \perp 1$",
        ),
    ),
    domain=r"every $K$ and $SX$; searched at $K = 2, 3, 5$, $SX \in [0.001, 300]$, $|z_k| \le SX$.",
    planted={"rate": 1},
    formal="C037",
    module=__name__,
)
