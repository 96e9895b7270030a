"""Introduction, Multinomial Logit bandits: the probabilities of the two frameworks."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.frameworks import logit_law, unknown_vectors
from mnlbandits.ledger.formulas.learning import range_below_norm
from mnlbandits.ledger.formulas.vectors import centred, scaled
from mnlbandits.ledger.search import Box, column, vectors_box

SET_SIZES = ({"K": 1}, {"K": 2}, {"K": 3})
"""Sizes K of the set of items that is offered."""


def chosen_of(weights: list[Number], outside: int) -> Number:
    """sum_{k in S} P(k|S) of Appendix E, `outside` added to the denominator."""
    return sum(weights) / (outside + sum(weights))


def displays_differ(m: Arithmetic, K: int, outside: int = 0, **point: Number) -> Number:
    """Relative difference of that sum from E[r|S] of the introduction, with revenues 1."""
    del K
    weights = [m.exp(utility) for utility in column(point, "z")]
    return abs(chosen_of(weights, outside) * (1 + sum(weights)) / sum(weights) - 1)


def displays_agree(outside: int = 0) -> bool:
    """Of three items, two of them offered, and for each of them, as rational functions of exp(z)."""
    (weights,) = unknown_vectors(e=3)
    *items, none = logit_law(weights, (True, False, True))
    held = weights[0], weights[2]
    single = all(items[i] == weights[i] / (outside + sum(held)) for i in (0, 2))
    return single and chosen_of(held, outside) == 1 - none == sum(items)


def utilities_box(K: int) -> Box:
    """Utilities of the items."""
    return vectors_box(z=(K, 5.0))


C016 = claim(
    "C016",
    Statement(
        place="Appendix E, second display; introduction, Multinomial Logit bandits",
        lines=(805, 808),
        kind="equation",
        prints=r"The probability of observing decision $k \in S_t$ is $\mathbb P[y_t = k | S_t] = \exp(\theta_*^\top x_{t,k})/\sum_{i \in S_t} \exp(\theta_*^\top x_{t,i})$.",
        reading=r"It is the law of the introduction, $\mathbb E[r_t | S_t] = \sum_{i \in S_t} \rho_{t,i} \exp(\theta_*^\top x_{t,i})/(1 + \sum_{i \in S_t} \exp(\theta_*^\top x_{t,i}))$ (lines 238 to 240), so that $\mathbb E[r_t | S_t] = \sum_{k \in S_t} \rho_{t,k} \mathbb P[y_t = k | S_t]$.",
    ),
    Correction(
        "misprint",
        Equality(
            displays_differ,
            utilities_box,
            SET_SIZES,
            examples=({"K": 1, "z0": 0.0},),
            note=r"one item of utility $0$: probability $1$ against $1/2$",
        ),
        Equality(
            displays_differ,
            utilities_box,
            SET_SIZES,
            fixed={"outside": 1},
            proof=Exactly(
                displays_agree,
                r"item by item as rational functions of the weights $e^{\theta_*^\top x}$, one of three items not offered; the weights of a larger set enter by their sum",
            ),
        ),
        r"misprint: $1 + \sum$ in the denominator, for the outside option of the introduction, or that option as an item of $S$ with utility $0$",
    ),
    domain=r"every set $S_t$ and all utilities, revenues $1$; searched for sets of $1, 2, 3$ items with utilities in $[-5, 5]$.",
    planted={"outside": 1, "mended_outside": 2},
    module=__name__,
)


def least_over_probability(m: Arithmetic, K: int, r: Number, rate_square: int = 2, **point: Number) -> Number:
    """1/(1 + (K - 1) exp(sqrt(rate_square) S X)) over min_k mu_k at centred logits of norm r = S X."""
    z = scaled(m, centred(column(point, "z")), r)
    inverses = [1 + sum(m.exp(other - own) for j, other in enumerate(z) if j != k) for k, own in enumerate(z)]
    return m.maximum(*inverses) / (1 + (K - 1) * m.exp(m.sqrt(m.number(rate_square)) * r))


def least_exactly(rate_square: int = 2) -> bool:
    """1/mu_k = 1 + sum_{j != k} exp(z_j - z_k), whose K - 1 terms have (z_j - z_k)^2 <= 2 (z_j^2 + z_k^2)."""
    (squares,) = unknown_vectors(q=1)
    return range_below_norm() and nonnegative((rate_square - 2) * squares[0])


C016b = claim(
    "C016b",
    Statement(
        place="Introduction, Multinomial Logit bandits",
        lines=(244, 244),
        kind="text",
        prints=r"In our framework, every outcome has a nonzero probability of being selected.",
        reading=r"It is above a number that depends on $K$ and $SX$ only; the one that is examined, $1/(1 + (K - 1) e^{\sqrt 2 SX})$, is ours.",
    ),
    Inequality(
        least_over_probability,
        lambda K: {"r": (0.01, 300.0), **vectors_box(z=(K, 1.0))},
        ({"K": 2}, {"K": 3}, {"K": 5}),
        note=r"it is attained at $K = 2$",
        proof=Exactly(
            least_exactly,
            r"$1/\mu_k = 1 + \sum_{j \ne k} e^{z_j - z_k}$ and $(z_j - z_k)^2 \le 2 (z_j^2 + z_k^2) \le 2 (SX)^2$",
        ),
    ),
    domain=r"every $K$ and $SX$, $\lVert z \rVert \le SX$; searched at $K = 2, 3, 5$, $SX \in [0.01, 300]$, $\lVert z \rVert = SX$.",
    planted={"rate_square": 1},
    module=__name__,
)
