"""The command line, as a user types it."""

import errno
import json
import math
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mnlbandits.algorithms import REGISTRY
from mnlbandits.cli import main
from mnlbandits.commands.simulate import exploration_note
from mnlbandits.simulators import Runs

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
    assert list(table.columns) == ["run", "t", "regret", "explored", "optimal", "instance", "algorithm", "preset"]
    assert table["t"].max() == 1000
    assert sorted(table["run"].unique()) == [0, 1]
    printed = capsys.readouterr()
    assert "run/s" in printed.err
    regret, explored, wrote = printed.out.splitlines()
    assert regret.startswith(f"regret at t = 1000: {table[table['t'] == 1000]['regret'].mean():.4g} (95 % interval ")
    assert regret.endswith(", 2 runs)")
    assert explored.startswith("still exploring at t = 1000: the exploration takes tau = ")
    assert explored.endswith("rounds; its actions do not depend on outcomes, so the regret is the same in all runs")
    assert wrote == f"wrote {out}"


def test_regret_is_printed_without_a_file(capsys):
    printed = output(capsys, "simulate", *EXAMPLE, "--algorithm", "uniform", "--horizon", "10")
    assert printed.startswith("regret at t = 10: ")
    assert printed.endswith(" (1 run)\n")
    by_leap = output(capsys, "simulate", *EXAMPLE, "--algorithm", "oful-mlogb", "--horizon", "1e4", "--simulator", "leap")
    assert " +- " in by_leap
    assert by_leap.endswith(" (1 run)\n")


def test_what_was_simulated_is_drawn(capsys, tmp_path):
    files = [str(tmp_path / f"{name}.{suffix}") for name, suffix in (("uniform", "csv"), ("oracle", "parquet"))]
    for file in files:
        output(capsys, "simulate", *EXAMPLE, "--algorithm", Path(file).stem, "--horizon", "50", "--runs", "3", "--out", file)
    for suffix in ("pdf", "png", "svg"):
        path = tmp_path / f"regret.{suffix}"
        assert output(capsys, "plot", *files, "--out", str(path)) == f"wrote {path}\n"
        assert path.stat().st_size > 1000
    slide = ["--size", "8", "4.5", "--linear", "--together", "--out", str(tmp_path / "slide.png")]
    assert output(capsys, "plot", *files, *slide).startswith("wrote ")
    for field, words in {
        "out": [files[0], "--out", "regret.gif"],
        "size": [files[0], "--size", "0", "4", "--out", "regret.png"],
        "file": [str(tmp_path / "nothing.csv"), "--out", "regret.png"],
    }.items():
        assert main(["plot", *words]) == 2
        assert f"error: {field}: got " in capsys.readouterr().err
    Path(files[0]).write_text("run,t\n0,1\n")
    assert main(["plot", files[0], "--out", str(tmp_path / "x.png")]) == 2
    assert "with the column algorithm" in capsys.readouterr().err
    assert not (tmp_path / "x.png").exists()


def test_runs_are_never_counted_twice(capsys, tmp_path):
    """Nor are results with other options or seeds pooled: they need names."""
    one, other = (str(tmp_path / f"{seed}.csv") for seed in (0, 1))
    for seed, file in enumerate((one, other)):
        words = ["--algorithm", "oful-mlogb", "--seed", str(seed)]
        output(capsys, "simulate", *EXAMPLE, *words, "--horizon", "20", "--out", file)
    for files in ([one, one], [one, other]):
        assert main(["plot", *files, "--out", str(tmp_path / "x.png")]) == 2
        assert "runs of oful-mlogb-paper with the same numbers twice" in capsys.readouterr().err
    picture = tmp_path / "x.svg"
    assert output(capsys, "plot", one, f"another seed={other}", "--out", str(picture)).startswith("wrote ")
    assert main(["plot", str(tmp_path / "nothing.parquet"), "--out", "x.png"]) == 2
    assert "(No such file or directory)" in capsys.readouterr().err


def test_an_exploration_that_is_too_long_to_count_is_called_so(capsys):
    words = ["--instance", "random", "--outcomes", "6", "--norm", "12", "--algorithm", "real", "--simulator", "counts"]
    printed = output(capsys, "simulate", *words, "--horizon", "1e18")
    assert "still exploring at t = 1e+18: the exploration takes more than 1e+18 rounds" in printed


def test_options_are_not_abbreviated(capsys):
    with pytest.raises(SystemExit):
        main(["simulate", *EXAMPLE, "--algo", "uniform", "--horizon", "10"])
    assert "required: --algorithm" in capsys.readouterr().err


def test_multipliers_are_found(capsys):
    words = ["--instance", "random", "--outcomes", "2", "--arms", "4", "--algorithm", "glb-omd", "--horizon", "20"]
    found = json.loads(output(capsys, "calibrate", *words, "--json"))
    assert 0 < found["radius_multiplier"] <= 1


def test_version(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith("mnlbandits ")


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
        ("instance_seed", {"--instance-seed": "-1"}),
        ("actions.size", {"--offered": "20"}),
        ("preset", {"--preset": "tuned"}),
        ("simulator", {"--simulator": "leep"}),
        ("simulator", {"--algorithm": "uniform", "--simulator": "counts"}),
        ("radius_multiplier", {"--preset": "calibrated", "--radius-multiplier": "0"}),
        ("real.radius_multiplier", {"--preset": "paper", "--radius-multiplier": "0.5"}),
        ("uniform.radius_multiplier", {"--algorithm": "uniform", "--radius-multiplier": "0.5"}),
        ("real.exploration_multiplier", {"--preset": "calibrated"}),
        ("algorithm", {"--algorithm": "ofu-mnl+"}),
        ("instance", {"--instance": "."}),
        ("out", {"--out": "runs.txt"}),
        ("out", {"--out": "runs"}),
        ("out", {"--out": "/dev/null/runs.csv"}),
        ("out", {"--out": "x" * 300 + ".csv"}),
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
    assert not error.endswith(("one of \n", "must be \n"))
    assert not list(tmp_path.iterdir())


def test_an_output_that_cannot_be_written_is_refused_before_the_simulation(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("mnlbandits.commands.simulate.simulate", None)
    (tmp_path / "folder.csv").mkdir()
    arguments = ["simulate", *EXAMPLE, "--algorithm", "uniform", "--horizon", "10", "--out"]
    for out in ("folder.csv", "folder.csv/" + "x" * 300 + "/a/runs.csv"):
        assert main([*arguments, str(tmp_path / out)]) == 2
        assert capsys.readouterr().err.startswith("mnlbandits: error: out: got ")
    assert [path.name for path in tmp_path.rglob("*")] == ["folder.csv"]


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_disk_that_is_full_at_the_end_is_one_line(capsys, tmp_path, monkeypatch, suffix):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    out = tmp_path / "a" / f"runs.{suffix}"
    command = ["simulate", *EXAMPLE, "--algorithm", "uniform", "--horizon", "10", "--out", str(out)]
    assert main(command) == 0, "compiled by now, and kept if it can be"
    shutil.rmtree(tmp_path / "a")
    capsys.readouterr()
    monkeypatch.setattr("os.fsync", full)
    assert main(command) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == f"mnlbandits: error: out: got '{out}', must be a file that can be written (No space left on device)"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (["--algorithm", "real", "--simulator", "counts", "--horizon", "1e4"], "still exploring at t = 10000: the explor"),
        (["--algorithm", "real", "--simulator", "leap", "--horizon", "1e4"], "still exploring at t = 10000: the explor"),
        (
            ["--algorithm", "real", "--simulator", "counts", "--horizon", "1e12"],
            "explored to the end of the exploration, t = ",
        ),
        (["--algorithm", "real", "--simulator", "counts", "--horizon", "1e12", "--learning-rounds", "1"], ""),
        (["--algorithm", "uniform", "--horizon", "100"], ""),
    ],
)
def test_runs_that_only_explore_say_so(capsys, tmp_path, words, note):
    assert main(["simulate", *EXAMPLE, *words, "--out", str(tmp_path / "runs.csv")]) == 0
    line = capsys.readouterr().out.partition("\n")[2]
    assert line.startswith(note)
    assert ("outcomes, so the regret is the same in all runs" in line) == bool(note)


def test_some_runs_that_only_explore_are_counted():
    zeros = np.zeros((3, 1))
    runs = Runs(
        np.arange(3), np.array([100]), zeros, zeros, np.full(3, math.nan), np.array([[100.0], [40.0], [100.0]]), zeros
    )
    assert runs.left.tolist() == [False, True, False]
    some = "still exploring at t = 100 in 2 of 3 runs: its actions do not depend on outcomes"
    assert exploration_note(runs, same=True) == some
    alike = replace(runs, explored=np.full((3, 1), 100.0))
    assert exploration_note(alike, same=False) == "still exploring at t = 100: its actions do not depend on outcomes"
    assert exploration_note(alike, same=True).endswith("outcomes, so the regret is the same in all runs")
    assert exploration_note(replace(runs, explored=zeros), same=True) == ""


def test_what_multipliers_a_preset_has_is_said(capsys, tmp_path):
    arguments = ["simulate", *EXAMPLE, "--horizon", "10", "--out", str(tmp_path / "x.csv"), "--algorithm"]
    assert main([*arguments, "real", "--preset", "paper", "--radius-multiplier", "0.5"]) == 2
    allowed = "left out: preset paper has no multipliers, calibrated has exploration_multiplier and radius_multiplier"
    assert f"real.radius_multiplier: got 0.5, must be {allowed}\n" in capsys.readouterr().err
    assert main([*arguments, "oful-mlogb", "--preset", "calibrated"]) == 2
    allowed = "given with calibrated constants; the table calibration.csv of a study holds values"
    assert f"oful-mlogb.radius_multiplier: got nothing, must be {allowed}\n" in capsys.readouterr().err


def test_systems_of_the_other_framework_are_listed_apart(capsys):
    before, heading, after = output(capsys, "algorithms").partition("\nThe other framework, assortments (Logit bandits, App")
    assert heading
    assert "\nreal: REAL, " in before
    for line in ("\nofu-mnl+: OFU-MNL+, Lee and Oh (2024)\n", "\nucb-mnl: UCB-MNL, Oh and Iyengar (2021)\n"):
        assert line in after
        assert line not in before
    records = json.loads(output(capsys, "algorithms", "--json"))
    frameworks = {record["name"]: record["framework"] for record in records}
    assert {name for name, framework in frameworks.items() if framework == "logit"} == {"ofu-mnl+", "ucb-mnl"}
    assert {name for name, framework in frameworks.items() if framework == "mnl"} == set(REGISTRY)


def test_a_reader_that_has_enough_ends_the_output():
    command = [sys.executable, "-m", "mnlbandits", "algorithms"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 1


def test_playing_a_system_of_the_other_framework_is_refused_with_the_reason(capsys, tmp_path):
    assert main(["simulate", *EXAMPLE, "--algorithm", "ucb-mnl", "--horizon", "9", "--out", str(tmp_path / "x.csv")]) == 2
    assert "UCB-MNL plays the other framework, assortments" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("constants.kappa", {"constants": {"kappa": 1e-9}}),
        ("rewards", {"rewards": [1.0, -1e101]}),
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
    error = capsys.readouterr().err
    assert f"{path}.{field}: got " in error
    assert error.count("\n") == 1


def test_claims_are_listed_with_verdicts_and_levels(capsys):
    assert main(["claims"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("C188  holds (kernel)  Appendix, auxiliary results: ") for line in lines)
    assert main(["claims", "--verdict", "refuted"]) == 0
    refuted = capsys.readouterr().out.splitlines()
    assert 0 < len(refuted) < len(lines)
    assert all("  refuted (" in line for line in refuted)


def test_claims_of_a_label_or_a_theorem_are_listed(capsys):
    assert main(["claims", "--label", "thm:regret bound", "--json"]) == 0
    assert "C156" in {row["id"] for row in json.loads(capsys.readouterr().out)}
    assert main(["claims", "--theorem", "3", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert "C184" in {row["id"] for row in rows}
    assert set(rows[0]) == {
        *("id", "label", "place", "statement", "section", "verdict", "level", "effect", "slip", "ours", "theorems")
    }


def test_claims_are_examined_whatever_the_case_of_their_ids(capsys):
    assert main(["claims", "c188", "C122", "--effort", "smoke"]) == 0
    text = capsys.readouterr().out
    assert "C122\n    place: " in text
    assert "verdict: holds" in text
    assert main(["claims", "C188", "--effort", "smoke", "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["id"], record["verdict"], record["level"]) == ("C188", "holds", "kernel")


def test_a_claim_is_examined_with_another_constant(capsys):
    records = []
    for constant in ("tau_constant=10000", "mended_tau_constant=336"):
        assert main(["claims", "C122", "--effort", "smoke", "--set", constant, "--json"]) == 0
        records += json.loads(capsys.readouterr().out)
    assert [record["constants"] for record in records] == [{"tau_constant": "10000"}, {"mended_tau_constant": "336"}]
    assert [record["verdict"] for record in records] == ["corrected", "refuted"]
    assert records[0]["ratio"] > 3
    assert all(record["domain"].startswith("printed: $T = 2$") for record in records)
    assert main(["claims", "C122", "--effort", "smoke", "--set", "tau_constant=451584"]) == 0
    printed = capsys.readouterr().out
    assert "verdict: holds" in printed
    assert "of these constants, and on the domain above only" in printed  # at T = 1 no constant helps


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("claim", ["C999"]),
        ("effort", ["C188", "--effort", "none"]),
        ("verdict", ["--verdict", "wrong"]),
        ("label", ["--label", "thm:none"]),
        ("theorem", ["--theorem", "4"]),
        ("--set", ["C122", "--set", "none=1"]),
        ("--set", ["--set", "tau_constant=1"]),
    ],
)
def test_what_the_ledger_does_not_have_is_named(capsys, field, words):
    assert main(["claims", *words]) == 2
    error = capsys.readouterr().err
    assert f"{field}: got" in error
    assert error.count("\n") == 1


def test_action_sets(capsys, tmp_path):
    """By JSON or by name; the list of algorithms says who plays what, and an algorithm why not."""
    fresh = json.dumps({"name": "fresh", "least": 2, "most": 6})
    random = ["--instance", "random", "--outcomes", "2", "--arms", "6"]
    rounds = ["--preset", "valid", "--horizon", "30", "--out", str(tmp_path / "runs.csv")]
    assert main(["simulate", *random, "--actions", fresh, "--algorithm", "glb-omd", *rounds]) == 0
    assert main(["constants", *random, "--actions", "list"]) == 0
    for actions, algorithm, message in (
        (fresh, "real", "Algorithm 1 explores one fixed set"),
        ("fresh", "glb-omd", "actions.least"),
        ('{"name": "fresh"', "glb-omd", "actions.name"),
    ):
        assert main(["simulate", *random, "--actions", actions, "--algorithm", algorithm, *rounds]) == 2
        assert message in capsys.readouterr().err
    record = next(each for each in json.loads(output(capsys, "algorithms", "--json")) if each["name"] == "real")
    assert record["action_sets"] == ["list", "continuous"]
    assert set(record["refuses"]) == {"subsets", "fresh"}
    assert "action sets: list, subsets, fresh\n" in output(capsys, "algorithms")


def test_arms_drawn_anew_in_every_round(capsys, tmp_path):
    """`--offered` is short for the action sets of that name, wherever arms are given."""
    random, subsets = ["--instance", "random", "--arms", "6"], json.dumps({"name": "random-subsets", "size": 3})
    tables = []
    for name, sets in {"short": ["--offered", "3"], "long": ["--actions", subsets], "all": []}.items():
        out = tmp_path / f"{name}.csv"
        output(capsys, "simulate", *random, *sets, "--algorithm", "uniform", "--horizon", "30", "--out", str(out))
        tables.append(out.read_bytes())
    assert tables[0] == tables[1] != tables[2]
    for command in ("simulate", "calibrate", "constants"):
        with pytest.raises(SystemExit) as exit:
            main([command, *random, "--offered", "3", "--actions", "list"])
        assert exit.value.code == 2
        assert "argument --actions: not allowed with argument --offered" in capsys.readouterr().err


def test_json_has_null_for_what_is_not_finite():
    from mnlbandits.commands.json_text import as_json_text

    assert as_json_text({"a": [1.0, math.inf, (math.nan, "é")], "b": {"c": -math.inf}}) == (
        '{"a": [1.0, null, [null, "é"]], "b": {"c": null}}'
    )


def test_more_runs_than_fit_are_refused(capsys):
    assert main(["simulate", "--instance", "random", "--algorithm", "uniform", "--horizon", "10", "--runs", "1000001"]) == 2
    assert "runs: got 1000001, must be an integer in [1, 1e+06]" in capsys.readouterr().err
