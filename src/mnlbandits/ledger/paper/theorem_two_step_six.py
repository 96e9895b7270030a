"""Proof of Theorem 2, Step 6: putting everything together, up to the constant."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.family import SIZES, largest_epsilon, star
from mnlbandits.ledger.formulas.family_steps import (
    AVERAGING_WORDS,
    EVENT_WORDS,
    HORIZONS,
    averaging_below,
    capped_bracket,
    chosen_eps,
    dimension_below,
    last_bracket,
)
from mnlbandits.ledger.formulas.trees import TREES, tree_at, tree_box

STEP_SIX = "Appendix, proof of Theorem 2, Step 6"


def printed_average(first: Fraction = Fraction(1, 2)) -> bool:
    r"""Whether half of the printed line, $d\,first/2 - \sqrt{(d-1)/8}\,\sqrt{KL}$, follows from the averaging."""
    return averaging_below(first / 2, Fraction(1, 8))


def averaged_events(m: Arithmetic, K: int, d: int, first: Fraction = Fraction(1, 2), **point: Number) -> Number:
    r"""The right side of the multline display over twice the average of $\sum_i P(A_i)$."""
    tree = tree_at(m, K, d, **point)
    return (d * m.number(first) - m.sqrt((d - 1) * m.maximum(tree.steps, 0) / 2)) / (2 * tree.events)


C086 = claim(
    "C086",
    Statement(
        place=f"{STEP_SIX}, multline display",
        lines=(1492, 1498),
        kind="step",
        prints=r"$\frac{2}{|\Xi|} \sum_{\theta \in \Xi} \sum_{i=2}^d P_{\tilde\theta}[A_i(M)] \ge \frac d2 - \sqrt{\frac{d-1}{2}} \sqrt{\frac{1}{|\Xi|} \sum_{\theta \in \Xi} \sum_{i=2}^d KL}$",
        reading=EVENT_WORDS
        + " What lies between Eq. (inside 8) and the display, which has the bound on the KL inserted, C093.",
    ),
    Inequality(
        averaged_events,
        tree_box,
        TREES,
        note=r"twice Eq. (inside 8) gives $\sqrt d$ for $\sqrt{(d-1)/2}$, but the printed line is true: it follows from $(d-1) - \sqrt{(d-1)/2} \sqrt{\mathrm{average\ KL}}$, see C073",
        proof=Exactly(printed_average, AVERAGING_WORDS),
        share=1 / 6,
        loose=True,
    ),
    domain=r"every algorithm, $K$ and $d \ge 2$; searched on the trees of C073",
    planted={"first": Fraction(1)},
    ours=True,
    module=__name__,
)


def inserted_root(m: Arithmetic, K: int, d: int, q: Number, eps: Number) -> Number:
    r"""$\sqrt{(d-1)/2}$ times the root in the multline display."""
    return m.sqrt((d - 1) * 8 * m.exp(2 * eps) * eps**2 * capped_bracket(K, d, q, eps) / 2)


def by_a_coin(m: Arithmetic, K: int, T: int, eps: Number, part: Fraction | int = 1) -> Number:
    r"""`part` of the right side, d = 2, over $P(A_2) = 1/2$ of a coin between the best arms of both members."""
    q = m.sqrt(T / star(m, m.number(K)))
    return part * (1 - inserted_root(m, K, 2, q, eps)) * 2


def larger_of(m: Arithmetic, first: Number, second: Number, part: Fraction = Fraction(1, 2)) -> Number:
    """`part` of twice the mean of two members' sums over the larger of them."""
    return m.number(part) * (first + second) / m.maximum(first, second)


def some_member(part: Fraction = Fraction(1, 2)) -> bool:
    """Whether the largest of 1 + `others` sums is at least `part` of twice their mean; `below` is by how much they fall short."""
    largest, others, below = unknowns("largest", "others", "below")
    return nonnegative(largest - 2 * part * (largest - below / (1 + others)))


C087 = claim(
    "C087",
    Statement(
        place=f"{STEP_SIX}, the display without a right side, and the substitution in Eq. (inside 7)",
        lines=(1499, 1509),
        kind="step",
        prints=r"If this is true for the average over $\Xi$, then some $\theta_* = \Pi M_* \in \Xi$ has $\sum_{i=2}^d P_{\theta_*}[A_i(M_*)] \ge \frac d2 - \sqrt{\frac{d-1}{2}} \left[8 \exp(2 \epsilon) \epsilon^2 \left[6 (K+3) d \sqrt{T/\kappa_*} + \frac{K+3}{4} (d-1) \epsilon^2 \left(\frac{T (K+3)}{\kappa_*} + (K+3) d \sqrt{T/\kappa_*}\right)\right]\right]^{1/2}$",
        hypotheses=r"'this' is the multline display, C093: $\frac{2}{|\Xi|} \sum_{\theta \in \Xi} \sum_{i=2}^d P_{\tilde\theta}[A_i(M)]$ is at least the same right side.",
        reading=EVENT_WORDS
        + " The right side as inserted in Eq. (inside 7); the display before, where it belongs, is printed without it. Whether the premise is true is C093.",
    ),
    Correction(
        "constant",
        Inequality(
            by_a_coin,
            lambda K, T: {"eps": (1e-4, float(largest_epsilon(FLOATS, K, 2)))},
            ({"K": 2, "T": 102}, {"K": 2, "T": 10**4}, {"K": 10, "T": 10**4}),
            examples=({"K": 2, "T": 102, "eps": 0.001},),
            note=r"$d = 2$; one coin decides which of the two best arms is played in all rounds, so that $P(A_2) = 1/2$ under both members and the premise is true, $1 \ge 0.978$, but $1/2 < 0.978$; $T \ge 4 \kappa_* = 101.7$, and the regret, near $10^{-5} R$, is below the cap. At the $\epsilon$ of Step 6, $c = 0.01$, the right side is $0.285$ at $T = 102$ and below $0.307$ at every $T$, so that this coin says nothing there",
        ),
        Inequality(
            larger_of,
            {"first": (1e-3, 1.0), "second": (1e-3, 1.0)},
            share=0.2,
            proof=Exactly(some_member, "the largest of any number of sums is at least their mean, over unknowns"),
        ),
        r"half of the right side, as the averaged display has $2 \sum P(A_i)$: the final constant loses a factor 2, no rate changes",
    ),
    domain=r"printed: $d = 2$, $K = 2$ and $10$, $T = 102$ and $10^4$, at least $4 \kappa_*$, all $\epsilon$ of the range from $10^{-4}$ on, one algorithm; mended: every algorithm, $K$, $d$, $T$ and $\epsilon$",
    planted={"part": Fraction(1, 2), "mended_part": 1},
    module=__name__,
)


def dimension_out(m: Arithmetic, K: int, d: int, surplus: Number, part: Fraction = Fraction(1, 2)) -> Number:
    r"""The root of the first line over `part` d times that of the second, c = 0.01."""
    left, root = roots_of_lines(m, K, d, surplus)
    return left / (part * d * root)


def roots_of_lines(m: Arithmetic, K: int, d: int, surplus: Number) -> tuple[Number, Number]:
    r"""$\sqrt{(d-1)/2}$ times the root of the first line, and the root of the second without d/2."""
    q = d * m.exp(surplus)
    eps = chosen_eps(m, K, q, m.number("0.01"))
    return inserted_root(m, K, d, q, eps), m.sqrt(8 * m.exp(2 * eps) * last_bracket(K, d, q, eps))


def dimension_kept(m: Arithmetic, K: int, d: int, surplus: Number, first: Fraction | int = 1) -> Number:
    """The second line over the first, with first (d - 1) for d/2 as the first term of the first."""
    left, root = roots_of_lines(m, K, d, surplus)
    return d * (1 - root) / 2 / (m.number(first) * (d - 1) - left)


def dimensions_kept(first: Fraction | int = 1) -> bool:
    """Whether it follows for the first term that the averaging gives."""
    return first >= 1 and dimension_below()


DIMENSIONS = (*SIZES, {"K": 2, "d": 3}, {"K": 2, "d": 1000})

C088 = claim(
    "C088",
    Statement(
        place=f"{STEP_SIX}, second line of the display after the substitution",
        lines=(1509, 1510),
        kind="step",
        prints=r"$\sqrt{\frac{d-1}{2}} \left[8 e^{2 \epsilon} \epsilon^2 (6 (K+3) d q + ..)\right]^{1/2} \le \frac d2 \left[8 e^{2 \epsilon} (6 \epsilon^2 (K+3) q + ..)\right]^{1/2}$, $q = \sqrt{T/\kappa_*}$",
    ),
    Correction(
        "constant",
        Inequality(
            dimension_out,
            HORIZONS,
            DIMENSIONS,
            examples=({"K": 2, "d": 3, "surplus": 0.0},),
            note=r"the ratio is at most $\sqrt{2 (d-1)/d}$, 1 for $d = 2$",
            share=0.5,
        ),
        Inequality(
            dimension_kept,
            HORIZONS,
            DIMENSIONS,
            share=0.5,
            proof=Exactly(
                dimensions_kept,
                r"left $\le$ root $\sqrt{d (d-1)/2}$, root $\le 1$ in balls, over unknown $d$, $q$, $\epsilon^2 (K+3)$",
            ),
        ),
        r"a constant: with $d - 1$ for $d/2$ as the first term, as the averaging gives (C073), the second line is true",
    ),
    domain=r"$K = 2..10^6$, $d = 2..1000$, $\ln(\sqrt{T/\kappa_*}/d) \in [0, 20]$, $\epsilon$ as chosen with $c = 0.01$; mended: all $K, d \ge 2$, $T \ge d^2 \kappa_*$",
    planted={"part": 1, "mended_first": Fraction(3, 5)},
    module=__name__,
)
