"""Section 3.1, after Lemma 1: that kappa can be computed, and how tight its upper bound is."""

from functools import partial

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, universal
from mnlbandits.ledger.formulas.concordance import growth_below
from mnlbandits.ledger.formulas.constants import (
    kappa_at_least,
    kappa_at_most,
    kappa_at_most_exactly,
    log_curvature,
    low_pair_reached,
)
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import dot, over, variance
from mnlbandits.ledger.search import Effort, column, vectors_box

SIZES_TIGHT = [{"K": K} for K in range(2, 7)]

# kappa can be computed


def lipschitz_of_curvature(m: Arithmetic, K: int, square: int = 2, **point: Number) -> Number:
    r"""$|\log\lambda_{K-1}(\nabla\mu(z)) - \log\lambda_{K-1}(\nabla\mu(z + e))|$ over $\sqrt{2} \lVert e \rVert$."""
    del K
    z, e = column(point, "z"), column(point, "e")
    moved = [a + b for a, b in zip(z, e, strict=True)]
    return over(abs(log_curvature(m, z) - log_curvature(m, moved)), m.sqrt(square * dot(e, e)))


def lipschitz_below(square: int = 2) -> bool:
    """That a curvature grows by exp(sqrt(square)) of the distance at most."""
    return growth_below(square)


C022b = claim(
    "C022b",
    Statement(
        place="Section 3.1, after Lemma 1",
        lines=(375, 375),
        kind="text",
        prints=r"As $\mathcal X$ and $S$ are known to the learner, $\kappa$ can, in principle, be computed (see Equation (1)).",
        reading=r"To any accuracy: $\log\lambda_{K-1}(\nabla\mu(z))$ is $\sqrt{2}$-Lipschitz in the $K$ logits, so a grid in the ball $\lVert z \rVert \le S \max_{\mathcal X} \lVert x \rVert$ (C008), all points of which are within $\varepsilon$ of it, gives $\log\kappa$ up to $\sqrt{2}\varepsilon$. The code of this package does it by branch and bound.",
    ),
    Inequality(
        lipschitz_of_curvature,
        lambda K: vectors_box(z=(K, 6.0), e=(K, 1.0)),
        [{"K": 2}, {"K": 3}, {"K": 4}],
        share=0.3,
        proof=Exactly(
            lipschitz_below,
            r"$u^\top \nabla\mu(z + e) u \le e^{\sqrt{2}\lVert e \rVert} u^\top \nabla\mu(z) u$ for every $u$, and the same with $z$ and $z + e$ exchanged, so it is true of the least values over unit $u \perp 1$",
        ),
    ),
    domain=r"every $K$, $z$ and $e$; searched at $K = 2, 3, 4$, $z \in [-6, 6]^K$, $e \in [-1, 1]^K$",
    planted={"square": 1},
    module=__name__,
)


# How tight the upper bound is


def upper_bound_slack(m: Arithmetic, r: Number, rate: int = 2) -> Number:
    r"""$K e^{2SX}$ over $1 + (K - 1)e^{\sqrt{2}SX}$, which $\kappa$ is at most, at K = 2."""
    return 2 * m.exp(rate * r) / kappa_at_most(m, 2, r)


def constant_factor(effort: Effort, rate: int = 2) -> Finding:
    """The factor that is needed, for larger and larger S X."""
    del effort
    return universal(partial(upper_bound_slack, rate=rate), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0], "S X (at K = 2)")


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
    """1 + (K - 1) q^2, which bounds kappa, is at most (K - 1) (1 + (K - 2) q + q^2), which K kappa is at least."""
    q, more = unknowns("q", "more")
    K = 2 + more
    bound = kappa_at_most_exactly() and low_pair_reached()
    return bound and nonnegative((K - 1) * (1 + (K - 2) * q + q**2) - 1 - (K - 1) * q**2)


WITHIN_FOUR = Inequality(
    one_low_in_rows,
    {"size": (0.01, 12.0)},
    SIZES_TIGHT,
    proof=Exactly(
        one_low_exactly,
        r"rows: at logits $-l, l, \dots, l$, $l = SX$, the Rayleigh quotient of $e_1 - 1/K$ times $K e^{2l}$ is $K^2 q^2/(1 + (K - 1)q)^2 \le 4$, $q = e^{2l}$, for every $K$",
    ),
)
WITHIN_K = Inequality(
    upper_against_reached,
    {"r": (0.01, 12.0)},
    SIZES_TIGHT,
    proof=Exactly(
        upper_against_reached_exactly,
        r"Frobenius: $1/\lambda_{K-1} \le 1/\min_k \mu_k \le 1 + (K - 1)e^{\sqrt{2}SX}$ (C019, checked again), as $(z_j - z_i)^2 \le 2\lVert z \rVert^2$, and that is at most $K$ times the bound of C021",
    ),
)


C022 = claim(
    "C022",
    Statement(
        place="Section 3.1, after Lemma 1",
        lines=(375, 375),
        kind="text",
        prints=r"An upper-bound [on $\kappa$] can also be obtained from Equation (3), which is tight up to a constant factor.",
        reading=r"Some factor that depends on neither $S$ nor $X$; $\lVert\theta\rVert_2$ is the Frobenius or the spectral norm, which give the same $\kappa$ (C008), or the largest norm of a row.",
        labels=("eq:kappa bounds",),
    ),
    Correction(
        "rate",
        constant_factor,
        All((WITHIN_FOUR, WITHIN_K)),
        r"within a factor $4$, if $S$ bounds the norm of every row, as in the proof; for $\lVert\theta\rVert_F \le S$ (or spectral, C008) the bound $1 + (K - 1)e^{\sqrt{2}SX}$ is within a factor $K$, while $K e^{2SX}$ is too large by $e^{(2 - \sqrt{2})SX}$: a bound all the same, but a learner that uses it explores that much longer, by a power $\sqrt 2 - 1$ of $\kappa$ for large $SX$",
    ),
    domain=r"every $K$ and $SX > 0$; searched at $K = 2, \dots, 6$, $SX \in [0.01, 12]$",
    planted={"rate": 1, "mended_constant": 2},
    module=__name__,
)
