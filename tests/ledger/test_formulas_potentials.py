"""Q_T along plays in batches, against sums over rounds and one another."""

import math

import numpy as np
import pytest
from agreement import everywhere

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.potentials import (
    along,
    batches,
    commuting,
    excess_of_tangents,
    first_bonuses,
    jacobian_root,
    polygon,
    rotation,
    summand_of_commuting,
    tangents_cancel,
)
from mnlbandits.model.softmax import softmax, softmax_jacobian

THETA = np.array([[0.5, -1.0], [0.25, 0.75], [-0.75, 0.25]])
ARMS = np.array([[0.75, 0.0], [-0.5, 0.75]])
STEPS = [(0, 3), (1, 2), (0, 4)]
RIDGE = 7.0


def test_root_of_the_jacobian():
    z = [0.75, -1.5, 0.25]
    root = np.array(everywhere(jacobian_root, softmax(z).tolist()))
    np.testing.assert_allclose(root @ root.T, softmax_jacobian(z), rtol=1e-13)


def potential():
    """Round by round, with all of Wbar and a symmetric root; each summand to 1e-13."""
    wbar, total = RIDGE * np.eye(6), 0.0
    for n, count in STEPS:
        for _ in range(count):
            x, jacobian = ARMS[n], softmax_jacobian(THETA @ ARMS[n])
            values, vectors = np.linalg.eigh(jacobian)
            tall = np.kron(np.eye(3), x[:, None]) @ ((vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T)
            total += np.linalg.eigvalsh(tall.T @ np.linalg.solve(wbar, tall))[-1]
            wbar += np.kron(jacobian + np.ones((3, 3)), np.outer(x, x))
    return total


def test_batches_are_the_sum_over_rounds():
    assert everywhere(batches, THETA, ARMS, STEPS, RIDGE) == pytest.approx(potential(), rel=1e-12)
    bound = 2 * math.log(1 + 9 / (RIDGE * 2))
    assert everywhere(along, THETA, ARMS, STEPS, RIDGE) == pytest.approx(potential() / bound, rel=1e-12)


def test_an_arm_without_information():
    """Of length 0, so that 1/largest is not finite."""
    arms = np.array([[0.0, 0.0], [0.75, 0.0]])
    assert batches(FLOATS, THETA, arms, [(0, 5), (1, 2)], RIDGE) == batches(FLOATS, THETA, arms, [(1, 2)], RIDGE)


@pytest.mark.parametrize("ridge", [576, 3])
def test_commuting(ridge):
    level, half = math.log(9.0) / 2, 4
    theta, arms = level * np.array([[1.0], [1.0], [-1.0], [-1.0]]), np.array([[1.0], [-1.0]])
    expected = along(FLOATS, theta, arms, [(n, 1) for _ in range(half) for n in (0, 1)], ridge)
    assert everywhere(commuting, 9.0, half, ridge) == pytest.approx(expected, rel=1e-11)
    assert commuting(FLOATS, 9.0, half) == commuting(FLOATS, 9.0, half, 576)


def test_tangents():
    """Their sum is 0 for every input, so that one of another sign, or without its 1, shows."""
    assert everywhere(excess_of_tangents, [0.5, 1.25, 3.0]) == pytest.approx(0, abs=1e-15)
    logarithms = sum(math.log1p(a) - math.log1p(1.5) for a in (0.5, 1.0, 3.0))
    assert logarithms < excess_of_tangents([0.5, 1.0, 3.0]) + 1e-15


def test_rotation():
    assert rotation(2, 10, 1.0) == [(0, 1), (1, 1)] * 2 + [(0, 2), (1, 2), (0, 4), (1, 4)]
    assert rotation(2, 4, 1.0) == [(0, 1), (1, 1)] * 2
    assert rotation(1, 41) == [(0, 1)] * 40 + [(0, 2)]


@pytest.mark.parametrize(("outcomes", "sharpness"), [(4, 5.0), (6, 12.0)])
def test_polygon(outcomes, sharpness):
    """Two logits tie at the top of each arm, the next are lower by `sharpness`; all rows and arms have one length."""
    theta, arms = polygon(outcomes, sharpness)
    assert theta.shape == (outcomes, 2)
    assert arms.shape == (outcomes // 2, 2)
    np.testing.assert_allclose(np.linalg.norm(arms, axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(theta, axis=1), np.linalg.norm(theta[0]), rtol=1e-14)
    tops = set()
    for x in arms:
        logits = theta @ x
        order = np.argsort(-logits, kind="stable")
        assert logits[order[0]] == pytest.approx(logits[order[1]], rel=1e-12)
        assert logits[order[0]] - logits[order[2]] == pytest.approx(sharpness, rel=1e-12)
        tops |= set(order[:2].tolist())
    assert tops == set(range(outcomes))


def test_polygon_of_two_and_its_default():
    theta, arms = polygon(2)
    np.testing.assert_allclose(theta, [[1, 0], [-1, 0]], atol=1e-15)
    np.testing.assert_allclose(arms, [[0, 1]], atol=1e-15)
    np.testing.assert_array_equal(polygon(4)[0], polygon(4, 12.0)[0])
    assert np.linalg.norm(polygon(3)[0][0]) == pytest.approx(12 / 1.5, rel=1e-14)


def test_tangents_of_any_number():
    assert tangents_cancel()


@pytest.mark.parametrize("ridge", [576, 3])
def test_summand_of_commuting(ridge):
    """The summand itself, where weight > 1 makes that direction the largest: a difference of two sums."""
    weight, half = 99.0, 200
    theta, arms = math.log(weight) / 2 * np.array([[1.0], [1.0], [-1.0], [-1.0]]), np.array([[1.0], [-1.0]])
    before = [(n, 1) for _ in range(half) for n in (0, 1)]
    summand = batches(FLOATS, theta, arms, [*before, (0, 1)], ridge) - batches(FLOATS, theta, arms, before, ridge)
    found = everywhere(summand_of_commuting, weight, half, ridge)
    assert found == pytest.approx(summand * (ridge + 2 * half), rel=1e-9)
    assert summand_of_commuting(FLOATS, weight, half) == summand_of_commuting(FLOATS, weight, half, 576)


def test_first_bonuses():
    """Round by round with all of Wbar; batches of one round are exact, longer ones count their first."""
    rewards, wbar, total, spent = np.array([1.0, 0.0, 0.5]), RIDGE * np.eye(6), 0.0, 0.0
    single = [(n, 1) for n, count in STEPS for _ in range(count)]
    for n, _ in single:
        jacobian = softmax_jacobian(THETA @ ARMS[n])
        tall = np.kron(jacobian @ rewards, ARMS[n])
        total += math.sqrt(tall @ np.linalg.solve(wbar, tall))
        spent += rewards @ jacobian @ rewards
        wbar += np.kron(jacobian + np.ones((3, 3)), np.outer(ARMS[n], ARMS[n]))
    found = everywhere(first_bonuses, THETA, ARMS, rewards.tolist(), single, RIDGE)
    assert found == pytest.approx((total, spent), rel=1e-12)
    above, same = first_bonuses(FLOATS, THETA, ARMS, rewards.tolist(), STEPS, RIDGE)
    assert same == pytest.approx(spent, rel=1e-12)
    assert total < above < 1.1 * total
