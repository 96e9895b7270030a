"""Appendix F.1: the steps of the proof of Proposition 3."""

import math
from fractions import Fraction

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.concordance import contrast_of, mean_variance, tilted_variance
from mnlbandits.ledger.formulas.frameworks import unknown_vectors
from mnlbandits.ledger.formulas.information import PAIRS, event_is_narrow, on_event, pair_box, pair_of
from mnlbandits.ledger.formulas.learning import cauchy_schwarz, range_below_norm
from mnlbandits.ledger.formulas.orders import (
    centred_columns,
    integer_matrices,
    largest_relative,
    rows_of,
    square_form,
    vectors,
)
from mnlbandits.ledger.formulas.radii import GAMMA, ROOT, beta_root
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import centred, dot, over, variance
from mnlbandits.ledger.search import Box, Effort, column, vectors_box

FACTOR = 21
"""1 + gamma/lambda_0 + sqrt(gamma/lambda_0) at gamma = 16 lambda_0."""


def curvature_over_mean(m: Arithmetic, K: int, square: int = 1, **point: Number) -> Number:
    """u^T grad mu(z) u over (1 + sqrt(square) ||e||) int_0^1 u^T grad mu(z + v e) u dv."""
    del K
    z, u, shift = column(point, "z"), contrast_of(point), centred(column(point, "e"))
    length = m.sqrt(square) * m.sqrt(dot(shift, shift))
    return over(variance(softmax(m, z), u), (1 + length) * mean_variance(m, z, shift, u))


def mean_curvature_below(square: int) -> bool:
    """The identities by which grad mu(z + v e) >= exp(-v r) grad mu(z), for the range r of e, and r^2 <= square ||e||^2."""
    return tilted_variance() and range_below_norm() and square >= 2


def mean_box(K: int) -> Box:
    """Logits, shifts and directions."""
    return vectors_box(z=(K, 8.0), e=(K, 8.0), u=(K, 1.0))


PRINTED_MEAN = Inequality(
    curvature_over_mean,
    mean_box,
    cases=({"K": 2}, {"K": 3}),
    examples=({"K": 2, "z0": 2.0, "z1": -2.0, "e0": 3.0, "e1": -3.0, "u0": 1.0, "u1": 0.0},),
    share=0.1,
    note=r"$d = 1$, $x = 1$, $\theta_* = (2, -2)$, $\hat\theta = (5, -5)$; in searches up to 1.30 in the domain, for $\|e\| > 1.96$ only",
    fixed={"square": 1},
)

C113 = claim(
    "C113",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 1, first display",
        lines=(856, 860),
        kind="step",
        prints=r"$H_t(\theta_*) \preceq \sum_{s=1}^t (1 + d(x_s, \hat\theta_{t+1}, \theta_*)) \alpha_s(\hat\theta_{t+1}, \theta_*) + \lambda_0 I_{Kd}$ where $d(x_s, \hat\theta_{t+1}, \theta_*) := \|(\hat\theta_{t+1} - \theta_*) x_s\|_2$.",
        reading=r"term by term: $\nabla\mu(z) \preceq (1 + \|e\|) \int_0^1 \nabla\mu(z + v e) dv$",
    ),
    Correction(
        "constant",
        PRINTED_MEAN,
        Inequality(
            curvature_over_mean,
            mean_box,
            cases=({"K": 2}, {"K": 3}),
            share=0.1,
            fixed={"square": 2},
            proof=Exactly(
                mean_curvature_below,
                r"$\nabla\mu(z + v e) \succeq \exp(-v r) \nabla\mu(z)$ for the range $r \le \sqrt 2 \|e\|$ of $e$, from identities in unknown logits at $K = 4$ (no term has more than three indices); its mean over $v$ is $(1 - e^{-r})/r \ge 1/(1 + r)$, as $e^r \ge 1 + r$: for every $K$",
            ),
        ),
        r"$1 + \sqrt 2 d(x_s)$, as $m/(1 - \exp(-m)) \le 1 + m$ for the range $m \le \sqrt 2 \|e\|$ of $e$. The chain then gives the factor $1 + 2 \gamma/\lambda_0 + \sqrt{2 \gamma/\lambda_0} = 38.7$ for 21 and the radius $155 \sqrt{\lambda_0}$ for 84; but the factor 21 itself holds (C116)",
    ),
    domain=r"$K = 2, 3$; logits $z \in [-8, 8]^K$, shifts $e \in [-8, 8]^K$; corrected: every $K$, $z$ and $e$",
    planted={"square": 2},
    module=__name__,
)


def logits_over_norm(m: Arithmetic, K: int, d: int, arms: int, constant: Number | int = 1, **point: Number) -> Number:
    """max_s ||(theta_* - hat theta) x_s|| over constant times ||theta_* - hat theta||_G, lambda_0 = 1."""
    pair = pair_of(m, K, d, arms, **point)
    delta = rows_of(pair.delta.tolist(), d)
    logits = [sum(dot(x, row) ** 2 for row in delta) for x in vectors(m, column(point, "x"), d)]
    return m.sqrt(over(m.maximum(*logits), square_form(pair.delta, pair.g))) / constant


def logits_below_norm(constant: Number | int = 1) -> bool:
    """||M^T a|| <= ||M|| ||a|| for M = G^-1/2 (I (x) x) from (x^T a)^2 <= ||x||^2 ||a||^2; the forms of alpha_s as squares."""
    return cauchy_schwarz() and tilted_variance() and constant >= 1


C114 = claim(
    "C114",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 1, Cauchy-Schwarz",
        lines=(860, 863),
        kind="step",
        prints=r"$d(x_s, \hat\theta, \theta_*) \le \|x_s\|_{G_t^{-1}} \|\hat\theta - \theta_*\|_{G_t} \le \|x_s\|_{G_t^{-1}} \|g_t(\hat\theta) - g_t(\theta_*)\|_{G_t^{-1}} \le \lambda_0^{-1/2} \|g_t(\hat\theta) - g_t(\theta_*)\|_{G_t^{-1}}$.",
        reading=r"$G_t = G_t(\hat\theta, \theta_*)$; $\|I_K \otimes x_s\|_{G_t^{-1}}$ for $\|x_s\|_{G_t^{-1}}$, see C126; $\|\hat\theta - \theta_*\|_{G_t} = \|g_t(\hat\theta) - g_t(\theta_*)\|_{G_t^{-1}}$ by C120",
    ),
    Inequality(
        logits_over_norm,
        pair_box,
        cases=PAIRS,
        share=0.1,
        note=r"equality where the curvature vanishes beside $\lambda_0$",
        proof=Exactly(
            logits_below_norm,
            r"$(\hat\theta - \theta_*) x_s = M^\top G_t^{1/2} (\hat\theta - \theta_*)$ with $M = G_t^{-1/2} (I_K \otimes x_s)$, of norm $\|I_K \otimes x_s\|_{G_t^{-1}}$, which is at most $\lambda_0^{-1/2} \|x_s\| \le \lambda_0^{-1/2}$, as $\lambda_0 I \preceq G_t$, whose other terms have the forms $\int \sum_k p_k (u_k - p^\top u)^2 dv \ge 0$: for every $K$, $d$ and sequence of arms",
        ),
    ),
    domain=r"every $K$, $d$, $\lambda_0$ and sequence of arms (searched, the first against the last: $(K, d, \text{arms}) = (2, 1, 1), (3, 1, 1), (2, 2, 2)$; $\theta_*$ and $\theta_* - \hat\theta$ in $[-10, 10]^{K \times d}$; $10^{-2}$ to $10^6$ pulls$/\lambda_0$)",
    planted={"constant": Fraction(1, 2)},
    module=__name__,
)


def largest_root(m: Arithmetic, gamma: Number, ridge: Number, linear: Number | int = 1) -> Number:
    """The largest y with y^2 <= b y + c over linear b + sqrt(c), c = gamma and b = gamma lambda_0^(-1/2); both in digits."""
    c, b = 10**gamma, 10**gamma / m.sqrt(10**ridge)
    return (b + m.sqrt(b**2 + 4 * c)) / 2 / (linear * b + m.sqrt(c))


def root_below(linear: Number | int = 1) -> bool:
    """((2 linear - 1) b + 2 s)^2 - (b^2 + 4 s^2) has no negative coefficient, s = sqrt(c)."""
    b, s = unknowns("b", "s")
    gap = ((2 * linear - 1) * b + 2 * s) ** 2 - (b**2 + 4 * s**2)
    return linear >= 1 and gap == 4 * (2 * linear - 1) * b * s + ((2 * linear - 1) ** 2 - 1) * b**2


C115 = claim(
    "C115",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 1, solving for the norm",
        lines=(868, 877),
        kind="step",
        prints=r"$y^2 \le \gamma_t \lambda_0^{-1/2} y + \gamma_t$ implies $y \le \gamma_t \lambda_0^{-1/2} + \sqrt{\gamma_t}$, $y = \|g_t(\hat\theta) - g_t(\theta_*)\|_{G_t^{-1}}$.",
    ),
    Inequality(
        largest_root,
        {"gamma": (-6.0, 6.0), "ridge": (-6.0, 6.0)},
        loose=True,
        note=r"at $\gamma = 16 \lambda_0$: $16.94 \le 20$; equality in the limit $\gamma/\lambda_0 \to 0$",
        proof=Exactly(root_below, r"$b + \sqrt{b^2 + 4 s^2} \le 2 b + 2 s$, as $(b + 2 s)^2 - (b^2 + 4 s^2) = 4 b s$"),
    ),
    domain=r"all $\gamma, \lambda_0 > 0$ (searched: both in $[10^{-6}, 10^6]$), the largest such $y$",
    planted={"linear": Fraction(1, 2)},
    formal="C115",
    module=__name__,
)


def information_over_mean(
    m: Arithmetic, K: int, d: int, arms: int, factor: int = FACTOR, gamma: int = GAMMA, **point: Number
) -> Number:
    """The least lambda with H <= lambda G over the factor, on the event."""
    pair = pair_of(m, K, d, arms, **point)
    return largest_relative(m, pair.h, pair.g) / factor * on_event(m, pair, gamma)


C116 = claim(
    "C116",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 1, conclusion",
        lines=(878, 881),
        kind="step",
        prints=r"$H_t(\theta_*) \preceq (1 + \frac{\gamma_t(\delta)}{\lambda_0} + \sqrt{\frac{\gamma_t(\delta)}{\lambda_0}}) G_t(\theta_*, \hat\theta_{t+1})$.",
        hypotheses=r"the event $E_\delta$: $\|g_t(\theta_*) - g_t(\hat\theta_{t+1})\|^2_{H_t^{-1}(\theta_*)} \le \gamma_t(\delta) = 16 \lambda_0$",
        reading=r"the factor is $1 + 16 + 4 = 21$",
        labels=("eq:sub_exp_self_concordance eq1",),
    ),
    Inequality(
        information_over_mean,
        pair_box,
        cases=PAIRS,
        share=0.04,
        loose=True,
        note=r"although the display it is derived from (C113) holds only with $\sqrt 2 d(x_s)$",
        proof=Exactly(
            event_is_narrow,
            r"$H_t - \lambda_0 I \preceq f (G_t - \lambda_0 I)$ with $f = 1 + \sqrt 2 \|\theta_* - \hat\theta\|$ (C113 as corrected), and $f > 21$ is impossible on the event, exactly: for every $K$, $d$, $\lambda_0$ and sequence of arms",
        ),
    ),
    domain=r"every $K$, $d$, $\lambda_0$ and sequence of arms, on the event (searched: as C114)",
    planted={"factor": 2},
    module=__name__,
)


def distance_over_beta(
    m: Arithmetic, K: int, d: int, arms: int, factor: int = FACTOR, gamma: int = GAMMA, **point: Number
) -> Number:
    """||theta_* - hat theta||_H^2 over factor^2 gamma, on the event."""
    pair = pair_of(m, K, d, arms, **point)
    return square_form(pair.delta, pair.h) / (factor**2 * gamma) * on_event(m, pair, gamma)


C117 = claim(
    "C117",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 2",
        lines=(886, 893),
        kind="step",
        prints=r"$\|\theta_* - \hat\theta_{t+1}\|^2_{H_t(\theta_*)} \le (1 + \frac{\gamma_t(\delta)}{\lambda_0} + \sqrt{\frac{\gamma_t(\delta)}{\lambda_0}})^2 \gamma_t(\delta)$.",
        hypotheses=r"the event $E_\delta$",
        reading=r"the right side is $21^2 \cdot 16 \lambda_0 = 84^2 \lambda_0$",
    ),
    Inequality(
        distance_over_beta,
        pair_box,
        cases=PAIRS,
        share=0.04,
        loose=True,
        note=r"in searches up to $22 \sqrt{\lambda_0}$ for $84 \sqrt{\lambda_0}$",
        proof=Exactly(
            event_is_narrow,
            r"$\|\cdot\|^2_H \le f \|\cdot\|^2_G$ with $f \le 21$ (C116), and $\|\cdot\|^4_G \le \gamma \|\cdot\|^2_H$ by Cauchy and Schwarz, so $\|\cdot\|^2_H \le f^2 \gamma$: for every $K$, $d$, $\lambda_0$ and sequence of arms",
        ),
    ),
    domain=r"every $K$, $d$, $\lambda_0$ and sequence of arms, on the event (searched: as C114)",
    planted={"factor": 4},
    module=__name__,
)


def ones_vanish(effort: Effort, projected: bool = True) -> Finding:
    """1^T Pi theta x of unknown entries, K = 4, d = 3; a counterexample from integers."""
    del effort
    theta, x = unknown_vectors(t=12, x=3)
    [[whole]], [[arm]] = integer_matrices(1, 12, 1, "theta"), integer_matrices(1, 3, 1, "arm")

    def total(entries: list[Number], x: list[Number]) -> Number:
        rows = rows_of(centred_columns(entries, 3) if projected else entries, 3)
        return sum(dot(row, x) for row in rows)

    seen = total(whole, arm) ** 2
    evidence = r"$1^\top \theta x$ of unknown $\theta \in \Pi \mathbb R^{4 \times 3}$ and $x$, exactly"
    return finding.exactly(total(theta, x) == 0, evidence, f"$(1^\\top \\theta x)^2 = {seen}$")


C118 = claim(
    "C118",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 3",
        lines=(898, 901),
        kind="step",
        prints=r"$\sum_{s=1}^t \|(\theta_* - \hat\theta_{t+1}) x_s\|^2_{1_K 1_K^\top} = 0$ and $\|\theta_* - \hat\theta_{t+1}\|^2_{\bar H_t(\theta_*)} = \|\theta_* - \hat\theta_{t+1}\|^2_{H_t(\theta_*)}$.",
        hypotheses=r"$\theta_*, \hat\theta_{t+1} \in \Pi \mathbb R^{K \times d}$",
    ),
    ones_vanish,
    domain=r"all $\theta \in \Pi \mathbb R^{K \times d}$ and $x$, as an identity in unknown entries for $(K, d) = (4, 3)$",
    planted={"projected": False},
    module=__name__,
)


def printed_radius(effort: Effort, gamma: int = GAMMA, root: int = ROOT) -> Finding:
    """beta/lambda_0 in integers against the square of the radius in Algorithm 1."""
    del effort
    g = math.isqrt(gamma)
    beta = beta_root(g) ** 2
    evidence = f"$(1 + {gamma} + {g})^2 \\cdot {gamma} = {beta}$, ${root}^2 = {root**2}$"
    return finding.exactly(beta == root**2 and g**2 == gamma, evidence, evidence, difference=abs(beta / root**2 - 1))


C119 = claim(
    "C119",
    Statement(
        place=r"Proposition 3, $\beta$; Algorithm 1, output",
        lines=(842, 842),
        kind="step",
        prints=r"$\beta_t(\delta) := (1 + \frac{\gamma_t(\delta)}{\lambda_0} + \sqrt{\frac{\gamma_t(\delta)}{\lambda_0}})^2 \gamma_t(\delta)$.",
        hypotheses=r"$\gamma_t(\delta) := 16 \lambda_0$",
        reading=r"it is $84^2 \lambda_0$, the radius of $\Theta$ in Algorithm 1",
    ),
    printed_radius,
    domain=r"integer arithmetic",
    planted={"root": 85},
    module=__name__,
)
