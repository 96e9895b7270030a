"""REAL on two short arms: a mean field against `leap`, the set that the mended exploration leaves, and a loop."""

import math

import numpy as np
import pytest

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.mended import sigma_square_mended
from mnlbandits.ledger.formulas.regret import stationary_share
from mnlbandits.ledger.pictures_of_regret import picture_theorem_one
from mnlbandits.ledger.search import EFFORTS
from mnlbandits.ledger.simulate.boundary import (
    field_of,
    leap_shares,
    printed_share,
    share_by_field,
    share_by_leap,
)
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.ledger.simulate.short_arms import (
    FINE,
    LENGTH,
    estimates,
    mended_right_side,
    mended_share,
    mended_state,
    mended_tau,
    printed_right_side,
    two_short_arms,
)

HORIZON = 1e28


def chance(z: float) -> float:
    return 1 / (1 + math.exp(-z))


def test_instance():
    """Logits -1 and -2, the first arm is the better one, and both arms have their own direction."""
    instance = two_short_arms()
    np.testing.assert_allclose(instance.probabilities[:, 0], [chance(-1), chance(-2)], rtol=1e-12)
    assert instance.norm_bound == pytest.approx(math.sqrt(5 / 2) * 1e6)


@pytest.mark.parametrize(("horizon", "share"), [(1e18, 0.5), (1e26, 0.3446), (1e28, 0.3139), (9e29, 0.3053)])
def test_the_mean_field(horizon, share):
    """Half of the rounds while bonuses are large, three in ten at last; theta_* is far outside of Theta throughout."""
    run = printed_share(horizon)
    assert run.share == pytest.approx(share, abs=1e-4)
    assert run.error < 4e-4
    assert run.away > 1e4


def test_the_share_that_balances_the_gradients():
    """At T = 9e29 Theta is a circle of radius 84 around (-29.17, -48.07), and the estimate has equal coordinates."""
    field = field_of(9e29)
    assert field.radius == pytest.approx(84, rel=1e-5)
    assert field.ahead == pytest.approx(48.068 - 29.166, abs=2e-3)
    below = (18.902 / 84 + math.sqrt(2 - (18.902 / 84) ** 2)) / 2, (-18.902 / 84 + math.sqrt(2 - (18.902 / 84) ** 2)) / 2
    first, second = 0.5 - chance(-1), 0.5 - chance(-2)
    share = first * below[1] / (first * below[1] + second * below[0])
    assert share == pytest.approx(0.3048, abs=1e-4)
    assert (1 - share) * first / below[0] == pytest.approx(share * second / below[1])
    assert field.rate(share, 1e45, 1.0) == pytest.approx(share, abs=1e-5)
    assert stationary_share(FLOATS, LENGTH, 9e29) == pytest.approx(share, abs=1e-4)
    assert printed_share(9e29).share == pytest.approx(share, abs=2e-3)


def test_the_mean_field_converges():
    """Halving the step of log t halves what it changes, by less than the error."""
    field = field_of(1e26)
    found = [share_by_field(field, 1e26, parts) for parts in (10, 20, 40, 80, 160)]
    changes = np.abs(np.diff(found))
    assert np.all(changes[1:] < 0.6 * changes[:-1])
    assert changes[-1] < printed_share(1e26).error


@pytest.mark.parametrize("horizon", [1e26, 9e29])
def test_leap_agrees_within_its_error(horizon):
    """With batches that cross less than one radius of Theta; the usual ones cross a hundred."""
    field, run = field_of(horizon), printed_share(horizon)
    assert field.moved(4e-5) < 0.6
    assert field.moved(FINE) > 100
    found = leap_shares(horizon, (4e-5, 2e-5))
    errors = [error for _, _, error in found]
    assert errors[1] < 0.6 * errors[0]
    assert errors[1] < 0.02
    for _, share, error in found:
        assert abs(share - run.share) <= error
    assert share_by_leap(horizon, FINE) == pytest.approx(0.5, abs=0.02)


def test_the_estimate_is_where_the_gradient_is_zero():
    instance, pulls, ridge = two_short_arms(), 1e20, 5e8
    steep = math.sqrt(2) * LENGTH
    for j, (found, seen) in enumerate(zip(estimates(instance, pulls, ridge), instance.probabilities[:, 0], strict=True)):
        assert ridge * found == pytest.approx(steep * pulls * (seen - chance(steep * found)), rel=1e-6)
        assert abs(found) < abs(math.sqrt(2) * instance.theta[0, j])


def test_the_mended_set_is_what_lemma_1_asks_for():
    instance = two_short_arms()
    tau = mended_tau(instance, HORIZON)
    state = mended_state(instance, HORIZON, tau)
    weight = state.learner.shape[0, 0, 0]
    S, size = instance.norm_bound, 4
    ridge = (S + 1) * size * math.log(HORIZON / DELTA)
    expected = 42 * (S + 3) ** 2 * ridge * instance.constants["kappa"] * 2 * math.log(HORIZON)
    assert tau == pytest.approx(expected, rel=1e-12)
    assert weight**2 == pytest.approx(ridge + tau / 2 * 1e-12 / instance.constants["kappa"], rel=1e-12)
    assert state.theta_radius**2 == pytest.approx(1.67 * (S + 3) ** 2 * ridge, rel=1e-12)
    assert 2 * state.theta_radius / weight * LENGTH <= 1 / math.sqrt(6)
    first, centre = state.learner.phi[0], state.learner.centre[0]
    assert np.linalg.norm(first) <= S
    assert np.linalg.norm(first - centre) * weight == pytest.approx(state.theta_radius)
    assert np.linalg.norm(centre) == pytest.approx(np.linalg.norm(first) + np.linalg.norm(first - centre))
    scale, offset, constant, log, growth, rate = state.sigma
    square = scale**2 * (offset**2 + constant + log + growth * math.log1p(1e20 * rate))
    assert square == pytest.approx(sigma_square_mended(FLOATS, 2, 2, S, 1e20, 0.05), rel=1e-12)


def test_mended_runs():
    """Half of the exploration is regret; learning adds little, and the last line of the theorem is above it."""
    for horizon in (1e26, 1e28, 9e29):
        run = mended_share(horizon)
        assert run.away < 0.1
        assert run.share == pytest.approx(run.tau / horizon / 2, rel=1e-3)
        assert run.share + run.error <= mended_right_side(horizon)
        assert printed_right_side(horizon) < 1e-10
    assert mended_share(1e20).share == 0.5
    assert mended_right_side(1e28, norm=0) < mended_right_side(1e28)


def mean_field(horizon: float, tau: float, batch: float = 0.05) -> float:
    """Share of the worse arm in the rounds of learning: the mended algorithm without Theta, which it does not reach."""
    instance = two_short_arms()
    state = mended_state(instance, horizon, tau)
    theta, w, steep, done, worse = state.learner.phi[0].copy(), np.full(2, 576.0), math.sqrt(2) * LENGTH, 0.0, 0.0
    truth = np.array([chance(-1), chance(-2)])
    while done < horizon - tau:
        p = np.array([chance(steep * theta[j]) for j in range(2)])
        sigma = math.sqrt(state.sigma.constant + state.sigma.growth * math.log1p(done * state.sigma.rate))
        scores = p + sigma * LENGTH / np.sqrt(w) * p * (1 - p) * math.sqrt(2) + 3 * sigma**2 * LENGTH**2 / w
        j = int(np.argmax(scores))
        many = min(max(1.0, batch * min(w[j] / (2 * LENGTH**2 * p[j] * (1 - p[j])), done)), horizon - tau - done)
        curved = w[j] + 1.25 * many * 2 * LENGTH**2 * p[j] * (1 - p[j])
        theta[j] -= 1.25 * many * steep * (p[j] - truth[j]) / curved
        p_new = chance(steep * theta[j])
        w[j] += many * 2 * LENGTH**2 * p_new * (1 - p_new)
        done, worse = done + many, worse + many * (j == 1)
    return worse / (horizon - tau)


def test_learning_against_a_loop_for_two_arms():
    """The number of plays of the worse arm in the rounds of learning."""
    run = mended_share(HORIZON)
    plays = run.share * HORIZON - run.tau / 2
    assert 0 <= plays < 1e-6 * HORIZON
    assert mean_field(HORIZON, run.tau) * (HORIZON - run.tau) == pytest.approx(plays, rel=0.3)


def test_picture():
    rows = list(picture_theorem_one(EFFORTS["smoke"]))
    assert {picture for picture, *_ in rows} == {"theorem 1"}
    assert {line for _, line, *_ in rows} == {
        "printed constants",
        "mended constants",
        "printed right side, C = 1",
        "mended right side",
    }
    assert all(0 < y <= 0.6 for _, _, _, y in rows)
