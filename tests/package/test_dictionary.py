"""The dictionary of the tables: complete, checked wherever a table is written, and true of those that are committed."""

import ast
import math
import re
import runpy

import pandas as pd
import pytest
from test_config import ROOT

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.assortment.algorithms import PRESETS as PRESETS_OF_ASSORTMENTS
from mnlbandits.dictionary import Column, check_table, tables
from mnlbandits.errors import InputError
from mnlbandits.ledger.claim import KINDS
from mnlbandits.ledger.finding import EFFECTS, LEVELS, VERDICTS
from mnlbandits.ledger.paper import PARTS
from mnlbandits.ledger.tables import STATED
from mnlbandits.model.kappa import CONVENTIONS
from mnlbandits.results import read_table, write_table
from mnlbandits.verify.coverage import SETS
from mnlbandits.verify.exponents import THEOREM
from mnlbandits.verify.scaling import QUANTITIES
from mnlbandits.verify.table1 import PRINTED, Row

REFERENCE = {
    "calibration": "calibration",
    "chains": "chains",
    "changing": "changing",
    "changing_long": "changing",
    "claims_pictures": "claims_pictures",
    "comparison": "regret",
    "comparison_coverage": "coverage",
    "comparison_coverage_margins": "margins",
    "comparison_profile": "profile",
    "coverage": "coverage",
    "coverage_margins": "margins",
    "crossovers": "crossovers",
    "data": "transfer",
    "data_long": "horizon",
    "diameter": "diameter",
    "diameter_at_tau": "diameter_at_tau",
    "exploration_lengths": "exploration",
    "exponents": "exponents",
    "exponents_points": "exponent_points",
    "family": "family",
    "final_comparison": "final",
    "final_regret": "final",
    "frameworks": "frameworks",
    "horizon": "horizon",
    "kappa": "kappa",
    "kappa_star": "kappa_star",
    "pairs_comparison": "pairs",
    "ranking_comparison": "ranking",
    "regret_profile": "profile",
    "regret": "regret",
    "scaling": "scaling",
    "trigger": "trigger",
    "verdicts": "verdicts",
}
"""The kinds of the tables of the reference."""

COMMITTED = sorted((ROOT / "reference").glob("*/*.[cp]*"))


WRITERS = ("write_table", "write_columns")


def written():
    """The kinds of all calls of `write_table` and `write_columns`, in scripts of the workflow and in the package."""
    for folder in ("workflow/scripts", "src/mnlbandits"):
        texts = (path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py"))
        for text in (text for text in texts if re.search("write_(table|columns)\\(", text)):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WRITERS:
                    yield node.args[2].value


def test_all_that_is_written_is_described_and_nothing_else():
    assert set(written()) == set(tables())


@pytest.mark.parametrize("kind", tables())
def test_descriptions_are_whole(kind):
    table = tables()[kind]
    assert table.row
    for name, column in table.columns.items():
        assert column.type in ("text", "integer", "number", "truth"), name
        assert column.type == "text" or not column.choices, name
        assert 0 < len(column.meaning) <= 120, name
        assert column.numeric or not column.unit, name
        assert column.meaning.isascii(), name
        low, high = map(float, column.range[1:-1].split(", "))
        assert low < high
        assert column.range[0] + column.range[-1] in ("[)", "()", "[]", "(]"), name


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_committed_tables_are_as_described(path):
    check_table(read_table(path), REFERENCE[path.stem])


def test_so_is_the_listing_of_the_package():
    check_table(pd.read_csv(ROOT / "src/mnlbandits/ledger/listing.csv"), "listing")


def test_lists_of_texts_are_those_of_the_program():
    for kind, name, values in (
        ("final", "preset", PRESETS),
        ("claims", "part", PARTS),
        ("claims", "kind", KINDS),
        ("claims", "verdict", VERDICTS),
        ("claims", "level", LEVELS),
        ("claims", "effect", EFFECTS),
        ("kappa", "convention", CONVENTIONS),
        ("margins", "set", SETS.values()),
        ("scaling", "quantity", QUANTITIES),
        ("exponents", "quantity", THEOREM),
        ("table1", "setting", {row.setting for row in PRINTED}),
    ):
        assert set(tables()[kind].columns[name].choices) == set(values), (kind, name)
    assert set(PRESETS_OF_ASSORTMENTS) <= set(PRESETS)
    assert set(STATED) <= set(tables()["claims"].columns)
    assert set(Row._fields) <= set(tables()["table1"].columns)
    assert tables()["table1"].columns["row"].range == f"[1, {len(PRINTED)}]"


KEYS = {"instance": "i", "algorithm": "a", "preset": "paper"}

FINAL = pd.DataFrame(KEYS | {"t": [1, 10], "runs": 2, "mean": 0.5, "low": -math.inf, "high": 1.0})


@pytest.mark.parametrize(
    ("change", "column", "allowed"),
    [
        ({"extra": 1}, "extra", "one of algorithm, high"),
        ({"instance": [1, 2]}, "instance", "text"),
        ({"instance": pd.Series(["i", 2], dtype=object)}, "instance", "text"),
        ({"instance": ["i", ""]}, "instance", "text"),
        ({"instance": ["i", None]}, "instance", "text"),
        ({"preset": ["paper", "printed"]}, "preset", "one of 'paper', 'valid'"),
        ({"preset": [True, False]}, "preset", "one of 'paper', 'valid'"),
        ({"t": [1, 2.5]}, "t", r"an integer in \[1, inf\)"),
        ({"t": ["1", "2"]}, "t", r"an integer in \[1, inf\)"),
        ({"t": [True, True]}, "t", r"an integer in \[1, inf\)"),
        ({"t": [1, 0]}, "t", r"an integer in \[1, inf\)"),
        ({"t": [1, None]}, "t", r"an integer in \[1, inf\)"),
        ({"mean": math.nan}, "mean", r"a number in \(-inf, inf\)"),
        ({"mean": math.inf}, "mean", r"a number in \(-inf, inf\)"),
        ({"low": math.inf}, "low", r"a number in \[-inf, inf\)"),
        ({"high": "1"}, "high", r"a number in \(-inf, inf\]"),
    ],
)
def test_each_fault_is_refused_and_nothing_written(change, column, allowed, tmp_path):
    check_table(FINAL, "final")
    with pytest.raises(InputError, match=rf"^final\.{column}: got .*, must be {allowed}"):
        write_table(FINAL.assign(**change), tmp_path / "t.csv", "final")
    assert not list(tmp_path.iterdir())


def test_names_that_look_like_numbers_or_nothing_are_read_as_written(tmp_path):
    for name in ("5", "1e5", "NA", "nan", "None"):
        write_table(FINAL.assign(instance=name), tmp_path / "t.csv", "final")
        table = read_table(tmp_path / "t.csv", "final")
        assert table["instance"].tolist() == [name, name]
        pd.testing.assert_frame_equal(table, FINAL.assign(instance=name))


def test_the_first_fault_is_named():
    with pytest.raises(InputError, match=r"^final\.t: got -3, must"):
        check_table(FINAL.assign(t=[1, -3]), "final")


@pytest.mark.parametrize("column", FINAL)
def test_no_column_may_be_missing(column):
    with pytest.raises(InputError, match=rf"^final\.{column}: got nothing, must be a column"):
        check_table(FINAL.drop(columns=column), "final")


def test_there_has_to_be_such_a_kind():
    with pytest.raises(InputError, match=r"^kind: got 'finale', must be one of calibration, chains"):
        check_table(FINAL, "finale")


def test_integers_count_however_they_are_stored():
    column = Column("rounds", "integer", range="[0, inf)", missing="none")
    large = pd.Series([10**30, 2.0, None], dtype=object)
    for values in ([1, 2], [1.0, math.nan], pd.array([1, None], dtype="Int64"), large):
        assert column.faulty(pd.Series(values)).empty
    assert column.faulty(pd.Series(pd.array([1, None, -1], dtype="Int64"))).tolist() == [-1]


def test_truth_is_no_number():
    column = Column("whether", "truth")
    assert column.faulty(pd.Series([True, False])).empty
    assert column.faulty(pd.Series([1, 0])).tolist() == [1, 0]


def test_columns_that_follow_the_config():
    line = {"row": 1, "setting": "binary", "reference": "r", "regret": "d", "cost": "O(t)", "run": "x", "mark": ""}
    check_table(pd.DataFrame([line]), "table1")
    times = {"microseconds at t = 100": 2.0, "growth": 0.1, "agrees": "yes", "regret on my (1) instance": "3 [2, 4]"}
    check_table(pd.DataFrame([line | times]), "table1")
    with pytest.raises(InputError, match=r"table1\.microseconds at t = 100: got -1.0"):
        check_table(pd.DataFrame([line | times | {"microseconds at t = 100": -1.0}]), "table1")
    with pytest.raises(InputError, match=r"table1\.microseconds at t = : "):
        check_table(pd.DataFrame([line | {"microseconds at t = ": 1.0}]), "table1")


def test_optional_columns():
    runs = pd.DataFrame({"run": [0], "t": 1, "regret": 0.0, "explored": 0.0, "optimal": 0.1})
    check_table(runs, "regret_batch")
    check_table(runs.assign(error=0.1), "regret_batch")
    with pytest.raises(InputError, match=r"regret_batch\.error"):
        check_table(runs.assign(error=-0.1), "regret_batch")


def test_the_page_has_every_kind_with_its_files():
    pytest.importorskip("sphinx")
    page = runpy.run_path(str(ROOT / "docs/conf.py"))
    files = page["files_by_kind"]()
    assert set(files) == set(tables()) - {"listing", "costs", "rounds"}  # which the package carries
    assert files["kappa"] == ["results/NAME/tables/STUDY.csv"]
    assert re.findall(r"^## (.*)$", page["tables_page"]().replace("\\", ""), re.MULTILINE) == list(tables())
