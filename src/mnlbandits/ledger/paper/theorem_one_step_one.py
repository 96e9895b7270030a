"""Appendix F.3, proof of Theorem 1, Step 1: optimism used twice."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Exactly, Inequality, Statement, claim


def optimism_twice(
    m: Arithmetic,
    mean0: Number,
    mean1: Number,
    bonus0: Number,
    bonus1: Number,
    share0: Number,
    share1: Number,
    constant: int = 2,
) -> Number:
    """Regret of the round over `constant` times the bonus of the arm played, of two arms with estimated means and bonuses.

    On the event the true mean of an arm is its estimate plus a share in [-1, 1] of its bonus; the sum of estimate and bonus
    is largest for the arm played.
    """
    arms = ((mean0, bonus0, share0), (mean1, bonus1, share1))
    truths = [mean + share * bonus for mean, bonus, share in arms]
    first = mean0 + bonus0 >= mean1 + bonus1
    played, bonus = (truths[0], bonus0) if first else (truths[1], bonus1)
    return (m.maximum(*truths) - played) / (constant * bonus)


def optimism_adds_up(constant: int = 2) -> bool:
    """2 bonus - regret = a + b + c, the slacks of the three inequalities that the step uses."""
    estimate, bonus, a, b, c = unknowns("estimate", "bonus", "a", "b", "c")
    optimistic = estimate + bonus
    best_truth = optimistic - b - a
    truth = estimate - bonus + c
    return nonnegative(constant * bonus - (best_truth - truth))


C141 = claim(
    "C141",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 1",
        lines=(970, 978),
        kind="step",
        prints=r"$\mathrm{Reg}_T(\mathrm{Learning}) := \sum_{t > \tau} \rho^\top (\mu(\theta_* x_*) - \mu(\theta_* x_t)) \le 2 \sum_t \epsilon_{1,t}(x_t) + 2 \sum_t \epsilon_{2,t}(x_t)$.",
        hypotheses=r"The event of Proposition 1: $|\rho^\top \mu(\theta_* x) - \rho^\top \mu(\theta_t x)| \le \epsilon_{1,t}(x) + \epsilon_{2,t}(x)$ for all $x$; $x_t$ maximises $\tilde r_t$.",
        reading=r"$\theta'_t$, which is not defined, is $\theta_t$ of Algorithm 2. The sums of the last line begin at $t = 1$, where the bonuses are not defined before $\tau + 1$: any numbers $\ge 0$ may stand for them, or, as in Step 4, the rounds of learning are counted from $1$.",
    ),
    Inequality(
        optimism_twice,
        {
            "mean0": (0.0, 1.0),
            "mean1": (0.0, 1.0),
            "bonus0": (0.001, 1.0),
            "bonus1": (0.001, 1.0),
            "share0": (-1.0, 1.0),
            "share1": (-1.0, 1.0),
        },
        note=r"per round. In round $\tau + 1$ Lemma 2 is needed at $\theta_{\tau+1}$, see C127",
        proof=Exactly(
            optimism_adds_up,
            r"$\rho^\top \mu(\theta_* x_*) = \tilde r_t(x_*) - a$, $\tilde r_t(x_*) = \tilde r_t(x_t) - b$ and $\rho^\top \mu(\theta_* x_t) = \rho^\top \mu(\theta_t x_t) - \epsilon_{1,t} - \epsilon_{2,t} + c$ with $a, b, c \ge 0$, and twice the bonus minus the regret is $a + b + c$",
        ),
    ),
    domain=r"one round, any set of arms: all estimated means, bonuses $> 0$ and true means on the event; two arms searched",
    planted={"constant": 1},
    module=__name__,
)
