"""The families against hand-built matrices, and the grid of the sphere."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import kstest

from mnlbandits.errors import InputError
from mnlbandits.instances import FAMILIES, make_instance
from mnlbandits.instances.families import (
    family_parameters,
    large_kappa_star,
    lower_bound,
    one_high_reward,
    random_instance,
    sphere_grid,
)
from mnlbandits.model.constants import kappa_star, mean_rewards, norm

EXACT = 1e-14
"""A few roundings of numbers of order one."""


def centred(matrix):
    return matrix - matrix.mean(axis=0)


# The sphere's grid.


@pytest.mark.parametrize("dim", range(1, 7))
@pytest.mark.parametrize("arms", [2, 3, 8, 33, 500])
def test_sphere_grid(dim, arms):
    grid = sphere_grid(dim, arms)
    count = 2 if dim == 1 else arms  # the sphere of R has two points
    assert grid.shape == (count, dim)
    np.testing.assert_allclose(np.linalg.norm(grid, axis=1), 1, rtol=4 * np.finfo(float).eps)
    np.testing.assert_array_equal(grid[0], np.eye(dim)[0])
    distances = np.linalg.norm(grid[:, None] - grid[None], axis=2) + 2 * np.eye(count)
    assert distances.min() > 1e-6  # distinct
    np.testing.assert_array_equal(grid, sphere_grid(dim, arms))


def test_sphere_grid_of_the_circle():
    np.testing.assert_allclose(sphere_grid(2, 4), [[1, 0], [0, 1], [-1, 0], [0, -1]], atol=EXACT)


@pytest.mark.parametrize("dim", [2, 3, 4])
def test_sphere_grid_covers(dim):
    """The largest distance from a point of the sphere to the grid falls as the grid grows, and is small."""
    points = np.random.Generator(np.random.PCG64DXSM(1)).normal(size=(2000, dim))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    radii = [np.linalg.norm(points[:, None] - sphere_grid(dim, n)[None], axis=2).min(axis=1).max() for n in (16, 128, 1024)]
    assert radii[0] > radii[1] > radii[2]
    # n caps of radius r cover the sphere when n r^(d-1) is of order one; random points would add a factor log n.
    assert radii[2] <= 6 * 1024 ** (-1 / (dim - 1))


@pytest.mark.parametrize(("dim", "arms", "field"), [(0, 4, "dim"), (2, 1, "arms"), (2, 2.5, "arms"), ("2", 4, "dim")])
def test_sphere_grid_refuses(dim, arms, field):
    with pytest.raises(InputError) as caught:
        sphere_grid(dim, arms)
    assert caught.value.field == field


# The example of a large kappa_*.


@pytest.mark.parametrize(("outcomes", "dim"), [(2, 1), (3, 2), (4, 3)])
@pytest.mark.parametrize("size", [0.5, 3.0])
def test_large_kappa_star(outcomes, dim, size):
    """theta_* = Pi m e_1 e_1^T: row 1 is m (1 - 1/K) e_1, the others -m/K e_1, so the norm is m sqrt(1 - 1/K)."""
    instance = large_kappa_star("x", outcomes, dim, size, arms=16, reward_norm=2.0)
    m = size / math.sqrt(1 - 1 / outcomes)
    theta = np.zeros((outcomes, dim))
    theta[:, 0] = -m / outcomes
    theta[0, 0] += m
    np.testing.assert_allclose(instance.theta, theta, atol=EXACT * m)
    assert np.linalg.norm(instance.theta) == pytest.approx(size, rel=EXACT)
    assert instance.norm_bound == size
    expected = np.array([2.0] + [1.0] * (outcomes - 1)) * 2 / math.sqrt(outcomes + 3)
    np.testing.assert_allclose(instance.rewards, expected, rtol=EXACT)
    assert np.linalg.norm(instance.rewards) == pytest.approx(2, rel=EXACT)
    # x_* = e_1 is on the grid, and mu_1 = e^m / (e^m + K - 1) there.
    np.testing.assert_array_equal(sorted(map(tuple, instance.arms)), sorted(map(tuple, sphere_grid(dim, 16))))
    best = instance.gaps.argmin()
    np.testing.assert_array_equal(instance.arms[best], np.eye(dim)[0])
    assert instance.discretisation_error <= 1e-15  # rounding of two means of size <= 4/sqrt(K + 3)
    mu = math.exp(m) / (math.exp(m) + outcomes - 1)
    assert instance.probabilities[best, 0] == pytest.approx(mu, rel=1e-13)
    # mu_1 (1 - mu_1) cancels up to a factor e^m / K <= 100.
    assert instance.constants["kappa_star"] == pytest.approx((outcomes + 3) / (mu * (1 - mu)), rel=1e-11)


def test_large_kappa_star_in_the_rows_convention():
    """The longest row is the first, m (1 - 1/K)."""
    instance = large_kappa_star("x", 3, 2, 1.5, convention="rows")
    np.testing.assert_allclose(instance.theta[0], [1.5, 0], rtol=EXACT)
    assert norm(instance.theta, "rows") == pytest.approx(1.5, rel=EXACT)
    assert instance.convention == "rows"


# The family of the lower bound.

CASES = list(itertools.product((2, 3, 6), (2, 3, 4)))


def signs_of(dim):
    return [(-1) ** (i // 2) for i in range(dim)]


@pytest.mark.parametrize(("outcomes", "dim"), CASES)
def test_lower_bound_matrices(outcomes, dim):
    epsilon, v = 0.9 * 2 / math.sqrt((outcomes + 3) * (dim - 1)), np.array(signs_of(dim), dtype=float)
    scale = 1 / math.sqrt(outcomes + 3)
    m0 = np.zeros((outcomes, dim))
    m0[0, 0] = 2 * scale
    for k in range(1, outcomes):
        m0[k, 0] = scale
    m = m0.copy()
    for i in range(1, dim):
        m[0, i] += epsilon * v[i]
        for k in range(1, outcomes):
            m[k, i] += epsilon / 2 * v[i]
    m_tilde = np.zeros((outcomes, dim))
    m_tilde[0] = m[0] / np.linalg.norm(m[0])
    for member, matrix in (("M0", m0), ("M", m), ("M-tilde", m_tilde)):
        instance = lower_bound("x", outcomes, dim, member, epsilon, signs_of(dim), reward_norm=3.0)
        np.testing.assert_allclose(instance.theta, centred(matrix), atol=EXACT)
        np.testing.assert_allclose(instance.rewards, 3 * scale * np.array([2] + [1] * (outcomes - 1)), rtol=EXACT)
        assert instance.norm_bound == pytest.approx(np.linalg.norm(centred(matrix)), rel=EXACT)
        assert instance.convention == "frobenius"


@pytest.mark.parametrize(("outcomes", "dim"), CASES)
@pytest.mark.parametrize("member", ["M", "M-tilde"])
def test_lower_bound_optimum_on_the_sphere(outcomes, dim, member):
    """M and M-tilde share x_* = [M]_1 / ||[M]_1||: no point of the sphere is better, and the reward falls off around it."""
    epsilon = 0.8 * 2 / math.sqrt((outcomes + 3) * (dim - 1))  # at its bound and d = 2, x_* is on the grid
    instance = lower_bound("x", outcomes, dim, member, epsilon, signs_of(dim))
    row = np.array([2 / math.sqrt(outcomes + 3), *(epsilon * np.array(signs_of(dim)[1:]))])
    best = row / np.linalg.norm(row)
    random = np.random.Generator(np.random.PCG64DXSM(3))
    others = np.vstack([best + 0.01 * random.normal(size=(500, dim)), random.normal(size=(500, dim))])
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    at_best = mean_rewards(instance.theta, best[None], instance.rewards)[0]
    means = mean_rewards(instance.theta, others, instance.rewards)
    assert (means < at_best).all()
    # The discretisation error is the difference of that optimum and the best point of the grid.
    on_grid = mean_rewards(instance.theta, instance.arms, instance.rewards).max()
    assert instance.discretisation_error == pytest.approx(at_best - on_grid, abs=1e-15)  # rounding of means below one
    assert instance.discretisation_error > 0


def test_lower_bound_kappa_star():
    """Step 2 of the proof: (K + 3)/kappa_* = mu'(||[M-tilde]_1|| - log(K-1)) at x_*, and ||[M-tilde]_1|| = 1."""
    instance = lower_bound("x", 5, 2, "M-tilde", 0.3)
    best = instance.theta[0] - instance.theta[1]
    assert np.linalg.norm(best) == pytest.approx(1, rel=EXACT)
    s = 1 / (1 + math.exp(-(1 - math.log(4))))
    exact = kappa_star(instance.theta, best[None], instance.rewards)
    assert 8 / exact == pytest.approx(s * (1 - s), rel=1e-13)


def test_lower_bound_ignores_the_first_sign():
    plus, minus = (lower_bound("x", 3, 3, "M", 0.2, [first, -1, 1]) for first in (1, -1))
    np.testing.assert_array_equal(plus.theta, minus.theta)
    np.testing.assert_array_equal(lower_bound("x", 3, 3, "M", 0.2).theta, lower_bound("x", 3, 3, "M", 0.2, [1, 1, 1]).theta)


@pytest.mark.parametrize("member", ["M", "M-tilde"])
def test_discretisation_error_shrinks_with_the_grid(member):
    """On a circle of n points the best is at most pi/n away: the error is at most (pi/n)^2 / 2 times |mean''| <= 1."""
    errors = {n: lower_bound("x", 3, 2, member, 0.37, arms=n).discretisation_error for n in (5, 40, 320, 2560)}
    assert errors[5] > errors[40] > errors[320] > errors[2560] >= 0
    assert all(error <= (math.pi / n) ** 2 / 2 for n, error in errors.items())
    # The grid of 10^5 points against the exact optimum: their difference is below (pi / 1e5)^2 / 2 = 5e-10.
    instance = lower_bound("x", 3, 2, member, 0.37, arms=5)
    fine = mean_rewards(instance.theta, sphere_grid(2, 10**5), instance.rewards).max()
    coarse = mean_rewards(instance.theta, instance.arms, instance.rewards).max()
    assert errors[5] == pytest.approx(fine - coarse, abs=5e-10)


def test_reward_vector():
    np.testing.assert_allclose(one_high_reward(6, 3.0), [2, 1, 1, 1, 1, 1], rtol=EXACT)


# Random instances.


@pytest.mark.parametrize(("outcomes", "dim", "arms"), [(2, 1, 1), (3, 2, 20), (5, 4, 50)])
@pytest.mark.parametrize("convention", ["frobenius", "rows"])
def test_random_instance(outcomes, dim, arms, convention):
    instance = random_instance("x", outcomes, dim, 2.5, arms, reward_norm=3.0, seed=4, convention=convention)
    assert instance.theta.shape == (outcomes, dim)
    assert instance.arms.shape == (arms, dim)
    assert norm(instance.theta, convention) == pytest.approx(2.5, rel=EXACT)
    np.testing.assert_allclose(instance.theta.sum(axis=0), 0, atol=EXACT * outcomes)
    assert np.linalg.norm(instance.arms, axis=1).max() <= 1 + EXACT
    assert np.linalg.norm(instance.rewards) == pytest.approx(3, rel=EXACT)
    assert (instance.rewards >= 0).all()
    again = random_instance("another name", outcomes, dim, 2.5, arms, reward_norm=3.0, seed=4, convention=convention)
    np.testing.assert_array_equal(instance.theta, again.theta)
    other = random_instance("x", outcomes, dim, 2.5, arms, reward_norm=3.0, seed=5, convention=convention)
    assert not np.array_equal(instance.rewards, other.rewards)


def test_random_arms_are_uniform_in_the_ball():
    """radius^d and, in the plane, the angle are uniform; the seed is fixed, so this cannot fail by chance later."""
    for dim in (1, 2, 3):
        arms = random_instance("x", 2, dim, arms=4000, seed=7).arms
        assert kstest(np.linalg.norm(arms, axis=1) ** dim, "uniform").pvalue > 1e-3
    arms = random_instance("x", 2, 2, arms=4000, seed=7).arms
    angles = np.arctan2(arms[:, 1], arms[:, 0]) / (2 * math.pi) + 0.5
    assert kstest(angles, "uniform").pvalue > 1e-3


def test_random_instance_is_pinned():
    """First numbers of seed 0, so that a change of the stream or of the order of its use is seen.

    The rewards pass a sum and a square root, theta a quantile function of scipy: 1e-13 leaves room for another platform's.
    """
    instance = random_instance("x")
    np.testing.assert_allclose(instance.theta[0], [0.1940313579112237, -0.2880420303556665], rtol=1e-13)
    np.testing.assert_allclose(instance.arms[0], [0.06465103005997523, 0.03570942406927464], rtol=1e-13)
    np.testing.assert_allclose(instance.rewards, [0.9876765735434286, 0.08907827210619705, 0.1286858481422353], rtol=1e-13)


# make_instance.


def test_make_instance_records_how():
    parameters = {"outcomes": 4, "epsilon": 0.2, "signs": [1, -1]}
    instance = make_instance("a name", "lower-bound", parameters)
    assert (instance.name, instance.family, instance.parameters) == ("a name", "lower-bound", parameters)
    parameters["outcomes"] = 5
    assert instance.parameters["outcomes"] == 4  # a copy
    np.testing.assert_array_equal(instance.theta, lower_bound("x", 4, 2, "M-tilde", 0.2, [1, -1]).theta)


@pytest.mark.parametrize("family", FAMILIES)
def test_defaults_of_every_family(family):
    instance = make_instance("x", family, {})
    given = {"outcomes": instance.outcomes, "dim": instance.dim, "arms": len(instance.arms)}
    defaults = family_parameters(family)
    assert {key: given[key] for key in given if key in defaults} == {key: defaults[key] for key in given if key in defaults}
    if "arms" in defaults:
        assert make_instance("x", family, {"arms": 1e2}).arms.shape == (100, instance.dim)  # 1e2 is an integer


SHARED = {
    "outcomes": [1, 0, 2.5, "3", None, True, math.nan],
    "reward_norm": [0, -1.0, math.nan, math.inf, "1", None, True],
}
ARMS = {"arms": [0, -3, 1.5, "8", None, True]}
OWN = {
    "hidden-pairs": {
        "outcomes": [2, 3],
        "dim": [0, 1, "2", None],
        "rounds": [0, 31, math.nan, math.inf, "1", None],
        "hypothesis": [-1, 2, 0.5, "0", None],
        "norm": [0, -1, math.nan, "1"],
    },
    "large-kappa-star": ARMS
    | {
        "dim": [0, "2", None],
        "norm": [0, -1, math.nan, math.inf, "1", None],
        "convention": ["x", None, 3],
    },
    "lower-bound": ARMS
    | {
        "dim": [0, 1, "2", None],
        "member": ["M1", None, 0],
        "epsilon": [0, -0.1, 2.0, math.nan, "0.1", None],
        "signs": [[1], [1, 1, 1], [1, 0], [1, 2], [1, "1"], "ab", (1, 1), 1, [1, None]],
        "norm": [0, -1, math.nan, "1"],
    },
    "random": ARMS
    | {
        "dim": [0, "2", None],
        "norm": [0, -1, math.nan, math.inf, "1", None],
        "seed": [-1, 0.5, "a", None],
        "convention": ["x", None, 3],
    },
    "saturated-cube": {
        "dim": [0, 1, 13, "2", None],
        "rounds": [0, 80, math.nan, math.inf, "1", None],
        "saturation": [0, 0.4, 301, math.nan, "1", None],
        "signs": [[1], [1, 1, 1], [1, 0], [1, "1"], "ab", (1, 1), 1, [1, None]],
        "geometry": ["x", None, 3],
        "norm": [0, -1, math.nan, "1"],
    },
    "recommender": ARMS
    | {
        "norm": [0, -1, math.nan, math.inf, "1", None],
        "seed": [-1, 0.5, "a", None],
        "convention": ["x", None, 3],
        "actions": ["x", {"name": "random-subsets", "size": 32}, {"name": "fresh"}, 3, None],
    },
    "data": {
        "dataset": ["iris", "", None, 3],
        "arms": [-3, 205, 1.5, "8", None, True],
        "seed": [-1, 0.5, "a", None],
        "bound": [0.99, 0, -1, math.nan, math.inf, "1", None],
        "features": [[], ["income"], ["hinc", "hinc"], ["hinc", 3], ["ttme_car"], "hinc", 3],
        "convention": ["x", None, 3],
        "actions": ["x", {"name": "random-subsets", "size": 32}, {"name": "fresh"}, 3, None],
    },
}
BAD = [
    (family, key, value)
    for family in FAMILIES
    for key, values in (SHARED | OWN[family]).items()
    if key in family_parameters(family)
    for value in values
]


@pytest.mark.parametrize(("family", "key", "value"), BAD)
def test_bad_parameters_name_the_field(family, key, value):
    with pytest.raises(InputError) as caught:
        make_instance("x", family, {key: value})
    field = caught.value.field
    assert field.partition(".")[0] == key
    assert str(caught.value).startswith(f"{field}: got {caught.value.value!r}, must be ")


def test_epsilon_up_to_its_bound():
    largest = 2 / math.sqrt(6 * 2)  # K = 3, d = 3
    lower_bound("x", 3, 3, epsilon=largest)
    with pytest.raises(InputError, match=r"^epsilon: got 0\.5774, must be at most .* = 0\.57735$"):
        lower_bound("x", 3, 3, epsilon=0.5774)


def test_norm_bound_below_the_norm():
    with pytest.raises(InputError, match=r"^norm_bound: got 0\.1, must be at least the frobenius norm of theta"):
        make_instance("x", "lower-bound", {"norm": 0.1})
    assert make_instance("x", "lower-bound", {"norm": 4.0}).norm_bound == 4


@pytest.mark.parametrize("key", ["outcome", "Dim", "name", "member", 3])
def test_unknown_parameters_are_refused(key):
    with pytest.raises(InputError) as caught:
        make_instance("x", "random", {key: 3})
    assert caught.value.field == f"x.{key}"
    assert "outcomes" in caught.value.allowed


@pytest.mark.parametrize("family", ["Random", "", None, 3])
def test_unknown_families_are_refused(family):
    with pytest.raises(
        InputError,
        match=r"^family: got .* must be one of data, hidden-pairs, large-kappa-star, lower-bound, random, recommender, "
        r"saturated-cube$",
    ):
        make_instance("x", family, {})


@pytest.mark.parametrize(
    ("field", "sizes", "needed"),
    [
        ("arms", {"arms": 10**12}, "4.0e+13 bytes"),  # 8 (1e12 (2 + 3) + 3 2)
        ("outcomes", {"outcomes": 10**9}, "1.8e+11 bytes"),  # 8 (20 (2 + 1e9) + 1e9 2)
        ("dim", {"dim": 10**8, "arms": 1}, "3.2e+09 bytes"),  # 8 (1 (1e8 + 3) + 3 1e8)
        ("arms", {"arms": 10_000_001}, "4.0e+08 bytes"),  # the least that is refused
    ],
)
def test_an_instance_that_takes_too_much_memory_is_refused_before_it_is_made(field, sizes, needed):
    with pytest.raises(InputError) as caught:
        make_instance("x", "random", sizes)
    assert caught.value.field == field
    assert needed in caught.value.allowed


def test_parameters_and_rewards_whose_squares_are_no_numbers_are_refused():
    for parameters, field in (({"norm": 1e101}, "norm"), ({"reward_norm": 1e-101}, "rewards")):
        with pytest.raises(InputError) as caught:
            make_instance("x", "random", parameters)
        assert caught.value.field == field
