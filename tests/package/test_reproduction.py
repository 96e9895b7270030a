"""The reproduction check passes on equal tables and fails, with the worst cells, on anything else."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
import yaml

from mnlbandits.config import TABLES_OF_OTHERS, compose, read_config, tables_of, to_run
from mnlbandits.errors import InputError
from mnlbandits.reproduction import (
    TableCheck,
    check_tables,
    compare,
    replace_reference,
    said,
    tables_in,
    write_reports,
)
from mnlbandits.results import read_table

ROOT = Path(__file__).parents[2]

RULES = {"t": {"key": ["name"], "columns": {"x": {"relative": 1e-6, "absolute": 0.0, "reason": "rounding"}}}}
OLD = pd.DataFrame({"name": ["a", "b"], "x": [1.0, 2.0], "verdict": ["holds", "fails"]})


def outcome(new):
    return compare(new, OLD, RULES["t"]["key"], RULES["t"]["columns"], "t.csv")


def test_equal_within_tolerance_passes_and_says_how_close():
    check = outcome(OLD.assign(x=[1.0, 2.0 + 1e-6]))
    assert check.passed
    assert "0.5 x tolerance" in check.messages[0]


def test_row_order_does_not_matter():
    assert outcome(OLD.iloc[::-1]).passed


def test_what_is_missing_in_both_is_equal():
    holes = OLD.assign(verdict=["holds", None], printed=[0.5, float("nan")])
    new = holes.assign(x=[1.0, 2.0 + 1e-6])
    assert compare(new, holes, RULES["t"]["key"], RULES["t"]["columns"], "t.csv").passed
    assert not compare(new.assign(printed=[0.5, 1.0]), holes, ["name"], RULES["t"]["columns"], "t.csv").passed


def test_rows_with_the_same_key_are_matched_in_their_order():
    old = pd.DataFrame({"name": ["b", "a", "a"], "x": [3.0, 1.0, 2.0]})
    columns = RULES["t"]["columns"]
    assert compare(old.assign(x=[3.0, 1.0 + 1e-7, 2.0]), old, ["name"], columns, "t.csv").passed
    assert not compare(old.assign(x=[3.0, 2.0, 1.0]), old, ["name"], columns, "t.csv").passed
    assert not compare(old.iloc[:2], old, ["name"], columns, "t.csv").passed


@pytest.mark.parametrize(
    "new",
    [
        OLD.assign(x=[1.0, 2.1]),
        OLD.assign(x=[1.0, float("nan")]),
        OLD.assign(verdict=["holds", "holds"]),
        OLD.iloc[:1],
        pd.concat([OLD, OLD.assign(name=["c", "d"])]),
        pd.concat([OLD, OLD]),
        OLD.drop(columns="x"),
        OLD.assign(extra=1),
    ],
    ids=["number", "nan", "text", "missing row", "extra row", "double key", "missing column", "extra column"],
)
def test_a_difference_fails(new):
    check = outcome(new)
    assert not check.passed
    assert check.messages


def test_folders(tmp_path):
    new, reference = tmp_path / "new", tmp_path / "reference"
    new.mkdir()
    OLD.to_csv(new / "t.csv", index=False)
    with pytest.raises(InputError, match="update_reference"):
        check_tables(new, reference, RULES)
    replace_reference(new, reference, RULES)
    assert [check.messages for check in check_tables(new, reference, RULES)] == [["identical bytes"]]
    (new / "t.csv").unlink()
    assert not check_tables(new, reference, RULES)[0].passed


def test_a_number_may_differ_relative_to_another_column():
    old = pd.DataFrame({"name": ["a"], "x": [100.0], "error": [1.0]})
    rules = {"relative": 0.02, "absolute": 0.0, "of": "x", "reason": "a difference of such"}
    for error, passed in ((2.9, True), (3.1, False)):
        assert compare(old.assign(error=error), old, ["name"], {"error": rules}, "t.csv").passed == passed


def test_every_tolerance_has_a_reason_and_every_committed_table_an_entry():
    tolerances = yaml.safe_load((ROOT / "reference/tolerances.yaml").read_text())
    for rules in tolerances.values():
        for column in rules["columns"].values():
            assert set(column) - {"of"} == {"relative", "absolute", "reason"}
            assert column["reason"]
    for path in (ROOT / "reference").glob("*/*.[cp]*"):
        assert path.stem in tolerances
        columns = tolerances[path.stem]["columns"]
        named = set(columns) | {column["of"] for column in columns.values() if "of" in column}
        assert named <= set(read_table(path).columns)


@pytest.mark.parametrize("name", ["full", "smoke"])
def test_the_reference_has_every_table_of_the_build(name):
    layers = ["config.yaml"] if name == "full" else ["config.yaml", f"{name}.yaml"]
    config = compose([(ROOT / "config", read_config(ROOT / "config" / layer)) for layer in layers])
    built = [file for part in to_run(config) for file in TABLES_OF_OTHERS.get(part, [])]
    built += [
        file for study in config["studies"] if study in to_run(config) for file in tables_of(study, config["studies"][study])
    ]
    assert set(tables_in(ROOT / "reference" / name)) == {*built, "calibration.csv"}


def test_outcomes_are_told_to_readers_and_to_programs(tmp_path):
    checks = [TableCheck("a.csv", True, ["identical bytes"]), TableCheck("b.csv", False, ["x <at> row 1", "x at row 2"])]
    lines = said(checks, Path("new/tables"), Path("reference/full")).splitlines()
    assert lines[:3] == ["pass  a.csv: identical bytes", "FAIL  b.csv: x <at> row 1", "      x at row 2"]
    assert lines[3].startswith("1 of 2 tables differ from reference/full by more than the tolerances allow.")
    assert "new/tables" in lines[3]
    assert "snakemake update_reference" in lines[3]
    assert said(checks[:1], Path(), Path()) == lines[0]
    write_reports(checks, tmp_path / "check.json", tmp_path / "check.xml")
    assert json.loads((tmp_path / "check.json").read_text()) == [
        {"table": "a.csv", "passed": True, "messages": ["identical bytes"]},
        {"table": "b.csv", "passed": False, "messages": ["x <at> row 1", "x at row 2"]},
    ]
    suite = ElementTree.parse(tmp_path / "check.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite if case.find("failure") is not None] == ["b.csv"]
    assert suite[1].find("failure").text == "x <at> row 1\nx at row 2"
