"""The tool that changes the science to see whether the tests notice, see `make mutate`."""

import ast
import csv

from mutants import drawn, mutants
from reach import PACKAGE, REACH, ROOT, name_of

PROGRAM = '''"""Text with 1 number."""

LIMIT = 3


@cached(7)
def length(x: "3", flag=True):
    """More 1 text."""
    if x < LIMIT and not flag:
        raise ValueError(f"{x + 1} is less than 2")
    total = -x * 2.0
    total += max(x, 4)
    return total if flag else 0
'''


def test_what_is_changed_and_what_is_not(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    changes = {tuple(mutant.lines) for mutant in mutants(path)}
    assert ("LIMIT = 3", "LIMIT = 4") in changes
    assert ("if x < LIMIT and not flag:", "if x <= LIMIT and not flag:") in changes
    assert ("if x < LIMIT and not flag:", "if x < LIMIT or not flag:") in changes
    assert ("if x < LIMIT and not flag:", "if x < LIMIT and flag:") in changes
    assert ("total = -x * 2.0", "total = -x / 2.0") in changes
    assert ("total = -x * 2.0", "total = x * 2.0") in changes
    assert ("total = -x * 2.0", "total = -x * 2.5") in changes
    assert ("total += max(x, 4)", "total -= max(x, 4)") in changes
    assert ("total += max(x, 4)", "total += min(x, 4)") in changes
    assert ("return total if flag else 0", "return total if not (flag) else 0") in changes
    assert not any("cached" in before or "raise" in before or '"' in before for before, _ in changes)


def test_mutants_are_programs_and_drawn_by_the_seed():
    paths = [PACKAGE / "model" / "softmax.py"]
    some = drawn(paths, 10, 1)
    assert some == drawn(paths, 10, 1) != drawn(paths, 10, 2)
    assert all(ast.dump(ast.parse(mutant.source())) != ast.dump(ast.parse(mutant.path.read_text())) for mutant in some)


def test_the_tests_that_reach_a_function_are_there():
    """Most of them: one that was renamed is found when the tool looks anew."""
    with REACH.open(newline="") as file:
        rows = list(csv.DictReader(file))
    texts = {}
    for row in rows:
        path, name = row["test"].split("::")
        texts.setdefault(path, (ROOT / path).read_text() if (ROOT / path).exists() else "")
        row["there"] = f"def {name}(" in texts[path]
    assert sum(row["there"] for row in rows) > 0.9 * len(rows)


def test_the_function_of_a_line(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    assert name_of(path, 3) == ""
    assert name_of(path, 9) == "length"
