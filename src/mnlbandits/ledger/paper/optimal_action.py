"""Appendix F.4: the action x_* of the proof of Theorem 1 is well defined."""

from fractions import Fraction

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative
from mnlbandits.ledger.claim import Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.regret import exact_moments
from mnlbandits.ledger.formulas.variances import compared, gaps_of, moments_of, no_gap, nu_times_gaps, spread_of, three_arms
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


def scores_of_two_arms(least: Fraction | int) -> Finding:
    """The two arms of `TWO_ARMS` with `least` for nu: the optimal one has to have the larger score."""
    (best, best_second), (other, other_second) = sorted(map(exact_moments, TWO_ARMS), reverse=True)
    inside, outside = least * best + best_second, least * other + other_second
    text = "K = 3, rho = (0, 1, 2), arms with mu = (1/2, 1/4, 1/4) and (1/8, 3/4, 1/8): both are maximisers, one is optimal"
    evidence = (
        f"on two arms with nu = 0, and {least} in its place, scores {inside} of the optimal one and {outside}; nu > 0 is what Section 3.3 "
        "says of it and the lemma does not repeat: with nu = 0 both arms are maximisers and one is optimal, but then Step 5 is true "
        "without the lemma, and any positive number serves. So does any factor > 1 for the 2 of nu. X must be finite and X_* not all "
        "of X for nu to be finite and defined (C166)"
    )
    return finding.exactly(inside > outside, evidence, text, ratio=float(outside / inside))


def maximisers(effort: Effort, factor: Fraction | int = 2, least: Fraction | int = Fraction(1, 10**6)) -> Finding:
    """Both together."""
    return finding.all_of(SCORES(effort, factor=factor), scores_of_two_arms(least))


C165 = claim(
    "C165",
    Statement(
        place="Appendix F.4, Lemma 3",
        lines=(1131, 1162),
        kind="lemma",
        prints=r"$\arg\max_{x \in \mathcal{X}} (\nu \rho + \rho^{\odot 2})^\top \mu(\theta_* x) \subseteq \arg\max_{x \in \mathcal{X}} \rho^\top \mu(\theta_* x)$.",
        hypotheses=r"$\nu$ as in Eq. def nu, $\nu > 0$ (Section 3.3).",
        labels=("lemma:x_* exists", "appendix:x_* well defined"),
    ),
    maximisers,
    domain=r"all finite sets of arms with $\nu > 0$; searched: three arms, $K = 2, 3, 5$, logits in $[-12, 12]^K$, $\rho \in [0, 1]^K$; the two arms of C166, where $\nu = 0$, with $10^{-6}$ in its place",
    planted={"factor": 1, "least": 0},
    module=__name__,
)
