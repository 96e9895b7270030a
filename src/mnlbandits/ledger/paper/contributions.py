"""Introduction, main contributions: the definition of kappa_*, what it means, and the bound of Theorem 1."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.constants import inverse_kappa_star, inverse_star_of, kappa_star
from mnlbandits.ledger.formulas.frameworks import cramer_rao, law_of, unknown_vectors
from mnlbandits.ledger.formulas.kappa_star_example import (
    EXAMPLE_BOX,
    EXAMPLE_SIZES,
    corner_entry,
    example_variance,
    variance_of_example,
)
from mnlbandits.ledger.formulas.learning import variance_below_range
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, column, vectors_box

# Eq. (2)


def star_of_choice(m: Arithmetic, scale: Number, index: str = "x_*") -> Number:
    """|1 - a/b|, a and b what Eq. (2) gives if x_* is the first or the second optimal action, `index` the x in the ratio.

    The actions are 1 and -1, theta_* = scale (1, -2, 1), rho = (0, 1, 2).
    """
    rewards = [m.number(0), m.number(1), m.number(2)]
    values = [kappa_star(m, [sign * scale, -2 * sign * scale, sign * scale], rewards) for sign in (1, -1)]
    first, second = values if index == "x_*" else [m.minimum(*values)] * 2
    return abs(m.maximum(first, second) / m.minimum(first, second) - 1)


def both_optimal(index: str = "x_*") -> bool:
    """Both actions have mean reward 1, as the outcomes of rewards 0 and 2 are equally likely; then x is what is minimised."""
    a, b = unknowns("a", "b")
    return dot(law_of([a, b, a]), [0, 1, 2]) == a / a and index == "x"


C010 = claim(
    "C010",
    Statement(
        place="Introduction, Eq. (2)",
        lines=(178, 183),
        kind="definition",
        prints=r"$\kappa_* = \min_{x \in \mathcal X_*} \frac{\lVert\rho\rVert_2^2}{\rho^\top \nabla\mu(\theta_* x_*) \rho}$ when $\rho \notin \mathbb R 1_K$, $\mathcal X_* := \arg\max_{x \in \mathcal X} \rho^\top \mu(\theta_* x)$.",
        reading=r"It is a number, whichever $x_* \in \mathcal X_*$ is meant.",
        labels=("eq:kappastar",),
    ),
    Correction(
        "misprint",
        Equality(star_of_choice, {"scale": (0.1, 5.0)}, examples=({"scale": 1.0},)),
        Equality(
            star_of_choice,
            {"scale": (0.1, 5.0)},
            fixed={"index": "x"},
            proof=Exactly(
                both_optimal, r"both actions are optimal, exactly, and the minimum over them does not depend on their order"
            ),
        ),
        r"misprint: $x$ for $x_*$; $R^2 T/\kappa_*$ then bounds the sum of variances over any sequence of optimal actions",
    ),
    domain=r"$K = 3$, $d = 1$, $\mathcal X = \{-1, 1\}$, $\theta_* = s (1, -2, 1)$, $\rho = (0, 1, 2)$: both actions are optimal; every $s > 0$, searched in $[0.1, 5]$.",
    planted={"index": "x", "mended_index": "x_*"},
    module=__name__,
)


def star_near_uniform(m: Arithmetic, K: int, u: Number, step: str = "1e-6", least: int = 10**10, **point: Number) -> Number:
    """`least` over kappa_* of rho = u 1 + step v."""
    del K
    rewards = [u + m.number(step) * entry for entry in column(point, "r")]
    return least * inverse_kappa_star(m, column(point, "z"), rewards)


def near_uniform_box(lowest: float, K: int) -> Box:
    """u from `lowest`, v in [0.1, 1]^K, logits."""
    return {"u": (lowest, 1.0), **vectors_box(z=(K, 5.0)), **{f"r{k}": (0.1, 1.0) for k in range(K)}}


def near_uniform_exactly(step: str = "1e-6", least: int = 10**10) -> bool:
    """4 K u^2/step^2 >= least for K = 2 + extra, u = 1/10 + away; Var(v) <= 1/4, rho_k = u + s v_k >= u as v_k >= 0."""
    extra, away, u, s, v = unknowns("extra", "away", "u", "s", "v")
    square = 4 * (2 + extra) * (Fraction(1, 10) + away) ** 2 - least * Fraction(step) ** 2
    return variance_below_range() and nonnegative((u + s * v) ** 2 - u**2) and nonnegative(square)


C011 = claim(
    "C011",
    Statement(
        place="Introduction, Eq. (2) and after",
        lines=(182, 185),
        kind="definition",
        prints=r"$\kappa_* = +\infty$ when $\rho \in \mathbb R 1_K$, $\mathbb R 1_K = \{u 1_K \mid u \in \mathbb R\}$. The definition of $\kappa_*$ for $\rho \in \mathbb R 1_K$ is given by a continuity extension.",
        reading=r"$\kappa_* \to \infty$ as $\rho$ tends to $u 1_K$, for every $u \ge 0$: $\kappa_* \ge 10^{10}$ at $\rho = u 1_K + 10^{-6} v$.",
        labels=("eq:kappastar",),
    ),
    Correction(
        "condition",
        Inequality(
            star_near_uniform,
            lambda K: near_uniform_box(0.0, K),
            ({"K": 2}, {"K": 3}),
            examples=({"K": 2, "u": 0.0, "z0": 0.0, "z1": 0.0, "r0": 1.0, "r1": 0.5},),
        ),
        Inequality(
            star_near_uniform,
            lambda K: near_uniform_box(0.1, K),
            ({"K": 2}, {"K": 3}),
            proof=Exactly(
                near_uniform_exactly,
                r"$\mathrm{Var}(\rho_y) = s^2 \mathrm{Var}(v_y) \le s^2/4$ and $R^2 \ge K u^2$ for $\rho = u 1_K + s v$, $v \in [0, 1]^K$, so that $\kappa_* \ge 4 K u^2/s^2$ for all $u, s > 0$, which tends to $\infty$ as $s \to 0$",
            ),
        ),
        r"for $\rho \ne 0$; at $\rho = 0$ there is no limit, as $\kappa_*(c \rho) = \kappa_*(\rho)$, and nothing depends on it, as $R = 0$ makes the leading terms $0$",
    ),
    domain=r"$\rho = u 1_K + 10^{-6} v$, $u \in [0, 1]$, as corrected $u \ge 0.1$, $v \in [0.1, 1]^K$: every $K$ and all logits; searched at $K = 2, 3$, logits in $[-5, 5]$.",
    planted={"least": 4, "mended_step": "1"},
    module=__name__,
)


# Cramer and Rao


def fisher_over_bound(m: Arithmetic, K: int, power: int = 2, **point: Number) -> Number:
    """|R^power/kappa_* - CRLB(theta_* x_*)|/R^2."""
    del K
    z, rewards = column(point, "z"), column(point, "r")
    size = m.norm(rewards)
    inverse, bound = inverse_kappa_star(m, z, rewards), cramer_rao(m, softmax(m, z), rewards)
    return abs(size**power * inverse - bound) / size**2


FISHER_CASES = ({"K": 2}, {"K": 3}, {"K": 4})
"""K that are searched."""


def fisher_exactly(power: int = 2) -> bool:
    """R^2/kappa_* = CRLB for unknown weights and rewards; for every K from the terms of the sums.

    The gradient g_k = p_k (rho_k - mean) sums to mean - mean sum_k p_k = 0, so that Pi g = g and CRLB = sum_k g_k^2/p_k.
    """
    chance, reward, mean, R = unknowns("chance", "reward", "mean", "R")
    term = (chance * (reward - mean)) ** 2 / chance == chance * (reward - mean) ** 2
    split = chance * (reward - mean) == chance * reward - mean * chance
    for K in (2, 3, 4):
        weights, rewards = unknown_vectors(e=K, r=K)
        p = law_of(weights)
        if dot(rewards, rewards) * inverse_star_of(p, rewards) != cramer_rao(RATIONALS, p, rewards):
            return False
    return term and split and R**power * (1 / R**2) == R / R


def fisher_box(K: int) -> Box:
    """Logits, and rewards away from 0."""
    return {**vectors_box(z=(K, 2.0)), **{f"r{k}": (0.05, 1.0) for k in range(K)}}


C012 = claim(
    "C012",
    Statement(
        place="Introduction; main contributions, second display; Section 2; Appendix C, first and last display",
        lines=(187, 187),
        kind="equation",
        prints=r"The quantity $\kappa_*$ coincides with the Cramér-Rao lower-bound $\kappa_* = R^2/\mathrm{CRLB}(\theta_* x_*)$.",
        reading=r"$x_*$ is that of Eq. (2), as printed, or an optimal action at which its minimum is attained, see C010; $R^2/\kappa_* = \rho^\top \nabla\mu(\theta_* x_*) \rho = \mathrm{CRLB}(\theta_* x_*)$, as lines 294, 734 and 763 have it, and $T$ rounds sum to $R^2 T/\kappa_*$ (line 231). At another optimal action the sum is at most $R^2 T/\kappa_*$, which is all that is used.",
        labels=("appendix:fisher information",),
    ),
    Equality(
        fisher_over_bound,
        fisher_box,
        FISHER_CASES,
        note=r"$R/\sqrt{\kappa_*}$ is the standard deviation of the reward at $x_*$, which adding a constant to $\rho$ does not change",
        proof=Exactly(
            fisher_exactly,
            r"as rational functions of $e^{z_k}$ and $\rho$ at $K = 2, 3, 4$, with the pseudo-inverse $\Pi\, \mathrm{diag}(1/\mu)\, \Pi$; for every $K$ as $g = \nabla\mu\, \rho$ has $1^\top g = 0$ and $g_k^2/\mu_k = \mu_k (\rho_k - \rho^\top \mu)^2$",
        ),
    ),
    domain=r"every $K$, all logits and rewards $\rho \ne 0$; searched at $K = 2, 3, 4$, logits in $[-2, 2]$, rewards in $[0.05, 1]$.",
    planted={"power": 1},
    module=__name__,
)


# How large kappa_* can be


def exponential_over_star(m: Arithmetic, K: int, S: Number, rate: int = 1) -> Number:
    """exp(rate S) over kappa_* of the example of Appendix B.2."""
    return m.exp(rate * S) * example_variance(m, K, corner_entry(m, K, S))


def star_above_exponential(rate: int = 1) -> bool:
    """1 - n a/((n a b + 1)^2 (n + 4)) >= 0, n = K - 1, b = exp(-S), a = exp(S - m) = 1/(1 + c): K/(K - 1) > 1 gives m > S."""
    n, b, c = unknowns("n", "b", "c")
    a = 1 / (1 + c)
    return (
        rate == 1
        and variance_of_example()
        and nonnegative(1 - n * a / ((n * a * b + 1) ** 2 * (n + 4)))
        and nonnegative((n + 1) / n - 1)
    )


C013 = claim(
    "C013",
    Statement(
        place="Introduction, main contributions",
        lines=(192, 192),
        kind="text",
        prints=r"In some cases, $\kappa_*$ can be as large as $\exp(S \max_{x \in \mathcal X} \lVert x \rVert_2)$.",
        reading=r"In the example of Appendix B.2, $\lVert\theta_*\rVert_F = S$ and $X = 1$, $\kappa_* \ge e^S$.",
    ),
    Inequality(
        exponential_over_star,
        EXAMPLE_BOX,
        EXAMPLE_SIZES,
        note=r"it grows like $e^{\sqrt{K/(K - 1)} S}$; nearly uniform rewards make $\kappa_*$ larger still",
        proof=Exactly(
            star_above_exponential,
            r"with $n = K - 1$ and $1/\kappa_* = \mu_1 (1 - \mu_1)/(K + 3)$, $e^S/\kappa_* = \frac{n}{n + 4} e^{S - m}/(n e^{-m} + 1)^2 \le 1$ as $m = S \sqrt{K/(K - 1)} \ge S$",
        ),
    ),
    domain=r"every $K \ge 2$ and $S > 0$; searched at $K = 2, 3, 10, 1000$, $S \in [0.01, 100]$.",
    planted={"rate": 2},
    module=__name__,
)
