"""The ledger as a table: a row per claim, examined."""

import time
from collections.abc import Callable, Iterable, Sequence

import pandas as pd

from mnlbandits.ledger.claim import CLAIMS, examine
from mnlbandits.ledger.paper import load
from mnlbandits.ledger.search import EFFORTS

STATED = ("place", "kind", "prints", "hypotheses", "quantifiers", "reading")
"""Columns that say what the paper says."""


def ledger(part: str, effort: str, progress: Callable[[Sequence[str]], Iterable[str]] = iter) -> pd.DataFrame:
    """Examine all claims of one of the `PARTS` of the paper with one of `EFFORTS`.

    Columns: id, part, label (of the LaTeX source, joined by ``; ``), lines (of it), those of `STATED`, domain, verdict,
    level, effect (of the correction), ratio, difference, counterexample, evidence, unproved (why the level is no higher),
    ours (whether the statement is ours), seconds.
    """
    rows = []
    for id in progress(load(part)):
        entry, start = CLAIMS[id], time.perf_counter()
        found, statement = examine(id, EFFORTS[effort]), entry.statement
        rows.append(
            {
                "id": id,
                "part": part,
                "label": "; ".join(statement.labels),
                "lines": "-".join(map(str, dict.fromkeys(statement.lines))),
            }
            | {column: getattr(statement, column) for column in STATED}
            | {"domain": entry.domain, "verdict": found.verdict, "level": found.level, "effect": found.effect}
            | {"ratio": found.ratio, "difference": found.difference, "counterexample": found.counterexample}
            | {"evidence": found.evidence, "unproved": entry.unproved, "ours": entry.ours}
            | {"seconds": time.perf_counter() - start}
        )
    return pd.DataFrame(rows)
