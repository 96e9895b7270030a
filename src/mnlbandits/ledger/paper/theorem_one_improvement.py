"""Section 3.3, after Theorem 1: what its rate improves upon."""

import math
from dataclasses import replace
from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import dot, variance
from mnlbandits.ledger.search import Box, Effort, column, rewards_box, vectors_box
from mnlbandits.ledger.simulate.learning import example


def rate_over_earlier(m: Arithmetic, K: int, outcomes: int | Fraction = Fraction(1, 2), **point: Number) -> Number:
    """K^outcomes sqrt(1/kappa_*) over K: the rate of Theorem 1 over that of earlier work."""
    rewards, p = column(point, "r"), softmax(m, column(point, "z"))
    square = dot(rewards, rewards)
    if square <= 0:
        return 0 * square
    return m.sqrt(variance(p, rewards) / square) / m.power(m.number(K), m.number(1 - outcomes))


def improvement_box(K: int) -> Box:
    """Logits of x_* and rewards."""
    return vectors_box(z=(K, 10.0)) | rewards_box(K)


def variance_below_square(outcomes: int | Fraction = Fraction(1, 2)) -> bool:
    """R^2 - Var = sum_k rho_k^2 (1 - mu_k) + (rho^T mu)^2, term by term; K^(outcomes - 1) <= 1; kappa_* >= 5 exp(u) on the example."""
    weight, others, reward, second, mean, rest = unknowns("weight", "others", "reward", "second", "mean", "rest")
    share = weight / (weight + others)
    below = (second + rest) - (second - mean**2) == rest + mean**2 and nonnegative(reward**2 * (1 - share))
    star = 5 / (share * (1 - share))
    return outcomes <= 1 and below and nonnegative(star - 5 * weight / others)


IMPROVEMENT = Inequality(
    rate_over_earlier,
    improvement_box,
    cases=[{"K": K} for K in (2, 3, 6)],
    share=0.5,
    proof=Exactly(
        variance_below_square,
        r"$1/\kappa_* = \mathrm{Var}(\rho_y)/R^2 \le 1$ for every $K$: $R^2 - \mathrm{Var}(\rho_y) = \sum_k \rho_k^2 (1 - \mu_k) + (\rho^\top \mu)^2$, whose terms are quotients of polynomials without negative coefficients; with $\rho = (2, 1)/\sqrt 5$, $K = 2$, $\kappa_* = 5/(p (1 - p)) \ge 5 e^u$, $u = \sqrt 2 S$ the difference of the logits of $x_*$, likewise",
    ),
)


def improvement(effort: Effort, outcomes: int | Fraction = Fraction(1, 2)) -> Finding:
    """That inequality, and how fast kappa_* grows with S."""
    norms = (4.0, 8.0)
    stars = [math.log(example(2, norm=norm, known=norm, arms=1).constants["kappa_star"]) for norm in norms]
    rate = (stars[1] - stars[0]) / (norms[1] - norms[0])
    found = IMPROVEMENT(effort, outcomes=outcomes)
    note = f"$\\ln \\kappa_*$ of the example grows by {rate:.4g} per unit of $S$, $K = 2$; Table 1's rows are in C015, C015b, C015c, C002b"
    return replace(found, evidence=f"{found.evidence}; {note}")


C157c = claim(
    "C157c",
    Statement(
        place="Section 3.3, after Theorem 1",
        lines=(452, 452),
        kind="text",
        prints=r"The dominating term scales as $R d \sqrt{K T/\kappa_*}$, which contrasts with previous results, $O(R d K \sqrt T)$: a significant improvement, as in some cases $\kappa_*$ can be exponentially large in $S$.",
        reading=r"It is smaller for every $K \ge 2$ and every instance, by $\sqrt{K \kappa_*}$, which can be exponentially large in $S$; by $\sqrt{\kappa_*}$ with $K$ for $\sqrt K$, as in C156. That the earlier rate is the best known one, which the sentence says too, is C002b, where it is corrected.",
    ),
    improvement,
    domain=r"all $K \ge 2$, probabilities $\mu(\theta_* x_*)$ and $\rho \ge 0$, searched with $K = 2, 3, 6$; exponentially large: the example of a large $\kappa_*$, $K = 2$, all $S$",
    planted={"outcomes": 2},
    module=__name__,
)
