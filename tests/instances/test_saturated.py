"""The saturated cube: what its lower bound on the simple regret rests on, the bound itself, and the easy geometry."""

import itertools
import math

import numpy as np
import pytest

from mnlbandits.instances import make_instance
from mnlbandits.instances.saturated import kappa_at, proved_simple_regret, spacing
from mnlbandits.seeds import generator

SIZES = [(2, 2, 2.0), (2, 4, 3.0), (3, 3, 1.0), (5, 3, 4.0)]


def member(outcomes, dim, saturation, signs=None, scale=1.0, geometry="hard"):
    rounds = scale * (dim - 1) ** 2 * kappa_at(saturation)
    parameters = {"outcomes": outcomes, "dim": dim, "saturation": saturation, "rounds": rounds, "geometry": geometry}
    return make_instance("cube", "saturated-cube", parameters | ({} if signs is None else {"signs": signs})), rounds


def chances(instance):
    """The probability of outcome 1 by arm."""
    return instance.probabilities[:, 0]


@pytest.mark.parametrize(("outcomes", "dim", "saturation"), SIZES)
def test_logits_by_hand(outcomes, dim, saturation):
    signs = [1, -1, 1, -1][: dim - 1]
    instance, rounds = member(outcomes, dim, saturation, signs)
    h = spacing(rounds, saturation)
    v = instance.arms[:, 1:] * math.sqrt(2 * (dim - 1))
    np.testing.assert_allclose(np.abs(v), 1, rtol=1e-14)
    np.testing.assert_allclose(chances(instance), 1 / (1 + np.exp(-saturation - h * v @ signs)), rtol=1e-12)
    np.testing.assert_allclose(v[np.argmin(instance.gaps)], signs)
    assert len(instance.arms) == 2 ** (dim - 1)
    np.testing.assert_allclose(np.linalg.norm(instance.arms, axis=1), 1)
    assert instance.constants["kappa_star"] == pytest.approx(kappa_at(saturation + h * (dim - 1)))


@pytest.mark.parametrize("scale", [1.0, 30.0])
@pytest.mark.parametrize(("outcomes", "dim", "saturation"), SIZES)
def test_what_the_bound_rests_on(outcomes, dim, saturation, scale):
    """Gaps of at least 2 h k/kappa_*, and an information of at most 1/2 between neighbours, whatever the arm."""
    instance, rounds = member(outcomes, dim, saturation, scale=scale)
    n, h = dim - 1, spacing(rounds, saturation)
    wrong = (instance.arms[:, 1:] < 0).sum(axis=1)
    assert (instance.gaps >= 2 * h * wrong / kappa_at(saturation + h * n) * (1 - 1e-9)).all()
    other, _ = member(outcomes, dim, saturation, [-1] + [1] * (n - 1), scale=scale)
    p, q = instance.probabilities, other.probabilities
    assert rounds * (p * np.log(p / q)).sum(axis=1).max() <= 0.5
    assert proved_simple_regret(dim, rounds, saturation) > 0.16 * n / math.sqrt(instance.constants["kappa_star"] * rounds)


@pytest.mark.parametrize("spend", ["evenly", "on one arm"])
def test_no_way_to_spend_the_rounds_does_better(spend):
    """The arm of the largest likelihood after T rounds, over all signs of d = 4; within 5 standard errors, and within 10."""
    dim, saturation, runs = 4, 2.0, 4000
    instance, rounds = member(2, dim, saturation, scale=4.0)
    rounds, draw = math.ceil(rounds), generator("test", 0, "simple regret")
    pulls = np.zeros(len(instance.arms), dtype=int)
    pulls[:] = rounds // len(pulls) if spend == "evenly" else 0
    pulls[0] += rounds - pulls.sum()
    members = [member(2, dim, saturation, list(e), scale=4.0)[0] for e in itertools.product((1, -1), repeat=dim - 1)]
    logs = np.array([np.log([chances(m), 1 - chances(m)]) for m in members])
    regrets = []
    for truth in members:
        hits = draw.binomial(pulls, chances(truth), size=(runs, len(pulls)))
        likelihood = hits @ logs[:, 0].T + (pulls - hits) @ logs[:, 1].T
        named = np.array([np.argmin(m.gaps) for m in members])[likelihood.argmax(axis=1)]
        regrets.append(truth.gaps[named])
    mean, error = np.mean(regrets), np.std(regrets) / math.sqrt(np.size(regrets))
    bound = proved_simple_regret(dim, rounds, saturation)
    assert mean + 5 * error >= bound
    assert mean <= 10 * bound


def test_easy_arms_inform():
    """Fisher information about one sign's coordinate: s'(z) x_i^2, which is 1/4 at (0, e_i) for h -> 0."""
    dim, saturation = 4, 3.0
    easy, _ = member(2, dim, saturation, scale=1e6, geometry="easy")
    assert len(easy.arms) == 2 ** (dim - 1) + dim - 1
    p = chances(easy)
    information = (p * (1 - p))[:, None] * easy.arms[:, 1:] ** 2
    informing = easy.arms[:, 0] == 0
    ratio = information[informing].max() / information[~informing].max()
    assert ratio == pytest.approx((dim - 1) * kappa_at(saturation) / 2, rel=0.01)
    assert (easy.gaps[informing] > 0.3).all()
