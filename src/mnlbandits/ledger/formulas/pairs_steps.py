"""The steps of the lower bound with sqrt K, exactly: each function decides identities and orders for all values.

E = exp(y), y = (Delta/2) e^T x; w is the weight of the pair among the pairs at the arm x, and `zero` the mass of the odd
outcome. An order is decided by substituting E = 1 + s and w = 1/(1 + v): no coefficient is negative.
"""

import math
from fractions import Fraction

from mnlbandits.ledger.arithmetic import Number
from mnlbandits.ledger.arithmetic.quotients import Quotient, nonnegative, unknowns


def twice_cosh(E: Number) -> Number:
    """2 cosh(y)."""
    return E + 1 / E


def excess(E: Number, w: Number) -> Number:
    """phi = w sinh(y)/(2 (1 + w (cosh(y) - 1)))."""
    return w * (E - 1 / E) / (4 + 2 * w * (twice_cosh(E) - 2))


def upwards() -> tuple[Quotient, Quotient]:
    """E >= 1 and 0 < w <= 1 by unknowns that are at least 0."""
    s, v = unknowns("s", "v")
    return 1 + s, 1 / (1 + v)


def mean_reward_exactly(odd: Fraction = Fraction(1, 2)) -> bool:
    """Mean reward/r - 1/2 = (1 - p_0) phi, p_0 the chance of the odd outcome, of reward `odd` r; zero = 0 for even K."""
    E, own, rest, zero = unknowns("E", "own", "rest", "zero")
    total = 2 * rest + own * twice_cosh(E) + zero
    mean = (rest + own * E + odd * zero) / total
    return mean - Fraction(1, 2) == (1 - zero / total) * excess(E, own / (own + rest))


def excess_below(half: Fraction = Fraction(1, 2)) -> bool:
    """w tanh(y)/2 <= phi <= tanh(y)/2 and phi <= w sinh(y)/2 for y >= 0, and phi increases in w and y; phi is odd in y."""
    E, w = upwards()
    phi, tanh = excess(E, w), (E - 1 / E) / twice_cosh(E)
    e, x = unknowns("e", "x")
    rise_in_y, rise_in_w = excess(e, x).derivative(0), excess(e, x).derivative(1)
    cosh = twice_cosh(e) / 2
    lower = 2 * (1 + x * (cosh - 1)) ** 2
    slopes = rise_in_y * e == x * (x + (1 - x) * cosh) / lower and rise_in_w == (e - 1 / e) / 2 / lower
    return (
        slopes
        and nonnegative(half * tanh - phi)
        and nonnegative(phi - w * tanh / 2)
        and nonnegative(w * (E - 1 / E) / 4 - phi)
    )


def aim_exactly(share: int = 3) -> bool:
    """At the best arm w >= 1 - z, p_0 <= z and tanh(sin(p) u) >= (1 - z) tanh(u), z = eta/3: it has 1 - eta of all.

    w = 1/(1 + other) with `other` <= z, p_0 <= a_0/(2 A + a_0) with a_0/A <= 2 z, and (1 - z)^3 >= 1 - 3 z; tanh'' =
    -2 tanh (1 - tanh^2), so that tanh is concave where it is positive.
    """
    v, E = unknowns("v", "E")
    z, tanh = 1 / (1 + v), (E - 1 / E) / twice_cosh(E)
    weight = nonnegative(1 / (1 + z) - (1 - z))
    odd = nonnegative(z - 2 * z / (2 + 2 * z))
    concave = (tanh.derivative(1) * E).derivative(1) * E == -2 * tanh * (1 - tanh**2)
    return weight and odd and concave and nonnegative((1 - z) ** 3 - (1 - share * z))


def pairs_star_exactly(quarter: Fraction = Fraction(1, 4)) -> bool:
    """Var/r^2 = mean (1 - mean) - p_0/4 and r^2 = 4 R^2/k_0; mean (1 - mean) is from 1/(4 cosh(Delta/2)^2) to 1/4.

    The mean is from 1/2 to 1/2 + tanh(Delta/2)/2 = sigmoid(Delta). Where the gain is (1 - p_0) phi >= (1 - eta) G and phi <=
    G = tanh(Delta/2)/2, p_0 <= eta.
    """
    high, odd, pairs, E, mean = unknowns("high", "odd", "pairs", "E", "mean")
    spread = high + odd * quarter - (high + odd / 2) ** 2
    norms = all(pairs + left * quarter == (4 * pairs + left) * quarter for left in (0, 1))
    top = E**2 / (1 + E**2)
    half = Fraction(1, 2) + (E - 1 / E) / twice_cosh(E) / 2
    return (
        spread == (high + odd / 2) * (1 - high - odd / 2) - odd / 4
        and norms
        and Fraction(1, 4) - mean * (1 - mean) == (mean - Fraction(1, 2)) ** 2
        and half == top
        and top * (1 - top) == quarter / (twice_cosh(E) / 2) ** 2
    )


def pair_information_exactly(factor: Fraction | int = 1, moves: tuple[int, int] = (1, -1)) -> bool:
    """KL(P_0, P_h) = ln(Z_h/Z_0) <= `factor` w (cosh(y) - 1), as the logits of the pair move by `moves` times y.

    Under P_0 both outcomes of the pair have the same chance, so that the mean move is 0; Z_h/Z_0 - 1 is 2 w (cosh(y) - 1)
    over 2 + a_0/A, and ln(1 + u) <= u.
    """
    E, own, rest, zero = unknowns("E", "own", "rest", "zero")
    before, after = 2 * rest + 2 * own + zero, 2 * rest + sum(own * E**move for move in moves) + zero
    w, odd = own / (own + rest), zero / (own + rest)
    return (
        sum(own / before * move for move in moves) == 0
        and after / before - 1 == 2 * w * (twice_cosh(E) / 2 - 1) / (2 + odd)
        and nonnegative(factor - 2 / (2 + zero))
    )


def series_below(power: int = 2, terms: int = 8) -> bool:
    """cosh(t z) - 1 <= t^power (cosh(z) - 1) and sinh(t z) <= t sinh(z) for t in [0, 1], term by term of the series in z."""
    (v,) = unknowns("v")
    t = 1 / (1 + v)
    even = all(nonnegative((t**power - t ** (2 * n)) / math.factorial(2 * n)) for n in range(1, terms))
    return even and all(nonnegative((t - t ** (2 * n + 1)) / math.factorial(2 * n + 1)) for n in range(terms))


def average_exactly(pairs_power: int = 1) -> bool:
    """Over 2 m D hypotheses sum_k w_k = 1 and D sum x_i^2 - (sum |x_i|)^2 = D sum (|x_i| - mean)^2, by the sums of both.

    So the mean of w_k (e^T x)^2 is at most 1/(m D), and that of w_k max(0, e^T x) at most 1/(2 m sqrt D).
    """
    D, first, second, m, root = unknowns("D", "first", "second", "m", "root")
    mean = first / D
    cauchy = D * second - first**2 == D * (second - 2 * mean * first + D * mean**2)
    squares = 2 * second / (2 * m * D) == second / (m**pairs_power * D)
    return cauchy and squares and root / (2 * m * root**2) == 1 / (2 * m**pairs_power * root)


def choice_exactly(factor: int = 2) -> bool:
    """With delta = 2 a sqrt(m D/T): r G T over R sqrt(d K T/k_0), and Pinsker's root, are those of `pairs_core`.

    By the roots of k_0, T, m D and d K as unknowns, h = exp(delta/2): cosh(delta) - 1 = 2 sinh(delta/2)^2.
    """
    star, T, cells, size, a, th, h = unknowns("star", "T", "cells", "size", "a", "th", "h")
    delta = factor * a * cells / T
    gain = 2 / star * (th / 2) * T**2 / (size * T / star)
    sinh = (h - 1 / h) / 2
    information = T**2 * (twice_cosh(h**2) / 2 - 1) / (2 * cells**2)
    return gain == 2 * cells / size * a * th / delta and information == (a * sinh / (delta / 2)) ** 2


def horizon_exactly(eight: int = 8) -> bool:
    """T >= d^2 k_0 >= 4 d^2 m gives delta <= a sqrt(D)/d; D/d^2 = (d - 2)/d^2 <= 1/`eight`, as (d - 4)^2 >= 0; D/d >= 1/3.

    m/K >= 2/5 for K >= 4 and 1/3 for K >= 2: K = 2 m + 1 at worst, m >= 2 or 1.
    """
    a, D, m, d, more = unknowns("a", "D", "m", "d", "more")
    square = 4 * a**2 * m * D / (4 * d**2 * m) == a**2 * D / d**2
    eighth = d**2 - eight * (d - 2) == (d - 4) ** 2
    hidden = nonnegative((1 + more) / (3 + more) - Fraction(1, 3))
    halves = [
        nonnegative((least + more) / (2 * (least + more) + 1) - share)
        for least, share in ((2, Fraction(2, 5)), (1, Fraction(1, 3)))
    ]
    return square and eighth and hidden and all(halves)


def pair_steps(**_: object) -> bool:
    """All of them, with their constants."""
    return all(
        step()
        for step in (
            mean_reward_exactly,
            excess_below,
            aim_exactly,
            pairs_star_exactly,
            pair_information_exactly,
            series_below,
            average_exactly,
            choice_exactly,
            horizon_exactly,
        )
    )


PAIR_WORDS = (
    r"exact identities in $E = e^y$, $y = \frac\Delta2 e^T x$, and the weight $w$ of the pair: "
    r"(mean reward)$/r - \frac12 = (1 - p_0) \phi$, $w \tanh(y)/2 \le \phi \le \tanh(y)/2$, $\phi \le w \sinh(y)/2$; "
    r"$KL = \ln(Z_h/Z_0) \le w (\cosh y - 1)$; $\cosh(t z) - 1 \le t^2 (\cosh z - 1)$ and $\sinh(t z) \le t \sinh z$ term "
    r"by term, Cauchy and Schwarz for $\sum |x_i|$; $\mathrm{Var}/r^2 = q (1 - q) - p_0/4$ at mean reward $q r$; "
    r"$1 - \eta \le (1 - \eta/3)^3$ at the best arm; the mean over the hypotheses, by the concavity of the root, "
    r"and the choice of $\Delta$"
)
"""What `pair_steps` shows."""
