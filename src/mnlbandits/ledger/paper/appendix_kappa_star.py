"""Appendix B.2, the example of a large kappa_*: its matrix, its rewards, its best action, and 1/kappa_* in closed form."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Correction, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.kappa_star_example import (
    EXAMPLE_SIZES,
    corner_entry,
    first_terms_cancel,
    moments_split,
    variance_of_example,
)
from mnlbandits.ledger.formulas.softmax import sigmoid
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Effort

# The instance


def entries_per_row(m: Arithmetic, K: int, d: int, rows: int = 1) -> Number:
    """Entries of M_*, with which Pi M_* is K x d, over those of a matrix of R^(rows x d); 0 rows are K."""
    return m.number(Fraction(K * d, (rows or K) * d))


def example_norms(less: int = 1) -> bool:
    """||Pi M_*||_F = S for m^2 = S^2 K/(K - less), and ||rho|| = 1, as rational functions of K: even or odd."""
    K, S = unknowns("K", "S")
    square = S**2 * K / (K - less)
    centred_square = square * ((1 - 1 / K) ** 2 + (K - 1) / K**2)
    return centred_square == S**2 and (2**2 + (K - 1)) / (K + 3) == 1


C042 = claim(
    "C042",
    Statement(
        place="Appendix B.2, definition of M_*",
        lines=(673, 683),
        kind="definition",
        prints=r"$\theta_* = \Pi M_* \in \Pi\mathbb R^{K \times d}$ with $M_* \in \mathbb R^d$, which has $m > 0$ in its corner and zeros elsewhere, such that $\lVert\theta_*\rVert_2 = S$.",
        hypotheses=r"$K \ge 2$ even and $d \ge 1$.",
    ),
    Correction(
        "misprint",
        Inequality(
            entries_per_row,
            {},
            tuple({"K": K, "d": d} for K in range(2, 10) for d in (1, 2, 3)),
            examples=({"K": 2, "d": 1},),
            note=r"entries of $M_*$ over those of a vector of $\mathbb R^d$",
        ),
        Identities(
            example_norms,
            r"$\lVert \Pi M_* \rVert_F = S$ for $m = S\sqrt{K/(K-1)}$ and $\lVert\rho\rVert = 1$, rational in $K$",
        ),
        r"misprint: $M_* \in \mathbb R^{K \times d}$; that $K$ is even is not used, every $K \ge 2$ does too",
    ),
    domain=r"entries of $M_*$ at $K = 2..9$, $d = 1, 2, 3$; norms for every $K \ge 2$, even or odd, and every $d$.",
    planted={"rows": 0, "mended_less": 2},
    module=__name__,
)


def mean_reward_example(m: Arithmetic, K: int, logit: Number, high: int = 2) -> Number:
    """sqrt(K + 3) rho^T mu at [M_*]_1^T x = `logit`: 1 + (high - 1) mu_1."""
    return 1 + (high - 1) * sigmoid(m, logit - m.log(m.number(K - 1)))


def best_action(m: Arithmetic, K: int, S: Number, x: Number, high: int = 2) -> Number:
    """Mean reward of a unit vector whose first entry is x over that of e_1."""
    corner = corner_entry(m, K, S)
    return mean_reward_example(m, K, x * corner, high) / mean_reward_example(m, K, corner, high)


def best_action_exactly(high: int = 2) -> bool:
    """mu_1 = q/(q + n), n = K - 1, increases in q = exp(logit); 1 + s is the factor from q to a larger one."""
    q, s, n = unknowns("q", "s", "n")
    return nonnegative((high - 1) * (q * (1 + s) / (q * (1 + s) + n) - q / (q + n)))


def unit_rewards(high: int = 2) -> bool:
    """||(high, 1, ..., 1)||^2/(K + 3) = 1."""
    (K,) = unknowns("K")
    return (high**2 + (K - 1)) / (K + 3) == 1


BEST_ACTION = Inequality(
    best_action,
    {"S": (0.1, 10.0), "x": (-1.0, 1.0)},
    EXAMPLE_SIZES[:3],
    proof=Exactly(
        best_action_exactly,
        r"$\mu_1$ increases in $[M_*]_1^\top x = m x_1$, by a difference of rational functions of $q = e^{m x_1}$ without a negative coefficient",
    ),
)
"""x_* = e_1."""


C043 = claim(
    "C043",
    Statement(
        place="Appendix B.2",
        lines=(683, 693),
        kind="step",
        prints=r"$\rho = \frac{1}{\sqrt{K+3}} (2, 1, \dots, 1)$ has $\lVert\rho\rVert_2 = 1$; $\mathcal X = \mathcal S_1(\mathbb R^d)$; $x_* = [M_*]_1/\lVert [M_*]_1 \rVert_2$.",
    ),
    All(
        (
            BEST_ACTION,
            Identities(unit_rewards, r"$\lVert\rho\rVert^2 = 1$, rational in $K$"),
        )
    ),
    domain=r"every $K$, $d$ and $S$, all $x$ of the sphere; searched at $K = 2, 3, 10$, $S \in [0.1, 10]$.",
    planted={"high": 3},
    formal="C043",
    module=__name__,
)


# 1/kappa_*


def sums_of_example(K: int) -> bool:
    """The sums over i and k of Eq. (large kappa star eq1) are the moments of `moments_split`, with symbolic mu_k and rho_k."""
    names = unknowns(*(f"p{k}" for k in range(1, K)), *(f"r{k}" for k in range(1, K)))
    p, rho = names[: K - 1], names[K - 1 :]
    rest = sum(rho[k] * p[k] * sum(rho[i] * ((i == k) - p[i]) for i in range(K - 1)) for k in range(K - 1))
    return rest == sum(a * a * b for a, b in zip(rho, p, strict=True)) - dot(rho, p) ** 2


def expansion(cross: int = 2) -> bool:
    """The moments, for every K, and for the sums themselves at K = 2, 3, 4."""
    return moments_split(cross) and all(sums_of_example(K) for K in (2, 3, 4))


C044 = claim(
    "C044",
    Statement(
        place="Appendix B.2, Eq. large kappa star eq1 and after",
        lines=(698, 708),
        kind="equation",
        prints=r"$\kappa_*^{-1} = \rho_1^2 \mu_1 (1 - \mu_1) - 2 \rho_1 \mu_1 \sum_{k \ge 2} \rho_k \mu_k + \sum_{k \ge 2} \rho_k \mu_k [\sum_{i \ge 2} \rho_i (\delta_{ik} - \mu_i)]$; the first two terms cancel each other.",
        reading=r"$\mu = \mu(\theta_* x_*)$, $\kappa_*^{-1} = \rho^\top \nabla\mu \rho$.",
        labels=("eq:large kappa star eq1",),
    ),
    All(
        (
            Identities(
                expansion,
                r"in the moments $\sum_{k \ge 2} \rho_k \mu_k$ and $\sum_{k \ge 2} \rho_k^2 \mu_k$, for every $K$, and the double sums themselves at $K = 2, 3, 4$, of which each monomial holds two indices",
            ),
            Identities(first_terms_cancel, r"for $\rho_1 = 2 \rho_k$ and $\sum_{k \ge 2} \mu_k = 1 - \mu_1$, for every $K$"),
        )
    ),
    domain=r"every $K$, every $\mu$; the expansion for every $\rho$.",
    planted={"cross": 1},
    module=__name__,
)


def variance_as_printed(effort: Effort, factor: int = 2) -> Finding:
    """1/kappa_* with `factor`, as rational functions; at mu_1 = 1/2 it is 1/(4 (K + 3)), and printed twice that."""
    del effort
    return exactly(
        variance_of_example(factor),
        rf"$\rho^\top \nabla\mu \rho$ against $\frac{{{factor}}}{{K+3}} \mu_1 (1 - \mu_1)$, as rational functions of $\mu_1$ and $K$",
        "K = 2, mu = (1/2, 1/2), rho = (2, 1)/sqrt 5: the variance is 1/20, printed 1/10",
    )


C045 = claim(
    "C045",
    Statement(
        place="Appendix B.2, display after the first two terms cancel",
        lines=(710, 714),
        kind="equation",
        prints=r"$\kappa_*^{-1} = \frac{2}{K+3} \sum_{k=2}^K \mu(\theta_* x_*)_k \mu(\theta_* x_*)_1$.",
        reading=r"From $\rho_i \rho_k = 2/(K+3)$ for $i, k \ge 2$.",
    ),
    Correction(
        "constant",
        variance_as_printed,
        Identities(
            variance_of_example,
            r"$\rho^\top \nabla\mu \rho = \frac{1}{K+3} \mu_1 (1 - \mu_1)$, as rational functions of $\mu_1$ and $K$",
        ),
        r"$1/(K+3)$, so that $\kappa_*$ is twice as large; the bounds that follow hold all the more, even $\kappa_* \ge e^S$",
    ),
    domain=r"every $K$ and every $\mu$.",
    planted={"factor": 1, "mended_factor": 3},
    module=__name__,
)
