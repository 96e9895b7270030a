"""Appendix H, proof of Theorem 3: the confidence set of the rounds of learning, Lemma 7."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import FALSE, Finding, all_of, frequency
from mnlbandits.ledger.formulas.adaptive import sigma_w
from mnlbandits.ledger.formulas.mended import RADIUS_GROWTH, RADIUS_LEVEL, sigma_square_mended
from mnlbandits.ledger.formulas.mirror import left_behind
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.adaptive import effort_runs
from mnlbandits.ledger.simulate.exploration import DELTA


def radius_as_proved(m: Arithmetic, K: int, d: int, S: Number, digits: Number, level: Number, scale: int = 1) -> Number:
    r"""`scale` $\sigma_t$ of the mended Lemma 2 over that of Lemma 7, t = 10^digits, $\log(1/\delta)$ = `level`."""
    t, delta = 10**digits, m.exp(-level)
    return scale * m.sqrt(sigma_square_mended(m, K, d, S, t, delta)) / sigma_w(m, m.number(K * d), S, m.log(t / delta))


def radius_below(scale: int = 1) -> bool:
    r"""The squares, for $\delta \le 1/2$: with $u = \log t$, $D = (K - 1) d$, $\log(1 + t/(\lambda D)) \le u + 1/288$ and $24^2 = 4 \cdot 144$.

    $4 K d \log(t/\delta) - scale^2 (\frac 5 2 \log(1/\delta) + \frac{21}{10} D (u + 1/288))$ has no negative coefficient at $\log(1/\delta) = 2/3 + l$.
    """
    more, dim, u, low = unknowns("more", "dim", "u", "low")
    d, free, level = 1 + dim, 1 + more, Fraction(2, 3) + low
    rest = RADIUS_LEVEL * level + RADIUS_GROWTH * free * (u + Fraction(1, 288))
    return scale**2 * 4 * 144 <= 24**2 and nonnegative(4 * (free + d) * (u + level) - scale**2 * rest)


def coverage_of_learning(effort: Effort) -> Finding:
    """Largest distance over radius in exact runs."""
    worst = np.concatenate([run.worst for run in effort_runs(effort)])
    note = f"exact runs of Algorithm 3 with the repairs of C172 to C175, the minimum over $\\mathbb R^{{K \\times d}}$ and learning started from $\\theta^w$, printed constants, sets of 4 of 12 arms drawn in every round, K = 2, 3, 4, S = 0.05, 0.1, {10 * effort.rounds} rounds: largest distance/radius of either set {worst.max():.3g}"
    return frequency(int((worst > 1).sum()), len(worst), 2 * DELTA, note)


LEFT = Inequality(
    left_behind,
    {"S": (0.02, 0.05), "level": (200.0, 300.0)},
    ({"count": 245, "rounds": 10**6},),
    examples=({"S": 0.03, "level": 230.0, "count": 245, "rounds": 10**6},),
    share=0.05,
)
RADIUS = Inequality(
    radius_as_proved,
    {"S": (0.0, 1e16), "digits": (0.0, 30.0), "level": (0.7, 600.0)},
    ({"K": 2, "d": 1}, {"K": 3, "d": 2}, {"K": 1000, "d": 100}),
    share=0.1,
    proof=Exactly(
        radius_below, r"for every $K$, $d$, $S$, $t$ and $\delta \le 1/2$; for larger $\delta$ the statement is empty"
    ),
)


def learning_as_mended(effort: Effort, scale: int = 1) -> Finding:
    """What of the mended lemma a program checks, and the derivation in words."""
    found = all_of(RADIUS(effort, scale=scale), coverage_of_learning(effort))
    words = r"in words: as for Lemma 2 with $\eta = 5/4$ (C135), with $\mathcal W_t$ for $\Theta$: it is convex, holds $\theta_*$ on the event of Lemma 4 and has a diameter of at most $1/\sqrt 6$ in a round of learning (C182); the projection into a new $\mathcal W_t$ brings $\theta_t$ no further from $\theta_*$ (C179), and $\theta_1 = 0$"
    return found if found.verdict in FALSE else replace(found, level="argued", evidence=f"{found.evidence}; {words}")


C183 = claim(
    "C183",
    Statement(
        place="Appendix H, Lemma 7",
        lines=(1638, 1643),
        kind="lemma",
        prints=r"$\|\theta_* - \theta_{t+1}\|_{\bar H_{t+1}} \le \sigma_t(\delta)$ with $\sigma_t = 2 \sqrt{K d \log(t/\delta)} + 24 S \sqrt{K d}$.",
        hypotheses=r"$\delta \in (0, 1]$, $\eta = 1$, $\lambda = 144 K d$, $\beta_t = 4 S \sqrt{K d \log(t/\delta)} + 2 S \sqrt{\lambda^w}$, $\tau_t = 2 \sqrt 6 \beta_t$.",
        quantifiers=r"With probability $1 - 2 \delta$, for all $t \ge 1$.",
        reading=r"Algorithm 3 with the repairs of C172 to C175, C178 and C179 and the minimum of line 1542 over $\mathbb R^{K \times d}$, as printed. The proof cites Lemma 1, of Algorithm 1, where Lemma 6 is meant.",
        labels=("lemma:adaptive learning confidence set",),
    ),
    Correction(
        "rate",
        LEFT,
        learning_as_mended,
        r"with $\|\theta_*\|_F \le S$, the $\beta_t$ and the sets $\mathcal W_t$ of the mended Lemma 4 (C180), $\eta = 5/4$, $\theta_1 = 0$ and $\theta_t$ projected into $\mathcal W_{t+1}$ in a round of exploration, which takes it no further from $\theta_*$ while $\bar H$ stays and $\sigma_t$ grows, for all $t \ge 1$; the printed $\sigma_t$ is then large enough, as it is above $\sigma_t^2 = 4 S^2 \lambda + \frac 5 2 \log(1/\delta) + \frac{21}{10} D \log(1 + t/(\lambda D))$, the radius of the mended Lemma 2",
    ),
    domain=r"printed: $K = 2$, $d = 1$, $x = 1$, $\theta_* = 0$: the 245 rounds of exploration (count) among the first $10^6$ have outcome 1, probability $2^{-245} > 2 \delta$, level $= \log(1/\delta)$, so that $\mathcal W_t$ does not hold $\theta_*$; mended: every $K$, $d$, $S$, $\delta$ and sequence of sets; the radius searched with $S$ to $10^{16}$, $t$ to $10^{30}$",
    planted={"cut": True, "mended_scale": 2},
    unproved="The mended lemma is a derivation in words, as that of Lemma 2; a program checks its radius and how often it fails in simulations.",
    module=__name__,
)


def stays_centred(K: int, scale: int = 1) -> bool:
    r"""Whether 1 is an eigenvector of $\lambda I$ + `scale` diag(p) - p p^T, and orthogonal to p - e_y; the law p unknown."""
    e = unknowns(*(f"e{k}" for k in range(K)))
    p = [weight / sum(e) for weight in e]
    rows = [scale * p[k] - sum(p[k] * other for other in p) for k in range(K)]
    return all(row == 0 for row in rows) and sum(p) - 1 == 0


C183b = claim(
    "C183b",
    Statement(
        place="Appendix H, proof of Lemma 7",
        lines=(1650, 1656),
        kind="step",
        prints=r"$\theta_*, \theta_{t+1} \in \Pi R^{K \times d}$, so $\sum_{s=1}^t \|(\theta_{t+1} - \theta_*) x_s\|_{1_K 1_K^\top} = 0$ and $\|\theta_{t+1} - \theta_*\|_{\bar H_{t+1}} = \|\theta_{t+1} - \theta_*\|_{H_{t+1}}$",
        reading=r"Algorithm 3 minimises over $\mathcal W_t$ in $R^{K \times d}$, not in $\Pi R^{K \times d}$; $\theta_1$ and $\theta^w_1$, which no line sets (C178), are $0$ or any others whose columns have sum 0.",
    ),
    Identities(
        stays_centred,
        r"$1_K$ is in the kernel of $\nabla\mu$ and orthogonal to $\mu - e_y$; so $H$, $\tilde H$ and $H^w$ are diagonal between $1_K \otimes R^d$ and its complement, where the gradients are, and the minimisers over $R^{K \times d}$ and over $\mathcal W_t$, whose centre has columns of sum 0, keep that sum",
        tuple({"K": K} for K in (2, 3, 5)),
    ),
    domain=r"every $K$, $d$, $x_t$ and outcome; the identities decided for $K = 2, 3, 5$, the same sum of $K$ terms for every $K$",
    planted={"scale": 2},
    module=__name__,
)
