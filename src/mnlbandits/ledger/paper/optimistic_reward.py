"""Section 3.2: the optimistic reward in closed form, its bonuses and Proposition 1."""

from fractions import Fraction
from functools import partial

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import FALSE, LOOSE, Finding, frequency, held
from mnlbandits.ledger.formulas.beyond_theta import error_over_bonuses
from mnlbandits.ledger.formulas.frameworks import law_of, unknown_vectors
from mnlbandits.ledger.formulas.learning import (
    EVENT_CASES,
    bonus_factors,
    event_box,
    first_order_below,
    first_order_on_event,
    optimism_below,
    optimism_on_event,
    range_below_norm,
    remainder_below,
    variance_below_range,
    wbar_of,
)
from mnlbandits.ledger.formulas.orders import centred_columns, rows_of, vectors
from mnlbandits.ledger.formulas.recursion import lemma_steps, recursion_needs
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import centred, dot, over, variance
from mnlbandits.ledger.search import Effort, column, rewards_box, vectors_box
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.ledger.simulate.mended import STOPS, reached_by, short_arms

EVENT = Inequality(
    optimism_on_event,
    event_box,
    EVENT_CASES,
    examples=[
        {"K": 2, "d": 1, "ridge": 0.0, "sigma": -2.0, "share": 1.0, "r0": 1.0, "r1": 0.0}
        | {"t0": 1.0, "t1": -1.0, "e0": 1.0, "e1": -1.0, "x0": 1.0, "x1": 1.0, "n0": 5.0, "n1": 5.0, "q0": 1.0}
    ],
    note=r"equality in the limit of a small $\sigma$, where $\epsilon_1$ is the derivative",
    proof=Exactly(
        optimism_below,
        r"with $e = (\theta_* - \theta_t) x$ the derivative $\rho^\top \nabla\mu(\theta_t x) e$ is at most $\epsilon_1$ by Cauchy-Schwarz between $\bar W^{-1/2}$ and $\bar W^{1/2}$; the remainder is at most $3 R \lVert e \rVert_2^2$ (C132), and $\lVert e \rVert_2 \le \lVert (I_K \otimes x^\top) \bar W^{-1/2} \rVert_2 \lVert \theta_* - \theta_t \rVert_{\bar W}$; any $K$, $d$ and positive definite $\bar W$",
    ),
)
"""Proposition 1 on the event that Lemma 2 gives."""


def optimism_at_event(effort: Effort, **printed: int) -> Finding:
    """`EVENT` at many points, none of them improved."""
    return EVENT(effort._replace(starts=0), **printed)


FIRST_ORDER = Inequality(
    first_order_on_event,
    event_box,
    EVENT_CASES,
    share=0.5,
    note=r"equality where $\theta_* - \theta_t$ is along $\bar W_t^{-1} (I \otimes x) \nabla\mu \rho$",
    proof=Exactly(
        first_order_below,
        r"Cauchy-Schwarz between $\bar W_t^{-1/2}$ and $\bar W_t^{1/2}$; any $K$, $d$ and positive definite $\bar W_t$",
    ),
)


def first_order_at_points(effort: Effort, **printed: Fraction) -> Finding:
    """`FIRST_ORDER` at many points, none of them improved."""
    return FIRST_ORDER(effort._replace(starts=0), **printed)


C132b = claim(
    "C132b",
    Statement(
        place="Section 3.2, eps_1 in Eq. optimistic reward",
        lines=(397, 402),
        kind="step",
        prints=r"$\epsilon_{1,t}(x) := \sigma_t(\delta) \lVert \bar W_t^{-1/2} (I_K \otimes x) \nabla\mu(\theta_t x) \rho \rVert_2$, obtained through a Taylor expansion of $\mu$.",
        reading=r"The first order $\rho^\top \nabla\mu(\theta_t x) (\theta_* - \theta_t) x$ is at most this if $\lVert \theta_* - \theta_t \rVert_{\bar W_t} \le \sigma_t$.",
    ),
    first_order_at_points,
    domain=r"any $K$, $d$, $\bar W_t$, $\sigma_t$ and $\theta_*$ on the event; searched: as C133",
    planted={"factor": Fraction(1, 2)},
    module=__name__,
)


def second_order(m: Arithmetic, K: int, constant: int = 3, **point: Number) -> Number:
    r"""Half of the second derivative of $\rho^\top\mu(z + v e)$ over $3 R \lVert e \rVert_2^2$."""
    p, rewards, e = softmax(m, column(point, "z")), column(point, "r"), centred(column(point, "e"))
    mean, spread = dot(p, e), variance(p, e)
    second = sum(r * q * ((v - mean) ** 2 - spread) for r, q, v in zip(rewards, p, e, strict=True))
    return over(abs(second) / 2, constant * m.norm(rewards) * dot(e, e))


def remainder_by_half(constant: Fraction | float = 3) -> bool:
    """Whether half the constant is enough."""
    return remainder_below(Fraction(constant) / 2)


def second_order_box(K: int) -> dict[str, tuple[float, float]]:
    """The coordinates of `second_order`."""
    return vectors_box(z=(K, 8.0), e=(K, 1.0)) | rewards_box(K)


C132 = claim(
    "C132",
    Statement(
        place="Section 3.2, eps_2 in Eq. optimistic reward",
        lines=(397, 403),
        kind="step",
        prints=r"$\epsilon_{2,t}(x) := 3 R \sigma_t(\delta)^2 \lVert (I_K \otimes x^\top) \bar W_t^{-1/2} \rVert_2^2$, obtained through a Taylor expansion of $\mu$.",
        hypotheses=r"$\rho \ge 0$, $\lVert \rho \rVert_2 = R$",
        reading=r"The remainder of $\rho^\top \mu(z + e)$ after its first order is at most $3 R \lVert e \rVert_2^2$.",
    ),
    Inequality(
        second_order,
        second_order_box,
        [{"K": K} for K in (2, 3, 4, 6)],
        note="the constant 0.097 would do in all that was searched",
        loose=True,
        share=0.25,
        proof=Exactly(
            remainder_by_half,
            r"with $p = \mu(z)$ half of the second derivative is at most $\frac{R}{2} \sum_k p_k |(e_k - p^\top e)^2 - \operatorname{Var}_p e| \le R \operatorname{Var}_p e \le R (\max e - \min e)^2/4 \le R \lVert e \rVert_2^2/2$, a sixth of the right side; any $K$, $z$, $e$ and $\rho$",
            bound=LOOSE,
        ),
    ),
    domain=r"any $K$, logits, directions and $\rho$; searched: $K = 2, 3, 4, 6$, logits in $[-8, 8]^K$, $\rho \in [0, 1]^K$: half the second derivative",
    planted={"constant": 0.05},
    module=__name__,
)


def index_of_wbar(m: Arithmetic, K: int, d: int, ridge: Number, more: Number, ones: int = 1, **point: Number) -> Number:
    r"""Difference of the bonuses' factors if $11^\top \otimes x x^\top$ is added $10^{\mathrm{more}}$ times more often."""
    theta, rewards = rows_of(centred_columns(column(point, "t"), d), d), column(point, "r")
    arms, times = vectors(m, column(point, "x"), d), [10**digits for digits in column(point, "n")]
    more_often = [ones * (often + 10**more) for often in times]
    first, second = bonus_factors(m, theta, rewards, arms[0], wbar_of(m, theta, arms, times, 10**ridge))
    other = bonus_factors(m, theta, rewards, arms[0], wbar_of(m, theta, arms, times, 10**ridge, more_often))
    scale = m.sqrt(second) * m.norm(rewards)
    return m.maximum(over(abs(first - other[0]), scale), over(abs(second - other[1]), second))


def index_box(K: int, d: int) -> dict[str, tuple[float, float]]:
    """The coordinates of `index_of_wbar`."""
    sizes = {"ridge": (0.0, 3.0), "more": (0.0, 3.0), "n0": (0.0, 6.0), "n1": (0.0, 6.0)}
    return vectors_box(t=(K * d, 3.0), x=(2 * d, 1.0)) | rewards_box(K) | sizes


def ones_do_not_matter(ones: int = 1) -> bool:
    """Whether the blocks of 11^T, K >= 2 in the direction 1, outweigh grad mu <= I/2, orthogonal to it; 1^T grad mu = 0."""
    weights, u = unknown_vectors(e=4, u=4)
    p = law_of(weights)
    apart = sum(q * (entry - dot(p, u)) for q, entry in zip(p, u, strict=True)) == 0
    return apart and variance_below_range() and range_below_norm() and 2 * ones >= Fraction(1, 2)


WBAR = Equality(
    index_of_wbar,
    index_box,
    EVENT_CASES,
    share=0.25,
    note=r"$\epsilon_1$ relative to $R \lVert \cdot \rVert$",
    proof=Exactly(
        ones_do_not_matter,
        r"$\nabla\mu 1 = 0$, so $\bar W_t$ has two blocks, and $\nabla\mu \rho$ no part along 1; there $\bar W_t^{-1}$ is $(\lambda I + K \sum x_s x_s^\top)^{-1}$, below $(\lambda I + \frac12 \sum x_s x_s^\top)^{-1}$, which is below the other block as $\nabla\mu \le I/2$: the norm in $\epsilon_2$ is that of the other block, whatever is added; any $K$, $d$ and arms",
    ),
)


def wbar_at_points(effort: Effort, **printed: int) -> Finding:
    """`WBAR` at many points, none of them improved."""
    return WBAR(effort._replace(starts=0), **printed)


def ones_in_text(m: Arithmetic, tau: int, learnt: int, ones: int = 1) -> Number:
    r"""Relative difference of the text's $\bar W_t$ from Algorithm 2's in the direction 1, $x = 1$, `learnt` rounds after $\tau$."""
    ours, text = 288 + 2 * ones * m.number(learnt), 288 + 2 * ones * m.number(tau + learnt + 1)
    return (text - ours) / ours


def text_adds_terms(ones: int = 1) -> bool:
    """Whether the sums over 1, ..., t and over tau + 1, ..., t - 1 are the same: `ones` = 0, or never."""
    common, before, last = unknowns("common", "before", "last")
    return ones * (before + common + last) == ones * common


C129 = claim(
    "C129",
    Statement(
        place="Section 3.2 after Eq. optimistic reward; the same in Section 3.3.1, line 476",
        lines=(404, 404),
        kind="definition",
        prints=r"Here, $\bar W_t = W_t + \sum_{s=1}^t 1_K 1_K^\top \otimes x_s x_s^\top$.",
        reading=r"$\bar W_t$ is one matrix. Appendix A (line 622) and Algorithm 2 (line 429) have the sum over $s = \tau + 1, \dots, t - 1$; the text's contains $x_t$ before $x_t$ is chosen.",
    ),
    Correction(
        "misprint",
        Equality(
            ones_in_text,
            cases=[{"tau": 1, "learnt": 0}],
            note=r"round $\tau + 1$, $K = 2$, $d = 1$, $x = 1$: the text adds $\tau + 1$ terms, Algorithm 2 none",
            proof=Exactly(text_adds_terms, "the sums of unknown terms"),
        ),
        wbar_at_points,
        r"misprint: the sum over $s = \tau + 1, \dots, t - 1$, as in Appendix A. Nothing later changes: $\epsilon_1$ and $\epsilon_2$ are the same whatever multiple of $1 1^\top \otimes x_s x_s^\top$ is added, if it is at least one per round of learning",
    ),
    domain=r"printed: $K = 2$, $d = 1$; mended: any $K$, $d$, arms and pulls; searched: $(K, d) = (2, 1), (3, 1), (2, 2)$, two arms learnt 1 to $10^6$ times, their $1 1^\top$ added $1$ to $10^3$ times more often than in Appendix A, $\lambda \in [1, 10^3]$",
    planted={"ones": 0, "mended_ones": 0},
    module=__name__,
)


C133 = claim(
    "C133",
    Statement(
        place="Section 3.2, Proposition 1 on the event",
        lines=(406, 411),
        kind="proposition",
        prints=r"$\tilde r_t(x) \ge \rho^\top \mu(\theta_* x)$ and $|\rho^\top \mu(\theta_* x) - \rho^\top \mu(\theta_t x)| \le \epsilon_{1,t}(x) + \epsilon_{2,t}(x)$ where $\lVert \theta_* - \theta_t \rVert_{\bar W_t} \le \sigma_t$.",
        hypotheses=r"$\rho \ge 0$, $\lVert \rho \rVert_2 = R$",
        quantifiers=r"for every positive definite $\bar W_t$ and all $x$",
        reading=r"Ours: the part of Proposition 1 without a probability (C134). Lemma 2 gives the event with $\sigma_{t-1} \le \sigma_t$; in round $\tau + 1$ it is a condition on $\theta_{\tau+1}$, see C127.",
        labels=("eq:optimistic reward", "prop:optimistic reward"),
    ),
    optimism_at_event,
    domain=r"any $K$, $d$, $\bar W_t$, $\sigma_t$ and $\theta_*$ on the event; searched: $(K, d) = (2, 1), (3, 1), (2, 2)$, two arms learnt 1 to $10^5$ times, any arm asked, $\lambda \in [1, 10^3]$, $\sigma \in [0.01, 300]$",
    planted={"constant": 0},
    ours=True,
    module=__name__,
)


OUTSIDE = {"S": 1000.0, "x": 1e-5, "horizon": 10**18}

PROPOSITION_WORDS = r"Lemma 2 with its mended constants (C135: Gibbs' variational formula and Ville's inequality are cited) puts $\theta_*$ where C133 needs it, in round $\tau + 1$ too, as $\sigma_t$ grows with $t$"


def optimism_mended(effort: Effort, constant: float = 1.0, bonus: int = 3) -> Finding:
    """Runs with the mended constants in which the error of a mean reward exceeds `constant` times the bonuses, and the proof."""
    runs = [run for _, run in reached_by(short_arms(), max(2, effort.runs // 20), constant)]
    note = rf"all arms, at {STOPS} rounds of learning; largest error over bonuses {max(run.bonus for run in runs):.3g}"
    found = frequency(sum(run.theta <= 1 < run.bonus for run in runs), len(runs), DELTA, note)
    if found.verdict in FALSE:
        return found
    bonuses = Exactly(partial(optimism_below, bonus), "C133")
    proof = Together([bonuses, Exactly(lemma_steps, PROPOSITION_WORDS), Balls(recursion_needs, {})])
    return held(max(run.bonus for run in runs), found.evidence, proof(), loose=False)


C134 = claim(
    "C134",
    Statement(
        place="Section 3.2, Proposition 1",
        lines=(406, 411),
        kind="proposition",
        prints=r"With probability $1 - \delta$, for all $t \ge 1$ and $x \in \mathcal X$, $\tilde r_t(x) \ge \rho^\top \mu(\theta_* x)$ and $|\rho^\top \mu(\theta_* x) - \rho^\top \mu(\theta_t x)| \le \epsilon_{1,t}(x) + \epsilon_{2,t}(x)$.",
        hypotheses=r"$\delta \in (0, 1)$",
        quantifiers=r"with probability $1 - \delta$, for all $t \ge 1$ and all $x \in \mathcal X$",
        reading=r"For all $t > \tau$, as $\theta_t$ and $\bar W_t$ do not exist before. The paper points to a proof of Zhang and Sugiyama and gives none of its own.",
    ),
    Correction(
        "condition",
        Inequality(
            error_over_bonuses,
            cases=[OUTSIDE],
            note=r"for all outcomes: $\hat\theta$ and with it $\Theta$ is too far from $\theta_*$ (C121), $\sigma_t$ does not see it",
        ),
        optimism_mended,
        r"on the event of Lemma 1, with the constants of C121b and C135 and for $t > \tau$; with probability $1 - \delta$ given that event, $1 - 2\delta$ in all",
    ),
    domain=r"printed: $K = 2$, $d = 1$, one arm $10^{-5}$, $S = 1000$, $\rho = (1, 0)$, $t = T = 10^{18}$, $\delta = 0.05$, all outcomes; mended: any $K$, $d$, $S$ and arms; simulated: twelve instances, $K = 2, 3, 6$, $S$ from $0.1$ to $10^{16}$, arms of length $X$ from 1 to $10^{-18}$, $T$ about $10^6 \tau$, learning in batches for at most $10^{12} \lambda/X^2$ rounds, drawn as fewer rounds, with more noise, for $S > 10^4$",
    planted={"root": 1000, "mended_constant": 1e-6},
    module=__name__,
)
