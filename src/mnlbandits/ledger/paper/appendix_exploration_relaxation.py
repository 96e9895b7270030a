"""Appendix F.1: Proposition 3, whose proof follows, and the order V_t <= Hbar_t that makes Theta of it."""

import math
from dataclasses import replace
from fractions import Fraction

from mnlbandits.instances.instance import kappa_once
from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Exactly, Identities, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import LOOSE, Finding
from mnlbandits.ledger.formulas.concordance import jacobian_with_ones
from mnlbandits.ledger.formulas.frameworks import law_of, unknown_vectors
from mnlbandits.ledger.formulas.information import (
    PAIRS,
    event_is_narrow,
    every_event_is_narrow,
    largest_factor,
    on_event,
    pair_box,
    pair_of,
)
from mnlbandits.ledger.formulas.leverage import deviation_below, event_covers, few_rounds_below, gamma_adds_to_ridge
from mnlbandits.ledger.formulas.orders import square_form
from mnlbandits.ledger.formulas.radii import GAMMA, ROOT, beta_root, distance_at_one, gamma_root_mended, mended_root
from mnlbandits.ledger.formulas.softmax import jacobian_of
from mnlbandits.ledger.formulas.vectors import centred, scaled
from mnlbandits.ledger.search import Effort, column, vectors_box
from mnlbandits.ledger.simulate.exploration import DELTA, estimate, information, long_histories


def design_below_information(m: Arithmetic, K: int, S: int, share: Number, power: int = 1, **point: Number) -> Number:
    """1 over kappa^power times the smallest eigenvalue of grad mu(z) + 11^T, ||z|| = share S; kappa certified from above."""
    kappa = m.number(kappa_once(K, float(S), "frobenius").upper) ** power
    z = scaled(m, centred(column(point, "z")), share * S)
    return 1 / (kappa * m.eigenvalues(jacobian_with_ones(m, z))[0])


def ones_direction(power: int = 1) -> bool:
    """grad mu 1 = 0 and 11^T 1 = K 1, for unknown logits, K = 4; kappa^power >= kappa and K kappa^power >= 1, kappa >= K >= 1."""
    (e,), (more, rest) = unknown_vectors(e=4), unknowns("more", "rest")
    rows = [sum(row) for row in jacobian_of(RATIONALS, law_of(e)).tolist()]
    K, kappa = 1 + more, 1 + more + rest
    return all(row == 0 for row in rows) and nonnegative(kappa**power - kappa) and nonnegative(K * kappa**power - 1)


C110 = claim(
    "C110",
    Statement(
        place="Appendix F.1, sentence before Proposition 3",
        lines=(832, 832),
        kind="step",
        prints=r"$V_t \preceq \bar H_t(\theta_*)$ for $\bar H_t(\theta) := H_t(\theta) + \sum_{s=1}^t 1_K 1_K^\top \otimes x_s x_s^\top$.",
        reading=r"term by term: $I/\kappa \preceq \nabla\mu(z) + 1 1^\top$ for $\|z\| \le S$",
    ),
    Inequality(
        design_below_information,
        lambda K, S: vectors_box(z=(K, 1.0)) | {"share": (0.0, 1.0)},
        cases=tuple({"K": K, "S": S} for K, S in ((2, 1), (2, 4), (3, 1), (4, 1))),
        share=0.25,
        note=r"equality where $\kappa$ is attained; in the direction $1$ the right side is $K \ge 1/\kappa$",
        proof=Exactly(
            ones_direction,
            r"$\nabla\mu(z)$ maps $1^\perp$ to itself, where it is at least $1/\kappa$ by the definition of $\kappa$, and vanishes on $1$, where $1 1^\top$ is $K \ge 1/K \ge 1/\kappa$: for every $K$ and $S$",
        ),
    ),
    domain=r"every $K$ and $S$, all centred logits of norm at most $S$ (searched with certified $\kappa$: $K = 2$ ($S = 1, 4$), $K = 3$ ($S = 1$), $K = 4$ ($S = 1$))",
    planted={"power": -1},
    module=__name__,
)


def radius_reached(gamma: int = GAMMA, root: int = ROOT) -> bool:
    """(1 + gamma + sqrt(gamma)) sqrt(gamma) <= root, of integers."""
    return math.isqrt(gamma) ** 2 == gamma and beta_root(math.isqrt(gamma)) <= root


C110b = claim(
    "C110b",
    Statement(
        place="Appendix F.1, sentence before Proposition 3",
        lines=(832, 835),
        kind="step",
        prints=r"[...] therefore proving the following lemma is sufficient to prove that $\mathbb P(\theta_* \in \Theta) \ge 1 - \delta$.",
        hypotheses=r"$V_t \preceq \bar H_t(\theta_*)$, which is C110; the lemma is Proposition 3",
        reading=r"the implication only; its premise is C112",
    ),
    Identities(
        radius_reached,
        r"$\|\theta_* - \hat\theta_{\tau+1}\|^2_{V_\tau} \le \|\theta_* - \hat\theta_{\tau+1}\|^2_{\bar H_\tau(\theta_*)} \le \beta_\tau(\delta)$ of Proposition 3, $(1 + 16 + 4) \cdot 4 = 84$ in integers, and $\theta_* \in \Pi \mathbb R^{K \times d}$ say $\theta_* \in \Theta$",
    ),
    domain=r"every $K$, $d$, $S$, $\delta$ and sequence of arms; integers",
    planted={"root": 80, "gamma": 25},
    module=__name__,
)


def distance_in_set(
    m: Arithmetic, K: int, d: int, arms: int, gamma: int = GAMMA, root: int = ROOT, **point: Number
) -> Number:
    """||theta - hat theta||_{H(theta)} over the radius of Theta, of theta in the set of Proposition 2."""
    pair = pair_of(m, K, d, arms, **point)
    return m.sqrt(square_form(pair.delta, pair.h)) / root * on_event(m, pair, gamma)


def set_in_half(gamma: int = GAMMA, root: int = ROOT) -> bool:
    """Whether the set of Proposition 2 lies in Theta with half its radius: f sqrt(gamma) <= root/2, and V <= Hbar(theta)."""
    half = Fraction(root, 2 * math.isqrt(gamma))
    return ones_direction() and math.isqrt(gamma) ** 2 == gamma and event_is_narrow(half, gamma)


C108c = claim(
    "C108c",
    Statement(
        place="Appendix F.1, first paragraph, last sentence",
        lines=(818, 818),
        kind="text",
        prints=r"To address this, we construct a convex relaxation, see Proposition 3.",
        reading=r"The relaxation is $\Theta$ of Algorithm 1, to which Proposition 3 leads by the sentence before it: an ellipsoid in a norm that the learner knows, and it holds every $\theta \in \Pi \mathbb R^{K \times d}$ of norm at most $S$ in the set of C108b. The inequality of Proposition 3 itself gives an ellipsoid in the norm of $\bar H_t(\theta_*)$, which the learner does not know; with $\theta$ for $\theta_*$ its set is not convex: the arm 1, $10^5 \lambda_0$ rounds, all outcomes 2, so $\hat\theta = -7.01$ along $(1, -1)/\sqrt 2$: $0$ there, $2.5 \cdot 10^6 \lambda_0$ at $0$ and $364 \lambda_0$ at $12$, for $7056 \lambda_0$",
    ),
    Inequality(
        distance_in_set,
        pair_box,
        cases=PAIRS,
        share=0.04,
        loose=True,
        fixed={"gamma": GAMMA, "root": ROOT},
        note=r"in searches up to $22 \sqrt{\lambda_0}$ for the radius $84 \sqrt{\lambda_0}$",
        proof=Exactly(
            set_in_half,
            r"with $\theta$ for $\theta_*$ in the steps of Proposition 3, $\|\theta - \hat\theta\|_{H_t(\theta)} \le f \sqrt{\gamma_t}$ where $2 (f - 1)^2 \le 16 f$, so $f \le 9.9$ (C116): less than half the radius; and $V_t \preceq \bar H_t(\theta)$ where $\|\theta\| \le S$ (C110): for every $K$, $d$, $\lambda_0$ and sequence of arms",
            bound=LOOSE,
        ),
    ),
    domain=r"every $K$, $d$, $S$, $\lambda_0$ and sequence of arms (searched: $(K, d, \text{arms}) = (2, 1, 1), (3, 1, 1), (2, 2, 2)$; $\theta$ and $\theta - \hat\theta$ in $[-10, 10]^{K \times d}$; $10^{-2}$ to $10^6$ pulls$/\lambda_0$)",
    planted={"root": 20, "gamma": 400},
    module=__name__,
)

LEVEL_OF_T = math.log(2000)
"""log(T/delta) at T = 100 and delta = 0.05."""

PRINTED_SET = Inequality(
    distance_at_one,
    examples=({"S": 100.0, "level": LEVEL_OF_T, "x": 1.0},),
    box={"S": (0.1, 80.0), "level": (0.7, 50.0), "x": (0.0, 1.0)},
    share=0.2,
    fixed={"root": ROOT},
)


def set_steps(offset: int = 4) -> bool:
    """The links of the mended Proposition 2, and that the factor of Proposition 3 is right for every gamma."""
    links = deviation_below() and few_rounds_below(offset) and gamma_adds_to_ridge(offset)
    return links and every_event_is_narrow()


SET_PROOF = Together(
    (
        Balls(event_covers, {"r": (0.0, 1.0)}),
        Exactly(
            set_steps,
            r"C108 as corrected, and the steps of the proof of Proposition 3 for every $\gamma$: $H_t(\theta_*) \preceq f G_t$ with $f = 1 + y/\sqrt{2 \lambda_0}$, $y = \|\theta_* - \hat\theta\|_{G_t}$ (C114b), $y^2 \le f \gamma_t$ on the event, so $2 (f - 1)^2 \lambda_0 \le \gamma_t f$, which $f > 1 + \gamma_t/\lambda_0 + \sqrt{\gamma_t/\lambda_0}$ would not be, and $\|\theta_* - \hat\theta\|^2_{H_t} \le f^2 \gamma_t$",
        ),
    )
)


def distance_on_event(m: Arithmetic, norm: Number, offset: int = 4) -> Number:
    """The largest ||theta_* - hat theta||_H on the event of the mended Proposition 2, f gamma^(1/2), over the mended root."""
    S = 10**norm
    root = gamma_root_mended(S, 1, offset)
    return largest_factor(m, gamma_root_mended(S)) * gamma_root_mended(S) / beta_root(root)


MENDED_SET = Inequality(
    distance_on_event,
    {"norm": (-2.0, 16.0)},
    share=0.1,
    fixed={"offset": 4},
    note=r"the largest distance on the event of C108 as corrected, $f \sqrt{\gamma_t}$ with $2 (f - 1)^2 = f \gamma_t/\lambda_0$",
    proof=SET_PROOF,
)


def set_along_runs(effort: Effort, offset: int = 4) -> Finding:
    """`MENDED_SET`, refuted if runs say otherwise."""
    found, distances = MENDED_SET(effort, offset=offset), []
    for instance, ridge, path in long_histories(effort._replace(runs=max(10, effort.runs // 4))):
        largest = 0.0
        for counts in path:
            off = (estimate(instance, counts, ridge) - instance.theta).ravel()
            square = off @ information(instance, counts.sum(axis=1), ridge) @ off
            largest = max(largest, math.sqrt(square / ridge))
        distances.append(largest / mended_root(instance.norm_bound))
    what = f"mended, $t = 1, 2, 4, \\dots \\le T = {effort.rounds}$: at most {max(distances):.3g} of the radius"
    seen = finding.frequency(sum(distance > 1 for distance in distances), len(distances), DELTA, what)
    if found.verdict == "refuted" or seen.verdict == "refuted":
        return found if found.verdict == "refuted" else seen
    return replace(found, evidence=f"{found.evidence}; {seen.evidence}")


SET_NOTE = r"$\beta_t = (1 + \gamma_t/\lambda_0 + \sqrt{\gamma_t/\lambda_0})^2 \gamma_t$ with $\gamma_t = (S + 4)^2 \lambda_0$, for $t \le T$, ties broken without looking at outcomes (C104): the printed one at $S = 0$, $(1 + g + g^2)^2 g^2 \lambda_0$ with $g = S + 4$. A smaller $\Theta$ does for Lemma 1, see C121"

C112 = claim(
    "C112",
    Statement(
        place="Appendix F.1, Proposition 3",
        lines=(837, 843),
        kind="proposition",
        prints=r"$\mathbb P(\forall t \ge 1, \|\hat\theta_{t+1} - \theta_*\|^2_{\bar H_t(\theta_*)} \le \beta_t(\delta)) \ge 1 - \delta$ where $\beta_t(\delta) := (1 + \frac{\gamma_t(\delta)}{\lambda_0} + \sqrt{\frac{\gamma_t(\delta)}{\lambda_0}})^2 \gamma_t(\delta)$.",
        hypotheses=r"$\delta \in (0, 1]$, $\hat\theta_{t+1}$ as in Algorithm 1, $\gamma_t(\delta) = 16 \lambda_0$ and $\lambda_0$ as in Proposition 2",
        quantifiers=r"for every $\delta$ and every problem, every $S$: with probability at least $1 - \delta$, for all $t \ge 1$",
        reading=r"$\beta_t(\delta) = 84^2 \lambda_0$",
        labels=("prop:confidence set after exploring",),
    ),
    Correction("rate", PRINTED_SET, set_along_runs, SET_NOTE),
    domain=r"printed: $t = 1$, $K = 2$, $d = 1$, $S = 100$ and $S \in [0.1, 80]$, $\log(T/\delta) \in [0.7, 50]$, $x \in [0, 1]$. Corrected: every $K$, $d$, $S \ge 0$, finite $\mathcal X$ in the unit ball, $\delta$ and $T \ge 2$, for Algorithm 1 with ties broken without looking at outcomes and $t \le T$, with the inequalities of Bernstein and of a $\frac{1}{2}$-net cited (searched: $S = 10^{-2}$ to $10^{16}$; simulated: $t \le T$ of four instances)",
    planted={"root": 100, "mended_offset": 2},
    module=__name__,
)
