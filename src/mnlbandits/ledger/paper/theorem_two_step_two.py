"""Appendix, proof of Theorem 2, Step 2: the slope at the optimum is (K + 3)/kappa_*."""

from collections.abc import Sequence

from mnlbandits.ledger.arithmetic import DIGITS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import Quotient, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.family import (
    ALL_OUTCOMES,
    first_row,
    high_reward,
    largest_epsilon,
    loss,
    member,
    member_star,
    shift,
    star,
    third_reduced,
)
from mnlbandits.ledger.formulas.softmax import slope, softmax
from mnlbandits.ledger.formulas.vectors import dot, scaled
from mnlbandits.ledger.search import Effort, vectors_box
from mnlbandits.ledger.search import column as entries_of


def curvature_difference(m: Arithmetic, K: int, d: int, share: Number, added: int = 3) -> Number:
    """|slope at x_* times kappa_*/(K + added) - 1|, kappa_* from the softmax."""
    kappa = member_star(m, member(m, K, d, share, [1] * d))
    return abs(slope(m, 1 - shift(m, m.number(K))) * kappa / (K + added) - 1)


def family_chances() -> tuple[Quotient, Quotient, Quotient]:
    """mu_1 and each of the w = K - 1 other mu_k at x_*, and w, of E = exp([M~]_1^T x_*)."""
    E, w = unknowns("E", "w")
    return E / (E + w), 1 / (E + w), w


def curvature_exactly(added: int = 3) -> bool:
    """R^2/kappa_* = (K + 3)^-1 Var, of the reward 2 with probability mu_1 and 1 with the rest, is mu_1 (1 - mu_1)/(K + 3)."""
    chance, _, w = family_chances()
    variance = 4 * chance + (1 - chance) - (2 * chance + (1 - chance)) ** 2
    return chance * (1 - chance) == variance / (w + 4) * (w + 1 + added)


C071 = claim(
    "C071",
    Statement(
        place="Appendix, proof of Theorem 2, Step 2",
        lines=(1302, 1348),
        kind="step",
        prints=r"$\mu'([\tilde M]_1^T x_* - \ln(K-1)) = (K+3)/\kappa_*(\Pi \tilde M)$.",
    ),
    Equality(
        curvature_difference,
        {"share": (1e-3, 1.0)},
        tuple({"K": K, "d": d} for K in (2, 3, 4, 5, 10, 50) for d in (2, 3)),
        share=0.1,
        note=r"$\kappa_*$ is $25.43$ for $K = 2$, $24.57$ for $K = 3$, and $K^2/e$ in the limit of large $K$",
        proof=Exactly(
            curvature_exactly, r"a rational identity in $e^{[\tilde M]_1^T x_*}$ and $K$, for all $K$, $d$ and members"
        ),
    ),
    domain=r"all $K$, $d$ and members; searched at $K = 2, \ldots, 50$, $d = 2, 3$, $v = 1$, $\kappa_*$ from the softmax",
    planted={"added": 4},
    formal="C071",
    module=__name__,
)


def second_step_sides(rho: Sequence[Number], p: Sequence[Number], scale: Number, prime: Number, four: Number) -> list:
    """Pairs of sides of the displays, scale = (K + 3)/R^2, prime = mu'; rewards and probabilities may stand for groups."""
    block = sum(
        r * a * (r - sum(s * b for s, b in zip(rho[1:], p[1:], strict=True))) for r, a in zip(rho[1:], p[1:], strict=True)
    )
    own, cross = rho[0] ** 2 * p[0] * (1 - p[0]), rho[0] * p[0] * dot(rho[1:], p[1:])
    variance = sum(r * r * a for r, a in zip(rho, p, strict=True)) - dot(rho, p) ** 2
    return [
        (variance, own + block - 2 * cross),
        (prime, scale * block),
        (four * p[0] * (1 - p[0]), scale * own),
        (four * p[0] * (1 - p[0]), 2 * scale * cross),
        (prime, scale * (block + own - 2 * cross)),
    ]


def second_step_difference(m: Arithmetic, K: int, u: Number, four: int = 4) -> Number:
    """Largest relative difference of those sides at [M~]_1^T x_* = u, which is 1."""
    rho, p = high_reward(m, K), softmax(m, [u, *[0] * (K - 1)])
    sides = second_step_sides(rho, p, K + 3, slope(m, u - shift(m, m.number(K))), four)
    return m.maximum(*(abs(left / right - 1) for left, right in sides))


def second_step_exactly(four: int = 4) -> bool:
    """The same for all K, the K - 1 outcomes of the same reward and probability as one group; R/sqrt(K + 3) = 1."""
    chance, other, w = family_chances()
    return all(
        left == right for left, right in second_step_sides([2, 1], [chance, w * other], 1, chance * (1 - chance), four)
    )


C071b = claim(
    "C071b",
    Statement(
        place="Appendix, proof of Theorem 2, Step 2, displays",
        lines=(1307, 1348),
        kind="equation",
        prints=r"$R^2/\kappa_*$ in three terms; $\mu' = \frac{K+3}{R^2} \sum_{k \ge 2} \rho_k \mu_k \sum_{i \ge 2} \rho_i (\delta_{ik} - \mu_i)$, Eq. (inside 4); $4 \mu_1 (1 - \mu_1) = \frac{K+3}{R^2} \rho_1^2 \mu_1 (1 - \mu_1) = 2 \frac{K+3}{R^2} \rho_1 \mu_1 \sum_{k \ge 2} \rho_k \mu_k$.",
        labels=("eq:inside proof lower bound 4",),
    ),
    Equality(
        second_step_difference,
        {"u": (-1.0, 1.0)},
        tuple({"K": K} for K in (2, 3, 4, 5, 10, 50)),
        share=0.1,
        proof=Exactly(
            second_step_exactly, r"rational identities, the $K - 1$ outcomes of equal reward and probability as one group"
        ),
    ),
    domain=r"all $K$, $d$, members and $x$ in place of $x_*$; searched at $K = 2, \ldots, 50$",
    planted={"four": 3},
    module=__name__,
)


def fifth_ratio(
    m: Arithmetic, K: int, d: int, share: Number, rounds: int = 1, constant: int = 64, **entries: Number
) -> Number:
    """The bound over the mean regret, over R, of arms that are played in turn; v = 1."""
    best = scaled(m, first_row(m, d, share, [1] * d), 1)
    flat = entries_of(entries, "x")
    arms = [scaled(m, flat[start : start + d], 1) for start in range(0, rounds * d, d)]
    happens = sum(int(sum(arm[i] for arm in arms) <= 0) for i in range(1, d))
    K = m.number(K)
    bound = (share * largest_epsilon(m, K, d)) ** 2 * m.sqrt(K + 3) ** 3 / (constant * star(m, K)) * happens
    regret = sum(loss(m, K, dot(best, arm)) for arm in arms) / len(arms)
    return bound / regret if happens else bound


def fifth_box(K: int, d: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Arms on the side away from x_* if there is one, anywhere if there are several."""
    del K
    box = vectors_box(x=(d * rounds, 1.0))
    if rounds == 1:
        box |= {f"x{i}": (-1.0, 0.0) for i in range(1, d)}
    return {"share": (1e-2, 1.0), **box}


def fifth_reduced(m: Arithmetic, w: Number, gap: Number, share: Number, constant: int = 64) -> Number:
    """The larger of C067b's ratio and of 6 (4 + 4 share^2)/constant, what 1 for 3/8 in C069 makes of Eq. (inside 5)."""
    return m.maximum(2 * third_reduced(m, w, gap, 6), 6 * (4 + 4 * share * share) / m.number(constant))


EXPECTED_FIFTH = Inequality(
    fifth_ratio,
    fifth_box,
    (
        {"K": 2, "d": 2, "rounds": 1},
        {"K": 10**6, "d": 2, "rounds": 1},
        {"K": 5, "d": 3, "rounds": 1},
        {"K": 10, "d": 2, "rounds": 2},
    ),
    share=0.5,
    loose=True,
    note=r"it follows with $48$ for $64$ from $1$ for $3/8$ (C069) and $\lVert [M]_1 \rVert^2 \le 8/(K+3)$ (C060), so that the factor $2$ of Eq. (inside 7), C070, does no harm",
    proof=Balls(
        fifth_reduced,
        {**ALL_OUTCOMES, "gap": (0.0, 2.0), "share": (0.0, 1.0)},
        words=r"C067b in balls for each round, for all $K$, and $\sum_t [x_* - x_t]_i^2 \ge T [x_*]_i^2$ on $A_i$ (C069, exact) with $[x_*]_i^2 = \epsilon^2/\lVert [M]_1 \rVert^2$, $\lVert [M]_1 \rVert^2 = (4 + 4\,share^2)/(K+3)$",
    ),
)
"""Eq. (inside 5) with the expectation."""


def tossed(effort: Effort, expected: bool = False) -> Finding:
    """A coin decides between x_t = x_* and x_t = e_1 in all rounds; K = d = 2, eps at its largest: [x_*]_2^2 = 1/2."""
    del effort
    m, K = DIGITS, DIGITS.number(2)
    share = m.number(1)
    lost = loss(m, K, 1 / m.sqrt(1 + share**2))
    bound = largest_epsilon(m, K, m.number(2)) ** 2 * m.sqrt(K + 3) ** 3 / (64 * star(m, K)) / 2
    left = lost / 2 if expected else 0 * lost
    return exactly(
        bool(left >= bound),
        f"at K = d = 2 and the largest eps the right side is {float(bound):.3g} R T, as the coin has P(A_2) = 1/2; Reg_T is 0 or {float(lost):.3g} R T",
        "K = 2, d = 2: a coin decides between x_t = x_* and x_t = e_1; on heads Reg_T = 0",
    )


C072 = claim(
    "C072",
    Statement(
        place="Appendix, proof of Theorem 2, Step 2, Eq. (inside 5)",
        lines=(1349, 1352),
        kind="equation",
        prints=r"$Reg_T(\tilde\theta) \ge \frac{R T \epsilon^2 (K+3)^{3/2}}{64 \kappa_*(\tilde\theta)} \sum_{i=2}^d P(A_i)$.",
        reading=r"$Reg_T$ without an expectation, as Eq. (inside 7) two displays before has it; the event with the index that C068 adds.",
        labels=("eq:inside proof lower bound 5",),
    ),
    Correction(
        "misprint",
        tossed,
        EXPECTED_FIFTH,
        "misprint: expectation on the left, as in Eq. (inside 7)",
    ),
    domain=r"printed: $K = d = 2$, the largest $\epsilon$; corrected: all $K$, $d$, members, algorithms and $T$; searched at $K = 2, \ldots, 10^6$, $d = 2, 3$, for algorithms that play one or two arms in turn",
    planted={"expected": True, "mended_constant": 8},
    module=__name__,
)
