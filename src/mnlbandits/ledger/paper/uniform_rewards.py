"""Section 3.3, after Theorems 1 and 2: uniform rewards, and what the binary lower bound gives."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Equality, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.formulas.constants import inverse_kappa_star, inverse_star_of
from mnlbandits.ledger.formulas.frameworks import law_of, unknown_vectors
from mnlbandits.ledger.formulas.softmax import sigmoid, slope, softmax
from mnlbandits.ledger.formulas.table_one import TABLE, Rate
from mnlbandits.ledger.formulas.vectors import dot, over, variance
from mnlbandits.ledger.search import Box, column, rewards_box, vectors_box

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
        note=r"of the regret of one round plus $1/\kappa_*$ to 0; the second term of Theorem 1, $\kappa (R + \nu) d^2 K^2$, stays, as $R > 0$ ($\nu$ has no value there: no action is worse than the best)",
        proof=Exactly(
            uniform_regret_exactly,
            r"rational functions of two laws and of $\rho = r 1$: $\rho^\top\mu = r \sum_k \mu_k = r$ for every law, and then every $\mu_k(\rho_k - r)^2 = 0$; $\kappa_* = +\infty$ itself is Eq. (2)",
        ),
    ),
    domain=r"every $K$; $\rho = r 1$, $r > 0$, any two actions; searched at $K = 2, 3, 5$, $r = 1$, logits in $[-20, 20]$",
    planted={"tilt": 1},
    module=__name__,
)


def vanishes(rate: Rate, shift: int) -> bool:
    r"""Whether a term is 0 at $\kappa_* = \infty$ and, of rewards shifted by their minimum, at $R = 0$; all else is positive."""
    return rate.kappa_star < 0 or (shift > 0 and rate.R > 0)


def only_vanishing(shift: int = 0) -> bool:
    """Of the multinomial rows, only ours has such a first-order term."""
    return [name for name, row in TABLE.items() if row.setting == "multinomial" and vanishes(row.first, shift)] == ["ours"]


C027 = claim(
    "C027",
    Statement(
        place="Section 3.3, after Theorem 1",
        lines=(453, 454),
        kind="text",
        prints=r"In this case, the first-order term in our regret bound vanishes, since by our definition we have $\kappa_* = +\infty$. Our result is the only one in the literature that exhibits this behavior.",
        hypotheses=r"$\rho \in \mathbb{R}\mathbf{1}_K$",
        reading="The literature: the multinomial rows of Table 1, as printed.",
    ),
    Identities(
        only_vanishing,
        r"exponents of $\kappa_*$ in the first-order terms; but every bound in $R$ holds for $\rho - \min(\rho) 1$ too, since the regret is the same (Appendix D), and then $R = 0$: a learner that subtracts $\min(\rho)$ has the property with each of the rows",
    ),
    domain=r"the multinomial rows of Table 1 as printed, $\rho = 1$, $R = \sqrt{K}$; not the literature at large",
    planted={"shift": 1},
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
C030c = claim(
    "C030c",
    Statement(
        place="Section 3.3, after Theorem 2; proof of Theorem 2, set-up",
        lines=(466, 466),
        kind="text",
        prints=r"Our probabilistic model with $K \ge 3$ differs from the binary one, thus our lower-bound is not a direct consequence of the binary case and requires a specific analysis.",
        reading=r"The binary bound gives less where the binary problem is embedded, in two groups of equal rows, whatever the rewards; other ways to use it are not examined.",
    ),
    All(
        (
            Inequality(
                transferred_bound,
                embedding_box,
                SIZES_EVEN,
                examples=[
                    {**case, "u": 1.0, **{f"r{k}": float(2 * k < case["K"]) for k in range(case["K"])}}
                    for case in SIZES_EVEN
                ],
                share=0.1,
                note=r"for even $K$ the binary problem is embedded exactly, and its lower bound $d\sqrt{T\mu'}$ becomes, for rewards 1 and 0, $R d\sqrt{T/\kappa_*}$: $\sqrt{K}$ below Theorem 2; this factor and odd $K$ are what is left to a specific analysis, see C003 and C028",
                proof=EMBEDDING_PROOF,
            ),
            Equality(embedded_law, {"u": (-10.0, 10.0)}, SIZES_EVEN, proof=EMBEDDING_PROOF),
        )
    ),
    domain=r"every even $K \ge 4$, halves of equal rows, all rewards, all $u$, the difference of the logits of the halves; searched at $K = 4, 6, 16$, $u \in [-10, 10]$, rewards in $[0, 1]$",
    planted={"power": -1},
    module=__name__,
)
