"""What only helps or lists: its words are the library's, and nothing that computes is imported for them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from own import GREEDY, written

from mnlbandits.commands import COMMANDS
from mnlbandits.commands.describe import text
from mnlbandits.commands.listing import LISTING
from mnlbandits.ledger.listing import listed
from mnlbandits.sources import PACKAGE

HEAVY = ("flint", "matplotlib", "mpmath", "numba", "numpy", "pandas", "scipy", "shtab", "sympy", "yaml")
CODE = f"""
import sys
from mnlbandits.cli import main
try:
    status = main(sys.argv[1:])
except SystemExit as exit:
    status = exit.code
print(status, [name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""


def command_line(*words: str, source: Path = PACKAGE.parent) -> subprocess.CompletedProcess[str]:
    """A command, which says at last how it ended and what of `HEAVY` it imported."""
    command = [sys.executable, "-c", CODE, *words]
    return subprocess.run(command, env={"PYTHONPATH": str(source)}, capture_output=True, text=True, check=True)


def test_the_listing_is_up_to_date():
    assert LISTING.read_text(encoding="utf-8") == text(), "python -m mnlbandits.commands.describe writes it anew"


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        *([name, "--help"] for name in COMMANDS),
        *([name, "--json"] for name in ("algorithms", "instances", "claims")),
        ["algorithms"],
        ["instances"],
        ["claims", "--verdict", "refuted"],
    ],
    ids=" ".join,
)
def test_nothing_that_computes_is_imported(words):
    done = command_line(*words)
    assert done.stdout
    assert done.stderr == "0 []\n"


@pytest.mark.parametrize(
    "words", [["sim"], ["simulate"], ["simulate", "--horizont", "9"], ["kappa", "--radius", "x", "--outcomes", "3"], []]
)
def test_nor_for_an_error_of_usage(words):
    done = command_line(*words)
    assert done.stderr.startswith("usage: ")
    assert done.stderr.endswith("\n2 []\n")


def test_an_algorithm_that_was_added_to_the_package_is_listed(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "mnlbandits", ignore=shutil.ignore_patterns("__pycache__"))
    written(tmp_path / "mnlbandits" / "algorithms", GREEDY)
    assert "\ngreedy: greedy, mine\n" in command_line("algorithms", source=tmp_path).stdout
    assert "--width VALUE" in command_line("simulate", "--help", source=tmp_path).stdout


def test_a_verdict_that_no_named_claim_has_lists_none():
    assert listed(["C001"], verdict="refuted") == []
