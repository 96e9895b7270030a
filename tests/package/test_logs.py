"""What a step of the workflow says when it fails."""

import sys

import pytest

from mnlbandits.errors import InputError
from mnlbandits.logs import log_to


def test_what_a_user_caused_is_one_line_outside_of_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "__stderr__", sys.stderr)
    with pytest.raises(SystemExit) as caught, log_to(tmp_path / "logs/step.log"):
        raise InputError("runs", 0, "an integer >= 1")
    assert caught.value.code == 1
    assert capsys.readouterr().err == "InputError: runs: got 0, must be an integer >= 1\n"
    log = (tmp_path / "logs/step.log").read_text()
    assert log.startswith("Traceback")


def test_any_other_failure_is_raised(tmp_path):
    with pytest.raises(ZeroDivisionError), log_to(tmp_path / "step.log"):
        1 / 0  # noqa: B018
    assert "ZeroDivisionError" in (tmp_path / "step.log").read_text()
