"""The claims ledger: complete, deterministic in form, able to find what is planted, and not fooled by rounding."""

import math
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from mpmath import mpf

from mnlbandits.claims import CLAIMS, EFFORTS, SECTIONS, Effort, Finding, examine
from mnlbandits.claims.claim import claim, confirmed, corrected, equality, exceedance, frequency, inequality, not_testable
from mnlbandits.claims.introduction import all_of
from mnlbandits.claims.ledger import explain, ledger, page
from mnlbandits.claims.pictures import pictures
from mnlbandits.claims.regret import universal
from mnlbandits.claims.search import Worst, worst_in_box, worst_of
from mnlbandits.errors import InputError

LABELS = (Path(__file__).parent / "labels.txt").read_text().split("\n")[:-1]
"""Every label of the paper's LaTeX source."""

REFERENCE = Path(__file__).parents[2] / "reference"

PLANTED = [
    ("C001", "least", 4.5),
    ("C013", "rate", 1.5),
    ("C020", "rate", 1.0),
    ("C023", "bound", 0.4),
    ("C036", "factor", 1.5),
    ("C044", "cross", 1),
    ("C045", "factor", 1),
    ("C048", "rate", 1.5),
    ("C054", "subtracted", 2),
    ("C057b", "shared", False),
    ("C066", "constant", 2),
    ("C069", "constant", 1.5),
    ("C070", "constant", 128),
    ("C071", "added", 4),
    ("C072", "constant", 8),
    ("C073", "base", 0.5),
    ("C078", "part", 1),
    ("C090", "power", -1),
    ("C092", "constant", 20000),
    ("C096", "constant", 1.0),
    ("C104", "sign", -1),
    ("C110", "power", -1),
    ("C119", "root", 85),
    ("C123", "tau_constant", 677376),
    ("C124", "constant", 0.5),
    ("C132", "constant", 0.05),
    ("C138b", "eta", 1.0),
    ("C144", "factor", 0.3),
    ("C154", "factor", 4),
    ("C156", "star", 1),
    ("C159", "share", 0.4),
    ("C162", "factor", 2),
    ("C165", "factor", 0.5),
    ("C175", "cumulative", True),
    ("C185", "power", 1),
    ("C188", "sign", -1),
    ("C189", "constant", 0.6),
    ("C190", "power", 0.5),
    ("C191", "factor", 0.9),
]
"""A misprint in a claim: its id, a constant, sign, exponent or index of it, and a wrong value (or the right one)."""

VERDICTS = pd.read_csv(REFERENCE / "full" / "verdicts.csv").set_index("id")["verdict"]


@cache
def found(id: str) -> Finding:
    return examine(id, EFFORTS["smoke"])


@pytest.mark.parametrize("id", CLAIMS)
def test_a_claim_says_what_it_is(id):
    """That each has been examined is what the reference of the ledger shows; `Finding` sees to its form."""
    entry = CLAIMS[id]
    assert entry.section in SECTIONS
    assert entry.place
    assert entry.statement
    assert entry.method == "none" or entry.domain


def test_every_label_of_the_paper_is_in_the_ledger():
    used = {label for entry in CLAIMS.values() for label in entry.labels}
    assert set(LABELS) - used == set()
    assert used - set(LABELS) == set()


@pytest.mark.parametrize(("id", "name", "value"), PLANTED)
def test_a_planted_error_changes_the_verdict(id, name, value):
    assert examine(id, EFFORTS["smoke"], **{name: value}).verdict != found(id).verdict


def test_at_least_ten_errors_are_planted():
    assert len({id for id, _, _ in PLANTED}) >= 10


def test_the_references_have_every_claim_and_the_same_verdicts():
    """The full reference is made by a run of an hour; until it has a ledger, the smoke one stands alone."""
    tables = [pd.read_csv(path) for path in sorted(REFERENCE.glob("*/verdicts.csv"))]
    for table in tables:
        assert set(table["id"]) == set(CLAIMS)
        assert list(table["id"]) == list(tables[0]["id"])
        assert list(table["verdict"]) == list(tables[0]["verdict"])
    assert (REFERENCE / "smoke" / "verdicts.csv").exists()


def test_the_search_finds_a_planted_violation_in_a_corner_and_inside():
    effort = Effort(50, 3, 0, 0)
    corner = worst_in_box(lambda x, y: 1 + x - y, {"x": (0.0, 1.0), "y": (2.0, 5.0)}, effort.draws, effort.starts, "corner")
    assert corner.value == pytest.approx(0)
    assert corner.point == {"x": 1.0, "y": 2.0}
    needle = worst_in_box(
        lambda x, y: 2 - (x - 0.123) ** 2 - (y - 3.21) ** 2, {"x": (-1.0, 1.0), "y": (2.0, 5.0)}, 50, 3, "needle"
    )
    assert needle.value == pytest.approx(2, abs=1e-9)
    assert math.isfinite(worst_in_box(lambda x: math.nan if x < 0 else x, {"x": (-1.0, 1.0)}, 20, 2, "nan").value)
    assert worst_of([Worst(1.0, 0, "first"), Worst(1.0, 1, "second")]).text == "first"


def test_a_violation_needs_fifty_digits():
    worst = Worst(1.5, 3, "x = 3")
    with pytest.raises(ValueError, match="50 digits"):
        inequality(worst)
    assert inequality(worst, lambda point: mpf("1.5")).verdict == "refuted"
    assert inequality(worst, lambda point: mpf(1)).verdict == "holds"
    assert inequality(Worst(0.3, 0, "")).verdict == "holds, loose"
    assert inequality(Worst(0.3, 0, ""), loose=False).verdict == "holds"
    with pytest.raises(ValueError, match="50 digits"):
        equality(worst)
    assert equality(Worst(1e-12, 0, "")).verdict == "holds"
    assert equality(worst, lambda point: mpf("0.5")).verdict == "refuted"


@pytest.mark.parametrize("error", [-1e-12, 0.0, 1e-12])
def test_rounding_does_not_decide_whether_an_inequality_is_loose(error):
    half = inequality(Worst(0.5 * (1 + error), 0, ""))
    assert half.verdict == "holds"
    assert all_of(half, equality(Worst(1e-16, 0, ""))).margin == half.margin
    assert inequality(Worst(0.5 - 1e-6, 0, "")).verdict == "holds, loose"


@pytest.mark.parametrize("id", VERDICTS[VERDICTS.isin(["corrected", "refuted"])].index)
def test_a_counterexample_is_checked_again_in_50_digits_or_exactly(id):
    finding = found(id)
    assert finding.verdict == VERDICTS[id]
    as_printed = finding.evidence.split("; corrected (")[0]
    assert any(means in as_printed for means in ("in 50 digits", "in exact arithmetic", "by the shapes of"))


def test_a_counterexample_that_does_not_survive_is_not_believed():
    wrong = Finding("refuted", 2.0, "an example", "in floats")
    assert confirmed(wrong, True, "again").evidence == "in floats; again"
    assert confirmed(wrong, False, "again").verdict == "holds"
    assert confirmed(Finding("holds", evidence="right"), False, "again").evidence == "right"
    ratios = [2.0, *[0.5] * 9, *[1.5] * 40]
    assert exceedance(ratios, 0.05, "", lambda run: mpf(ratios[run])).verdict == "refuted"
    assert exceedance(ratios, 0.05, "", lambda run: mpf(1)).verdict == "holds"
    assert universal(lambda ctx, value: value, [1.0, 10.0], "x").verdict == "refuted"
    assert universal(lambda ctx, value: value if ctx is math else 1 + 0 * value, [1.0, 10.0], "x").verdict == "holds"


def test_a_correction_needs_to_hold():
    wrong, right = inequality(Worst(2.0, 0, "0"), lambda point: mpf(2)), inequality(Worst(1.0, 0, ""))
    assert corrected("constant", wrong, right, "twice as much").verdict == "corrected"
    assert corrected("constant", wrong, wrong, "twice as much").verdict == "refuted"
    assert corrected("constant", right, wrong, "twice as much") == right


def test_a_frequency_is_refuted_only_beyond_doubt():
    assert frequency(0, 100, 0.05, "").verdict == "holds"
    assert frequency(12, 100, 0.05, "").verdict == "holds"
    assert frequency(40, 100, 0.05, "").verdict == "refuted"


def test_a_finding_is_complete():
    with pytest.raises(ValueError, match="counterexample"):
        Finding("refuted", evidence="because")
    with pytest.raises(ValueError, match="evidence"):
        Finding("holds")
    with pytest.raises(ValueError, match="effect"):
        Finding("corrected", 2.0, "an example", "because")
    with pytest.raises(ValueError, match="effect"):
        Finding("holds", evidence="because", effect="rate")
    with pytest.raises(InputError, match="verdict"):
        Finding("true", evidence="because")
    assert not_testable("no").verdict == "not testable"


def test_two_claims_cannot_share_an_id():
    with pytest.raises(ValueError, match="C191"):
        claim("C191", place="", kind="lemma", statement="", method="exact")(lambda effort: None)


def test_an_unknown_claim_is_named():
    with pytest.raises(InputError, match="claim: got 'C999'"):
        examine("C999", EFFORTS["smoke"])


def test_the_ledger_as_table_page_and_text():
    table = ledger("technical", "smoke")
    assert list(table["id"]) == ["C188", "C189", "C190", "C191"]
    assert (table["seconds"] > 0).all()
    text = page(table)
    assert text.count("<tr") == 5
    assert "&lt;=" in text
    shown = explain("C188", found("C188"), 0.5)
    assert shown.startswith("C188\n    place: ")
    assert "verdict: holds: true as printed" in shown


def test_pictures_cross_one_where_the_ledger_says_so():
    table = pictures(EFFORTS["smoke"])
    first = {line: group.loc[group["y"] > 1, "x"].min() for line, group in table.groupby("line")}
    assert first["KL of a round (C081)"] == 6
    assert 4 < first["Proposition 2 (C108)"] < 5
    assert 80 < first["Proposition 3 (C112)"] < 100
    assert 1.9 < first["over 1 + d(x) (C113)"] < 2.4
    assert first["arbitrary plays (C154)"] == 8
    assert math.isnan(first["over 1 + sqrt(2) d(x)"])
    assert (table["y"] > 0).all()
