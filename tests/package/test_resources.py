"""What rules ask for, beside the table of the documentation."""

import re
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[2]

TABLE = pd.read_csv(ROOT / "docs/reference/resources.csv").set_index("rule")


def asked(resource):
    """What the rules that write benchmarks ask for, by name."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    blocks = re.split(r"^rule (\w+):", text, flags=re.MULTILINE)[1:]
    rules = {rule: block for rule, block in zip(blocks[::2], blocks[1::2], strict=True) if "    benchmark:" in block}
    return {rule: int(re.search(rf"{resource}=growing\((\d+)\)", block)[1]) for rule, block in rules.items()}


def test_the_table_is_of_these_rules():
    """No column is of another time; a new rule is in it after `make costs`."""
    for resource in ("mem_mb", "runtime"):
        assert TABLE[resource].to_dict() == {rule: asked(resource)[rule] for rule in TABLE.index}


def test_all_ask_for_half_as_much_again_as_they_use():
    assert (TABLE["mem_mb"] >= 1.5 * TABLE["memory"]).all(), TABLE[["memory", "mem_mb"]]
    assert (60 * TABLE["runtime"] >= 1.5 * TABLE["longest"]).all(), TABLE[["longest", "runtime"]]
