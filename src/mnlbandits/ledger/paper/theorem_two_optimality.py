"""After Theorem 2: the binary case, what the two theorems imply together, and whether kappa_* is the right constant."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.family import (
    MENDED,
    MENDED_SIZES,
    against,
    mean_exp,
    member,
    member_star,
    mended_constant,
    unit_row_exactly,
)
from mnlbandits.ledger.formulas.pairs import best_arm, hypotheses_of, pair_rewards, pair_rows
from mnlbandits.ledger.formulas.pairs_bound import SPREAD_BOX, UNIFORM_CASES, nu_reduced, uniform_box, uniform_ratio
from mnlbandits.ledger.formulas.pairs_steps import pair_steps
from mnlbandits.ledger.formulas.softmax import sigmoid, softmax
from mnlbandits.ledger.formulas.vectors import dot, variance
from mnlbandits.ledger.prove import Certificate
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.shared import LOWER_BOUND_PROOF


def copies_difference(m: Arithmetic, K: int, u: Number, power: int = 1) -> Number:
    """How far kappa_* is from (K/2)^power times, and a loss over R from (K/2)^(-power/2) times, that of K = 2.

    Half of the outcomes have the logit u/2 and the reward 2, the others -u/2 and 1; the loss is against the logits 0.
    """
    found = []
    for n in (1, K // 2):
        rho = [m.number(2)] * n + [m.number(1)] * n
        law, other = (softmax(m, [half] * n + [-half] * n) for half in (u / 2, 0 * u))
        square = dot(rho, rho)
        found.append((square / variance(law, rho), (dot(rho, law) - dot(rho, other)) / m.sqrt(square)))
    (star, lost), (star_K, lost_K) = found
    times = m.number(Fraction(K, 2)) ** power
    return m.maximum(abs(star_K / star / times - 1), abs(lost_K / lost * m.sqrt(times) - 1))


def copies_exactly(power: int = 1) -> bool:
    """n = K/2 copies of both outcomes, e = exp(u): mean and variance are those of n = 1, and R^2 is n^power times 5."""
    e, n = unknowns("e", "n")
    high, low = e / (n * (e + 1)), 1 / (n * (e + 1))
    mean, second = n * high * 2 + n * low, n * high * 4 + n * low
    return mean == (2 * e + 1) / (e + 1) and second - mean**2 == e / (e + 1) ** 2 and n * (2**2 + 1) == 5 * n**power


C030e = claim(
    "C030e",
    Statement(
        place="After Theorem 2",
        lines=(466, 466),
        kind="text",
        prints=rf"For even $K \ge 4$ let $K/2$ outcomes have the row $u/2$ and the reward $2 r$, the others $-u/2$ and $r$. The rewards are those of the instance $u$ of $K = 2$; $\kappa_*$ is $K/2$ times and the regret over $R$ $\sqrt{{2/K}}$ times as large, so that $E\,Reg_T \ge R d \sqrt{{T/\kappa_*}}/{MENDED}$ for $K$ follows from the case $K = 2$.",
        hypotheses=r"$T \ge d^2 \kappa_*$, which is $K/2$ times what $K = 2$ needs.",
    ),
    Equality(
        copies_difference,
        {"u": (0.1, 10.0)},
        ({"K": 4}, {"K": 6}, {"K": 50}),
        share=0.1,
        proof=Exactly(copies_exactly, r"rational functions of $e^u$ and $K/2$"),
    ),
    domain=r"all even $K$ and all arms; searched at $K = 4, 6, 50$, $u^T x \in [0.1, 10]$; a factor $\sqrt K$ with a universal $c$ does not follow so, see C030d",
    planted={"power": 2},
    ours=True,
    module=__name__,
)


FIXED_SPACING = Fraction(1, 10)
"""Angle between the arms of a grid that does not depend on T."""


def leading_share(m: Arithmetic, y: Number, c: Number = Fraction(1, 100), fixed_grid: bool = False) -> Number:
    """R d sqrt(K T/kappa_*) over kappa (R + nu) d^2 K^2 at K = d = 2, R = 1, y = sqrt(kappa_*/T); universal constants left out.

    The arms are at odd multiples of alpha to e_1, so that x_* of both members is among them, tan(alpha)^2 = c y/4, and at -e_1. nu = 6/sqrt 5 times the range of P(1|x) over its gap, that of 1 - cos(2 alpha) = 2 sin(alpha)^2 =: x.
    """
    square = m.number(c) * y / 4
    if fixed_grid:
        x = 1 - m.cos(m.number(FIXED_SPACING))
        inverse = y / x
    else:
        x, inverse = 2 * square / (1 + square), 2 * (1 + square) / m.number(c)
    spread = sigmoid(m, m.number(1)) - sigmoid(m, -1 / m.sqrt(1 + square))
    gap = mean_exp(m, x) / ((1 + m.exp(x - 1)) * (1 + m.e))
    nu_share = 6 / m.sqrt(m.number(5)) * spread * inverse / gap
    return 2 * m.sqrt(m.number(2)) / ((1 + m.cosh(m.number(1))) * (y + nu_share) * 16)


LOWER_ORDER = Balls(
    leading_share, {"y": (0.0, 0.01)}, words=r"in $\sqrt{\kappa_*/T} \in [0, 0.01]$, so for all $T \ge 10^4 \kappa_*$"
)
"""That the leading term of Theorem 1 is the smaller one for all these T."""


def optimality_check(effort: Effort, fixed_grid: bool = False) -> Finding:
    """Whether the term with nu is of lower order on the instances of Theorem 2, on a grid that holds x_* of both members."""
    del effort
    found = LOWER_ORDER(fixed_grid=fixed_grid)
    times = 1 / leading_share(FLOATS, 1e-6, fixed_grid=fixed_grid)
    return exactly(
        not isinstance(found, Certificate),
        rf"this is about what the two theorems imply together, not about the algorithm, which may well be optimal there; Theorem 1 is for finite $\mathcal X$, and on the sphere of Theorem 2 the gap is $0$ and $\nu$ infinite; on a grid just fine enough to hold $x_*$ of both members $\nu$ grows like $\sqrt T$, so that $\kappa (R + \nu) d^2 K^2$ is of the same order in $T$ as $R d \sqrt{{K T/\kappa_*}}$: {times:.3g} times as large at $T = 10^{{12}} \kappa_*$, and larger at every $T$ ({found}), with the proof's $c$, without universal constants and logarithms; on a grid that does not depend on $T$ it is of lower order, but the $x_*$ of the proof is not on it; the leading terms agree in $R$, $d$, $T$ and $\kappa_*$, see C028b and C028d for $K$",
        "K = 2, d = 2: on the sphere, the arms of Theorem 2, nu is infinite",
    )


def pairs_nu(m: Arithmetic, K: int, d: int, gap: Number, most: Fraction = Fraction(41, 10)) -> Number:
    """nu over `most` r, of the first hypothesis at Delta = `gap`; the actions are the best arms of all hypotheses; K even."""
    hypotheses, rho = hypotheses_of(K, d), pair_rewards(m, K)
    rows = pair_rows(m, K, d, gap, hypotheses[0])
    laws = [softmax(m, [dot(row, best_arm(m, K, d, each)) for row in rows]) for each in hypotheses]
    means = [dot(rho, law) for law in laws]
    squares = [sum(r * r * p for r, p in zip(rho, law, strict=True)) for law in laws]
    spread = m.maximum(*squares) - m.minimum(*squares)
    return 2 * spread / (means[0] - m.maximum(*means[1:])) / (m.number(most) * rho[0])


FINITE_MENDED = Inequality(
    pairs_nu,
    {"gap": (1e-3, 0.486)},
    tuple({"K": K, "d": d} for K, d in ((4, 2), (6, 2), (10, 2), (4, 3), (6, 4))),
    share=0.1,
    note=r"left is $\nu$, right $4.1\,r$, gap $= \Delta$",
    proof=Together(
        (
            Balls(nu_reduced, SPREAD_BOX, words=r"in $\Delta/2$, for all even $K \ge 4$, all $d$ and $T$"),
            Balls(uniform_ratio, uniform_box, UNIFORM_CASES, words="the lower bound of C028c"),
            Exactly(pair_steps, "with the steps of C028e"),
        )
    ),
)
"""nu is bounded on the finite set of the best arms of all hypotheses, whatever T."""

FINITE_WORDS = (
    r"for bounded $d$ and up to logarithms, and with a finite $\mathcal X$: on the instances of C028c, with the best arms of all hypotheses as $\mathcal X$ (which does not depend on $T$), "
    r"$\nu \le 4.1 r \le 4.1 R$, so that $\kappa (R + \nu) d^2 K^2 \log^2(T/\delta)$ is of lower order in $T$, and $E\,Reg_T \ge R \sqrt{d K T/\kappa_*}/25$, $T$ first; "
    r"the leading term of Theorem 1 as printed, $R d \sqrt{K T/\kappa_*} \log(T/\delta)$, is $\sqrt d$ and a logarithm from it, and the one that is proved has $K$ and $1 + S/\sqrt{\log(T/\delta)}$ (C156, C157), so that, with $K$, $d$ and $S$ fixed as $T$ grows, up to logarithms a factor $\sqrt K$ stays; $S$ of these instances grows with $K$"
)
"""How the two theorems match."""


C031 = claim(
    "C031",
    Statement(
        place="After Theorem 2; conclusion",
        lines=(469, 469),
        kind="text",
        prints=r"Our result demonstrates that the proposed algorithm is minimax-optimal.",
        reading=r"Theorem 1 applies to the instances of Theorem 2, its term $\kappa (R + \nu) d^2 K^2$ is of lower order there, and the two match up to logarithms.",
    ),
    Correction("condition", optimality_check, FINITE_MENDED, FINITE_WORDS),
    domain=r"printed: $K = d = 2$; the sphere, and grids on it just fine enough to hold $x_*$ of both members, with $-e_1$; all $T \ge 10^4 \kappa_*$; corrected: all even $K \ge 4$, all $d \ge 2$ and $T \ge d^2 k_0$; searched at $K = 4, 6, 10$, $d = 2, 3, 4$",
    planted={"fixed_grid": True, "mended_most": 2},
    module=__name__,
)


def several_stars(effort: Effort, free_norm: bool = False) -> Finding:
    """Whether kappa_* varies over the family at fixed K; with `free_norm` [M~]_1 has norms 1, 2 and 4."""
    del effort
    rows = [member(DIGITS, 2, 2, DIGITS.number(1), [1, sign]) for sign in (1, -1)]
    values = [member_star(DIGITS, row * norm) for row in rows for norm in ((1, 2, 4) if free_norm else (1,))]
    spread = float(DIGITS.log(max(values) / min(values)))
    return exactly(
        free_norm or not unit_row_exactly(),
        rf"$\ln \kappa_*$ varies by {spread:.2g} over members with $K = 2$; exactly, $[\tilde M]_1^T x_* = \lVert [\tilde M]_1 \rVert = 1$ for all $v$ and $\epsilon$, so $\kappa_* = (K+3)/\mu'(1 - \ln(K-1))$ depends on $K$ alone and a power of $\kappa_*$ cannot be told from one of $K$: $R d \sqrt{{K T/\kappa_*}}$ is of the order of $R d \sqrt{{T/K}}$",
        "K = 2: kappa_* = 25.43 on every instance",
    )


def free_norm_ratio(m: Arithmetic, K: Number, d: Number, norm: Number, surplus: Number, constant: int = MENDED) -> Number:
    """3/constant over the constant of the mended chain at ||[M~]_1|| = norm, surplus = ln(sqrt(T/kappa_*)/(norm d))."""
    cap = m.number(3) / constant
    return against(cap, mended_constant(m, K, d, d * norm * m.exp(surplus), norm, cap=cap))


C032 = claim(
    "C032",
    Statement(
        place="After Theorem 2",
        lines=(469, 469),
        kind="text",
        prints=r"Our choice of the non-linearity constant $\kappa_*$ is itself optimal.",
        reading=r"The instances of the lower bound have several $\kappa_*$ for one $K$, and on them it falls like $\kappa_*^{-1/2}$, up to logarithms, as line 574 has it.",
    ),
    Correction(
        "condition",
        several_stars,
        Inequality(
            free_norm_ratio,
            {"norm": (1.0, 60.0), "surplus": (0.0, 40.0)},
            MENDED_SIZES,
            share=0.5,
            proof=LOWER_BOUND_PROOF,
        ),
        rf"the proof extends: leave $\lVert [\tilde M]_1 \rVert = b \ge 1$ free, then $\kappa_* = (K+3)/\mu'(b - \ln(K-1))$ grows like $e^b$ for large $b$, and for $T \ge (b d)^2 \kappa_*$ $E\,Reg_T \ge 3 R d \sqrt{{T/\kappa_*}}/({MENDED} (1 + 2b))$, the power $1/2$ of $\kappa_*$ up to its logarithm; surplus $= \ln(\sqrt{{T/\kappa_*}}/(b d))$",
    ),
    domain=r"printed: all $K$, $d$, $v$ and $\epsilon$, exactly; corrected: all $K, d \ge 2$ and $b = \lVert [\tilde M]_1 \rVert \ge 1$",
    planted={"free_norm": True, "mended_constant": 200},
    module=__name__,
)
