"""Section 2, problem-dependent constants: the right side of Eq. (3), and how large kappa is."""

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Identities, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding, all_of
from mnlbandits.ledger.formulas.constants import binary_kappa_at, kappa_at_least, kappa_at_most, low_pair_reached
from mnlbandits.ledger.formulas.frameworks import law_of
from mnlbandits.ledger.formulas.softmax import curvature, softmax
from mnlbandits.ledger.formulas.vectors import variance
from mnlbandits.ledger.search import Effort

SIZES_BOUNDS = [{"K": K} for K in range(2, 7)]

# Eq. (3), right


def right_side(m: Arithmetic, K: int, r: Number, rate: int = 2) -> Number:
    """The inverse of the right side of Eq. (3), with 2 exp(-rate S X) in its numerator."""
    return (2 * m.exp(-r) + (K - 2) * m.exp(r)) / (2 * m.exp(-rate * r))


def repaired_against_kappa(m: Arithmetic, K: int, r: Number) -> Number:
    r"""That with $2\exp(-SX)$ in the numerator over $1 + (K - 1)e^{\sqrt{2}SX}$, which $\kappa$ of Eq. (1) is at most."""
    return right_side(m, K, r, 1) / kappa_at_most(m, K, r)


def numerator_alone() -> bool:
    """At K = 3, S X = 3 that exceeds 1."""
    return repaired_against_kappa(BALLS, 3, BALLS.number(3)) > 1


def right_against_left(m: Arithmetic, K: int, r: Number, rate: int = 2) -> Number:
    r"""That over $K e^{2SX}$, which is at least $\kappa$ (C020)."""
    return right_side(m, K, r, rate) / (K * m.exp(2 * r))


def two_low_in_rows(m: Arithmetic, K: int, size: Number, rate: int = 1) -> Number:
    r"""The mended bound times the Rayleigh quotient $\mu_1$ of $e_1 - e_2$ at logits $-l, -l, l, \dots, l$, l = SX of the rows."""
    return right_side(m, K, size, rate) * variance(softmax(m, [-size] * 2 + [size] * (K - 2)), [1, -1] + [0] * (K - 2)) / 2


def two_low_exactly(rate: int = 1) -> bool:
    """For every K: the quotient mu_1 = 1/(2 + (K - 2) q^2), q = exp(l), times the bound `right_side` in q is 1/2."""
    q, K = unknowns("q", "K")
    low = 1 / (2 + (K - 2) * q**2)
    quotient = variance([low, low], [1, -1]) / 2
    return quotient * (2 / q + (K - 2) * q) / (2 / q**rate) == low / low / 2


def low_pair_bound(m: Arithmetic, K: int, r: Number, factor: int = 1) -> Number:
    r"""$(K - 1)/K\, (1 + (K - 2) e^{r/\sqrt{2}} + e^{\sqrt{2} r})$, in the Frobenius norm, r = SX."""
    return factor * m.number(K - 1) / K * (1 + (K - 2) * m.exp(r / m.sqrt(2)) + m.exp(m.sqrt(2) * r))


def low_pair_against(m: Arithmetic, K: int, r: Number, factor: int = 1) -> Number:
    r"""That over a value that $\kappa$ reaches."""
    return low_pair_bound(m, K, r, factor) / kappa_at_least(m, K, r)


IN_ROWS = Inequality(
    two_low_in_rows,
    {"size": (0.01, 12.0)},
    SIZES_BOUNDS,
    proof=Exactly(
        two_low_exactly,
        r"rows: at logits $-l, -l, l, \dots, l$, $l = SX$, the Rayleigh quotient at $e_1 - e_2 \perp 1$ is $1/(2 + (K - 2)e^{2l})$, half the inverse of the bound",
    ),
)
IN_FROBENIUS = Inequality(
    low_pair_against,
    {"r": (0.01, 12.0)},
    SIZES_BOUNDS,
    proof=Exactly(
        low_pair_reached,
        r"Frobenius: at $z = SX (1, -1, 0, \dots, 0)/\sqrt{2}$ the Rayleigh quotient at $e_2 - 1/K \perp 1$ times the bound is $1 - \mu_2 \le 1$",
    ),
)

NUMERATOR_ALONE = Identities(
    numerator_alone,
    r"in balls, at $K = 3$, $SX = 3$: with the numerator alone repaired the display says $\kappa \ge 202.7$, above $1 + 2 e^{3\sqrt{2}} = 140$, which $\kappa$ is at most in the Frobenius and in the spectral norm",
)


def mended_right(effort: Effort, numerator_rate: int = 1, factor: int = 1) -> Finding:
    """The bounds of kappa in the two norms."""
    return all_of(IN_ROWS(effort, rate=numerator_rate), IN_FROBENIUS(effort, factor=factor), NUMERATOR_ALONE(effort))


C021 = claim(
    "C021",
    Statement(
        place="Section 2, Eq. (3), right",
        lines=(298, 300),
        kind="equation",
        prints=r"$\min_{\lVert\theta\rVert_2 \le S} \min_{x\in\mathcal{X}} \lambda_{K-1}(\nabla\mu(\theta x)) \le \frac{2\exp(-2SX)}{2\exp(-SX) + (K-2)\exp(SX)}$.",
        hypotheses=r"$X := \max_{x\in\mathcal{X}} \lVert x \rVert_2$",
        reading=r"$\lVert\theta\rVert_2$ is the Frobenius or the spectral norm, which give the same $\kappa$ (C008), or the largest norm of a row, which the proof uses: as printed it is false in each, at $K = 3$, $SX = 2$.",
        labels=("eq:kappa bounds",),
    ),
    Correction(
        "rate",
        Inequality(
            right_against_left,
            {"r": (0.01, 12.0)},
            SIZES_BOUNDS,
            examples=[{"K": K, "r": r} for K in range(2, 7) for r in (0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0)],
            note=r"left side of Eq. (3) over its right side, whatever the norm (at $K = 2$ the right side is $e^{-SX}$, and true, C025); at $K = 3$, $SX = 1$ the right side gives $\kappa \ge 12.76$; $\kappa$ is 5.969, and 11.23 if every row has norm $\le S$",
        ),
        mended_right,
        r"$2\exp(-SX)$ in the numerator and, for $\lVert\theta\rVert_2$, the largest norm of a row; with the numerator alone it is false for $\lVert\theta\rVert_F \le S$ (or spectral): $\kappa \ge 202.7$ at $K = 3$, $SX = 3$, where $\kappa = 55.5$. For these norms $\kappa \ge \frac{K-1}{K}(1 + (K-2)e^{SX/\sqrt{2}} + e^{\sqrt{2}SX})$. In both norms $\kappa$ is exponentially large, with other powers of $e^{SX}$: $2$ in the rows and $\sqrt{2}$ in these norms, for the $3$ that is printed, $K \ge 3$",
    ),
    domain=r"every $K$ and $SX > 0$; searched at $K = 2, \dots, 6$, $SX \in [0.01, 12]$",
    planted={"rate": 1, "mended_numerator_rate": 2, "mended_factor": 2},
    module=__name__,
)


def exponential_growth(m: Arithmetic, K: int, r: Number, rate: int = 1) -> Number:
    r"""$e^{SX}$ over a value that $\kappa$ reaches, r = SX, in the Frobenius norm."""
    return m.exp(rate * r) / kappa_at_least(m, K, r)


def exponential_growth_reduced(m: Arithmetic, K: int, r: Number, rate: int = 1) -> Number:
    r"""$e^{SX} \mu_2 (1 - \mu_2) K/(K - 1)$ at the logits $SX (1, -1, 0, \dots, 0)/\sqrt{2}$, each exponential once."""
    low = (K - 2) * m.exp((1 / m.sqrt(2) - rate) * r) + m.exp((m.sqrt(2) - rate) * r)
    rest = 2 * m.exp(-rate * r) + m.exp(-rate * r) / ((K - 2) * m.exp(r / m.sqrt(2)) + m.exp(m.sqrt(2) * r))
    return m.number(K) / (K - 1) / (low + rest)


def growth_in_outcomes(rate: int = 1) -> bool:
    """(W + 2 + 1/W) (K - 1)/K, the inverse of that quotient, grows with K, as W and (K - 1)/K do; K = 2 + more.

    W = (K - 2) q + q^2 >= 1 is the odds against the low outcome, q = exp(r/sqrt(2)) >= 1; here W = 1 + w and q = 1 + s.
    The last line is the tail: exp((sqrt(2) - rate) r) is at least 2 at r = 50, and grows.
    """
    w, step, more, s = unknowns("w", "step", "more", "s")
    W, K, q = 1 + w, 2 + more, 1 + s
    odds = nonnegative(more * q + q**2 - 1)
    inner = nonnegative((W + step) + 1 / (W + step) - W - 1 / W) and nonnegative(K / (1 + K) - (K - 1) / K)
    tail = BALLS.exp((BALLS.sqrt(2) - rate) * 50) > 2 and BALLS.sqrt(2) > rate
    return odds and inner and tail


SIZES_GROWTH = [{"K": K} for K in (2, 3, 8)]
C025 = claim(
    "C025",
    Statement(
        place="Section 2, after Eq. (3)",
        lines=(301, 301),
        kind="text",
        prints=r"Hence, $\kappa$ is exponentially large with respect to $S \ge \lVert\theta_*\rVert$ and $X := \max_{x\in\mathcal{X}} \lVert x \rVert_2$.",
        reading=r"$\kappa \ge e^{SX}$.",
    ),
    Inequality(
        exponential_growth,
        {"r": (0.01, 50.0)},
        SIZES_GROWTH,
        note=r"$\log\kappa$ grows like $\sqrt{2} SX$; the sides of Eq. (3) have 2 (left) and, for $K \ge 3$, 3 (right, with the misprint of C021) in place of $\sqrt{2}$",
        proof=Together(
            (
                Balls(
                    exponential_growth_reduced,
                    {"r": (0.0, 50.0)},
                    [{"K": 2}],
                    words=r"$1/\kappa$ is at most the Rayleigh quotient $\mu_2(1 - \mu_2) K/(K - 1)$ at $e_2 - 1/K \perp 1$ of these logits; beyond $SX = 50$, $\kappa \ge \frac{K-1}{K} e^{\sqrt{2}SX} \ge \frac12 e^{\sqrt{2}SX} > e^{SX}$ (C021)",
                ),
                Exactly(growth_in_outcomes, r"the inverse quotient grows with $K$: $K = 2$ is the worst, in the tail also"),
            )
        ),
    ),
    domain=r"every $K$ and $SX \ge 0$, $\lVert\theta\rVert_F \le S$; searched at $K = 2, 3, 8$, $SX \in [0.01, 50]$",
    planted={"rate": 2},
    module=__name__,
)


def smallest_over_kappa(m: Arithmetic, r: Number, share: int = 1) -> Number:
    r"""Relative difference of $\lambda_{K-1}(\nabla\mu(z))$ from $1/\kappa$ at $K = 2$, $z = share\,SX (1, -1)/\sqrt{2}$, r = SX."""
    high = share * r / m.sqrt(2)
    return abs(curvature(m, [high, -high]) * binary_kappa_at(m, r) - 1)


def smallest_over_kappa_exactly(share: int = 1) -> bool:
    """At K = 2, of odds q = exp(z_1 - z_2) = 1 + s >= 1: lambda_1 = 2 q/(1 + q)^2, falling in q, so least at the largest norm.

    `kappa` is 1 + cosh of the largest difference of logits, of odds (1 + s)^share.
    """
    s, step = unknowns("s", "step")
    low, high = law_of([1 + s, 1])
    eigenvalue = 2 * low * high
    moment = variance([low, high], [1, -1]) / 2
    kappa = 1 + ((1 + s) ** share + 1 / (1 + s) ** share) / 2
    farther = law_of([1 + s + step, 1])
    return moment == eigenvalue and eigenvalue * kappa == s / s and nonnegative(eigenvalue - 2 * farther[0] * farther[1])


C025b = claim(
    "C025b",
    Statement(
        place="Section 2, after Eq. (3)",
        lines=(302, 302),
        kind="text",
        prints=r"The nonzero eigenvalues of the gradient of $\mu$ can therefore be as small as $\kappa^{-1}$.",
        reading=r"$1/\kappa$ is a minimum that is attained, if $\mathcal X$ is compact; one instance is enough. The second sentence is about other analyses.",
    ),
    Equality(
        smallest_over_kappa,
        {"r": (0.01, 5.0)},
        proof=Exactly(
            smallest_over_kappa_exactly,
            r"$\nabla\mu$ at $K = 2$ has the eigenvalue $2\mu_1\mu_2$ at $(1, -1)$, which falls as the odds grow: its least value in the ball is that at norm $SX$, $1/(1 + \cosh(\sqrt{2}SX)) = 1/\kappa$",
        ),
    ),
    domain=r"$K = 2$, every $SX > 0$; searched in $[0.01, 5]$",
    planted={"share": 2},
    module=__name__,
)
