"""Appendix D: kappa-tilde, how large it is and how it compares with kappa."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, universal
from mnlbandits.ledger.formulas.constants import binary_kappa, binary_kappa_at
from mnlbandits.ledger.formulas.frameworks import law_of
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.shared import tilde_between

SIZES_TILDE = [{"K": K} for K in (2, 3, 5)]

# kappa-tilde is large


def growth_of_tilde(m: Arithmetic, K: int, r: Number, rate: int = 1) -> Number:
    r"""$e^{rate SX}$ times $\mu_1(1 - \mu_1)$, the quotient at $e_1$ for logits $(-SX, 0, \dots, 0)$, $\ge 1/\tilde\kappa$; SX = r."""
    return (K - 1) * m.exp((rate - 1) * r) / (K - 1 + m.exp(-r)) ** 2


def growth_of_tilde_exactly(rate: int = 1) -> bool:
    """1/(mu_1 (1 - mu_1)) - q^rate, of weights 1/q and K - 1 ones, q = e^{SX} and K = 2 + more, has no negative coefficient."""
    q, more = unknowns("q", "more")
    low, others = law_of([1 / q, 1 + more])
    closed = low * others * q == (1 + more) / (1 + more + 1 / q) ** 2
    return closed and nonnegative(1 / (low * others) - q**rate)


C056b = claim(
    "C056b",
    Statement(
        place="Appendix D, kappa-tilde",
        lines=(781, 785),
        kind="text",
        prints=r"$\tilde\kappa := 1/\min_{x\in\mathcal{X}} \min_{\lVert\theta\rVert_2\le S} \lambda_{\min}(\mathrm{diag}(\tilde\mu(\theta x)) - \tilde\mu(\theta x)\tilde\mu(\theta x)^\top)$ is exponentially large with respect to $S$ and $X$.",
        reading=r"$\tilde\kappa \ge e^{SX}$, for the parameters with last row $0$; in the Frobenius, the spectral or the row norm.",
    ),
    Inequality(
        growth_of_tilde,
        {"r": (0.0, 30.0)},
        SIZES_TILDE,
        proof=Exactly(
            growth_of_tilde_exactly,
            r"at logits $(-SX, 0, \dots, 0)$ the quotient of $\mathrm{diag}(\tilde\mu) - \tilde\mu\tilde\mu^\top$ at $e_1$ is $\mu_1(1 - \mu_1) \le e^{-SX}$, so that $\tilde\kappa \ge e^{SX}$, for every $K$",
        ),
    ),
    domain=r"every $K$ and $SX \ge 0$; searched at $K = 2, 3, 5$, $SX \in [0, 30]$",
    planted={"rate": 2},
    module=__name__,
)


# kappa-tilde and kappa


def tilde_against(m: Arithmetic, r: Number, matching: int = 1) -> Number:
    r"""The larger of $\kappa/\tilde\kappa$ and its inverse at K = 2, $\tilde\kappa$ at $\sqrt{matching}$ times the S of $\kappa$."""
    kappa, tilde = binary_kappa_at(m, r), binary_kappa(m, m.sqrt(m.number(matching)) * r)
    return m.maximum(kappa / tilde, tilde / kappa)


def same_norms(effort: Effort, matching: int = 1) -> Finding:
    """Whether one factor does for all S X, at K = 2."""

    def needed(m: Arithmetic, r: Number) -> Number:
        return tilde_against(m, r, matching)

    del effort
    return universal(needed, [1.0, 3.0, 5.0, 8.0, 12.0, 20.0], "S X (at K = 2)")


C056 = claim(
    "C056",
    Statement(
        place="Section 2; Appendix D, kappa-tilde",
        lines=(785, 785),
        kind="text",
        prints=r"These lower and upper bounds on $\tilde\kappa$ show that our constant $\kappa$ is comparable, see Appendix B.1.",
        reading=r"Comparable: within a factor that does not depend on $S$ and $X$, the same $S$ in both as in the display. $\lVert\theta\rVert_2$ is the Frobenius or the spectral norm, which at $K = 2$, $d = 1$ are one.",
    ),
    Correction(
        "rate",
        same_norms,
        tilde_between,
        r"true for every $K \ge 3$: $\tilde\kappa/K \le \kappa \le (K - 1) \tilde\kappa$ at the same $S$. At $K = 2$ it is true with the norms matched, $\tilde\kappa(\sqrt 2 S) = 2\kappa(S)$, where $\kappa(S)$, $\tilde\kappa(S)$ are the constants for parameters of norm $S$; at the same $S$, $\kappa$ grows there like the power $\sqrt 2$ of $\tilde\kappa$, as $\theta_1 - \theta_2$ may be $\sqrt 2$ times as long",
    ),
    domain=r"printed: $K = 2$, $SX = 1, \dots, 20$; corrected: every $K$ and $SX \ge 0$; the first bound searched at one law, $K = 2, 3, 4, 5$, $z \in [-5, 5]^K$, the second at $K = 3, 4, 10, 10^{11}$, $SX \in [0, 300]$",
    planted={"matching": 2, "mended_power": 0, "mended_others": 0, "mended_times": 1},
    module=__name__,
)
