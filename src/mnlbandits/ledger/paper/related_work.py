"""Introduction, related work: the constants of the binary problem."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.constants import binary_kappa

BINARY_RADIUS = {"r": (0.01, 300.0)}
"""S X."""


def exponential_over_kappa(m: Arithmetic, r: Number, share: Number, rate: int = 1) -> Number:
    """exp(rate S diam/2) over kappa, diam/2 = share X."""
    return m.exp(rate * r * share) / binary_kappa(m, r)


def kappa_above_exponential(rate: int = 1) -> bool:
    """2 + e + 1/e - e^rate, e = exp(S X), has no negative coefficient; diam^2 <= 4 X^2 by |x|^2, |y|^2 <= X^2."""
    e, x, y = unknowns("e", "x", "y")
    halves = 2 * (x**2 + y**2) - (x - y) ** 2 == (x + y) ** 2
    return halves and nonnegative(2 + e + 1 / e - e**rate)


C006 = claim(
    "C006",
    Statement(
        place="Introduction, related work",
        lines=(166, 166),
        kind="text",
        prints=r"Notably, $\kappa$ may be exponentially large in $S$ and the diameter of $\mathcal X$.",
        hypotheses=r"$K = 2$, $\kappa := 1/\min_{\lVert\theta\rVert_2 \le S} \min_{x \in \mathcal X} \mu'(\theta x)$, $\mu$ the sigmoid function.",
        reading=r"$\kappa \ge e^{S \operatorname{diam}(\mathcal X)/2}$, for every $\mathcal X$ and $S$.",
    ),
    Inequality(
        exponential_over_kappa,
        BINARY_RADIUS | {"share": (0.0, 1.0)},
        note=r"with $X$ the largest norm of an action, $\kappa = 2 + 2\cosh(SX) \ge e^{SX}$, so that a set of small diameter far from $0$ has a large $\kappa$ as well; share $= \operatorname{diam}(\mathcal X)/(2X)$",
        proof=Exactly(
            kappa_above_exponential,
            r"$\kappa \ge 1/\mu'(SX)$ by $\theta$ along the longest action, and that is $2 + 2 \cosh(SX) = 2 + e^{SX} + e^{-SX}$; $\operatorname{diam}(\mathcal X) \le 2X$",
        ),
    ),
    domain=r"every $\mathcal X$ that has a longest action, every $SX > 0$; searched in $[0.01, 300]$.",
    planted={"rate": 2},
    module=__name__,
)


def favourable_star(m: Arithmetic, r: Number, alignment: str = "1") -> Number:
    """kappa/kappa_* - 1 where theta_* x_* = alignment S X, kappa the largest of 1/mu' over a grid of |theta x| <= S X."""
    grid = [binary_kappa(m, r * share / 10) for share in range(-10, 11)]
    return abs(m.maximum(*grid) / binary_kappa(m, m.number(alignment) * r) - 1)


def favourable_exactly(alignment: str = "1") -> bool:
    """cosh(v + s) - cosh(v) has no negative coefficient in e^s - 1 and e^v - 1, so that kappa = 2 + 2 cosh(S X)."""
    s, v = unknowns("s", "v")
    small, large = 1 + v, (1 + v) * (1 + s)
    return alignment == "1" and nonnegative(large + 1 / large - small - 1 / small)


C007 = claim(
    "C007",
    Statement(
        place="Introduction, related work",
        lines=(167, 167),
        kind="text",
        prints=r"In the most favorable cases, we have $\kappa_* \approx \kappa$.",
        hypotheses=r"$K = 2$, $\kappa_* := 1/\mu'(\theta_* x_*)$, $\mu$ the sigmoid function.",
        reading=r"They are equal if $\lVert\theta_*\rVert = S$ and $x_*$ is the longest action, parallel to $\theta_*$.",
    ),
    Equality(
        favourable_star,
        BINARY_RADIUS,
        proof=Exactly(
            favourable_exactly, r"$\cosh$ increases with $|\theta x|$, so that $\kappa = 2 + 2 \cosh(SX) = \kappa_*$"
        ),
    ),
    domain=r"every $SX > 0$; searched in $[0.01, 300]$.",
    planted={"alignment": "0.9"},
    module=__name__,
)
