"""An instance from labelled data: by hand, against statsmodels, and what is said of data that cannot be fitted."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.discrete.discrete_model import MNLogit

from mnlbandits.algorithms.real_constants import constants
from mnlbandits.cli import main
from mnlbandits.errors import InputError
from mnlbandits.instances import data, fit_instance, make_instance, read_instance
from mnlbandits.model.softmax import softmax
from mnlbandits.seeds import generator


def observed(counts):
    """A table with a feature z and an outcome y, from how often each pair was seen."""
    return pd.DataFrame([(z, y) for (z, y), count in counts.items() for _ in range(count)], columns=["z", "y"])


HAND = {(3.0, "no"): 8, (3.0, "yes"): 2, (7.0, "no"): 5, (7.0, "yes"): 15}


def test_two_outcomes_and_one_feature_by_hand():
    """The log odds are those of the counts, and the variance of a log odds is the sum of 1 / count."""
    low, high = math.log(2 / 8), math.log(15 / 5)
    at_low, at_high = 1 / 8 + 1 / 2, 1 / 5 + 1 / 15
    instance = fit_instance("hand", observed(HAND), "y", rewards={"yes": 2, "no": 0})
    assert instance.arms == pytest.approx(np.array([[1, -1], [1, 1]]) / math.sqrt(2)) or instance.arms == pytest.approx(
        np.array([[1, 1], [1, -1]]) / math.sqrt(2)
    )
    half = np.array([high + low, high - low]) / 2 * math.sqrt(2) / 2  # of the slope of "yes" less "no"
    assert instance.theta == pytest.approx(np.array([-half, half]), rel=1e-7)  # digits kept
    assert instance.standard_errors == pytest.approx(math.sqrt((at_high + at_low) / 2) / 2, rel=1e-7)
    assert instance.rewards.tolist() == [0, 2]
    assert instance.norm_bound == pytest.approx(np.linalg.norm(instance.theta))
    expected = {"outcome": "y", "outcome_names": ["no", "yes"], "features": ["z"], "low": [3.0], "high": [7.0]}
    assert instance.parameters == expected | {"longest": math.sqrt(2), "observations": 30}


def drawn(count=400, outcomes=3, dim=2, seed=0, size=1.0):
    """A table of features a, b, .. on scales far apart, and an outcome drawn from a logit."""
    random = generator("test", seed, "fit")
    table = random.normal(size=(count, dim)) * 10.0 ** np.arange(dim) + 5
    logits = size * (table - 5) / 10.0 ** np.arange(dim) @ random.normal(size=(dim, outcomes))
    choices = (softmax(logits).cumsum(axis=1) < random.random((count, 1))).sum(axis=1)
    return pd.DataFrame(table, columns=list("abcdef"[:dim])).assign(y=choices)


def scaled(instance, table):
    """The x of every row of a table, as the parameters of a fitted instance say."""
    made = instance.parameters
    low, high = np.array(made["low"]), np.array(made["high"])
    z = (2 * table[made["features"]].to_numpy() - low - high) / (high - low)
    return np.column_stack([np.ones(len(z)), z]) / made["longest"]


@pytest.mark.parametrize(("outcomes", "dim", "seed"), [(2, 1, 0), (3, 2, 1), (5, 3, 2)])
def test_the_fit_is_that_of_statsmodels(outcomes, dim, seed):
    table = drawn(600, outcomes, dim, seed)
    instance = fit_instance("drawn", table, "y")
    x = scaled(instance, table)
    theirs = MNLogit(table["y"], x).fit(disp=False, method="newton", maxiter=100)
    ours = (instance.theta[1:] - instance.theta[0]).T
    assert ours == pytest.approx(np.asarray(theirs.params), rel=1e-5, abs=1e-6)  # their gradient's tolerance
    assert sorted(map(tuple, np.round(instance.arms, 12))) == sorted(map(tuple, np.unique(np.round(x, 12), axis=0)))
    assert np.linalg.norm(instance.arms, axis=1).max() == pytest.approx(1)


def test_the_real_data_sets_come_out_as_they_are():
    choices, columns = data.decisions("anes96")
    features = data.features_of("anes96")
    table = pd.DataFrame({name: columns[name] for name in features}).assign(party=choices)
    ours, theirs = fit_instance("x", table, "party"), make_instance("x", "data", {"dataset": "anes96", "arms": 0})
    assert ours.theta.tolist() == theirs.theta.tolist()
    assert ours.standard_errors.tolist() == theirs.standard_errors.tolist()


def test_rows_in_another_order_and_other_units_change_nothing_but_rounding():
    table = drawn()
    other = table.iloc[::-1].assign(a=1e6 * table["a"] - 3, b=-1e-9 * table["b"])
    ours, theirs = fit_instance("x", table, "y"), fit_instance("x", other, "y")
    assert theirs.theta * [1, 1, -1] == pytest.approx(ours.theta, rel=1e-6)  # digits kept, and sums in another order


def test_features_outcomes_and_arms_that_are_asked_for():
    table = drawn(dim=3)
    instance = fit_instance("x", table, "y", features=["c", "a"], arms=7, seed=3, bound=2, convention="rows")
    assert instance.parameters["features"] == ["c", "a"]
    assert instance.arms.shape == (7, 3)
    assert instance.norm_bound == pytest.approx(2 * np.linalg.norm(instance.theta, axis=1).max())
    again = fit_instance("x", table, "y", features=["c", "a"], arms=7, seed=4)
    assert again.arms.tolist() != instance.arms.tolist()
    every = {tuple(row) for row in fit_instance("x", table, "y", features=["c", "a"]).arms.tolist()}
    assert {tuple(row) for row in again.arms.tolist()} < every


def test_outcomes_that_are_numbers_are_in_their_order_and_rewards():
    table = observed({(1, 10): 5, (1, 2): 5, (2, 10): 6, (2, 2): 4})
    instance = fit_instance("x", table, "y")
    assert (instance.parameters["outcome_names"], instance.rewards.tolist()) == (["2", "10"], [2, 10])
    texts = table.assign(y=table["y"].astype(str))
    assert fit_instance("x", texts, "y").rewards.tolist() == [2, 10]
    assert fit_instance("x", table.assign(y=table["y"] == 2), "y").rewards.tolist() == [0, 1]


def test_tables_with_other_types_of_columns():
    table = observed({(1, 0): 5, (1, 1): 5, (2, 0): 6, (2, 1): 4})
    plain = fit_instance("x", table, "y")
    for y in (table["y"].astype("category"), table["y"].astype("Int8"), table["y"] > 0, table["y"].astype(str)):
        assert fit_instance("x", table.assign(y=y), "y", rewards={0: 0, 1: 1}).theta.tolist() == plain.theta.tolist()
    numbered = fit_instance("x", table.set_axis([0, 1], axis=1), "1")
    assert numbered.parameters["features"] == ["0"]


def test_none_is_an_outcome_like_others():
    table = observed({(1, "None"): 5, (1, "buy"): 5, (2, "None"): 6, (2, "buy"): 4})
    assert fit_instance("x", table, "y", rewards=[0, 1]).parameters["outcome_names"] == ["None", "buy"]


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 30), min_size=8, max_size=8), st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_any_counts_of_a_saturated_model_come_back(counts, low, width):
    """With as many different rows as coefficients the fitted probabilities are the observed shares."""
    seen = np.array(counts).reshape(2, 4)
    table = observed({(low + width * z, y): int(seen[z, y]) for z in range(2) for y in range(4)})
    assume(len(set(counts)) > 1)
    instance = fit_instance("x", table, "y")
    shares = seen / seen.sum(axis=1, keepdims=True)
    found = np.array(sorted(instance.probabilities.tolist()))
    assert min(np.abs(found - shares).max(), np.abs(found - shares[::-1]).max()) < 1e-6  # digits kept


def test_a_step_that_raises_the_loss_is_halved():
    """Whole steps of Newton's method from 0 lose these counts: its information vanishes, as if outcomes were separated."""
    rows = np.array([[1.0, -0.484], [1.0, -0.0029], [1.0, 0.0077]]) / math.sqrt(2)
    counts = np.array([[2.0, 15541], [7, 394], [61802, 4]])
    phi, _ = data.maximum_likelihood(rows, counts)
    p = softmax(rows @ phi.T @ data.contrast_basis(2).T)
    assert np.abs((counts.sum(axis=1, keepdims=True) * p - counts).T @ rows).max() < 1e-6  # of 77,750 observations


def test_pieces_of_the_rows_sum_to_the_whole(monkeypatch):
    table = drawn(500)
    whole = fit_instance("x", table, "y")
    monkeypatch.setattr(data, "PIECE", 7)
    assert fit_instance("x", table, "y").theta == pytest.approx(whole.theta, rel=1e-7)


MANY = 50


def wrong(**columns):
    random = generator("test", 1, "wrong")
    table = pd.DataFrame({"a": random.random(MANY), "b": random.random(MANY)})
    table["y"] = (random.random(MANY) > 0.5).astype(int)
    return table.assign(**columns)


A, B = wrong()["a"], wrong()["b"]


@pytest.mark.parametrize(
    ("field", "table", "said"),
    [
        ("outcome", wrong(y=1), "all are 1"),
        ("outcome", wrong(y=np.sqrt(np.arange(MANY)))[["a", "y"]].assign(**{f"c{i}": A**i for i in range(20)}), "<= 1000"),
        ("outcome", wrong(y=[None, *range(MANY - 2), None]), "given in row 1 of the table, and 1 more"),
        (
            "outcome",
            wrong(y=(A > 0.5).astype(int)),
            "got '0', must be an outcome that no feature tells from all others, as a",
        ),
        ("outcome", wrong(y=["x" if a > 0.5 else "y" for a in A]), "leave a out, merge outcomes or add observations"),
        ("outcome", wrong(y=(A + B > 1).astype(int)), "they tell some apart without error"),
        ("outcome", observed({(1, 0): 9, (1, 1): 9, (2, 0): 4, (2, 1): 4}), "theta_* is zero"),
        ("features", wrong(b=7), "got 'b', must be a column with more than one value, and all are 7"),
        ("features", wrong(b=3 * A - 1), "got 'b', must be no combination"),
        ("features", wrong(c=A - B), "got 'c', must be no combination"),
        ("features", wrong(b="Bonn"), "got 'Bonn', must be a finite number in row 1, column b of the table, and 49 more"),
        ("features", wrong(b=[*B[:-1], None]), "got nothing, must be a finite number in row 50, column b"),
        ("features", wrong(b=[*B[:-1], math.inf]), "got 'inf', must be a finite number in row 50"),
        ("features", wrong(b=[*B[:-1], -1e300]), "got 'b', must be a column of numbers up to 1e+100"),
        (
            "features",
            wrong(b=pd.array([None, *range(MANY - 1)], dtype="Int64")),
            "got nothing, must be a finite number in row 1",
        ),
        ("features", wrong(b=[[1]] * MANY), "got '[1]', must be a finite number"),
        ("data", wrong().set_axis(["a", "a", "y"], axis=1), "not one like 'a'"),
        ("data", wrong()[:0], "a row below its names"),
        ("features", wrong()[["y"]], "one column at least, beside y"),
    ],
)
def test_data_that_cannot_be_fitted(field, table, said):
    with pytest.raises(InputError) as caught:
        fit_instance("x", table, "y", rewards=None if pd.api.types.is_numeric_dtype(table["y"]) else [1, 0])
    assert caught.value.field == field
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("outcome", {"outcome": "z"}),
        ("outcome", {"outcome": None}),
        ("features", {"features": "a"}),
        ("features", {"features": []}),
        ("features", {"features": ["z"]}),
        ("features", {"features": ["a", "a"]}),
        ("features", {"features": ["a", "y"]}),
        ("rewards", {"rewards": [1]}),
        ("rewards", {"rewards": ["x", 1]}),
        ("rewards", {"rewards": {"0": 1}}),
        ("rewards", {"rewards": {"0": 1, "1": 1, "2": 1}}),
        ("rewards", {"rewards": 3}),
        ("rewards", {"rewards": [1, math.nan]}),
        ("bound", {"bound": 0.5}),
        ("bound", {"bound": math.inf}),
        ("arms", {"arms": 51}),
        ("arms", {"arms": -1}),
        ("seed", {"seed": -1}),
        ("convention", {"convention": "columns"}),
        ("actions.name", {"actions": "speres"}),
        ("name", {"name": ""}),
        ("data", {"data": "nowhere.csv"}),
        ("data", {"data": "."}),
    ],
)
def test_options_that_are_wrong(field, options):
    with pytest.raises(InputError) as caught:
        fit_instance(**{"name": "x", "data": wrong(), "outcome": "y"} | options)
    assert caught.value.field == field


# The command.


@pytest.fixture
def visits(tmp_path):
    table = drawn(300, dim=2).assign(y=lambda each: each["y"].map({0: "buy", 1: "leave", 2: "look"}))
    table.to_csv(tmp_path / "visits.csv", index=False)
    table.to_parquet(tmp_path / "visits.parquet")
    return tmp_path


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("out", ["mine.json", "mine.npz"])
def test_a_file_that_other_commands_read(visits, capsys, suffix, out):
    arguments = ["fit", str(visits / f"visits.{suffix}"), "--outcome", "y", "--out", str(visits / out), "--arms", "9"]
    assert main([*arguments, "--rewards", "look=0.5", "buy=1", "leave=0"]) == 0
    printed = capsys.readouterr().out
    instance = read_instance(visits / out)
    assert instance.rewards.tolist() == [1, 0, 0.5]
    assert f"{instance.theta[0, 0]:.4g} ({instance.standard_errors[0, 0]:.2g})" in printed
    assert [word in printed for word in ("buy", "constant", " a ", "kappa", "fitted to 300 observations")] == [True] * 5
    assert main(["constants", "--instance", str(visits / out), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown.pop("tau") == constants(instance.problem(1e6, 0.05)).tau
    assert shown == instance.constants
    assert printed.endswith(f"wrote {visits / out}\n")


def test_numbers_in_json(visits, capsys):
    assert main(["fit", str(visits / "visits.csv"), "--outcome", "y", "--rewards", "1", "0", "0.5", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["outcomes"], record["dim"], record["outcome_names"]) == (3, 3, ["buy", "leave", "look"])
    assert np.shape(record["theta"]) == np.shape(record["standard_errors"]) == (3, 3)


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("out", ["--out", "mine.csv"]),
        ("out", ["--out", "/dev/null/mine.json"]),
        ("rewards", ["--rewards", "buy=1", "0", "1"]),
        ("rewards", ["--rewards", "buy=1", "look=0"]),
        ("rewards", ["--rewards", "buy=1", "look=x", "leave=0"]),
        ("rewards", ["--rewards", "1", "2"]),
        ("features", ["--features", "c"]),
        ("arms", ["--arms", "1.5"]),
        ("instance_seed", ["--instance-seed", "-1"]),
    ],
)
def test_bad_input_is_one_line_and_no_file(visits, capsys, field, arguments):
    before = sorted(visits.iterdir())
    given = ["fit", str(visits / "visits.csv"), "--outcome", "y", "--rewards", "1", "0", "0.5"]
    assert main([*given, "--out", str(visits / "mine.json"), *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"{field}: got" in error
    assert sorted(visits.iterdir()) == before
