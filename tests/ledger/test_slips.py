"""Slips and errata: every false row has one, and nothing else has."""

import subprocess
from shutil import which

import pandas as pd
import pytest

from mnlbandits.ledger.chain import STATEMENTS
from mnlbandits.ledger.claim import CLAIMS
from mnlbandits.ledger.errata import entries, errata_latex
from mnlbandits.ledger.finding import FALSE
from mnlbandits.ledger.pages import as_html
from mnlbandits.ledger.paper import load
from mnlbandits.ledger.slips import names, slips, slips_of
from mnlbandits.ledger.slips.statements import STATED_AGAIN
from mnlbandits.sources import PACKAGE

load()

VERDICTS = pd.read_csv(PACKAGE.parents[1] / "reference" / "full" / "verdicts.csv", keep_default_na=False)
FALSE_ROWS = [row.id for row in VERDICTS.itertuples() if row.verdict in FALSE and not CLAIMS[row.id].ours]
SLIPS = list(slips())


@pytest.mark.parametrize("id", FALSE_ROWS)
def test_every_false_row_has_a_slip(id):
    assert slips_of(id)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_a_slip_is_of_false_rows_and_can_be_typeset(slip):
    assert set(slip.rows) <= set(FALSE_ROWS)
    for text in (slip.printed, slip.wrong, slip.mended, slip.depends):
        assert text.count("$") % 2 == 0
        assert "merror" not in as_html(text)
    assert slip.printed
    assert slip.wrong
    assert slip.mended
    assert 1 <= slip.lines[0] <= slip.lines[1] <= 1727


def test_slips_have_names_of_their_own_and_stand_in_the_order_of_the_paper():
    assert len({slip.name for slip in SLIPS}) == len(SLIPS)
    assert [slip.lines for slip in SLIPS] == sorted(slip.lines for slip in SLIPS)


def test_every_theorem_and_lemma_is_stated_again():
    assert [stated.row for stated in STATED_AGAIN] == list(STATEMENTS)


def test_the_errata_have_an_entry_a_slip():
    assert len(entries(VERDICTS)) == len(SLIPS)
    assert errata_latex(VERDICTS).count(r"\item ") == len(list(names()))
    assert errata_latex(VERDICTS).count(r"\entry{") == len(SLIPS) + len(STATED_AGAIN)


@pytest.mark.skipif(which("pdflatex") is None, reason="there is no LaTeX here")
def test_the_errata_can_be_typeset(tmp_path):
    (tmp_path / "errata.tex").write_text(errata_latex(VERDICTS), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "errata.tex"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    assert (tmp_path / "errata.pdf").stat().st_size > 10_000
