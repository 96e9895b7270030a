"""The page for reviewers: its commands make files of the workflow, its tables and tolerances are those compared."""

import re
from pathlib import Path

import pytest
import yaml

from mnlbandits.config import TABLES_OF_OTHERS, compose, expand_algorithms, figures_of, read_config, tables_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/artifact.md").read_text(encoding="utf-8")
CLAIMS = PAGE.split("## Claims of the paper")[1].split("\n## ")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in CLAIMS.splitlines() if line.startswith("| ")][2:]
TOLERANCES = yaml.safe_load((ROOT / "reference/tolerances.yaml").read_text())


@pytest.fixture(scope="module")
def made():
    """All figures and tables of the full study, by their places."""
    config = compose([(ROOT / "config", read_config(ROOT / "config/config.yaml"))])
    expand_algorithms(config)
    figures = {"chains", "claims_pictures", "calibration"}
    tables = {name for names in TABLES_OF_OTHERS.values() for name in names}
    for name, study in config["studies"].items():
        figures |= set(figures_of(name, study))
        tables |= set(tables_of(name, study))
    return (
        {f"figures/full/{name}.{kind}" for name in figures for kind in ("pdf", "png", "svg")}
        | {f"results/full/tables/{name}" for name in tables}
        | {"results/full/timings/table1.csv"}
    )


def test_there_is_a_row_for_every_theorem():
    assert {"Theorem 1", "Theorem 2", "Theorem 3", "Table 1"} <= {row[0].split(":")[0] for row in ROWS}
    assert all(len(row) == 5 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_can_be_made_and_answers(row, made):
    targets = row[1].strip("`").split()
    assert set(targets) <= made
    tables = set(re.findall(r"`(\w+\.csv)`", row[2]))
    places = {place.rsplit("/", 1)[1] for place in made}
    assert tables
    assert tables <= places
    assert all((ROOT / "reference/full" / table).exists() for table in tables if table != "table1.csv")
    assert re.fullmatch(r"\d+", row[3])


def test_tolerances_are_those_of_the_comparison():
    exponents, columns = TOLERANCES["exponents"]["columns"], {name: entry["columns"] for name, entry in TOLERANCES.items()}
    tolerance = {row[0].split(":")[0]: row[4] for row in ROWS}
    assert tolerance["Theorem 1"] == f"powers {exponents['slope']['absolute']:g}, regret 1 %"
    assert columns["horizon"]["regret"]["relative"] == columns["changing_long"]["mean"]["relative"] == 0.01
    assert columns["family"]["mean"]["relative"] == columns["changing"]["mean"]["relative"] == 0.05
    assert columns["data"]["mean"]["relative"] == columns["verdicts"]["ratio"]["relative"] == 0.05
    assert columns["final_regret"]["mean"]["relative"] == columns["final_comparison"]["mean"]["relative"] == 1e-6
    assert columns["kappa"]["kappa"]["relative"] == columns["diameter_at_tau"]["diameter"]["relative"] == 1e-9
    assert columns["crossovers"]["overtaken"]["relative"] == 0.3
    assert columns["exploration_lengths"]["sufficient"]["relative"] == 1e-3
