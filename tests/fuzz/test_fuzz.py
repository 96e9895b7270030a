"""Inputs that once ended badly, see `make fuzz`, and a few new ones."""

import base64
import json
from pathlib import Path

import pytest
from cases import KINDS, case
from judge import judged

from mnlbandits.errors import InputError

CORPUS = [json.loads(line) for line in (Path(__file__).parent / "corpus.jsonl").read_text().splitlines()]


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "case"
    made.mkdir()
    return made


@pytest.mark.parametrize("entry", CORPUS, ids=[f"{entry['kind']}-{entry['details'][:60]}" for entry in CORPUS])
def test_what_once_ended_badly_is_refused_in_one_line_or_works(registry, folder, entry):
    files = {name: base64.b64decode(data) for name, data in entry["files"].items()}
    fate, details = judged(entry["kind"], entry["words"], files, folder)
    assert fate in ("accepted", "refused"), details


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_inputs_are_refused_in_one_line_or_work(registry, folder, kind):
    for number in range(20):
        fate, details = judged(kind, *case(kind, 0, number), folder)
        assert fate in ("accepted", "refused"), (number, details)


def test_a_case_is_known_by_its_kind_seed_and_number():
    assert case("command", 3, 5) == case("command", 3, 5) != case("command", 3, 6)


def test_a_judge_sees_a_traceback_two_lines_and_a_file_left(folder, monkeypatch):
    def fail(error):
        def take(kind, words):
            (folder / "left").write_text("")
            raise error

        monkeypatch.setattr("judge.take", take)
        return judged("instance", None, {"case.json": b""}, folder)[0]

    assert fail(ValueError("no")) == "traceback"
    assert fail(InputError("field", 1, "another")) == "partial"
    broken = InputError("field", 1, "another")
    broken.args = ("two\nlines",)
    assert fail(broken) == "lines"


def test_a_message_is_one_line_whatever_is_in_a_name():
    assert str(InputError("a\nb\x1b\u2028", 1, "x")) == r"a\nb\x1b\u2028: got 1, must be x"
