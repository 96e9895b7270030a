"""Appendix H, analysis of the adaptive exploration: Lemmas 5 and 6."""

import math
from fractions import Fraction
from functools import partial

import numpy as np

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.claim import (
    All,
    Balls,
    Correction,
    Equality,
    Exactly,
    Identities,
    Inequality,
    Statement,
    Together,
    claim,
)
from mnlbandits.ledger.finding import Finding, corrected, exactly, inequality
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
from mnlbandits.ledger.shared import AT_EVERY_ROUND
from mnlbandits.ledger.simulate.adaptive import small_instance, trigger_design
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.simulators.trigger import trigger

SMALL_SCORE = r"$q \le 2 \log(1 + q)$ for $q = x^\top U^{-1} x/\kappa \le 1/(\kappa \lambda^w) \le 1/2$ (both are $0$ at $0$, and the derivatives are in this order)"
DETERMINANTS = r"$H^w = I \otimes U$ and $|U|$ grows by $1 + q$, so the sum of the $q$ is at most $2 \log(|U|/(\lambda^w)^d) \le 2 d \log(1 + |T^w|/(d \kappa \lambda^w))$ by tangents of $\log$ at the mean of the eigenvalues; $|T^w| \le T$ and $\kappa \ge K$, its value at $\theta = 0$; in the spectral norm that is at most half of the bound, as $K \ge 2$, and in the Frobenius norm, whose square is $K$ times as large, at most the bound"
ELLIPTICAL = Together((Balls(score_of_round, {"q": (0.0, 0.5)}, words=SMALL_SCORE), Exactly(elliptical_below, DETERMINANTS)))
"""That the sum of C181b is below its bound, for every sequence of arms, in both norms."""

BY_TRIGGER = r"$|T^w|/\tau_T^2 \le \sum_{T^w} 1/\tau_t^2$ as $\beta_t$ increases (C181c), each $1/\tau_t^2$ is at most the largest $\|I_K \otimes x\|^2$ of its round, by the trigger, and these sum to at most $\kappa$ times the bound of C181b"
LEMMA_FIVE = Together((ELLIPTICAL, Exactly(beta_grows, BY_TRIGGER)))
"""What C181b and the trigger give, for every sequence of action sets."""


def rounds_of_exploration(effort: Effort, dimension: int = 1) -> Finding:
    """|T^w| over its bound, the power of K d free."""
    ratios = []
    for K, d, S in ((2, 1, 0.1), (2, 1, 2.0), (3, 2, 1.0), (6, 3, 1.0), (3, 2, 0.1)):
        instance = small_instance(K, d, S, 0)
        for horizon in (1e4, 1e9, 1e14) if effort.rounds > 1000 else (1e4, 1e12):
            found = trigger(instance, horizon, DELTA, 10**3)
            point = {"rounds": float(found.rounds), "bound": found.bound, "size": K * d, "dimension": dimension}
            ratios.append(at(over_bound, f"K = {K}, d = {d}, S = {S:g}, T = {horizon:.0e}", **point))
    note = r"run in the spectral norm, in which $2 \tau_T^2 \kappa d \log(1 + \frac{T}{\kappa d \lambda^w})$, without $K$, is enough as $H^w = I \otimes U$"
    return inequality(worst_of(ratios), over_bound, note, loose=False, proof=LEMMA_FIVE())


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
        reading=r"The $t$ of $\tau_t$ is bound by nothing. Read for every $t \le T$ the lemma is false; $t = T$, the round up to which $T^w$ counts, is meant, and in the lines that use it too (C181c, C184c). $\|I_K \otimes x\|$ in the spectral or in the Frobenius norm, which the paper does not say; the trigger of the counterexample is in the spectral norm, in the Frobenius norm it is 3.17 at $S = 0.028$.",
        labels=("lemma:bound number exploration steps",),
    ),
    Correction(
        "misprint",
        AT_EVERY_ROUND,
        rounds_of_exploration,
        r"misprint: $\tau_T$ for $\tau_t$. In the spectral norm half of the right side is enough. With $\tau_1$ the ratio of the counterexample is about $1/(384 S^2)$, for $\log T$ of order $1/S^2$ and as large a $d$",
    ),
    domain=r"printed: $\tau_1$ for $\tau_t$, $K = 2$, $\delta = 1$, $d$ orthonormal arms, $T = \exp(\mathrm{start} + \mathrm{longer})$: from $\exp(\mathrm{start})$ on every round explores; mended: every $K \ge 2$, $d$, $S$, $T$, $\delta \in (0, 1]$ and sequence of action sets in the unit ball, both norms; run with all arms on offer, $K = 2, 3, 6$, $d = 1, 2, 3$, $S = 0.1, 1, 2$, $T = 10^4, 10^{12}$ (full: $10^4, 10^9, 10^{14}$), in batches of $10^{-3}$ of the exploration after 2000 rounds",
    planted={"last": True, "mended_dimension": -4},
    module=__name__,
)


def elliptical(m: Arithmetic, K: int, d: int, S: Number, digits: Number, curved: Number, factor: int = 2) -> Number:
    r"""The sum over d orthonormal arms in turn, 10^digits rounds each, over its bound; Frobenius, $\kappa = K 10^{curved}$."""
    ridge, kappa, count = lambda_w(m, K * d, S), K * 10**curved, 10**digits
    return K * d * harmonic(m, count, ridge * kappa) / (factor * K * d * m.log(1 + d * count / (K * d * ridge)))


C181b = claim(
    "C181b",
    Statement(
        place="Appendix H, proof of Lemma 5, first display",
        lines=(1595, 1601),
        kind="step",
        prints=r"$\sum_{t \in T^w} \|\kappa^{-1/2} I_K \otimes x_t\|^2_{(H^w_{t-1})^{-1}} \le 2 K d \log\left(1 + \frac{T}{K d \lambda^w}\right)$",
        reading=r"In the spectral and in the Frobenius norm, which is the larger.",
    ),
    All(
        (
            Inequality(
                elliptical,
                {"S": (0.0, 10.0), "digits": (0.0, 18.0), "curved": (0.0, 9.0)},
                tuple({"K": K, "d": d} for K in (2, 64) for d in (1, 10)),
                note=r"in the spectral norm the sum is $K$ times smaller, and $1$ for $2$ is enough",
                share=0.25,
                proof=ELLIPTICAL,
            ),
            Inequality(
                elliptical_of_arms,
                sequence_box,
                tuple({"K": K, "rounds": rounds} for K in (2, 64) for rounds in (1, 4)),
                share=0.1,
                proof=ELLIPTICAL,
            ),
        )
    ),
    domain=r"every $K \ge 2$, $d$, $S \ge 0$ and sequence of arms in the unit ball; searched with $d = 1, 10$ orthonormal arms in turn, 1 to $10^{18}$ rounds a direction, and all sequences of 1 and 4 arms, $d = 2$; $K = 2, 64$, $\kappa \ge K$, $S \in [0, 10]$; Frobenius norm",
    planted={"factor": Fraction(1, 100)},
    module=__name__,
)


def two_explorations(m: Arithmetic, S: Number, size: Number, growing: bool = True) -> Number:
    r"""Relative difference of $\sum 1/\tau_t^2$ over $T^w = \{1, 2\}$ and $2/\tau_2^2$."""
    first, second = (1 / beta_w(m, size, S, m.number(t)) ** 2 for t in (1, 2 if growing else 1))
    return abs((first + second) / (2 * second) - 1)


def last_of_tau(m: Arithmetic, S: Number, size: Number, level: Number, longer: Number, factor: int = 1) -> Number:
    r"""`factor` $\beta_t$ over $\beta_T$, at $\log(t/\delta)$ and $\log(T/t)$: at most 1, each $1/\tau_t^2$ is at least $1/\tau_T^2$."""
    return factor * beta_over_norm(m, size, S, level) / beta_over_norm(m, size, S, level + longer)


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
            {"S": (0.05, 1e16), "size": (2.0, 1e12), "level": (0.0, 700.0), "longer": (0.0, 700.0)},
            share=0.1,
            proof=Exactly(beta_grows, r"$\beta_t$ increases with $t$"),
        ),
        r"misprint: $\ge |T^w|/\tau_T^2$, as $\beta_t$ grows with $t$; what follows needs no more, with $\tau_T$ for $\tau_t$ (C181, C184c)",
    ),
    domain=r"$K d = 2..100$, $S \in [0.05, 20]$: $T^w = \{1, 2\}$; mended: every $K d$, $S$ and $t \le T$",
    planted={"growing": False, "mended_factor": 2},
    module=__name__,
)


def second_diameter(m: Arithmetic, S: Number) -> Number:
    r"""The diameter of $\mathcal W_2$ along the arm 1, over $1/\sqrt 6$, after a round of exploration; K = 2, d = 1."""
    size = m.number(2)
    return 2 * m.sqrt(6) * beta_w(m, size, S, size) / m.sqrt(lambda_w(m, size, S) + binary_curvature(m, S))


def learning_diameters(effort: Effort, reach: float = 1.0) -> Finding:
    """The diameter in the rounds of learning: by the trigger, and looked at in the first rounds of two instances."""
    largest, count = [], 0
    for S in (0.06, 0.08):
        design = trigger_design(small_instance(2, 1, S, 0), effort.rounds)
        radii = np.array([beta_w(FLOATS, 2, S, t) for t in range(1, effort.rounds + 1)])
        values = reach * 2 * radii * np.sqrt(design.largest) * math.sqrt(6)
        count += int((~design.explores).sum())
        largest.append(Worst(float(values[~design.explores].max()), {}, f"K = 2, d = 1, S = {S:g}"))
    worst = worst_of(largest)
    evidence = (
        f"2 beta_t/tau_t = 1/sqrt(6) exactly; in {count} rounds of learning at most {worst.value:.6g} of it, at {worst.text}"
    )
    return exactly(radius_over_trigger() and worst.value <= 1, evidence, worst.text, ratio=worst.value)


def adaptive_diameter(effort: Effort, learning: bool = False, mended_reach: float = 1.0) -> Finding:
    """For all rounds as printed, or for the rounds of learning only."""
    mended = learning_diameters(effort, mended_reach)
    point = at(second_diameter, "K = 2, d = 1, S = 1, t = 2, x = 1, delta = 0.05: both rounds explore", S=1.0)
    printed = inequality(point, second_diameter, loose=False)
    words = r"for the $t$ that are rounds of learning, the only ones in which it is used: the proof needs the trigger not to fire, and in a round of exploration it does. In a round of learning it is certain, with no need of $1 - \delta$: $\mathcal W_t$ has the radius of its last exploration, at most $\beta_t$"
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
    planted={"learning": True, "mended_reach": 1.01},
    module=__name__,
)


def shape_of_product(d: int, transposed: bool = False) -> bool:
    r"""Whether $I_K \otimes x$, or `transposed` $I_K \otimes x^\top$, takes a vector of K d numbers to $\theta x$ exactly, K = 2."""
    K, x = 2, [Fraction(k + 1, 2) for k in range(d)]
    factor = np.array([x] if transposed else [[entry] for entry in x], dtype=object)
    matrix = np.kron(np.array([[1, 0], [0, 1]], dtype=object), factor)
    theta = np.array([[Fraction(3 * k + j, 7) for j in range(d)] for k in range(K)], dtype=object)
    return matrix.shape == (K, K * d) and list(matrix @ theta.ravel()) == list(theta @ np.array(x, dtype=object))


C182b = claim(
    "C182b",
    Statement(
        place="Appendix H, proof of Lemma 6, first line",
        lines=(1621, 1632),
        kind="step",
        prints=r"$\|(\theta_1 - \theta_2) x\|_2 = \|(I_K \otimes x)(\theta_1 - \theta_2)\|_2$",
        reading=r"$\theta$ after $I_K \otimes x$ is the vector of its $K d$ entries.",
    ),
    Correction(
        "misprint",
        Identities(shape_of_product, r"the product is defined and is $\theta x$", ({"d": 1}, {"d": 2})),
        Identities(
            partial(shape_of_product, transposed=True),
            r"the product is defined and is $\theta x$",
            ({"d": 1}, {"d": 2}, {"d": 3}),
        ),
        r"misprint: $I_K \otimes x^\top$; the rest of the chain then holds in every round of learning, where the trigger does not fire, by the definition of $\mathcal W_t$: Lemma 4, which its third line cites, is not needed",
    ),
    domain=r"$K = 2$, $d = 1, 2$ (mended: 3), where $I_K \otimes x$ is $K d \times K$ and $\theta$ has $K d$ entries; the shapes are the same for every $K$ and $d \ge 2$",
    planted={"transposed": True, "mended_transposed": False},
    module=__name__,
)
