"""The radii of the log-loss sets, by hand."""

import math

import pytest
from trajectories import unit_instance

from mnlbandits.learners.loss_set import excess, make_loss_set, radius


def test_radii():
    """At K = 2 no radius is 0, and it is that of the binary log-loss set; with K = 3 the loss is sqrt(2)-Lipschitz."""
    two = make_loss_set(unit_instance(2, 2, norm=1.0).problem(100, 0.05), "valid", 1.0)
    assert excess(two, 0) == pytest.approx(math.log(20) + 2)
    assert excess(two, 50) == pytest.approx(math.log(20) + 2 * math.log(2 * math.e * math.sqrt(2) * 25))
    assert radius(two, 0) == pytest.approx(math.sqrt((2 + 2 * math.sqrt(12)) * (math.log(20) + 2) + 1))
    three = make_loss_set(unit_instance(3, 2, norm=1.0).problem(100, 0.05), "valid", 0.5)
    assert excess(three, 50) == pytest.approx((math.log(20) + 4 * math.log(2 * math.e * math.sqrt(6) * 12.5)) / 4)
    recalled = make_loss_set(unit_instance(3, 2, norm=1.0).problem(100, 0.05), "paper", 1.0)
    chance = 2 * (math.e - 2 + math.sqrt(18)) * math.log(20)
    assert excess(recalled, 8) == pytest.approx(20 * math.log(math.e + math.sqrt(3) * 2) + chance)
