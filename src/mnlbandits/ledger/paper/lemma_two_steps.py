"""Section 3.3.1, ours: the steps of a proof of Lemma 2 with eta = 5/4, which needs no theorem of another paper."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import Balls, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.formulas.mended import STEP_SIZE
from mnlbandits.ledger.formulas.recursion import (
    forecast_gap,
    forecast_steps,
    range_gap,
    recursion_adds_up,
    recursion_needs,
    step_keeps_curvature,
    third_order_below,
    variance_falls_slowly,
    volume_needed,
)
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import centred, dot, over, scaled, variance
from mnlbandits.ledger.search import column, vectors_box

OURS = r"Ours: a step of the proof of C135, from which the paper's citation is left out."


def first_order_gap(m: Arithmetic, K: int, eta: Number | str | Fraction = STEP_SIZE, **point: Number) -> Number:
    r"""$e^\top \nabla\mu(z) e/(2 \eta)$ over $\ell(z + e) - \ell(z) - \langle \nabla\ell(z), e \rangle$ for $\lVert e \rVert_2 = 1/\sqrt 6$."""
    z, e = column(point, "z"), scaled(m, centred(column(point, "e")), 1 / m.sqrt(6))
    p = softmax(m, z)
    rise = m.log(sum(q * m.exp(v) for q, v in zip(p, e, strict=True))) - dot(p, e)
    return over(variance(p, e), 2 * m.number(eta) * rise)


def gap_box(K: int) -> dict[str, tuple[float, float]]:
    """The coordinates of `first_order_gap`."""
    return vectors_box(z=(K, 4.0), e=(K, 1.0))


STEP_WORDS = r"with $q(v)$ the tilted $\mu(z + v e)$, $\frac{\mathrm d}{\mathrm dv} \operatorname{Var}_{q(v)} e = \mathbb E_{q(v)} (e - \mathbb E e)^3 \ge -r \operatorname{Var}_{q(v)} e$ for the range $r \le \sqrt 2 \lVert e \rVert_2 \le 1/\sqrt 3$ of $e$, so $\ell(z + e) - \ell(z) - \langle \nabla\ell(z), e \rangle = \int_0^1 (1 - v) \operatorname{Var}_{q(v)} e \, \mathrm dv \ge \operatorname{Var}_\mu e \int_0^1 (1 - v) e^{-r v} \mathrm dv$, least at $r = 1/\sqrt 3$; any $K$, $z$ and such $e$"
"""What takes `range_gap` to the one-step inequality."""

C138b = claim(
    "C138b",
    Statement(
        place="Lemma 2, eta = 1",
        lines=(481, 481),
        kind="step",
        prints=r"$\ell(z + e) \ge \ell(z) + \langle \nabla\ell(z), e \rangle + e^\top \nabla\mu(z) e/(2 \eta)$ for $\eta = 5/4$ and $\lVert e \rVert_2 \le 1/\sqrt 6$, the diameter of $\Theta$.",
        reading=OURS,
    ),
    Inequality(
        first_order_gap,
        gap_box,
        [{"K": 2}, {"K": 3}],
        share=0.25,
        note=r"smallest $\eta$ in the domain 1.2012, and 1.2014 does for all logits; with Lemma 2's $\eta = 1$ left over right side is above 1, so a proof on this way needs a larger $\eta$",
        proof=Together(
            [Exactly(variance_falls_slowly, STEP_WORDS), Balls(range_gap, {}, words=r"the number at $r = 1/\sqrt 3$")]
        ),
    ),
    domain=r"any $K$, logits and shifts $e$ (of which only $\Pi e$ counts) with $0 < \lVert e \rVert_2 \le 1/\sqrt 6$; searched: $K = 2, 3$, logits in $[-4, 4]^K$, all shifts of norm $1/\sqrt 6$",
    planted={"eta": 1},
    ours=True,
    module=__name__,
)


def third_order_part(m: Arithmetic, K: int, length: Number, square: Fraction = Fraction(1, 8), **point: Number) -> Number:
    """|<mu(z + u) - mu(z) - grad mu(z) u, w>| over sqrt(square) ||w|| ||u||^2, ||u|| = `length`."""
    z, w = column(point, "z"), centred(column(point, "w"))
    u = scaled(m, centred(column(point, "u")), length)
    p, q = softmax(m, z), softmax(m, [a + b for a, b in zip(z, u, strict=True)])
    mean = dot(p, u)
    rest = sum((b - a - a * (v - mean)) * entry for a, b, v, entry in zip(p, q, u, w, strict=True))
    return over(abs(rest), m.sqrt(m.number(square)) * m.norm(w) * dot(u, u))


def third_order_box(K: int) -> dict[str, tuple[float, float]]:
    """The coordinates of `third_order_part`."""
    return vectors_box(z=(K, 4.0), u=(K, 1.0), w=(K, 1.0)) | {"length": (0.05, 2.0)}


C138c = claim(
    "C138c",
    Statement(
        place="Lemma 2, its proof",
        lines=(930, 934),
        kind="step",
        prints=r"$|\langle \nabla\ell(z + u) - \nabla\ell(z) - \nabla\mu(z) u, w \rangle| \le \lVert w \rVert_2 \lVert u \rVert_2^2/\sqrt 8$, at most $0.1444 \lVert u \rVert_2^2$ if $\lVert w \rVert_2 \le 1/\sqrt 6$.",
        reading=OURS,
    ),
    Inequality(
        third_order_part,
        third_order_box,
        [{"K": K} for K in (2, 3, 5)],
        share=0.25,
        proof=Exactly(
            third_order_below,
            r"the left side is $|\int_0^1 (1 - v) D^3 f(z + v u)[w, u, u] \, \mathrm dv|$, $f = \log \sum_k e^{z_k}$, and $|D^3 f[w, u, u]| = |\sum_k p_k (w_k - p^\top w)(u_k - p^\top u)^2| \le (\max w - \min w) \operatorname{Var}_p u \le \sqrt 2 \lVert w \rVert_2 \lVert u \rVert_2^2/2$; any $K$, $z$, $u$ and $w$",
        ),
    ),
    domain=r"any $K$, logits, $u$ and $w$; searched: $K = 2, 3, 5$, logits in $[-4, 4]^K$, $\lVert \Pi u \rVert_2 \in [0.05, 2]$",
    planted={"square": Fraction(1, 800)},
    ours=True,
    module=__name__,
)

ONE_DIMENSION = {"weight": (0.603, 4.0), "x": (0.1, 1.0)}
"""W from 4 to 1e4, and the arm."""

FORECAST_WORDS = r"$-\log q_y \le \mathbb E_Q \ell + \mathrm{KL}(Q \Vert P)$ for $P = N(\theta_t, c W_t^{-1})$ and $Q = N(\theta_{t+1}, c W_{t+1}^{-1})$ (Gibbs' variational formula, cited), $\mathrm{KL} = \frac12 (v - s) + \lVert \theta_{t+1} - \theta_t \rVert^2_{W_t}/(2c)$ (of normal laws, classical), $\mathbb E_Q \ell - \ell(\theta_{t+1}) = \mathbb E \log \sum_k p_k e^{g_k} \le \sum_k p_k (e^{v_k/2} - 1)$ for $g_k$ normal of variance $v_k = c (e_k - p)^\top B (e_k - p) \le 2c/\lambda$, $B = (I \otimes x^\top) W_{t+1}^{-1} (I \otimes x)$, by $\log y \le y - 1$, and $\sum_k p_k v_k = c s$; any $K$, $d$, $x$ and $\lambda \ge 4$"
"""What takes `forecast_steps` to step 4."""

C138d = claim(
    "C138d",
    Statement(
        place="Lemma 2, its proof",
        lines=(930, 934),
        kind="step",
        prints=r"$-\log q_y \le \ell(\theta_{t+1}) + \frac{\phi c}{2} s + \frac12 (v - s) + \frac{1}{2c} \lVert \theta_{t+1} - \theta_t \rVert^2_{W_t}$, $\phi = (e^{c/\lambda} - 1) \lambda/c$.",
        hypotheses=r"$q = \mathbb E \mu(\theta x_t)$ over $\theta \sim N(\theta_t, c W_t^{-1})$ in $\Pi \mathbb R^{K \times d}$, $c = 1.4$, $s = \operatorname{Tr}(H W_{t+1}^{-1})$, $W_{t+1} = W_t + H$, $v = \log(|W_{t+1}|/|W_t|)$, $\lambda \ge 4$",
        quantifiers=r"for every $\theta_t, \theta_{t+1} \in \Pi \mathbb R^{K \times d}$, $H = \nabla\mu(\theta_{t+1} x_t) \otimes x_t x_t^\top$ and outcome $y$",
        reading=OURS,
    ),
    Inequality(
        forecast_gap,
        ONE_DIMENSION | {"b": (-8.0, 8.0), "off": (-0.5, 0.5)},
        [{"sign": 1}, {"sign": -1}],
        share=0.05,
        note=r"the normal law by the trapezoidal rule",
        proof=Exactly(forecast_steps, FORECAST_WORDS),
    ),
    domain=r"any $K$, $d$, arm and $\lambda \ge 4$; searched: $K = 2$, $d = 1$, $W_t \in [4, 10^4]$, $x \in [0.1, 1]$, logits to $11$",
    planted={"cost": Fraction(9, 10)},
    ours=True,
    module=__name__,
)

RECURSION_WORDS = r"C138b to C138d and the optimality of $\theta_{t+1}$ on the convex $\Theta$, which contains $\theta_*$, added up: the right side exceeds the left by $2 \eta$ times what these spare, $(1 - \eta/c - 0.2888 \eta/\lambda) \lVert \theta_{t+1} - \theta_t \rVert^2_{W_t}$, $(\eta/\zeta - 1) \lVert \theta_* - \theta_{t+1} \rVert^2_H$ and $\eta (\phi c - 1)(v - s)$"
"""What `recursion_adds_up` says."""

C138e = claim(
    "C138e",
    Statement(
        place="Lemma 2, its proof",
        lines=(930, 934),
        kind="step",
        prints=r"$\lVert \theta_* - \theta_{t+1} \rVert^2_{W_{t+1}} \le \lVert \theta_* - \theta_t \rVert^2_{W_t} + 2.5 (\ell(\theta_*) + \log q_{y_t}) + 2.1 \log(|W_{t+1}|/|W_t|)$.",
        hypotheses=r"$\theta_* \in \Theta$, $\operatorname{diam}(\Theta) \le 1/\sqrt 6$, $\eta = 5/4$, $\lambda \ge 4$, $q$ of C138d",
        quantifiers=r"for every $\theta_t \in \Theta$ and both the arm and the outcome of the round",
        reading=OURS,
    ),
    Inequality(
        volume_needed,
        ONE_DIMENSION | {"centre": (-8.0, 8.0), "here": (-1.0, 1.0), "there": (-1.0, 1.0)},
        [{"sign": 1}, {"sign": -1}],
        share=0.05,
        note=r"the factor needed over 2.1",
        proof=Together(
            [
                Exactly(step_keeps_curvature, "the weight of the step is the loss's own curvature, whatever $\\eta$"),
                Exactly(variance_falls_slowly, "C138b"),
                Exactly(third_order_below, "C138c"),
                Exactly(forecast_steps, "C138d, which cites Gibbs' variational formula"),
                Exactly(recursion_adds_up, RECURSION_WORDS),
                Balls(
                    recursion_needs,
                    {},
                    words=r"$\zeta/\eta$, $\eta/c + 0.2888 \eta/\lambda$, $1/(\phi c)$, $\eta \phi c/2.1$ and $2 \eta/2.5$ are at most 1 at $\lambda = 4$, and all fall with $\lambda$ but $1/(\phi c) \le 1/c$",
                ),
            ]
        ),
    ),
    domain=r"any $K$, $d$, arms, $\Theta$ of that diameter and $\lambda \ge 4$; searched: $K = 2$, $d = 1$, $W_t \in [4, 10^4]$, $x \in [0.1, 1]$, $\Theta$ of width $1/\sqrt 6$, its boundary included, logits to $12$",
    planted={"eta": 3, "volume": 1},
    ours=True,
    module=__name__,
)
