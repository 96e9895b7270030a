"""Section 3.2: the optimistic reward in closed form, its bonuses and Proposition 1."""

from fractions import Fraction

import numpy as np

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import Balls, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of, frequency
from mnlbandits.ledger.formulas.frameworks import law_of, unknown_vectors
from mnlbandits.ledger.formulas.learning import (
    EVENT_CASES,
    bonus_factors,
    event_box,
    optimism_below,
    optimism_on_event,
    range_below_norm,
    remainder_below,
    variance_below_range,
    wbar_of,
)
from mnlbandits.ledger.formulas.orders import centred_columns, rows_of, vectors
from mnlbandits.ledger.formulas.softmax import sigmoid, softmax
from mnlbandits.ledger.formulas.vectors import centred, dot, over, variance
from mnlbandits.ledger.search import Effort, column, rewards_box, vectors_box
from mnlbandits.ledger.simulate.exploration import DELTA, examples, explorations, short_arm
from mnlbandits.ledger.simulate.learning import learning
from mnlbandits.model.constants import mean_rewards
from mnlbandits.seeds import generator

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


def middle_over_mean(m: Arithmetic, gap: int, left: int = -4) -> Number:
    r"""$\rho^\top\mu$ in the middle of two points over the mean of both, $\rho = (1, 0)$, logits from `left` in two steps."""
    first, middle, last = (sigmoid(m, m.number(left + steps * gap)) for steps in range(3))
    return 2 * middle / (first + last)


NOT_CONCAVE = Inequality(
    middle_over_mean,
    cases=[{"gap": 2}],
    note="below the mean of two points in their middle, so not concave",
    proof=Balls(middle_over_mean, {}, [{"gap": 2}], bound=0.5, words="one point"),
)


def closed_form_above_maximum(effort: Effort, left: int = -4) -> Finding:
    """A point where concavity fails, and Proposition 1 anywhere in C_t."""
    return all_of(NOT_CONCAVE(effort, left=left), optimism_at_event(effort.share(0.5)))


C133b = claim(
    "C133b",
    Statement(
        place="Section 3.2, Eq. def_tilder_nonefficient and text after it",
        lines=(386, 390),
        kind="equation",
        prints=r"$\tilde r_t(x) := \max_{\theta \in \mathcal C_t(\delta)} \rho^\top \mu(\theta x)$ results in a non-concave maximization problem.",
        reading=r"Not concave in general, and $\tilde r_t$ in closed form is at least this maximum.",
        labels=("eq:def_tilder_nonefficient",),
    ),
    closed_form_above_maximum,
    domain=r"concavity: $\rho = (1, 0)$, $K = 2$, $x = 1$, differences of the logits $-4$, $-2$, $0$; the maximum: as C133, $\theta$ anywhere in $\mathcal C_t$",
    planted={"left": -1},
    module=__name__,
)


def second_order(m: Arithmetic, K: int, constant: int = 3, **point: Number) -> Number:
    r"""Half of the second derivative of $\rho^\top\mu(z + v e)$ over $3 R \lVert e \rVert_2^2$."""
    p, rewards, e = softmax(m, column(point, "z")), column(point, "r"), centred(column(point, "e"))
    mean, spread = dot(p, e), variance(p, e)
    second = sum(r * q * ((v - mean) ** 2 - spread) for r, q, v in zip(rewards, p, e, strict=True))
    return over(abs(second) / 2, constant * m.norm(rewards) * dot(e, e))


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
            remainder_below,
            r"with $p = \mu(z)$ half of the second derivative is at most $\frac{R}{2} \sum_k p_k |(e_k - p^\top e)^2 - \operatorname{Var}_p e| \le R \operatorname{Var}_p e \le R (\max e - \min e)^2/4 \le R \lVert e \rVert_2^2/2$; any $K$, $z$, $e$ and $\rho$",
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


C129 = claim(
    "C129",
    Statement(
        place="Section 3.2 after Eq. optimistic reward; Section 3.3.1; Appendix A; Algorithm 2, line 10",
        lines=(404, 404),
        kind="definition",
        prints=r"$\bar W_t = W_t + \sum_{s=1}^t 1_K 1_K^\top \otimes x_s x_s^\top$; in Appendix A and Algorithm 2 the sum is over $s = \tau + 1, \dots, t - 1$.",
        reading=r"Both give the same $\epsilon_1$ and $\epsilon_2$; the text's contains $x_t$ before $x_t$ is chosen.",
    ),
    wbar_at_points,
    domain=r"any $K$, $d$, arms and pulls; searched: $(K, d) = (2, 1), (3, 1), (2, 2)$, two arms learnt 1 to $10^6$ times, their $1 1^\top$ added $1$ to $10^3$ times more often than in Appendix A, $\lambda \in [1, 10^3]$",
    planted={"ones": 0},
    module=__name__,
)


C133 = claim(
    "C133",
    Statement(
        place="Section 3.2, Proposition 1, second statement",
        lines=(406, 411),
        kind="proposition",
        prints=r"$\tilde r_t(x) \ge \rho^\top \mu(\theta_* x)$ and $|\rho^\top \mu(\theta_* x) - \rho^\top \mu(\theta_t x)| \le \epsilon_{1,t}(x) + \epsilon_{2,t}(x)$.",
        quantifiers=r"for all $t \ge 1$ and $x \in \mathcal X$",
        reading=r"On the event $\lVert \theta_* - \theta_t \rVert_{\bar W_t} \le \sigma_t$, for all $x$. Lemma 2 gives it with $\sigma_{t-1} \le \sigma_t$; in round $\tau + 1$ it is a condition on $\theta_{\tau+1}$, see C127.",
        labels=("eq:optimistic reward", "prop:optimistic reward"),
    ),
    optimism_at_event,
    domain=r"any $K$, $d$, $\bar W_t$, $\sigma_t$ and $\theta_*$ on the event; searched: $(K, d) = (2, 1), (3, 1), (2, 2)$, two arms learnt 1 to $10^5$ times, any arm asked, $\lambda \in [1, 10^3]$, $\sigma \in [0.01, 300]$",
    planted={"constant": 0},
    module=__name__,
)


def optimism_in_play(effort: Effort, scale: float = 1.0) -> Finding:
    """Runs in which a mean reward of an arm leaves theta_t's by more than `scale` times the bonuses."""
    shares, rounds = [], max(30, effort.rounds // 10)
    for instance in [*examples(), short_arm(3.0)]:
        truth = instance.probabilities @ instance.rewards
        for n, end in enumerate(explorations(instance, max(10, effort.runs // 4))):
            stream, worst = generator("claims optimism", 0, instance.name, n), 0.0
            for _, theta, state in learning(instance, end.state, stream, rounds):
                here = mean_rewards(theta, instance.arms, instance.rewards)
                worst = max(worst, float((np.abs(truth - here) / (scale * (state.learner.scores - here))).max()))
            shares.append(worst)
    note = (
        rf"all arms in {rounds} rounds; largest $|\rho^\top \mu(\theta_* x) - \rho^\top \mu(\theta_t x)|/(\epsilon_1 + \epsilon_2)$ is {max(shares):.3g}. "
        r"By the proofs the probability is $1 - \delta$ given Lemma 1, $1 - 2\delta$ in all"
    )
    return frequency(sum(share > 1 for share in shares), len(shares), DELTA, note)


C134 = claim(
    "C134",
    Statement(
        place="Section 3.2, Proposition 1, its probability",
        lines=(406, 411),
        kind="proposition",
        prints=r"With probability $1 - \delta$, $\tilde r_t(x) \ge \rho^\top \mu(\theta_* x)$ and $|\rho^\top \mu(\theta_* x) - \rho^\top \mu(\theta_t x)| \le \epsilon_{1,t}(x) + \epsilon_{2,t}(x)$.",
        hypotheses=r"$\delta \in (0, 1)$",
        quantifiers=r"with probability $1 - \delta$, for all $t \ge 1$ and all $x \in \mathcal X$",
        reading=r"For all $t > \tau$, as $\theta_t$ and $\bar W_t$ do not exist before.",
    ),
    optimism_in_play,
    domain=r"three instances ($K = 2, 3$; $S = 1, 2, 3$) and an arm of length $10^{-5}$ with $S = 3$, all arms, first rounds of learning",
    planted={"scale": 1e-6},
    unproved=r"the probability is that of Lemma 2, whose proof cites a theorem of another paper; simulated on four instances.",
    module=__name__,
)
