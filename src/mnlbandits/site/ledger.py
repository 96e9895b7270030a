"""What the site shows of the ledger: its claims by part of the paper, and the graphs of the theorems with links to them."""

import re

import pandas as pd
from latex2mathml.converter import convert
from markupsafe import Markup

from mnlbandits.ledger.chain import CHAINS, STATEMENTS, theorems_of
from mnlbandits.ledger.errata import PREFACE, TITLE, body_of, entries, found_of, head_of, in_one_line
from mnlbandits.ledger.finding import EFFECTS, LEVELS, VERDICTS
from mnlbandits.ledger.pages import anchor, as_html, shown_number, with_text
from mnlbandits.ledger.slips import names
from mnlbandits.ledger.slips.statements import STATED_AGAIN
from mnlbandits.ledger.summary import counted


def typeset(text: str) -> Markup:
    """A text with mathematics between ``$``, which a template takes as it is."""
    return Markup(as_html(text))


def ledger_values(table: pd.DataFrame) -> dict[str, object]:
    """What the page of the ledger shows; `table` is that of ``claims.csv``."""
    table = with_text(table)
    claims = [
        row
        | {"theorems": theorems_of(row["id"]), "slips": [name for name in row["slip"].split("; ") if name]}
        | {name: shown_number(row[name]) for name in ("ratio", "difference")}
        for row in table.to_dict("records")
    ]
    choices = {
        "part": dict.fromkeys(table["part"], ""),
        "verdict": VERDICTS,
        "level": LEVELS,
        "effect": EFFECTS,
        "theorem": dict.fromkeys(CHAINS, ""),
    }
    return {"claims": claims, "choices": choices, "counts": counted(table)}


def errata_values(table: pd.DataFrame) -> dict[str, object]:
    """What the page of the errata shows; `table` is that of ``claims.csv``."""
    table = with_text(table)
    found = found_of(table)
    stated = [
        (
            entry.row,
            f"{STATEMENTS[entry.row]}: {found(entry.row)}",
            [("As printed", entry.printed), ("As it stands", entry.mended)],
        )
        for entry in STATED_AGAIN
    ]
    wrong = [(anchor(slip.name), head_of(slip, table), body_of(slip)) for slip in entries(table)]
    return {"title": TITLE, "preface": PREFACE, "stated": stated, "wrong": wrong, "names": list(map(in_one_line, names()))}


def linked(svg: str) -> Markup:
    """The drawing of the chains as part of a page, each claim a link to its place in the ledger."""
    drawing = svg[svg.index("<svg") :].replace("<svg ", '<svg role="group" aria-label="Chains of claims" ', 1)
    return Markup(re.sub(r"<metadata>.*?</metadata>", "", with_links(drawing), flags=re.DOTALL))


def with_links(drawing: str) -> str:
    """A drawing whose groups called ``1-C156`` are links."""
    pieces, place = [], 0
    for match in re.finditer(r'<g id="\d-(C\d+[a-z]*)">', drawing):
        end = end_of_group(drawing, match.start())
        link = f'<a href="ledger.html#{match[1]}" aria-label="{match[1]}">'
        pieces += [drawing[place : match.start()], link, drawing[match.start() : end], "</a>"]
        place = end
    return "".join([*pieces, drawing[place:]])


def end_of_group(drawing: str, start: int) -> int:
    """Where the group that begins at `start` ends."""
    depth = 0
    for tag in re.compile(r"<g\b[^>]*?(/?)>|</g>").finditer(drawing, start):
        depth += -1 if tag[0] == "</g>" else not tag[1]
        if depth == 0:
            return tag.end()
    raise ValueError("a group that does not end")


def table1_values(table: pd.DataFrame) -> dict[str, object]:
    """What the page of Table 1 shows: per cell what it sorts by, and what is seen."""
    return {
        "columns": list(table.columns),
        "rows": [[cell(*entry) for entry in row.items()] for row in table.to_dict("records")],
    }


def cell(column: str, value: object) -> tuple[str, object]:
    """What a cell of Table 1 is sorted by, and what it shows."""
    if pd.isna(value):
        return "", ""
    if isinstance(value, str):
        leading = re.match(r"-?[\d.]+(?:e[+-]?\d+)?(?= \[)", value)
        sorted_by = leading[0] if leading else value
        return sorted_by, Markup(convert(value)) if column in ("regret", "cost") and value != "-" else value
    return str(value), f"{value:.4g}"
