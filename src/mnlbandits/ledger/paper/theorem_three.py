"""Section 3.4: Theorem 3."""

from dataclasses import replace
from fractions import Fraction

from mnlbandits.ledger.arithmetic import BALLS, FLOATS, Arithmetic, Number
from mnlbandits.ledger.claim import Statement, claim
from mnlbandits.ledger.finding import FALSE, Finding, all_of, corrected, exactly, measured
from mnlbandits.ledger.formulas.adaptive import (
    beta_w,
    gap_below_norm,
    lambda_w,
)
from mnlbandits.ledger.formulas.mended import (
    STAR,
    last_line_below,
    quadratic_below,
    second_sum_below,
    star_follows,
    trace_below,
    variance_of_run,
)
from mnlbandits.ledger.formulas.regret import leading
from mnlbandits.ledger.formulas.softmax import sigmoid
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.adaptive import effort_runs, mean_inverse_star
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.ledger.simulate.learning import STEP, example
from mnlbandits.verify.horizon import play

ADAPTIVE_HORIZON = 1e18
"""T of the simulations in batches."""


def first_trigger(m: Arithmetic, S: Number, x: Number) -> Number:
    r"""$\tau_1^2 \max \|I \otimes x\|^2$ before round 1, K = 2, d = 1, an arm of length x."""
    two = m.number(2)
    return 24 * beta_w(m, two, S, m.number(1)) ** 2 * x**2 / lambda_w(m, two, S)


def first_round_alone(explored: bool = False, S: int = 1) -> tuple[bool, str]:
    """Whether the bound (plus R |T^w| if `explored` counts) contains the regret of one round, with what is behind it."""
    one, half = BALLS.number(1), BALLS.number(Fraction(1, 2))
    root, fires = BALLS.sqrt(BALLS.number(2)), first_trigger(BALLS, one, one)
    lost = sigmoid(BALLS, root * S * half) - sigmoid(BALLS, -root * S)
    shown = f"in balls tau_1^2 ||I (x) x||^2 is {fires.arb.str(6)}, so round 1 explores and plays the longer arm; its regret is {lost.arb.str(6)}, and the sum over the rounds of learning is empty"
    return not (fires >= 1 and lost > 0 and not (explored and lost <= 1)), shown


def leading_runs(effort: Effort, constant: float = 1.0, outcomes: float = 0.5, star: float = 0.5) -> Finding:
    """The regret of Algorithm 3 over the leading term of Theorem 3 with `constant`."""
    large = ADAPTIVE_HORIZON
    points = {"K = 3, d = 2, S = 2": (example(), large), "T = 1e16": (example(), 1e16), "K = 4": (example(4), large)}
    points |= {"d = 3": (example(dim=3, arms=16), large), "S = 1": (example(norm=1.0, known=1.0), large)}
    if effort.rounds > 1000:
        points |= {"K = 8": (example(8), large), "d = 4": (example(dim=4, arms=16), large)}
    ratios = {}
    for name, (instance, horizon) in points.items():
        run = play(instance, "adaptive-real", horizon, DELTA, STEP)
        right = leading(FLOATS, instance.constants, horizon, DELTA, outcomes, star)
        ratios[name] = float(run.regret[0, -1] + run.error[0, -1]) / right
    for run in effort_runs(effort):
        instance, T = run.instance, 10 * effort.rounds
        size, S = instance.outcomes * instance.dim, instance.norm_bound
        if 24 * beta_w(FLOATS, size, S, T) ** 2 < lambda_w(FLOATS, size, S):
            changing = {**instance.constants, "kappa_star": 1 / mean_inverse_star(instance)}
            right = leading(FLOATS, changing, T, DELTA, outcomes, star)
            ratios[f"changing sets, {instance.name}"] = float(run.regret.max()) / right
    note = "against the leading term alone with C = 1 and one logarithm, at horizons at which it outweighs the exploration: large kappa_* example, fixed arms dense around x_*, expected outcomes, repaired Algorithm 3 with printed constants; the runs with changing sets are short, a weak test"
    return measured(ratios, constant, note)


CONSTANTS_OF_STEPS = r"the constants of the steps of Theorem 1 from Lemma 2 on, exactly: the bonuses, the trace, the variance of a round, the quadratic inequality for the regret"
SPLIT_OF_THREE = r"in words: a round of exploration costs at most $R$ and Lemma 5 counts them; in the others the steps of the mended Theorem 1 (C156) hold with $\mathcal W_t$ for $\Theta$ and $\mathcal X_t$ for $\mathcal X$, as they use only that $\theta_t$, $\theta_{t+1}$ and $\theta_*$ are in a set of diameter at most $1/\sqrt 6$ at $x_t$ (C182, C183); the variance of a round is at most $R^2/\kappa_{*,t} + (2 R + \nu/2)$ times its regret, $\nu = \max_t \nu(\mathcal X_t)$ (C186)"


def theorem_as_proved(
    effort: Effort, lead: Fraction = STAR["leading"], second: Fraction = STAR["second"], star: float = 0.5
) -> Finding:
    """What of the mended theorem a program checks, and the derivation in words."""
    steps = (
        gap_below_norm()
        and variance_of_run()
        and quadratic_below()
        and trace_below()
        and second_sum_below()
        and last_line_below()
    )
    closes = steps and star_follows(leading=lead, second=second)
    found = all_of(exactly(closes, CONSTANTS_OF_STEPS, "the constants"), leading_runs(effort, star=star))
    return (
        found if found.verdict in FALSE else replace(found, level="argued", evidence=f"{found.evidence}; {SPLIT_OF_THREE}")
    )


def adaptive_theorem(effort: Effort, explored: bool = False, S: int = 1, **mended: object) -> Finding:
    """The bound as printed at T = 1, with R |T^w| if `explored`."""
    holds, shown = first_round_alone(explored, S)
    text = "K = 2, d = 1, S = 1, X_t = {-1, 1/2}, theta_* = (1, -1)/sqrt 2, rho = (1, 0), T = 1: round 1 explores, the right side is 0, the regret 0.474"
    printed = exactly(holds, shown, text)
    words = r"with $\|\theta_*\|_F \le S$, $q = 2.01\, D \log(1 + T/(\lambda D))$, $D = (K - 1) d$ and $\sigma^2 = 4 S^2 \lambda + \frac 5 2 \log(1/\delta) + \frac{21}{10} D \log(1 + T/(\lambda D))$, for $T \ge 2$: $\mathrm{Reg}_T \le 3.34\, \sigma \sqrt q\, R \sqrt{\sum_{t \notin T^w} 1/\kappa_{*,t}} + 14.4\, R \kappa d \sigma^2 \log(1 + T/(7 \kappa d)) + (22.28\, R + 5.6\, \nu) \sigma^2 q + R |T^w|$, $|T^w| \le 48 \beta_T^2 \kappa d \log(1 + T/(\kappa d \lambda^w))$ for a trigger in the spectral norm ($K$ times that in the Frobenius norm), with the sets, $\beta_t$ and $\lambda^w$ of the mended Lemma 4 (C180), $\tau_t = 2 \sqrt 6 \beta_t$ with that $\beta_t$, $\eta = 5/4$ and $\nu = \max_t \nu(\mathcal X_t) > 0$ (or 0 where all arms are optimal). The leading term is at most $R \sqrt{\sum_{t \notin T^w} 1/\kappa_{*,t}}\,[7.5\, D \log(T/\delta) + 114\, S \sqrt{K d D \log T}]$: $K$ for $\sqrt K$, which is open for $K \ge 3$ (C154), and a power of $S$; the others have $\kappa$, $d^2$ and more powers of $S$. $\tilde O$ with a constant that depends on the instance, from some $T$ on, allows for the other terms"
    return corrected(
        "rate",
        printed,
        theorem_as_proved(effort, **{key.removeprefix("mended_"): value for key, value in mended.items()}),
        words,
    )


C184 = claim(
    "C184",
    Statement(
        place="Theorem 3",
        lines=(562, 569),
        kind="theorem",
        prints=r"$\mathrm{Reg}_T \le \tilde O\left(R d \sqrt{K \sum_{t \notin T^w} \frac{1}{\kappa_{*,t}}}\right)$",
        hypotheses=r"$\delta \in (0, 1]$, finite action sets $(\mathcal X_t)_{t=1}^T$, $\lambda^w = 72 (1 + \sqrt 6 S) K d$, $\eta^w = (1 + \sqrt 6 S)/2$, $\lambda = 144 K d$.",
        quantifiers=r"With probability at least $1 - 2 \delta$.",
        reading=r"$\tilde O$ hides a factor that is logarithmic in $T$ and $1/\delta$, for every $T$: no factor makes up for a right side that is 0.",
        labels=("thm:adaptive regret bound", "appendix:proof adaptive regret bound"),
    ),
    adaptive_theorem,
    domain=r"printed: one round, the smallest case of rounds before the first round of learning; mended: every $K$, $d$, $S$, $\delta$, $T \ge 2$ and sequence of finite sets; runs with $T = 10^{16}, 10^{18}$, $S = 1, 2$, $K = 3, 4$ (full: 8), $d = 2, 3$ (full: 4), and those of C183 with changing sets in which $T^w$ is empty ($S = 0.05$)",
    planted={"explored": True, "S": 0, "mended_lead": Fraction(3), "mended_second": Fraction(10), "mended_star": 1},
    unproved="The mended theorem is a derivation in words from the mended Lemmas 4 and 7; a program checks the constants of its steps, and runs its leading term.",
    module=__name__,
)
