"""The regret of Algorithm 2: constants of the algorithm, costs of instances, and sums along one arm."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.algorithms import real
from mnlbandits.instances import Instance, families
from mnlbandits.learners.design import greedy_pulls
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.regret import (
    SHORTEST_HORIZON,
    balanced_share,
    better_first,
    cost_below_norm,
    exact_moments,
    exploration_cost,
    explored_over_bound,
    harmonic,
    leading,
    longer_arm_cost,
    printed_bound,
    round_cost,
    stationary_share,
    tau_of,
    three_outcomes,
    two_arms_box,
    uneven_arms,
    uneven_horizon,
)
from mnlbandits.model.softmax import softmax

POINT = {"z0": 0.75, "z1": -1.5, "z2": 0.25, "y0": -0.5, "y1": 1.0, "y2": 0.5, "r0": 0.25, "r1": 1.0, "r2": 0.5}
FIRST, SECOND = softmax([0.75, -1.5, 0.25]), softmax([-0.5, 1.0, 0.5])
REWARDS = [0.25, 1.0, 0.5]


def test_tau_is_that_of_the_algorithm():
    """Rounded up there, at about 1e10."""
    problem = families.random_instance("tau", 3, 2, 1.75, arms=4).problem(10**6, 0.05)
    found = everywhere(tau_of, 6, 1.75, 10**6, problem.kappa, 0.05)
    assert found == pytest.approx(real.constants(problem).tau, rel=1e-8)


def test_shortest_horizon():
    """At K = 2, d = 1, S = 0, delta = 1 kappa is 2: tau > T for 2 <= T <= 3 10^8, and tau <= T at 3.6 10^8.

    tau/T is log(T)^2/T times a constant, which increases to T = e^2 and decreases from there.
    """
    for T in (2, 10, SHORTEST_HORIZON):
        assert tau_of(FLOATS, 2, 0, T, 2, 1) > T
    assert tau_of(FLOATS, 2, 0, 1.2 * SHORTEST_HORIZON, 2, 1) <= 1.2 * SHORTEST_HORIZON


def test_exploration_cost():
    """Half of the rounds play the worse arm, -1."""
    S, R = 1.25, 3.0
    theta, rewards = np.array([[S], [-S]]) / math.sqrt(2), np.array([R, 0.0])
    cost = Instance("cost", theta, np.array([[1.0], [-1.0]]), rewards, S).gaps.mean()
    assert everywhere(exploration_cost, S, R) == pytest.approx(cost, rel=1e-13)
    assert everywhere(exploration_cost, S, R, 2) == pytest.approx(cost / 9, rel=1e-13)


def test_longer_arm_cost():
    """The greedy exploration plays only the longer arm, which is the worse one."""
    S, R = 1.25, 3.0
    theta, rewards = np.array([[S], [-S]]) / math.sqrt(2), np.array([R, 0.0])
    instance = Instance("longer", theta, np.array([[0.5], [-1.0]]), rewards, S)
    pulls = np.zeros((1, 2), dtype=np.int64)
    greedy_pulls(instance.arms.copy(), 3.0, 2.0, np.array([500]), 0.0, 500, pulls)
    assert pulls.tolist() == [[0, 500]]
    assert everywhere(longer_arm_cost, S, R) == pytest.approx(instance.gaps[1], rel=1e-13)
    assert everywhere(longer_arm_cost, S, R, 2) == pytest.approx(instance.gaps[1] / 9, rel=1e-13)


def test_better_first():
    found = everywhere(lambda m, **point: better_first(m, point), **POINT)
    for mine, other in zip(found, (SECOND, FIRST, REWARDS), strict=True):
        assert mine == pytest.approx(list(other), rel=1e-13)
    other_way = POINT | {"r0": 1.0, "r1": 0.25}
    best, played, _ = better_first(FLOATS, other_way)
    assert best == pytest.approx(list(FIRST), rel=1e-13)
    assert played == pytest.approx(list(SECOND), rel=1e-13)


def test_round_cost():
    cost = (SECOND - FIRST) @ REWARDS / np.linalg.norm(REWARDS)
    assert everywhere(round_cost, 3, **POINT) == pytest.approx(cost, rel=1e-12)
    assert everywhere(round_cost, 3, factor=2, **POINT) == pytest.approx(cost / 2, rel=1e-12)
    assert round_cost(FLOATS, 3, Fraction(1, 2), **POINT) == pytest.approx(cost * 2, rel=1e-12)
    assert round_cost(FLOATS, 3, **POINT | {"r0": 0.0, "r1": 0.0, "r2": 0.0}) == 0


def test_domain():
    logits = [f"{name}{k}" for name in "zy" for k in range(2)]
    assert two_arms_box(2) == dict.fromkeys(logits, (-12.0, 12.0)) | {"r0": (0.0, 1.0), "r1": (0.0, 1.0)}
    assert two_arms_box(2, 3.0)["y1"] == (-3.0, 3.0)


def test_cost_below_norm():
    """(rho_i - rho_j)^2 is R^2 for rho = e_i, so that no smaller factor will do."""
    assert_decides(cost_below_norm, factor=[Fraction(99, 100), 0])
    assert cost_below_norm(2)


def test_harmonic():
    assert everywhere(harmonic, 4, 1) == pytest.approx(1 + 1 / 2 + 1 / 3 + 1 / 4, rel=1e-14)
    assert everywhere(harmonic, 3, 2.5, 0.75) == pytest.approx(1 / 2.5 + 1 / 3.25 + 1 / 4, rel=1e-13)


def test_leading():
    instance = families.random_instance("leading", 3, 2, 1.75, arms=4, reward_norm=1.5)
    names = ("outcomes", "kappa_star", "R", "dim")
    constants = {key: float(instance.constants[key]) for key in names}
    K, star = 3, constants["kappa_star"]
    expected = 1.5 * 2 * math.sqrt(K * 1000 / star) * math.log(1000 / 0.05)
    assert everywhere(leading, constants, 1000, 0.05) == pytest.approx(expected, rel=1e-12)
    other = 1.5 * 2 * math.sqrt(1000) * K**0.75 / star**0.25 * math.log(1000 / 0.05)
    assert everywhere(leading, constants, 1000, 0.05, 0.75, 0.25) == pytest.approx(other, rel=1e-12)


def test_printed_bound():
    constants = {"outcomes": 3, "dim": 2, "R": 1.5, "kappa": 7.0, "kappa_star": 11.0, "nu": 4.0}
    level = math.log(1000 / 0.05)
    expected = 1.5 * 2 * math.sqrt(3 * 1000 / 11) * level + 7 * 5.5 * 36 * level**2
    assert everywhere(printed_bound, constants, 1000, 0.05) == pytest.approx(expected, rel=1e-12)


def test_uneven_arms():
    """Constants of the instance itself; tau of Lemma 1 is between T/4 and T."""
    S = 2.5
    theta = np.array([[S], [-S]]) / math.sqrt(2)
    instance = Instance("uneven", theta, np.array([[-1 / S], [1 / (2 * S)]]), np.array([1.0, 0.0]), S)
    found = everywhere(lambda m: list(uneven_arms(m).values()))
    names = list(uneven_arms(FLOATS))
    assert dict(zip(names, found, strict=True)) == pytest.approx(
        {name: instance.constants[name] for name in names}, rel=1e-6
    )
    for norm in (1e4, 1e10, 1e16):
        horizon, kappa = uneven_horizon(norm), 1 + math.cosh(math.sqrt(2))
        tau = tau_of(FLOATS, 2, norm, horizon, kappa, 0.05)
        assert horizon / 4 <= tau <= horizon
        ratio = instance.constants["gap"] * tau / printed_bound(FLOATS, uneven_arms(FLOATS), horizon, 0.05)
        assert everywhere(explored_over_bound, norm) == pytest.approx(ratio, rel=1e-9)
        assert explored_over_bound(FLOATS, norm, 2) == pytest.approx(ratio / (1 + norm) ** 2, rel=1e-9)


def test_balanced_share():
    """(a, b) = (4, 3)/5: f_1 p_1/a = f_2 p_2/b; without a tilt the shares are as the inverse pulls."""
    assert everywhere(balanced_share, (1.0, 2.0), 0.2) == pytest.approx(3 / 11, rel=1e-13)
    assert everywhere(balanced_share, (1.0, 2.0), 0.0) == pytest.approx(1 / 3, rel=1e-13)
    assert balanced_share(FLOATS, (1.0, 2.0), 1.0) == 0


def test_stationary_share():
    """hat theta is sqrt(2) X tau/(2 lambda_0) times the pulls, tau/lambda_0 = 336^2 kappa 4 log T, the radius 84."""
    pulls = [0.5 - 1 / (1 + math.e), 0.5 - 1 / (1 + math.exp(2))]
    kappa, length, horizon = 1 + math.cosh(math.sqrt(5)), 1e-6, 1e28
    scale = math.sqrt(2) * length * 336**2 * kappa * 4 * math.log(horizon) / 2
    tilt = scale * (pulls[1] - pulls[0]) / 84
    expected = balanced_share(FLOATS, pulls, tilt)
    assert everywhere(stationary_share, length, horizon) == pytest.approx(expected, rel=1e-9)
    assert stationary_share(FLOATS, 0.0, horizon) == pytest.approx(pulls[0] / sum(pulls))


def test_three_outcomes():
    rows = [[0.5, 0.25, 0.25], [0.125, 0.75, 0.125]]
    theta, arms = three_outcomes(*rows)
    np.testing.assert_allclose(softmax(arms @ theta.T), rows, rtol=1e-14)
    np.testing.assert_allclose(theta.sum(axis=0), 0, atol=1e-15)
    np.testing.assert_array_equal(arms, np.eye(2))


def test_exact_moments():
    """0/6 + 1/3 + 2/2 and 0/6 + 1/3 + 4/2."""
    row = [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
    assert exact_moments(row) == (Fraction(4, 3), Fraction(7, 3))
    assert exact_moments([0.5, 0.25, 0.25]) == (Fraction(3, 4), Fraction(5, 4))
