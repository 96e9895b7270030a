"""What the proofs about Appendices A and B and the auxiliary results are carried out in is what the statements are about."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnlbandits.instances.families import large_kappa_star
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formulas.constants import inverse_kappa_star
from mnlbandits.ledger.formulas.kappa_star_example import corner_entry, example_variance
from mnlbandits.ledger.formulas.softmax import curvature, softmax, softmax_jacobian
from mnlbandits.ledger.paper.appendix_auxiliary import exponential_over_square, trace_logarithm
from mnlbandits.ledger.paper.appendix_kappa import even_bound, even_bound_mended, even_bound_printed, smallest_probability
from mnlbandits.ledger.paper.appendix_kappa_choice import pair_at_halves, pair_of_curvatures, size_of_choice
from mnlbandits.ledger.paper.appendix_kappa_star import best_action
from mnlbandits.ledger.paper.appendix_kappa_star_large import (
    corner_printed,
    large_kappa_star_bound,
    nu_on_sphere,
    two_probabilities,
)
from mnlbandits.ledger.paper.appendix_notations import averaged_entry, star_of_optimal, taylor_of_loss
from mnlbandits.model.constants import kappa_star, nu
from mnlbandits.model.kappa import kappa

properties = settings(derandomize=True, max_examples=50, deadline=None)

sizes, radii = st.integers(2, 12), st.floats(0.1, 5.0)
logits = st.lists(st.floats(-4, 4), min_size=2, max_size=6)


@properties
@given(half=st.integers(1, 6), size=radii)
def test_the_bound_at_halves(half, size):
    """1/2 for K >= 4 and q/(1 + q) at K = 2, and what it is a bound of: lambda_{K-1} at these logits."""
    K, q = 2 * half, math.exp(2 * size)
    assert even_bound_mended(FLOATS, K, size) == pytest.approx(0.5 if K > 2 else q / (1 + q))
    z = [-size] * half + [size] * half
    lowest = curvature(FLOATS, z)
    assert even_bound(FLOATS, K, size) * lowest <= even_bound_mended(FLOATS, K, size) + 1e-9


@pytest.mark.parametrize(("K", "r"), [(2, 1.0), (2, 3.0), (4, 1.0), (6, 2.0)])
def test_the_upper_bound_of_kappa(K, r):
    upper = even_bound(FLOATS, K, r) / even_bound_printed(FLOATS, K, r)
    assert kappa(K, r).lower <= upper * (1 + 1e-9)
    if K == 2:
        assert kappa(K, r).upper == pytest.approx(upper, rel=1e-5)


@properties
@given(z=logits)
def test_weyl_and_schur_horn(z):
    """The curvature is the least Rayleigh quotient over u with sum 0, of which the proofs take e_i - e_j."""
    p, lowest = softmax(DIGITS, [DIGITS.number(entry) for entry in z]), curvature(DIGITS, [DIGITS.number(e) for e in z])
    G = softmax_jacobian(DIGITS, [DIGITS.number(entry) for entry in z])
    for i in range(len(z)):
        for j in range(i):
            quotient = (G[i, i] + G[j, j] - 2 * G[i, j]) / 2
            assert min(p) - 1e-40 <= lowest <= quotient + 1e-40
            assert quotient <= G[i, i] + G[j, j]


@properties
@given(z=st.lists(st.floats(-1, 1), min_size=2, max_size=6), r=radii)
def test_the_smallest_probability(z, r):
    point = {f"z{k}": entry for k, entry in enumerate(z)}
    exact = math.exp(-2 * r) / len(z) / min(softmax(FLOATS, [r * entry for entry in z]))
    assert smallest_probability(FLOATS, len(z), r, **point) == pytest.approx(exact)


@properties
@given(half=st.integers(1, 5), r=radii, seed=st.integers(0, 100))
def test_the_lowest_pair(half, r, seed):
    """No logits of the cube have a pair of probabilities below that of two logits -r and the others r."""
    K, stream = 2 * half, np.random.default_rng(seed)
    lowest = pair_at_halves(FLOATS, K, r) * 4 / (K * (1 + math.exp(2 * r)))
    p = sorted(softmax(FLOATS, (r * stream.uniform(-1, 1, K)).tolist()))
    assert p[0] + p[1] >= lowest - 1e-12


@pytest.mark.parametrize("K", [2, 4, 8])
def test_the_norm_of_the_choice(K):
    theta = np.outer(np.where(np.arange(K) < K // 2, 1, -1), [0.6, 0.8])
    assert size_of_choice(FLOATS, K) == pytest.approx(np.linalg.norm(theta, 2))
    assert size_of_choice(FLOATS, K) == pytest.approx(np.linalg.norm(theta))
    assert size_of_choice(FLOATS, K, "rows") == pytest.approx(np.linalg.norm(theta, axis=1).max())


@properties
@given(K=sizes, S=radii)
def test_the_example_is_the_instance(K, S):
    instance = large_kappa_star("test", outcomes=K, dim=2, norm=S, arms=4)
    z = (instance.theta @ [1.0, 0.0]).tolist()
    corner = corner_entry(FLOATS, K, S)
    assert z[0] - z[1] == pytest.approx(corner)
    inverse = inverse_kappa_star(FLOATS, z, instance.rewards.tolist())
    assert example_variance(FLOATS, K, corner) == pytest.approx(inverse)
    assert 1 / inverse == pytest.approx(kappa_star(instance.theta, np.array([[1.0, 0.0]]), instance.rewards))
    p = softmax(FLOATS, z)
    assert two_probabilities(FLOATS, K, S) == pytest.approx(inverse / (2 * p[0] * p[1]))
    assert two_probabilities(FLOATS, K, S) == pytest.approx((K - 1) / (2 * (K + 3)))
    small = math.exp(-S)
    assert large_kappa_star_bound(FLOATS, K, S) == pytest.approx(inverse * ((K - 1) * small + 1) ** 2 / (2 * small))


@pytest.mark.parametrize(("K", "S", "excess"), [(10**6 + 1, 9, 2.1e-7), (10**6 + 1, 10, 3.9e-7), (10**7, 11, 7.2e-8)])
def test_the_bound_of_the_example_is_not_loose(K, S, excess):
    """1/kappa_* over the bound passes 1/2; by its definition, in 50 digits."""
    m, n = DIGITS.number(S) * DIGITS.sqrt(DIGITS.number(K) / (K - 1)), K - 1
    p = 1 / (1 + n * DIGITS.exp(-m))
    right = 2 * DIGITS.exp(DIGITS.number(-S)) / (n * DIGITS.exp(DIGITS.number(-S)) + 1) ** 2
    ratio = p * (1 - p) / (K + 3) / right
    assert float(ratio - 0.5) == pytest.approx(excess, rel=0.02)
    assert float(large_kappa_star_bound(DIGITS, K, DIGITS.number(S)) / ratio) == pytest.approx(1, abs=1e-30)


def test_the_two_sides_that_are_printed_equal():
    """K = 2, S = 1: 2 mu'(sqrt 2) against 2 mu'(1)."""
    sides = [2 / (2 + 2 * math.cosh(x)) for x in (math.sqrt(2), 1.0)]
    assert sides == pytest.approx([0.315, 0.393], abs=5e-4)
    assert corner_printed(FLOATS, 2, 1.0) == pytest.approx(abs(sides[0] / sides[1] - 1))
    assert corner_printed(FLOATS, 2, 1.0, 0) <= 1e-15


def test_the_left_of_these_sides_may_be_the_larger_one():
    """K = 10, S = 1: 1.029 times, as e^-u/((K - 1) e^-u + 1)^2 grows up to u = log(K - 1)."""
    sides = [example_variance(FLOATS, 10, u) for u in (corner_entry(FLOATS, 10, 1.0), 1.0)]
    assert sides[0] / sides[1] == pytest.approx(1.029, abs=5e-4)


@properties
@given(K=sizes, S=radii, x=st.floats(-1, 1))
def test_the_mean_rewards_of_the_example(K, S, x):
    instance = large_kappa_star("test", outcomes=K, dim=2, norm=S, arms=4)
    means = [
        float(instance.rewards @ softmax(FLOATS, (instance.theta @ arm).tolist()))
        for arm in (np.array([x, math.sqrt(1 - x * x)]), np.array([1.0, 0.0]))
    ]
    assert best_action(FLOATS, K, S, x) == pytest.approx(means[0] / means[1])


@pytest.mark.parametrize("angle", [0.5, 0.1, 0.01])
def test_nu_of_arms_of_the_sphere(angle):
    """The constant of the package, for the arms e_1, -e_1 and one at that angle to e_1."""
    instance = large_kappa_star("test", outcomes=2, dim=2, norm=1.0, arms=4)
    arms = np.array([[1, 0], [-1, 0], [math.cos(angle), math.sin(angle)]])
    assert nu_on_sphere(FLOATS, 1 / angle) == pytest.approx(nu(instance.theta, arms, instance.rewards), rel=1e-9)


def test_kappa_star_of_two_optimal_actions():
    theta, rewards = np.array([[1.0], [-2.0], [1.0]]), np.array([0.0, 1.0, 2.0])
    values = [kappa_star(theta, np.array([[x]]), rewards) for x in (1.0, -1.0)]
    assert values == pytest.approx([5.12, 55.2], rel=2e-3)
    assert star_of_optimal(FLOATS, 1.0) == pytest.approx(values[1] / values[0] - 1, rel=1e-9)
    assert star_of_optimal(FLOATS, 1.0, 1) == 0


@properties
@given(z=logits)
def test_pairs_of_probabilities_and_of_curvatures(z):
    p = np.sort(softmax(FLOATS, z))
    least = np.sort(p * (1 - p))[:2].sum()
    found = pair_of_curvatures(FLOATS, len(z), **{f"z{k}": entry for k, entry in enumerate(z)})
    assert found == pytest.approx(least / p[:2].sum())
    assert found <= 1


def test_taylor_of_the_loss_with_the_wrong_weight():
    """With weight 1 - v Taylor's formula, with weight 1 the change of the quadratic term is off by a half at least."""
    point = {"z0": 0.5, "z1": -0.25, "y0": 1.0, "y1": 0.5}
    assert taylor_of_loss(FLOATS, 2, **point) <= 1e-13
    assert taylor_of_loss(FLOATS, 2, 0, **point) > 1e-3


@properties
@given(z=st.lists(st.floats(-2, 2), min_size=6, max_size=6))
def test_the_averaged_jacobian(z):
    first, second = z[:3], z[3:]
    nodes = np.linspace(0, 1, 2001)
    values = [
        softmax_jacobian(FLOATS, [(1 - v) * a + v * b for a, b in zip(first, second, strict=True)])[0, 1] for v in nodes
    ]
    assert averaged_entry(FLOATS, first, second, 0, 1) == pytest.approx(np.trapezoid(values, nodes), rel=1e-4, abs=1e-7)


@properties
@given(y=st.floats(-1, 1).filter(lambda y: abs(y) > 0.01))
def test_the_remainder_of_the_exponential(y):
    """exp(y) = 1 + y + y^2 times the integral, which is at most e - 2."""
    integral = FLOATS.integral(lambda v: (1 - v) * math.exp(v * y))
    assert math.expm1(y) - y == pytest.approx(y * y * integral)
    assert exponential_over_square(FLOATS, y) == pytest.approx((1 + y + y * y * integral) / (1 + y + (math.e - 2) * y * y))
    assert integral <= math.e - 2 + 1e-12


@properties
@given(w=st.floats(-0.9, 20))
def test_what_a_logarithm_is_below(w):
    assert w - math.log1p(w) == pytest.approx(FLOATS.integral(lambda v: (1 - v) * w * w / (1 + v * w) ** 2), abs=1e-6)


@properties
@given(b0=st.floats(-2, 2), b1=st.floats(-2, 2), l0=st.floats(0.1, 3), l1=st.floats(-3, 3), l2=st.floats(0.1, 3))
def test_trace_and_logarithm_by_eigenvalues(b0, b1, l0, l1, l2):
    root, low = np.diag([10 ** (b0 / 2), 10 ** (b1 / 2)]), np.array([[l0, 0], [l1, l2]])
    x = np.linalg.eigvalsh(np.linalg.inv(root) @ (root @ root + low @ low.T) @ np.linalg.inv(root))
    assert trace_logarithm(FLOATS, b0, b1, l0, l1, l2) == pytest.approx(sum(1 - 1 / x) / sum(np.log(x)), rel=1e-6)
