"""The map from the paper's source to claims: nothing is left out without a reason, and a source is cut as it should be."""

import os
from pathlib import Path

import pytest

from mnlbandits.ledger.claim import CLAIMS
from mnlbandits.ledger.paper import load
from mnlbandits.ledger.source import Item, Mapped, outline, source_map

load()

MAP = source_map()

EXAMPLE = r"""\title{x}
\begin{abstract}
We show that $a \le b$, e.g. for $a = 1$. Thanks to all. % not $this$
\end{abstract}
\section{The optimal rate}
It is
\begin{equation}
    a = b \,,
\end{equation}
where the bound is convex.

\begin{algorithm}
Choose $x$. Observe $y$.
\end{algorithm}
"""


def test_a_source_is_cut_into_displays_sentences_and_blocks():
    items = outline(EXAMPLE)
    assert [(item.kind, item.first, item.last) for item in items] == [
        ("sentence", 3, 3),
        ("sentence", 5, 10),
        ("display", 7, 9),
        ("algorithm", 12, 14),
    ]


def test_a_digest_tells_what_changed_and_not_how_it_is_set():
    before, spaced, other = (
        outline(EXAMPLE),
        outline(EXAMPLE.replace("a = b", "a  =  b")),
        outline(EXAMPLE.replace("a = b", "a = c")),
    )
    assert before == spaced
    assert [place for place, (old, new) in enumerate(zip(before, other, strict=True)) if old != new] == [2]


@pytest.mark.parametrize("entry", MAP, ids=lambda entry: f"{entry.item.first}-{entry.item.last}")
def test_every_item_has_claims_or_a_reason_why_not(entry: Mapped):
    assert bool(entry.claims) != bool(entry.reason)
    for id in entry.claims:
        first, last = CLAIMS[id].statement.lines
        assert first <= entry.item.last, id
        assert entry.item.first <= last, id


def test_every_claim_of_the_paper_is_on_the_map():
    mapped = {id for entry in MAP for id in entry.claims}
    assert {id for id, entry in CLAIMS.items() if not entry.ours} - mapped == set()


@pytest.mark.skipif("MNLBANDITS_PAPER" not in os.environ, reason="the paper's source is not part of the project")
def test_the_map_is_of_the_source():
    source = Path(os.environ["MNLBANDITS_PAPER"]).read_text(encoding="utf-8")
    items: list[Item] = [entry.item for entry in MAP]
    assert items == outline(source)
