"""Appendix H, analysis of the adaptive exploration: Lemmas 4, 5 and 6."""

import math
from fractions import Fraction

import numpy as np

from mnlbandits.instances import make_instance
from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import All, Balls, Correction, Equality, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding, corrected, exactly, frequency, inequality
from mnlbandits.ledger.formulas.adaptive import (
    beta_grows,
    beta_over_norm,
    beta_w,
    elliptical_below,
    elliptical_of_arms,
    lambda_w,
    radius_over_trigger,
    score_of_round,
    sequence_box,
)
from mnlbandits.ledger.formulas.regret import harmonic
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.search import Effort, Worst, at, worst_of
from mnlbandits.ledger.simulate.adaptive import effort_runs, explored_ratios, small_instance, trigger_design
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.simulate.trigger import trigger


def step_of_exploration(m: Arithmetic, S: Number, factor: Number | int = 1, alpha: int = 2) -> Number:
    r"""Relative difference of $\eta^w$ and $(1 + \sqrt 6 \alpha)/2$ at $\alpha$ = `alpha` S."""
    return abs((1 + m.sqrt(6) * factor * S) / (1 + m.sqrt(6) * alpha * S) - 1)


def same_step(factor: int, alpha: int = 2) -> bool:
    r"""Whether the two are the same rational function of $\sqrt 6 S$."""
    (s,) = unknowns("s")
    return (1 + factor * s) / (1 + alpha * s) == 1


C177 = claim(
    "C177",
    Statement(
        place="Theorem 3; Appendix H, Lemma 4, eta^w",
        lines=(1567, 1581),
        kind="text",
        prints=r"$\eta^w = (1 + \sqrt 6 S)/2$; the theorem of the confidence set is applied with $\alpha = 2 S$.",
        reading=r"$\eta^w$ is the theorem's $(1 + \sqrt 6 \alpha)/2$ ($\eta = 1$ at $\alpha = 1/\sqrt 6$, Lemma 2) at $\alpha = 2 S$.",
    ),
    Correction(
        "constant",
        Equality(step_of_exploration, {"S": (0.1, 10.0)}, examples=({"S": 1.0},)),
        Equality(step_of_exploration, {"S": (0.1, 10.0)}, proof=Exactly(same_step, "for every S"), fixed={"factor": 2}),
        r"$(1 + 2 \sqrt 6 S)/2$, at most twice as much; $\lambda^w$ and $\beta_t$ follow, and only the exploration term changes. The radius $4 S \sqrt{K d \log(t/\delta)}$ has $\alpha = 2 S$ already",
    ),
    domain=r"$S \in [0.1, 10]$, mended for every $S$; the cited theorem is not restated in the paper, so only that the constants agree among themselves",
    planted={"alpha": 1},
    module=__name__,
)


def ridges_agree(m: Arithmetic, S: Number, ridge: int = 72) -> Number:
    r"""Largest relative difference of $\lambda^w$ and $144 \eta^w K d$, and of 24 and $2 \sqrt{144}$."""
    first = abs(lambda_w(m, m.number(1), S, ridge) / (144 * (1 + m.sqrt(6) * S) / 2) - 1)
    return m.maximum(first, abs(2 * m.sqrt(144) / 24 - 1))


def ridges_equal(ridge: int = 72) -> bool:
    r"""The same, as rational functions of $\sqrt 6 S$."""
    (s,) = unknowns("s")
    return ridge * (1 + s) == 144 * (1 + s) / 2 and 24**2 == 2**2 * 144


C177b = claim(
    "C177b",
    Statement(
        place="Theorem 3, against Lemmas 4 and 7",
        lines=(563, 563),
        kind="text",
        prints=r"$\lambda^w = 72 (1 + \sqrt 6 S) K d$ (Theorem 3), $\lambda^w = 144 \eta^w K d$ (Lemma 4); $\sigma_t$ has $24 S \sqrt{K d}$.",
        reading=r"The two are the same, and $24 S \sqrt{K d} = 2 S \sqrt\lambda$ with $\lambda = 144 K d$.",
    ),
    Equality(ridges_agree, {"S": (0.1, 10.0)}, proof=Exactly(ridges_equal, "for every S")),
    domain=r"every $S$",
    planted={"ridge": 73},
    module=__name__,
)


def exploration_coverage(effort: Effort, log_factor: float = 1.0) -> Finding:
    """Rounds of exploration alone, and the exact runs; `log_factor` makes the radius smaller."""
    instances = [
        small_instance(2, 1, 0.1, 0),
        small_instance(3, 2, 1.0, 0),
        small_instance(6, 2, 0.1, 0),
        make_instance("K = 2, d = 1, S = 3, aligned", "large-kappa-star", {"outcomes": 2, "dim": 1, "norm": 3.0, "arms": 2}),
    ]
    largest = {i.name: log_factor * explored_ratios(i, 5 * effort.runs, effort.rounds // 2) for i in instances}
    largest |= {f"{run.instance.name} (both sets)": log_factor * run.worst for run in effort_runs(effort)}
    shown = ", ".join(f"{name}: {ratios.max():.3g}" for name, ratios in largest.items())
    ratios = np.concatenate(list(largest.values()))
    note = f"largest distance/radius {shown}. Its proof needs W_t in a ball, C176"
    return frequency(int((ratios > 1).sum()), len(ratios), DELTA, note)


C180 = claim(
    "C180",
    Statement(
        place="Appendix H, Lemma 4",
        lines=(1566, 1573),
        kind="lemma",
        prints=r"$\theta_* \in \mathcal W_t(\delta)$ with $\beta_t(\delta) = 4 S \sqrt{K d \log(t/\delta)} + 2 S \sqrt{\lambda^w}$.",
        hypotheses=r"$\delta \in (0, 1]$, $\eta^w = (1 + \sqrt 6 S)/2$, $\lambda^w = 144 \eta^w K d$.",
        quantifiers=r"With probability $1 - \delta$, for all $t \ge 1$.",
        labels=("lemma:adaptive exploration confidence set",),
    ),
    exploration_coverage,
    domain=r"rounds of exploration (300, full: 2000; steps as repaired in C172, C173), $K = 2, 3, 6$, $d = 1, 2$, $S = 0.1, 1, 3$; exact runs of C183",
    planted={"log_factor": 40.0},
    unproved="A statement about the probability of an event over all rounds, from a theorem of another paper whose hypotheses the proof does not meet (C176).",
    module=__name__,
)


SMALL_SCORE = r"$q \le 2 \log(1 + q)$ for $q = x^\top U^{-1} x/\kappa \le 1/(\kappa \lambda^w) \le 1/2$ (both are $0$ at $0$, and the derivatives are in this order)"
DETERMINANTS = r"$H^w = I \otimes U$ and $|U|$ grows by $1 + q$, so the sum is at most $2 \log(|U|/(\lambda^w)^d) \le 2 d \log(1 + |T^w|/(d \kappa \lambda^w))$ by tangents of $\log$ at the mean of the eigenvalues; $|T^w| \le T$ and $\kappa \ge K$, its value at $\theta = 0$"
ELLIPTICAL = Together((Balls(score_of_round, {"q": (0.0, 0.5)}, words=SMALL_SCORE), Exactly(elliptical_below, DETERMINANTS)))
"""That the sum of C181b is below its bound, for every sequence of arms."""

BY_TRIGGER = r"$|T^w|/\tau_T^2 \le \sum_{T^w} 1/\tau_t^2$ as $\beta_t$ increases (C181c), each $1/\tau_t^2$ is at most the largest $\|I_K \otimes x\|^2$ of its round, by the trigger, and these sum to at most $\kappa$ times the bound of C181b"
LEMMA_FIVE = Together((ELLIPTICAL, Exactly(beta_grows, BY_TRIGGER)))
"""What C181b and the trigger give, for every sequence of action sets."""


def rounds_of_exploration(effort: Effort, dimension: int = 1) -> Finding:
    """|T^w| over its bound, the power of K d free."""
    ratios, first = [], []
    for K, d, S in ((2, 1, 0.1), (2, 1, 2.0), (3, 2, 1.0), (6, 3, 1.0), (3, 2, 0.1)):
        instance = small_instance(K, d, S, 0)
        for horizon in (1e4, 1e9, 1e14) if effort.rounds > 1000 else (1e4, 1e12):
            found = trigger(instance, horizon, DELTA, 10**3)
            point = {"rounds": float(found.rounds), "bound": found.bound, "size": K * d, "dimension": dimension}
            ratios.append(at(over_bound, f"K = {K}, d = {d}, S = {S:g}, T = {horizon:.0e}", **point))
            growth = beta_w(FLOATS, K * d, S, horizon) / beta_w(FLOATS, K * d, S, 1)
            first.append(found.rounds / found.bound * growth**2)
    note = f"with tau_1 for tau_t the ratio is up to {max(first):.3g}, so the index of tau matters little here. As the norm is spectral and H^w = I (x) U, 2 tau_T^2 kappa d log(1 + T/(kappa d lambda^w)) holds as well, without K"
    return inequality(worst_of(ratios), over_bound, note, proof=LEMMA_FIVE())


def over_bound(m: Arithmetic, rounds: Number, bound: Number, size: int, dimension: int) -> Number:
    r"""Rounds over the bound with $(K d)^{dimension}$ for K d."""
    return rounds / bound * m.power(m.number(size), m.number(1 - dimension))


C181 = claim(
    "C181",
    Statement(
        place="Appendix H, Lemma 5",
        lines=(1586, 1591),
        kind="lemma",
        prints=r"$|T^w| \le 2 \tau_t^2 \kappa K d \log\left(1 + \frac{T}{K d \lambda^w}\right)$",
        reading=r"$\tau_T$ for $\tau_t$, whose $t$ is free (C181c), $\tau_t = 2 \sqrt 6 \beta_t$.",
        labels=("lemma:bound number exploration steps",),
    ),
    rounds_of_exploration,
    domain=r"every $K \ge 2$, $d$, $S$, $T$, $\delta \in (0, 1]$ and sequence of action sets in the unit ball; run with all arms on offer, $K = 2, 3, 6$, $d = 1, 2, 3$, $S = 0.1, 1, 2$, $T = 10^4, 10^{12}$ (full: $10^4, 10^9, 10^{14}$), in batches of $10^{-3}$ of the exploration after 2000 rounds",
    planted={"dimension": -4},
    module=__name__,
)


def elliptical(m: Arithmetic, K: int, d: int, S: Number, digits: Number, curved: Number, factor: int = 2) -> Number:
    r"""The sum over d orthonormal arms in turn, 10^digits rounds each, over its bound; $\kappa = K 10^{curved}$."""
    ridge, kappa, count = lambda_w(m, K * d, S), K * 10**curved, 10**digits
    return d * harmonic(m, count, ridge * kappa) / (factor * K * d * m.log(1 + d * count / (K * d * ridge)))


C181b = claim(
    "C181b",
    Statement(
        place="Appendix H, proof of Lemma 5, first display",
        lines=(1595, 1601),
        kind="step",
        prints=r"$\sum_{t \in T^w} \|\kappa^{-1/2} I_K \otimes x_t\|^2_{(H^w_{t-1})^{-1}} \le 2 K d \log\left(1 + \frac{T}{K d \lambda^w}\right)$",
    ),
    All(
        (
            Inequality(
                elliptical,
                {"S": (0.0, 10.0), "digits": (0.0, 18.0), "curved": (0.0, 9.0)},
                tuple({"K": K, "d": d} for K in (2, 64) for d in (1, 10)),
                note=r"the sum is of order $d \log$, not $K d \log$, and the factor 2 is for $\lambda^w$ near 1",
                share=0.25,
                loose=True,
                proof=ELLIPTICAL,
            ),
            Inequality(
                elliptical_of_arms,
                sequence_box,
                tuple({"K": K, "rounds": rounds} for K in (2, 64) for rounds in (1, 4)),
                share=0.1,
                loose=True,
                proof=ELLIPTICAL,
            ),
        )
    ),
    domain=r"every $K \ge 2$, $d$, $S \ge 0$ and sequence of arms in the unit ball; searched with $d = 1, 10$ orthonormal arms in turn, 1 to $10^{18}$ rounds a direction, and all sequences of 1 and 4 arms, $d = 2$; $K = 2, 64$, $\kappa \ge K$, $S \in [0, 10]$",
    planted={"factor": Fraction(1, 100)},
    module=__name__,
)


def two_explorations(m: Arithmetic, S: Number, size: Number, growing: bool = True) -> Number:
    r"""Relative difference of $\sum 1/\tau_t^2$ over $T^w = \{1, 2\}$ and $2/\tau_2^2$."""
    first, second = (1 / beta_w(m, size, S, m.number(t)) ** 2 for t in (1, 2 if growing else 1))
    return abs((first + second) / (2 * second) - 1)


def last_of_tau(m: Arithmetic, S: Number, size: Number, level: Number, longer: Number) -> Number:
    r"""$\beta_t$ over $\beta_T$, at $\log(t/\delta)$ and $\log(T/t)$: at most 1, each $1/\tau_t^2$ is at least $1/\tau_T^2$."""
    return beta_over_norm(m, size, S, level) / beta_over_norm(m, size, S, level + longer)


C181c = claim(
    "C181c",
    Statement(
        place="Appendix H, proof of Lemma 5, second display",
        lines=(1602, 1605),
        kind="step",
        prints=r"$\sum_{t \in T^w} \frac{1}{\tau_t^2} = |T^w| \frac{1}{\tau_t^2}$",
    ),
    Correction(
        "misprint",
        Equality(two_explorations, {"S": (0.05, 20.0), "size": (2.0, 100.0)}, examples=({"S": 1.0, "size": 2.0},)),
        Inequality(
            last_of_tau,
            {"S": (0.05, 20.0), "size": (2.0, 100.0), "level": (0.0, 100.0), "longer": (0.0, 100.0)},
            share=0.1,
            proof=Exactly(beta_grows, r"$\beta_t$ increases with $t$"),
        ),
        r"misprint: $\ge |T^w|/\tau_T^2$, as $\beta_t$ grows with $t$, and $\tau_T$ for $\tau_t$ in Lemma 5 and in Theorem 3's proof",
    ),
    domain=r"$K d = 2..100$, $S \in [0.05, 20]$: $T^w = \{1, 2\}$; mended: every $K d$, $S$ and $t \le T$",
    planted={"growing": False},
    module=__name__,
)


def second_diameter(m: Arithmetic, S: Number) -> Number:
    r"""The diameter of $\mathcal W_2$ along the arm 1, over $1/\sqrt 6$, after a round of exploration; K = 2, d = 1."""
    size = m.number(2)
    return 2 * m.sqrt(6) * beta_w(m, size, S, size) / m.sqrt(lambda_w(m, size, S) + binary_curvature(m, S))


def learning_diameters(effort: Effort) -> Finding:
    """The diameter in the rounds of learning: by the trigger, and looked at in the first rounds of two instances."""
    largest, count = [], 0
    for S in (0.06, 0.08):
        design = trigger_design(small_instance(2, 1, S, 0), effort.rounds)
        radii = np.array([beta_w(FLOATS, 2, S, t) for t in range(1, effort.rounds + 1)])
        values = 2 * radii * np.sqrt(design.largest) * math.sqrt(6)
        count += int((~design.explores).sum())
        largest.append(Worst(float(values[~design.explores].max()), {}, f"K = 2, d = 1, S = {S:g}"))
    worst = worst_of(largest)
    evidence = (
        f"2 beta_t/tau_t = 1/sqrt(6) exactly; in {count} rounds of learning at most {worst.value:.6g} of it, at {worst.text}"
    )
    return exactly(radius_over_trigger() and worst.value <= 1, evidence, worst.text, ratio=worst.value)


def adaptive_diameter(effort: Effort, learning: bool = False) -> Finding:
    """For all rounds as printed, or for the rounds of learning only."""
    mended = learning_diameters(effort)
    point = at(second_diameter, "K = 2, d = 1, S = 1, t = 2, x = 1, delta = 0.05: both rounds explore", S=1.0)
    printed = inequality(point, second_diameter, loose=False)
    words = r"for all rounds $t$ of learning, the only ones in which it is used: the proof needs the trigger not to fire, and in a round of exploration it does. There it is certain, with no need of $1 - \delta$: $\mathcal W_t$ has the radius of its last exploration, at most $\beta_t$. $I \otimes x$ is $I \otimes x^\top$ in the proof"
    return mended if learning else corrected("condition", printed, mended, words)


C182 = claim(
    "C182",
    Statement(
        place="Appendix H, Lemma 6",
        lines=(1614, 1619),
        kind="lemma",
        prints=r"$\max_{x \in \mathcal X_t} \max_{\theta_1, \theta_2 \in \mathcal W_t(\delta)} \|(\theta_1 - \theta_2) x\|_2 \le \frac{1}{\sqrt 6}$",
        hypotheses=r"$\tau_t = 2 \sqrt 6 \beta_t(\delta)$, $\delta \in (0, 1]$.",
        quantifiers=r"With probability $1 - \delta$, for all $t \ge 1$.",
        labels=("lemma:adaptive constant diameter",),
    ),
    adaptive_diameter,
    domain=r"$t = 2$, $K = 2$, $d = 1$, $S = 1$, $x = 1$; mended: every round of learning, by the trigger",
    planted={"learning": True},
    module=__name__,
)
