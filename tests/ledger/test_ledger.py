"""The claims ledger: complete, built as it says, able to find what is planted, and consistent with itself."""

import ast
import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.claim import CLAIMS, All, Check, Correction, Equality, Inequality, examine
from mnlbandits.ledger.finding import FALSE, LEVELS, ROUNDING, Finding
from mnlbandits.ledger.listing import listed
from mnlbandits.ledger.pages import as_html, explain, latex
from mnlbandits.ledger.paper import PARTS, load
from mnlbandits.ledger.pictures import pictures
from mnlbandits.ledger.search import EFFORTS, Point
from mnlbandits.ledger.summary import counted, counted_in_markdown, listing, with_slips
from mnlbandits.ledger.tables import ledger
from mnlbandits.sources import PACKAGE

IDS = load()

LABELS = (Path(__file__).parent / "labels.txt").read_text().split("\n")[:-1]
"""Every label of the paper's LaTeX source."""

REFERENCE = Path(__file__).parents[2] / "reference"

HOUSE = PACKAGE / "ledger"

FILES = sorted(HOUSE.rglob("*.py"))

MOST_LINES = 300

VERDICTS = pd.read_csv(REFERENCE / "full" / "verdicts.csv").set_index("id")

SMOKE = EFFORTS["smoke"]

TEXTS = ("prints", "hypotheses", "quantifiers", "reading")


@cache
def found(id: str) -> Finding:
    return examine(id, SMOKE)


# The house


def test_every_module_of_the_paper_is_in_a_part():
    listed = [module for modules in PARTS.values() for module in modules]
    assert sorted(listed) == sorted(path.stem for path in (HOUSE / "paper").glob("*.py") if path.stem != "__init__")
    assert set(IDS) == set(CLAIMS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_no_file_is_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return names | {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}


LAYERS = [
    "arithmetic",
    "search",
    "formulas",
    "prove",
    "simulate",
    "finding",
    "claim",
    "shared",
    "paper",
    "slips",
    "chain",
    "vary",
    "tables",
    "summary",
    "pages",
    "errata",
    "listing",
    "source",
    "command",
    "pictures_of_regret",
    "pictures",
    "formal",
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_imports_run_one_way_and_modules_of_the_paper_do_not_know_each_other(path):
    own = path.relative_to(HOUSE).parts[0].removesuffix(".py")
    for name in imported(path):
        if name and name.startswith("mnlbandits.ledger."):
            other = name.split(".")[2]
            assert LAYERS.index(other) <= LAYERS.index(own)
            assert not (own == "paper" and other == "paper")
    for used in ("search", "prove", "simulate"):
        if own == used:
            assert not any(
                name and name.startswith(("mnlbandits.ledger.claim", "mnlbandits.ledger.paper")) for name in imported(path)
            )


def test_names_are_unique():
    defined = Counter()
    for path in FILES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                defined[node.name] += 1
            elif isinstance(node, ast.Assign):
                defined.update(target.id for target in node.targets if isinstance(target, ast.Name))
            elif isinstance(node, ast.AnnAssign):
                defined[node.target.id] += 1
    for shared in ("__all__", "SLIPS", "NAMES"):  # of the slips, a table each in a module
        del defined[shared]
    assert [name for name, times in defined.items() if times > 1] == []


def test_no_second_computation_ignores_its_point():
    """Such as ``lambda _: inf``: a check that confirms whatever it is asked."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Lambda) and path.parent.name != "arithmetic":
                names = {part.id for part in ast.walk(node.body) if isinstance(part, ast.Name)}
                constant = not names - {"math", "inf"}
                assert not constant, (path, node.lineno)
                assert "_" not in {argument.arg for argument in node.args.args}, (path, node.lineno)


# What a claim is


@pytest.mark.parametrize("id", IDS)
def test_a_claim_says_what_it_is(id):
    entry, statement = CLAIMS[id], CLAIMS[id].statement
    assert statement.place
    assert statement.prints
    assert 1 <= statement.lines[0] <= statement.lines[1] <= 1727
    assert entry.domain
    assert (entry.unproved == "") == (VERDICTS["level"][id] in ("kernel", "proved"))


@pytest.mark.parametrize("id", IDS)
def test_mathematics_can_be_typeset(id):
    entry = CLAIMS[id]
    finding = found(id)
    texts = [getattr(entry.statement, name) for name in TEXTS] + [entry.domain, entry.unproved, finding.evidence]
    for text in texts:
        assert text.count("$") % 2 == 0
        assert "  " not in text
        assert "merror" not in as_html(text)


def test_every_label_of_the_paper_is_in_the_ledger():
    used = {label for entry in CLAIMS.values() for label in entry.statement.labels}
    assert set(LABELS) - used == set()
    assert used - set(LABELS) == set()


# Verdicts


def test_the_references_have_every_claim_with_the_same_verdicts_and_levels():
    tables = [pd.read_csv(path) for path in sorted(REFERENCE.glob("*/verdicts.csv"))]
    assert len(tables) == 2
    for table in tables:
        assert list(table["id"]) == IDS
        assert list(table["verdict"]) == list(tables[0]["verdict"])
        assert list(table["level"]) == list(tables[0]["level"])


@pytest.mark.parametrize("id", IDS)
def test_smoke_finds_the_verdict_and_level_of_the_reference(id):
    assert (found(id).verdict, found(id).level) == (VERDICTS["verdict"][id], VERDICTS["level"][id])


def test_the_package_lists_the_verdicts_of_the_reference():
    made = listing(pd.read_csv(REFERENCE / "full" / "verdicts.csv", keep_default_na=False)).astype(str)
    assert made.to_dict("records") == listed()


def test_a_false_inequality_shows_more_than_one_and_a_true_one_does_not():
    for id in IDS:
        if found(id).verdict in FALSE:
            assert not found(id).ratio <= 1, id
            assert not found(id).difference <= 0, id
        else:
            assert not found(id).ratio > 1 + ROUNDING, id


def test_at_least_a_hundred_claims_are_proved_and_five_by_a_kernel():
    levels = VERDICTS["level"].value_counts()
    assert levels["kernel"] >= 5
    assert levels["kernel"] + levels["proved"] >= 100


@pytest.mark.parametrize("id", IDS)
def test_a_planted_error_turns_the_verdict(id):
    """Often at the points where a search begins; where that refutes nothing, by the whole search."""
    planted, before = CLAIMS[id].planted, found(id).verdict
    assert planted
    for name, value in planted.items():
        if before == "refuted" or examine(id, SMOKE._replace(starts=0), **{name: value}).verdict != "refuted":
            assert examine(id, SMOKE, **{name: value}).verdict != before, name


# Consistency


def leaves(check: Check) -> Iterator[Inequality | Equality]:
    """What stands in a check as data."""
    if isinstance(check, All):
        for part in check.checks:
            yield from leaves(part)
    elif isinstance(check, Inequality | Equality):
        yield check


def standing(id: str) -> Iterator[Inequality | Equality]:
    """The statements that the ledger says are true of a claim: as printed, or as mended."""
    check = CLAIMS[id].check
    if found(id).verdict == "corrected":
        yield from leaves(check.mended) if isinstance(check, Correction) else ()
    elif found(id).verdict not in FALSE:
        yield from leaves(check)


def meets(check: Inequality | Equality, point: Point) -> Iterator[Point]:
    """The point in the coordinates of a statement, if it meets its hypotheses, once for every case that it fits."""
    for case in check.cases:
        box = check.box(**case) if callable(check.box) else check.box
        named = all(name in point and isinstance(point[name], int | float) for name in box)
        inside = named and all(low <= point[name] <= high for name, (low, high) in box.items())
        if inside and all(point.get(name) == value for name, value in case.items()):
            yield {**case, **{name: point[name] for name in box}, **check.fixed}


def value_at(check: Inequality | Equality, point: Point) -> float:
    """The ratio at a point, nan where it is not defined."""
    try:
        return check.ratio(FLOATS, **point)
    except (ArithmeticError, ValueError):
        return math.nan


def test_no_counterexample_of_the_ledger_contradicts_a_statement_that_it_keeps():
    points = {id: found(id).point for id in IDS if found(id).point}
    assert len(points) > 30
    replayed = 0
    for id in IDS:
        for check in standing(id):
            for source, point in points.items():
                for inside in meets(check, point):
                    replayed += 1
                    assert not value_at(check, inside) > check.limit, f"{source} contradicts {id}"
    assert replayed > 50


# Pages


def test_the_ledger_as_table_and_text():
    table = with_slips(ledger("appendices", "smoke"))
    assert list(table["id"]) == load("appendices")
    assert (table["seconds"] > 0).all()
    shown = explain("C188", found("C188"), 0.5)
    assert shown.startswith("C188\n    place: ")
    assert "verdict: holds: true as printed" in shown
    assert latex(table).count(r"\addlinespace C") == len(table)


def test_verdicts_are_counted_by_level():
    table = pd.DataFrame(
        {"verdict": ["holds", "holds", "corrected", "holds"], "level": ["proved", "searched", "proved", "proved"]}
    )
    table["ours"] = [False, False, False, True]
    counts = counted(table)
    assert list(counts.columns) == [*LEVELS, "all"]
    assert counts.loc["holds", "proved"] == 1
    assert counts.loc["all", "all"] == 3
    assert counted_in_markdown(table).startswith("| verdict | kernel | proved | searched |")


def test_words_are_escaped():
    assert as_html("a < b").startswith("a &lt; b")


def test_pictures_cross_one_where_the_ledger_says_so():
    table = pictures(SMOKE)
    first = {line: group.loc[group["y"] > 1, "x"].min() for line, group in table.groupby("line")}
    assert first["KL of a round (C081)"] == 6
    assert 4 < first["Proposition 2 (C108)"] < 5
    assert 80 < first["Proposition 3 (C112)"] < 100
    assert 1.9 < first["over 1 + d(x) (C113)"] < 2.4
    assert first["arbitrary plays (C154)"] == 8
    assert math.isnan(first["over 1 + sqrt(2) d(x)"])
    assert (table["y"] > 0).all()
