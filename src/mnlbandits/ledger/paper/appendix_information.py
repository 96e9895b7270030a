"""Appendix A: H_t, its barred form, g_t and G_t, the notations of the exploration."""

import math

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.formulas.concordance import jacobian_symbolically, mean_jacobian
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import dot, over
from mnlbandits.ledger.search import column, vectors_box


def notation_of_hbar(m: Arithmetic, S: Number, level: Number, digits: Number, added: int = 0) -> Number:
    """V_t over Hbar_t in the direction 1 (x) x after 10^digits rounds, K = 2, d = 1; `added`: whether they are counted."""
    ridge, rounds = (S + 1) * 2 * level, 10**digits
    return (ridge + rounds / (1 + m.cosh(m.sqrt(2) * S))) / (ridge + added * rounds * 2)


def added_per_round(m: Arithmetic, S: Number, added: int = 1) -> Number:
    """What a round adds to V_t over what it adds to Hbar_t in that direction."""
    return 1 / (1 + m.cosh(m.sqrt(2) * S)) / (2 * added)


def round_exactly(added: int = 1) -> bool:
    """A round adds lambda_{K-1} or less, at most (1 - 1/K)/(K - 1) by the trace, to V_t and added K to Hbar_t, for every K."""
    (more,) = unknowns("more")
    K = 2 + more
    return nonnegative(added * K - (1 - 1 / K) / (K - 1))


NOTATION_BOX = {"S": (0.1, 8.0), "level": (0.7, 50.0), "digits": (0.0, 6.0)}

C111 = claim(
    "C111",
    Statement(
        place=r"Appendix A, notation $\bar H_t$",
        lines=(617, 617),
        kind="definition",
        prints=r"$\bar H_t(\theta) := \sum_{s=1}^t \nabla\mu(\theta x_s) \otimes x_s x_s^\top + \sum_{s=\tau+1}^{t-1} 1_K 1_K^\top \otimes x_s x_s^\top + \lambda_0 I_{Kd}$.",
        reading=r"with this $\bar H_t$, $V_t \preceq \bar H_t(\theta_*)$, as Appendix F.1 says",
    ),
    Correction(
        "misprint",
        Inequality(
            notation_of_hbar,
            NOTATION_BOX,
            examples=({"S": 1.0, "level": math.log(1e6), "digits": 2.0},),
            note=r"$x_s = 1$, $t = 100 \le \tau$, $T/\delta = 10^6$: $1^\top \nabla\mu = 0$, so $\bar H_t$ has only $\lambda_0$ there",
            fixed={"added": 0},
        ),
        Inequality(
            notation_of_hbar,
            NOTATION_BOX,
            fixed={"added": 1},
            proof=Together(
                (
                    Balls(added_per_round, {"S": (0.0, 8.0)}, words=r"what a round adds to the two, at $K = 2$"),
                    Exactly(
                        round_exactly,
                        r"for every $K$ and $S$: $1/\kappa \le \mathrm{Tr}\,\nabla\mu/(K - 1) \le 1/K$ is what a round adds to $V_t$ in the direction $1 \otimes x$, and $K$ what it adds to $\bar H_t$; both have $\lambda_0$",
                    ),
                )
            ),
        ),
        r"misprint: $s = 1..t$, as in Proposition 3. Harmless: on $\Pi \mathbb R^{K \times d}$, where $\theta - \theta_*$ is, the direction $1$ has no part",
    ),
    domain=r"the direction $1 \otimes x$, $t \le \tau$; printed: $K = 2$, $d = 1$, $S \in [0.1, 8]$, $\log(T/\delta) \in [0.7, 50]$, up to $10^6$ rounds; corrected: every $K$, $S$ and $t$",
    planted={"added": 1, "mended_added": 0},
    module=__name__,
)


def mean_value_gap(m: Arithmetic, ridge: Number, ridge_factor: int = 1, **point: Number) -> Number:
    """||g(a) - g(b) - G(a, b)(a - b)||/||g(a) - g(b)||, or the asymmetry of alpha if larger; K = 3, d = 1, arms x."""
    a, b = m.array(column(point, "a")), m.array(column(point, "b"))
    left, right, asymmetry = ridge * (a - b), ridge * ridge_factor * (a - b), 0
    for x in column(point, "x"):
        z, y, shift = (a * x).tolist(), (b * x).tolist(), ((a - b) * x).tolist()
        forth, back = mean_jacobian(m, y, shift), mean_jacobian(m, z, [-entry for entry in shift])
        left = left + x * (m.array(softmax(m, z)) - m.array(softmax(m, y)))
        right = right + x * (forth @ m.array(shift))
        asymmetry = m.maximum(asymmetry, *abs(forth - back).ravel().tolist())
    off = left - right
    return m.maximum(m.sqrt(over(dot(off, off), dot(left, left))), asymmetry)


def mean_value_holds(ridge_factor: int = 1) -> bool:
    """The derivative of mu is grad mu, for unknown logits; lambda_0 theta has the derivative lambda_0 I."""
    ridge, first, second = unknowns("ridge", "first", "second")
    return jacobian_symbolically() and ridge * first - ridge * second == ridge * ridge_factor * (first - second)


MEAN_VALUE = Equality(
    mean_value_gap,
    vectors_box(a=(3, 5.0), b=(3, 5.0), x=(2, 1.0)) | {"ridge": (0.1, 10.0)},
    share=0.25,
    note=r"by quadrature; $d > 1$ is the same with $x x^\top$ for $x^2$",
    proof=Exactly(
        mean_value_holds,
        r"$\partial \mu_k/\partial z_j$ is the entry of $\nabla\mu$, as rational functions of the exponentials, so the first is the fundamental theorem of calculus along the segment, and the second is $v \mapsto 1 - v$: for every $K$, $d$ and sequence of arms",
    ),
)

C120 = claim(
    "C120",
    Statement(
        place=r"Appendix A, notations $g_t$, $G_t$, $\alpha_s$",
        lines=(618, 624),
        kind="equation",
        prints=r"$g_t(\theta_1) - g_t(\theta_2) = G_t(\theta_1, \theta_2) (\theta_1 - \theta_2)$ (Mean-value Theorem); $\alpha_s(\theta_1, \theta_2) = \alpha_s(\theta_2, \theta_1)$ (change of variable).",
        hypotheses=r"$g_t(\theta) := \sum_{s=1}^t \mu(\theta x_s) \otimes x_s + \lambda_0 \theta$, $G_t(\theta_1, \theta_2) := \sum_{s=1}^t \alpha_s(\theta_1, \theta_2) + \lambda_0 I_{Kd}$, $\alpha_s(\theta_1, \theta_2) := \int_0^1 \nabla\mu(((1 - v) \theta_1 + v \theta_2) x_s) dv \otimes x_s x_s^\top$",
    ),
    MEAN_VALUE,
    domain=r"every $K$, $d$ and sequence of arms (searched: $K = 3$, $d = 1$, two arms in $[-1, 1]$, $\theta_1, \theta_2 \in [-5, 5]^3$, $\lambda_0 \in [0.1, 10]$)",
    planted={"ridge_factor": 2},
    module=__name__,
)
