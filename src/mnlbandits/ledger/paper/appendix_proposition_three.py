"""Appendix F.1: the proof of Proposition 3, Step 1."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import LOOSE
from mnlbandits.ledger.formulas.concordance import contrast_of, mean_variance, range_within, tilted_variance
from mnlbandits.ledger.formulas.information import (
    PAIRS,
    event_is_narrow,
    information_grows_slowly,
    norm_of_pair,
    on_event,
    pair_box,
    pair_of,
)
from mnlbandits.ledger.formulas.orders import largest_relative, rows_of, square_form, vectors
from mnlbandits.ledger.formulas.radii import GAMMA
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import centred, dot, over, variance
from mnlbandits.ledger.search import Box, column, vectors_box

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
    return tilted_variance() and range_within(square)


def mean_box(K: int) -> Box:
    """Logits, shifts and directions."""
    return vectors_box(z=(K, 8.0), e=(K, 8.0), u=(K, 1.0))


PRINTED_MEAN = Inequality(
    curvature_over_mean,
    mean_box,
    cases=({"K": 2}, {"K": 3}),
    examples=({"K": 2, "z0": 2.0, "z1": -2.0, "e0": 3.0, "e1": -3.0, "u0": 1.0, "u1": 0.0},),
    share=0.1,
    note=r"$d = 1$, $x = 1$, $\theta_* = (2, -2)$, $\hat\theta = (5, -5)$; in searches up to 1.30 in the domain, for $\|e\| > 1.96$ only. So on $E_\delta$ too, with these as estimate and truth: $10 \lambda_0$ rounds of the arm 1 and $14000 \lambda_0$ of the arm $10^{-3}$, with the first outcome in 92 % of them: $\|g_t(\theta_*) - g_t(\hat\theta)\|^2_{H_t^{-1}} = 15.1 \lambda_0$, left over right side without $\lambda_0 I$ $1.124$, with it $1.030$",
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
        r"$1 + \sqrt 2 d(x_s)$, as $m/(1 - \exp(-m)) \le 1 + m$ for the range $m \le \sqrt 2 \|e\|$ of $e$. Put back, it gives the factor $1 + \sqrt 2 \lambda_0^{-1/2} \|\cdot\|$ in the next display but one; that display itself is true as printed, by another way (C114b), and so are the factor 21 (C116) and the radius",
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
    """constant^2 (|x|^2 |a|^2 + P) - (x^T a)^2 is a sum of terms that are not negative, in a plane that holds x and a.

    A row a of theta_* - hat theta; P, what the sum over s adds to lambda_0 |theta_* - hat theta|^2, has the forms of
    `tilted_variance`.
    """
    x, a, b, P = unknowns("x", "a", "b", "P")
    gap = Fraction(constant) ** 2 * (x**2 * (a**2 + b**2) + P) - (x * a) ** 2
    return tilted_variance() and nonnegative(gap)


def vector_fits(K: int, d: int, tall: bool = False) -> bool:
    """Whether x, of d rows, or I_K (x) x can stand beside G^-1, which has K d."""
    return (K * d if tall else d) == K * d


C114 = claim(
    "C114",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 1, Cauchy-Schwarz",
        lines=(860, 863),
        kind="step",
        prints=r"$d(x_s, \hat\theta, \theta_*) \le \|x_s\|_{G_t^{-1}} \|\hat\theta - \theta_*\|_{G_t} \le \|x_s\|_{G_t^{-1}} \|g_t(\hat\theta) - g_t(\theta_*)\|_{G_t^{-1}} \le \lambda_0^{-1/2} \|g_t(\hat\theta) - g_t(\theta_*)\|_{G_t^{-1}}$.",
        reading=r"$G_t = G_t(\hat\theta, \theta_*)$; $\|\hat\theta - \theta_*\|_{G_t} = \|g_t(\hat\theta) - g_t(\theta_*)\|_{G_t^{-1}}$ by C120",
    ),
    Correction(
        "misprint",
        Identities(
            vector_fits,
            r"$x_s^\top G_t^{-1} x_s$ is not defined: $x_s$ has $d$ entries and $G_t$ has $K d$ rows",
            ({"K": 2, "d": 1},),
        ),
        Inequality(
            logits_over_norm,
            pair_box,
            cases=PAIRS,
            share=0.1,
            fixed={"constant": 1},
            note=r"the first against the last; equality where the curvature vanishes beside $\lambda_0$",
            proof=Exactly(
                logits_below_norm,
                r"$(\hat\theta - \theta_*) x_s = M^\top G_t^{1/2} (\hat\theta - \theta_*)$ with $M = G_t^{-1/2} (I_K \otimes x_s)$, of norm $\|I_K \otimes x_s\|_{G_t^{-1}}$, which is at most $\lambda_0^{-1/2} \|x_s\| \le \lambda_0^{-1/2}$, as $\lambda_0 I \preceq G_t$, whose other terms have the forms $\int \sum_k p_k (u_k - p^\top u)^2 dv \ge 0$: for every $K$, $d$ and sequence of arms",
            ),
        ),
        r"misprint: $\|I_K \otimes x_s\|_{G_t^{-1}}$ for $\|x_s\|_{G_t^{-1}}$, no more than a slip of the pen: the last bound is the same",
    ),
    domain=r"printed: the shapes at $K = 2$, $d = 1$, where $x_s$ is $1 \times 1$ and $G_t$ is $2 \times 2$. Corrected: every $K$, $d$, $\lambda_0$ and sequence of arms (searched: $(K, d, \text{arms}) = (2, 1, 1), (3, 1, 1), (2, 2, 2)$; $\theta_*$ and $\theta_* - \hat\theta$ in $[-10, 10]^{K \times d}$; $10^{-2}$ to $10^6$ pulls$/\lambda_0$)",
    planted={"tall": True, "mended_constant": Fraction(1, 2)},
    module=__name__,
)


def information_over_norm(m: Arithmetic, K: int, d: int, arms: int, square: Number | int = 1, **point: Number) -> Number:
    """The least lambda with H <= lambda G over 1 + sqrt(square) ||theta_* - hat theta||_G, lambda_0 = 1."""
    pair = pair_of(m, K, d, arms, **point)
    return largest_relative(m, pair.h, pair.g) / (1 + m.sqrt(square * m.number(1)) * norm_of_pair(m, pair))


C114b = claim(
    "C114b",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 1, third display",
        lines=(864, 867),
        kind="step",
        prints=r"$H_t(\theta_*) \preceq \left(1 + \lambda_0^{-1/2} \|g_t(\hat\theta_{t+1}) - g_t(\theta_*)\|_{G_t^{-1}(\hat\theta_{t+1}, \theta_*)}\right) G_t(\theta_*, \hat\theta_{t+1})$.",
        reading=r"on no event, for any two parameters",
        labels=("eq:sub_exp_self_concordance eq1",),
    ),
    Inequality(
        information_over_norm,
        pair_box,
        cases=PAIRS,
        share=0.02,
        fixed={"square": 1},
        note=r"true although the display that it is derived from (C113) is not; equality where $\hat\theta \to \theta_*$",
        proof=Exactly(
            information_grows_slowly,
            r"with $E = \theta_* - \hat\theta$ and $w = v x_s$, $w^\top (\nabla\mu(\theta_* x_s) - \alpha_s) w \le \int |D^3[E x_s, w, w]| \le \sqrt 2 |w| \sqrt{\alpha_s[E x_s]} \sqrt{\alpha_s[w]}$, as $D^3[e, w, w] = \sum_k p_k (e_k - p^\top e)(w_k - p^\top w)^2$; summed by Cauchy and Schwarz, $(H - G)[v] \le \sqrt 2 |v| \sqrt P \sqrt Q$ with $P = \|E\|_G^2 - \lambda_0 \|E\|^2$ and $Q = G[v] - \lambda_0 |v|^2$, which is at most $\lambda_0^{-1/2} \|E\|_G G[v]/\sqrt 2$: for every $K$, $d$, $\lambda_0$ and sequence of arms, even with $\lambda_0^{-1/2}/\sqrt 2$ for $\lambda_0^{-1/2}$",
        ),
    ),
    domain=r"every $K$, $d$, $\lambda_0$, $\theta_*$, $\hat\theta$ and sequence of arms (searched: as C114)",
    planted={"square": Fraction(1, 100)},
    module=__name__,
)


def largest_root(m: Arithmetic, gamma: Number, ridge: Number, linear: Number | int = 1) -> Number:
    """The largest y with y^2 <= b y + c over linear b + sqrt(c), c = gamma and b = gamma lambda_0^(-1/2); both in digits."""
    c, b = 10**gamma, 10**gamma / m.sqrt(10**ridge)
    return (b + m.sqrt(b**2 + 4 * c)) / 2 / (linear * b + m.sqrt(c))


def root_below(linear: Number | int = 1) -> bool:
    """(2 linear b + 2 s - b)^2 - (b^2 + 4 s^2) and 2 linear b - b have no negative coefficient, s = sqrt(c)."""
    b, s = unknowns("b", "s")
    bound = 2 * linear * b + 2 * s - b
    return nonnegative(bound) and nonnegative(bound**2 - (b**2 + 4 * s**2))


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


def factor_by_half(factor: int = FACTOR, gamma: int = GAMMA) -> bool:
    """Whether half the factor is enough on the event."""
    return event_is_narrow(Fraction(factor, 2), gamma)


C116 = claim(
    "C116",
    Statement(
        place="Appendix F.1, Proposition 3, proof, Step 1, conclusion",
        lines=(878, 881),
        kind="step",
        prints=r"$H_t(\theta_*) \preceq (1 + \frac{\gamma_t(\delta)}{\lambda_0} + \sqrt{\frac{\gamma_t(\delta)}{\lambda_0}}) G_t(\theta_*, \hat\theta_{t+1})$.",
        hypotheses=r"the event $E_\delta$: $\|g_t(\theta_*) - g_t(\hat\theta_{t+1})\|^2_{H_t^{-1}(\theta_*)} \le \gamma_t(\delta) = 16 \lambda_0$",
        reading=r"the factor is $1 + 16 + 4 = 21$",
    ),
    Inequality(
        information_over_mean,
        pair_box,
        cases=PAIRS,
        share=0.04,
        loose=True,
        note=r"although the first display of the step (C113) holds only with $\sqrt 2 d(x_s)$",
        proof=Exactly(
            factor_by_half,
            r"$H_t \preceq f G_t$ with $f = 1 + y/\sqrt{2 \lambda_0}$, $y = \|g - g\|_{G_t^{-1}}$ (C114b); on the event $y^2 \le f \gamma_t$, that is $2 (f - 1)^2 \le 16 f$, so $f \le 9.9$, less than half of 21: for every $K$, $d$, $\lambda_0$ and sequence of arms",
            bound=LOOSE,
        ),
    ),
    domain=r"every $K$, $d$, $\lambda_0$ and sequence of arms, on the event (searched: as C114)",
    planted={"factor": 2},
    module=__name__,
)
