"""The 50-digit counterparts of the ledger against what defines them."""

import math

import numpy as np
import pytest

from mnlbandits.claims import precise
from mnlbandits.claims.lower_bound import family_bound, family_regret, star
from mnlbandits.claims.precise import mp

ARMS = np.array([[0.6, -0.3], [-0.2, 0.9], [0.5, 0.5]])
COUNTS = np.array([[3, 1, 0], [0, 2, 5], [4, 4, 1]])
RIDGE = mp.mpf(2)


def loss(entries):
    """Ridge loss of theta (3, 2), its entries row by row, in 50 digits."""
    total = RIDGE / 2 * mp.fsum(entry**2 for entry in entries)
    for x, seen in zip(precise.matrix(ARMS).tolist(), COUNTS.tolist(), strict=True):
        p = precise.softmax([mp.fdot(entries[2 * k : 2 * k + 2], x) for k in range(3)])
        total -= mp.fsum(count * mp.log(chance) for count, chance in zip(seen, p, strict=True))
    return total


def test_the_score_is_the_derivative_of_the_loss():
    """To 1e-10: central differences of step 1e-8 of a function in 50 digits are right to 1e-15."""
    theta, step = [mp.mpf(k) / 7 for k in (1, -2, 3, 0, 2, -1)], mp.mpf(10) ** -8
    gradient, hessian = precise.score(mp.matrix(theta), ARMS, COUNTS, RIDGE)
    for i in range(6):
        ahead, behind = ([value + side * step * (j == i) for j, value in enumerate(theta)] for side in (1, -1))
        assert abs((loss(ahead) - loss(behind)) / (2 * step) - gradient[i]) < 1e-10
        sides = [precise.score(mp.matrix(point), ARMS, COUNTS, RIDGE)[0] for point in (ahead, behind)]
        assert mp.norm((sides[0] - sides[1]) / (2 * step) - hessian[:, i]) < 1e-10


def test_the_estimate_has_no_score():
    estimate = precise.ridge_estimate(mp.zeros(6, 1), ARMS, COUNTS, RIDGE)
    assert mp.norm(precise.score(estimate, ARMS, COUNTS, RIDGE)[0]) < mp.mpf(10) ** -30


@pytest.mark.parametrize("dim", [2, 5])
def test_the_bound_on_the_familys_regret_is_one(dim):
    """Above what is simulated, and as tight as it was when it was derived."""
    outcomes = 10**11
    horizon = 100 * dim**2 * math.ceil(star(outcomes))
    bound = float(family_bound(outcomes, dim, horizon))
    assert family_regret(outcomes, dim, horizon, 100) < bound
    assert bound == pytest.approx({2: 4.803048384430551, 5: 4.812913221839384}[dim], rel=1e-9)
