"""The ledger to read: its texts as HTML, a table for LaTeX, and the text of one claim for a terminal."""

import html
import math
from collections.abc import Mapping

import pandas as pd
from latex2mathml.converter import convert

from mnlbandits.latex import DASH, Head, as_latex, broken, longtable, number, typeset
from mnlbandits.ledger.claim import CLAIMS
from mnlbandits.ledger.finding import EFFECTS, LEVELS, VERDICTS, Finding
from mnlbandits.ledger.slips import slips_of

MARGINS = ("ratio", "difference")
"""Columns with how far a claim is from false."""


def as_html(text: str) -> str:
    """A text as HTML, its mathematics as MathML, which browsers typeset by themselves."""
    return typeset(text, html.escape, convert)


def anchor(name: str) -> str:
    """The name of a slip as a place in a page."""
    return name.replace(" ", "-")


def stated(row: Mapping[str, str]) -> list[str]:
    """What a claim says, its hypotheses, its quantifiers and our reading, as far as there are any."""
    parts = {"Hypotheses": row["hypotheses"], "Quantifiers": row["quantifiers"], "Read as": row["reading"]}
    return [row["prints"], *(f"{name}: {text}" for name, text in parts.items() if text)]


def latex(table: pd.DataFrame) -> str:
    """The ledger as a ``longtable`` with the label ``tab:claims``, see `mnlbandits.latex`: two rows a claim."""
    heads = [Head("claim"), Head("place", kind=broken(6)), Head("verdict"), Head("known")]
    heads += [Head(name, kind="r") for name in MARGINS]
    across = rf"\multicolumn{{{len(heads)}}}{{@{{}}>{{\scriptsize\raggedright\arraybackslash}}p{{\linewidth}}@{{}}}}"
    rows = []
    for row in with_text(table).to_dict("records"):
        verdict = row["verdict"] + (f": {row['effect']}" if row["effect"] else "")
        margins = [DASH if pd.isna(row[name]) else number(row[name]) for name in MARGINS]
        statement = f"{across}{{{as_latex(' '.join(stated(row)))}}}"
        head = [row["id"], *map(as_latex, (row["place"], verdict, row["level"])), *margins]
        rows.append([rf"\addlinespace {' & '.join(head)} \\* {statement}"])
    return longtable("claims", CAPTION, heads, rows)


def with_text(table: pd.DataFrame) -> pd.DataFrame:
    """The table with empty text where there is none."""
    return table.fillna({column: "" for column in table.columns if column not in (*MARGINS, "seconds")})


def shown_lines(lines: tuple[int, int]) -> str:
    """Lines of the source in words."""
    first, last = lines
    return f"line {first}" if first == last else f"lines {first} to {last}"


def shown_number(value: float) -> str:
    """A number of a table, empty where there is none."""
    return "" if pd.isna(value) else f"{value:.4g}"


def as_record(id: str, found: Finding, seconds: float, constants: Mapping[str, object]) -> dict[str, object]:
    """What a program is told of a claim that was just examined, with these constants instead of the paper's."""
    statement = CLAIMS[id].statement
    numbers = {"ratio": found.ratio, "difference": found.difference, "seconds": seconds}
    return {
        "id": id,
        "label": "; ".join(statement.labels),
        "place": statement.place,
        "lines": statement.lines,
        "statement": statement.prints,
        "domain": CLAIMS[id].domain,
        "verdict": found.verdict,
        "level": found.level,
        "effect": found.effect,
        "slip": "; ".join(slips_of(id)),
        "ours": CLAIMS[id].ours,
        "constants": {name: str(value) for name, value in constants.items()},
        "counterexample": found.counterexample,
        "evidence": found.evidence,
        **{name: None if math.isnan(value) else value for name, value in numbers.items()},
    }


def explain(id: str, found: Finding, seconds: float, constants: Mapping[str, object] | None = None) -> str:
    """What a terminal shows of one claim that was just examined, with these constants instead of the paper's."""
    entry = CLAIMS[id]
    statement = entry.statement
    limit = "; of these constants, and on the domain above only" if constants else ""
    lines = {
        "place": f"{statement.place}, {shown_lines(statement.lines)} of the source",
        "labels": ", ".join(statement.labels),
        statement.kind: statement.prints,
        "hypotheses": statement.hypotheses,
        "quantifiers": statement.quantifiers,
        "reading": statement.reading,
        "domain": entry.domain,
        "ours": "not a statement of the paper" if entry.ours else "",
        "instead of": ", ".join(f"{name} = {value}" for name, value in (constants or {}).items()),
        "verdict": f"{found.verdict}: {VERDICTS[found.verdict]}{limit}",
        "level": f"{found.level}: {LEVELS[found.level]}",
        "not proved": entry.unproved,
        "effect": f"{found.effect}: {EFFECTS[found.effect]}" if found.effect else "",
        "ratio": shown_number(found.ratio),
        "difference": shown_number(found.difference),
        "slip": ", ".join(slips_of(id)),
        "counterexample": found.counterexample,
        "evidence": found.evidence,
        "seconds": f"{seconds:.2g}",
    }
    return "\n".join([id, *(f"    {key}: {value}" for key, value in lines.items() if value)])


CAPTION = (
    "The claims ledger. A verdict is on the statement as printed; of a correction the table says what it changes. "
    "How a verdict is known: by a proof assistant's kernel, proved, searched, simulated, or argued in words. "
    "The ratio is the left over the right side of an inequality where it is worst, at most $1$ where it holds; the "
    "difference is the largest relative one of two sides claimed equal; a dash: no inequality, no equality."
)
