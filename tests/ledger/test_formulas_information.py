"""H_t and G_t of Appendix A against numpy and a quadrature of scipy."""

from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere
from scipy.integrate import quad_vec

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.information import (
    PAIRS,
    Pair,
    beyond_event,
    event_is_narrow,
    every_event_is_narrow,
    information_grows_slowly,
    largest_factor,
    norm_of_pair,
    on_event,
    pair_box,
    pair_of,
)
from mnlbandits.model.softmax import softmax_jacobian

THETA = np.array([[0.5, -1.0], [0.25, 0.75], [-0.75, 0.25]])
AWAY = np.array([[1.0, 0.5], [-0.25, 0.75], [-0.75, -1.25]])
ARMS = np.array([[0.75, 0.0], [-0.5, 0.75]])
POWERS = [1.0, -0.5]

COLUMNS = {"t": THETA, "e": AWAY, "x": ARMS, "n": np.array(POWERS)}
POINT = {f"{name}{i}": float(value) for name, v in COLUMNS.items() for i, value in enumerate(v.ravel())}


def expected():
    """G averages grad mu from theta_* to hat theta = theta_* - e; all its columns are centred. To 1e-13 by quadrature."""
    h = g = np.eye(6)
    for x, power in zip(ARMS, POWERS, strict=True):
        outer = np.outer(x, x) * 10**power
        h = h + np.kron(softmax_jacobian(THETA @ x), outer)
        mean = quad_vec(lambda v, x=x: softmax_jacobian((THETA - v * AWAY) @ x), 0, 1, epsabs=1e-14)[0]
        g = g + np.kron(mean, outer)
    return AWAY.ravel(), h, g


def test_pair():
    """The constants of a column do not count; a long arm is cut."""
    found = everywhere(pair_of, 3, 2, 2, loose=True, **POINT)
    for mine, other in zip(found, expected(), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-11, atol=1e-13)
    moved = {key: value + 2 * (key[0] in "te" and int(key[1:]) % 2) for key, value in POINT.items()}
    for mine, other in zip(pair_of(FLOATS, 3, 2, 2, **moved), expected(), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-11, atol=1e-13)
    assert Pair._fields == ("delta", "h", "g")


def test_on_event():
    delta, h, g = expected()
    event = (g @ delta) @ np.linalg.solve(h, g @ delta)
    pair = Pair(delta, h, g)
    assert everywhere(on_event, pair, 16) == 1
    assert everywhere(on_event, pair, 0.5) == pytest.approx((0.5 / event) ** 4, rel=1e-12)
    assert on_event(FLOATS, pair, event * (1 + 1e-9)) == 1


def test_domain():
    assert pair_box(2, 1, 1) == {
        **dict.fromkeys(("t0", "t1", "e0", "e1"), (-10.0, 10.0)),
        "x0": (-1.0, 1.0),
        "n0": (-2.0, 6.0),
    }
    assert set(pair_box(3, 2, 2)) == set(POINT)
    assert [tuple(case.values()) for case in PAIRS] == [(2, 1, 1), (3, 1, 1), (2, 2, 2)]


def test_norm_of_pair():
    delta, h, g = expected()
    assert everywhere(norm_of_pair, Pair(delta, h, g)) == pytest.approx(np.sqrt(delta @ g @ delta), rel=1e-12)


def test_event_is_narrow():
    """2 (f - 1)^2 > gamma f: 128 < 144 at 9, 16; 162 > 160 at 10, 16; equal at 2, 1; 800 > 21 gamma at 21 up to 38."""
    assert_decides(event_is_narrow, factor=9, gamma=39)
    assert event_is_narrow(factor=10)
    assert not event_is_narrow(factor=2, gamma=1)
    assert event_is_narrow(gamma=38)
    assert everywhere(beyond_event, 3.5, 2) == 2 * 2.5**2 - 7


def test_information_grows_slowly():
    """(a + b)^2 - 4 a b is a square, so half the square of the norm will do, and no less."""
    assert_decides(information_grows_slowly, square=[Fraction(49, 100), 0])
    assert information_grows_slowly(Fraction(1, 2))


def test_every_event_is_narrow():
    """The root of 2 (f - 1)^2 = gamma f is below 1 + gamma + sqrt(gamma), and 9.899 at gamma = 16."""
    assert_decides(every_event_is_narrow)
    assert everywhere(largest_factor, 4.0) == pytest.approx(9.898979485566356, rel=1e-14)
    for root in (0.01, 1.0, 4.0, 100.0, 1e8):
        f = everywhere(largest_factor, root)
        assert 2 * (f - 1) ** 2 == pytest.approx(root**2 * f, rel=1e-9)
        assert f <= 1 + root**2 + root
