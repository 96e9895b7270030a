"""Appendix, proof of Theorem 2, Step 1: the events A_i, Lemma 3 of Abeille et al., and Eq. (inside 7)."""

import itertools
from fractions import Fraction
from functools import partial
from math import nan

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import LOOSE, Finding, exactly
from mnlbandits.ledger.formulas.family import SIZES, largest_epsilon
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Effort, column


def neither_event(dim: int, mean: list[Fraction], only_i: bool) -> list[int]:
    """The i >= 2 for which neither A_i nor A_i of the flipped member happens; [x_* - e_1]_i is positive for one of them."""
    rest = [int(j == 0) - entry for j, entry in enumerate(mean)]
    seen = {i: [rest[i]] if only_i else rest for i in range(1, dim)}
    return [i for i, entries in seen.items() if min(entries) < 0 < max(entries)]


def event_check(effort: Effort, subscript: bool = False) -> Finding:
    """The event with its second bracket as a vector, all of whose entries are to have the sign, or its entry i."""
    del effort
    grid = [Fraction(k, 2) for k in (-1, 0, 1)]
    means = [list(mean) for dim in (2, 3) for mean in itertools.product(grid, repeat=dim) if dot(mean, mean) <= 1]
    missed = [mean for mean in [[Fraction(0), Fraction(1, 2)], *means] if neither_event(len(mean), mean, subscript)]
    words = "one of the two happens for every number $[x_*(\\theta_0) - \\bar x]_i$, as it is $\\ge 0$ or $\\le 0$"
    if not missed:
        return exactly(True, f"{words}; {len(means)} means in exact arithmetic")
    shown = ", ".join(map(str, missed[0]))
    return exactly(
        False,
        f"neither event happens for {len(missed) - 1} of {len(means)} means, in exact arithmetic",
        f"d = {len(missed[0])}, i = 2, mean of x_t = ({shown}): neither happens",
    )


C068 = claim(
    "C068",
    Statement(
        place="Appendix, proof of Theorem 2, Step 1, definition of A_i",
        lines=(1285, 1288),
        kind="definition",
        prints=r"$A_i(\theta) := \{[x_*(\theta) - x_*(\theta_0)]_i \cdot [x_*(\theta_0) - \frac1T \sum_t x_t] \ge 0\}$.",
        reading=r"The vector with all its entries; of $A_i(\theta)$ and $A_i(Flip_i\,\theta)$ one always happens, as Lemma 4 needs.",
    ),
    Correction(
        "misprint",
        event_check,
        partial(event_check, subscript=True),
        "misprint: the second bracket has index $i$ as well, as Lemma 3 and Lemma 4 use it",
    ),
    domain=r"printed: $d = 2$, exactly; corrected: all $d$, $i \ge 2$ and means of $x_t$, by the three signs of one number",
    planted={"subscript": True, "mended_subscript": False},
    module=__name__,
)


def third_lemma_ratio(m: Arithmetic, best: Number, constant: Number = Fraction(3, 8), **entries: Number) -> Number:
    """constant [x_*]_i^2 over the mean of [x_* - x_t]_i^2, where the mean of [x_t]_i is at most 0."""
    plays = column(entries, "x")
    mean = sum(plays) / len(plays)
    plays = [play - m.maximum(mean, 0) for play in plays]
    return m.number(constant) * best**2 * len(plays) / sum((best - play) ** 2 for play in plays)


def third_lemma_exactly(constant: Fraction = Fraction(3, 8)) -> bool:
    """sum (b - x_t)^2 = T (b - a)^2 + sum (x_t - a)^2 >= 2 constant T b^2, a = S_1/T = -`below` <= 0 < b."""
    T, b, first, second, below = unknowns("T", "b", "first", "second", "below")
    mean = first / T
    squares = T * b**2 - 2 * b * first + second
    exact = squares == T * (b - mean) ** 2 + (second - first**2 / T)
    spread = second - 2 * mean * first + T * mean**2 == second - first**2 / T
    return exact and spread and nonnegative((b + below) ** 2 - 2 * constant * b**2)


C069 = claim(
    "C069",
    Statement(
        place="Appendix, proof of Theorem 2, Step 1 (Abeille et al., Lemma 3)",
        lines=(1290, 1293),
        kind="lemma",
        prints=r"$E \sum_t \sum_{i=2}^d [x_* - x_t]_i^2 \ge \frac{3 T \epsilon^2}{8 \lVert [M]_1 \rVert^2} \sum_{i=2}^d P(A_i)$.",
        reading=r"The display of C069b with the expectation, and $A_i$ with the index that C068 adds; $[x_*]_i = v_i \epsilon/\lVert [M]_1 \rVert$.",
    ),
    Inequality(
        third_lemma_ratio,
        lambda rounds: {"best": (1e-3, 0.7071), **{f"x{t}": (-1.0, 1.0) for t in range(rounds)}},
        ({"rounds": 1}, {"rounds": 3}),
        loose=True,
        note=r"true with $1$ instead of $3/8$, by Jensen's inequality, and then sharp at $x_t = e_1$",
        proof=Exactly(
            third_lemma_exactly,
            r"with $b = [x_*]_i > 0$ (else mirrored) and $\sum_t [x_t]_i \le 0$ on $A_i$: $\sum_t (b - [x_t]_i)^2 \ge T b^2$, twice the constant and more, by exact identities in the sums of $[x_t]_i$ and of their squares, for every $T$",
            bound=LOOSE,
        ),
    ),
    domain=r"all $d$, $T$ and plays, one coordinate on the event $A_i$; searched at $T = 1, 3$, $[x_*]_i \in (0, 1/\sqrt 2]$",
    planted={"constant": Fraction(3, 2)},
    ours=True,
    module=__name__,
)


def coin(effort: Effort, expected: bool = False) -> Finding:
    """A coin decides between x_t = x_* and x_t = e_1 in all rounds; K = d = 2, eps = 1/10: [M]_1 has the norm 9/10."""
    del effort
    norm = Fraction(4, 5) + Fraction(1, 100)
    squares = [Fraction(0), Fraction(1, 100) / norm]
    right = Fraction(3, 8) * squares[1] / 2
    left = sum(squares) / 2 if expected else min(squares)
    return exactly(
        left >= right,
        f"left {left}, right {right} (both over T), in exact arithmetic",
        "a coin decides between x_t = x_* and x_t = e_1: on heads the left side is 0",
        ratio=float(right / left) if left else nan,
    )


C069b = claim(
    "C069b",
    Statement(
        place="Appendix, proof of Theorem 2, Step 1, display of Lemma 3",
        lines=(1291, 1293),
        kind="step",
        prints=r"$\sum_t \sum_{i=2}^d [x_* - x_t]_i^2 \ge \frac{3 T \epsilon^2}{8 \lVert [M]_1 \rVert^2} \sum_{i=2}^d P(A_i)$, without an expectation on the left.",
    ),
    Correction(
        "misprint",
        coin,
        C069.check,
        "misprint: expectation on the left; it is missing in the same way on $Reg_T$ in Eq. (inside 5), see C072, and in the first displays of Step 6, see C085, while Steps 4 and 5 need none",
    ),
    domain=r"printed: $K = d = 2$, $\epsilon = 1/10$, exactly; corrected: as C069",
    planted={"expected": True, "mended_constant": Fraction(3, 2)},
    module=__name__,
)


def seventh_ratio(m: Arithmetic, K: Number, d: Number, share: Number, constant: int = 64) -> Number:
    """16 (K + 3) ||[M]_1||^2/constant: the right side of Eq. (inside 7) over its left side."""
    square = 4 / m.number(K + 3) + (d - 1) * (share * largest_epsilon(m, m.number(K), m.number(d))) ** 2
    return 16 * (K + 3) * square / constant


def seventh_exactly(constant: int = 64) -> bool:
    """16 (K + 3) ||[M]_1||^2 = 64 + 64 share^2 <= constant for share = 1/(1 + v) <= 1."""
    K, d, v = unknowns("K", "d", "v")
    share = 1 / (1 + v)
    square = 4 / (K + 3) + (d - 1) * share**2 * 4 / ((K + 3) * (d - 1))
    return nonnegative(constant - 16 * (K + 3) * square)


C070 = claim(
    "C070",
    Statement(
        place="Appendix, proof of Theorem 2, Step 1, Eq. (inside 7)",
        lines=(1294, 1298),
        kind="equation",
        prints=r"$\frac{R T \epsilon^2}{16 \sqrt{K+3} \lVert [M]_1 \rVert^2} = \frac{R T \epsilon^2 \sqrt{K+3}}{64}$.",
        reading=r"As it is used, $\ge$ for $=$; share $= \epsilon$ over the largest $\epsilon$. Both lines bound $E\,Reg_T$ from below, and the second one is true as it stands: Lemma 3 has $1$ for $3/8$ (C069), so that it follows with $48$ for $64$. Only the step from the first to the second is not.",
        labels=("eq:inside proof lower bound 7",),
    ),
    Correction(
        "constant",
        Inequality(
            seventh_ratio,
            {"share": (1e-3, 1.0)},
            SIZES,
            share=0.5,
            note=r"$\lVert [M]_1 \rVert^2 = 4/(K+3) + (d-1) \epsilon^2$ is replaced by $\lVert [M_0]_1 \rVert^2$, which makes the bound larger",
        ),
        Inequality(
            seventh_ratio,
            {"share": (1e-3, 1.0)},
            SIZES,
            share=0.5,
            fixed={"constant": 128},
            proof=Exactly(seventh_exactly, r"$1 -$ ratio is $(1 - share^2)/2$, for all $K$, $d$"),
        ),
        r"a constant: $\ge$ for $=$, with $128$ for $64$ over the whole range of $\epsilon$; with the $\epsilon$ of Step 6 the printed side is too large by a factor $1 + c/4$ at most; no later number changes, as Eq. (inside 5), which comes next, is true with its $64$, see C072",
    ),
    domain=r"all $K$, $d$ and $\epsilon \in (0, 2/\sqrt{(K+3)(d-1)}]$; searched at $K = 2, \ldots, 10^6$, $d = 2, \ldots, 10$",
    planted={"constant": 128, "mended_constant": 64},
    formal="C070",
    module=__name__,
)
