"""Testing two members of the family, then committing, with sums over outcomes and losses of the instances."""

import math

import numpy as np
import pytest
from agreement import everywhere

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas import testing
from mnlbandits.ledger.formulas.family import members
from mnlbandits.model import constants, softmax


@pytest.mark.parametrize("K", [2, 5])
def test_testing_then_commit(K):
    q, share, angle, pulls = 30.0, 0.25, 0.75, 40
    _, (one, other) = zip(*members(FLOATS, K, 2, share), strict=True)
    rewards = np.array([2.0, *[1.0] * (K - 1)]) / math.sqrt(K + 3)
    arms = np.array([[math.cos(angle), math.sin(angle)], [math.cos(angle), -math.sin(angle)]])
    best, (there, mirrored) = one[0], constants.mean_rewards(one, np.array([one[0], other[0]]), rewards)
    laws = [softmax.softmax(arms[0] @ theta.T) for theta in (one, other)]
    wrong = np.sqrt(laws[0] * laws[1]).sum() ** pulls / 2
    star = constants.kappa_star(one, best[None, :], rewards)
    committed = q**2 * star - pulls
    explored = there - constants.mean_rewards(one, arms, rewards).mean()
    found = everywhere(testing.testing_then_commit, K, q, share, angle, pulls)
    assert found[1:] == pytest.approx([wrong, committed], rel=1e-10)
    assert found[0] == pytest.approx(pulls * explored + committed * wrong * (there - mirrored), rel=1e-10)
