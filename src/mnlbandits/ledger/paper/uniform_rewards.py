"""Section 3.3, after Theorems 1 and 2: uniform rewards, and what the binary lower bound gives."""

from collections.abc import Sequence
from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly, not_testable
from mnlbandits.ledger.formulas.constants import inverse_kappa_star, inverse_star_of
from mnlbandits.ledger.formulas.frameworks import law_of, unknown_vectors
from mnlbandits.ledger.formulas.softmax import sigmoid, slope, softmax
from mnlbandits.ledger.formulas.table_one import TABLE, Rate
from mnlbandits.ledger.formulas.vectors import dot, over, variance
from mnlbandits.ledger.search import Box, Effort, column, rewards_box, vectors_box

SIZES_UNIFORM = [{"K": K} for K in (2, 3, 5)]

# Uniform rewards


def uniform_regret(m: Arithmetic, K: int, tilt: int = 0, **point: Number) -> Number:
    r"""Regret of an action with logits y against one with logits z, plus $1/\kappa_*$ of the latter; rewards 1, or tilted."""
    z, other = column(point, "z"), column(point, "y")
    rewards = [m.number(1 + tilt * k) for k in range(K)]
    means = [dot(rewards, softmax(m, logits)) for logits in (z, other)]
    return abs(means[0] - means[1]) + inverse_kappa_star(m, z, rewards)


def uniform_regret_exactly(tilt: int = 0) -> bool:
    """Both are 0 for rho = r 1 and any two laws.

    For every K: rho^T mu = r sum_k mu_k = r, so that each term mu_k (r - r)^2 of the variance is 0; here for two groups.
    """
    e, f, r = unknowns("e", "f", "r")
    p, q = law_of([e, f])
    mean = r * p + r * q
    if mean != r or p * (r - mean) ** 2 + q * (r - mean) ** 2 != 0:
        return False
    for case in SIZES_UNIFORM:
        first, second, (reward,) = unknown_vectors(e=case["K"], f=case["K"], r=1)
        p, q = law_of(first), law_of(second)
        rewards = [reward * (1 + tilt * k) for k in range(case["K"])]
        if dot(rewards, p) != dot(rewards, q) or inverse_star_of(p, rewards) != 0:
            return False
    return True


C026 = claim(
    "C026",
    Statement(
        place="Section 3.3, after Theorem 1",
        lines=(453, 453),
        kind="text",
        prints=r"Under uniform rewards, i.e., $\rho \in \mathbb{R}\mathbf{1}_K$, any algorithm incurs zero regret. In this case, the first-order term in our regret bound vanishes, since by our definition we have $\kappa_* = +\infty$.",
        reading=r"$1/\kappa_* = \rho^\top \nabla\mu(\theta_* x_*)\rho/R^2 = 0$.",
    ),
    Equality(
        uniform_regret,
        lambda K: vectors_box(z=(K, 20.0), y=(K, 20.0)),
        SIZES_UNIFORM,
        note=r"of the regret of one round plus $1/\kappa_*$ to 0; the second term of Theorem 1, $\kappa (R + \nu) d^2 K^2$, stays, as $R > 0$, once $\nu$ has a value (C026b)",
        proof=Exactly(
            uniform_regret_exactly,
            r"rational functions of two laws and of $\rho = r 1$: $\rho^\top\mu = r \sum_k \mu_k = r$ for every law, and then every $\mu_k(\rho_k - r)^2 = 0$; $\kappa_* = +\infty$ itself is Eq. (2)",
        ),
    ),
    domain=r"every $K$; $\rho = r 1$, $r > 0$, any two actions; searched at $K = 2, 3, 5$, $r = 1$, logits in $[-20, 20]$",
    planted={"tilt": 1},
    module=__name__,
)


# nu and the right side of Theorem 1 there


def nu_in_fractions(rows: Sequence[Sequence[Fraction]], rewards: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
    """Twice the largest difference of second moments, and the gap, of arms with these laws; None if no arm has a gap."""
    means = [dot(rewards, row) for row in rows]
    seconds = [dot([reward**2 for reward in rewards], row) for row in rows]
    others = [mean for mean in means if mean < max(means)]
    return (2 * (max(seconds) - min(seconds)), max(means) - max(others)) if others else None


LAWS_OF_TWO = ((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), (Fraction(1, 8), Fraction(3, 4), Fraction(1, 8)))
"""mu of two arms, K = 3."""


def nu_is_defined(effort: Effort, tilt: int = 0) -> Finding:
    """Whether Eq. def nu has a value at rho = (1, 1 + tilt, 1 + 2 tilt)."""
    del effort
    found = nu_in_fractions(LAWS_OF_TWO, [Fraction(1 + tilt * k) for k in range(3)])
    text = r"$K = 3$, $\rho = (1, 1, 1)$, two arms: both are optimal, the maximum over the others is one over no arm, and the numerator is $0$"
    return exactly(found is not None, text, r"$K = 3$, $\rho = (1, 1, 1)$: $\nu$ is $0$ over nothing")


def regret_without_nu(effort: Effort, tilt: int = 0) -> Finding:
    """Regret and 1/kappa_* are 0 for uniform rewards, so that any right side with R > 0 will do."""
    del effort
    text = r"$\mathrm{Reg}_T = 0$ for every $K$, at most the second term with $\nu = 0$, which is positive"
    return exactly(uniform_regret_exactly(tilt), text, "rewards that are not uniform")


C026b = claim(
    "C026b",
    Statement(
        place="Theorem 1 and Eq. def nu, at the uniform rewards of the text after Theorem 1",
        lines=(440, 454),
        kind="theorem",
        prints=r"$\nu > 0$ is a constant defined in Eq. def nu. [...] Under uniform rewards [...] the first-order term in our regret bound vanishes.",
        reading=r"The bound, $C R d \sqrt{K T/\kappa_*} \log(T/\delta) + C \kappa (R + \nu) d^2 K^2 \log^2(T/\delta)$, has a value for $\rho \in R 1_K$. A maximum over no arm is taken to have none; with $\max \emptyset := -\infty$ Eq. def nu gives $0/\infty = 0$, which is the corrected form but not $\nu > 0$.",
    ),
    Correction(
        "condition",
        nu_is_defined,
        regret_without_nu,
        r"$\nu := 0$ where all arms are optimal: then $\mathcal X \setminus \mathcal X_*$ is empty and $\nu$ a maximum of nothing; so too for other rewards if all arms are optimal, as the polygon of C154 has it",
    ),
    domain=r"$K = 3$, $\rho = (1, 1, 1)$, two arms with $\mu = (1/2, 1/4, 1/4)$ and $(1/8, 3/4, 1/8)$; corrected: every $K$, $\rho = r 1$, $r > 0$ and set of arms",
    planted={"tilt": 1, "mended_tilt": 1},
    module=__name__,
)

# The only result


def vanishes(rate: Rate, shift: int) -> bool:
    r"""Whether a term is 0 at $\kappa_* = \infty$ and, of rewards shifted by their minimum, at $R = 0$; all else is positive."""
    return rate.kappa_star < 0 or (shift > 0 and rate.R > 0)


def vanishing_rows(shift: int = 0) -> list[str]:
    """The multinomial rows of Table 1 with such a first-order term."""
    return [name for name, row in TABLE.items() if row.setting == "multinomial" and vanishes(row.first, shift)]


def only_result(effort: Effort, table: bool = False) -> Finding:
    """Decided if the literature is the multinomial rows of Table 1, as printed; else not."""
    del effort
    as_printed, shifted = vanishing_rows(), vanishing_rows(shift=1)
    if table:
        return exactly(as_printed == ["ours"], "the exponents of Table 1", "another row")
    return not_testable(
        f"it is about the literature at large, which no computation sees. Of the {len(shifted)} multinomial rows of Table 1 with a power of $R$ in the first-order term, as printed, only {', '.join(as_printed)} has a power of $1/\\kappa_*$. But the regret is the same for $\\rho - \\min(\\rho) 1$ (Appendix D), so that every bound with a factor $R$ holds with the norm of that, which is $0$ for uniform rewards: a learner that subtracts $\\min(\\rho)$ has the property with each of these rows"
    )


C027 = claim(
    "C027",
    Statement(
        place="Section 3.3, after Theorem 1",
        lines=(453, 454),
        kind="text",
        prints=r"Our result is the only one in the literature that exhibits this behavior.",
        hypotheses=r"$\rho \in R 1_K$, where the first-order term vanishes.",
    ),
    only_result,
    domain="none: the reason is an argument",
    planted={"table": True},
    unproved="no verdict: no computation sees the literature",
    module=__name__,
)


# The binary problem within the multinomial one


def halves_of(K: int, low: Number, high: Number) -> list[Number]:
    """`high` for the first half of the outcomes, `low` for the others."""
    return [high] * (K // 2) + [low] * (K // 2)


def embedded_law(m: Arithmetic, K: int, u: Number, power: int = 1) -> Number:
    r"""$\rho^\top \mu(z)$ against the sigmoid of $u$, for two halves of outcomes with logits $\pm u/2$, rewards 1 and 0."""
    return abs(dot(halves_of(K, 0, 1), softmax(m, halves_of(K, -u / 2, u / 2))) / sigmoid(m, u) - 1)


def transferred_bound(m: Arithmetic, K: int, u: Number, power: int = 1, **point: Number) -> Number:
    r"""$|m_1 - m_0|\sqrt{\mu'(u)}$ of the binary bound over $R\sqrt{K^p/\kappa_*}$ of Theorem 2, p = power.

    m_1 and m_0 are the means of the rewards of the halves. Of uniform rewards it is 0: both bounds are.
    """
    rewards = column(point, "r")
    gap = (sum(rewards[: K // 2]) - sum(rewards[K // 2 :])) / (K // 2)
    spread = variance(softmax(m, halves_of(K, -u / 2, u / 2)), rewards)
    return m.sqrt(over(gap**2 * slope(m, u), spread * m.number(K) ** power))


def embedding_exactly(power: int = 1) -> bool:
    """Groups of a and b outcomes of weights e and 1, rewards of means m1, m0 and spreads v1, v0 within the groups.

    With s, the chance of the first group, the mean reward is m0 + (m1 - m0) s and the variance rho^T grad mu rho is
    s v1 + (1 - s) v0 + (m1 - m0)^2 s (1 - s); s is the sigmoid of u + log(a/b) for e = exp(u), s (1 - s) its slope.
    """
    e, a, b, m1, m0, v1, v0 = unknowns("e", "a", "b", "m1", "m0", "v1", "v0")
    high, low = e / (a * e + b), 1 / (a * e + b)
    s, rest = a * high, b * low
    mean = high * (a * m1) + low * (b * m0)
    second = high * (a * (m1**2 + v1)) + low * (b * (m0**2 + v0))
    within = s * v1 + rest * v0
    split = mean == m0 + (m1 - m0) * s and second - mean**2 == within + (m1 - m0) ** 2 * s * rest and nonnegative(within)
    return split and s == e * a / b / (1 + e * a / b) and s + rest == e / e and power >= 0


def embedding_box(K: int) -> Box:
    """The difference of the logits of the halves, and rewards."""
    return {"u": (-10.0, 10.0), **rewards_box(K)}


SIZES_EVEN = [{"K": K} for K in (4, 6, 16)]
EMBEDDING_PROOF = Exactly(
    embedding_exactly,
    r"rational functions of $e^u$, of the sizes of the groups and of means and spreads of the rewards in them: $\rho^\top \nabla\mu\, \rho \ge (m_1 - m_0)^2 \mu'(u)$, with equality if rewards are equal in each group, so that the ratio is at most $1/\sqrt{K}$; for groups of sizes $a$ and $b$ the same with $u + \log(a/b)$",
)
EMBEDDING = All(
    (
        Inequality(
            transferred_bound,
            embedding_box,
            SIZES_EVEN,
            examples=[
                {**case, "u": 1.0, **{f"r{k}": float(2 * k < case["K"]) for k in range(case["K"])}} for case in SIZES_EVEN
            ],
            fixed={"power": 0},
            share=0.1,
            note=r"its lower bound $d \sqrt{T \mu'}$ becomes, for rewards 1 and 0, $R d \sqrt{T/\kappa_*}$, $\sqrt K$ below Theorem 2",
            proof=EMBEDDING_PROOF,
        ),
        Equality(embedded_law, {"u": (-10.0, 10.0)}, SIZES_EVEN, proof=EMBEDDING_PROOF),
    )
)


def direct_consequence(effort: Effort, embedded: bool = False) -> Finding:
    """Decided if the binary bound is used by an embedding in two groups of equal rows; else not."""
    if embedded:
        return EMBEDDING(effort)
    return not_testable(
        r"what is a direct consequence is a matter of opinion. Embedded in two groups of equal rows the binary problem gives $R d \sqrt{T/\kappa_*}$, without $\sqrt K$ (C030d); $K/2$ binary problems side by side, each known by its direction, give $\sqrt{d K}$ (C028c), which takes an analysis too"
    )


C030c = claim(
    "C030c",
    Statement(
        place="Section 3.3, after Theorem 2",
        lines=(466, 466),
        kind="text",
        prints=r"Our probabilistic model with $K \ge 3$ differs from the binary one, thus our lower-bound is not a direct consequence of the binary case and requires a specific analysis.",
    ),
    direct_consequence,
    domain="none: the reason is an argument",
    planted={"embedded": True},
    unproved="no verdict: an opinion; what of it can be computed is C030d",
    module=__name__,
)

C030d = claim(
    "C030d",
    Statement(
        place="Section 3.3, after Theorem 2",
        lines=(466, 466),
        kind="text",
        prints=r"The binary problem is embedded in that of every even $K$, in two groups of equal rows; whatever the rewards, its lower bound becomes at most $R d \sqrt{T/\kappa_*}$.",
    ),
    EMBEDDING,
    domain=r"every even $K \ge 4$, halves of equal rows, all rewards, all $u$, the difference of the logits of the halves; searched at $K = 4, 6, 16$, $u \in [-10, 10]$, rewards in $[0, 1]$",
    planted={"power": -1},
    ours=True,
    module=__name__,
)
