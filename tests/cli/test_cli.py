"""The command line, as a user types it."""

import json
import math

import pandas as pd
import pytest

from mnlbandits.cli import main

EXAMPLE = ["--instance", "large-kappa-star", "--outcomes", "3", "--dim", "2", "--norm", "2"]


def output(capsys, *arguments):
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_constants(capsys):
    record = json.loads(output(capsys, "constants", *EXAMPLE, "--json"))
    m = 2 / math.sqrt(2 / 3)
    first = math.exp(m) / (math.exp(m) + 2)
    assert record["kappa_star"] == pytest.approx(6 / (first * (1 - first)), rel=1e-12)  # rounding
    assert {"kappa", "kappa_star", "nu", "gap", "R"} <= set(record)


def test_kappa(capsys):
    record = json.loads(output(capsys, "kappa", "--outcomes", "3", "--radius", "2", "--json"))
    assert record["lower"] <= record["kappa"] <= record["upper"]
    assert record["relative_gap"] < 1e-7


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_simulate(capsys, tmp_path, suffix):
    out = tmp_path / f"runs.{suffix}"
    arguments = ["simulate", *EXAMPLE, "--algorithm", "real", "--preset", "paper", "--simulator", "exact"]
    assert main([*arguments, "--horizon", "1e3", "--runs", "2", "--seed", "0", "--out", str(out)]) == 0
    table = pd.read_parquet(out) if suffix == "parquet" else pd.read_csv(out)
    assert list(table.columns) == ["run", "t", "regret"]
    assert table["t"].max() == 1000
    assert sorted(table["run"].unique()) == [0, 1]
    assert "run/s" in capsys.readouterr().err


def test_lists(capsys):
    assert "Algorithms 1 and 2" in output(capsys, "algorithms")
    assert "lower-bound" in output(capsys, "instances")
    assert {entry["name"] for entry in json.loads(output(capsys, "algorithms", "--json"))} >= {"real", "oful-mlogb"}


SIMULATE = {"--instance": "random", "--algorithm": "real", "--horizon": "100"}


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("algorithm", {"--algorithm": "reel"}),
        ("instance", {"--instance": "nowhere"}),
        ("instance", {"--instance": "nowhere.json"}),
        ("outcomes", {"--outcomes": "1"}),
        ("dim", {"--dim": "0"}),
        ("norm", {"--norm": "0"}),
        ("norm", {"--norm": "-1"}),
        ("norm", {"--norm": "nan"}),
        ("horizon", {"--horizon": "0"}),
        ("horizon", {"--horizon": "1e400"}),
        ("horizon", {"--horizon": "1.5"}),
        ("horizon", {"--horizon": "1e12"}),
        ("delta", {"--delta": "1"}),
        ("delta", {"--delta": "0"}),
        ("runs", {"--runs": "0"}),
        ("seed", {"--seed": "-1"}),
        ("preset", {"--preset": "tuned"}),
        ("simulator", {"--simulator": "leep"}),
        ("simulator", {"--algorithm": "uniform", "--simulator": "counts"}),
        ("radius_multiplier", {"--preset": "calibrated", "--radius-multiplier": "0"}),
        ("epsilon", {"--instance": "lower-bound", "--epsilon": "3"}),
        ("member", {"--epsilon": "0.1", "--member": "M9", "--instance": "lower-bound"}),
    ],
)
def test_bad_input_is_one_clear_error_and_no_file(capsys, tmp_path, field, changes):
    out = tmp_path / "runs.parquet"
    options = SIMULATE | {"--out": str(out)} | changes
    assert main(["simulate", *(word for pair in options.items() for word in pair)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"{field}: got" in error
    assert "must be" in error
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("rewards", {"rewards": [1.0, -0.5]}),
        ("arms", {"arms": [[1.2, 0.0]]}),
        ("theta", {"theta": [[math.nan, 0.0], [0.0, 0.0]]}),
        ("outcomes", {"theta": [[0.1, 0.0]]}),
        ("norm_bound", {"norm_bound": 0.0}),
        ("norm_bound", {"norm_bound": 0.1}),
        ("thta", {"thta": 1}),
    ],
)
def test_bad_instance_files(capsys, tmp_path, field, change):
    record = {
        "name": "x",
        "theta": [[0.5, 0.0], [-0.5, 0.0]],
        "arms": [[1.0, 0.0]],
        "rewards": [1.0, 0.0],
        "norm_bound": 1.0,
    }
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(record | change))
    assert main(["constants", "--instance", str(path)]) == 2
    assert field in capsys.readouterr().err


def test_claims_are_listed_and_one_is_explained(capsys):
    assert main(["claims"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("C188  Appendix, auxiliary results: ") for line in lines)
    assert main(["claims", "C188", "--effort", "smoke"]) == 0
    assert "verdict: holds" in capsys.readouterr().out


@pytest.mark.parametrize(("field", "words"), [("claim", ["C999"]), ("effort", ["C188", "--effort", "none"])])
def test_an_unknown_claim_or_effort_is_named(capsys, field, words):
    assert main(["claims", *words]) == 2
    assert f"{field}: got" in capsys.readouterr().err
