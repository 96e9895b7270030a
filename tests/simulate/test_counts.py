"""The counts simulator: the greedy design, its diameter, and the law of the estimate, against play round by round."""

import math

import numpy as np
import pytest
from scipy.stats import chi2, chisquare, ks_2samp, kstest

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.base import ExplorationPlan
from mnlbandits.instances import make_instance
from mnlbandits.model.softmax import contrast_basis, softmax_jacobian
from mnlbandits.seeds import generator
from mnlbandits.simulators import counts, exact, simulate
from mnlbandits.simulators.runs import checkpoints

REAL = get_algorithm("real")
PAPER_HORIZON = 1e12
"""T with which the paper's exploration, some 1e10 to 1e12 rounds, ends within the horizon."""

FALSE_ALARM = 1e-4
"""Probability with which a statistical test here would fail for a fresh seed, shared among its parts (Bonferroni)."""

INSTANCES = {
    "circle": ("large-kappa-star", {"arms": 32}),
    "ball": ("random", {"outcomes": 5, "dim": 3, "norm": 2.0, "arms": 20, "seed": 2}),
    "line": ("random", {"outcomes": 2, "dim": 1, "arms": 3, "seed": 0}),
}


def build(name):
    return make_instance(name, *INSTANCES[name])


def begin(instance, horizon=PAPER_HORIZON, preset="paper", **options):
    """A fresh state of REAL and its exploration plan."""
    state = REAL.begin(instance, instance.problem(horizon, 0.05), preset, options)
    return state, REAL.exploration.plan(state)


def scores(arms, matrix):
    return (arms @ np.linalg.inv(matrix) * arms).sum(axis=1)


# The design.


@pytest.mark.parametrize("name", INSTANCES)
def test_greedy_counts_equal_exact_play(name):
    """Up to 1e6 rounds every pick is one pull, and the pulls are those of Algorithm 1 played round by round."""
    instance = build(name)
    state, plan = begin(instance)
    stops = np.array([1, 2, 10, 999, 10**5, 10**6])
    design = counts.explore(instance.arms, plan, stops)
    assert design.t.tolist() == stops.tolist()
    tally, stream, t = exact.new_tally(len(instance.arms)), generator("test", 0, name), 0
    pulls = tally.pulls
    for row, stop in enumerate(stops):
        exact.advance(REAL, state, instance, stream, t, int(stop), tally)
        t = int(stop)
        np.testing.assert_array_equal(design.pulls[row], pulls)
        # A = lambda_0 I + (1/kappa) sum of pulls x x^T; 1e6 additions of relative error 1e-16 each.
        matrix = plan.ridge * np.eye(instance.dim) + (instance.arms.T * (pulls / plan.kappa)) @ instance.arms
        np.testing.assert_allclose(state.design, matrix, rtol=1e-10, atol=1e-10 * matrix.max())
        assert design.largest[row] == pytest.approx(scores(instance.arms, matrix).max(), rel=1e-9)
    np.testing.assert_allclose(design.matrix, matrix, rtol=1e-10, atol=1e-10 * matrix.max())
    np.testing.assert_array_equal(state.counts.sum(axis=1), pulls)


@pytest.mark.parametrize(
    ("name", "resolution"),
    [
        *((name, 1000) for name in INSTANCES),
        ("circle", 100),
        ("line", 100),
        ("ball", 100),
    ],
)
def test_coarse_steps_stay_within_the_reported_excess(name, resolution):
    """The largest score of a design in steps of t / resolution is within its excess of the design of single pulls."""
    instance = build(name)
    _, plan = begin(instance)
    stops = np.array([10**6])
    fine, coarse = (counts.explore(instance.arms, plan, stops, r) for r in (10**6, resolution))
    assert coarse.pulls.sum() == fine.pulls.sum() == 10**6
    assert coarse.largest[0] <= fine.largest[0] * (1 + coarse.excess) * (1 + 1e-9)  # rounding as above
    assert fine.largest[0] <= coarse.largest[0] * (1 + fine.excess) * (1 + 1e-9)
    # A step moves a score by the relative size of the step, 1/resolution, times the dimension at most, up and down; the
    # certificate's tangent counts that twice, and is loose by the share of lambda_0 in A: 4 % in the ball, else below 1 %.
    assert -1e-9 <= coarse.excess <= 4 * instance.dim / resolution + plan.ridge * plan.kappa / 10**6


@pytest.mark.parametrize("name", INSTANCES)
def test_design_at_the_paper_tau(name):
    """All tau pulls are there, and the largest score is the optimal kappa d / tau of Kiefer and Wolfowitz up to the excess.

    lambda_0 lowers it: lambda_0 kappa / tau = 1/(336^2 K d log T) < 1e-7, times the d eigenvalues of A. A tenth of the usual
    resolution, so the last steps are 1e-5 of all pulls; they move a score by that, times the dimension at most.
    """
    instance = build(name)
    _, plan = begin(instance)
    design = counts.explore(instance.arms, plan, np.array([plan.tau]), resolution=10**5)
    assert int(design.t[0]) == plan.tau == design.pulls.sum()
    optimum = plan.kappa * instance.dim / plan.tau
    assert abs(design.excess) <= 1e-4
    assert design.largest[0] == pytest.approx(optimum, rel=2e-4)
    matrix = plan.ridge * np.eye(instance.dim) + (instance.arms.T * (design.pulls[0] / plan.kappa)) @ instance.arms
    np.testing.assert_allclose(design.matrix, matrix, rtol=1e-9, atol=1e-9 * matrix.max())  # 2e6 additions, 1e-16 each


def test_excess_is_a_certificate_at_any_ridge():
    arms = np.array([[-0.65, 0.76], [0.25, -0.97], [-0.14, -0.99]])
    arms /= np.linalg.norm(arms, axis=1, keepdims=True)
    kappa, ridge, rounds = 16.0, 2.4, 14
    design = counts.explore(arms, ExplorationPlan(kappa, ridge, rounds, 0.0, 1.0), np.array([rounds]))
    allocations = [(a, b, rounds - a - b) for a in range(rounds + 1) for b in range(rounds + 1 - a)]
    designs = [ridge * np.eye(2) + (arms.T * (np.array(a) / kappa)) @ arms for a in allocations]
    best = min(scores(arms, matrix).max() for matrix in designs)
    assert design.largest[0] <= best * (1 + design.excess)


def test_exploration_stops_at_its_target():
    instance = build("ball")
    _, plan = begin(instance)
    whole = counts.explore(instance.arms, plan, np.arange(1, 2001))
    target = float(whole.largest[1499])
    early = counts.explore(instance.arms, plan._replace(target=target), np.array([10, 1000, 1700, 2000]))
    first = int(whole.t[np.argmax(whole.largest <= target)])
    assert early.t.tolist() == [10, 1000, first, first]
    np.testing.assert_array_equal(early.pulls[2], whole.pulls[first - 1])
    assert early.largest[2] <= target < whole.largest[first - 2]
    nothing = counts.explore(instance.arms, plan._replace(target=1.0), np.array([5]))  # scores start at 1/lambda_0 < 1
    assert (nothing.t[0], nothing.pulls.sum(), nothing.excess) == (0, 0, 0)


# The diameter.


@pytest.mark.parametrize("name", INSTANCES)
def test_diameter_of_theta(name):
    """diam(Theta) = max ||(theta_1 - theta_2) x||: no pair of boundary points exceeds it, the rank-one pair attains it."""
    instance = build(name)
    state, plan = begin(instance)
    rounds = 1000
    pulls = np.zeros(len(instance.arms), dtype=np.int64)
    design = counts.explore(instance.arms, plan, np.array([rounds]))
    drawn = counts.draw_outcomes(instance, design.pulls[0], generator("test", 0, name))
    REAL.exploration.finish(state, design.matrix, drawn)
    np.testing.assert_array_equal(drawn.sum(axis=1), design.pulls[0])
    basis, centre = contrast_basis(instance.outcomes), state.learner.centre
    values, vectors = np.linalg.eigh(design.matrix)
    inverse_root = vectors / np.sqrt(values) @ vectors.T
    random = np.random.Generator(np.random.PCG64DXSM(1))

    def boundary(direction):
        """theta on the boundary of Theta, from a direction (K-1, d) in the whitened coordinates."""
        return basis @ (centre + plan.theta_radius * direction / np.linalg.norm(direction) @ inverse_root)

    def spread(one, two):
        return np.linalg.norm((one - two) @ instance.arms.T, axis=0).max()

    largest = 0.0
    for _ in range(300):
        direction, other = random.normal(size=(2, *centre.shape))
        one = boundary(direction)
        assert REAL.exploration.ratio(state, one) == pytest.approx(1, rel=1e-9)  # it is on the boundary
        largest = max(largest, spread(one, boundary(-direction)), spread(one, boundary(other)))
    assert largest <= design.diameters[0] * (1 + 1e-12)  # rounding of products of a few terms
    x = instance.arms[scores(instance.arms, design.matrix).argmax()]
    rank_one = np.outer(np.eye(instance.outcomes - 1)[0], inverse_root @ x)
    assert spread(boundary(rank_one), boundary(-rank_one)) == pytest.approx(design.diameters[0], rel=1e-9)
    assert not pulls.any()


# The law of the estimate.


def test_law_of_the_estimate():
    """Exploration ended by calibrated constants after some 4000 rounds: 1000 runs played exactly, 1000 by counts.

    A two-sample Kolmogorov-Smirnov test on each of the four coordinates of the estimate and on its distance from the
    common mean, each at level FALSE_ALARM / 5. It sees a shift of 0.3 standard deviations.
    """
    instance = make_instance("law", "random", {"outcomes": 3, "dim": 2, "arms": 7, "seed": 1})
    options = {"horizon": 1e4, "preset": "calibrated", "exploration_multiplier": 0.005}
    _, plan = begin(instance, **options)
    design = counts.explore(instance.arms, plan, np.array([plan.tau if plan.tau < 10**4 else 10**4]))
    rounds, runs = int(design.t[-1]), 1000
    assert 2000 < rounds < 10**4
    estimates = np.zeros((2, runs, 4))
    for run in range(runs):
        state, _ = begin(instance, **options)
        tally = exact.new_tally(7)
        exact.advance(REAL, state, instance, generator("law", 1, "exact", run), 0, rounds - 1, tally)
        assert not state.learning[0]
        exact.advance(REAL, state, instance, generator("law", 2, "last", run), rounds - 1, rounds, tally)
        assert state.learning[0]
        np.testing.assert_array_equal(tally.pulls, design.pulls[-1])
        estimates[0, run] = state.learner.centre.ravel()
        state, _ = begin(instance, **options)
        drawn = counts.draw_outcomes(instance, design.pulls[-1], generator("law", 3, "counts", run))
        REAL.exploration.finish(state, design.matrix, drawn)
        estimates[1, run] = state.learner.centre.ravel()
    played, drawn = estimates
    distances = np.linalg.norm(estimates - estimates.mean(axis=(0, 1)), axis=2)
    pairs = [*zip(played.T, drawn.T, strict=True), tuple(distances)]
    assert min(ks_2samp(a, b).pvalue for a, b in pairs) > FALSE_ALARM / len(pairs)


def test_multinomial_draws():
    """Counts per arm over 2000 draws of 50 pulls against mu(theta_* x): chi-square, level FALSE_ALARM over the arms.

    And their variance is multinomial, not zero: sum of squares over 50 p (1-p), whose relative standard error is
    sqrt(2/2000) = 0.032; five of them are allowed.
    """
    instance = build("ball")
    pulls = np.full(20, 50)
    pulls[3] = 0
    drawn = np.array([counts.draw_outcomes(instance, pulls, generator("test", 0, "draws", run)) for run in range(2000)])
    assert drawn.dtype == np.int64
    np.testing.assert_array_equal(drawn.sum(axis=2), np.broadcast_to(pulls, (2000, 20)))
    for arm in range(20):
        if arm == 3:
            continue
        p = instance.probabilities[arm]
        assert chisquare(drawn[:, arm].sum(axis=0), 2000 * 50 * p).pvalue > FALSE_ALARM / 19
        variance = ((drawn[:, arm, 0] - 50 * p[0]) ** 2).mean()
        assert variance == pytest.approx(50 * p[0] * (1 - p[0]), rel=5 * math.sqrt(2 / 2000))


@pytest.fixture(scope="module")
def paper():
    """200 runs of the paper's exploration by counts, and the instance."""
    instance = make_instance("coverage", "random", {"outcomes": 3, "dim": 2, "arms": 7, "seed": 1}).unit
    return instance, simulate(instance, "real", PAPER_HORIZON, range(200), preset="paper", simulator="counts")


def test_coverage_of_theta_at_the_paper_tau(paper):
    """theta_* is inside Theta in all of 200 runs; Theta has diameter <= 1/sqrt(6), as Lemma constant diameter says."""
    instance, result = paper
    _, plan = begin(instance)
    assert result.tau == plan.tau
    assert result.t[-1] == plan.tau
    assert result.theta.shape == (200,)
    assert (result.theta <= 1).all()
    assert result.diameter <= 1 / math.sqrt(6)
    assert (result.worst == -1).all()  # no round of learning was asked for


def test_law_of_the_estimate_at_the_paper_tau(paper):
    """(estimate - theta_*)^T H (estimate - theta_*) is chi-square with (K-1) d degrees of freedom, H the information.

    At 4e10 rounds the bias of the ridge is below 1 % of a standard error. One-sample Kolmogorov-Smirnov test at level
    FALSE_ALARM; the ratios that `simulate` reports are those of the same estimates.
    """
    instance, result = paper
    basis, truth = contrast_basis(3), instance.theta
    state, plan = begin(instance)
    design = counts.explore(instance.arms, plan, checkpoints(1, plan.tau))
    information = np.zeros((4, 4))
    for x, pulls in zip(instance.arms, design.pulls[-1], strict=True):
        information += pulls * np.kron(basis.T @ softmax_jacobian(truth @ x) @ basis, np.outer(x, x))
    sizes = []
    for run in range(200):
        drawn = counts.draw_outcomes(instance, design.pulls[-1], generator("counts", 0, "coverage", run))
        REAL.exploration.finish(state, design.matrix, drawn)
        error = state.learner.centre - basis.T @ truth
        sizes.append(error.ravel() @ information @ error.ravel())
        distance = math.sqrt(sum(row @ design.matrix @ row for row in error)) / (84 * math.sqrt(plan.ridge))
        assert result.theta[run] == pytest.approx(distance, rel=1e-9)  # a sum of four products
    assert kstest(sizes, chi2(4).cdf).pvalue > FALSE_ALARM


# The two simulators side by side.

SHORT = {"exploration_multiplier": 0.003, "radius_multiplier": 0.1}


@pytest.fixture(scope="module")
def nine_arms():
    return make_instance("nine arms", "lower-bound", {"epsilon": 0.37, "arms": 9})


def test_exploration_is_the_same_in_both_simulators(nine_arms):
    """Length of the exploration, regret at every common checkpoint of it and the columns that go with each simulator."""
    arguments = {"preset": "calibrated", "options": SHORT, "horizon": 3000, "runs": range(3)}
    played = simulate(nine_arms, "real", **arguments)
    counted = simulate(nine_arms, "real", **arguments, simulator="counts", learning_rounds=10)
    assert math.isnan(played.tau)
    assert math.isnan(played.diameter)
    common = np.intersect1d(played.t, counted.t[counted.t <= counted.tau])
    assert len(common) > 20
    for run in range(3):
        np.testing.assert_array_equal(
            played.regret[run, np.isin(played.t, common)], counted.regret[run, np.isin(counted.t, common)]
        )
    # Both Thetas are of the same size, and the ratio is that of the estimate: larger than 0, of the same order.
    assert np.abs(np.log(played.theta / counted.theta)).max() < 1
    # No confidence set while exploring, one in every round of learning.
    assert (played.worst[:, played.t <= counted.tau] == -1).all()
    assert (counted.worst[:, counted.t <= counted.tau] == -1).all()
    assert (counted.worst[:, counted.t > counted.tau] > 0).all()
    assert (played.worst[:, played.t > counted.tau] > 0).all()


@pytest.mark.parametrize(
    ("learning_rounds", "horizon", "last"), [(0, 3000, 640), (1, 3000, 641), (500, 3000, 1140), (10**6, 3000, 3000)]
)
def test_learning_rounds(nine_arms, learning_rounds, horizon, last):
    result = simulate(
        nine_arms,
        "real",
        horizon,
        [0, 1],
        preset="calibrated",
        options=SHORT,
        simulator="counts",
        learning_rounds=learning_rounds,
    )
    assert result.tau == 640
    assert result.t[-1] == last
    assert (np.diff(result.t) > 0).all()
    assert (np.diff(result.regret, axis=1) >= 0).all()
    assert result.regret.shape == result.worst.shape == (2, len(result.t))
    assert result.diameter <= 1 / math.sqrt(6)
    explored = result.regret[:, result.t == 640]
    assert explored[0] == explored[1]  # its actions do not depend on outcomes
    if last > 640:
        added = result.regret[:, -1:] - explored
        assert (added <= nine_arms.gaps.max() * (last - 640) * (1 + 1e-9)).all()


def test_more_learning_does_not_change_earlier_rounds(nine_arms):
    short, long = (
        simulate(nine_arms, "real", 3000, [5], preset="calibrated", options=SHORT, simulator="counts", learning_rounds=n)
        for n in (100, 1000)
    )
    common = np.intersect1d(short.t, long.t)
    assert len(common) > 40
    np.testing.assert_array_equal(short.regret[0, np.isin(short.t, common)], long.regret[0, np.isin(long.t, common)])


@pytest.mark.parametrize("horizon", [2, 100, 10**9])
def test_horizons_within_the_exploration(nine_arms, horizon):
    """Nothing but exploration: regret without noise, no estimate, no diameter to report."""
    result = simulate(nine_arms, "real", horizon, [0, 7], preset="paper", simulator="counts", learning_rounds=50)
    assert result.t[-1] == result.tau == horizon
    assert result.regret[0].tobytes() == result.regret[1].tobytes()
    assert np.isnan(result.theta).all()
    assert math.isnan(result.diameter)
    assert (result.worst == -1).all()


def test_horizon_one(nine_arms):
    """log T = 0, so Algorithm 1 does not explore: the only round is one of learning, in both simulators."""
    played = simulate(nine_arms, "real", 1, [0], preset="paper")
    counted = simulate(nine_arms, "real", 1, [0], preset="paper", simulator="counts", learning_rounds=1)
    assert counted.tau == 0
    assert counted.t[-1] == 1
    assert counted.worst[0, -1] == played.worst[0, -1] > 0
