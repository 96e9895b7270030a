"""Algorithm 2: its radius against the algorithm, its bonuses and the means on the event against numpy."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.algorithms import real
from mnlbandits.instances import families
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.learning import (
    EVENT_CASES,
    LEVEL,
    bonus_factors,
    bonuses,
    cauchy_schwarz,
    event_at,
    event_box,
    first_order_below,
    first_order_on_event,
    means_on_event,
    optimism_below,
    optimism_on_event,
    range_below_norm,
    remainder_below,
    second_derivative_of_mean,
    sigma_t,
    variance_below_range,
    wbar_of,
)
from mnlbandits.model.softmax import softmax, softmax_jacobian

THETA = np.array([[0.5, -1.0], [0.25, 0.75], [-0.75, 0.25]])
ARMS = np.array([[0.75, 0.0], [-0.5, 0.75]])
REWARDS = [1.0, 0.25, 0.5]
X = [0.5, -0.25]


def wbar(times, ones, ridge, theta=THETA, arms=ARMS):
    total = ridge * np.eye(theta.size)
    for x, n, k in zip(arms, times, ones, strict=True):
        total += np.kron(n * softmax_jacobian(theta @ x) + k * np.ones((len(theta),) * 2), np.outer(x, x))
    return total


def factors(theta, x, matrix):
    """By a symmetric root of Wbar^-1 and spectral norms."""
    values, columns = np.linalg.eigh(matrix)
    root = columns / np.sqrt(values) @ columns.T
    tall = np.kron(np.eye(len(theta)), np.array(x)[:, None])
    first = np.linalg.norm(root @ tall @ softmax_jacobian(theta @ x) @ REWARDS)
    return first, np.linalg.norm(tall.T @ root, 2) ** 2


def test_sigma_is_that_of_the_algorithm():
    state = real.start(families.random_instance("sigma", 3, 2, 1.75, arms=4).problem(10**6, 0.05), "paper")
    assert everywhere(sigma_t, 6, 1.75, 100) == pytest.approx(real.sigma(state, 100), rel=1e-13)
    assert Fraction(1, 20) == LEVEL


def test_sigma_with_other_factors():
    root = math.sqrt(6 * math.log(100 * 10))
    found = everywhere(lambda m, S: sigma_t(m, 6, S, 100, Fraction(1, 10), 3, 5), 1.75)
    assert found == pytest.approx(3 / math.sqrt(6) * root + 5 * 1.75 * 12 * math.sqrt(6), rel=1e-13)


def test_wbar():
    found = everywhere(wbar_of, THETA.tolist(), ARMS.tolist(), [3, 5], 1.5)
    np.testing.assert_allclose(found, wbar([3, 5], [3, 5], 1.5), rtol=1e-12)
    found = everywhere(wbar_of, THETA.tolist(), ARMS.tolist(), [3, 5], 1.5, [0, 2])
    np.testing.assert_allclose(found, wbar([3, 5], [0, 2], 1.5), rtol=1e-12, atol=1e-14)


def test_bonuses():
    matrix = wbar([3, 5], [3, 5], 1.5)
    found = everywhere(bonus_factors, THETA.tolist(), REWARDS, X, matrix)
    assert found == pytest.approx(factors(THETA, X, matrix), rel=1e-11)
    assert everywhere(bonuses, (0.5, 0.25), 4.0, 1.5) == 4 * 0.5 + 3 * 1.5 * 16 * 0.25
    assert everywhere(bonuses, (0.5, 0.25), 4.0, 1.5, 2) == 4 * 0.5 + 2 * 1.5 * 16 * 0.25


def event_point(scale=1.0):
    columns = {"t": THETA.ravel(), "e": scale * np.array([1, 0.5, -0.25, 0.75, 0.5, -1]), "x": ARMS.ravel(), "q": X}
    columns |= {"r": REWARDS, "n": [1, 2]}
    return {f"{name}{i}": float(value) for name, v in columns.items() for i, value in enumerate(v)}


def test_means_on_the_event():
    """theta - theta_t has Wbar-norm share 10^sigma, all columns of both centred; Wbar has 10 and 100 plays, lambda = 10."""
    theta = THETA - THETA.mean(axis=0)
    matrix = wbar([10, 100], [10, 100], 10.0, theta)
    away = np.array([[1, 0.5], [-0.25, 0.75], [0.5, -1]])
    away -= away.mean(axis=0)
    away *= 0.75 * 10**0.5 / math.sqrt(away.ravel() @ matrix @ away.ravel())
    expected = (softmax((theta + away) @ X) @ REWARDS, softmax(theta @ X) @ REWARDS, *factors(theta, X, matrix))
    numbers = {"ridge": 1.0, "sigma": 0.5, "share": 0.75}
    assert everywhere(means_on_event, 3, 2, **event_point(), **numbers) == pytest.approx(expected, rel=1e-11)
    there, here, first, second = expected
    bonus = 10**0.5 * first + 3 * np.linalg.norm(REWARDS) * 10 * second
    assert everywhere(optimism_on_event, 3, 2, **event_point(), **numbers) == pytest.approx(
        abs(there - here) / bonus, rel=1e-10
    )
    bonus = 10**0.5 * first + 5 * np.linalg.norm(REWARDS) * 10 * second
    found = optimism_on_event(FLOATS, 3, 2, **event_point(), **numbers, constant=5)
    assert found == pytest.approx(abs(there - here) / bonus, rel=1e-10)


def test_first_order_on_the_event():
    theta, numbers = THETA - THETA.mean(axis=0), {"ridge": 1.0, "sigma": 0.5, "share": 0.75}
    rewards, z, shift, both = everywhere(event_at, 3, 2, **event_point(), **numbers)
    assert rewards == REWARDS
    np.testing.assert_allclose(z, theta @ X, rtol=1e-13)
    matrix = wbar([10, 100], [10, 100], 10.0, theta)
    assert both == pytest.approx(factors(theta, X, matrix), rel=1e-11)
    away = np.array([[1, 0.5], [-0.25, 0.75], [0.5, -1]])
    away -= away.mean(axis=0)
    np.testing.assert_allclose(
        shift, away @ X * 0.75 * 10**0.5 / math.sqrt(away.ravel() @ matrix @ away.ravel()), rtol=1e-11
    )
    expected = abs(np.array(REWARDS) @ softmax_jacobian(theta @ X) @ shift) / (10**0.5 * both[0])
    assert everywhere(first_order_on_event, 3, 2, **event_point(), **numbers) == pytest.approx(expected, rel=1e-10)
    found = first_order_on_event(FLOATS, 3, 2, **event_point(), **numbers, factor=Fraction(1, 4))
    assert found == pytest.approx(4 * expected, rel=1e-10)
    assert first_order_on_event(FLOATS, 3, 2, **event_point(), ridge=3.0, sigma=-7.0, share=0.75) == 0


def test_no_direction_and_no_bonus():
    numbers = {"ridge": 1.0, "sigma": 0.5, "share": 0.75}
    there, here, *_ = means_on_event(FLOATS, 3, 2, **event_point(0), **numbers)
    assert there == here
    tiny = {"ridge": 3.0, "sigma": -4.0, "share": 0.75}
    assert optimism_on_event(FLOATS, 3, 2, **event_point(), **tiny) == 0


def test_domain():
    vectors = {**dict.fromkeys(("t0", "t1"), 5.0), **dict.fromkeys(("e0", "e1", "x0", "x1", "q0"), 1.0)}
    reach = {name: (-size, size) for name, size in vectors.items()} | dict.fromkeys(("r0", "r1", "share"), (0.0, 1.0))
    reach |= {"ridge": (0.0, 3.0), "sigma": (-2.0, 2.5), "n0": (0.0, 5.0), "n1": (0.0, 5.0)}
    assert event_box(2, 1) == reach
    assert {"t5", "e5", "x3", "q1", "r2"} < set(event_box(3, 2))
    assert len(event_box(3, 2)) == 6 + 6 + 4 + 2 + 3 + 5
    assert [tuple(case.values()) for case in EVENT_CASES] == [(2, 1), (3, 1), (2, 2)]


@pytest.mark.parametrize("identity", [variance_below_range, range_below_norm, cauchy_schwarz])
def test_identities(identity):
    assert_decides(identity)


@pytest.mark.parametrize("below", [remainder_below, optimism_below])
def test_constants(below):
    """1/2 is what the steps give."""
    assert_decides(below, constant=[0, Fraction(49, 100)])
    assert below(Fraction(1, 2))


def test_first_order():
    assert_decides(first_order_below, factor=[0, Fraction(99, 100)])


def test_second_derivative_of_mean():
    assert_decides(second_derivative_of_mean, {"K": (2, 3)})
