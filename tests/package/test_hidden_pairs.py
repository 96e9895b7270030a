"""The family on which the root of K is forced: as the ledger has it, and played."""

import numpy as np
import pytest

from mnlbandits.algorithms import get_algorithm
from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance
from mnlbandits.instances.pairs import hypotheses, least_kappa_star, proved_constant
from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas import pairs as formulas
from mnlbandits.verify.hidden_pairs import pair_points, paired

CALIBRATION = {"horizon": 50, "long_horizon": 10**6, "seed": 1}
SIZES = [(4, 2), (5, 2), (6, 2), (9, 2), (2, 3), (3, 3), (4, 4)]


def instance_of(outcomes, dim, hypothesis=0, horizon=1e6):
    parameters = {"outcomes": outcomes, "dim": dim, "rounds": horizon, "hypothesis": hypothesis}
    return make_instance("pairs", "hidden-pairs", parameters)


@pytest.mark.parametrize(("outcomes", "dim"), SIZES)
def test_the_instance_is_that_of_the_ledger(outcomes, dim):
    known = formulas.hypotheses_of(outcomes, dim)
    assert len(known) == len(hypotheses(outcomes, dim))
    for place in (0, len(known) - 1):
        ours, theirs = instance_of(outcomes, dim, place), formulas.pair_instance(FLOATS, outcomes, dim, 1e6, known[place])
        np.testing.assert_allclose(ours.theta, theirs.theta, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(ours.arms, theirs.arms, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(ours.rewards, theirs.rewards, rtol=1e-12)


@pytest.mark.parametrize(("outcomes", "dim"), SIZES)
def test_its_constants_are_as_proved(outcomes, dim):
    instance = instance_of(outcomes, dim)
    assert instance.constants["R"] == pytest.approx(1, rel=1e-12)
    assert least_kappa_star(outcomes) <= instance.constants["kappa_star"] <= 1.03 * least_kappa_star(outcomes)
    assert np.argmin(instance.gaps) == 0
    assert proved_constant(outcomes, dim) > (1 / 19 if dim == 2 else 1 / 25)


@pytest.mark.parametrize(
    ("change", "field"),
    [({"outcomes": 3}, "outcomes"), ({"rounds": 10.0}, "rounds"), ({"hypothesis": 2}, "hypothesis"), ({"dim": 1}, "dim")],
)
def test_what_the_family_does_not_have_is_refused(change, field):
    with pytest.raises(InputError, match=rf"{field}: got"):
        make_instance("pairs", "hidden-pairs", {"outcomes": 4, "dim": 2} | change)


def test_the_specialist_knows_its_family_only():
    specialist = get_algorithm("pair-sampler")
    state = specialist.start(paired(6, 10**4, 1), "none", np.random.default_rng(0))
    np.testing.assert_allclose(state.chances.sum(axis=2), 1)
    np.testing.assert_allclose(state.chances[1], np.exp(log_chances(paired(6, 10**4, 1))), rtol=1e-12)
    other = make_instance("other", "large-kappa-star", {"outcomes": 3, "dim": 2, "norm": 1.0, "arms": 8})
    with pytest.raises(InputError, match="hidden-pairs"):
        specialist.start(other, "none", np.random.default_rng(0))


def log_chances(instance):
    logits = instance.arms @ instance.theta.T
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


def test_regret_lies_above_what_is_proved():
    grids = {"K": [4, 5], "T": [4000]}
    points = [
        pair_points(name, preset, {}, 10_000, grids, 20, 0.5, 0.05, 0, CALIBRATION)
        for name, preset in (("pair-sampler", "none"), ("real", "paper"), ("oful-mlogb", "calibrated"))
    ]
    for table in points:
        assert len(table) == 3
        assert (table["family"] == "pairs").all()
        for row in table.itertuples():
            least = proved_constant(row.K, row.d) * np.sqrt(row.d * row.K * row.T / row.kappa_star)
            assert row.high > least
