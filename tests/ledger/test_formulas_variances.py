"""Moments of the rewards of three arms and nu, against the package's constants."""

from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.variances import (
    LOGITS_OF_THREE,
    TIE,
    compared,
    gaps_of,
    mean_below_norm,
    moments_of,
    no_gap,
    nu_times_gaps,
    seconds_below_nu,
    seconds_by_nu,
    spread_of,
    three_arms,
)
from mnlbandits.model import constants

LOGITS = {"z": [0.75, -1.5, 0.25], "y": [-0.5, 1.0, 0.5], "w": [0.25, 0.5, 1.5]}
REWARDS = [0.25, 1.0, 0.5]
POINT = {f"{name}{k}": value for name, v in {**LOGITS, "r": REWARDS}.items() for k, value in enumerate(v)}

THETA, ARMS = np.column_stack(list(LOGITS.values())), np.eye(3)
"""An instance whose three arms have these logits."""

MEANS, SECONDS = (constants.mean_rewards(THETA, ARMS, np.array(REWARDS) ** power) for power in (1, 2))


def test_moments():
    order = np.argsort(-MEANS)
    found = everywhere(lambda m, **point: moments_of(m, point), **POINT)
    np.testing.assert_allclose(found, np.column_stack([MEANS, SECONDS])[order], rtol=1e-13)
    assert order.tolist() == [1, 2, 0]


def test_gaps_and_nu():
    gaps = np.sort(MEANS.max() - MEANS)[1:]
    assert gaps_of(moments_of(FLOATS, POINT)) == pytest.approx(gaps, rel=1e-12)
    assert everywhere(lambda m, **point: spread_of(m, moments_of(m, point)), **POINT) == pytest.approx(
        np.ptp(SECONDS), rel=1e-12
    )
    nu = constants.nu(THETA, ARMS, np.array(REWARDS))
    assert everywhere(lambda m, **point: nu_times_gaps(m, moments_of(m, point)), **POINT) == pytest.approx(
        nu * gaps, rel=1e-11
    )


def test_no_gap():
    """TIE is far above the rounding of sums of a few numbers of size 1, 1e-15, and far below the gaps of the searches."""
    assert TIE == 1e-12
    assert not no_gap(FLOATS, [(0.5, 0.5), (0.25, 0.25)])
    assert no_gap(FLOATS, [(0.5, 0.5), (0.5 - 5e-13, 0.25)])
    assert no_gap(FLOATS, [(0.5, 0.5), (0.25, 0.5 + 5e-13)])
    assert not no_gap(FLOATS, [(0.5, 0.5), (0.5 - 2e-12, 0.5 + 2e-12)])
    assert no_gap(FLOATS, [(0.5, 0.5), (0.5 - 5e-13, 0.25), (0.25, 0.25)])


def test_domain():
    reach = {f"{name}{k}": (-12.0, 12.0) for name in LOGITS_OF_THREE for k in range(2)}
    assert three_arms(2) == reach | {"r0": (0.0, 1.0), "r1": (0.0, 1.0)}
    assert LOGITS_OF_THREE == ("z", "y", "w")


def test_compared():
    """half_nu is D/g; with e = gap - g and f = D - second the unknowns come back, all independent."""
    found = compared()
    g = found.spread / found.half_nu
    for unknown in (found.spread, g, found.gap - g, found.spread - found.second, found.rest):
        assert unknown.denominator == 1
        assert len(unknown.numerator.monoms()) == 1
        assert unknown.numerator.coeffs() == [1]
    names = {str(unknown.numerator) for unknown in (found.spread, g, found.gap - g, found.spread - found.second, found.rest)}
    assert len(names) == 5


def test_mean_below_norm():
    assert_decides(mean_below_norm, factor=[0, Fraction(99, 100)])


def test_seconds_by_nu():
    """The larger of (second - second_*)/(nu gap) of the two other arms, from the package's nu; 0 where there is no gap."""
    best, nu = MEANS.argmax(), constants.nu(THETA, ARMS, np.array(REWARDS))
    others = [n for n in range(3) if n != best]
    expected = max((SECONDS[n] - SECONDS[best]) / (nu * (MEANS[best] - MEANS[n])) for n in others)
    assert everywhere(seconds_by_nu, 3, **POINT) == pytest.approx(expected, rel=1e-10)
    assert everywhere(seconds_by_nu, 3, Fraction(1, 4), **POINT) == pytest.approx(4 * expected, rel=1e-10)
    assert seconds_by_nu(FLOATS, 3, **{**POINT, "r0": 0.5, "r1": 0.5, "r2": 0.5}) == 0


def test_seconds_below_nu():
    assert_decides(seconds_below_nu, share=[0, Fraction(1, 4)])
