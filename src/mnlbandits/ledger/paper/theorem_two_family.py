"""Appendix, proof of Theorem 2, set-up: the family of instances, its best arms and its kappa_*."""

import itertools
from fractions import Fraction

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.family import (
    MENDED,
    MENDED_OUTCOMES,
    MENDED_SIZES,
    MENDED_TEXT,
    SIZES,
    family_bound,
    high_reward,
    member,
    mended_ratio,
    star,
)
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.shared import LOWER_BOUND_PROOF


def norms_difference(m: Arithmetic, K: int, d: int, first: int = 2) -> Number:
    """How far ||rho||/R and sqrt(K + 3)/first times ||[M_0]_1|| are from 1; M_0 is the member with eps = 0."""
    rho, row = high_reward(m, K), member(m, K, d, m.number(0), [1] * d, "M")[0].tolist()
    size = m.sqrt(dot(row, row)) * m.sqrt(m.number(K + 3)) / first
    return m.maximum(abs(m.sqrt(dot(rho, rho)) - 1), abs(size - 1))


def norms_exactly(first: int = 2) -> bool:
    """The squares, for all K: (4 + (K - 1))/(K + 3) = 1 and (2/sqrt(K + 3))^2 = first^2/(K + 3)."""
    (K,) = unknowns("K")
    return (4 + (K - 1)) / (K + 3) == 1 and first**2 / (K + 3) == 4 / (K + 3)


C058 = claim(
    "C058",
    Statement(
        place="Appendix, proof of Theorem 2, M_0 and rho",
        lines=(1172, 1204),
        kind="definition",
        prints=r"$M_0$ and $\rho = \frac{R}{\sqrt{K+3}} (2, 1, \ldots, 1)$; $\lVert [M_0]_1 \rVert_2/\sqrt{d-1} = 2/\sqrt{(K+3)(d-1)}$.",
        reading=r"$\lVert \rho \rVert_2 = R$ and $\lVert [M_0]_1 \rVert_2 = 2/\sqrt{K+3}$.",
        labels=("appendix:proof lower bound",),
    ),
    Equality(
        norms_difference,
        cases=tuple({"K": K, "d": 2} for K in (2, 3, 5, 10, 40)),
        proof=Exactly(norms_exactly, r"the squares, as rational functions of $K$"),
    ),
    domain=r"all $K$ and $d$",
    planted={"first": 3},
    module=__name__,
)


def commit_ratio(m: Arithmetic, K: int, d: int, constant: int = 25000, power: Fraction = Fraction(1, 2)) -> Number:
    """K^power/constant over a bound on the regret of exploring, then committing, at T = 100 d^2 ceil(kappa_*)."""
    bound = family_bound(m, K, d, 100 * d**2 * int(star(FLOATS, K) + 1))
    return m.power(m.number(K), m.number(power)) / (constant * bound)


C028 = claim(
    "C028",
    Statement(
        place="Appendix, proof of Theorem 2, set-up: 'a slight variation M~ ... results in Omega(R d sqrt(K T/kappa_*))'",
        lines=(1196, 1196),
        kind="step",
        prints=r"A slight variation $\tilde M$ of the matrix $M_0$ results in a regret lower-bounded by $\Omega(R d \sqrt{K T/\kappa_*(\theta)})$.",
        hypotheses=r"$\theta = \Pi \tilde M$, $\mathcal X$ the sphere, $T \ge d^2 \kappa_*$.",
        quantifiers=r"for all $K, d \ge 2$, every algorithm and $T \ge d^2 \kappa_*$ there is a member with $E\,Reg_T \ge c R d \sqrt{K T/\kappa_*}$, $c > 0$ universal",
        reading=r"$T$ before the instance, see C029; the proof's $c$ is $1/25000$.",
    ),
    Correction(
        "rate",
        Inequality(
            commit_ratio,
            cases=tuple({"K": K, "d": 2} for K in (10**9, 10**10, 10**11)),
            note=r"right is the expected regret of explore-then-commit at $T = 100 d^2 \kappa_*$ for every unit $[\tilde M]_1$, bounded by Bernstein's inequality and the slope at the optimum; over $R d \sqrt{T/\kappa_*}$ it does not grow with $K$ ($4.81$ at $10^9$, $4.80$ at $10^{20}$), so this family does not force $\sqrt K$ with a universal $c$; for every fixed $K$ the printed rate stands; Theorem 2 leaves the instance free, and on another family $\sqrt K$ is forced for bounded $d$, see C028b and C028c",
        ),
        Inequality(
            mended_ratio,
            {"surplus": (0.0, 60.0)},
            MENDED_SIZES,
            share=0.5,
            note=rf"left is $1/{MENDED}$, right the constant that these steps give, surplus $= \ln(\sqrt{{T/\kappa_*}}/d)$",
            proof=LOWER_BOUND_PROOF,
        ),
        rf"{MENDED_TEXT}; for $K \le {MENDED_OUTCOMES}$ it implies the printed bound with $c = 1/25000$",
    ),
    domain=r"printed: $K = 10^9, \ldots, 10^{11}$, $d = 2$, $T = 100 d^2 \kappa_*$, all unit $[\tilde M]_1$, one explore-then-commit algorithm; corrected: all $K, d \ge 2$, $T \ge d^2 \kappa_*$",
    planted={"power": 0, "mended_constant": 200},
    module=__name__,
)


def listed_family(effort: Effort, free_signs: int = -1, half: Fraction = Fraction(1, 2)) -> Finding:
    """All members of M and M~ as rational functions: how many differ, and rows 2..K against half of row 1."""
    del effort
    e, epsilon, n = unknowns("e", "epsilon", "n")
    for K, d in itertools.product((2, 3, 5), range(2, 6)):
        firsts, squares = set(), set()
        for v in itertools.product((1, -1), repeat=d):
            rows = [[2 * e, *(epsilon * sign for sign in v[1:])]]
            rows += [[e, *(epsilon / 2 * sign for sign in v[1:])]] * (K - 1)
            if any(below != half * entry for row in rows[1:] for below, entry in zip(row, rows[0], strict=True)):
                return exactly(False, "exact", f"K = {K}, d = {d}: rows 2..K are not {half} times row 1")
            firsts.add((str(rows), str([entry / n for entry in rows[0]])))
            squares.add(str(dot(rows[0], rows[0])))
        sizes = [len({pair[side] for pair in firsts}) for side in (0, 1)]
        if sizes != [2 ** (d + free_signs)] * 2 or len(firsts) != sizes[0] or len(squares) != 1:
            return exactly(False, f"{sizes} members of M and M~", f"K = {K}, d = {d}: not 2^(d{free_signs:+d}) members")
    return exactly(
        True,
        r"all $v \in \{-1, 1\}^d$ listed, as rational functions of $1/\sqrt{K+3}$, $\epsilon$ and $\lVert [M]_1 \rVert$, which is the same for all: $2^{d-1}$ different matrices in $\mathcal M$ and in $\tilde{\mathcal M}$, one for one; index $i$ runs from $2$ to $d$",
    )


C059 = claim(
    "C059",
    Statement(
        place="Appendix, proof of Theorem 2, the sets M and M~",
        lines=(1197, 1223),
        kind="definition",
        prints=r"$\mathcal M := \{M_0 + \epsilon \sum_{i=2}^d v_i e_{1i} + \frac{\epsilon}{2} \sum_{k=2}^K \sum_{i=2}^d v_i e_{ki} : v \in \{-1, 1\}^d\}$ and $\gamma : \mathcal M \to \tilde{\mathcal M}$ is a bijection.",
        reading=r"$\mathcal M$ has $2^{d-1}$ members ($v_1$ is not used), rows $2..K$ of each are half its row 1, and $\gamma$ is one to one.",
    ),
    listed_family,
    domain=r"$K = 2, 3, 5$; $d = 2, \ldots, 5$; every $\epsilon > 0$",
    planted={"free_signs": 0, "half": Fraction(1, 3)},
    module=__name__,
)


def epsilon_ratio(m: Arithmetic, K: Number, d: Number, share: Number, largest: int = 2) -> Number:
    """||[M]_1||^2 over 8/(K + 3) at eps = share largest/sqrt((K + 3)(d - 1))."""
    epsilon = share * largest / m.sqrt(m.number((K + 3) * (d - 1)))
    return (4 / m.number(K + 3) + (d - 1) * epsilon**2) * (K + 3) / 8


def epsilon_exactly(largest: int = 2) -> bool:
    """1 - ratio = (1 - share)(1 + share)/2."""
    K, d, share = unknowns("K", "d", "share")
    square = (share * largest) ** 2 / ((K + 3) * (d - 1))
    return 1 - (4 / (K + 3) + (d - 1) * square) * (K + 3) / 8 == (1 - share) * (1 + share) / 2


C060 = claim(
    "C060",
    Statement(
        place="Appendix, proof of Theorem 2, range of eps",
        lines=(1202, 1204),
        kind="step",
        prints=r"$\lVert [M]_1 \rVert^2 = 4/(K+3) + (d-1) \epsilon^2 \le 8/(K+3)$",
        hypotheses=r"$\epsilon \le \lVert [M_0]_1 \rVert_2/\sqrt{d-1} = 2/\sqrt{(K+3)(d-1)}$, as the paper assumes",
        reading="What Eq. (inside 7) and Eq. (inside 5) need of the range; the paper prints the range only.",
    ),
    Inequality(
        epsilon_ratio,
        {"share": (1e-6, 1.0)},
        SIZES,
        share=0.5,
        proof=Exactly(
            epsilon_exactly,
            r"$1 -$ ratio $= (1 - share^2)/2$ for all $K$ and $d$, share $= \epsilon$ over the largest $\epsilon$",
        ),
    ),
    domain=r"all $K$, $d$ and $\epsilon$ of the range; searched at $K = 2, \ldots, 10^6$, $d = 2, \ldots, 10$",
    planted={"largest": 3},
    formal="C060",
    ours=True,
    module=__name__,
)
