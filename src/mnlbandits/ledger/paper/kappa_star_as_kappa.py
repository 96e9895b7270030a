"""Section 3.3, after Theorem 1: kappa_* can be as large as kappa."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.constants import inverse_star_of, kappa_at_most
from mnlbandits.ledger.formulas.frameworks import second_at_least_smallest
from mnlbandits.ledger.formulas.learning import range_below_norm


def all_but_one(m: Arithmetic, K: int, r: Number, share: int = 1) -> Number:
    """share times a bound on kappa over kappa_* at logits r (1, -1, 0, ..., 0)/sqrt(2) and rho = (1, 0, 1, ..., 1).

    As Var(rho_y) = mu_2 (1 - mu_2) and R^2 = K - 1.
    """
    small = m.exp(-r / m.sqrt(m.number(2)))
    others = 1 + (K - 2) * small
    low, rest = small**2 / (others + small**2), others / (others + small**2)
    return share * kappa_at_most(m, K, r) * low * rest / (K - 1)


def reaches_exactly(share: int = 1) -> bool:
    """The difference has no negative coefficient in x - 1 and n = K - 2, x = exp(r/sqrt(2)).

    Also the variance, where the outcomes but the second are one of reward 1; and the bound on kappa, 1/min_k mu_k.
    """
    s, n, p, q = unknowns("s", "n", "p", "q")
    x = 1 + s
    low = 1 / (x**2 + n * x + 1)
    variance = inverse_star_of([p, q, 1 - p - q], [1, 0, 1]) == q * (1 - q) / 2
    bound = second_at_least_smallest() and range_below_norm()
    return variance and bound and nonnegative(1 - share * (1 + (n + 1) * x**2) * low * (1 - low) / (n + 1))


C007b = claim(
    "C007b",
    Statement(
        place="Section 3.3, after Theorem 1",
        lines=(452, 452),
        kind="text",
        prints=r"In some cases $\kappa_*$ can be exponentially large in $S$ (similarly to $\kappa$).",
        reading=r"Some instance has $\kappa_* \ge \kappa$, for every $K$ and $SX$.",
    ),
    Inequality(
        all_but_one,
        {"r": (0.01, 50.0)},
        ({"K": 2}, {"K": 3}, {"K": 4}, {"K": 8}, {"K": 64}),
        note=r"nearly uniform rewards make $\kappa_*$ as large as one likes",
        proof=Exactly(
            reaches_exactly,
            r"$\mathrm{Var}(\rho_y) = \mu_2 (1 - \mu_2)$ and $\kappa \le \max 1/\min_k \mu_k \le 1 + (K - 1) e^{\sqrt 2 SX}$; in $e^{SX/\sqrt 2} - 1$ and $K - 2$ the difference has no negative coefficient",
        ),
    ),
    domain=r"every $K \ge 2$ and $SX > 0$: $\theta_* x_* = SX (1, -1, 0, \dots, 0)/\sqrt 2$, $\rho = (1, 0, 1, \dots, 1)$; searched at $K = 2, 3, 4, 8, 64$, $SX \in [0.01, 50]$.",
    planted={"share": 2},
    module=__name__,
)
