"""Appendix F.1: the event of Proposition 2, and the set that is to be made of it."""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

from mnlbandits.instances import Instance
from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import BALLS, BITS, Arithmetic, Number, precision
from mnlbandits.ledger.claim import Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.leverage import deviation_below, event_covers, few_rounds_below, gamma_adds_to_ridge
from mnlbandits.ledger.formulas.radii import GAMMA, event_at_one, event_at_tau, gamma_root_mended
from mnlbandits.ledger.formulas.softmax import sigmoid, slope
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.exploration import (
    DELTA,
    HORIZON,
    examples,
    explorations,
    long_histories,
    precise_score_distance,
    ridge_of,
    score_distance,
    short_arm,
)


def event_steps(offset: int = 4) -> bool:
    """The exponent of the noise, the few rounds where that is too large, and what the mended gamma leaves for the noise."""
    return deviation_below() and few_rounds_below(offset) and gamma_adds_to_ridge(offset)


EVENT_PROOF = Together(
    (
        Balls(event_covers, {"r": (0.0, 1.0)}),
        Exactly(
            event_steps,
            r"the arms of Algorithm 1 do not depend on outcomes (C104), so at each $t$ the noise $H_t^{-1/2}(\theta_*) \sum_s (e_{y_s} - \mu) \otimes x_s$ is a sum of independent terms of norm at most $\sqrt{2/\lambda_0}$, whose variance in a direction is at most 1; by Bernstein's inequality in the directions of a $\frac{1}{2}$-net of the unit sphere of $1^\perp \otimes \mathbb R^d$ of at most $5^D$ points, $D = (K - 1) d$, (both cited) its norm is at most $2 (\sqrt{2 u} + \frac{\sqrt 2 u}{3 \sqrt{\lambda_0}})$ for all $t \le T$ with probability $1 - \delta$, $u = D \log 5 + \log(T/\delta) \le \lambda_0/(S + 1)$ where $T \ge 5$; this is at most $\frac{8 \sqrt 2}{3} \sqrt{\lambda_0} = 3.78 \sqrt{\lambda_0}$, and $\|\lambda_0 \theta_*\|_{H_t^{-1}} \le S \sqrt{\lambda_0}$; where $2 \le T \le 4$, $t \sqrt{2/\lambda_0} \le 4 \sqrt{\lambda_0}$ is enough",
        ),
    )
)

LEVEL_OF_100 = math.log(100 / DELTA)
"""log(T/delta) at T = 100 and delta = 0.05."""

PRINTED_EVENT = Inequality(
    event_at_one,
    {"S": (0.1, 20.0), "level": (0.7, 50.0), "x": (0.0, 1.0)},
    examples=({"S": 5.0, "level": LEVEL_OF_100, "x": 1.0},),
    share=0.5,
    note=r"$S \sqrt{\lambda_0}$ is what the ridge alone makes of the left side's root, and $4 \sqrt{\lambda_0}$ does not grow with $S$",
    fixed={"gamma": GAMMA},
)


def mended_event_at_one(m: Arithmetic, outcome: int, norm: Number, size: Number, level: Number, offset: int = 4) -> Number:
    """`event_at_one` with the mended gamma, S = 10^norm and S x = 10^size, x at most 1."""
    S = 10**norm
    return event_at_one(m, gamma_root_mended(S, 1, offset) ** 2, S, level, m.minimum(1, 10**size / S), outcome)


def mended_event_at_tau(m: Arithmetic, norm: Number, size: Number, offset: int = 4) -> Number:
    """`event_at_tau` likewise."""
    S = 10**norm
    return event_at_tau(m, gamma_root_mended(S, 1, offset) ** 2, S, 10**size / S, HORIZON)


AT_ONE = Inequality(
    mended_event_at_one,
    {"norm": (-2.0, 16.0), "size": (-20.0, 2.0), "level": (0.7, 700.0)},
    cases=({"outcome": 1}, {"outcome": 2}),
    share=0.3,
    fixed={"offset": 4},
    note=r"after one round",
    proof=EVENT_PROOF,
)

AT_TAU = Inequality(
    mended_event_at_tau,
    {"norm": (-2.0, 16.0), "size": (-30.0, 0.0)},
    share=0.3,
    fixed={"offset": 4},
    note=r"the least distance, over all outcomes, after $\tau$ rounds of one short arm",
    proof=EVENT_PROOF,
)


def event_along_runs(effort: Effort, offset: int = 4) -> Finding:
    """`AT_ONE`, refuted if runs say otherwise."""
    found, distances = AT_ONE(effort, offset=offset), []
    for instance, ridge, path in long_histories(effort):
        largest = max(score_distance(instance, counts, ridge) for counts in path)
        distances.append(largest / gamma_root_mended(instance.norm_bound, 1, offset))
    what = (
        f"mended, $t = 1, 2, 4, \\dots \\le T = {effort.rounds}$, $S = 1$ to $8$: at most {max(distances):.4g} of the root"
    )
    return with_runs(found, finding.frequency(sum(distance > 1 for distance in distances), len(distances), DELTA, what))


def with_runs(found: Finding, seen: Finding) -> Finding:
    """What was found, refuted if runs say otherwise; a simulation does not lower the level of a proof."""
    if found.verdict == "refuted" or seen.verdict == "refuted":
        return found if found.verdict == "refuted" else seen
    return replace(found, evidence=f"{found.evidence}; {seen.evidence}")


EVENT_NOTE = r"$\gamma_t := (S + 4)^2 \lambda_0$ where $\|\theta_*\|_F \le S$ (in the spectral norm $(\sqrt r S + 4)^2$, $r = \min(K - 1, d)$), for all $t \le T$, which is all that is used, with ties broken without looking at outcomes (C104): over all $t$, by the law of the iterated logarithm, no constant radius holds. It is $16 \lambda_0$ at $S = 0$"

C108 = claim(
    "C108",
    Statement(
        place="Appendix F.1, Proposition 2",
        lines=(820, 830),
        kind="proposition",
        prints=r"$\mathbb P(E_\delta) \ge 1 - \delta$ for $E_\delta : \{\forall t \ge 1, \|g_t(\theta_*) - g_t(\hat\theta_{t+1})\|^2_{H_t^{-1}(\theta_*)} \le \gamma_t(\delta)\}$, $\gamma_t(\delta) := 16 \lambda_0$.",
        hypotheses=r"$\lambda_0 = (S + 1) K d \log(T/\delta)$ with a certain $\delta \in (0, 1]$",
        quantifiers=r"for every $\delta$ and every problem: with probability at least $1 - \delta$, for all $t \ge 1$",
        reading=r"$x_s$ and $\hat\theta_{t+1}$ are those of Algorithm 1. The source gives no proof; it cites Theorem 1 of Zhang and Sugiyama, which has another $\gamma$",
        labels=("appendix:analysis algorithm", "appendix: exploration routine", "prop:exploration first confidence lemma"),
    ),
    Correction("rate", PRINTED_EVENT, event_along_runs, EVENT_NOTE),
    domain=r"printed: $t = 1$, $K = 2$, $d = 1$, the outcome with the least distance, $S \in [0.1, 20]$, $\log(T/\delta) \in [0.7, 50]$, $x \in [0, 1]$. Corrected: every $K$, $d$, $S \ge 0$, finite $\mathcal X$ in the unit ball, $\delta$ and $T \ge 2$, for Algorithm 1 with ties broken without looking at outcomes, with the inequalities of Bernstein and of a $\frac{1}{2}$-net cited (searched: $t = 1$, $S = 10^{-2}$ to $10^{16}$, both outcomes; simulated: $t \le T$ of four instances)",
    planted={"gamma": 500, "mended_offset": Fraction(-1, 200)},
    module=__name__,
)

SHORT_ARM_EVENT = Inequality(
    event_at_tau,
    cases=({"S": 5.0, "x": 1e-9, "horizon": HORIZON},),
    note=r"$K = 2$, $d = 1$, $S = \|\theta_*\|$, the single arm $x$, $T = 10^{12} \ge \tau$, whatever the outcomes of the $\tau$ rounds are",
    fixed={"gamma": GAMMA},
)


def score_exceedance(instances: Iterable[Instance], effort: Effort, root: Callable[[float], float], what: str) -> Finding:
    """How often the distance of the scores after tau rounds exceeds root(S) sqrt(lambda_0)."""
    runs = max(10, effort.runs // 4)
    ends = [(instance, end.counts) for instance in instances for end in explorations(instance, runs)]
    ratios = [score_distance(instance, counts, ridge_of(instance)) / root(instance.norm_bound) for instance, counts in ends]

    def again(run: int) -> Number:
        return precise_score_distance(*ends[run]) / root(ends[run][0].norm_bound)

    return finding.exceedance(ratios, DELTA, f"{what}: at most {max(ratios):.4g} of the root", again)


def event_at_tau_in_runs(effort: Effort, offset: int = 4) -> Finding:
    """`AT_TAU`, refuted if runs say otherwise."""
    everywhere = [*examples(), *map(short_arm, (3.0, 5.0, 100.0))]
    seen = score_exceedance(everywhere, effort, lambda S: gamma_root_mended(S, 1, offset), "mended, after $\\tau$ rounds")
    return with_runs(AT_TAU(effort, offset=offset), seen)


C109 = claim(
    "C109",
    Statement(
        place=r"Appendix F.1, Proposition 2, at $t = \tau$ (all that Lemma 1 uses)",
        lines=(820, 830),
        kind="proposition",
        prints=r"$\|g_t(\theta_*) - g_t(\hat\theta_{t+1})\|^2_{H_t^{-1}(\theta_*)} \le 16 \lambda_0$.",
        hypotheses=r"$\lambda_0 = (S + 1) K d \log(T/\delta)$",
        quantifiers=r"with probability at least $1 - \delta$, at $t = \tau$",
        reading=r"as C108, which says it of all $t$",
    ),
    Correction(
        "rate",
        SHORT_ARM_EVENT,
        event_at_tau_in_runs,
        r"$(S + 4)^2 \lambda_0$ where $\|\theta_*\|_F \le S$, as in C108; at $\tau$ only directions in which the arms are short matter",
    ),
    domain=r"printed: after $\tau$ rounds, an arm of length $10^{-9}$ with $S = 5$ and all outcomes. Corrected: as C108 (searched: one arm, $S = 10^{-2}$ to $10^{16}$, $S X = 10^{-30}$ to 1; simulated: three instances with $S = 1, 2, 3$ and an arm of length $10^{-5}$ with $S = 3, 5, 100$)",
    planted={"gamma": 100, "mended_offset": Fraction(-1, 200)},
    module=__name__,
)


def level_form(m: Arithmetic, b: Number, long: int = 500, short: int = 14142) -> Number:
    """||g(theta) - g(hat theta)||^2_{H^-1(theta)}/lambda_0 at theta = (b, -b)/sqrt(2), K = 2, d = 1, all outcomes 2.

    `long` lambda_0 rounds of the arm 1 and `short` lambda_0 of the arm 1/1000; g(hat theta) is the sum of e_2 (x) x.
    """
    gained, curved, root = b, 1, m.sqrt(m.number(2))
    for x, pulls in ((m.number(1), long), (m.number(1) / 1000, short)):
        gained = gained + pulls * root * x * sigmoid(m, root * x * b)
        curved = curved + 2 * pulls * x**2 * slope(m, root * x * b)
    return gained**2 / curved


def level_set(effort: Effort, gamma: int = GAMMA, short: int = 14142) -> Finding:
    """Whether two points of the set are certainly inside and one between them is certainly outside, in balls."""
    del effort
    with precision(BITS):
        first, middle, second = (level_form(BALLS, BALLS.number(b), short=short) for b in ("-5.5", "-4.9", "-4"))
        found = first <= gamma and second <= gamma and middle > gamma
    text = f"{first.arb.str(6)} and {second.arb.str(6)} at the ends, {middle.arb.str(6)} between them, against {gamma}"
    return finding.exactly(found, text, text, ratio=gamma / middle.lower)


C108b = claim(
    "C108b",
    Statement(
        place="Appendix F.1, first paragraph, second sentence",
        lines=(818, 818),
        kind="text",
        prints=r"As demonstrated by Abeille et al. (2021, Section 6), the confidence set presented in the following proposition is not convex.",
        reading=r"Proposition 2 presents an event with $\theta_*$ fixed; the set is $\{\theta: \|g_t(\theta) - g_t(\hat\theta_{t+1})\|^2_{H_t^{-1}(\theta)} \le 16 \lambda_0\}$. Not convex in general: one instance shows it. The proposition names no sequence of arms; Algorithm 1 plays no short arm beside a parallel long one",
    ),
    level_set,
    domain=r"$K = 2$, $d = 1$, the arm 1 in $500 \lambda_0$ and the arm $10^{-3}$ in $14142 \lambda_0$ rounds, all outcomes 2: $\hat\theta = -9.93$ along $(1, -1)/\sqrt 2$, the ends are $-5.5$ and $-4$, between them $-4.9$",
    planted={"gamma": 10, "short": 0},
    module=__name__,
)
