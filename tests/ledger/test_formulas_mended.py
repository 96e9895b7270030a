"""Theorem 1 with explicit constants: numbers by hand, and bounds against sums that are computed term by term."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere
from scipy.optimize import brentq

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.mended import (
    LAST,
    LAST_LINE_BOX,
    STAR,
    Given,
    change,
    given_in_digits,
    largest_curvature,
    last_line,
    last_line_below,
    last_line_ratio,
    later_terms,
    learning_ridge,
    log_above_share,
    quadratic_below,
    quadratic_root,
    repeated_arm,
    repeats_below,
    second_sum,
    second_sum_below,
    sigma_square_mended,
    slope_change,
    star_bound,
    star_follows,
    tau_mended,
    trace_below,
    variance_of_run,
    variance_over_bound,
)
from mnlbandits.model.softmax import softmax, softmax_jacobian
from mnlbandits.seeds import generator

C = math.exp(1 / math.sqrt(3))
POINT = Given(3.0, 2.0, 1.5, 20.0, 3.0, 7.0, 1.25, 4.0, 1000.0)
"""D = 4, lambda = 864."""


def test_change():
    assert everywhere(change) == pytest.approx(1.7813, rel=1e-4)
    assert everywhere(change) == pytest.approx(C, rel=1e-14)


def test_learning_ridge():
    assert learning_ridge(3, 2) == 864


def test_sigma():
    found = everywhere(sigma_square_mended, 3.0, 2.0, 1.5, 1000.0, 0.05)
    assert found == pytest.approx(4 * 1.5**2 * 864 + 2.5 * math.log(20) + 2.1 * 4 * math.log1p(1000 / 864 / 4), rel=1e-13)


def test_tau():
    """42 (S + 3)^2 (S + 1) K d^2 kappa log(T/delta) log T."""
    expected = 42 * 4.5**2 * 2.5 * 3 * 4 * 7 * math.log(1e6 / 0.05) * math.log(1e6)
    assert everywhere(tau_mended, 3, 2, 1.5, 7.0, 1e6, 0.05) == pytest.approx(expected, rel=1e-12)


def test_bound_in_sigma():
    T, square = math.exp(20), sigma_square_mended(FLOATS, 3, 2, 1.5, math.exp(20), math.exp(-3))
    q, tau = 2.01 * 4 * math.log1p(T / 864 / 4), tau_mended(FLOATS, 3, 2, 1.5, 7.0, T, math.exp(-3))
    second = 14.4 * 1.25 * 7 * 2 * square * math.log1p(T / 98)
    expected = [3.34 * math.sqrt(square * q) * 1000, second, (22.28 * 1.25 + 5.6 * 4) * square * q, 1.25 * (1 + tau)]
    assert everywhere(star_bound, POINT) == pytest.approx(expected, rel=1e-12)


def test_last_line():
    level, norm = 23.0, 114 * 1.5 * math.sqrt(3 * 2 * 4 * 20)
    second = 36 * 1.25 * 7 * 2 * 4 * level**2 + 8300 * 2.25 * 1.25 * 7 * 3 * 4 * level
    square = (112 * 1.25 + 28.2 * 4) * (4 * level) ** 2 + (25900 * 1.25 + 6500 * 4) * 2.25 * 3 * 2 * 4 * level
    explored = 1.25 * (1 + 42 * 2.5 * 4.5**2 * 7 * 3 * 4 * level * 20)
    expected = [1000 * (7.5 * 4 * level + norm), second, square, explored]
    assert everywhere(last_line, POINT) == pytest.approx(expected, rel=1e-12)
    assert everywhere(later_terms, POINT) == pytest.approx(expected[1:], rel=1e-12)
    changed = everywhere(last_line, POINT, free=15, norm=228)
    assert changed == pytest.approx([2 * expected[0], *expected[1:]], rel=1e-12)
    assert set(LAST) == {"free", "norm", "curved", "curved_norm", "square", "square_nu", "square_norm", "square_norm_nu"}


def test_terms_of_the_last_line_are_larger():
    stream = generator("test", 0, "last line")
    for _ in range(300):
        point = {key: float(stream.uniform(*ends)) for key, ends in LAST_LINE_BOX.items()}
        given = given_in_digits(FLOATS, **point)
        ratios = np.divide(star_bound(FLOATS, given), last_line(FLOATS, given))
        assert ratios.max() <= 1 + 1e-12
        assert last_line_ratio(FLOATS, point) == pytest.approx(ratios.max())
    assert given == Given(2 + 10 ** point["outcomes"], *given[1:])
    assert (given.R, given.lead, given.kappa) == (1, 1, given.K)


def test_last_line_below():
    assert_decides(last_line_below, **{name: value * Fraction(98, 100) for name, value in LAST.items()})


def test_second_sum():
    """d = 1: 3 R sigma^2 x^2/(lambda + n/(c kappa)) added up, over its bound, R = sigma = 1."""
    kappa, ridge, rounds = 2.0, 10**2.5, 500
    total = sum(3 / (ridge + n / (C * kappa)) for n in range(rounds))
    share = math.log10(rounds / (ridge * kappa * C))
    bound = 5.72 * kappa * math.log1p(rounds / (7 * kappa))
    assert second_sum(FLOATS, 0.0, 2.5, share) == pytest.approx(total / bound, rel=1e-9)
    assert everywhere(second_sum, 1.5, 3.0, 4.0, bonus=1) == pytest.approx(5.72 * second_sum(FLOATS, 1.5, 3.0, 4.0))


def test_sums_over_random_plays():
    """Sums of x^T B^-1 x and of traces along random arms in R^2, against kappa, the logarithms and the factors proved."""
    stream = generator("test", 0, "plays")
    kappa, ridge, rounds = 5.0, 288.0, 4000
    arms = stream.normal(size=(rounds, 2))
    arms /= np.linalg.norm(arms, axis=1)[:, None]
    B, sums = ridge * np.eye(2), 0.0
    for x in arms:
        sums += x @ np.linalg.solve(B, x)
        B += np.outer(x, x) / (C * kappa)
    assert 3 * sums <= 5.72 * kappa * 2 * math.log1p(rounds / (7 * kappa))
    theta, W, trace = stream.normal(size=(3, 2)), ridge * np.eye(6), 0.0
    for x in arms:
        tall, G = np.kron(np.eye(3), x[:, None]), softmax_jacobian(theta @ x)
        trace += np.trace(tall.T @ np.linalg.solve(W, tall) @ G)
        W += tall @ G @ tall.T
    assert C * trace <= 2.01 * 4 * math.log1p(rounds / (4 * ridge))


def test_steps_of_the_sums():
    assert log_above_share()
    assert largest_curvature()
    assert_decides(second_sum_below, bonus=Fraction("5.34"))
    assert_decides(trace_below, trace=Fraction("1.78"))
    assert_decides(repeats_below, repeats=Fraction("3.17"))


def test_repeated_arm():
    """c^2 g/(c lambda + n g) added up, g = 2 mu'(u)."""
    g, ridge, rounds = 2 * math.exp(1.0) / (1 + math.exp(1.0)) ** 2, 10**2.5, 700
    total = sum(C**2 * g / (C * ridge + n * g) for n in range(rounds))
    share = math.log10(rounds / ridge)
    assert repeated_arm(FLOATS, 1.0, 2.5, share) == pytest.approx(total / (3.58 * math.log1p(rounds / 2 / ridge)), rel=1e-9)
    assert everywhere(repeated_arm, 1.0, 3.0, 4.0, repeats=1) == pytest.approx(3.58 * repeated_arm(FLOATS, 1.0, 3.0, 4.0))


def test_slope_change():
    """At the largest shift along u, far from 0, the curvature of two outcomes changes by c."""
    point = {"z0": -20.0, "z1": 20.0, "e0": 1.0, "e1": -1.0, "u0": 1.0, "u1": -1.0}
    assert everywhere(slope_change, 2, **point) == pytest.approx(1, rel=1e-10)
    assert everywhere(slope_change, 2, **point | {"e0": -1.0, "e1": 1.0}) == pytest.approx(C**-2, rel=1e-10)


def test_variance_over_bound():
    laws = {"z": [0.2, 0.3, 0.5], "y": [0.5, 0.3, 0.2], "w": [0.4, 0.4, 0.2]}
    point = {f"{name}{k}": math.log(p) for name, law in laws.items() for k, p in enumerate(law)} | {
        "r0": 0.0,
        "r1": 0.5,
        "r2": 1.0,
    }
    rewards = np.array([0.0, 0.5, 1.0])
    means = {name: np.dot(law, rewards) for name, law in laws.items()}
    seconds = {name: np.dot(law, rewards**2) for name, law in laws.items()}
    spread = {name: seconds[name] - means[name] ** 2 for name in laws}
    nu = 2 * (max(seconds.values()) - min(seconds.values())) / (means["z"] - means["w"])
    norm = np.linalg.norm(rewards)
    expected = max(spread[name] / (spread["z"] + (2 * norm + nu / 2) * (means["z"] - means[name])) for name in "yw")
    assert everywhere(variance_over_bound, 3, **point) == pytest.approx(expected, rel=1e-12)
    bare = max(spread[name] / (spread["z"] + 2 * norm * (means["z"] - means[name])) for name in "yw")
    assert variance_over_bound(FLOATS, 3, half_nu=0, **point) == pytest.approx(bare, rel=1e-12)
    same = {key: value if key.startswith("r") else 0.0 for key, value in point.items()}
    assert variance_over_bound(FLOATS, 3, **same) == 0
    assert softmax([math.log(p) for p in laws["z"]]) == pytest.approx(laws["z"])


def test_variance_of_run():
    assert_decides(variance_of_run, factor=[1, Fraction(19, 10)], multiple=[0, Fraction(9, 10)])


def test_quadratic_root():
    for square in (-2.0, 0.5, 3.0):
        b = 10 ** (square / 2)
        x = brentq(lambda x, b=b: x - 1 - b * math.sqrt(x), 1.0, 1e9)
        assert everywhere(quadratic_root, square) == pytest.approx(x / (1.25 + 25 / 16 * b * b), rel=1e-9)
    assert_decides(quadratic_below, linear=Fraction(6, 5), last=Fraction(3, 2))


def test_constants_follow():
    wrong = {name: STAR[name] * Fraction(99, 100) for name in ("leading", "second", "first", "nu")}
    assert_decides(star_follows, bonus=6, **wrong)
