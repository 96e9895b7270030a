"""kappa: the eigenvalue, the proof in the module's docstring step by step, the certificate, and independent searches.

Notation as there: p = mu(z), lambda = lambda_{K-1}(grad mu(z)), y = log(p/lambda), t, s, q, and v the unit eigenvector.
"""

import math
from functools import cache
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from mnlbandits.errors import InputError
from mnlbandits.model.kappa import kappa, levels_on_arc, log_second_eigenvalue, printed_bounds, steepest_bend
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


# --- The docstring: derivatives, step (1) -------------------------------------------------------------------------------


def test_derivative_of_the_logarithm():
    """(log kappa)' = E_p[z'] - E_q[z'], by central differences (step 1e-5: truncation 1e-10, rounding 1e-16/1e-5/lambda)."""
    random = np.random.Generator(np.random.PCG64DXSM(6))
    for outcomes in (2, 3, 5):
        z, direction = random.normal(size=(2, outcomes))  # distinct logits, so log lambda is smooth
        _, _, p, q = eigenvector(z)
        slope = (log_lambda(z - 1e-5 * direction) - log_lambda(z + 1e-5 * direction)) / 2e-5
        assert slope == pytest.approx((p - q) @ direction, abs=1e-8)
        assert q.sum() == pytest.approx(1, abs=1e-12)
        assert q.min() >= 0


def second_derivative(z, velocity):
    """(log kappa)'' along a great circle through z, by (1): z'' = -||z'||^2 z / ||z||^2. And y, t and q."""
    _, _, p, q = eigenvector(z)
    y = np.log(p) - log_lambda(z)
    t = -1 / np.expm1(-y)
    spread = p @ velocity**2 - (p @ velocity) ** 2
    bend = -(velocity @ velocity) / (z @ z) * ((p - q) @ z)
    return spread + q * (2 * t - 1) @ (velocity - q @ velocity) ** 2 + bend, y, t, q


def test_second_derivative():
    random = np.random.Generator(np.random.PCG64DXSM(7))
    for outcomes in (3, 4, 6):
        z, velocity = random.normal(size=(2, outcomes))
        velocity -= z * (velocity @ z) / (z @ z)
        value, y, t, q = second_derivative(z, velocity)
        turn = np.linalg.norm(velocity) / np.linalg.norm(z)
        h = 1e-3  # truncation h^2 = 1e-6 times a fourth derivative of order one, rounding 1e-15 / h^2
        ends = [log_lambda(z * math.cos(turn * e) + velocity * math.sin(turn * e) / turn) for e in (-h, h)]
        assert value == pytest.approx((2 * log_lambda(z) - sum(ends)) / h**2, rel=1e-4, abs=1e-4)
        s = 1 / (4 * np.sinh(y / 2) ** 2)
        assert t.sum() == pytest.approx(0, abs=1e-9 * np.abs(t).max())  # the secular equation
        np.testing.assert_allclose(t * (t - 1), s, rtol=1e-9)
        np.testing.assert_allclose(q, s / s.sum(), rtol=1e-7)  # LAPACK's v


vectors = st.integers(2, 7).flatmap(lambda k: st.tuples(*[arrays(float, k, elements=st.floats(-20, 20))] * 2))


@properties
@given(vectors)
@example((np.array([15.0, -15.0]), np.array([14.0, -14.0])))
def test_lipschitz(pair):
    a, b = pair
    step = a - b
    change = abs(log_lambda(a) - log_lambda(b))
    assert change <= np.ptp(step) + 4e-13  # two logarithms of size <= 45, each off by at most 8 EPS (1 + 60)
    assert np.ptp(step) <= math.sqrt(2) * np.linalg.norm(step) * (1 + 4 * EPS) + 1e-150  # squares underflow


def test_lipschitz_is_sharp():
    """With K = 2 and far from 0 the logarithm moves by max - min of the step: sqrt(2) cannot be replaced by less."""
    a, b = np.array([15.0, -15.0]), np.array([14.0, -14.0])
    change = abs(log_lambda(a) - log_lambda(b))
    assert change == pytest.approx(math.sqrt(2) * np.linalg.norm(a - b), rel=1e-11)  # 2 p (1 - p) = 2 e^-2s (1 - 2 e^-2s)


@properties
@given(arrays(float, st.integers(2, 7), elements=st.floats(-5, 5)))
@example(np.array([0.0, 0.0, 1.0]))
@example(np.array([0.0, 0.0, 0.0, 3.0, 3.0]))
@example(np.array([-1.0, 1e-9, -1e-9, 1.0]))
def test_kappa_grows_along_rays(z):
    values = [log_lambda(scale * z) for scale in np.linspace(0, 4, 41)]
    assert (np.diff(values) <= 4e-13).all()  # rounding, as above


@properties
@given(arrays(float, st.integers(2, 7), elements=st.floats(-4, 4)))
def test_q_over_p_decreases(z):
    value, _, p, q = eigenvector(z)
    order = np.sort(p)
    assert order[0] <= value * (1 + 1e-9) <= order[1] * (1 + 2e-9)  # interlacing, so only the smallest p is below lambda
    harmonic = 2 * order[0] * order[1] / (order[0] + order[1])
    assert value <= harmonic * (1 + 1e-9)  # hence |p_1 - lambda| <= |p_2 - lambda|
    if order[1] > order[0] * (1 + 1e-3):  # beside a tie eigh cannot resolve v
        ratio = (q / p)[np.argsort(p)]
        assert (np.diff(ratio) <= 1e-7 * ratio.max()).all()  # v is good to EPS / (gap between eigenvalues) > EPS / 1e-8


# --- The docstring: three levels, steps (2) to (6) ----------------------------------------------------------------------


def test_a_tie_of_the_lowest_is_not_a_maximum():
    """Step (2): what moving the tied coordinates apart gives, and the two inequalities behind its sign."""
    random = np.random.Generator(np.random.PCG64DXSM(12))
    for outcomes in (4, 5, 9):
        z = np.append([0.0, 0.0], 0.3 + random.exponential(size=outcomes - 2))
        A, p = np.sort(z)[2], softmax(z)
        others = (1 / -np.expm1(-z[2:])).sum()
        e = 1e-3  # truncation of fourth order
        apart = (log_lambda(z) - log_lambda(z + np.append([-e, e], np.zeros(outcomes - 2)))) / e**2
        assert apart == pytest.approx(p[0] + (1 + others) / 2, rel=1e-4)
        assert others > 1 / A + 3 / 2
        assert np.sort(p)[2] - p[0] <= A / 2


@st.composite
def outcomes_above_the_lowest(draw):
    """t, tau and the t of one to four others, all above 1, with tau < t."""
    t = 1 + 10 ** draw(st.floats(-3, 4))
    tau = 1 + (t - 1) * draw(st.floats(1e-6, 1 - 1e-4))
    return t, tau, [1 + 10 ** draw(st.floats(-6, 5)) for _ in range(draw(st.integers(1, 4)))]


def gap_of(t):
    """|y| where t = 1/(1 - e^{-y})."""
    return math.log1p(1 / (t - 1))


@settings(derandomize=True, max_examples=1000, deadline=None)
@given(outcomes_above_the_lowest())
@example((1.6, 1 + 1e-6, [1 + 1e-6]))
@example((1.6000001, 1 + 1e-6, [1 + 1e-6]))
@example((1.6000001, 1.5, [1 + 1e-6]))
def test_steps_five_and_six(drawn):
    """At t <= 1.6 step (5) excludes the point, above 1.6 step (6) does."""
    t, tau, others = drawn
    T = t + tau + sum(others)
    A, B = gap_of(tau) - gap_of(t), gap_of(t) + gap_of(T + 1)
    low, high = (T + t) * (T - t + 1) / B, (t - tau) * (t + tau - 1) / A
    if t <= 1.6:
        assert 2 * t**2 * (t - 1) * (3 * t - 2) * (gap_of(t) + math.log(4 / 3)) < 10.92
        assert 2 * t**2 * (t - 1) * (3 * t - 2) < low
    else:
        one_over_N = T * (T + 1) + sum(each * (each - 1) for each in (t, tau, *others))
        assert low - high > 0.5 * one_over_N
        x, xi = t - 0.5, tau - 0.5
        d = T + 0.5 - x - xi
        X = x + xi + d
        assert one_over_N <= (X**2 + x**2 + xi**2 + d**2 - 4 * d + 3) * (1 + 1e-12)
        assert high <= x * xi * (x + xi) * (1 + 1e-9)  # A is a difference
        assert low >= x * X * (X - x) / 1.08
        left = 1.85 * x * d * (x + 2 * xi + d) - 0.4 * x
        assert left > X**2 + x**2 + xi**2 + d**2 - 4 * d + 3
        assert 2 * x * (X * (X - x) / (x * gap_of(t)) - xi * (x + xi)) >= left * (1 - 1e-12)


def test_no_second_coordinate_on_the_rising_branch():
    """Steps (4) to (6): if h(b) = 0 and h'(b) > 0 > h''(b), then h < 0 at every other level with p <= 1/2."""
    random, seen = np.random.Generator(np.random.PCG64DXSM(13)), 0
    for _ in range(20_000):
        outcomes, scale = random.integers(4, 12), 10 ** random.uniform(-2, 1.3)
        y = np.sort(scale * np.exp(random.normal(size=outcomes - 1) * random.uniform(0.1, 2)))
        if y[-1] > 300 or y[1] < y[0] * (1 + 1e-3) or y[0] < 1e-3:
            continue
        t = -1 / np.expm1(-y)
        y, t = np.append(-math.log1p(1 / t.sum()), y), np.append(-t.sum(), t)
        p, s = np.exp(y) / np.exp(y).sum(), t * (t - 1)
        q, N = s / s.sum(), 1 / s.sum()
        nu = (q[0] - q[1] + p[1] - p[0]) / (y[1] - y[0])
        if p[1] + q[1] * (2 * t[1] - 1) > nu and p[1] < N * s[1] * (6 * s[1] + 1):
            seen += 1
            h = p - q - nu * (y - y[1]) - (p[1] - q[1])
            assert (h[2:][p[2:] <= 0.5] < 0).all()
    assert seen > 2000


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
    assert found >= certified.value * (1 - 1e-9)


@pytest.mark.parametrize(("outcomes", "radius"), [(4, 1.0), (4, 5.0), (5, 1.0), (5, 5.0), (6, 2.5), (6, 5.0)])
def test_three_levels_at_the_maximum(outcomes, radius):
    """The coordinates between the lowest and the highest agree, and p - q is parallel to z."""
    best = descents(outcomes, radius, "frobenius", 12)[0][0]
    maxima = [z for value, z in descents(outcomes, radius, "frobenius", 12) if value < best + 1e-9]
    for z in maxima:
        # BFGS stops at a gradient of 1e-9 or at rounding in log lambda (1e-11 at lambda = 1e-5), so z is good to
        # sqrt(1e-11) = 3e-6 along weakly curved directions; distinct levels are 0.1 apart.
        middle = np.sort(z)[1:-1]
        assert np.ptp(middle) <= 1e-3
        assert z.min() < middle.min() - 0.1
        _, _, p, q = eigenvector(z)
        nu = (p - q) @ z / (z @ z)
        np.testing.assert_allclose(p - q, nu * z, atol=1e-4)
        assert nu >= 0


def chamber(outcomes, cells):
    """Unit vectors of 1^perp with increasing entries: a grid of `cells` per edge on that simplex of the sphere."""
    corners = np.array([[j - outcomes] * j + [j] * (outcomes - j) for j in range(1, outcomes)], dtype=float)
    corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    steps = np.array([u for u in np.ndindex(*(cells + 1,) * (outcomes - 2)) if sum(u) <= cells])
    points = np.column_stack([steps, cells - steps.sum(axis=1)]) @ corners
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@pytest.mark.parametrize(("outcomes", "cells"), [(3, 3000), (4, 150), (5, 30)])
@pytest.mark.parametrize("radius", [0.1, 1.0, 2.7, 5.0])
def test_whole_sphere(outcomes, cells, radius):
    """No point of a grid on the whole sphere, up to relabelling, beats the upper value, and one comes close."""
    p = softmax(radius * chamber(outcomes, cells))
    largest = 1 / np.linalg.eigvalsh(p[:, :, None] * (np.eye(outcomes) - p[:, None, :]))[:, 1].min()
    certified = kappa(outcomes, radius)
    assert largest <= certified.upper * (1 + 1e-10)  # LAPACK, as above
    assert largest >= certified.value * (1 - 2 * (radius / cells) ** 2 - 1e-9)  # at the maximum the slope is 0


# --- The docstring: the search, step (7) --------------------------------------------------------------------------------


@pytest.mark.parametrize("outcomes", [3, 4, 10, 30])
@pytest.mark.parametrize("radius", [1e-3, 0.3, 2.0, 6.0])
def test_arc(outcomes, radius):
    """A great circle from (1-K, 1, ..., 1) to (-1, ..., -1, K-1), and (log kappa)'' >= -M."""
    length, multiplicity = math.acos(1 / (outcomes - 1)), np.array([1, outcomes - 2, 1])

    def at(angle):
        return np.repeat(levels_on_arc(outcomes, radius, angle), multiplicity)

    ends = np.append(1 - outcomes, np.ones(outcomes - 1)), np.append(-np.ones(outcomes - 1), outcomes - 1)
    for angle, end in zip((0.0, length), ends, strict=True):
        np.testing.assert_allclose(at(angle), radius * end / np.linalg.norm(end), atol=1e-14 * radius)
    for angle in np.linspace(0, 0.98 * length, 50):
        z, velocity = at(angle), at(angle + math.pi / 2)
        assert np.linalg.norm(z) == pytest.approx(radius, rel=1e-12)
        assert np.linalg.norm(velocity) == pytest.approx(radius, rel=1e-12)
        assert z @ velocity == pytest.approx(0, abs=1e-12 * radius**2)
        bend, (low, middle, _) = second_derivative(z, velocity)[0], levels_on_arc(outcomes, radius, angle)
        assert bend >= -steepest_bend(outcomes, radius, middle - low) * (1 + 1e-9)


@pytest.mark.parametrize("outcomes", [3, 4, 6, 20, 50, 1000])
@pytest.mark.parametrize("radius", [1e-3, 1.0, 2.5, 2.75, 4.0, 8.0, 9.7, 20.0, 400.0])
def test_search_finds_the_best_of_the_arc(outcomes, radius):
    certified, multiplicity = kappa(outcomes, radius), np.array([1, outcomes - 2, 1])
    angles = np.linspace(0, math.acos(1 / (outcomes - 1)), 4001)
    grid = [-log_second_eigenvalue(levels_on_arc(outcomes, radius, angle), multiplicity) for angle in angles]
    assert max(grid) <= math.log(certified.upper)
    assert max(grid) >= math.log(certified.value) - 4 * radius * angles[1] ** 2  # the slope is 0 there; (log kappa)'' ~ r


# --- kappa itself -------------------------------------------------------------------------------------------------------


def sigmoid(s):
    return 1 / (1 + math.exp(-s))


@pytest.mark.parametrize("radius", [1e-3, 0.5, 1.0, 4.0, 20.0])
def test_two_outcomes(radius):
    """Frobenius: z = (r, -r)/sqrt(2), p = sigmoid(sqrt(2) r). Rows: z = (r, -r), p = sigmoid(2 r). kappa = 1/(2 p (1-p))."""
    for convention, s in (("frobenius", math.sqrt(2) * radius), ("rows", 2 * radius)):
        certified = kappa(2, radius, convention)
        exact = 1 / (2 * sigmoid(s) * sigmoid(-s))
        assert certified.value == pytest.approx(exact, rel=1e-13)  # the rounding of an exponent of size <= 40
        assert certified.lower <= exact <= certified.upper <= certified.lower * (1 + 1e-12)


@pytest.mark.parametrize("outcomes", [2, 3, 4, 5, 8, 15])
@pytest.mark.parametrize("radius", [0.01, 1.0, 6.0])
def test_rows_in_closed_form(outcomes, radius):
    """kappa = (1 + (K-1) e^{2r})^2 / (K e^{2r}), more than with m >= 2 coordinates at -r."""
    growth = math.exp(2 * radius)
    exact = (1 + (outcomes - 1) * growth) ** 2 / (outcomes * growth)
    certified = kappa(outcomes, radius, "rows")
    assert certified.value == pytest.approx(exact, rel=1e-13)  # rounding of exponents of size <= 12
    assert certified.lower <= exact <= certified.upper <= certified.lower * (1 + 1e-12)
    assert all(m + (outcomes - m) * growth < exact for m in range(2, outcomes + 1))


@pytest.mark.parametrize("convention", ["frobenius", "rows"])
@pytest.mark.parametrize("outcomes", [2, 3, 4, 6])
@pytest.mark.parametrize("radius", [0.1, 2.0, 5.0])
def test_logits_attain_the_value(convention, outcomes, radius):
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
    assert 1 / np.linalg.eigvalsh(softmax_jacobian(z))[1] == pytest.approx(certified.value, rel=1e-9)


def exact_at(levels, multiplicity):
    """1/lambda in 50 digits at three levels: lambda^2 - lambda sum_i m_i p_i (p_j + p_k) + K p_1 p_2 p_3 = 0."""
    with mpmath.workdps(50 + int(2 * np.abs(levels).max())):
        weights = [mpmath.exp(mpmath.mpf(float(z))) for z in levels]
        p = [w / mpmath.fdot(zip(map(int, multiplicity), weights, strict=True)) for w in weights]
        linear = mpmath.fsum(int(m) * each * (sum(p) - each) for m, each in zip(multiplicity, p, strict=True))
        constant = int(multiplicity.sum()) * p[0] * p[1] * p[2]
        return (linear + mpmath.sqrt(linear**2 - 4 * constant)) / (2 * constant)


@pytest.mark.parametrize("outcomes", [3, 4, 10, 20, 50, 200, 10_000])
@pytest.mark.parametrize("radius", [1e-6, 1e-3, 0.1, 1.0, 3.0, 10.0, 30.0, 100.0, 490.0])
def test_interval(outcomes, radius):
    """The gap is at most 2e-10, and kappa at the logits, to 50 digits, lies inside it."""
    certified = kappa(outcomes, radius)
    assert certified.lower <= certified.value <= certified.upper
    assert 0 < certified.gap <= 2e-10
    z = np.array(certified.logits)
    exact = exact_at(z[[-1, 1, 0]], np.array([1, outcomes - 2, 1]))
    assert certified.lower <= exact <= certified.upper
    assert abs(certified.value / exact - 1) <= 8 * EPS * (1 + 3 * radius + math.log(outcomes))


@pytest.mark.parametrize("outcomes", [4, 7, 20, 50, 200])
@pytest.mark.parametrize("radius", [1e-3, 0.7, 2.5, 4.0, 9.7, 15.0])
def test_no_logits_beat_the_upper_value(outcomes, radius):
    """Anywhere in the ball, and beside the logits that attain the value."""
    random, certified = np.random.Generator(np.random.PCG64DXSM(14)), kappa(outcomes, radius)
    best = np.array(certified.logits)
    for scale in (np.inf, 0.5, 0.1, 1e-2, 1e-3):
        for _ in range(60):
            z = random_logits(random, outcomes, radius)
            if scale < np.inf:
                z = best + scale * z
                z *= radius / np.linalg.norm(z - z.mean())
            assert -log_lambda(z * random.uniform(0.9, 1) ** random.integers(2)) <= math.log(certified.upper)


@pytest.mark.parametrize("outcomes", [4, 10, 50, 10_000])
def test_small_radii_in_closed_form(outcomes):
    """There the lowest coordinate stands alone: kappa = (1 + (K-1) E)^2 / (K E) with E = e^{r sqrt(K/(K-1))}."""
    for radius in (1e-6, 1e-2, 1.0):
        E = math.exp(radius * math.sqrt(outcomes / (outcomes - 1)))
        assert kappa(outcomes, radius).value == pytest.approx((1 + (outcomes - 1) * E) ** 2 / (outcomes * E), rel=1e-13)


@pytest.mark.parametrize("outcomes", [3, 10, 200])
def test_large_radii_in_closed_form(outcomes):
    """z = r (-1, 0, ..., 0, 1)/sqrt(2) up to e^{-r/sqrt(2)}: kappa = e^{sqrt(2) r} (K-1)/K."""
    for radius in (60.0, 300.0, 500.0):
        expected = math.sqrt(2) * radius + math.log1p(-1 / outcomes)
        assert math.log(kappa(outcomes, radius).value) == pytest.approx(expected, abs=1e-10)  # the search's tolerance


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


@pytest.mark.parametrize("outcomes", [2, 3, 1000])
def test_printed_bounds_beyond_floats(outcomes):
    largest = (math.log(np.finfo(float).max) - math.log(outcomes)) / 3
    assert max(printed_bounds(outcomes, largest * (1 - 1e-9)).values()) < math.inf
    with pytest.raises(InputError) as caught:
        printed_bounds(outcomes, largest * (1 + 1e-9))
    assert caught.value.field == "radius"


def test_small_radius_limit():
    """lambda = 1/K + (smallest eigenvalue of the centred diag(z)) / K + O(r^2).

    On the sphere the best z is proportional to (1-K, 1, ..., 1), for which the first-order term is -r (K-2)/sqrt(K(K-1)).
    """
    outcomes, radius = 4, 1e-4
    slope = (outcomes - 2) / math.sqrt(outcomes * (outcomes - 1))
    certified = kappa(outcomes, radius)
    assert certified.lower == pytest.approx(outcomes * (1 + slope * radius), rel=10 * radius**2)  # second order


@pytest.mark.parametrize("outcomes", [2, 3, 50])
@pytest.mark.parametrize(("convention", "largest"), [("frobenius", 501.9), ("rows", 354.8)])
def test_radius_whose_kappa_is_beyond_floats(outcomes, convention, largest):
    """log of the largest float is 709.78: sqrt(2) r or 2 r, plus log of (K-1)/K or (K-1)^2/K."""
    assert kappa(outcomes, largest - 2.5, convention).upper < math.inf
    for radius in (largest + 1, 1e3, 1e6, 1e300):
        with pytest.raises(InputError) as caught:
            kappa(outcomes, radius, convention)
        assert caught.value.field == "radius"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((1, 1.0), "outcomes"),
        ((0, 1.0), "outcomes"),
        ((10**7, 1.0), "outcomes"),
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
