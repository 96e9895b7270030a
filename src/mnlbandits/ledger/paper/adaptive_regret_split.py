"""Appendix H, proof of Theorem 3, Steps 1 and 2: exploration apart from learning, and optimism."""

from dataclasses import replace
from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.formulas.adaptive import beta_grows, elliptical_below, gap_below_norm, score_of_round
from mnlbandits.ledger.formulas.learning import optimism_below
from mnlbandits.ledger.formulas.regret import cost_below_norm
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import column, rewards_box, vectors_box
from mnlbandits.ledger.shared import AT_EVERY_ROUND


def gap_over_norm(m: Arithmetic, K: int, constant: Number | int = 1, **point: Number) -> Number:
    r"""Difference of the mean rewards of logits z and y, over R."""
    rewards = column(point, "r")
    means = [dot(softmax(m, column(point, name)), rewards) for name in "zy"]
    size = m.norm(rewards)
    return abs(means[0] - means[1]) / (constant * size) if size > 0 else 0 * size


def split_below(constant: Fraction | int = 1) -> bool:
    """A gap is at most `constant` R, and what Lemma 5 stands on besides the score of a round."""
    return gap_below_norm() and cost_below_norm(constant) and elliptical_below() and beta_grows()


def score_below(m: Arithmetic, q: Number, constant: Fraction | int = 1) -> Number:
    """The score of a round over 2 log(1 + score), as derivatives."""
    del constant
    return score_of_round(m, q)


def optimistic_regret(m: Arithmetic, best: Number, slack: Number, below: Number, error: Number, factor: int = 2) -> Number:
    r"""Regret of a round over `factor` times the bonus 1 of the arm played.

    best: the bonus of $x_{*,t}$, of which its mean is `below` under its estimate; slack: how much larger $\tilde r_t(x_t)$ is; error:
    of the estimate of $x_t$.
    """
    played = m.number(0)
    estimate_of_best = played + 1 - best - slack
    return (estimate_of_best + best * below - (played - error)) / factor


def optimism_in_rounds(factor: int = 2) -> bool:
    r"""`factor` bonus minus the regret is the slacks of the three inequalities of Step 2, and Proposition 1 holds on its event."""
    bonus, a, b, c = unknowns("bonus", "a", "b", "c")
    regret = (bonus - b - a) - (-bonus + c)
    return nonnegative(factor * bonus - regret) and optimism_below()


C184c = claim(
    "C184c",
    Statement(
        place="Appendix H, proof of Theorem 3, Step 1",
        lines=(1669, 1677),
        kind="step",
        prints=r"$\mathrm{Reg}_T \le R |T^w| + \sum_{t \notin T^w} \rho^\top (\mu(\theta_* x_{*,t}) - \mu(\theta_* x_t)) \le 2 R \tau_t^2 \kappa K d \log\left(1 + \frac{T}{K d \lambda^w}\right) + \sum_{t \notin T^w} \rho^\top (\mu(\theta_* x_{*,t}) - \mu(\theta_* x_t))$",
        reading=r"The $t$ of $\tau_t$ is bound by nothing, as in Lemma 5 (C181).",
    ),
    Correction(
        "misprint",
        replace(AT_EVERY_ROUND, note=r"the second inequality for every $t \le T$"),
        Inequality(
            gap_over_norm,
            lambda K: vectors_box(z=(K, 30.0), y=(K, 30.0)) | rewards_box(K),
            ({"K": 2}, {"K": 3}, {"K": 6}),
            share=0.25,
            proof=Together(
                (
                    Exactly(split_below, r"a gap is at most $\max \rho \le R$; and Lemma 5 with $\tau_T$, as in C181"),
                    Balls(score_below, {"q": (0.0, 0.5)}),
                )
            ),
        ),
        r"misprint: $\tau_T$ for $\tau_t$",
    ),
    domain=r"printed: $\tau_1$ for $\tau_t$, the sequence of C181; mended: every $K$, $d$, $S$, $T$, $\rho \ge 0$ and sequence of sets; a gap searched with $K = 2, 3, 6$, logits in $[-30, 30]$",
    planted={"last": True, "mended_constant": Fraction(1, 2)},
    module=__name__,
)

C184f = claim(
    "C184f",
    Statement(
        place="Appendix H, proof of Theorem 3, Step 2",
        lines=(1680, 1688),
        kind="step",
        prints=r"$\mathrm{Reg}_T(\mathrm{Learning}) := \sum_{t \notin T^w} \rho^\top (\mu(\theta_* x_{*,t}) - \mu(\theta_* x_t)) \le 2 \sum_{t \notin T^w} \epsilon_{1,t}(x_t) + 2 \sum_{t \notin T^w} \epsilon_{2,t}(x_t)$",
        hypotheses=r"The event of Proposition 1 in the rounds of learning, for which C182 and C183 stand; $x_t$ maximises $\tilde r_t$ over $\mathcal X_t$.",
        reading=r"$\theta'_t$, which is not defined, is $\theta_t$ of Algorithm 3.",
    ),
    Inequality(
        optimistic_regret,
        {"best": (0.0, 1.0), "slack": (0.0, 1.0), "below": (-1.0, 1.0), "error": (-1.0, 1.0)},
        share=0.1,
        proof=Exactly(
            optimism_in_rounds,
            r"Proposition 1 at $x_{*,t} \in \mathcal X_t$ and at $x_t$, and the choice of $x_t$: twice the bonus minus the regret is the sum of the three slacks",
        ),
    ),
    domain=r"one round of learning, any set of arms, every mean and bonus on the event",
    planted={"factor": 1},
    module=__name__,
)
