"""Every line of the paper's algorithms has functions that run it, and every system opens with its own lines.

`python tests/algorithms/test_lines.py` writes the page of the table anew.
"""

import importlib
import re
import sys
from pathlib import Path

import pytest

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.lines import boxes, page, table

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "lines.md"
LONGEST = 300
"""Lines of a file that one can still take in."""

MODULES = sorted({algorithm.start.__module__ for algorithm in REGISTRY.values()})


def resolve(name: str):
    """What a name from the package down stands for: a function of a module, or a method of its class."""
    parts = name.split(".")
    inner = 2 if parts[-2][0].isupper() else 1
    found = importlib.import_module(".".join(["mnlbandits", *parts[:-inner]]))
    for part in parts[-inner:]:
        found = getattr(found, part)
    return found


def test_no_line_is_missing():
    """As many as the paper's boxes have, from "Init" to the last."""
    assert {number: len(lines) for number, lines in table().items()} == {1: 8, 2: 10, 3: 20}
    for lines in table().values():
        assert all(line.functions for line in lines)


@pytest.mark.parametrize("name", sorted({name for lines in table().values() for line in lines for name in line.functions}))
def test_functions_exist(name):
    assert callable(resolve(name))
    assert resolve(name).__doc__


@pytest.mark.parametrize("name", ["algorithms.real.learns", "learners.omd.learn", "textbook.real.Real.learns"])
def test_a_name_that_went_away_is_found_out(name):
    with pytest.raises((AttributeError, ImportError)):
        resolve(name)


def test_the_page_shows_the_table():
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("module", MODULES)
def test_every_system_opens_with_its_lines(module):
    found = boxes(sys.modules[module].__doc__)
    assert found
    for lines in found:
        assert [number for number, _ in lines] == list(range(1, len(lines) + 1))


@pytest.mark.parametrize("module", MODULES)
def test_functions_name_no_line_that_is_not_there(module):
    """Of `choose` and `update`, and of all that the file defines besides."""
    last = max(len(lines) for lines in boxes(sys.modules[module].__doc__))
    for function in vars(sys.modules[module]).values():
        if getattr(function, "__module__", "") == module and callable(function):
            named = re.findall(r"[Ll]ines? (\d+)(?: to (\d+)| and (\d+)| or (\d+))?", function.__doc__ or "")
            assert all(1 <= int(number) <= last for numbers in named for number in numbers if number)


@pytest.mark.parametrize("folder", ["algorithms", "learners"])
def test_no_file_is_long(folder):
    for file in (ROOT / "src" / "mnlbandits" / folder).glob("*.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= LONGEST, file.name


def test_a_text_broken_in_two_is_one():
    text = "Title.\n\n    1. for t:\n    2.     a +\n               b\n\nRest.\n\n    1. c\n"
    assert boxes(text) == [[(1, "for t:"), (2, "    a + b")], [(1, "c")]]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
