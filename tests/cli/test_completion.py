"""Completion: the script that a shell reads, and what bash then completes."""

import os
import subprocess
import sys

import pytest

from mnlbandits.algorithms import REGISTRY
from mnlbandits.cli import main
from mnlbandits.commands import COMMANDS
from mnlbandits.instances import FAMILIES

COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
$(complete -p mnlbandits | sed 's/.* -F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def script(tmp_path, capsys):
    """The file of the script for bash."""
    with pytest.raises(SystemExit) as exit:
        main(["--print-completion", "bash"])
    assert exit.value.code == 0
    path = tmp_path / "completion.bash"
    path.write_text(capsys.readouterr().out)
    return path


def completed(script, *words):
    """What bash offers for the last word."""
    command = ["bash", "--norc", "-c", COMPLETE, "bash", str(script), "mnlbandits", *words]
    done = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_script_is_valid(script):
    checked = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sim"], {"simulate"}),
        ([""], set(COMMANDS)),
        (["simulate", "--inst"], {"--instance", "--instance-seed"}),
        (["simulate", "--instance", ""], set(FAMILIES)),
        (["simulate", "--instance", "random", "--algorithm", "ofu"], {name for name in REGISTRY if name.startswith("ofu")}),
        (["calibrate", "--algorithm", "oful-mlogb-"], {"oful-mlogb-binary"}),
        (["simulate", "--preset", "cal"], {"calibrated"}),
        (["simulate", "--simulator", ""], {"exact", "counts", "leap"}),
        (["constants", "--offered", ""], set()),
        (["plot", "compl"], {"completion.bash"}),
    ],
)
def test_bash_completes(script, words, offered):
    assert completed(script, *words) == offered


def test_zsh_has_a_script_too():
    command = [sys.executable, "-m", "mnlbandits", "--print-completion", "zsh"]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("#compdef mnlbandits\n")
    assert "large-kappa-star" in done.stdout


def test_another_shell_is_an_error_of_usage(capsys):
    with pytest.raises(SystemExit) as exit:
        main(["--print-completion", "csh"])
    assert exit.value.code == 2
    assert "choose from" in capsys.readouterr().err
