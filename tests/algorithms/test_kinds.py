"""The table of systems and kinds of action sets.

`python tests/algorithms/test_kinds.py` writes the page anew.
"""

from pathlib import Path

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.kinds import page
from mnlbandits.instances.action_sets import KINDS

PAGE = Path(__file__).parents[2] / "docs" / "action-sets.md"


def test_the_page_is_up_to_date():
    assert PAGE.read_text() == page(REGISTRY.values())


def test_every_cell_is_yes_or_a_reason_that_is_there():
    table, _, listed = PAGE.read_text().partition("## Reasons")
    reasons = dict(line.split(". ", 1) for line in listed.split("\n") if line)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("|")]
    cells = {name: marks for name, *marks in rows}
    for name, algorithm in REGISTRY.items():
        assert set(cells[name]) <= {"yes", *reasons}
        assert [reasons.get(mark, "") for mark in cells[name]] == [algorithm.refusal(kind) for kind in KINDS]


if __name__ == "__main__":
    PAGE.write_text(page(REGISTRY.values()))
