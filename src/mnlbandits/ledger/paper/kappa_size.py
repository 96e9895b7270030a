"""Section 2, problem-dependent constants: the right side of Eq. (3), how large kappa is, and how tight its upper bound."""

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.formulas.constants import kappa_at_least, kappa_at_most
from mnlbandits.ledger.formulas.frameworks import law_of, second_at_least_smallest
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import variance

SIZES_BOUNDS = [{"K": K} for K in range(2, 7)]

# Eq. (3), right


def right_side(m: Arithmetic, K: int, r: Number, rate: int = 2) -> Number:
    """The inverse of the right side of Eq. (3), with 2 exp(-rate S X) in its numerator."""
    return (2 * m.exp(-r) + (K - 2) * m.exp(r)) / (2 * m.exp(-rate * r))


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


def low_pair_bound(m: Arithmetic, K: int, r: Number) -> Number:
    r"""$(K - 1)/K\, (1 + (K - 2) e^{r/\sqrt{2}} + e^{\sqrt{2} r})$, in the Frobenius norm, r = SX."""
    return m.number(K - 1) / K * (1 + (K - 2) * m.exp(r / m.sqrt(2)) + m.exp(m.sqrt(2) * r))


def low_pair_against(m: Arithmetic, K: int, r: Number) -> Number:
    r"""That over a value that $\kappa$ reaches."""
    return low_pair_bound(m, K, r) / kappa_at_least(m, K, r)


def low_pair_exactly() -> bool:
    """For every K: at logits (a, -a, 0, ..., 0) of norm sqrt(2) a, e_2 - 1/K has quotient mu_2 (1 - mu_2) K/(K - 1)."""
    q, more = unknowns("q", "more")
    K = 2 + more
    low, *others = law_of([1 / q, q, K - 2])
    quotient = variance([low, sum(others)], [1, 0]) / (1 - 1 / K)
    bound = (K - 1) / K * (1 + (K - 2) * q + q**2)
    return bound * quotient == 1 - low and nonnegative(sum(others))


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
        low_pair_exactly,
        r"Frobenius: at $z = SX (1, -1, 0, \dots, 0)/\sqrt{2}$ the Rayleigh quotient at $e_2 - 1/K \perp 1$ times the bound is $1 - \mu_2 \le 1$",
    ),
)


C021 = claim(
    "C021",
    Statement(
        place="Section 2, Eq. (3), right",
        lines=(298, 300),
        kind="equation",
        prints=r"$\min_{\lVert\theta\rVert_2 \le S} \min_{x\in\mathcal{X}} \lambda_{K-1}(\nabla\mu(\theta x)) \le \frac{2\exp(-2SX)}{2\exp(-SX) + (K-2)\exp(SX)}$.",
        hypotheses=r"$X := \max_{x\in\mathcal{X}} \lVert x \rVert_2$",
        labels=("eq:kappa bounds",),
    ),
    Correction(
        "misprint",
        Inequality(
            right_against_left,
            {"r": (0.01, 12.0)},
            SIZES_BOUNDS,
            examples=[{"K": K, "r": r} for K in range(2, 7) for r in (0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0)],
            note=r"left side of Eq. (3) over its right side, whatever the norm (at $K = 2$ the right side is $e^{-SX}$, and true, C025); at $K = 3$, $SX = 1$ the right side gives $\kappa \ge 12.76$; $\kappa$ is 5.969, and 11.23 if every row has norm $\le S$",
        ),
        All((IN_ROWS, IN_FROBENIUS)),
        r"misprint: $2\exp(-SX)$ in the numerator, if every row has norm $\le S$; for $\lVert\theta\rVert_F \le S$ (or spectral, C008) $\kappa \ge \frac{K-1}{K}(1 + (K-2)e^{SX/\sqrt{2}} + e^{\sqrt{2}SX})$. In both norms $\kappa$ is exponentially large",
    ),
    domain=r"every $K$ and $SX > 0$; searched at $K = 2, \dots, 6$, $SX \in [0.01, 12]$",
    planted={"rate": 1},
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
        loose=True,
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


# How tight the upper bound is


def upper_bound_slack(m: Arithmetic, K: int, r: Number, rate: int = 2, constant: int = 100) -> Number:
    r"""$K e^{2SX}$ over $1 + (K - 1)e^{\sqrt{2}SX}$, which $\kappa$ is at most, and over a constant factor."""
    return K * m.exp(rate * r) / kappa_at_most(m, K, r) / constant


def one_low_in_rows(m: Arithmetic, K: int, size: Number, constant: int = 4) -> Number:
    r"""$K e^{2l}$ times the Rayleigh quotient of $e_1 - 1/K$ at logits $-l, l, \dots, l$, over a constant, l = SX of the rows."""
    quotient = variance(softmax(m, [-size] + [size] * (K - 1)), [1] + [0] * (K - 1)) * K / (K - 1)
    return K * m.exp(2 * size) * quotient / constant


def one_low_exactly(constant: int = 4) -> bool:
    """The quotient is q K/(1 + (K - 1) q)^2, q = exp(2 l), and K^2 q^2 <= 4 (1 + (K - 1) q)^2 for K = 2 + more."""
    q, more = unknowns("q", "more")
    K = 2 + more
    low = 1 / (1 + (K - 1) * q)
    share = K * q * low * (1 - low) * K / (K - 1)
    return share == K**2 * q**2 * low**2 and nonnegative(constant - share)


def upper_against_reached(m: Arithmetic, K: int, r: Number, constant: int = 4) -> Number:
    r"""$1 + (K - 1)e^{\sqrt{2}SX}$ over $K$ times a value that $\kappa$ reaches; `constant` belongs to the rows."""
    return kappa_at_most(m, K, r) / (K * kappa_at_least(m, K, r))


def upper_against_reached_exactly(constant: int = 4) -> bool:
    """1 + (K - 1) q^2 <= (K - 1) (1 + (K - 2) q + q^2), which K kappa is at least, and which bounds kappa.

    The latter as lambda_{K-1} >= min_k mu_k, 1/mu_k = 1 + sum_{j != k} exp(z_j - z_k), and (z_j - z_k)^2 <= 2 |z|^2.
    """
    q, more, first, second = unknowns("q", "more", "z0", "z1")
    K = 2 + more
    apart = 2 * (first**2 + second**2) - (second - first) ** 2 == (first + second) ** 2
    bound = apart and second_at_least_smallest() and low_pair_exactly()
    return bound and nonnegative((K - 1) * (1 + (K - 2) * q + q**2) - 1 - (K - 1) * q**2)


C022 = claim(
    "C022",
    Statement(
        place="Section 3.1, after Lemma 1",
        lines=(375, 375),
        kind="text",
        prints=r"An upper-bound [on $\kappa$] can also be obtained from Equation (3), which is tight up to a constant factor.",
        reading="A constant factor: 100 is allowed.",
        labels=("eq:kappa bounds",),
    ),
    Correction(
        "rate",
        Inequality(
            upper_bound_slack,
            {"r": (0.01, 12.0)},
            SIZES_BOUNDS,
            examples=[{"K": K, "r": r} for K in range(2, 7) for r in (0.01, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0)],
            note=r"the ratio grows like $e^{(2 - \sqrt{2})SX}$; a learner that uses $K e^{2SX}$ as $\kappa$ explores that much longer",
        ),
        All(
            (
                Inequality(
                    one_low_in_rows,
                    {"size": (0.01, 12.0)},
                    SIZES_BOUNDS,
                    proof=Exactly(
                        one_low_exactly,
                        r"rows: at logits $-l, l, \dots, l$, $l = SX$, the Rayleigh quotient of $e_1 - 1/K$ times $K e^{2l}$ is $K^2 q^2/(1 + (K - 1)q)^2 \le 4$, $q = e^{2l}$, for every $K$",
                    ),
                ),
                Inequality(
                    upper_against_reached,
                    {"r": (0.01, 12.0)},
                    SIZES_BOUNDS,
                    proof=Exactly(
                        upper_against_reached_exactly,
                        r"Frobenius: $1/\lambda_{K-1} \le 1/\min_k \mu_k \le 1 + (K - 1)e^{\sqrt{2}SX}$ (C019, checked again), as $(z_j - z_i)^2 \le 2\lVert z \rVert^2$, and that is at most $K$ times the bound of C021",
                    ),
                ),
            )
        ),
        r"within a factor 4 if every row has norm $\le S$; for $\lVert\theta\rVert_F \le S$ (or spectral, C008) the bound $1 + (K - 1)e^{\sqrt{2}SX}$ is within a factor $K$",
    ),
    domain=r"every $K$ and $SX > 0$; searched at $K = 2, \dots, 6$, $SX \in [0.01, 12]$",
    planted={"rate": 1, "mended_constant": 2},
    module=__name__,
)
