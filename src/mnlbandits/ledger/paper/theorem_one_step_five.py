"""Appendix F.3, proof of Theorem 1, Step 5: the variances of the rewards of the arms played, against that of x_*."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import ROUNDING, Finding
from mnlbandits.ledger.formulas.regret import exact_moments, three_outcomes
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.variances import (
    compared,
    gaps_of,
    mean_below_norm,
    moments_of,
    no_gap,
    nu_times_gaps,
    seconds_below_nu,
    seconds_by_nu,
    three_arms,
)
from mnlbandits.ledger.formulas.vectors import dot, over, variance
from mnlbandits.ledger.search import Box, Effort, column, rewards_box, vectors_box
from mnlbandits.model.constants import nu

STEP_FIVE_CASES = ({"K": 2}, {"K": 3}, {"K": 5})


def two_arms(K: int) -> Box:
    """Logits z and y of two arms, and the rewards."""
    return vectors_box(z=(K, 12.0), y=(K, 12.0)) | rewards_box(K)


def added_and_subtracted(m: Arithmetic, factor: int = 1, **point: Number) -> Number:
    """v + Var_*(rho) over v + R^2/kappa_*, v that of the arm w; the arms z and z + tilt, of equal means, are optimal and z is x_*."""
    rewards, tilt = column(point, "r"), point["tilt"]
    optimal, played = (softmax(m, column(point, name)) for name in ("z", "w"))
    along = [rewards[k - 2] - rewards[k - 1] for k in range(3)]
    other = [p + tilt * m.minimum(*optimal) * step for p, step in zip(optimal, along, strict=True)]
    best = m.maximum(variance(optimal, rewards), variance(other, rewards))
    common = variance(played, rewards)
    return over(common + factor * variance(optimal, rewards), common + best)


def largest_over_optimal(factor: int = 1) -> bool:
    """Right - left = f >= 0, by which the variance o of x_* stays below the largest over X_*; v is that of the arm played."""
    v, o, f = unknowns("v", "o", "f")
    excess = (o + f) + (v - factor * o) - v
    return nonnegative(excess) and excess == f


C158 = claim(
    "C158",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 5, first display",
        lines=(1064, 1069),
        kind="step",
        prints=r"$\sum_t \lVert \nabla\mu(\theta_* x_t)^{1/2} \rho \rVert_2^2 \le R^2 T/\kappa_* + \sum_t \rho^\top (\nabla\mu(\theta_* x_t) - \nabla\mu(\theta_* x_*)) \rho$.",
        quantifiers=r"for all $x_* \in \mathcal{X}_*$",
    ),
    Inequality(
        added_and_subtracted,
        vectors_box(z=(3, 12.0), w=(3, 12.0)) | rewards_box(3) | {"tilt": (-1.0, 1.0)},
        note=r"equality if $x_*$ attains the minimum in $\kappa_* = \min_{\mathcal{X}_*} R^2/(\rho^\top \nabla\mu \rho)$",
        share=0.1,
        proof=Exactly(
            largest_over_optimal,
            r"right minus left of a round is $R^2/\kappa_* - \rho^\top \nabla\mu(\theta_* x_*) \rho \ge 0$, as $R^2/\kappa_* = \max_{\mathcal{X}_*} \rho^\top \nabla\mu \rho$",
        ),
    ),
    domain=r"all sets of arms; searched: sets in which two arms are optimal, with equal means, $K = 3$, logits in $[-12, 12]^3$, $\rho \in [0, 1]^3$, one round",
    planted={"factor": 2},
    module=__name__,
)


def variances_apart(m: Arithmetic, K: int, power: int = 2, **point: Number) -> Number:
    """|left - right| of the difference of two variances, an absolute difference, R <= sqrt(K)."""
    rewards = column(point, "r")
    best, played = (softmax(m, column(point, name)) for name in ("z", "y"))
    return abs(difference_of_variances(best, played, rewards, power))


def difference_of_variances(best: list[Number], played: list[Number], rewards: list[Number], power: int) -> Number:
    """rho^T (diag(q) - q q^T) rho - rho^T (diag(p) - p p^T) rho, minus the two differences it is split into."""
    squares = [reward**power for reward in rewards]
    left = variance(played, rewards) - variance(best, rewards)
    return left - (dot(played, squares) - dot(best, squares) + dot(best, rewards) ** 2 - dot(played, rewards) ** 2)


def variances_split(power: int = 2) -> bool:
    """`difference_of_variances` is 0 for unknown probabilities and rewards."""
    for K in (2, 3, 5):
        free = unknowns(*(f"{name}{k}" for name in "pqr" for k in range(K)))
        p, q, rewards = ([*free[i : i + K - 1], 1 - sum(free[i : i + K - 1])] for i in (0, K, 2 * K))
        if difference_of_variances(p, q, [*rewards[:-1], free[-1]], power) != 0:
            return False
    return True


C158e = claim(
    "C158e",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 5, Eq. regret bound step 5",
        lines=(1070, 1075),
        kind="equation",
        prints=r"$\rho^\top (\nabla\mu(\theta_* x_t) - \nabla\mu(\theta_* x_*)) \rho \le \sum_k \rho_k^2 (\mu(\theta_* x_t)_k - \mu(\theta_* x_*)_k) + (\rho^\top \mu(\theta_* x_*))^2 - (\rho^\top \mu(\theta_* x_t))^2$.",
        reading=r"The two sides are equal (printed $\le$); summed over $t$.",
        labels=("eq:regret bound step 5",),
    ),
    Equality(
        variances_apart,
        two_arms,
        STEP_FIVE_CASES,
        note=r"an absolute difference, $R \le \sqrt{K}$",
        share=0.1,
        proof=Exactly(
            variances_split,
            r"for unknown probabilities and rewards, $K = 2, 3, 5$; for every $K$ as both sides are quadratic forms of $\rho$, and a coefficient of $\rho_j \rho_k$ involves two outcomes and the sum of the other probabilities, so that $K = 3$ decides",
        ),
    ),
    domain=r"all $K$, logits and rewards, of either sign; searched: $K = 2, 3, 5$, logits in $[-12, 12]^K$, $\rho \in [0, 1]^K$",
    planted={"power": 3},
    module=__name__,
)


ROWS_OF_ARMS = tuple(tuple(Fraction(entry, 8) for entry in row) for row in ((2, 1, 5), (1, 4, 3), (3, 4, 1), (2, 4, 2)))
"""mu of four arms, the first the best for rho = (0, 1, 2)."""


def nu_of_the_package(multiple: int | Fraction = 2) -> Finding:
    """multiple D/g of these arms, in fractions, against the nu that all simulations of the package use."""
    means, seconds = zip(*map(exact_moments, ROWS_OF_ARMS), strict=True)
    best, *others = sorted(means, reverse=True)
    exact = multiple * (max(seconds) - min(seconds)) / (best - others[0])
    theta, arms = three_outcomes(*ROWS_OF_ARMS)
    apart = abs(nu(theta, arms, np.arange(3.0)) / float(exact) - 1)
    text = "four arms, K = 3, rho = (0, 1, 2)"
    return finding.exactly(apart < ROUNDING, f"$\\nu = {exact}$ of {text}, in fractions and as the package has it", text)


def first_display_on_nu(effort: Effort, share: int | Fraction = 1, multiple: int | Fraction = 2) -> Finding:
    """The first inequality, and that nu is the one of the paper wherever the package uses it."""
    return finding.all_of(SECONDS(effort, share=share), nu_of_the_package(multiple))


SECONDS = Inequality(
    seconds_by_nu,
    three_arms,
    STEP_FIVE_CASES,
    note=r"$\nu/2$ would do, as $|(\rho^{\odot 2})^\top (\mu - \mu')| \le \nu g/2$, $g$ the gap; in $\mathcal{X}_*$ its choice gives $x_*$ the largest $(\rho^{\odot 2})^\top \mu$",
    share=0.1,
    proof=Exactly(
        seconds_below_nu,
        r"with $\nu = 2 D/g$, a gap $g + e$ and a difference of second moments $D - f$, $e, f \ge 0$, $\nu (g + e) - (D - f) = D + f + 2 D e/g$; of $x_t \in \mathcal{X}_*$ the right side is $0$ and the left not positive, by the choice of $x_*$",
    ),
)


C159 = claim(
    "C159",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 5, displays on nu",
        lines=(1076, 1089),
        kind="step",
        prints=r"$(\rho^{\odot 2})^\top (\mu(\theta_* x_t) - \mu(\theta_* x_*)) \le \nu \rho^\top (\mu(\theta_* x_*) - \mu(\theta_* x_t)) \le 2 \nu (\epsilon_{1,t}(x_t) + \epsilon_{2,t}(x_t))$.",
        hypotheses=r"$x_* \in \arg\max_x \rho^\top \mu(\theta_* x) \cap \arg\max_x (\nu \rho + \rho^{\odot 2})^\top \mu(\theta_* x)$, as chosen in line 958.",
        quantifiers=r"for every $x_t \in \mathcal{X}$",
    ),
    first_display_on_nu,
    domain=r"all finite sets of arms with a gap $g > 0$, $\rho \in \mathbb{R}^K$; searched: three arms, $K = 2, 3, 5$, logits in $[-12, 12]^K$, $\rho \in [0, 1]^K$; if all arms are optimal both sides of the first inequality compare second moments only, and it is true of every $\nu$; the last inequality is C141",
    planted={"share": Fraction(1, 4), "multiple": Fraction(2, 100)},
    module=__name__,
)


def sum_of_means(m: Arithmetic, K: int, constant: int = 2, **point: Number) -> Number:
    """rho^T (mu_* + mu_t) over 2 R: a factor rho^T (mu_* - mu_t) cancels."""
    rewards = column(point, "r")
    best, played = (softmax(m, column(point, name)) for name in ("z", "y"))
    return over(dot(best, rewards) + dot(played, rewards), constant * m.sqrt(dot(rewards, rewards)))


def means_below_norm(constant: int = 2) -> bool:
    """The inequalities: the largest reward minus two means, R^2 minus its square, what the means add to, constant R minus two."""
    largest, less, weight, other, others = unknowns("largest", "less", "weight", "other", "others")
    share = weight / (weight + other)
    mean = nonnegative(share * largest - share * (largest - less))
    both = nonnegative(constant * (largest + others) - 2 * largest)
    return mean and nonnegative(largest**2 + others - largest**2) and mean_below_norm() and both


C160 = claim(
    "C160",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 5, right term",
        lines=(1091, 1098),
        kind="step",
        prints=r"$(\rho^\top \mu_*)^2 - (\rho^\top \mu_t)^2 \le \lVert \rho \rVert_\infty \lVert \mu_* + \mu_t \rVert_1 \rho^\top (\mu_* - \mu_t) \le 2 R \rho^\top (\mu_* - \mu_t) \le 4 R (\epsilon_{1,t}(x_t) + \epsilon_{2,t}(x_t))$.",
        hypotheses=r"$\mu_* = \mu(\theta_* x_*)$, $\mu_t = \mu(\theta_* x_t)$; $\rho \in \mathbb{R}_+^K$, $\lVert \rho \rVert_2 = R$.",
    ),
    Inequality(
        sum_of_means,
        two_arms,
        STEP_FIVE_CASES,
        note=r"a factor $\rho^\top (\mu_* - \mu_t)$ cancels",
        share=0.1,
        proof=Exactly(
            means_below_norm,
            r"$\lVert \rho \rVert_\infty - \rho^\top \mu = \sum_k \mu_k (\lVert \rho \rVert_\infty - \rho_k)$, $R^2 - \lVert \rho \rVert_\infty^2$ is the sum of the other squares, and $R^2 - (\rho^\top \mu)^2 = \operatorname{Var} \rho_y + \sum_k \rho_k^2 (1 - \mu_k)$: no coefficient of a term is negative, for any $K$",
        ),
    ),
    domain=r"all $K$, probabilities $\mu_*$, $\mu_t$ with $\rho^\top \mu_* \ge \rho^\top \mu_t$ and $\rho \ge 0$; searched: $K = 2, 3, 5$, logits in $[-12, 12]^K$, $\rho \in [0, 1]^K$; the last inequality is C141",
    planted={"constant": 1},
    module=__name__,
)


def variances_by_nu(m: Arithmetic, K: int, nu_factor: int = 1, **point: Number) -> Number:
    """rho^T (grad mu(theta_* x_t) - grad mu(theta_* x_*)) rho over (4 R + nu)/2 times the regret, the larger of two arms."""
    moments, rewards = moments_of(m, point), column(point, "r")
    if no_gap(m, moments):
        return 0 * gaps_of(moments)[0]
    spreads = [second - mean**2 for mean, second in moments]
    rights = [
        (4 * m.sqrt(dot(rewards, rewards)) * gap + nu_factor * scaled_gap) / 2
        for gap, scaled_gap in zip(gaps_of(moments), nu_times_gaps(m, moments), strict=True)
    ]
    return m.maximum(*((spread - spreads[0]) / right for spread, right in zip(spreads[1:], rights, strict=True)))


def variances_below_nu(nu_factor: int = 1) -> bool:
    """(4 R + nu)/2 times the gap minus the difference of variances has no negative coefficient; the means add to 2 R - h."""
    arm = compared()
    above = (nu_factor * arm.half_nu) * arm.gap - arm.second
    return nonnegative(above + arm.rest * arm.gap) and mean_below_norm()


TIED = (
    {"K": 3, "r0": 0.0, "r1": 0.5, "r2": 1.0}
    | {f"z{k}": entry for k, entry in enumerate((-12.0, 12.0, -12.0))}
    | {f"y{k}": entry for k, entry in enumerate((12.0, -12.0, 11.5))}
    | {f"w{k}": entry for k, entry in enumerate((12.0, -12.0, -12.0))}
)
"""An arm of a safe reward, and one that risks as much in the mean."""

SETS_WITH_A_GAP = r"all finite sets of arms with a gap $g > 0$, $\rho \ge 0$, every $x_t$, the difference of variances against half the factor times the regret of the round, see C141; searched: three arms, $K = 2, 3, 5$, logits in $[-12, 12]^K$, $\rho \in [0, 1]^K$"

VARIANCES = Inequality(
    variances_by_nu,
    three_arms,
    STEP_FIVE_CASES,
    examples=[TIED],
    note=r"Step 5 with $\nu/2$ for $\nu$ (C159) gives it",
    share=0.1,
    proof=Exactly(
        variances_below_nu,
        r"with the gap $g + e$, the difference of second moments $D - f$ and the sum of the means $2 R - h$ (C160), $(2 R + D/g)(g + e) - (D - f) - (2 R - h)(g + e) = D e/g + f + h (g + e)$, and with $2 D/g$ for $D/g$ it is larger by $D + D e/g$; of $x_t \in \mathcal{X}_*$ as in C159",
    ),
)

C161 = claim(
    "C161",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 5, last display",
        lines=(1099, 1103),
        kind="equation",
        prints=r"$\sum_t \rho^\top (\nabla\mu(\theta_* x_t) - \nabla\mu(\theta_* x_*)) \rho \le (4 R + 2 \nu) \sum_t (\epsilon_{1,t}(x_t) + \epsilon_{2,t}(x_t))$.",
        hypotheses=r"$x_*$ as in C159.",
    ),
    replace(VARIANCES, fixed={"nu_factor": 2}, note=r"the sketch has $4 R + \nu$, which is less and holds too (C161b)"),
    domain=SETS_WITH_A_GAP,
    planted={"nu_factor": 0},
    module=__name__,
)

C161b = claim(
    "C161b",
    Statement(
        place="Section 3.3.2, display on the sum of variances",
        lines=(525, 529),
        kind="equation",
        prints=r"$\sum_t \rho^\top \nabla\mu(\theta_* x_t) \rho = \sum_t \langle \rho, \nabla\mu(\theta_* x_*) \rho \rangle + \langle \rho, (\nabla\mu(\theta_* x_t) - \nabla\mu(\theta_* x_*)) \rho \rangle \le \tfrac{R^2 T}{\kappa_*} + (4 R + \nu) \sum_t (\epsilon_{1,t}(x_t) + \epsilon_{2,t}(x_t))$.",
        hypotheses=r"$x_*$ as in C159.",
        reading=r"The proof has $4 R + 2 \nu$ for $4 R + \nu$ (C161). That the first sum is at most $R^2 T/\kappa_*$ is C158.",
    ),
    VARIANCES,
    domain=SETS_WITH_A_GAP,
    planted={"nu_factor": 0},
    module=__name__,
)
