"""Section 3.3.2: the variance along a run in the proof sketch, for two outcomes and for more."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Ball, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of, exactly
from mnlbandits.ledger.formulas.family import rise
from mnlbandits.ledger.formulas.regret import better_first, exact_moments, two_arms_box
from mnlbandits.ledger.formulas.softmax import slope
from mnlbandits.ledger.formulas.vectors import dot, variance
from mnlbandits.ledger.search import Effort


def binary_variance(m: Arithmetic, level: Number, gap: Number, factor: int | Fraction = 1) -> Number:
    """mu'(theta_*^T x_t) over mu'(theta_*^T x_*) + `factor` times the regret, logits level - gap and level."""
    return slope(m, level - gap) / (slope(m, level) + m.number(factor) * rise(m, level, level - gap))


def variance_by_regret(factor: int | Fraction = 1) -> bool:
    """p(1 - p) + f (p - q) - q(1 - q) = (p - q)((f - 1) + (1 - p) + (1 - q))."""
    p, q = unknowns("p", "q")
    return factor >= 1 and p * (1 - p) + factor * (p - q) - q * (1 - q) == (p - q) * ((factor - 1) + (1 - p) + (1 - q))


C158b = claim(
    "C158b",
    Statement(
        place="Section 3.3.2, display for the binary setting",
        lines=(507, 517),
        kind="equation",
        prints=r"In the binary setting $\sum_t \mu'(\theta_*^\top x_t) \le T/\kappa_* + \mathrm{Reg}_T$, as the sigmoid satisfies $|\mu''| \le \mu'$.",
        hypotheses=r"$\kappa_* = 1/\mu'(\theta_*^\top x_*)$.",
    ),
    Inequality(
        binary_variance,
        {"level": (-40.0, 40.0), "gap": (0.0, 80.0)},
        note="equality without regret",
        proof=Exactly(
            variance_by_regret,
            r"with $p = \mu(\theta_*^\top x_*) \ge q = \mu(\theta_*^\top x_t)$ the right side minus the left is $(p - q) ((1 - p) + (1 - q)) \ge 0$",
        ),
    ),
    domain=r"one round: all logits $\theta_*^\top x_* \ge \theta_*^\top x_t$, searched in $[-40, 40]$",
    planted={"factor": Fraction(1, 2)},
    formal="C158b",
    module=__name__,
)


def variance_over_regret(m: Arithmetic, K: int, factor: int | Fraction = 2, **point: Number) -> Number:
    """Var_t over Var_* + `factor` R times the regret of the round."""
    del K
    best, played, rewards = better_first(m, point)
    right = variance(best, rewards) + m.number(factor) * m.norm(rewards) * (dot(best, rewards) - dot(played, rewards))
    return variance(played, rewards) / right if right > 1e-6 else 0 * right


def sufficient_for_two(factor: int | Fraction = 2) -> bool:
    """The same identity times (rho_1 - rho_2)^2, of which |rho_1 - rho_2| <= R leaves more of the regret."""
    p, q, low, step = unknowns("p", "q", "low", "step")
    best, played = (low + weight * step for weight in (p, q))
    squares = [low**2 + weight * ((low + step) ** 2 - low**2) for weight in (p, q)]
    spread = [square - mean**2 for square, mean in zip(squares, (best, played), strict=True)]
    identity = spread[0] + factor * step * (best - played) - spread[1]
    return factor >= 1 and identity == step**2 * (p - q) * ((factor - 1) + (1 - p) + (1 - q))


SUFFICIENT = Inequality(
    variance_over_regret,
    two_arms_box,
    cases=({"K": 2},),
    proof=Exactly(
        sufficient_for_two,
        r"with $\rho_1 \ge \rho_2$, $p, q$ the probabilities of outcome 1 and $R \ge \rho_1 - \rho_2$ the right side minus the left is at least $(\rho_1 - \rho_2)^2 (p - q) (1 + (1 - p) + (1 - q)) \ge 0$",
    ),
)

BEST_ROW = (Fraction(1, 100), Fraction(98, 100), Fraction(1, 100))
PLAYED_ROW = (Fraction(1, 2), Fraction(1, 100), Fraction(49, 100))
"""mu(theta_* x_*) and mu(theta_* x_t) of the example, rho = (0, 1, 2)."""


def example_ratio(m: Arithmetic, factor: int | Fraction = 2) -> Number:
    """The same ratio on the example, K = 3."""
    (best, best_square), (played, played_square) = (exact_moments(row) for row in (BEST_ROW, PLAYED_ROW))
    regret = m.number(factor) * m.sqrt(5) * m.number(best - played)
    return m.number(played_square - played**2) / (m.number(best_square - best**2) + regret)


def sufficient(effort: Effort, factor: int | Fraction = 2) -> Finding:
    """True for K = 2, and false for K = 3 in balls, so that the text's doubt is right."""
    two, ours = SUFFICIENT(effort, factor=factor), Ball(example_ratio(BALLS, factor))
    text = (
        f"for $K = 3$ with $\\mu(\\theta_* x_*) = (1, 98, 1)/100$, $\\mu(\\theta_* x_t) = (50, 1, 49)/100$, $\\rho = (0, 1, 2)$ left/right is "
        f"{ours.arb.str(8)}. So it is true for $K = 2$, where the variance is $(\\rho_1 - \\rho_2)^2 p (1 - p)$, and false for $K = 3$: the text's "
        "doubt is right. $2 R \\mathrm{Reg}_T$ has the right units"
    )
    return all_of(two, exactly(ours > 1, text, "K = 3"))


C158c = claim(
    "C158c",
    Statement(
        place="Section 3.3.2, Eq. sufficient_eq and text after it",
        lines=(511, 517),
        kind="equation",
        prints=r"$\sum_t \rho^\top \nabla\mu(\theta_* x_t) \rho \le R^2 T/\kappa_* + 2\, \mathrm{Reg}_T$ was sufficient to obtain a regret with a $1/\kappa_*$ dependence; however such a relationship is unclear in general.",
        reading=r"With $2 R\, \mathrm{Reg}_T$ for $2\, \mathrm{Reg}_T$ (units), in one round: true for $K = 2$, false for some instance with $K = 3$.",
        labels=("eq:sufficient_eq",),
    ),
    sufficient,
    domain=r"one round in which $x_t$ is not the better arm; $K = 2$: all logits and $\rho \ge 0$, searched in $[-12, 12]^K$ and $[0, 1]^K$; $K = 3$: one example",
    planted={"factor": Fraction(1, 2)},
    module=__name__,
)


def decomposition(m: Arithmetic, K: int, factor: int | Fraction = 2, **point: Number) -> Number:
    """Left over right side, in one round, each term on the side where it is positive."""
    del K
    best, played, rewards = better_first(m, point)
    squares, means = [r * r for r in rewards], [dot(p, rewards) for p in (best, played)]
    right = m.number(factor) * m.norm(rewards) * (means[0] - means[1]) + dot(played, squares)
    left = variance(played, rewards) + dot(best, squares) - variance(best, rewards)
    return left / right if right > 1e-6 else 0 * right


def decomposition_identity(factor: int | Fraction = 2) -> bool:
    """Right minus left = (best - played) (factor R - best - played) in means, R = best + slack = played + slack'."""
    best, gap, slack, square, best_square = unknowns("best", "gap", "slack", "square", "best_square")
    played = best - gap
    R = best + slack
    left = square - played**2 + best_square - (best_square - best**2)
    difference = factor * R * gap + square - left
    return factor >= 2 and difference == gap * ((factor - 2) * R + 2 * slack + gap)


DECOMPOSITION = Inequality(
    decomposition,
    two_arms_box,
    cases=({"K": 2}, {"K": 3}, {"K": 5}),
    share=0.5,
    proof=Exactly(
        decomposition_identity,
        r"with the means $m_* \ge m_t$ and $R = m_* + s$, $s \ge 0$, the right side minus the left is $(m_* - m_t) (2 s + m_* - m_t)$, whatever $K$",
    ),
)


def known_decomposition(effort: Effort, factor: int | Fraction = 2) -> Finding:
    """The inequality, and the last sum over the regret on the example, exactly."""
    (best, best_square), (played, played_square) = (exact_moments(row) for row in (BEST_ROW, PLAYED_ROW))
    excess = (played_square - best_square) / (best - played)
    text = f"on the example of C158c the last sum is {excess} times the regret of the round"
    return all_of(DECOMPOSITION(effort, factor=factor), exactly(excess > 1, text, text))


C158d = claim(
    "C158d",
    Statement(
        place="Section 3.3.2, display of Zhang and Sugiyama",
        lines=(518, 522),
        kind="equation",
        prints=r"$\sum_t \rho^\top \nabla\mu(\theta_* x_t) \rho \le R^2 T/\kappa_* + 2 R\, \mathrm{Reg}_T + \sum_t \sum_k \rho_k^2 (\mu(\theta_* x_t)_k - \mu(\theta_* x_*)_k)$; the last term may be significantly higher than the regret.",
    ),
    known_decomposition,
    domain=r"one round, all $K$, logits and $\rho \ge 0$, searched with $K = 2, 3, 5$ in $[-12, 12]^K$ and $[0, 1]^K$; the last sum over the regret on the example of C158c",
    planted={"factor": 1},
    module=__name__,
)
