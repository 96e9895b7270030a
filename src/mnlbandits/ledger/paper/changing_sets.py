"""Section 3.4: action sets that change, their constants kappa_{*,t} and regret, and what Theorem 3 becomes."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Equality, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.formulas.regret import exact_moments

LAWS: Mapping[str, tuple[Fraction, ...]] = {
    "a": (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)),
    "b": (Fraction(2, 5), Fraction(1, 5), Fraction(2, 5)),
    "c": (Fraction(1, 2), Fraction(1, 20), Fraction(9, 20)),
    "d": (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
}
"""mu of four arms with rewards (0, 1, 2); a and b have the same mean, c and d less."""


def arms_best(offered: str) -> list[tuple[Fraction, Fraction]]:
    """Mean and second moment of the optimal arms of those offered."""
    moments = [exact_moments(LAWS[name]) for name in offered]
    best = max(mean for mean, _ in moments)
    return [pair for pair in moments if pair[0] == best]


def star_of_set(offered: str, least: Callable[[Sequence[Fraction]], Fraction] = min) -> Fraction:
    r"""$\kappa_{*,t}$: the `least` of $\|\rho\|^2/\mathrm{Var}$ over the optimal arms."""
    return least([5 / (second - mean**2) for mean, second in arms_best(offered)])


def star_of_round(offered: str, expected: Fraction, largest: bool = False) -> bool:
    r"""Whether $\kappa_{*,t}$ is as expected, and its square root's inverse at most $\|\rho\|$ over the deviation of every optimal arm."""
    found = star_of_set(offered, max if largest else min)
    return found == expected and all(second - mean**2 <= 5 / found for mean, second in arms_best(offered))


C187c = claim(
    "C187c",
    Statement(
        place="Section 3.4, kappa_{*,t}",
        lines=(540, 545),
        kind="definition",
        prints=r"We adapt $\kappa_*$ to the action sets: $\kappa_{*,t} = \min_{x_{*,t} \in \mathcal X_{*,t}} \|\rho\|_2^2/\rho^\top \nabla\mu(\theta_* x_{*,t}) \rho$, $\mathcal X_{*,t} = \mathrm{argmax}_{x \in \mathcal X_t} \rho^\top \mu(\theta_* x)$, and $+\infty$ when $\rho \in R 1_K$.",
        reading=r"The minimum is over the optimal arms of the round, here written in the formula as well as under it. With $\mathcal X_t = \mathcal X$ it is the $\kappa_*$ of Eq. (2); of a smaller set it may be smaller or larger than that.",
    ),
    Identities(
        star_of_round,
        r"of $\mathcal X = \{a, b, c, d\}$ two optimal arms with $\kappa$ 10 and 25/4, the least, which is $\kappa_*$; without them less (arm c), without b or with d alone more",
        (
            {"offered": "abcd", "expected": Fraction(25, 4)},
            {"offered": "c", "expected": 5 / Fraction("0.9475")},
            {"offered": "acd", "expected": Fraction(10)},
            {"offered": "d", "expected": Fraction(80, 11)},
        ),
    ),
    domain=r"$K = 3$, $\rho = (0, 1, 2)$, four laws of unit arms in $R^4$ and their subsets",
    planted={"largest": True},
    module=__name__,
)


def regret_of_rounds(offered: Sequence[str], played: str, choice: int, best: bool = True) -> Fraction:
    """Regret of arms played in rounds with these sets; `choice` among the optimal arms, or if not `best` those of the first."""
    total = Fraction(0)
    for arms, name in zip(offered, played, strict=True):
        optimal = arms_best(arms if best else offered[0])
        total += optimal[choice % len(optimal)][0] - exact_moments(LAWS[name])[0]
    return total


def regret_of_sets(offered: tuple[str, ...], played: str, expected: Fraction, best: bool = True) -> bool:
    """Whether the regret is as expected for either choice of an optimal arm."""
    return all(regret_of_rounds(offered, played, choice, best) == expected for choice in (0, 1))


C187d = claim(
    "C187d",
    Statement(
        place="Section 3.4, regret with changing sets",
        lines=(546, 550),
        kind="definition",
        prints=r"$\mathrm{Reg}_T := \sum_{t=1}^T \rho^\top \mu(\theta_* x_{*,t}) - \rho^\top \mu(\theta_* x_t)$ where $x_{*,t} \in \mathcal X_{*,t}$.",
        reading=r"It does not depend on which $x_{*,t}$ is taken, is 0 where every $x_t$ is optimal in $\mathcal X_t$, and is the regret of Section 2 where $\mathcal X_t = \mathcal X$.",
    ),
    Identities(
        regret_of_sets,
        r"for both choices of an optimal arm",
        (
            {"offered": ("abcd", "cd", "d", "ad"), "played": "bcda", "expected": Fraction(0)},
            {"offered": ("abcd", "abcd"), "played": "cd", "expected": Fraction(3, 10)},
            {"offered": ("abcd", "cd"), "played": "dd", "expected": Fraction(9, 20)},
        ),
    ),
    domain=r"$K = 3$, $\rho = (0, 1, 2)$, the arms of C187c; the value of a maximum does not depend on where it is taken, for every instance",
    planted={"best": False},
    module=__name__,
)


def rate_of_fixed_sets(m: Arithmetic, T: Number, share: Number, star: Number, factor: Fraction | int = 1) -> Number:
    r"""Square root of $\sum_{t \notin T^w} 1/\kappa_{*,t}$ over `factor` $\sqrt{T/\kappa_*}$, $\mathcal X_t = \mathcal X$; T and $\kappa_*$ in powers of ten, |T^w| = share T."""
    rounds = 10**T * (1 - share)
    return m.sqrt(rounds / 10**star) / (m.number(factor) * m.sqrt(10**T / 10**star))


def fixed_sets_below(factor: Fraction | int = 1) -> bool:
    r"""`factor`$^2 T/\kappa_* - (T - |T^w|)/\kappa_*$ has no negative coefficient in $|T^w|$, $T - |T^w|$ and $\kappa_*$."""
    explored, others, star = unknowns("explored", "others", "star")
    return nonnegative(factor**2 * (explored + others) / star - others / star)


C184d = claim(
    "C184d",
    Statement(
        place="Section 3.4, after Theorem 3, fixed action sets",
        lines=(570, 570),
        kind="text",
        prints=r"In the case of stationary arm-sets $\mathcal X_t = \mathcal X$, we recover the regret guarantee of Theorem 1, obtaining $\tilde O(R d \sqrt{K T/\kappa_*})$.",
        reading=r"From the bound of Theorem 3, as far as that holds (C184); it is the first term of Theorem 1, not the second.",
    ),
    Inequality(
        rate_of_fixed_sets,
        {"T": (0.0, 30.0), "share": (0.0, 1.0), "star": (0.0, 30.0)},
        share=0.2,
        proof=Exactly(fixed_sets_below, r"the sum is $(T - |T^w|)/\kappa_* \le T/\kappa_*$"),
    ),
    domain=r"every $T$, $|T^w| \le T$ and $\kappa_*$",
    planted={"factor": Fraction(1, 2)},
    module=__name__,
)


def averaged(m: Arithmetic, T: Number, total: Number, power: int = 1) -> Number:
    r"""Relative difference of $\sqrt T (1/T^{power} \Sigma)^{1/2}$ and $\Sigma^{1/2}$, T and the sum in powers of ten."""
    return abs(m.sqrt(10**T) * m.sqrt(10**total / 10 ** (power * T)) / m.sqrt(10**total) - 1)


def average_same(power: int = 1) -> bool:
    r"""Whether the squares are the same rational function."""
    T, total = unknowns("T", "total")
    return T * total / T**power == total


C184e = claim(
    "C184e",
    Statement(
        place="Section 3.4, after Theorem 3, changing action sets",
        lines=(570, 570),
        kind="text",
        prints=r"In the non-stationary case, we obtain $\sqrt T \sqrt{\frac{1}{T} \sum_{t \notin T^w} \frac{1}{\kappa_{*,t}}}$, replacing the non-linearity constant in the optimum by its on-trajectory average version.",
        reading=r"Up to the factor $R d \sqrt K$, which is left out; the average of $1/\kappa_{*,t}$ over all $T$ rounds, those of exploration counted as 0.",
    ),
    Equality(
        averaged, {"T": (0.1, 30.0), "total": (-30.0, 30.0)}, share=0.2, proof=Exactly(average_same, "for every $T$ and sum")
    ),
    domain=r"every $T$ and $\kappa_{*,t}$",
    planted={"power": 2},
    module=__name__,
)
