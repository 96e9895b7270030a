"""Theorem 2, the order of its quantifiers, and the text after it."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import All, Balls, Correction, Exactly, Identities, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.family import (
    MENDED,
    MENDED_OUTCOMES,
    MENDED_SIZES,
    MENDED_TEXT,
    mended_ratio,
    rise,
    shift,
)
from mnlbandits.ledger.formulas.pairs_bound import (
    LINE_BOX,
    PAIR_HORIZONS,
    PAIR_SIZES,
    UNIFORM_CASES,
    UNIFORM_WORDS,
    line_ratio,
    pairs_ratio,
    uniform_box,
    uniform_ratio,
)
from mnlbandits.ledger.formulas.pairs_steps import pair_steps
from mnlbandits.ledger.formulas.softmax import sigmoid, slope
from mnlbandits.ledger.formulas.vectors import dot, variance
from mnlbandits.ledger.prove import Certificate
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.shared import LOWER_BOUND_PROOF

MENDED_THEOREM = Inequality(
    mended_ratio,
    {"surplus": (0.0, 60.0)},
    MENDED_SIZES,
    share=0.5,
    note=rf"left is $1/{MENDED}$, right the constant that these steps give, surplus $= \ln(\sqrt{{T/\kappa_*}}/d)$",
    proof=LOWER_BOUND_PROOF,
)
"""The corrected bound."""

ROOT_BOUND = Inequality(
    pairs_ratio,
    PAIR_HORIZONS,
    PAIR_SIZES,
    share=0.2,
    note=r"on the pairs of C028c: left is $c$, right $c(K, d)$, surplus $= \ln(T/(d^2 k_0))$",
    proof=Together(
        (Balls(uniform_ratio, uniform_box, UNIFORM_CASES, words=UNIFORM_WORDS), Exactly(pair_steps, "with C028c"))
    ),
)
"""The bound with sqrt K."""


LINE = Inequality(
    line_ratio,
    LINE_BOX,
    share=0.2,
    proof=Together(
        (
            Balls(
                line_ratio,
                LINE_BOX,
                words=r"$d = 1$, in $\Delta/2 = 1/(2 \sqrt T) \in [0, 1/2]$, so for all $K \ge 2$ and $T \ge 1$",
            ),
            Exactly(pair_steps, "the steps of C028e, with the weight $w = 1$"),
        )
    ),
)
"""d = 1: two actions and two instances, all pairs of outcomes moved apart."""

C028f = claim(
    "C028f",
    Statement(
        place="Section 3.3, before Theorem 2",
        lines=(456, 456),
        kind="text",
        prints=r"For any $K \ge 2$, dimension $d \ge 1$, algorithm and $T \ge d^2 \kappa_*$ some instance has $E\,Reg_T \ge c R d \sqrt{T/\kappa_*}$, $c > 0$ universal.",
        reading=r"What the sentence of line 456 says with $T$ first; with the order of the theorem that it announces it is C027b. Theorem 2 has $d \ge 2$; for $d = 1$ and $\mathcal X = \{-1, 1\}$ it is true as well, with another instance.",
    ),
    All((MENDED_THEOREM, LINE)),
    domain=r"all $K \ge 2$ and $d \ge 1$, every algorithm, all $T \ge d^2 \kappa_*$",
    planted={"constant": 5},
    ours=True,
    module=__name__,
)

STEEPEST = Fraction(2, 3)
"""More than b sqrt(mu'(b)) for every b."""


def cap_angle(m: Arithmetic, T: Number, constant: int = 25000) -> Number:
    """h_T, half the angle of the cap around the arm of horizon T in which its regret is below the bound."""
    return (
        m.number("0.99") * m.sqrt(4 * m.sqrt(m.number(2)) / (constant * m.number(STEEPEST))) * m.power(T, m.number("-0.25"))
    )


def cap_regret(m: Arithmetic, b: Number, constant: int = 25000) -> Number:
    """Reg_T over R d sqrt(K T/kappa_*)/constant on the rim of the cap, for every T >= 4 kappa_*, K = d = 2, b = ||theta_1 - theta_2||.

    The rim is b (1 - cos h_T) <= b h_T^2/2 =: x below b, a round loses at most mu'(b) e^x x R/sqrt 5, and x is largest at
    T = 4 kappa_* = 20/mu'(b).
    """
    square = cap_angle(m, m.number(1), constant) ** 2
    prime = slope(m, b)
    furthest = b * square * m.sqrt(prime / 20) / 2
    regret = b * square * prime * m.exp(furthest) / 2 / m.sqrt(m.number(5))
    return regret * constant * m.sqrt(5 / prime) / (2 * m.sqrt(m.number(2)))


def rim_ratio(m: Arithmetic, b: Number, T: Number, angle: Number, constant: int = 25000) -> Number:
    """Reg_T over the bound, K = d = 2, if the arm at this angle to x_* is played in all T rounds."""
    lost = rise(m, b, b - 2 * b * m.sin(angle / 2) ** 2) / m.sqrt(m.number(5))
    return T * lost * constant / (2 * m.sqrt(2 * T * slope(m, b) / 5))


def cap_reduced_to_slope(m: Arithmetic, y: Number, part: Number | int = 1, constant: int = 25000) -> Number:
    """`cap_regret` in y = b sqrt(mu'(b)); with part < 1 for the smaller constant part/constant, h_T in proportion to its root."""
    square = cap_angle(m, m.number(1), constant) ** 2
    return constant * square * y * m.exp(part * square * y / (2 * m.sqrt(m.number(20)))) / (4 * m.sqrt(m.number(2)))


def slope_by_distance(m: Arithmetic, b: Number) -> Number:
    """b sqrt(mu'(b)) over STEEPEST."""
    return b * m.sqrt(slope(m, b)) / m.number(STEEPEST)


CAPS = Together(
    (
        Balls(
            slope_by_distance,
            {"b": (0.0, 40.0)},
            words=r"$y = b \sqrt{\mu'(b)} \le 2/3$, in $b = \lVert \theta_1 - \theta_2 \rVert \le 40$; beyond, $y \le b e^{-b/2}$ decreases",
        ),
        Balls(cap_reduced_to_slope, {"y": (0.0, 0.6667), "part": (0.0, 1.0)}, words=r"in $y$ and $25000\,c$"),
    )
)
"""That the regret is below the bound on every cap, for all b and every constant c <= 1/25000."""


def order_check(effort: Effort, instance_first: bool = True) -> Finding:
    """Play the arm a_T in all T rounds, caps of half-angle h_T around a_T side by side: some T suits any instance."""
    del effort
    if not instance_first:
        least = min(rim_ratio(DIGITS, DIGITS.number(b), 20 / slope(DIGITS, DIGITS.number(b)), DIGITS.pi) for b in (1, 2, 4))
        return exactly(
            bool(least >= 1),
            f"with T first, the instance opposite to the arm has regret {float(least):.3g} times the bound",
            "a_T",
        )
    found = CAPS()
    worst = max(float(cap_regret(FLOATS, b / 10)) for b in range(1, 400))
    return exactly(
        not isinstance(found, Certificate),
        rf"for every instance with $K = d = 2$ there is a $T \ge d^2 \kappa_*$ with $Reg_T \le {worst:.3g}\, R d \sqrt{{K T/\kappa_*}}/25000$: the caps of half-angle $h_T$ around $a_T$ touch, and $\sum_T h_T = \infty$, so that they cover the circle beyond every $T$, again and again; {found}; so for every smaller constant $c$, with $h_T$ in proportion to $\sqrt c$; the same for $d \le 5$, as $\sum_T T^{{-(d-1)/4}}$ diverges, is not shown here, nor are larger $d$ and algorithms that are not told $T$; a slip in the order only: the proof takes $T$ first, as its $\epsilon$ depends on $T$",
        "K = 2, d = 2: play the arm at angle a_T, a_(T+1) = a_T + h_T + h_(T+1), h_T = 0.0182 T^(-1/4), in all T rounds",
        ratio=1 / worst,
    )


ORDER_WORDS = (
    rf"$T$ before the instance, and an expectation on the regret: then the printed bound holds, with $1/25000$, for $K \le {MENDED_OUTCOMES}$ or $d \le 7.8 \cdot 10^7$ (C028b); beyond, where the printed rate is open (C028d), "
    rf"$E\,Reg_T \ge R \sqrt{{T/\kappa_*}} \max(d/{MENDED}, c \sqrt{{d K}})$ for all $K$ and $d$, $c = 1/19$ for $d = 2$ and $1/25$ for $d \ge 3$ (not for $K \le 3$, $d = 2$), each term on instances of its own (C028, C028c); {MENDED_TEXT}"
)
"""How the order is mended."""

C029 = claim(
    "C029",
    Statement(
        place="Theorem 2",
        lines=(458, 464),
        kind="theorem",
        prints=r"For all $K \ge 2$, $d \ge 2$ and any algorithm, there exist $\theta_* \in \Pi R^{K \times d}$ and $\rho \in R^K_+$ with $\rho \notin R 1_K$ such that for $\mathcal X = S_1(R^d)$ and for any $T \ge d^2 \kappa_*$, $Reg_T \ge \Omega(R d \sqrt{K T/\kappa_*})$.",
        reading=r"In the order that is printed, as the theorem spells it out; with $T$ first it is C028b and, open, C028d. $Reg_T$ as its expectation, which the last display of the proof has: without it an arm that is drawn at random and then played in all rounds is near the best one with a positive probability on every instance.",
        quantifiers=r"for all $K, d$ and every algorithm there are $\theta_*$ and $\rho$ such that for all $T \ge d^2 \kappa_*$: the instance before $T$",
        labels=("thm:lower bound",),
    ),
    Correction("condition", order_check, All((MENDED_THEOREM, ROOT_BOUND)), ORDER_WORDS),
    domain=r"printed: $K = d = 2$, every $\theta_*$ (direction and $\lVert \theta_1 - \theta_2 \rVert$), $\rho$ of the proof (for $K = 2$ another one scales both sides alike); every constant $c \le 1/25000$, so that none does; an algorithm that is told $T$, as REAL is, and plays one arm, at the angle $a_T$, in all $T$ rounds; corrected: all $K, d \ge 2$ and $T \ge d^2 \kappa_*$, the printed rate for $K$ or $d$ as bounded in C028b",
    planted={"instance_first": False, "mended_constant": 200},
    module=__name__,
)


def not_binary(effort: Effort, offset: int = -1) -> Finding:
    """P(1|x_*) + P(1|-x_*) - 1 = E (1 - w^2)/((E + w)(1 + w E)), E = e, w = K - 1: 0 for K = 2 only."""
    del effort
    E, w = unknowns("E", "w")
    level = w ** (-offset)
    excess = E / (E + level) + 1 / (1 + level * E) - 1
    K = DIGITS.number(3)
    third = sum(sigmoid(DIGITS, sign + offset * shift(DIGITS, K)) for sign in (1, -1)) - 1
    return exactly(
        excess == E * (1 - w) * (1 + w) / ((E + w) * (1 + w * E)),
        rf"$P(1|x_*) + P(1|-x_*) - 1 = e (1 - (K-1)^2)/((e + K - 1)(1 + (K-1) e))$ as rational functions, so $0$ for $K = 2$ only ({float(third):.3g} for $K = 3$); with an intercept, $-\ln(K - 1)$, the rewards are those of a binary bandit, as the proof says",
        "K = 3, x = x_*",
    )


C030 = claim(
    "C030",
    Statement(
        place="After Theorem 2; Appendix, proof of Theorem 2, set-up",
        lines=(466, 466),
        kind="text",
        prints=r"Our probabilistic model with $K \ge 3$ differs from the binary one [..]",
        reading=r"The premise only, on the instances of the proof: for $K \ge 3$ the rewards on $\Pi \tilde M$ are not those of a binary logistic bandit without intercept, where $P(1|x) + P(1|-x) = 1$. What the sentence concludes from it, 'thus our lower-bound is not a direct consequence of the binary case', is C030c; Theorem 2 leaves the instance free, and for even $K$ the bound without $\sqrt K$ does follow from the case $K = 2$, see C030e.",
    ),
    not_binary,
    domain=r"all $K \ge 2$ and members, $x = x_*$; for $K = 2$ the sum is $1$ and the instance is binary",
    planted={"offset": 0},
    module=__name__,
)


def uniform_rewards(high: int = 1) -> bool:
    """Mean and variance of the rewards (high, 1, ..., 1), outcomes 2..K, of exponentials that sum to `rest`, as one."""
    first, rest = unknowns("first", "rest")
    p, rho = [first / (first + rest), rest / (first + rest)], [high, 1]
    return dot(p, rho) == 1 and variance(p, rho) == 0


C030b = claim(
    "C030b",
    Statement(
        place="After Theorem 2",
        lines=(467, 467),
        kind="text",
        prints=r"For a uniform reward the regret of any algorithm is $Reg_T = 0$ and $1/\kappa_* = 0$; we consider $\rho \notin R 1_K$.",
    ),
    Identities(
        uniform_rewards,
        r"for $\rho = 1$, any other $\rho \in R 1_K$ being a multiple, the mean reward is $1$ and $\rho^T \nabla\mu(z) \rho = 0$ for all $z$, as rational functions of $e^{z_1}$ and $\sum_{k \ge 2} e^{z_k}$",
    ),
    domain=r"all $K \ge 2$, $d$, $\theta_*$ and arms",
    planted={"high": 2},
    module=__name__,
)
