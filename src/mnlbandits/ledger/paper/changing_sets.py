"""Section 3.4, after Theorem 3: what its bound becomes with fixed and with changing action sets."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import FALSE, Finding, corrected, universal
from mnlbandits.ledger.formulas.adaptive import DELTA_W, beta_w, lambda_w
from mnlbandits.ledger.formulas.mended import Given, last_line
from mnlbandits.ledger.formulas.mirror import beta_w_mended, lambda_w_mended
from mnlbandits.ledger.formulas.regret import leading
from mnlbandits.ledger.formulas.softmax import binary_curvature, sigmoid
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.adaptive import small_instance

NORMS_EXPLORED = (4.0, 8.0, 16.0, 32.0)
"""S of the sequence of instances with fixed sets."""


def all_explored(m: Arithmetic, S: Number) -> Number:
    r"""$\kappa (24 \beta_1^2 - \lambda^w)$, K = 2, d = 1, arms -1 and 1/2: in all rounds up to it the trigger fires at the arm -1.

    Before round t the design is $\lambda^w + (t - 1)/\kappa \le 24 \beta_1^2 \le 24 \beta_t^2$.
    """
    two = m.number(2)
    return (24 * beta_w(m, two, S, m.number(1)) ** 2 - lambda_w(m, two, S)) / binary_curvature(m, S)


def explored_over_rate(m: Arithmetic, S: Number, counted: int = 0) -> Number:
    r"""Regret of these rounds over the printed rate and `counted` R |T^w|; $\theta_* = S (1, -1)/\sqrt 2$, $\rho = (1, 0)$, C = 1."""
    place, T = S / m.sqrt(m.number(2)), all_explored(m, S)
    star = 1 / (sigmoid(m, place) * sigmoid(m, -place))
    constants = {"outcomes": 2, "kappa_star": star, "R": 1, "dim": 1}
    lost = T * (sigmoid(m, place) - sigmoid(m, -2 * place))
    return lost / (leading(m, constants, T, m.number(DELTA_W)) + counted * T)


@cache
def fixed_constants(outcomes: int, dim: int, norm: int) -> Mapping[str, float]:
    """The constants of a random instance of 12 arms."""
    return small_instance(outcomes, dim, norm, 0).constants


def others_over_leading(
    m: Arithmetic, outcomes: int, dim: int, norm: int, log_T: Number, horizon_power: Fraction | int = 0
) -> Number:
    r"""$T^{power}$ times the other terms of the mended Theorem 3 over its leading one, fixed sets, $\delta = 1/20$."""
    c = {key: m.number(fixed_constants(outcomes, dim, norm)[key]) for key in ("kappa", "kappa_star", "R", "nu")}
    size, free, S, level = (
        m.number(outcomes * dim),
        m.number((outcomes - 1) * dim),
        m.number(norm),
        -m.log(m.number(DELTA_W)),
    )
    lead, T = c["R"] * m.exp(log_T / 2) / m.sqrt(c["kappa_star"]), m.exp(log_T)
    first, *others = last_line(m, Given(outcomes, dim, S, log_T, level, c["kappa"], c["R"], c["nu"], lead))
    square = beta_w_mended(m, size, free, S, level, T) ** 2
    explored = 48 * square * c["kappa"] * dim * m.log1p(T / (c["kappa"] * dim * lambda_w_mended(m, size, S)))
    return m.exp(m.number(horizon_power) * log_T) * (sum(others[:2]) + c["R"] * explored) / first


OTHERS = Inequality(
    others_over_leading,
    {"log_T": (42.0, 690.0)},
    tuple({"outcomes": K, "dim": d, "norm": S} for K, d, S in ((2, 1, 1), (3, 2, 1), (3, 2, 2), (4, 3, 1))),
    share=0.1,
)


def fixed_sets(effort: Effort, counted: int = 0, mended_horizon_power: Fraction | int = 0) -> Finding:
    """The rate while all rounds explore, and the mended theorem for large T."""
    printed = universal(partial(explored_over_rate, counted=counted), NORMS_EXPLORED, "S")
    mended = OTHERS(effort, horizon_power=mended_horizon_power)
    text = r"in words: by the mended Theorem 3 (C184), as $\sum_{t \notin T^w} 1/\kappa_{*,t} \le T/\kappa_*$; its other terms are of order $\log^2 T$, so at most the leading one from some $T$ on, on these instances from $T = e^{42} = 1.7 \cdot 10^{18}$ on"
    if mended.verdict not in FALSE:
        mended = replace(mended, level="argued", evidence=f"{mended.evidence}; {text}")
    words = r"with $\|\theta_*\|_F \le S$, from some $T$ on, which depends on the instance, $\mathrm{Reg}_T \le 2 R \sqrt{T/\kappa_*}\,[7.5\, D \log(T/\delta) + 114\, S \sqrt{K d D \log T}]$, $D = (K - 1) d$, for the mended Algorithm 3: $K$ for $\sqrt K$ and a power of $S$, as Theorem 1 (C156). Before, the rounds of exploration count: there are up to $\kappa$ times a power of $S$ of them, each of regret up to $R$: in $S$ the constant grows as $\kappa$ does, exponentially, and $\log T$ linearly, so that no power of the logarithm makes up for it"
    return corrected("rate", printed, mended, words)


C184d = claim(
    "C184d",
    Statement(
        place="Section 3.4, after Theorem 3, fixed action sets",
        lines=(570, 570),
        kind="text",
        prints=r"In the case of stationary arm-sets $\mathcal X_t = \mathcal X$, we recover the regret guarantee of Theorem 1, obtaining a regret upper-bound of $\tilde O(R d \sqrt{K T/\kappa_*})$.",
        reading=r"$\tilde O$ hides a factor that is logarithmic in $T$ and $1/\delta$ and the same for every instance, Section 2. With a $T$ from which on that may depend on the instance it is the corrected form, as in C014.",
    ),
    fixed_sets,
    domain=r"printed: $K = 2$, $d = 1$, $\mathcal X = \{-1, \frac12\}$, $\theta_* = S (1, -1)/\sqrt 2$, $\rho = (1, 0)$, $\delta = 0.05$, $T = \kappa (24 \beta_1^2 - \lambda^w)$, up to which every round explores and plays the longer arm, $S = 4..32$ (at $S = 1$ it is 22 times the rate already), over $R d \sqrt{K T/\kappa_*} \log(T/\delta)$; mended: every instance with $\mathcal X$ finite, by C184, the trigger in the spectral norm; searched: random instances of 12 arms, $(K, d, S) = (2, 1, 1), (3, 2, 1), (3, 2, 2), (4, 3, 1)$, $T = e^{42}..e^{690}$",
    planted={"counted": 1, "mended_horizon_power": Fraction(1, 2)},
    unproved="It rests on the mended Theorem 3, a derivation in words; that the other terms are smaller in the end is shown on four instances, and in words.",
    module=__name__,
)


def averaged(m: Arithmetic, T: Number, total: Number, power: int = 1) -> Number:
    r"""Relative difference of $\sqrt T (1/T^{power} \Sigma)^{1/2}$ and $\Sigma^{1/2}$, T and the sum in powers of ten."""
    return abs(m.sqrt(10**T) * m.sqrt(10**total / 10 ** (power * T)) / m.sqrt(10**total) - 1)


def average_same(power: int = 1) -> bool:
    r"""Whether the squares are the same rational function."""
    T, total = unknowns("T", "total")
    return T * total / T**power == total


C184e = claim(
    "C184e",
    Statement(
        place="Section 3.4, after Theorem 3, changing action sets",
        lines=(570, 570),
        kind="text",
        prints=r"In the non-stationary case, we obtain $\sqrt T \sqrt{\frac{1}{T} \sum_{t \notin T^w} \frac{1}{\kappa_{*,t}}}$, replacing the non-linearity constant in the optimum by its on-trajectory average version.",
        reading=r"The form of the leading term alone, without its factor $R d \sqrt K$; whether the regret is below it is C184. The average of $1/\kappa_{*,t}$ over all $T$ rounds, those of exploration counted as 0.",
    ),
    Equality(
        averaged, {"T": (0.1, 30.0), "total": (-30.0, 30.0)}, share=0.2, proof=Exactly(average_same, "for every $T$ and sum")
    ),
    domain=r"every $T$ and $\kappa_{*,t}$",
    planted={"power": 2},
    module=__name__,
)
