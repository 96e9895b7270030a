"""Section 3.3.2: the variance along a run in the proof sketch, for two outcomes and for more."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Ball, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Exactly, Identities, Inequality, Statement, claim
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
        reading=r"The display; its reason is $\mu'' = \mu' (1 - 2 \mu)$.",
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


def example_ratio(m: Arithmetic, factor: int | Fraction = 2, with_norm: bool = True) -> Number:
    """The same ratio on the example, K = 3; `with_norm` keeps R."""
    (best, best_square), (played, played_square) = (exact_moments(row) for row in (BEST_ROW, PLAYED_ROW))
    regret = m.number(factor) * (m.sqrt(5) if with_norm else 1) * m.number(best - played)
    return m.number(played_square - played**2) / (m.number(best_square - best**2) + regret)


def variance_in_units(m: Arithmetic, level: Number, gap: Number, R: Number, power: int = 0) -> Number:
    """R^2 mu'(y) over R^2 mu'(z) + 2 R^power times the regret, z = level, y = level - gap, K = 2, rho = (R, 0)."""
    right = R**2 * slope(m, level) + 2 * R**power * R * rise(m, level, level - gap)
    return R**2 * slope(m, level - gap) / right


def relationship(effort: Effort, factor: int | Fraction = 2) -> Finding:
    """False for K = 3 in balls, with and without R, so that the text's doubt is right; true for K = 2 with R."""
    with_norm, without = (Ball(example_ratio(BALLS, factor, norm)) for norm in (True, False))
    units = Ball(variance_in_units(BALLS, BALLS.number(2), BALLS.number(2), BALLS.number(10)))
    text = (
        f"for $K = 3$ with $\\mu(\\theta_* x_*) = (1, 98, 1)/100$, $\\mu(\\theta_* x_t) = (50, 1, 49)/100$, $\\rho = (0, 1, 2)$ left/right is "
        f"{without.arb.str(8)}, and {with_norm.arb.str(8)} with $2 R\\, \\mathrm{{Reg}}_T$, so that the relationship is false there and the doubt right. For $K = 2$ it is true with "
        f"$2 R\\, \\mathrm{{Reg}}_T$, as line 519 has it, and with $2\\, \\mathrm{{Reg}}_T$ where $R \\le 2$; with that, at $\\rho = (10, 0)$ and logits 2 and 0, left/right is {units.arb.str(6)}"
    )
    return all_of(SUFFICIENT(effort, factor=factor), exactly(with_norm > 1 and without > 1, text, "K = 3"))


C158c = claim(
    "C158c",
    Statement(
        place="Section 3.3.2, Eq. sufficient_eq and text after it",
        lines=(511, 517),
        kind="equation",
        prints=r"$\sum_t \rho^\top \nabla\mu(\theta_* x_t) \rho \le R^2 T/\kappa_* + 2\, \mathrm{Reg}_T$ was sufficient to obtain a regret with a $1/\kappa_*$ dependence. However, such a relationship is unclear in general and challenging to establish.",
        reading=r"The text does not assert the inequality: what it says is that it may fail, and that is so. In one round; the doubt is about $K \ge 3$. That it would suffice is said of an earlier work, and with $2 R$ for $2$, which has the units of the left side, the quadratic inequality of C164 is the same.",
        labels=("eq:sufficient_eq",),
    ),
    relationship,
    domain=r"one round in which $x_t$ is not the better arm. $K = 3$: one example, in balls; $K = 2$, with $2 R\, \mathrm{Reg}_T$: all logits and $\rho \ge 0$, searched in $[-12, 12]^K$ and $[0, 1]^K$",
    planted={"factor": 100},
    module=__name__,
)


# The optimal arm as a linear problem


def sigmoid_increases() -> bool:
    """e/(1 + e) at e (1 + s) minus at e, s >= 0: no coefficient is negative; so rho_2 + (rho_1 - rho_2) s(u) is monotone in u."""
    e, s = unknowns("e", "s")
    grown = e * (1 + s)
    return nonnegative(grown / (1 + grown) - e / (1 + e))


def middle_arm_is_best(rewards: tuple[int, int, int] = (0, 1, 0)) -> bool:
    """Whether 0 is strictly better than 1 and -1 at theta = (1, 0, -1), from e = 1 + s for exp(1): 0 = (1 - 1)/2 is no end."""
    (s,) = unknowns("s")
    e = 1 + s
    total = e + 1 + 1 / e
    means = [dot(rewards, law) for law in ([e / total, 1 / total, 1 / e / total], [1 / e / total, 1 / total, e / total])]
    losses = [means[0] * 0 + Fraction(sum(rewards), 3) - mean for mean in means]
    return all(nonnegative(loss) and loss != 0 for loss in losses)


def linear_problem(rewards: tuple[int, int, int] = (0, 1, 0)) -> bool:
    """Both halves."""
    return sigmoid_increases() and middle_arm_is_best(rewards)


C158f = claim(
    "C158f",
    Statement(
        place="Section 3.3.2, text before the display of Zhang and Sugiyama",
        lines=(518, 518),
        kind="text",
        prints=r"In the binary setting, since the sigmoid function is increasing, $x_* \in \arg\max_x \mu(\theta_*^\top x)$ can be expressed as the solution to the linear problem $\arg\max_x \theta_*^\top x$. This no longer holds because $\mu$ is multi-dimensional and because $x_*$ also depends on the reward vector $\rho$.",
        reading=r"There is an instance with $K = 3$ whose $x_*$ is the only maximiser of no linear function. At $K = 2$ the problem here is linear too, of the sign of $\rho_1 - \rho_2$.",
    ),
    Identities(
        linear_problem,
        r"$d = 1$, $\mathcal X = \{-1, 0, 1\}$, $\theta_* = (1, 0, -1)$, $\rho = (0, 1, 0)$: the means are $1/3$ at $0$ and $1/(1 + 2 \cosh 1) = 0.245$ at $\pm 1$, and a linear function is at $0$ the mean of its values at $\pm 1$; $\rho^\top \mu = \rho_2 + (\rho_1 - \rho_2) \mu(u)$ at $K = 2$",
    ),
    domain=r"$K = 2$: all arms and $\rho$; $K = 3$: that instance",
    planted={"rewards": (1, 0, 0)},
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
