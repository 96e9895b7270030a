"""H_t(theta_*) and G_t(theta_*, hat theta) of Appendix A in units of lambda_0, and the event of Proposition 2 on them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.concordance import mean_jacobian, tilted_variance
from mnlbandits.ledger.formulas.estimates import identity
from mnlbandits.ledger.formulas.learning import range_below_norm
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


def event_is_narrow(factor: int = 21, gamma: int = 16) -> bool:
    """Whether f = 1 + sqrt(2) D > factor, D = ||theta_* - hat theta||, is impossible on the event, in units of lambda_0.

    With P = ||theta_* - hat theta||_G^2 - D^2 >= 0 it would have (D^2 + P)^2 <= gamma (D^2 + f P), by Cauchy and Schwarz and
    H - I <= f (G - I), which `tilted_variance` and `range_below_norm` give; but the difference is (D^2 + P - gamma f/2)^2 +
    gamma ((f - 1) D^2 - gamma f^2/4), and D^2 = (f - 1)^2/2.
    """
    f, square, rest, more = unknowns("f", "square", "rest", "more")
    gap = (square + rest) ** 2 - gamma * (square + f * rest)
    squares = (square + rest - gamma * f / 2) ** 2 + gamma * ((f - 1) * square - gamma * f**2 / 4)
    curved = tilted_variance() and range_below_norm()
    beyond = (factor + more - 1) ** 3 / 2 - gamma * (factor + more) ** 2 / 4
    return curved and gap == squares and nonnegative(beyond) and 2 * (factor - 1) ** 3 > gamma * factor**2
