"""Algorithm 3: its constants against the algorithm, its bonuses against numpy."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.algorithms import adaptive_real
from mnlbandits.instances import families
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.adaptive import (
    DELTA_W,
    beta_grows,
    beta_over_norm,
    beta_w,
    elliptical_below,
    elliptical_of_arms,
    eps_two_of_last,
    eta_w,
    first_bonus,
    first_index,
    gap_below_norm,
    inverse_eigenvalue,
    lambda_w,
    loss_gradient,
    optimal_by_score,
    preferred,
    radius_over_trigger,
    score_of_round,
    sequence_box,
    sigma_w,
)
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.model.softmax import softmax_jacobian

S = 1.75
PROBLEM = families.random_instance("adaptive", 3, 2, S, arms=4).problem(10**6, float(DELTA_W))
STATE = adaptive_real.start(PROBLEM, "paper")


def test_constants_are_those_of_the_algorithm():
    assert everywhere(lambda_w, 6, S) == pytest.approx(STATE.design[0, 0], rel=1e-13)
    assert everywhere(beta_w, 6, S, 100) == pytest.approx(adaptive_real.radius(STATE.beta, 100, 0.05, 0), rel=1e-13)
    level = math.log(100 / 0.05)
    assert everywhere(sigma_w, 6, S, level) == pytest.approx(adaptive_real.sigma(STATE, 100), rel=1e-13)
    assert everywhere(beta_over_norm, 6, S, level) == pytest.approx(beta_w(FLOATS, 6, S, 100) / S, rel=1e-13)


def test_constants_by_hand():
    assert everywhere(lambda_w, 6, S) == pytest.approx(144 * everywhere(eta_w, S) * 6, rel=1e-13)
    assert everywhere(lambda_w, 6, S, 5) == pytest.approx(30 * (1 + math.sqrt(6) * S), rel=1e-13)
    assert everywhere(eta_w, S) == pytest.approx((1 + math.sqrt(6) * S) / 2, rel=1e-14)
    assert everywhere(eta_w, S, S) == pytest.approx((1 + math.sqrt(6) * S * S) / 2, rel=1e-14)
    assert Fraction(1, 20) == DELTA_W


def test_inverse_eigenvalue():
    """Of ridge I + n grad mu(0) + k 11^T, whose eigenvalues are ridge + n/2 and ridge + 2 k."""
    for n, k in ((7, 1), (2, 5), (4, 1)):
        matrix = 3.5 * np.eye(2) + n * softmax_jacobian([0, 0]) + k
        least = np.linalg.eigvalsh(matrix)[0]
        assert everywhere(inverse_eigenvalue, float(n), 2 * k, 3.5) == pytest.approx(1 / least, rel=1e-13)


@pytest.mark.parametrize(("last", "cumulative", "ones"), [(True, False, 1), (False, False, 0), (False, True, 7)])
def test_bonus_of_an_arm(last, cumulative, ones):
    """eps_2 = 3 R sigma^2 ||(I (x) x^T) Hbar^-1/2||^2 at R = S = 1, K = d = 2, lambda = 144 K d."""
    matrix = 576 * np.eye(2) + 7 * softmax_jacobian([0, 0]) + ones
    sigma = 2 * math.sqrt(4 * 1.5) + 24 * math.sqrt(4)
    found = everywhere(eps_two_of_last, 1.5, 7.0, last, cumulative)
    assert found == pytest.approx(3 * sigma**2 * np.linalg.norm(np.linalg.inv(matrix), 2), rel=1e-13)


def test_first_bonus():
    """eps_1 = sigma ||Hbar^-1/2 (I (x) x) grad mu rho|| at mu = (0.7, 0.3), rho = (1, 0); the ones play no part."""
    jacobian = softmax_jacobian([math.log(7 / 3), 0])
    inverse = np.linalg.inv(576 * np.eye(2) + 9 * jacobian + 5)
    slopes = jacobian @ [1, 0]
    assert everywhere(first_bonus, 3.0, 0.7, 9.0) == pytest.approx(3 * math.sqrt(slopes @ inverse @ slopes), rel=1e-13)


@pytest.mark.parametrize("cumulative", [False, True])
def test_preferred(cumulative):
    """Both sides over root^2 = 1/level: the bonuses at that level."""
    level = 31.0
    sigma = everywhere(sigma_w, 4, 1, level)
    other, last = (eps_two_of_last(FLOATS, level, 1e12, flag, cumulative) for flag in (False, True))
    expected = (0.05 + first_bonus(FLOATS, sigma, 0.5, 1e12)) / (other - last) if other > last else math.inf
    if expected < math.inf:
        assert preferred(FLOATS, level**-0.5, 0.05, cumulative) == pytest.approx(expected, rel=1e-12)
    else:
        with pytest.raises(ZeroDivisionError):
            preferred(FLOATS, level**-0.5, 0.05, cumulative)


def test_elliptical_of_arms():
    """In the Frobenius norm of H^w = I (x) U in full, K = 3, kappa = 30."""
    arms = np.array([[0.5, -0.25], [0.0, 0.75], [1.0, 0.0]])
    design, total = lambda_w(FLOATS, 6, S) * np.eye(6), 0.0
    for x in arms:
        tall = np.kron(np.eye(3), x[:, None])
        total += np.trace(tall.T @ np.linalg.inv(design) @ tall) / 30
        design += np.kron(np.eye(3), np.outer(x, x)) / 30
    point = {f"x{i}": value for i, value in enumerate(arms.ravel().tolist())}
    bound = 2 * 6 * math.log1p(3 / (6 * lambda_w(FLOATS, 6, S)))
    assert everywhere(elliptical_of_arms, 3, 3, S, 1.0, **point) == pytest.approx(total / bound, rel=1e-9)
    assert sequence_box(3, 1) == {"x0": (-1.0, 1.0), "x1": (-1.0, 1.0), "S": (0.0, 10.0), "curved": (0.0, 9.0)}
    assert set(sequence_box(3, 2)) == {"x0", "x1", "x2", "x3", "S", "curved"}


def test_score_of_round():
    assert everywhere(score_of_round, 0.25) == pytest.approx(0.625)
    assert everywhere(score_of_round, 0.25, 4) == pytest.approx(0.3125)


def test_explorations_over_the_bound_at_another_round():
    """The rounds from exp(47.5776) on, beta in full at delta = 1; half a unit earlier the trigger does not fire."""
    norm, d, start, longer = 0.04, 3 * 10**10, 47.5776, 2.5
    T, ridge = math.exp(start + longer), 72 * (1 + math.sqrt(6) * norm) * 2 * d
    betas = [norm * (4 * math.sqrt(2 * d * level) + 2 * math.sqrt(ridge)) for level in (0, start, start + longer)]
    assert 24 * betas[1] ** 2 >= ridge
    bound = 2 * 24 / binary_curvature(FLOATS, norm) * 2 * d * math.log1p(T / (2 * d * ridge))
    for last, beta in ((False, betas[0]), (True, betas[2])):
        expected = (T - math.exp(start)) / (bound * beta**2)
        assert everywhere(first_index, norm, d, start, longer, last) == pytest.approx(expected, rel=1e-9)
    assert everywhere(first_index, norm, d, start - 0.5, longer) == 0


def test_identities():
    """With factor 1 < f < 2 every maximiser is optimal too, with 1 not."""
    assert_decides(beta_grows)
    assert_decides(gap_below_norm)
    assert_decides(radius_over_trigger)
    assert_decides(elliptical_below, power=2, factor=[Fraction(1, 2), Fraction(199, 100)])
    assert_decides(loss_gradient, sizes={"K": (2, 4)}, share=2)
    assert_decides(optimal_by_score, factor=[0, 1])
    assert optimal_by_score(Fraction(3, 2))
