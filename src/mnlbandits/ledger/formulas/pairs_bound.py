"""The lower bound with sqrt K: E Reg_T >= c R sqrt(d K T/kappa_*) on the instances of `pairs`, T before the instance."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.formulas.family import MENDED, MENDED_OUTCOMES, PRINTED, against
from mnlbandits.ledger.formulas.pairs import (
    MANY_DIMENSIONS,
    hidden_in,
    lean,
    least_star,
    pairs_in,
    part_of_step,
    separation,
    slack_of,
)

PAIR_SIZES = tuple({"K": K, "d": d} for K in (4, 5, 6, 7, 10, 100, 1000, 10**4, 10**5) for d in (2, 3, 5, 10))
"""The K and d of the searches and of the balls."""

LEAST_EXCEPTIONS = ((2, 2), (3, 2))
"""The K and d without a bound: one pair, in one direction."""


def uniform_constant(d: int) -> int:
    """1/c for all K >= 4 if d = 2, and for all K >= 2 if d >= 3."""
    return 19 if d == 2 else 25


def sinh_over(m: Arithmetic, z: Number) -> Number:
    """sinh(z)/z as the integral of cosh(v z) over v in [0, 1], so that z may be 0."""
    return m.integral(lambda v: m.cosh(v * z))


def prior_share(m: Arithmetic, K: int, d: int) -> Number:
    """beta_0: what an arm finds of all hypotheses on average, without any information."""
    if d == 2:
        return m.number(Fraction(1, pairs_in(K)))
    return 1 / (2 * pairs_in(K) * m.sqrt(m.number(hidden_in(d))))


def pairs_core(
    m: Arithmetic, halves: Number, hidden: Number, prior: Number, a: Number, delta: Number, slack: Number
) -> Number:
    """c: E Reg_T over R sqrt(d K T/k_0), delta = Delta/2 = 2 a sqrt(floor(K/2) D/T), halves = floor(K/2)/K, hidden = D/d.

    The bracket is the part of the largest gain that is lost: 1 - eta at the best arm, less the prior share and what
    Pinsker's inequality gives the learner.
    """
    bracket = 1 - slack - prior * m.cosh(delta) - a * sinh_over(m, delta / 2)
    return 2 * m.sqrt(halves * hidden) * a * sinh_over(m, delta) / m.cosh(delta) * bracket


def pairs_bound(m: Arithmetic, K: int, d: int, T: Number) -> Number:
    """`pairs_core` of K, d and T."""
    a, D, pairs = m.number(part_of_step(d)), hidden_in(d), pairs_in(K)
    delta = 2 * a * m.sqrt(m.number(pairs * D) / T)
    shares = m.number(Fraction(pairs, K)), m.number(Fraction(D, d))
    return pairs_core(m, *shares, prior_share(m, K, d), a, delta, m.number(slack_of(d)))


def pairs_constant(m: Arithmetic, K: int, d: int) -> Number:
    """c(K, d), the bound at the least T, d^2 k_0; it is larger at every other."""
    return pairs_bound(m, K, d, m.number(d**2 * least_star(K)))


def pairs_ratio(
    m: Arithmetic, K: int, d: int, surplus: Number, constant: int | None = None, power: Fraction | int = Fraction(1, 2)
) -> Number:
    """K^(power - 1/2)/constant over the bound at T = d^2 k_0 exp(surplus)."""
    T = d**2 * least_star(K) * m.exp(surplus)
    growth = m.power(m.number(K), m.number(power) - m.number(Fraction(1, 2)))
    return against(growth / (constant or uniform_constant(d)), pairs_bound(m, K, d, T))


PAIR_HORIZONS = {"surplus": (0.0, 70.0)}
"""ln(T/(d^2 k_0)), so that T reaches 1e30 at every size of `PAIR_SIZES`."""


# For all K and d: each factor at its worst

UNIFORM_CASES = ({"least": 2}, {"least": 3}, {"least": MANY_DIMENSIONS + 1})
"""d = 2; d from 3 to 10^6; and larger d."""

UNIFORM_BOXES = {
    2: {"halves": (0.3999, 0.5), "hidden": (0.5, 0.5), "prior": (0.0, 0.5), "delta": (0.0, 0.1215)},
    3: {"halves": (0.3333, 0.5), "hidden": (0.3333, 1.0), "prior": (0.0, 0.5), "delta": (0.0, 0.08733)},
    MANY_DIMENSIONS + 1: {"halves": (0.3333, 0.5), "hidden": (0.999, 1.0), "prior": (0.0, 5.1e-4), "delta": (0.0, 5e-4)},
}
"""By the least d: delta <= a sqrt(D)/d, which is at most a/2 and a sqrt(2)/4; a/1000 for d > 10^6."""

UNIFORM_WORDS = (
    r"for all $K$ and $d$ in $\lfloor K/2 \rfloor/K \ge 2/5$ ($d = 2$, $K \ge 4$) or $1/3$, $D/d \ge 1/3$, "
    r"$\beta_0 \le 1/2$ and $\Delta/2 \le a \sqrt D/d$, three boxes: $d = 2$, $3 \le d \le 10^6$, larger $d$"
)
"""What `UNIFORM_BOXES` are, in words."""

LARGE_BOX = {"halves": (0.4998, 0.5), "hidden": (0.999998, 1.0), "prior": (0.0, 4.1e-7), "delta": (0.0, 5e-4)}
"""K > 2500 and d > 10^6."""

LARGE_DIMENSIONS = 78_000_000
"""Up to this d the bound implies the printed one, R d sqrt(K T/kappa_*)/25000."""


def uniform_box(least: int) -> dict[str, tuple[float, float]]:
    """The box of a least d."""
    return UNIFORM_BOXES[least]


def uniform_ratio(m: Arithmetic, least: int, constant: int | None = None, **factors: Number) -> Number:
    """1/constant over `pairs_core`, of the shares and delta in a box of `UNIFORM_BOXES`."""
    a, slack = m.number(part_of_step(least)), m.number(slack_of(least))
    names = ("halves", "hidden", "prior")
    core = pairs_core(m, *(factors[name] for name in names), a, factors["delta"], slack)
    return against(m.number(1) / (constant or uniform_constant(least)), core)


def large_ratio(m: Arithmetic, constant: int = PRINTED, **factors: Number) -> Number:
    """sqrt(LARGE_DIMENSIONS)/constant over the bound: whether R d sqrt(K T/kappa_*)/constant is below it up to that d."""
    return m.sqrt(m.number(LARGE_DIMENSIONS)) / constant * uniform_ratio(m, MANY_DIMENSIONS + 1, 1, **factors)


def small_ratio(m: Arithmetic, d: int, constant: int = PRINTED) -> Number:
    """The same up to d = 2 and up to d = 10^6."""
    return m.sqrt(m.number(d)) * uniform_constant(d) / constant


SMALL_DIMENSIONS = ({"d": 2}, {"d": MANY_DIMENSIONS})


def outcomes_ratio(m: Arithmetic, constant: int = PRINTED) -> Number:
    """sqrt(MENDED_OUTCOMES)/constant over 1/MENDED: the same of the corrected bound, up to that K."""
    return m.sqrt(m.number(MENDED_OUTCOMES)) * MENDED / constant


def best_proved(m: Arithmetic, K: int, d: int, constant: int = PRINTED) -> Number:
    """d sqrt(K)/constant over the larger of d/MENDED and c(K, d) sqrt(d K), all over R sqrt(T/kappa_*)."""
    pairs = 0 if (K, d) in LEAST_EXCEPTIONS else pairs_constant(m, K, d)
    return d * m.sqrt(m.number(K)) / constant / m.maximum(m.number(d) / MENDED, pairs * m.sqrt(m.number(d * K)))


# The instances


def spread_ratio(m: Arithmetic, delta: Number, most: Fraction = Fraction(103, 100)) -> Number:
    """kappa_*/k_0 at most 1/(1/cosh(Delta/2)^2 - eta), over `most`, delta = Delta/2."""
    return against(1 / m.number(most), 1 / m.cosh(delta) ** 2 - m.number(slack_of(2)))


SPREAD_BOX = {"delta": (0.0, 0.1215)}
"""Delta/2 <= a sqrt(D)/d <= 0.243/2 for all d."""


def miss_ratio(m: Arithmetic, K: int, d: int, third: Fraction = Fraction(1, 3)) -> Number:
    """1 - w and the chance of the odd outcome at a best arm, at most, over `third` eta, from the distances of all u_l."""
    reach, pairs = separation(m, K, d) * lean(m, d)[0], pairs_in(K)
    others = sum((m.exp(-reach * (1 - m.cos(2 * m.pi * cell / pairs))) for cell in range(1, pairs)), m.number(0))
    weight = 1 / (1 + others)
    odd = K % 2 * m.exp(-reach) * weight / 2
    return m.maximum(1 - weight, odd) / (m.number(third) * m.number(slack_of(d)))


AIMS = tuple({"K": K, "d": 2} for K in (4, 5, 6, 7, 10, 100, 1000, 10**4, 10**5))
"""The K at which the aim of the best arm is computed in balls; it does not depend on d otherwise than by eta."""


def nu_reduced(m: Arithmetic, delta: Number, most: Fraction = Fraction(41, 10)) -> Number:
    """nu/r at most 4/(1 - eta - eta/3 cosh(Delta/2)) on the best arms of all hypotheses, over `most`; K even.

    rho^2 = r rho, so that nu is 2 r times the range of the mean rewards over their gap. The range is at most 2 r G, and at
    the arms of another pair the weight of this one is eta/3 at most.
    """
    slack = m.number(slack_of(2))
    return against(4 / m.number(most), 1 - slack - slack / 3 * m.cosh(delta))


def line_ratio(m: Arithmetic, delta: Number, constant: int = 7, step: Fraction = Fraction(1, 2)) -> Number:
    """1/constant over E Reg_T/(R sqrt(T/k_0)) for d = 1: all pairs are moved apart by Delta = 2 delta, delta = step/sqrt(T).

    The two signs have the same prior; the wrong arm loses (1 - p_0) r tanh(delta), p_0 <= 1/3; Pinsker's root is step/2
    sinh(delta/2)/(delta/2).
    """
    b = m.number(step)
    lost = m.number(Fraction(4, 3)) * b * sinh_over(m, delta) / m.cosh(delta)
    return against(m.number(1) / constant, lost * (1 - b * sinh_over(m, delta / 2)) / 2)


LINE_BOX = {"delta": (0.0, 0.5)}
"""delta = 1/(2 sqrt T), of all T >= 1."""
