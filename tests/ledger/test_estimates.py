"""The ridge estimate in 50 digits against what defines it, and the bound on the family's regret against its simulation."""

import math

import numpy as np
import pytest

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.estimates import precise_estimate, score
from mnlbandits.ledger.formulas.family import family_bound, star
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.simulate.family import family_regret

ARMS = np.array([[0.6, -0.3], [-0.2, 0.9], [0.5, 0.5]])
COUNTS = np.array([[3, 1, 0], [0, 2, 5], [4, 4, 1]])
RIDGE = DIGITS.number(2)


def loss(entries):
    """Ridge loss of theta (3, 2), its entries row by row, in 50 digits."""
    total = RIDGE / 2 * sum(entry**2 for entry in entries)
    for x, seen in zip(DIGITS.array(ARMS), COUNTS.tolist(), strict=True):
        p = softmax(DIGITS, [entries[2 * k] * x[0] + entries[2 * k + 1] * x[1] for k in range(3)])
        total -= sum(count * DIGITS.log(chance) for count, chance in zip(seen, p, strict=True))
    return total


def test_the_score_is_the_derivative_of_the_loss():
    """To 1e-10: central differences of step 1e-8 of a function in 50 digits are right to 1e-15."""
    theta, step = [DIGITS.number(k) / 7 for k in (1, -2, 3, 0, 2, -1)], DIGITS.number(10) ** -8
    gradient, hessian = score(DIGITS, DIGITS.array(theta), ARMS, COUNTS, RIDGE)
    for i in range(6):
        ahead, behind = ([value + side * step * (j == i) for j, value in enumerate(theta)] for side in (1, -1))
        assert abs((loss(ahead) - loss(behind)) / (2 * step) - gradient[i]) < 1e-10
        sides = [score(DIGITS, DIGITS.array(point), ARMS, COUNTS, RIDGE)[0] for point in (ahead, behind)]
        assert DIGITS.norm(list((sides[0] - sides[1]) / (2 * step) - hessian[:, i])) < 1e-10


def test_the_estimate_has_no_score():
    estimate = precise_estimate(np.zeros(6), ARMS, COUNTS, RIDGE)
    assert DIGITS.norm(list(score(DIGITS, estimate, ARMS, COUNTS, RIDGE)[0])) < DIGITS.number(10) ** -30


@pytest.mark.parametrize("dim", [2, 5])
def test_the_bound_on_the_familys_regret_is_one(dim):
    """Above what is simulated, and as tight as it was when it was derived."""
    outcomes = 10**11
    horizon = 100 * dim**2 * math.ceil(star(FLOATS, outcomes))
    bound = float(family_bound(DIGITS, outcomes, dim, horizon))
    assert family_regret(outcomes, dim, horizon, 100) < bound
    assert bound == pytest.approx({2: 4.803048384430551, 5: 4.812913221839384}[dim], rel=1e-9)
