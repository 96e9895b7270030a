"""Real choices against statsmodels' own fit and against single lines of its tables; the recommender against its table."""

import os
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from statsmodels.discrete.discrete_model import MNLogit

from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance, read_instance, write_instance
from mnlbandits.instances.action_sets import RandomSubsets
from mnlbandits.instances.data import (
    DATA_SETS,
    DIGITS,
    decisions,
    different_rows,
    estimate,
    features_of,
    maximum_likelihood,
    rounded,
)
from mnlbandits.instances.recommender import OUTCOMES, REWARDS, WEIGHTS
from mnlbandits.model.softmax import contrast_basis, loss_gradient, loss_hessian, softmax

SIZES = {"modechoice": (210, 4, 4), "anes96": (944, 7, 6), "fair": (6366, 6, 4), "randhie": (20190, 4, 10)}
"""Decisions, K and d, as statsmodels states them and the features make them."""

every_dataset = pytest.mark.parametrize("dataset", DATA_SETS)


def fitted(dataset):
    return estimate(dataset, features_of(dataset))


# The tables.


@every_dataset
def test_sizes(dataset):
    decided, outcomes, dim = SIZES[dataset]
    rows, counts, theta, errors, covariance = fitted(dataset)
    assert counts.sum() == decided == len(decisions(dataset)[0])
    assert counts.shape == (len(rows), outcomes)
    assert rows.shape == (len(rows), dim)
    assert theta.shape == errors.shape == (outcomes, dim)
    assert covariance.shape == ((outcomes - 1) * dim,) * 2
    assert counts.sum(axis=0).min() > 0  # every outcome was chosen
    assert len(np.unique(rows, axis=0)) == len(rows)


@every_dataset
def test_rows_fill_the_unit_ball(dataset):
    rows = fitted(dataset).rows
    lengths = np.linalg.norm(rows, axis=1)
    assert lengths.max() == pytest.approx(1, abs=1e-15)
    assert np.ptp(rows[:, 0]) == 0
    features = rows[:, 1:] / rows[0, 0]
    np.testing.assert_allclose(features.min(axis=0), -1, atol=1e-14)
    np.testing.assert_allclose(features.max(axis=0), 1, atol=1e-14)


@every_dataset
def test_what_is_stated(dataset):
    record = DATA_SETS[dataset]
    assert len(record.outcomes) == len(set(record.outcomes)) == len(record.rewards) == SIZES[dataset][1]
    assert min(record.rewards) == 0 < max(record.rewards) == 1
    assert all([record.title, record.source, record.licence, record.reason])
    copyright_notice = files("statsmodels.datasets").joinpath(dataset, "data.py").read_text().split('COPYRIGHT = """')[1]
    assert record.licence.removeprefix("in statsmodels ") in copyright_notice.split('"""')[0]


def by_hand(value, low, high):
    return (2 * value - low - high) / (high - low)


def test_the_first_traveller():
    """Lines 2 to 5 of the file: a party of 1 with an income of 35 went by car, 180 minutes; the ranges are 63..1440 etc."""
    lines = files("statsmodels.datasets").joinpath("modechoice", "modechoice.csv").read_text().splitlines()
    assert lines[0] == "individual;mode;choice;ttme;invc;invt;gc;hinc;psize"
    assert lines[4] == "1;4;1;0;10;180;30;35;1"
    choices, columns = decisions("modechoice")
    assert DATA_SETS["modechoice"].outcomes[choices[0]] == "car"
    assert [columns[name][0] for name in ("invt_car", "hinc", "psize", "gc_air", "ttme_train")] == [180, 35, 1, 70, 34]
    low, high = columns["invt_car"].min(), columns["invt_car"].max()
    x = np.array([1, by_hand(180, low, high), by_hand(35, 2, 72), by_hand(1, 1, 6)])
    rows, counts = different_rows("modechoice", features_of("modechoice"))
    place = np.linalg.norm(rows / rows[0, 0] - x, axis=1).argmin()
    np.testing.assert_allclose(rows[place] / rows[0, 0], x, atol=1e-14)
    assert counts[place, choices[0]] == 1


def test_the_rewards_of_modes_are_mean_fares():
    columns = decisions("modechoice")[1]
    train, bus = columns["invc_train"].mean(), columns["invc_bus"].mean()
    assert (round(train), round(bus), round(bus / train, 2)) == (51, 33, DATA_SETS["modechoice"].rewards[2])


def test_visits_are_counted_in_classes():
    path = files("statsmodels.datasets").joinpath("randhie", "randhie.csv")
    visits = pd.read_csv(str(path))["mdvis"].to_numpy()
    expected = [(visits == 0).sum(), ((visits >= 1) & (visits <= 2)).sum(), ((visits >= 3) & (visits <= 5)).sum()]
    np.testing.assert_array_equal(fitted("randhie").counts.sum(axis=0), [*expected, (visits >= 6).sum()])


def test_other_outcomes_are_numbered_as_the_notes_say():
    """Strong Republicans place themselves further right than strong Democrats, professionals went to school longest."""
    party, columns = decisions("anes96")
    assert columns["selfLR"][party == 6].mean() > 5 > 3.5 > columns["selfLR"][party == 0].mean()
    work, columns = decisions("fair")
    assert max(range(6), key=lambda k: columns["educ"][work == k].mean()) == 5
    assert min(range(6), key=lambda k: columns["age"][work == k].mean()) == 0


# The fit.


@every_dataset
def test_the_gradient_is_zero_and_the_covariance_inverts_the_information(dataset):
    """The loss summed over single decisions, by the model's own definitions."""
    rows, counts = different_rows(dataset, features_of(dataset))
    phi, covariance = maximum_likelihood(rows, counts)
    basis = contrast_basis(counts.shape[1])
    theta, dim = basis @ phi, rows.shape[1]
    gradient, information = np.zeros(theta.shape), np.zeros((theta.size, theta.size))
    for x, many in zip(rows, counts, strict=True):
        for outcome in np.flatnonzero(many):
            gradient += many[outcome] * loss_gradient(theta, x, outcome)
        information += many.sum() * loss_hessian(theta, x)
    assert np.abs(gradient).max() < 1e-10  # sums of 2e4 terms of order one
    to_theta = np.kron(basis, np.eye(dim))
    identity = to_theta.T @ information @ to_theta @ covariance
    np.testing.assert_allclose(identity, np.eye(len(identity)), atol=1e-10)  # condition numbers are below 3e3


@every_dataset
def test_against_statsmodels(dataset):
    """theta_k - theta_1 and its standard errors, in the columns' own units: its fit knows nothing of our scaling."""
    choices, columns = decisions(dataset)
    features = features_of(dataset)
    raw = np.column_stack([columns[name] for name in features])
    centre, half = (raw.max(axis=0) + raw.min(axis=0)) / 2, np.ptp(raw, axis=0) / 2
    design = np.column_stack([np.ones(len(raw)), (raw - centre) / half])
    theirs = MNLogit(choices, design).fit(method="newton", maxiter=100, tol=1e-12, disp=False)
    ours = fitted(dataset)
    unit = ours.rows[0, 0]  # x = (1, z) unit
    difference = np.delete(ours.theta - ours.theta[0], 0, axis=0) * unit
    # eight digits of theta_*, whose entries are below 10
    np.testing.assert_allclose(difference, np.asarray(theirs.params).T, atol=1e-7)
    basis = contrast_basis(len(ours.theta))
    contrast = np.kron(np.delete(basis - basis[0], 0, axis=0), np.eye(len(features) + 1))
    errors = np.sqrt(np.diag(contrast @ ours.covariance @ contrast.T)) * unit
    np.testing.assert_allclose(errors, np.asarray(theirs.bse).T.ravel(), rtol=1e-6)  # its Newton stops at 1e-12 in the loss
    p = softmax(ours.rows @ ours.theta.T)
    assert (ours.counts * np.log(p)).sum() == pytest.approx(theirs.llf, rel=1e-12)


@every_dataset
def test_standard_errors_are_those_of_centred_theta(dataset):
    """Var(theta_kj) summed over k is the variance of the coordinates phi_.j, as their basis is orthonormal."""
    ours = fitted(dataset)
    outcomes, dim = ours.theta.shape
    variances = np.diag(ours.covariance).reshape(outcomes - 1, dim).sum(axis=0)
    np.testing.assert_allclose((ours.standard_errors**2).sum(axis=0), variances, rtol=10.0 ** (1 - DIGITS))
    assert ours.standard_errors.min() > 0


def test_the_fit_recovers_what_drew_the_outcomes():
    """Counts that are exactly proportional to probabilities: the maximum is the theta behind them."""
    theta = np.array([[1.0, -0.5], [0.25, 1.0], [-1.25, -0.5]])
    rows = np.array([[1.0, 0.0], [0.6, 0.8], [0.5, -0.5], [0.1, 0.2]])
    phi, _ = maximum_likelihood(rows, 40 * softmax(rows @ theta.T))
    np.testing.assert_allclose(contrast_basis(3) @ phi, theta, atol=1e-13)


@pytest.mark.parametrize(
    ("rows", "counts"),
    [
        ([[1.0], [-1.0]], [[3, 0], [0, 2]]),  # separated
        ([[1, 1], [1, 0.5], [1, 0], [1, -1]], [[3, 0], [1, 1], [0, 1], [0, 1]]),  # separated but for one tie
        ([[1, 0.5], [-1, -0.5]], [[3, 1], [1, 2]]),  # one column is twice the other
        ([[1.0], [0.5]], [[3, 1, 0], [1, 2, 0]]),  # an outcome that never shows
    ],
)
def test_a_likelihood_without_a_maximum_is_refused(rows, counts):
    with pytest.raises(np.linalg.LinAlgError):
        maximum_likelihood(np.array(rows, dtype=float), np.array(counts, dtype=float))


def test_features_without_a_maximum_are_named(monkeypatch):
    import mnlbandits.instances.data as module

    choices, columns = decisions("modechoice")
    twice = columns | {"twice": 2 * columns["hinc"]}
    monkeypatch.setattr(module, "decisions", lambda dataset: (choices, twice))
    with pytest.raises(InputError, match=r"^features: got \['hinc', 'twice'\], must be such that the likelihood has one"):
        make_instance("x", "data", {"features": ["hinc", "twice"]})


# The instances.


@every_dataset
@pytest.mark.parametrize("convention", ["frobenius", "rows"])
def test_instance(dataset, convention):
    ours = fitted(dataset)
    instance = make_instance("x", "data", {"dataset": dataset, "arms": 20, "bound": 1.5, "convention": convention})
    np.testing.assert_allclose(instance.theta, ours.theta, atol=1e-6)  # centred again after rounding
    np.testing.assert_array_equal(instance.standard_errors, ours.standard_errors)
    np.testing.assert_array_equal(instance.rewards, DATA_SETS[dataset].rewards)
    lengths = np.linalg.norm(ours.theta, axis=1)
    size = np.linalg.norm(lengths) if convention == "frobenius" else lengths.max()
    assert instance.norm_bound == pytest.approx(1.5 * size, rel=1e-15)
    known = {row.tobytes() for row in ours.rows}
    assert len({row.tobytes() for row in instance.arms} & known) == 20


def test_arms_are_drawn_by_the_seed_and_more_keep_the_first():
    def arms(**parameters):
        return make_instance("x", "data", parameters).arms

    np.testing.assert_array_equal(arms(arms=10), arms(arms=30)[:10])
    assert not np.array_equal(arms(seed=1), arms(seed=2))
    everyone = arms(arms=0)
    np.testing.assert_array_equal(np.unique(everyone, axis=0), fitted("modechoice").rows)
    np.testing.assert_array_equal(everyone[:10], arms(arms=10))


def test_other_columns():
    attributes = [f"{name}_{mode}" for name in ("gc", "ttme") for mode in ("air", "train", "bus")]
    instance = make_instance("x", "data", {"features": attributes})
    assert instance.dim == 7
    assert instance.parameters["features"] == attributes
    assert make_instance("x", "data", {"features": ["hinc"], "arms": 5}).dim == 2


def test_its_file(tmp_path):
    instance = make_instance("x", "data", {"features": ["hinc", "psize"], "arms": 5, "seed": 3})
    write_instance(instance, tmp_path / "x.json")
    again = read_instance(tmp_path / "x.json")
    np.testing.assert_array_equal(again.standard_errors, instance.standard_errors)
    np.testing.assert_array_equal(again.theta, instance.theta)
    assert (again.family, again.parameters) == ("data", instance.parameters)


BYTES = {
    "modechoice": "02ebef55edea0616",
    "anes96": "e9dd10d1e42869d8",
    "fair": "fba507605e9274f5",
    "randhie": "9335fb754e72b19a",
}
"""SHA-256 of theta_*, its standard errors and all arms, begun: they change with the data, the scaling or the fit only."""

DIGEST = """
import hashlib, sys
from mnlbandits.instances import make_instance
for dataset in sys.argv[1:]:
    instance = make_instance("x", "data", {"dataset": dataset, "arms": 0})
    arrays = (instance.theta, instance.standard_errors, instance.arms)
    print(hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()[:16])
"""


@pytest.mark.parametrize(
    "environment",
    [{"OPENBLAS_NUM_THREADS": "1"}, {"OPENBLAS_NUM_THREADS": "2", "OPENBLAS_CORETYPE": "Nehalem"}],
    ids=["one-thread", "another-processor"],
)
def test_the_same_bytes_on_every_machine(environment):
    command = [sys.executable, "-c", DIGEST, *BYTES]
    run = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == list(BYTES.values())


def test_rounding_to_digits():
    np.testing.assert_array_equal(rounded(np.array([1 / 3, -2e9 / 3, 0.0])), [0.33333333, -666666670.0, 0.0])
    np.testing.assert_array_equal(rounded(np.array([1 / 3 + 1e-12])), [0.33333333])


def test_statsmodels_is_imported_only_for_its_data():
    code = "import sys, mnlbandits.instances.families; assert 'statsmodels' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_statsmodels(monkeypatch):
    decisions.cache_clear()
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    with pytest.raises(InputError, match=r"^dataset: got 'anes96', must be .* installed \(pip install statsmodels\)$"):
        make_instance("x", "data", {"dataset": "anes96"})


# The recommender.


def test_recommender():
    """Six outcomes in the paper's order, of which a purchase is worth most and nothing is worth less than the last one."""
    assert OUTCOMES == (
        "buy now",
        "add to the cart",
        "add to the wish-list",
        "do not recommend",
        "do not click",
        "leave the website",
    )
    instance = make_instance("x", "recommender", {"norm": 3.0, "arms": 50})
    assert (instance.outcomes, instance.dim, len(instance.arms)) == (6, 4, 50)
    assert instance.rewards.tolist() == list(REWARDS) == [1.0, 0.5, 0.2, 0.0, 0.05, 0.0]
    np.testing.assert_array_equal(instance.arms[:, 0], 0.5)
    assert np.abs(instance.arms).max() <= 0.5
    assert np.ptp(instance.arms[:, 1:], axis=0).min() > 0.8  # of 50 uniform numbers in [-1/2, 1/2]
    assert np.linalg.norm(instance.theta) == pytest.approx(3, rel=1e-15)
    centred = WEIGHTS - WEIGHTS.mean(axis=0)
    np.testing.assert_allclose(instance.theta, 3 * centred / np.linalg.norm(centred), atol=1e-15)


def test_recommender_says_what_its_table_says():
    """The likeliest outcome of an item that fits and is cheap, fits and is dear and new, does not fit, and is old too."""
    theta = make_instance("x", "recommender", {}).theta
    items = np.array([[1, 1, -1, 0], [1, 1, 1, 1], [1, -1, 0, 0], [1, -1, 0, -1]]) / 2
    likeliest = [OUTCOMES[k] for k in softmax(items @ theta.T).argmax(axis=1)]
    assert likeliest == ["buy now", "add to the wish-list", "do not click", "leave the website"]


def test_items_of_the_recommender():
    def arms(**parameters):
        return make_instance("x", "recommender", parameters).arms

    np.testing.assert_array_equal(arms(arms=10), arms(arms=30)[:10])
    assert not np.array_equal(arms(seed=1), arms(seed=2))
    assert make_instance("x", "recommender", {"actions": {"name": "random-subsets", "size": 3}}).actions == RandomSubsets(3)
