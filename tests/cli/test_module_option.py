"""Algorithms of one's own on the command line."""

import pandas as pd
import pytest
from own import GREEDY, changed, line_of, written

from mnlbandits.cli import main

pytestmark = pytest.mark.usefixtures("registry")

INSTANCE = ["--instance", "random", "--outcomes", "2", "--arms", "4"]
WIDTH = 'Option("width", "of the bonus", default=0.0, low=0.0, high=9.0)'
MORE = changed(
    (WIDTH, f'{WIDTH}, Option("step", "100 % nothing", default=2), Option("warm", "nothing", default=False)'),
    ("preset, width):", "preset, width, step, warm):"),
    ("np.zeros(count), width)", "np.zeros(count), width + 100 * step + 1000 * warm)"),
    ("return np.argmax(", "assert state.width == EXPECTED\n    return np.argmax("),
)


def simulate(folder, *words):
    command = ["simulate", "--module", str(folder / "greedy.py"), *INSTANCE, "--algorithm", "greedy", "--horizon", "20"]
    return main([*command, "--out", str(folder / "runs.csv"), *words])


def test_a_file_is_simulated_and_listed(tmp_path, capsys):
    written(tmp_path, GREEDY)
    assert simulate(tmp_path) == 0
    assert pd.read_csv(tmp_path / "runs.csv")["t"].max() == 20
    assert main(["algorithms", "--module", str(tmp_path / "greedy.py")]) == 0
    listed = capsys.readouterr().out
    assert "\ngreedy: greedy, mine\n" in listed
    assert "    width: of the bonus (a finite number in [0, 9]; default 0)\n" in listed.replace("0.0", "0")
    assert (
        "    data: suffstat: one row per arm; stream: one row per round (suffstat or stream; default suffstat)\n" in listed
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], 200.0),
        (["--width", "3"], 203.0),
        (["--option-step", "1", "--warm"], 1100.0),
        (["--warm", "false"], 200.0),
        (["--warm", "TRUE", "--step", "0.5"], 1200.0),
    ],
)
def test_its_options_are_flags_and_one_that_is_taken_gets_another(tmp_path, words, expected):
    written(tmp_path, MORE.replace("EXPECTED", repr(expected)))
    assert simulate(tmp_path, *words) == 0


def test_an_option_called_as_one_of_instances_is_pointed_at(tmp_path, capsys):
    renamed = changed(('Option("width"', 'Option("epsilon"'), ("preset, width):", "preset, epsilon):"))
    written(tmp_path, renamed.replace("np.zeros(count), width)", "np.zeros(count), epsilon)"))
    assert simulate(tmp_path, "--epsilon", "0.5") == 2
    printed = capsys.readouterr().err
    assert "random.epsilon: got 'epsilon', must be one of " in printed
    assert printed.endswith("; the option of greedy is --option-epsilon\n")
    assert simulate(tmp_path, "--option-epsilon", "0.5") == 0


def test_a_file_is_calibrated(tmp_path, capsys):
    written(tmp_path, GREEDY)
    assert main(["calibrate", "--module", str(tmp_path / "greedy.py"), *INSTANCE, "--algorithm", "greedy"]) == 2
    assert "greedy.preset: got 'calibrated', must be one of none\n" in capsys.readouterr().err


def test_help_has_its_options(tmp_path, capsys):
    written(tmp_path, MORE)
    with pytest.raises(SystemExit):
        main(["simulate", "--help", "--module", str(tmp_path / "greedy.py")])
    printed = " ".join(capsys.readouterr().out.split())
    assert "--width VALUE of the bonus: a finite number in [0, 9] (default 0.0)" in printed
    assert "--option-step VALUE 100 % nothing: an integer (default 2)" in printed


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--width", "9.5"], "greedy.width: got 9.5, must be a finite number in [0, 9]"),
        (["--width", "wide"], "greedy.width: got 'wide', must be a finite number in [0, 9]"),
        (["--option-step", "1.5"], "greedy.step: got 1.5, must be an integer"),
        (["--warm", "maybe"], "greedy.warm: got 'maybe', must be true or false"),
        (["--reading", "printed"], "greedy.reading: got 'reading', must be one of step, warm, width"),
    ],
)
def test_a_value_out_of_range_is_one_line_and_nothing_is_written(tmp_path, capsys, words, error):
    written(tmp_path, MORE)
    assert simulate(tmp_path, *words) == 2
    assert capsys.readouterr().err == f"mnlbandits: error: {error}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["greedy.py"]


@pytest.mark.parametrize("command", ["simulate", "algorithms", "check", "calibrate"])
def test_a_broken_file_is_one_line(tmp_path, capsys, command):
    text = changed(("import numba\n", "import numba\nno_such_name\n"))
    path = written(tmp_path, text)
    arguments = {"simulate": ["--algorithm", "uniform"], "algorithms": [], "check": ["uniform"]}.get(command, [])
    assert main([command, "--module", str(path), *arguments]) == 2
    line = line_of(text, "no_such_name")
    error = f"{path}: got NameError in line {line}: name 'no_such_name' is not defined, must be a module that imports"
    assert capsys.readouterr().err == f"mnlbandits: error: {error}\n"


def test_the_contract_is_checked_line_by_line_and_recorded(tmp_path, capsys):
    path, record = written(tmp_path, GREEDY), tmp_path / "golden.txt"
    command = ["check", str(path), "--golden", str(record)]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in lines] == [
        f"ok    greedy {name}"
        for name in ("interface", "determinism", "resumption", "compiled", "relabelling", "coverage", "golden none", "cost")
    ]
    assert record.read_text().startswith("greedy none: 0 1 2 3 4 ")
    assert main(command) == 0
    assert "ok    greedy golden none: as recorded\n" in capsys.readouterr().out
    written(tmp_path, changed(("return t - 1", "return 5 - t")))
    assert main(command) == 1
    assert "FAILS greedy golden none: round 1 has arm 4, was 0 in the record\n" in capsys.readouterr().out


def test_a_record_is_made_of_what_keeps_the_contract_only(tmp_path, capsys):
    path, record = written(tmp_path, changed(("return t - 1", "return t"))), tmp_path / "golden.txt"
    assert main(["check", str(path), "--golden", str(record)]) == 1
    assert "FAILS greedy interface: choose returns 5 in round 5, must return an arm, 0 to 4\n" in capsys.readouterr().out
    assert not record.exists()
    record.write_text("no record")
    assert main(["check", str(path), "--golden", str(record)]) == 2
    assert "golden: got " in capsys.readouterr().err


@pytest.mark.parametrize(("what", "field"), [("reel", "algorithm"), ("nowhere.py", "module")])
def test_what_cannot_be_checked_is_named(capsys, what, field):
    assert main(["check", what]) == 2
    assert capsys.readouterr().err.startswith(f"mnlbandits: error: {field}: got '{what}', must be ")
