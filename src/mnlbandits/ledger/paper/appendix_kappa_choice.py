"""Appendix B.1: the proof of the lower bound on kappa, by the Schur-Horn theorem and a choice of theta."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of, corrected, exactly
from mnlbandits.ledger.formulas.softmax import curvature, jacobian_of, softmax
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, Effort, Point, column, vectors_box

EVEN_SIZES = tuple({"K": K} for K in (2, 4, 6, 8, 16))
"""Even K at which the proof is examined."""


def schur_horn(m: Arithmetic, K: int, entries: int = 2, **point: Number) -> Number:
    """lambda_{K-1}(grad mu(z)) over the least sum of two entries of its diagonal."""
    z = column(point, "z")
    diagonal = jacobian_of(m, softmax(m, z)).diagonal().tolist()
    return curvature(m, z) / m.minimum(*(sum(some) for some in combinations(diagonal, entries)), diagonal[0] + diagonal[1])


def schur_horn_exactly(entries: int = 2) -> bool:
    """lambda_{K-1} is at most the Rayleigh quotient at e_i - e_j, (G_ii + G_jj + 2 p_i p_j)/2, and that at most G_ii + G_jj."""
    p, q, rest = unknowns("p", "q", "rest")
    total = p + q + rest
    p, q = p / total, q / total
    diagonal = (p * (1 - p), q * (1 - q))
    return nonnegative(sum(diagonal[:entries]) - (sum(diagonal) + 2 * p * q) / 2)


C038 = claim(
    "C038",
    Statement(
        place="Appendix B.1, proof, display 4 (Schur-Horn)",
        lines=(659, 661),
        kind="step",
        prints=r"$\min_{i \ne j} \nabla\mu(z)_{ii} + \nabla\mu(z)_{jj} \ge \lambda_K(\nabla\mu(z)) + \lambda_{K-1}(\nabla\mu(z)) = \lambda_{K-1}(\nabla\mu(z))$.",
        hypotheses=r"$z \in \mathbb R^K$.",
    ),
    Inequality(
        schur_horn,
        lambda K: vectors_box(z=(K, 6.0)),
        ({"K": 2}, {"K": 3}, {"K": 5}, {"K": 9}),
        note="equality at $K = 2$, where both are the trace",
        share=0.2,
        proof=Exactly(
            schur_horn_exactly,
            r"the Rayleigh quotient at $e_i - e_j \perp 1$ is $(G_{ii} + G_{jj} + 2 p_i p_j)/2$, and $G_{ii} + G_{jj} - 2 p_i p_j = (p_i + p_j)(1 - p_i - p_j) \ge 0$",
        ),
    ),
    domain=r"every $K$ and $z$; searched at $K = 2, 3, 5, 9$, logits in $[-6, 6]$.",
    planted={"entries": 1},
    formal="C038",
    module=__name__,
)


def size_of_choice(m: Arithmetic, K: int, norm: str = "spectral") -> Number:
    """The norm of theta, rank one with rows +-v, over its bound S = ||v||, for x of norm X: spectral = Frobenius, or rows."""
    v = [m.number("0.6"), m.number("0.8")]
    return m.sqrt((K if norm == "spectral" else 1) * dot(v, v))


def rows_both(K: int, first: int) -> list[int]:
    """Rows of theta that are to be equal to row 1, i <= K/2, and opposite to it, i >= first."""
    return [i for i in range(1, K // 2 + 1) if i >= first]


def indices_of_choice(past_half: int, first: int) -> Finding:
    """Whether no row is both equal and opposite to row 1, with i >= past_half K/2 + first for the opposite ones."""
    both = {case["K"]: rows_both(case["K"], past_half * case["K"] // 2 + first) for case in EVEN_SIZES}
    K = next((K for K, rows in both.items() if rows), None)
    return exactly(K is None, "rows counted", K and f"K = {K}: row {both[K][0]} is both equal and opposite to row 1")


def rows_exactly(norm: str = "rows") -> bool:
    """Mended: every row has norm S, whatever K; here of v = (3/5, 4/5)."""
    v = [Fraction(3, 5), Fraction(4, 5)]
    return norm == "rows" and dot(v, v) == 1


def choice_of_theta(effort: Effort, norm: str = "rows", first_opposite: int = 1) -> Finding:
    """Norm and indices, printed and mended; `norm` and `first_opposite` are those of the mended choice."""
    printed = all_of(Inequality(size_of_choice, {}, EVEN_SIZES, examples=({"K": 2},))(effort), indices_of_choice(0, 2))
    sizes = Inequality(
        size_of_choice, {}, EVEN_SIZES, proof=Exactly(rows_exactly, "a row $(0.6, 0.8)$ has norm $1$"), fixed={"norm": norm}
    )
    mended = all_of(sizes(effort), indices_of_choice(1, first_opposite))
    words = (
        r"the largest row norm for $\lVert\theta\rVert$: with $\lVert\theta\rVert_F = S$ the rows have norm $S/\sqrt K$, see C034; "
        r"and, a misprint, $i > K/2$ for $i \ge 2$, which at $K = 4$ would make row 2 both equal and opposite to row 1"
    )
    return corrected("condition", printed, mended, words)


C039 = claim(
    "C039",
    Statement(
        place="Appendix B.1, proof, choice of theta",
        lines=(662, 663),
        kind="step",
        prints=r"$\theta$ with $\lVert\theta\rVert_2 = S$, rows $[\theta]_1 = [\theta]_i$ for $i \le K/2$ and $[\theta]_i = -[\theta]_1$ for all $i \ge 2$; $x = -\frac{[\theta]_1}{S} X$.",
        reading=r"$x \in \mathcal X$ has norm $X$, as in the display that follows: $\lVert [\theta]_1 \rVert = S$.",
    ),
    choice_of_theta,
    domain=r"$K = 2, 4, 6, 8, 16$; rows $\pm v$, $v = (0.6, 0.8)$.",
    planted={"norm": "spectral", "first_opposite": 0},
    module=__name__,
)


def pair_at_halves(m: Arithmetic, K: int, r: Number) -> Number:
    """The least mu_i + mu_j over all theta of row norm S, r = S X: of two logits -r, the others r; over 4/(K (1 + exp(2 r)))."""
    pair = sum(softmax(m, [-r, -r] + [r] * (K - 2))[:2])
    return pair * K * (1 + m.exp(2 * r)) / 4


def pair_exactly() -> bool:
    """The difference is (K - 4)(q - 1) over a positive number, q = exp(2 r) = 1 + s, K = 4 + more."""
    more, s = unknowns("more", "s")
    K, q = 4 + more, 1 + s
    return nonnegative(4 / (K * (1 + q)) - 2 / (2 + (K - 2) * q))


def same_fraction(m: Arithmetic, K: int, r: Number) -> Number:
    """Difference of the first two terms of the display, relative."""
    return abs(2 * m.exp(-r) / (K * (m.exp(-r) + m.exp(r)) / 2) * K * (1 + m.exp(2 * r)) / 4 - 1)


def same_fraction_exactly() -> bool:
    """exp(r) = q cancelled."""
    K, q = unknowns("K", "q")
    return 2 / q / (K / q / 2 + K * q / 2) == 4 / (K * (1 + q**2))


def row_radius_box(K: int) -> Box:
    """S X."""
    return {"r": (0.1, 20.0)}


def pairs_of(sizes: Sequence[Point]) -> Inequality:
    """The first inequality of the display at these K; only for K >= 4 it is proved."""
    return Inequality(
        pair_at_halves,
        row_radius_box,
        sizes,
        examples=tuple({**case, "r": 1.0} for case in sizes if case["K"] == 2),
        note="of two logits $-SX$, the others $SX$",
        proof=Exactly(pair_exactly, r"the difference is a positive multiple of $(K - 4)(e^{2SX} - 1)$"),
    )


MENDED_PAIRS = pairs_of(EVEN_SIZES[1:])
"""What mends the display."""


def pair_of_probabilities(effort: Effort, smallest: int = 4) -> Finding:
    """The display for even K, printed from K = 2 on, mended from `smallest` on."""
    mended = MENDED_PAIRS if smallest == 4 else pairs_of([case for case in EVEN_SIZES if case["K"] >= smallest])
    same = Equality(
        same_fraction, row_radius_box, EVEN_SIZES, proof=Exactly(same_fraction_exactly, "with $e^{SX}$ cancelled")
    )
    words = (
        r"$K \ge 4$: at $K = 2$ the only pair has $\mu_1 + \mu_2 = 1$, but there $\nabla\mu_{11} + \nabla\mu_{22} = 2\mu_1\mu_2 \le 2/(1 + e^{2SX})$ "
        "at the extreme theta gives the lemma all the same, in the largest row norm"
    )
    return corrected("condition", pairs_of(EVEN_SIZES)(effort), All((mended, same))(effort), words)


C040 = claim(
    "C040",
    Statement(
        place="Appendix B.1, proof, last display",
        lines=(664, 667),
        kind="step",
        prints=r"$\frac{4}{K(1 + \exp(2SX))} \ge \frac{2\exp(-SX)}{\frac K2 \exp(-SX) + \frac K2 \exp(SX)} \ge \min_{x} \min_{\lVert\theta\rVert_2 \le S} \min_{i \ne j} \mu(\theta x)_{ii} + \mu(\theta x)_{jj}$.",
        hypotheses="$K$ even.",
        reading=r"$\mu(\theta x)_{ii}$ is $\mu(\theta x)_i$; $\theta$ of largest row norm $\le S$, see C039: $|z_k| \le SX$.",
    ),
    pair_of_probabilities,
    domain=r"every even $K$ and $SX > 0$; searched at $K = 2, 4, 6, 8, 16$, $SX \in [0.1, 20]$.",
    planted={"smallest": 2},
    formal="C040",
    module=__name__,
)


def pair_of_curvatures(m: Arithmetic, K: int, power: int = 1, **point: Number) -> Number:
    """The least sum of two entries of the diagonal of grad mu over the least sum of two probabilities."""
    p = softmax(m, column(point, "z"))
    diagonal = jacobian_of(m, p).diagonal().tolist()
    pairs = list(combinations(range(K), 2))
    return m.minimum(*(diagonal[i] + diagonal[j] for i, j in pairs)) / m.minimum(
        *(p[i] ** power + p[j] ** power for i, j in pairs)
    )


def pair_of_curvatures_exactly(power: int = 1) -> bool:
    """mu_i (1 - mu_i) <= mu_i for every outcome, so for any pair, and for the least; `rest` is the others' weight."""
    own, rest = unknowns("own", "rest")
    p = own / (own + rest)
    return nonnegative(p**power - p * (1 - p))


C040b = claim(
    "C040b",
    Statement(
        place="Appendix B.1, proof, last display, second line",
        lines=(665, 667),
        kind="step",
        prints=r"$\min_{i \ne j} \mu(\theta x)_{ii} + \mu(\theta x)_{jj} \ge \min_{i \ne j} \nabla\mu(\theta x)_{ii} + \nabla\mu(\theta x)_{jj} \ge \min_x \min_{\lVert\theta\rVert_2 \le S} \lambda_{K-1}(\nabla\mu(\theta x)) =: \kappa^{-1}$.",
        hypotheses="$K$ even.",
        reading=r"$\mu(\theta x)_{ii}$ is $\mu(\theta x)_i$. The first inequality; the second is the display on Schur-Horn, C038.",
    ),
    Inequality(
        pair_of_curvatures,
        lambda K: vectors_box(z=(K, 6.0)),
        ({"K": 2}, {"K": 3}, {"K": 5}, {"K": 9}),
        share=0.2,
        proof=Exactly(pair_of_curvatures_exactly, r"$\nabla\mu_{ii} = \mu_i (1 - \mu_i) \le \mu_i$"),
    ),
    domain=r"every $K$ and $z$; searched at $K = 2, 3, 5, 9$, logits in $[-6, 6]$",
    planted={"power": 2},
    module=__name__,
)
