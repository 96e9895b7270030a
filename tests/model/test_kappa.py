"""kappa: the eigenvalue, the argument of the module's docstring, the certificate, and independent searches.

Notation as there: p = mu(z), v the unit eigenvector of lambda = lambda_{K-1}(grad mu(z)), q_k = p_k (v_k - p^T v)^2/lambda.
"""

import math
from functools import cache
from itertools import pairwise, permutations

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from mnlbandits.errors import InputError
from mnlbandits.model import kappa as module
from mnlbandits.model.kappa import (
    kappa,
    log_second_eigenvalue,
    minimise_over,
    partitions,
    printed_bounds,
    sphere_faces,
)
from mnlbandits.model.softmax import softmax, softmax_jacobian

EPS = np.finfo(float).eps
properties = settings(derandomize=True, max_examples=100, deadline=None)


def log_lambda(z):
    """log lambda_{K-1}(grad mu(z)) by the code under test, for logits (K,)."""
    levels, multiplicity = np.unique(z, return_counts=True)
    return log_second_eigenvalue(levels, multiplicity)


def log_lambda_by_lapack(z):
    """The same by LAPACK, with an absolute error of a few EPS in lambda."""
    return math.log(np.linalg.eigvalsh(softmax_jacobian(z))[1])


def eigenvector(z):
    """lambda, its unit eigenvector v, p and q."""
    p = softmax(z)
    values, vectors = np.linalg.eigh(softmax_jacobian(z))
    value, v = values[1], vectors[:, 1]
    return value, v, p, p * (v - p @ v) ** 2 / value


def random_logits(random, outcomes, radius):
    """Centred logits of norm `radius` whose entries repeat: they take 2 .. K normal values."""
    levels = random.normal(size=random.integers(2, outcomes + 1))
    z = levels[np.concatenate([[0, 1], random.integers(0, len(levels), size=outcomes - 2)])]
    z = random.permutation(z - z.mean())
    return z * (radius / np.linalg.norm(z))


# --- The eigenvalue -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcomes", [2, 3, 4, 6, 9])
def test_eigenvalue_against_lapack(outcomes):
    random = np.random.Generator(np.random.PCG64DXSM(outcomes))
    for _ in range(200):
        z = random_logits(random, outcomes, random.uniform(0.01, 3))
        # LAPACK is off by a few EPS, lambda is at least min(p) >= exp(-3 sqrt(2)) / 9 = 1.6e-3.
        assert log_lambda(z) == pytest.approx(log_lambda_by_lapack(z), abs=1e-12)


def mpmath_log_lambda(z):
    """log lambda with 60 digits, to which the eigenvalues keep more than 30 for logits of norm <= 30."""
    with mpmath.workdps(60):
        weights = [mpmath.exp(mpmath.mpf(float(v))) for v in z]
        p = mpmath.matrix(weights) / mpmath.fsum(weights)
        matrix = mpmath.diag(list(p)) - p * p.T
        return float(mpmath.log(sorted(mpmath.eigsy(matrix, eigvals_only=True))[1]))


@pytest.mark.parametrize("radius", [0.5, 5.0, 30.0])
def test_eigenvalue_against_sixty_digits(radius):
    random = np.random.Generator(np.random.PCG64DXSM(5))
    for outcomes in (2, 3, 4, 6):
        for _ in range(8):
            z = random_logits(random, outcomes, radius)
            # A difference of logits rounds by EPS |z|, the bisection and the logarithm by a few EPS (1 + |log lambda|).
            assert log_lambda(z) == pytest.approx(mpmath_log_lambda(z), abs=8 * EPS * (1 + 3 * radius))


@pytest.mark.parametrize("separation", [1e-15, 1e-12, 1e-8, 1e-4])
def test_eigenvalue_at_near_ties(separation):
    """At p_1 = p_2 the secular equation loses its root; just beside it the root is still found."""
    for z in ([0.0, separation, 3.0], [-5.0, -5.0 + 4 * separation, -5.0 + 8 * separation, 5.0]):
        assert log_lambda(np.array(z)) == pytest.approx(mpmath_log_lambda(z), abs=64 * EPS)  # |z| <= 5, as above


def test_eigenvalue_by_hand():
    # p = (1/2, 1/4, 1/4): the smallest probability occurs twice, so lambda = 1/4.
    assert log_lambda(np.log([2.0, 1.0, 1.0])) == pytest.approx(math.log(1 / 4), abs=8 * EPS)
    # p = (1/5, 2/5, 2/5): v = (2, -1, -1)/sqrt(6), Var_p(v) = (3/sqrt(6))^2 (1/5)(4/5) = 6/25.
    assert log_lambda(np.log([1.0, 2.0, 2.0])) == pytest.approx(math.log(6 / 25), abs=8 * EPS)
    # K = 2: lambda = 2 p (1 - p).
    assert log_lambda(np.log([1.0, 3.0])) == pytest.approx(math.log(3 / 8), abs=8 * EPS)
    # Equal probabilities: the matrix is (I - 11^T/K)/K.
    assert log_second_eigenvalue(np.zeros(1), np.array([5])) == pytest.approx(-math.log(5), abs=4 * EPS)
    # Huge logits: (0, 1000, 2000) has p_min = e^-2000 and nothing near it, u = 1/2 up to e^-1000.
    assert log_lambda(np.array([0.0, 1000.0, 2000.0])) == pytest.approx(math.log(1.5) - 2000, abs=2000 * EPS)


# --- The three facts of the docstring -----------------------------------------------------------------------------------


def test_derivative_of_the_logarithm():
    """d log lambda = E_q[dz] - E_p[dz], by central differences (step 1e-5: truncation 1e-10, rounding 1e-16/1e-5/lambda)."""
    random = np.random.Generator(np.random.PCG64DXSM(6))
    for outcomes in (2, 3, 5):
        z, direction = random.normal(size=(2, outcomes))  # distinct logits, so log lambda is smooth
        _, _, p, q = eigenvector(z)
        slope = (log_lambda(z + 1e-5 * direction) - log_lambda(z - 1e-5 * direction)) / 2e-5
        assert slope == pytest.approx((q - p) @ direction, abs=1e-8)
        assert q.sum() == pytest.approx(1, abs=1e-12)
        assert q.min() >= 0


vectors = st.integers(2, 7).flatmap(lambda k: st.tuples(*[arrays(float, k, elements=st.floats(-20, 20))] * 2))


@properties
@given(vectors)
@example((np.array([15.0, -15.0]), np.array([14.0, -14.0])))
def test_fact_one_lipschitz(pair):
    a, b = pair
    step = a - b
    change = abs(log_lambda(a) - log_lambda(b))
    assert change <= np.ptp(step) + 4e-13  # two logarithms of size <= 45, each off by at most 8 EPS (1 + 60)
    assert np.ptp(step) <= math.sqrt(2) * np.linalg.norm(step) * (1 + 4 * EPS) + 1e-150  # squares underflow


def test_fact_one_is_sharp():
    """With K = 2 and far from 0 the logarithm moves by max - min of the step: sqrt(2) cannot be replaced by less."""
    a, b = np.array([15.0, -15.0]), np.array([14.0, -14.0])
    change = abs(log_lambda(a) - log_lambda(b))
    assert change == pytest.approx(math.sqrt(2) * np.linalg.norm(a - b), rel=1e-11)  # 2 p (1 - p) = 2 e^-2s (1 - 2 e^-2s)


@properties
@given(arrays(float, st.integers(2, 7), elements=st.floats(-5, 5)))
@example(np.array([0.0, 0.0, 1.0]))
@example(np.array([0.0, 0.0, 0.0, 3.0, 3.0]))
@example(np.array([-1.0, 1e-9, -1e-9, 1.0]))
def test_fact_two_monotone_along_rays(z):
    values = [log_lambda(scale * z) for scale in np.linspace(0, 4, 41)]
    assert (np.diff(values) <= 4e-13).all()  # rounding, as above


@properties
@given(arrays(float, st.integers(2, 7), elements=st.floats(-4, 4)))
def test_fact_two_q_over_p_decreases(z):
    value, _, p, q = eigenvector(z)
    order = np.sort(p)
    assert order[0] <= value * (1 + 1e-9) <= order[1] * (1 + 2e-9)  # interlacing, so only the smallest p is below lambda
    harmonic = 2 * order[0] * order[1] / (order[0] + order[1])
    assert value <= harmonic * (1 + 1e-9)  # hence |p_1 - lambda| <= |p_2 - lambda|
    if order[1] > order[0] * (1 + 1e-3):  # beside a tie eigh cannot resolve v
        ratio = (q / p)[np.argsort(p)]
        assert (np.diff(ratio) <= 1e-7 * ratio.max()).all()  # v is good to EPS / (gap between eigenvalues) > EPS / 1e-8


def level_count(z, tolerance):
    return 1 + int((np.diff(np.sort(z)) > tolerance).sum())


@cache
def descents(outcomes, radius, convention, starts):
    """Local minima of log lambda, from `starts` starts, by BFGS in all K coordinates with the gradient q - p.

    The feasible set is reached through charts: z = radius y / ||y|| on the sphere, z = radius sin(y) on the cube.
    """

    def objective(y):
        if convention == "frobenius":
            centred = y - y.mean()
            length = np.linalg.norm(centred)
            value, _, p, q = eigenvector(radius * centred / length)
            slope = (q - p) - (q - p).mean()
            return math.log(value), radius * (slope - centred * (slope @ centred) / length**2) / length
        value, _, p, q = eigenvector(radius * np.sin(y))
        return math.log(value), (q - p) * radius * np.cos(y)

    random = np.random.Generator(np.random.PCG64DXSM(outcomes))
    found = []
    for _ in range(starts):
        result = minimize(objective, 2 * random.normal(size=outcomes), jac=True, method="BFGS", options={"gtol": 1e-9})
        centred = result.x - result.x.mean()
        z = radius * (centred / np.linalg.norm(centred) if convention == "frobenius" else np.sin(result.x))
        found.append((result.fun, z))
    return sorted(found, key=lambda pair: pair[0])


SEARCHES = [(k, r, c) for k in (3, 4, 5, 6) for r in (0.3, 1.0, 2.5, 5.0) for c in ("frobenius", "rows")]


@pytest.mark.parametrize(("outcomes", "radius", "convention"), SEARCHES)
def test_independent_search(outcomes, radius, convention):
    certified = kappa(outcomes, radius, convention)
    found = math.exp(-descents(outcomes, radius, convention, 12)[0][0])
    # LAPACK's lambda is off by a few EPS; lambda >= exp(-10) / 6 = 7.6e-6 here.
    assert found <= certified.upper * (1 + 1e-10)
    assert found >= certified.lower * (1 - 1e-6)


@pytest.mark.parametrize(("outcomes", "radius"), [(5, 1.0), (5, 5.0), (6, 2.5), (6, 5.0)])
def test_fact_three_levels_at_the_minimum(outcomes, radius):
    """At most four levels, one coordinate below lambda, and a stationary point: q - p parallel to z."""
    best = descents(outcomes, radius, "frobenius", 12)[0][0]
    minima = [z for value, z in descents(outcomes, radius, "frobenius", 12) if value < best + 1e-9]
    for z in minima:
        # BFGS stops at a gradient of 1e-9 or at rounding in log lambda (1e-11 at lambda = 1e-5), so z is good to
        # sqrt(1e-11) = 3e-6 along weakly curved directions; distinct levels are 0.1 apart.
        assert level_count(z, 1e-3) <= 4
        _, _, p, q = eigenvector(z)
        slope = (q - p) @ z / (z @ z)
        np.testing.assert_allclose(q - p, slope * z, atol=1e-4)
        assert slope <= 0
        levels, sizes = np.unique(np.round(z, 2), return_counts=True)
        assert sizes[levels.argmin()] == 1
        assert (sizes > 1).sum() <= 1  # the second-order condition lets only one level repeat


def test_second_derivative_along_level_directions():
    """On E_q[dz] = E_p[dz], d^2 log lambda = -sum_k (p_k + q_k (p_k + lambda)/(p_k - lambda)) (dz_k - E_p[dz])^2.

    A closed form that the docstring does not need; with it, at a minimum only one level can repeat: swapping two equal
    coordinates away from each other would lower lambda at the other levels.
    """
    random = np.random.Generator(np.random.PCG64DXSM(7))
    for outcomes in (3, 4, 6):
        z, direction = random.normal(size=(2, outcomes))
        value, _, p, q = eigenvector(z)
        direction -= (q - p) * ((q - p) @ direction) / ((q - p) @ (q - p))
        expected = -((p + q * (p + value) / (p - value)) * (direction - p @ direction) ** 2).sum()
        h = 1e-3  # truncation h^2 = 1e-6 times a fourth derivative of order one, rounding 1e-15 / h^2
        second = (log_lambda(z + h * direction) - 2 * log_lambda(z) + log_lambda(z - h * direction)) / h**2
        assert second == pytest.approx(expected, rel=1e-4, abs=1e-4)


# --- kappa itself -------------------------------------------------------------------------------------------------------


def sigmoid(s):
    return 1 / (1 + math.exp(-s))


@pytest.mark.parametrize("radius", [1e-3, 0.5, 1.0, 4.0, 20.0])
def test_two_outcomes(radius):
    """Frobenius: z = (r, -r)/sqrt(2), p = sigmoid(sqrt(2) r). Rows: z = (r, -r), p = sigmoid(2 r). kappa = 1/(2 p (1-p))."""
    for convention, s in (("frobenius", math.sqrt(2) * radius), ("rows", 2 * radius)):
        certified = kappa(2, radius, convention)
        exact = 1 / (2 * sigmoid(s) * sigmoid(-s))
        # Half of the certified gap (1e-12 or 1e-8), and the rounding of an exponent of size <= 40.
        assert certified.lower == pytest.approx(exact, rel=1e-13)
        assert certified.lower <= certified.upper <= certified.lower * (1 + 2e-8)


@pytest.mark.parametrize("outcomes", [2, 3, 4, 5, 8, 15])
@pytest.mark.parametrize("radius", [0.01, 1.0, 6.0])
def test_rows_in_closed_form(outcomes, radius):
    """lambda is concave in p (a minimum of variances), and {p : p_i <= e^{2r} p_j} has extreme points of two levels only.

    The best has one coordinate at -r, so kappa = (1 + (K-1) e^{2r})^2 / (K e^{2r}).
    """
    growth = math.exp(2 * radius)
    exact = (1 + (outcomes - 1) * growth) ** 2 / (outcomes * growth)
    certified = kappa(outcomes, radius, "rows")
    assert certified.lower == pytest.approx(exact, rel=1e-12)  # rounding of exponents of size <= 12
    assert certified.upper >= exact
    assert certified.gap <= 2e-8


@pytest.mark.parametrize("convention", ["frobenius", "rows"])
@pytest.mark.parametrize("outcomes", [2, 3, 4, 6])
@pytest.mark.parametrize("radius", [0.1, 2.0, 5.0])
def test_logits_attain_the_lower_value(convention, outcomes, radius):
    certified = kappa(outcomes, radius, convention)
    z = np.array(certified.logits)
    assert z.shape == (outcomes,)
    assert (np.diff(z) <= 0).all()
    if convention == "frobenius":
        assert np.linalg.norm(z) == pytest.approx(radius, rel=1e-13)
        assert abs(z.sum()) <= 1e-13 * radius
    else:
        assert np.abs(z).max() == radius
    # lambda >= exp(-10) / 6 = 7.6e-6 and LAPACK is off by a few EPS.
    assert 1 / np.linalg.eigvalsh(softmax_jacobian(z))[1] == pytest.approx(certified.lower, rel=1e-9)


@pytest.mark.parametrize("outcomes", [2, 3, 4, 5])
def test_kappa_grows_with_the_radius_and_rows_contain_the_ball(outcomes):
    radii = (0.2, 0.7, 1.5, 3.0)
    ball = [kappa(outcomes, r) for r in radii]
    assert all(small.upper < large.lower for small, large in pairwise(ball))
    for r, inside in zip(radii, ball, strict=True):
        assert inside.lower <= kappa(outcomes, r, "rows").upper


@pytest.mark.parametrize("convention", ["frobenius", "rows"])
@pytest.mark.parametrize(("outcomes", "radius"), [(2, 0.1), (2, 3.0), (3, 1.0), (4, 0.1), (5, 2.0), (6, 1.5)])
def test_weyl_bound(convention, outcomes, radius):
    bound = printed_bounds(outcomes, radius)["weyl_upper"]
    assert bound == pytest.approx(outcomes * math.exp(2 * radius), rel=4 * EPS)
    assert kappa(outcomes, radius, convention).upper <= bound


def test_printed_bounds_by_hand():
    # S X = log 2: e^{SX} = 2, e^{2SX} = 4.
    assert printed_bounds(4, math.log(2)) == pytest.approx(
        {"weyl_upper": 16.0, "main_lower": (1 + 2 * 2) / (2 / 4), "even_lower": 1 + 4.0}, rel=1e-14
    )


def test_small_radius_limit():
    """lambda = 1/K + (smallest eigenvalue of the centred diag(z)) / K + O(r^2).

    On the sphere the best z is proportional to (1-K, 1, ..., 1), for which the first-order term is -r (K-2)/sqrt(K(K-1)).
    """
    outcomes, radius = 4, 1e-4
    slope = (outcomes - 2) / math.sqrt(outcomes * (outcomes - 1))
    certified = kappa(outcomes, radius)
    assert certified.lower == pytest.approx(outcomes * (1 + slope * radius), rel=10 * radius**2)  # second order


# --- The search ---------------------------------------------------------------------------------------------------------


def test_partitions():
    assert list(partitions(6, 3)) == [(4, 1, 1), (3, 2, 1), (2, 2, 2)]
    assert list(partitions(3, 3)) == [(1, 1, 1)]
    assert list(partitions(2, 3)) == []


@pytest.mark.parametrize("outcomes", [2, 3, 4, 6, 8])
def test_sphere_charts(outcomes):
    """Every chart maps into the sphere of 1^perp, with the multiplicities it says, and is no steeper than it says."""
    radius, random = 40.0, np.random.Generator(np.random.PCG64DXSM(8))
    for face in sphere_faces(outcomes, radius):
        u = random.uniform(-1, 1, size=(50, face.dimension))
        step = 1e-3 * random.normal(size=u.shape)
        levels, nearby = face.levels(u), face.levels(u + step)
        np.testing.assert_allclose(levels**2 @ face.multiplicity, radius**2, rtol=1e-12)  # rounding of five terms
        np.testing.assert_allclose(levels @ face.multiplicity, 0, atol=1e-12 * radius)
        assert face.multiplicity.sum() == outcomes
        change = module.evaluate(levels, face.multiplicity) - module.evaluate(nearby, face.multiplicity)
        # sqrt(2) is needed: see `test_fact_one_is_sharp`; the chart's projection onto the sphere never stretches.
        assert face.lipschitz == pytest.approx(math.sqrt(2) * radius, rel=4 * EPS)
        assert (np.abs(change) <= face.lipschitz * np.linalg.norm(step, axis=1) + 1e-12).all()  # rounding at |z| = 40


@pytest.mark.parametrize("outcomes", [3, 4, 5])
def test_sphere_charts_cover_the_sphere(outcomes):
    """Every point with at most four levels lies in a chart, at coordinates in [-1, 1]."""
    radius, random = 2.0, np.random.Generator(np.random.PCG64DXSM(9))
    for _ in range(50):
        z = random_logits(random, outcomes, radius)
        if len(np.unique(z)) > 4:
            continue
        assert any(contains(face, z) for face in sphere_faces(outcomes, radius))


def contains(face, z):
    """Whether some assignment of the face's levels to coordinates gives z, up to rounding."""
    for order in set(permutations(np.repeat(np.arange(len(face.multiplicity)), face.multiplicity).tolist())):
        groups = [z[np.array(order) == i] for i in range(len(face.multiplicity))]
        if max(np.ptp(group) for group in groups) > 0:
            continue
        levels = np.array([group[0] for group in groups])
        coordinates = np.linalg.lstsq(np.vstack([face.origin, face.axes]).T, levels, rcond=None)[0]
        if coordinates[0] > 0 and (np.abs(coordinates[1:]) <= coordinates[0] * (1 + 1e-9)).all():
            return True
    return False


def symmetric_test_function(levels, multiplicity):
    """A symmetric function, 0 where the second-smallest logit is -0.3 and the largest 1; Lipschitz as log lambda is."""
    z = np.sort(np.repeat(levels, multiplicity, axis=1), axis=1)
    return np.maximum(np.abs(z[:, 1] + 0.3), np.abs(z[:, -1] - 1))


def test_search_finds_the_minimum_of_any_symmetric_lipschitz_function(monkeypatch):
    """A cell that is dropped holds nothing better, or only what an exchange of equal levels finds in another cell."""
    monkeypatch.setattr(module, "evaluate", symmetric_test_function)
    attained, certified, logits = minimise_over(list(sphere_faces(5, 2.0)))
    assert 0 <= attained <= 5e-4  # the search's tolerance for a sphere of dimension two
    assert certified <= 0
    assert np.sort(logits)[[1, -1]] == pytest.approx([-0.3, 1], abs=5e-4)


def test_search_of_the_cube_finds_the_minimum_of_any_symmetric_lipschitz_function(monkeypatch):
    monkeypatch.setattr(module, "evaluate", symmetric_test_function)
    attained, _, _ = minimise_over(list(module.cube_faces(3, 1.0)))
    assert 0 <= attained <= 1e-8  # the search's tolerance for an interval


def test_radius_whose_kappa_is_beyond_floats():
    with pytest.raises(InputError) as caught:
        kappa(2, 600.0)
    assert caught.value.field == "radius"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((1, 1.0), "outcomes"),
        ((0, 1.0), "outcomes"),
        ((2.5, 1.0), "outcomes"),
        (("3", 1.0), "outcomes"),
        ((None, 1.0), "outcomes"),
        ((True, 1.0), "outcomes"),
        ((math.inf, 1.0), "outcomes"),
        ((3, 0.0), "radius"),
        ((3, -1.0), "radius"),
        ((3, math.nan), "radius"),
        ((3, math.inf), "radius"),
        ((3, "1"), "radius"),
        ((3, None), "radius"),
        ((3, 1.0, "spectral"), "convention"),
        ((3, 1.0, None), "convention"),
    ],
)
def test_bad_arguments(arguments, field):
    with pytest.raises(InputError) as caught:
        kappa(*arguments)
    assert caught.value.field == field
