"""The instances of the lower bound with sqrt K: pairs of outcomes, of which one hides a direction.

Of the floor(K/2) pairs, one outcome has the reward r and one 0; both have the row S u_k, u_k evenly on a circle. Under a
hypothesis the rows of one pair are moved apart by `spacing`, in one direction. K odd: one more outcome, row 0, reward r/2.
The order of the outcomes: those with r, those with 0, the odd one. `pair_instance` has it all in one place.
"""

from fractions import Fraction
from typing import NamedTuple

from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.formulas.vectors import centred

MANY_DIMENSIONS = 10**6
"""Beyond as many d the rows are moved further apart, which gives a better constant there."""


class Hypothesis(NamedTuple):
    """The pair `cell` is moved apart, in the direction `sign` e_`axis`; d = 2: in that of u_cell, axis 0."""

    cell: int
    axis: int = 0
    sign: int = 1


class PairInstance(NamedTuple):
    """theta_* in Pi R^{K x d}, one best arm for every hypothesis (X may be these, or the sphere), and rewards of norm 1."""

    theta: NDArray
    arms: NDArray
    rewards: list[Number]


def pairs_in(K: int) -> int:
    """floor(K/2)."""
    return K // 2


def hidden_in(d: int) -> int:
    """D, of how many directions (up to the sign) each pair may hide one."""
    return max(1, d - 2)


def part_of_step(d: int) -> Fraction:
    """a, which says how far apart the rows of the pair are."""
    if d > MANY_DIMENSIONS:
        return Fraction(4999, 10000)
    return Fraction(243 if d == 2 else 247, 1000)


def slack_of(d: int) -> Fraction:
    """eta: by what part the best arm may miss the limit of large S."""
    return Fraction(1, 10000 if d > MANY_DIMENSIONS else 200)


def least_star(K: int) -> int:
    """k_0 = 4 floor(K/2), and 1 more for odd K: kappa_* is at least this."""
    return 4 * pairs_in(K) + K % 2


def hypotheses_of(K: int, d: int) -> list[Hypothesis]:
    """All hypotheses."""
    if d == 2:
        return [Hypothesis(cell) for cell in range(pairs_in(K))]
    return [Hypothesis(cell, axis, sign) for cell in range(pairs_in(K)) for axis in range(2, d) for sign in (1, -1)]


def spacing(m: Arithmetic, K: int, d: int, T: Number) -> Number:
    """Delta = 4 a sqrt(floor(K/2) D/T), how far apart the rows of the pair are."""
    return 4 * m.number(part_of_step(d)) * m.sqrt(m.number(pairs_in(K) * hidden_in(d)) / T)


def lean(m: Arithmetic, d: int) -> tuple[Number, Number]:
    """(cos, sin) of the angle of the best arm to u_k: (1, 0) for d = 2, sin = 1 - eta/3 beyond."""
    sine = m.number(0 if d == 2 else 1 - slack_of(d) / 3)
    return m.sqrt(1 - sine * sine), sine


def separation(m: Arithmetic, K: int, d: int) -> Number:
    """S, so large that the best arm finds its pair with weight 1 - eta/3 and the odd outcome with chance eta/3 at most."""
    pairs, miss = pairs_in(K), m.number(slack_of(d) / 3)
    needed = m.number(0)
    if pairs > 1:
        needed = m.log((pairs - 1) / miss) / (1 - m.cos(2 * m.pi / pairs))
    if K % 2:
        needed = m.maximum(needed, m.log(1 / (2 * miss)))
    return needed / lean(m, d)[0]


def place_of(m: Arithmetic, K: int, d: int, cell: int) -> list[Number]:
    """u_k = (cos(2 pi k/floor(K/2)), sin(..), 0, .., 0)."""
    angle = 2 * m.pi * cell / pairs_in(K)
    return [m.cos(angle), m.sin(angle), *[m.number(0)] * (d - 2)]


def direction_of(m: Arithmetic, K: int, d: int, hypothesis: Hypothesis) -> list[Number]:
    """e, of norm 1."""
    if d == 2:
        return place_of(m, K, d, hypothesis.cell)
    return [m.number(hypothesis.sign * int(axis == hypothesis.axis)) for axis in range(d)]


def pair_rows(m: Arithmetic, K: int, d: int, gap: Number, hypothesis: Hypothesis | None = None) -> list[list[Number]]:
    """The rows of theta before Pi, (K, d), spaced by `gap`; without a hypothesis those of the base."""
    size = separation(m, K, d)
    places = [[size * entry for entry in place_of(m, K, d, cell)] for cell in range(pairs_in(K))]
    rows = [list(place) for side in range(2) for place in places] + [[m.number(0)] * d] * (K % 2)
    if hypothesis is not None:
        e = direction_of(m, K, d, hypothesis)
        for place, half in ((hypothesis.cell, gap / 2), (pairs_in(K) + hypothesis.cell, -gap / 2)):
            rows[place] = [entry + half * own for entry, own in zip(rows[place], e, strict=True)]
    return rows


def best_arm(m: Arithmetic, K: int, d: int, hypothesis: Hypothesis) -> list[Number]:
    """The test arm cos(p) u_k + sin(p) e of a hypothesis, u_k for d = 2."""
    cosine, sine = lean(m, d)
    place, e = place_of(m, K, d, hypothesis.cell), direction_of(m, K, d, hypothesis)
    return [cosine * entry + sine * own for entry, own in zip(place, e, strict=True)]


def pair_rewards(m: Arithmetic, K: int) -> list[Number]:
    """rho/R: r = 2/sqrt(k_0) on one outcome of each pair, 0 on the other, r/2 on the odd one."""
    high = 2 / m.sqrt(m.number(least_star(K)))
    return [high] * pairs_in(K) + [m.number(0)] * pairs_in(K) + [high / 2] * (K % 2)


def pair_instance(m: Arithmetic, K: int, d: int, T: Number, hypothesis: Hypothesis | None = None) -> PairInstance:
    """The instance of a hypothesis, or the base, for the horizon T."""
    rows = pair_rows(m, K, d, spacing(m, K, d, T), hypothesis)
    columns = [centred(column) for column in zip(*rows, strict=True)]
    arms = [best_arm(m, K, d, each) for each in hypotheses_of(K, d)]
    return PairInstance(m.array(columns).T, m.array(arms), pair_rewards(m, K))
