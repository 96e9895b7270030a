"""H_t(theta_*) and G_t(theta_*, hat theta) of Appendix A in units of lambda_0, and the event of Proposition 2 on them."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.concordance import mean_jacobian, range_within, third_derivative
from mnlbandits.ledger.formulas.estimates import identity
from mnlbandits.ledger.formulas.learning import cauchy_schwarz
from mnlbandits.ledger.formulas.orders import centred_columns, rows_of, square_form, vectors
from mnlbandits.ledger.formulas.softmax import softmax_jacobian
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import column, vectors_box


class Pair(NamedTuple):
    """theta_* - hat theta as `delta` (Kd,), and H_t(theta_*), G_t(theta_*, hat theta) (Kd, Kd), all with lambda_0 = 1."""

    delta: NDArray
    h: NDArray
    g: NDArray


PAIRS = ({"K": 2, "d": 1, "arms": 1}, {"K": 3, "d": 1, "arms": 1}, {"K": 2, "d": 2, "arms": 2})
"""Sizes for which pairs are searched."""


def pair_box(K: int, d: int, arms: int) -> dict[str, tuple[float, float]]:
    """The coordinates of `pair_of`."""
    return vectors_box(t=(K * d, 10.0), e=(K * d, 10.0), x=(arms * d, 1.0)) | {f"n{i}": (-2.0, 6.0) for i in range(arms)}


def pair_of(m: Arithmetic, K: int, d: int, arms: int, **point: Number) -> Pair:
    """The matrices at theta_* = t, difference e, arms x (cut to the unit ball) played 10^n lambda_0 times."""
    del arms
    theta, delta = (rows_of(centred_columns(column(point, name), d), d) for name in ("t", "e"))
    h = g = identity(m, K * d)
    for x, digits in zip(vectors(m, column(point, "x"), d), column(point, "n"), strict=True):
        z, shift = ([dot(row, x) for row in rows] for rows in (theta, delta))
        outer = np.outer(m.array(x), m.array(x)) * 10**digits
        h = h + np.kron(softmax_jacobian(m, z), outer)
        g = g + np.kron(mean_jacobian(m, z, [-entry for entry in shift]), outer)
    return Pair(m.array([entry for row in delta for entry in row]), h, g)


def on_event(m: Arithmetic, pair: Pair, gamma: Number | int) -> Number:
    """1 on the event ||g - g||^2_{H^-1} <= gamma lambda_0, falling to 0 outside of it; g - g = G (theta_* - hat theta)."""
    event = square_form(pair.g @ pair.delta, m.inverse(pair.h))
    return 1 if event <= gamma else (gamma / event) ** 4


def norm_of_pair(m: Arithmetic, pair: Pair) -> Number:
    """||theta_* - hat theta||_G = ||g(theta_*) - g(hat theta)||_{G^-1}."""
    return m.sqrt(square_form(pair.delta, pair.g))


def information_grows_slowly(square: Fraction | int = 1) -> bool:
    """H <= (1 + sqrt(square) y) G, y = ||theta_* - hat theta||_G, lambda_0 = 1, for every K, d and sequence of arms.

    With E = theta_* - hat theta and w = v x_s, the mean of grad mu over the segment is below grad mu at its end by at most
    int |D^3[E x, w, w]|, where D^3 is a mean of (E x - mean)(w - mean)^2. By Cauchy and Schwarz, three times, and
    |w - mean| <= sqrt(2) |w|, (H - G)[v] <= sqrt(2) |v| sqrt(P) sqrt(Q), P = ||E||_G^2 - ||E||^2, Q = G[v] - |v|^2. Of the
    squares, square (||E||^2 + P)(|v|^2 + Q)^2 exceeds 2 |v|^2 P Q by the two terms below.
    """
    length, P, own, Q = unknowns("length", "P", "own", "Q")
    gap = square * (length + P) * (own + Q) ** 2 - 2 * own * P * Q
    rest = (square - Fraction(1, 2)) * (own + Q) ** 2
    identity_of_gap = gap == square * length * (own + Q) ** 2 + P * ((own - Q) ** 2 / 2 + rest)
    return third_derivative() and cauchy_schwarz() and range_within() and identity_of_gap and nonnegative(rest)


def beyond_event(f: Number, gamma: Number | int) -> Number:
    """2 (f - 1)^2 - gamma f: not positive on the event, f = 1 + y/sqrt(2).

    There y^2 = ||g - g||^2_{G^-1} <= f ||g - g||^2_{H^-1} <= f gamma, in units of lambda_0, as H <= f G.
    """
    return 2 * (f - 1) ** 2 - gamma * f


def event_is_narrow(factor: int = 21, gamma: int = 16) -> bool:
    """Whether f = 1 + y/sqrt(2), with which H <= f G, is at most `factor` on the event."""
    (more,) = unknowns("more")
    beyond = beyond_event(factor + more, gamma)
    return information_grows_slowly(Fraction(1, 2)) and nonnegative(beyond) and beyond_event(factor, gamma) > 0


def every_event_is_narrow() -> bool:
    """The same with 1 + gamma + sqrt(gamma) for the factor, for every gamma."""
    root, more = unknowns("root", "more")
    return information_grows_slowly(Fraction(1, 2)) and nonnegative(beyond_event(1 + root + root**2 + more, root**2))


def largest_factor(m: Arithmetic, root: Number) -> Number:
    """The f with 2 (f - 1)^2 = gamma f, gamma the square of `root`: the largest on the event."""
    quarter = root**2 / 4
    return 1 + quarter + m.sqrt(quarter**2 + 2 * quarter)
