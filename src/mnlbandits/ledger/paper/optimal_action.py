"""Appendix F.4: the action x_* of the proof of Theorem 1 is well defined."""

from fractions import Fraction

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.regret import exact_moments
from mnlbandits.ledger.formulas.variances import (
    compared,
    gaps_of,
    moments_of,
    no_gap,
    nu_times_gaps,
    seconds_below_nu,
    seconds_by_nu,
    spread_of,
    three_arms,
)
from mnlbandits.ledger.search import Effort

TWO_ARMS = ((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), (Fraction(1, 8), Fraction(3, 4), Fraction(1, 8)))
"""mu of the two arms of C166, where nu = 0 for rho = (0, 1, 2)."""


def scores_outside(m: Arithmetic, K: int, factor: Fraction | int = 2, **point: Number) -> Number:
    """(rho^2)^T (mu - mu_*) + D over nu rho^T (mu_* - mu), the larger of two arms that are not optimal, D > 0 as in nu.

    At most 1 means that the score (nu rho + rho^2)^T mu of x_* is larger by at least D.
    """
    moments = moments_of(m, point)
    if no_gap(m, moments):
        return 0 * gaps_of(moments)[0]
    spread = spread_of(m, moments)
    lefts = [second - moments[0][1] + spread for _, second in moments[1:]]
    rights = [factor * right / 2 for right in nu_times_gaps(m, moments)]
    return m.maximum(*(left / right for left, right in zip(lefts, rights, strict=True)))


def scores_apart(factor: Fraction | int = 2) -> bool:
    """nu gap minus the difference of second moments minus D has no negative coefficient."""
    arm = compared()
    return nonnegative(factor * arm.half_nu * arm.gap - arm.second - arm.spread)


SCORES = Inequality(
    scores_outside,
    three_arms,
    ({"K": 2}, {"K": 3}, {"K": 5}),
    share=0.1,
    proof=Exactly(
        scores_apart,
        r"with $\nu = 2 D/g$, a gap $g + e$ and a difference of second moments $D - f$, $e, f \ge 0$, the score of $x_*$ is larger by $\nu (g + e) - (D - f) = D + f + 2 D e/g \ge D > 0$",
    ),
)


def scores_of_two_arms(effort: Effort, least: Fraction | int = 0) -> Finding:
    """The two arms of `TWO_ARMS` with `least` for nu, which is 0: only the optimal one may have the largest score."""
    del effort
    (best, best_second), (other, other_second) = sorted(map(exact_moments, TWO_ARMS), reverse=True)
    inside, outside = least * best + best_second, least * other + other_second
    text = f"K = 3, rho = (0, 1, 2), arms with mu = (1/8, 3/4, 1/8) and (1/2, 1/4, 1/4): means {best} and {other}, both scores {inside}"
    evidence = f"on two arms with equal second moments and {least} for nu, scores {inside} of the optimal one and {outside} of the other"
    return finding.exactly(inside > outside, evidence, text)


def maximisers(effort: Effort, factor: Fraction | int = 2, least: Fraction | int = Fraction(1, 10**6)) -> Finding:
    """Both together."""
    return finding.all_of(SCORES(effort, factor=factor), scores_of_two_arms(effort, least))


C165 = claim(
    "C165",
    Statement(
        place="Appendix F.4, Lemma 3",
        lines=(1131, 1162),
        kind="lemma",
        prints=r"$\arg\max_{x \in \mathcal{X}} (\nu \rho + \rho^{\odot 2})^\top \mu(\theta_* x) \subseteq \arg\max_{x \in \mathcal{X}} \rho^\top \mu(\theta_* x)$.",
        hypotheses=r"$\nu := 2 \max_{x_1, x_2} |(\rho^{\odot 2})^\top (\mu(\theta_* x_1) - \mu(\theta_* x_2))| / (\rho^\top \mu(\theta_* x_*) - \max_{x \notin \mathcal X_*} \rho^\top \mu(\theta_* x))$.",
        reading=r"$\mathcal{X}$ finite and $\mathcal{X}_* \ne \mathcal{X}$, so that $\nu$ is defined. Section 3.3 calls $\nu$ a constant $> 0$ (lines 438 and 450); the formula, which the lemma repeats without that, gives $0$ here. Nothing in the proof of Theorem 1 uses the lemma where $\nu = 0$ (C165b).",
        labels=("lemma:x_* exists", "appendix:x_* well defined"),
    ),
    Correction(
        "condition",
        scores_of_two_arms,
        maximisers,
        r"$\nu > 0$, which Section 3.3 says of it; where the definition gives $\nu = 0$, any positive number serves. What the proof of Theorem 1 takes from the lemma is true for $\nu = 0$ too (C165b)",
    ),
    domain=r"printed: two arms, exactly; corrected: all finite sets of arms with $\nu > 0$, $\rho \in \mathbb{R}^K$; searched: three arms, $K = 2, 3, 5$, logits in $[-12, 12]^K$, $\rho \in [0, 1]^K$; the two arms with $10^{-6}$ for $\nu$",
    planted={"least": Fraction(1, 10**6), "mended_factor": 1, "mended_least": 0},
    module=__name__,
)


# What the proof of Theorem 1 takes from it

ALL_OPTIMAL = ((Fraction(3, 8), Fraction(1, 4), Fraction(3, 8)), (Fraction(1, 8), Fraction(3, 4), Fraction(1, 8)))
"""mu of two arms of equal means and different second moments for rho = (0, 1, 2): nu is not defined."""


def common_maximisers(arms: tuple[tuple[Fraction, ...], ...], value: Fraction | int) -> list[int]:
    """The arms with both the largest mean and the largest score, `value` for nu, rho = (0, 1, 2)."""
    moments = [exact_moments(row) for row in arms]
    scores = [value * mean + second for mean, second in moments]
    best = max(mean for mean, _ in moments)
    return [n for n, (mean, _) in enumerate(moments) if mean == best and scores[n] == max(scores)]


def common_maximiser(effort: Effort, share: Fraction | int = 1, value: Fraction | int = 0) -> Finding:
    """nu > 0 by a search; nu = 0, and nu not defined, on two arms with `value` for nu."""
    some = all(common_maximisers(arms, value) for arms in (TWO_ARMS, ALL_OPTIMAL))
    words = f"exactly, with {value} for nu: two arms with nu = 0, where all scores are equal, and two arms that are both optimal, where scores differ by second moments only"
    return finding.all_of(COMMON(effort, share=share), finding.exactly(some, words, "two arms with nu = 0 or not defined"))


COMMON = Inequality(
    seconds_by_nu,
    three_arms,
    ({"K": 2}, {"K": 3}, {"K": 5}),
    share=0.05,
    proof=Exactly(
        seconds_below_nu,
        r"of the optimal arms let $x_*$ be one with the largest second moment. The score of an arm that is not optimal is not larger, as $\nu (g + e) - (D - f) = D + f + 2 D e/g \ge 0$ with $\nu = 2 D/g$, a gap $g + e$ and a difference of second moments $D - f$; with $D = 0$ as well. If all arms are optimal, the score is largest where the second moment is",
    ),
)

C165b = claim(
    "C165b",
    Statement(
        place="Appendix F.3, proof of Theorem 1, before Step 1",
        lines=(955, 960),
        kind="step",
        prints=r"We choose $x_* \in \arg\max_{x \in \mathcal{X}} \rho^\top \mu(\theta_* x) \cap \arg\max_{x \in \mathcal{X}} (\nu \rho + \rho^{\odot 2})^\top \mu(\theta_* x)$. The existence of such an action is guaranteed by Lemma 3.",
        hypotheses=r"$\mathcal{X}$ finite (Theorem 1).",
        reading=r"The existence is judged, which needs less than Lemma 3 (C165): it is true for $\nu = 0$ as well, and for every number in the place of $\nu$ if all actions are optimal.",
    ),
    common_maximiser,
    domain=r"all finite sets of arms, $\rho \in \mathbb{R}^K$; searched: three arms, $K = 2, 3, 5$, logits in $[-12, 12]^K$, $\rho \in [0, 1]^K$; two arms with $\nu = 0$ and two that are both optimal, exactly",
    planted={"share": Fraction(1, 4), "value": -1},
    module=__name__,
)
