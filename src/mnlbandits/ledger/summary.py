"""What came out, in short: counts of verdicts by level, slips, and the list that the package carries."""

import pandas as pd

from mnlbandits.ledger.chain import theorems_of
from mnlbandits.ledger.claim import CLAIMS
from mnlbandits.ledger.finding import LEVELS, VERDICTS
from mnlbandits.ledger.paper import load
from mnlbandits.ledger.slips import slips_of

SUMMARY = ["id", "part", "verdict", "level", "effect", "ours", "ratio", "difference"]
"""Columns of the ledger that say what came out, in short."""


def counted(table: pd.DataFrame) -> pd.DataFrame:
    """Number of the paper's claims by verdict (rows) and level of evidence (columns), each in its order, with their sums."""
    table = table[~table["ours"]]
    counts = pd.crosstab(table["verdict"], table["level"]).reindex(index=list(VERDICTS), columns=list(LEVELS), fill_value=0)
    counts["all"] = counts.sum(axis=1)
    counts.loc["all"] = counts.sum()
    return counts


def counted_in_markdown(table: pd.DataFrame) -> str:
    """`counted` as the README shows it."""
    counts = counted(table)
    rows = [["verdict", *counts.columns], ["---"] * (1 + len(counts.columns))]
    rows += [[verdict, *map(str, counts.loc[verdict])] for verdict in counts.index]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def with_slips(table: pd.DataFrame) -> pd.DataFrame:
    """The ledger with a column more, slip: the names of the slips by which a claim is false."""
    return table.assign(slip=["; ".join(slips_of(id)) for id in table["id"]])


def listing(summary: pd.DataFrame) -> pd.DataFrame:
    """`mnlbandits.ledger.listing.LISTING` from the verdicts of the whole ledger, with the columns of `SUMMARY`."""
    found = summary.set_index("id")
    rows = []
    for id in load():
        entry, statement = CLAIMS[id], CLAIMS[id].statement
        rows.append(
            {
                "id": id,
                "label": "; ".join(statement.labels),
                "place": statement.place,
                "statement": statement.prints,
                "section": entry.section,
                **{name: found[name][id] for name in ("verdict", "level", "effect")},
                "slip": "; ".join(slips_of(id)),
                "ours": entry.ours,
                "theorems": " ".join(theorems_of(id)),
            }
        )
    return pd.DataFrame(rows)
