"""The family of Theorem 2 against the instances of the package, and the mended bound by its definition."""

import math
from fractions import Fraction

import numpy as np
import pytest
from agreement import assert_decides, everywhere
from scipy.special import expit
from scipy.stats import entropy

from mnlbandits.instances import families
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.family import (
    ALL_OUTCOMES,
    MENDED,
    MENDED_BOX,
    MENDED_OUTCOMES,
    MENDED_SIZES,
    MENDED_STEP,
    PRINTED,
    SIZES,
    SMALL_SIZES,
    against,
    chain_exactly,
    divergence,
    family_bound,
    family_signs,
    first_row,
    high_reward,
    largest_epsilon,
    loss,
    mean_exp,
    member,
    member_logits,
    member_star,
    members,
    mended_constant,
    mended_core,
    mended_ratio,
    mended_reduced,
    pulls_of,
    rise,
    shift,
    star,
    third_reduced,
    unit_row_exactly,
)
from mnlbandits.model import constants


def instance(K, d, share, signs, kind="M-tilde"):
    epsilon = share * 2 / math.sqrt((K + 3) * (d - 1)) * (1 - 1e-15)
    return families.lower_bound("family", K, d, kind, epsilon, list(signs), arms=2)


def test_rise():
    assert everywhere(rise, 1.25, -0.5) == pytest.approx(expit(1.25) - expit(-0.5), rel=1e-13)


def test_shift():
    assert everywhere(shift, 6) == pytest.approx(math.log(5), rel=1e-15)


@pytest.mark.parametrize("norm", [1, 2.5])
def test_star(norm):
    """kappa_* of theta_* = Pi M~ with a first row of this norm, the arm in its direction."""
    K = 5
    theta = np.zeros((K, 2))
    theta[0, 0] = norm
    found = constants.kappa_star(theta, np.array([[1.0, 0.0]]), families.one_high_reward(K, 2.0))
    assert everywhere(star, K, norm) == pytest.approx(found, rel=1e-12)
    assert everywhere(star, K) == pytest.approx(everywhere(star, K, 1), rel=1e-15)


def test_largest_epsilon():
    assert everywhere(largest_epsilon, 6, 5) == pytest.approx(2 / 6, rel=1e-15)


@pytest.mark.parametrize("K", [2, 5])
def test_loss(K):
    theta, rewards = instance(K, 2, 0.5, [1, 1]).theta, families.one_high_reward(K, 1.0)
    best = (theta[0] - theta[1]) / np.linalg.norm(theta[0] - theta[1])
    arm = 0.25 * best + math.sqrt(1 - 0.0625) * np.array([best[1], -best[0]])
    means = constants.mean_rewards(theta, np.array([best, arm]), rewards)
    assert everywhere(loss, K, 0.25) == pytest.approx(means[0] - means[1], rel=1e-12)


def test_signs():
    assert family_signs(3) == [(1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1)]


@pytest.mark.parametrize("kind", ["M", "M-tilde"])
def test_members(kind):
    K, d, share, found = 4, 3, 0.75, []
    for signs in family_signs(d):
        matrix = np.array(everywhere(member, K, d, share, signs, kind))
        np.testing.assert_allclose(matrix - matrix.mean(axis=0), instance(K, d, share, signs, kind).theta, atol=1e-12)
        found.append(matrix)
    every = members(FLOATS, K, d, share, kind)
    assert [signs for signs, _ in every] == family_signs(d)
    np.testing.assert_allclose([matrix for _, matrix in every], found, rtol=1e-14)


def test_default_members_are_those_with_unit_rows():
    np.testing.assert_allclose(member(FLOATS, 3, 2, 0.5, [1, -1]), member(FLOATS, 3, 2, 0.5, [1, -1], "M-tilde"))
    assert members(FLOATS, 3, 2, 0.5)[0][1].tolist() == member(FLOATS, 3, 2, 0.5, [1, 1]).tolist()
    assert np.linalg.norm(member(FLOATS, 3, 2, 0.5, [1, -1])[0]) == pytest.approx(1, rel=1e-15)
    np.testing.assert_array_equal(member(FLOATS, 3, 2, 0.5, [1, -1])[1:], 0)


def test_first_row():
    assert everywhere(first_row, 5, 0.5, [1, 1, -1, -1, 1]) == [1, 0.25, -0.25, -0.25, 0.25]


def test_high_reward():
    np.testing.assert_allclose(everywhere(high_reward, 4), families.one_high_reward(4, 1.0), rtol=1e-15)


def test_member_logits():
    """(cos, sin) of the arm times (cos, +-sin) of x_*, minus ln(K - 1)."""
    alpha, angle, K = math.atan(0.5), 0.75, 6
    arm = np.array([math.cos(angle), math.sin(angle)])
    expected = [arm @ [math.cos(alpha), sign * math.sin(alpha)] - math.log(K - 1) for sign in (1, -1)]
    assert everywhere(member_logits, K, 0.5, angle) == pytest.approx(expected, rel=1e-13)


def test_divergence():
    p, q = expit(1.25), expit(-0.5)
    assert everywhere(divergence, 1.25, -0.5) == pytest.approx(entropy([p, 1 - p], [q, 1 - q]), rel=1e-12)


def test_pulls():
    """sqrt(T kappa_*/(K + 3)) = sqrt(T/mu'(1 - ln(K - 1))); at K = 2, 1/mu'(1) = 2 + 2 cosh 1."""
    assert pulls_of(2, 1000) == math.ceil(math.sqrt(1000 * (2 + 2 * math.cosh(1))))
    assert pulls_of(10, 1000) == math.ceil(math.sqrt(1000 * (2 + 2 * math.cosh(1 - math.log(9)))))


@pytest.mark.parametrize(("K", "T"), [(5, 10**6), (10**9, 10**13)])
def test_bound_on_exploring_then_committing(K, T):
    """The bound of the docstring, term by term, in units of R d sqrt(T/kappa_*)."""
    d, share = 3, 0.03
    top, n = 1 - math.log(K - 1), pulls_of(K, T)
    p, slope = expit(top - 2), expit(top) * expit(-top)
    s = math.sqrt(n * p * (1 - p))
    deviation = (s + 0.5) / ((1 - share) * s**2)
    failure = 2 * d * math.exp(-((share * n * p - 0.5) ** 2) / (2 * n * p * (1 + share / 3)))
    reach = 2 * math.sqrt(d) * share / (1 - share)
    commit = slope / math.sqrt(K + 3) * d * deviation**2 / (1 + math.sqrt(1 - reach**2))
    opposite = (expit(top) - expit(top - 2)) / math.sqrt(K + 3)
    total = n * d * opposite + T * (commit + failure * opposite)
    found = everywhere(lambda m: family_bound(m, K, d, T))
    assert found == pytest.approx(total / (d * math.sqrt(T * slope / (K + 3))), rel=1e-9)


@pytest.mark.parametrize(("K", "T", "share"), [(3, 10**9, "0.03"), (10**6, 10, "0.03"), (10**9, 10**13, "0.4")])
def test_where_there_is_no_bound(K, T, share):
    """An outcome 1 more likely than not; too few pulls; `share` too large. ln(K - 1) < 1 only for K = 2, 3."""
    with pytest.raises(ValueError, match="no bound"):
        family_bound(FLOATS, K, 2, T, share)


def test_horizons_that_exploring_fills():
    """At d = 100 and 47/1000, n = ceil(d/mu') solves n = ceil(sqrt(n d/mu')): T = n d will do, one round less will not."""
    K, d = 10**9, 100
    top = 1 - math.log(K - 1)
    n = math.ceil(d / (expit(top) * expit(-top)))
    assert pulls_of(K, n * d) == n
    assert family_bound(FLOATS, K, d, n * d, "0.047") > 0
    assert pulls_of(K, n * d - 1) * d > n * d - 1
    with pytest.raises(ValueError, match="no bound"):
        family_bound(FLOATS, K, d, n * d - 1, "0.047")


def test_mended_core():
    """Without information c/8; else c/8 times 1 - sqrt(e^(2 logit) (16 c cap + 4 c^2 (1 + cap part)))."""
    c, cap, logit, part = 0.125, 0.0625, 0.25, 0.5
    information = 16 * c * cap + 4 * c**2 * (1 + cap * part)
    expected = c / 8 * (1 - math.sqrt(math.exp(2 * logit) * information))
    assert everywhere(mended_core, logit, part, c, cap) == pytest.approx(expected, rel=1e-13)


def test_mended_bound():
    K, d, q, b, c, cap = 6, 3, 40.0, 1.5, 0.125, 0.015625
    square = c / (b * 3 * q)
    logit, part = 2 * b * math.sqrt(square), d / ((1 + 2 * b) * 3 * q)
    assert everywhere(mended_constant, K, d, q, b, c, cap) == pytest.approx(mended_core(FLOATS, logit, part, c, cap))
    core = mended_core(FLOATS, 2 * math.sqrt(0.15 / (3 * q)), d / (9 * q), 0.15, 3 / 312)
    assert everywhere(mended_constant, K, d, q) == pytest.approx(core, rel=1e-13)
    assert everywhere(mended_ratio, K, d, 1.25) == pytest.approx(
        3 / 312 / mended_constant(FLOATS, K, d, d * math.exp(1.25)), rel=1e-13
    )
    assert everywhere(mended_ratio, K, d, 1.25, 400) == pytest.approx(
        3 / 400 / mended_constant(FLOATS, K, d, d * math.exp(1.25), cap=3 / 400), rel=1e-13
    )
    assert everywhere(mended_reduced, 0.25, 0.125) == pytest.approx(
        3 / 312 / mended_core(FLOATS, 0.25, 0.125, 0.15, 3 / 312), rel=1e-13
    )
    assert everywhere(mended_reduced, 0.25, 0.125, 400) == pytest.approx(
        3 / 400 / mended_core(FLOATS, 0.25, 0.125, 0.15, 3 / 400), rel=1e-13
    )
    assert MENDED == 312


def test_the_corrected_bound_is_near_the_best_that_its_steps_give():
    """At the corner of all K, d and T, over c: 312 is enough, and 305 is not for any c."""
    logits = {c: 2 * math.sqrt(c / (2 * math.sqrt(5))) for c in np.linspace(0.1, 0.2, 101).tolist()}

    def gives(constant):
        cap, part = 3 / constant, 1 / (3 * math.sqrt(5))
        return max(mended_core(FLOATS, logit, part, c, cap) for c, logit in logits.items()) >= cap

    assert gives(312)
    assert not gives(305)
    assert MENDED_OUTCOMES * 312**2 <= PRINTED**2 < (MENDED_OUTCOMES + 1) * 312**2
    assert PRINTED == 25000


def test_mended_box_holds_its_domain():
    """b/(sqrt(K+3) q) and part at their largest, K = d = q = 2, b = 1; the box is rounded up by at most 3 per cent."""
    logit, part = 2 * math.sqrt(float(MENDED_STEP) / (2 * math.sqrt(5))), 1 / (3 * math.sqrt(5))
    assert MENDED_BOX["logit"][0] == MENDED_BOX["part"][0] == 0
    assert logit <= MENDED_BOX["logit"][1] <= 1.03 * logit
    assert part <= MENDED_BOX["part"][1] <= 1.03 * part


def test_mean_exp():
    """A ball is wide, as it is a sum over parts of [0, 1]."""
    assert everywhere(mean_exp, 1.5, loose=True) == pytest.approx(math.expm1(1.5) / 1.5, rel=1e-13)
    assert everywhere(mean_exp, 0, loose=True) == pytest.approx(1, rel=1e-14)


@pytest.mark.parametrize("constant", [3, 2])
def test_third(constant):
    K, cosine = 5, 0.25
    top = 1 - math.log(K - 1)
    slope = expit(top) * expit(-top)
    lost = expit(top) - expit(cosine - math.log(K - 1))
    found = everywhere(third_reduced, Fraction(1, K - 1), 1 - cosine, constant, loose=True)
    assert found == pytest.approx(slope * (1 - cosine) / (constant * lost), rel=1e-12)
    assert third_reduced(FLOATS, 0.25, 0.75) == pytest.approx(third_reduced(FLOATS, 0.25, 0.75, 3))
    assert ALL_OUTCOMES == {"w": (0.0, 1.0)}


def test_member_star():
    _, matrix = members(FLOATS, 4, 3, 0.75)[1]
    found = constants.kappa_star(matrix, matrix[:1], families.one_high_reward(4, 1.0))
    assert everywhere(member_star, matrix) == pytest.approx(found, rel=1e-12)
    stretched = constants.kappa_star(2 * matrix, matrix[:1], families.one_high_reward(4, 1.0))
    assert member_star(FLOATS, 2 * matrix) == pytest.approx(stretched, rel=1e-12)


@pytest.mark.parametrize("identity", [unit_row_exactly, chain_exactly])
def test_identities(identity):
    assert_decides(identity)


def test_sizes():
    sizes = [tuple(case.values()) for case in MENDED_SIZES]
    assert sizes == [(2, 2), (3, 2), (5, 3), (10, 4), (1000, 2), (10**6, 10), (2, 10**6), (10**20, 2)]
    assert MENDED_SIZES[:6] == SIZES
    assert [tuple(case.values()) for case in SMALL_SIZES] == [(2, 2), (3, 2), (3, 3), (10, 3)]


def test_a_bound_that_is_not_positive_is_none():
    """At c = 0.15 and cap = 3/10 the information exceeds 1, so that the steps give a negative number."""
    assert everywhere(against, 0.5, 0.25) == 2
    assert [everywhere(against, 0.5, right) for right in (0.0, -0.25)] == [2, 2]
    assert mended_core(FLOATS, 0.3, 0.1, 0.15, 0.3) < 0
    assert mended_reduced(FLOATS, 0.3, 0.1, 10) == mended_ratio(FLOATS, 2, 2, 0.0, 10) == 2
