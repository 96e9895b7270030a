"""Section 3.3, Eq. def nu: the constant nu and its part in the bound."""

import math
from fractions import Fraction

import numpy as np

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly, held
from mnlbandits.ledger.formulas.regret import exact_moments, leading, printed_bound, three_outcomes
from mnlbandits.ledger.search import Effort
from mnlbandits.model import constants
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator

MIDDLE = Fraction(3, 4)
"""The second arm's middle probability, which makes the second moments of rho equal."""

FIRST_ROW = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
"""mu of the first arm."""

SPREAD_OUT = ((0.01, 0.98, 0.01), (0.5, 0.01, 0.49))
"""mu of two arms, the worse of which has the larger second moment."""


def second_row(middle: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """mu of the second arm."""
    return Fraction(1, 8), middle, Fraction(7, 8) - middle


def nu_is_positive(effort: Effort, middle: Fraction = MIDDLE) -> Finding:
    """nu of two arms exactly; where it is not 0, the smallest of random sets of arms in floats."""
    (mean, square), (other, other_square) = exact_moments(FIRST_ROW), exact_moments(second_row(middle))
    evidence = f"second moments {square} and {other_square}, means {mean} and {other}; a single arm has no gap at all"
    if square == other_square and mean != other:
        text = "K = 3, rho = (0, 1, 2), arms with mu = (1/2, 1/4, 1/4) and (1/8, 3/4, 1/8): nu = 0"
        return exactly(False, evidence, text)
    stream, smallest = generator("claims", 0, "nu"), math.inf
    for _ in range(effort.draws):
        theta = stream.normal(size=(3, 2))
        smallest = min(smallest, constants.nu(theta, stream.uniform(-0.7, 0.7, (4, 2)), stream.random(3)))
    return Finding("holds", "searched", evidence=f"{evidence}; smallest nu of {effort.draws} random sets {smallest:.3g}")


def sets_of_arms(effort: Effort) -> list[tuple[Array, Array, Array]]:
    """theta, arms and rewards: the two examples, and random sets."""
    stream = generator("claims", 0, "larger nu")
    sets = [(*three_outcomes(*rows), np.array([0.0, 1.0, 2.0])) for rows in (SPREAD_OUT, (FIRST_ROW, second_row(MIDDLE)))]
    for _ in range(effort.draws):
        K = int(stream.integers(2, 6))
        sets.append((stream.normal(size=(K, 2)) * 3, stream.uniform(-0.7, 0.7, (5, 2)), stream.random(K)))
    return sets


def positive_advantage(multiple: int | Fraction = 1) -> bool:
    """What the score of an optimal arm exceeds that of another by, minus epsilon times the gap, has no negative coefficient."""
    gap, spread, more, farther, less = unknowns("gap", "spread", "more", "farther", "less")
    nu = multiple * spread / gap + more
    advantage = nu * (gap + farther) - spread + less
    return nonnegative(advantage - more * gap)


LARGER_NU = Exactly(
    positive_advantage,
    r"with $\nu = D/g + \varepsilon$, $D$ the largest difference of second moments and $g$ the gap, an arm whose mean is $g + a$ below the optimal one has a score lower by at least $\nu (g + a) - D \ge \varepsilon g > 0$, $a \ge 0$: no coefficient is negative",
)


def larger_nu(effort: Effort, multiple: float = 1) -> Finding:
    """With nu slightly above `multiple` times max |second moments|/gap, every maximiser of (nu rho + rho^2)^T mu is optimal."""
    worst = -math.inf
    for theta, arms, rho in sets_of_arms(effort):
        means, second = (constants.mean_rewards(theta, arms, values) for values in (rho, rho**2))
        best = constants.optimal_arms(theta, arms, rho)
        if best.all():
            continue
        score = (1.01 * multiple * np.ptp(second) / constants.gap(theta, arms, rho) + 1e-3) * means + second
        worst = max(worst, float((score[~best].max() - score[best].max()) / np.abs(score).max()))
    evidence = f"best score outside of $X_*$ minus the best in it at most {worst:.3g} of the scores"
    if worst < 0:
        return held(worst, evidence, LARGER_NU(multiple=multiple), loose=False)
    return Finding("refuted", "searched", worst, counterexample="the two arms of C158c, or a random set", evidence=evidence)


C166 = claim(
    "C166",
    Statement(
        place="Section 3.3, Eq. def nu",
        lines=(438, 442),
        kind="definition",
        prints=r"We need to introduce a constant $\nu > 0$, $\nu := 2 \max_{x_1, x_2} |(\rho^{\odot 2})^\top (\mu(\theta_* x_1) - \mu(\theta_* x_2))| / (\rho^\top \mu(\theta_* x_*) - \max_{x \notin \mathcal X_*} \rho^\top \mu(\theta_* x))$.",
        reading=r"$\nu$ is a positive number for every finite set of arms and every $\rho$ that is not uniform (C026b: uniform).",
        labels=("eq:def nu",),
    ),
    Correction(
        "condition",
        nu_is_positive,
        larger_nu,
        r"a degenerate case. With $D/g$ for $\max |(\rho^{\odot 2})^\top (\mu - \mu')|$ over the gap, which is half of the printed $\nu$: any number above $D/g$ serves in Lemma 3 (C165) and in the $4 R + 2 \nu$ of the appendix, so that the printed one does where it is positive, and any number above $0$, say $R$, where it is $0$ or all arms are optimal. The $4 R + \nu$ of the sketch and C156b need $\nu \ge 2 D/g$, the printed number, and no $\nu > 0$: there $\nu = 0$ serves where all arms are optimal or all second moments are equal",
    ),
    domain=r"$K = 3$, $\rho = (0, 1, 2)$, two arms with $\mu = (1/2, 1/4, 1/4)$ and $(1/8, 3/4, 1/8)$; corrected: every finite set of arms, random ones searched",
    planted={"middle": Fraction(7, 10), "mended_multiple": 0.5},
    module=__name__,
)


# Its part in the bound


def share_of_nu(
    m: Arithmetic,
    log_T: Number,
    log_delta: Number,
    size: Number,
    dim: Number,
    steep: Number,
    star: Number,
    nu: Number,
    decay: Number = Fraction(1, 4),
) -> Number:
    """nu's part of the second term over the leading term, over its value at T = 1 and T^-decay (4 + log(1/delta)).

    K - 2, d - 1, kappa, kappa_* and nu in powers of ten; R = 1, delta = exp(-log_delta). Both terms as printed, C = 1.
    """
    T, delta = m.exp(log_T), m.exp(-log_delta)
    fixed = {"outcomes": 2 + 10**size, "dim": 1 + 10**dim, "R": m.number(1), "kappa_star": 10**star}
    terms = {"kappa": 10**steep, "nu": 10**nu}
    first = leading(m, fixed, T, delta)
    second = printed_bound(m, fixed | terms, T, delta) - printed_bound(m, fixed | terms | {"nu": 0}, T, delta)
    scale = (
        terms["kappa"] * terms["nu"] * fixed["dim"] * m.power(fixed["outcomes"], m.number(Fraction(3, 2))) * m.sqrt(10**star)
    )
    return second / first / scale * m.power(T, m.number(decay)) / (4 + log_delta)


def share_vanishes(decay: Fraction = Fraction(1, 4)) -> bool:
    """(log(T) + log(1/delta))/(1 + log(T)/4) <= 4 + log(1/delta): no coefficient of the difference is negative."""
    log_T, log_delta = unknowns("log_T", "log_delta")
    return decay <= Fraction(1, 4) and nonnegative(4 + log_delta - (log_T + log_delta) / (1 + log_T / 4))


C166b = claim(
    "C166b",
    Statement(
        place="Section 3.3, text before Eq. def nu",
        lines=(438, 438),
        kind="text",
        prints=r"$\nu$ controls the variance term in the regret analysis without altering the bound's asymptotic behavior.",
        reading=r"For fixed arms with $\nu$ and $\kappa_*$ finite the share of its term, $\kappa \nu d^2 K^2 \log^2(T/\delta)$ over $R d \sqrt{K T/\kappa_*} \log(T/\delta)$, vanishes as $T$ grows: it is $O(T^{-1/4})$.",
    ),
    Inequality(
        share_of_nu,
        {
            "log_T": (0.001, 70.0),
            "log_delta": (0.0, 50.0),
            "size": (-9.0, 3.0),
            "dim": (-9.0, 3.0),
            "steep": (0.4, 9.0),
            "star": (0.1, 9.0),
            "nu": (4.0, 9.0),
        },
        note=r"with infinitely many arms the gap is $0$ and $\nu$ infinite (C031); in the mended theorem (C156) the terms of $\nu$ are of the order $\log^2 T$ too. On instances that change with $T$ so that the gap is of order $R/\sqrt T$, $\nu$ and its term are of order $\sqrt T$: the statement is about fixed arms",
        proof=Exactly(
            share_vanishes,
            r"the share is $\kappa \nu d K^{3/2} \sqrt{\kappa_*} R^{-1} \log(T/\delta) T^{-1/2}$, $T^{1/4} \ge 1 + \log(T)/4$, and then the difference is a rational function without negative coefficients",
        ),
    ),
    domain=r"every finite set of arms with $\nu$ and $\kappa_*$ finite: all $T \ge 1$ and $\delta \in (0, 1]$; searched with $T \le e^{70}$, $K, d \le 10^3$, $\kappa, \kappa_*, \nu \le 10^9$",
    planted={"decay": Fraction(1, 2)},
    module=__name__,
)
