"""Errata for the paper's authors: a LaTeX document and a page, one entry a slip, in the order of the paper."""

from collections.abc import Callable, Sequence

import pandas as pd

from mnlbandits.latex import REPRODUCIBLE, as_latex
from mnlbandits.ledger.chain import STATEMENTS
from mnlbandits.ledger.finding import EFFECTS, FALSE
from mnlbandits.ledger.pages import anchor, as_html, shown_lines
from mnlbandits.ledger.slips import Name, Slip, names, slips
from mnlbandits.ledger.slips.statements import STATED_AGAIN

TITLE = "Errata to Enjoying Non-linearity in Multinomial Logistic Bandits (ALT 2026; arXiv 2507.05306v3)"

PREFACE = (
    "Each entry is one edit of the source: what is printed, why it cannot stand, with the shortest counterexample "
    "that we know, and what would stand in its place: one way to mend it, not the only one. Lines are those of the "
    "LaTeX source, rows those of the claims ledger, where the evidence is (mnlbandits claims C156 examines one). An "
    "entry is called a misprint where the paper has it right elsewhere, or nothing else can be meant, and no "
    "algorithm and no line uses it as printed; else by the largest change: a constant, a condition or a rate. A step "
    "that needs mending is not a theorem refuted: what each theorem and lemma comes to stands first."
)


def entries(summary: pd.DataFrame) -> list[Slip]:
    """The slips of which the ledger has a false row; `summary` has the columns id, verdict, level and effect."""
    false = set(summary.loc[summary["verdict"].isin(FALSE), "id"])
    return [slip for slip in slips() if false & set(slip.rows)]


def body_of(slip: Slip) -> list[tuple[str, str]]:
    """The parts of an entry and what they are called."""
    parts = [("Printed", slip.printed), ("But", slip.wrong), ("Mended", slip.mended), ("Used by", slip.depends)]
    return [(name, text) for name, text in parts if text]


def head_of(slip: Slip, summary: pd.DataFrame) -> str:
    """Where a slip is, the largest of the effects that it has on its rows, and these."""
    effects = summary.loc[summary["id"].isin(slip.rows), "effect"]
    largest = max((effect for effect in effects if effect in EFFECTS), key=list(EFFECTS).index, default="refuted")
    return f"{slip.place}, {shown_lines(slip.lines)}; {largest}; {', '.join(slip.rows)}"


def found_of(summary: pd.DataFrame) -> Callable[[str], str]:
    """Verdict and level of a row in words."""
    table = summary.set_index("id")
    return lambda id: f"{table['verdict'][id]} ({table['level'][id]})" if id in table.index else "not examined"


def errata_latex(summary: pd.DataFrame) -> str:
    """The errata as a LaTeX document."""
    found, lines = found_of(summary), [as_latex(PREFACE), "", r"\section{Theorems, propositions and lemmas}"]
    for stated in STATED_AGAIN:
        head = f"{STATEMENTS[stated.row]} ({stated.row}): {found(stated.row)}"
        lines += [rf"\entry{{{as_latex(head)}}}", rf"\part{{As printed}}{{{as_latex(stated.printed)}}}"]
        lines += [rf"\part{{As it stands}}{{{as_latex(stated.mended)}}}", ""]
    lines.append(r"\section{Slips}")
    for slip in entries(summary):
        lines.append(rf"\entry{{{as_latex(head_of(slip, summary))}}}")
        lines += [rf"\part{{{name}}}{{{as_latex(text)}}}" for name, text in body_of(slip)] + [""]
    lines += [r"\section{Names}", "Wrong names; no statement is false by them.", r"\begin{itemize}"]
    lines += [rf"\item {as_latex(in_one_line(name))}" for name in names()] or [r"\item none"]
    lines.append(r"\end{itemize}")
    return LATEX.format(reproducible=REPRODUCIBLE, title=as_latex(TITLE), body="\n".join(lines))


def in_one_line(name: Name) -> str:
    """A wrong name."""
    return f"{name.place}, {shown_lines(name.lines)}: {name.printed} for {name.mended}"


def errata_page(summary: pd.DataFrame) -> str:
    """The errata as an HTML page."""
    found, listed = found_of(summary), entries(summary)
    stated = "".join(
        article(stated.row, f"{STATEMENTS[stated.row]}: {found(stated.row)}", parts)
        for stated in STATED_AGAIN
        for parts in [[("As printed", stated.printed), ("As it stands", stated.mended)]]
    )
    wrong = "".join(article(slip.name, head_of(slip, summary), body_of(slip)) for slip in listed)
    notes = "".join(f"<li>{as_html(in_one_line(name))}</li>" for name in names())
    return PAGE_OF_ERRATA.format(title=as_html(TITLE), preface=as_html(PREFACE), stated=stated, slips=wrong, names=notes)


def article(name: str, head: str, parts: Sequence[tuple[str, str]]) -> str:
    """One entry of the page."""
    shown = "".join(f"<p><i>{called}.</i> {as_html(text)}</p>" for called, text in parts)
    return f'<article id="{anchor(name)}"><h3>{as_html(head)}</h3>{shown}</article>\n'


LATEX = r"""\documentclass[11pt]{{article}}
{reproducible}
\usepackage{{amsmath,amssymb}}
\usepackage[margin=2.5cm]{{geometry}}
\setlength{{\parindent}}{{0pt}} \setlength{{\parskip}}{{3pt}} \sloppy
\newcommand{{\entry}}[1]{{\medskip\textbf{{#1}}\par}}
\renewcommand{{\part}}[2]{{\emph{{#1.}} #2\par}}
\title{{{title}}}
\author{{}} \date{{}}
\begin{{document}}
\maketitle
{body}
\end{{document}}
"""

PAGE_OF_ERRATA = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Errata</title><style>
body {{ font: 16px/1.45 Georgia, serif; margin: 2em auto; max-width: 46em; padding: 0 1em; }}
h3 {{ font-size: 1em; margin: 1.4em 0 .2em; }} p {{ margin: .2em 0; overflow: auto hidden; }}
math {{ font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", "DejaVu Math TeX Gyre", math; }}
</style></head><body>
<h1>{title}</h1>
<p>{preface}</p>
<h2>Theorems, propositions and lemmas</h2>
{stated}
<h2>Slips</h2>
{slips}
<h2>Names</h2>
<p>Wrong names; no statement is false by them.</p>
<ul>{names}</ul>
</body></html>
"""
