"""Errata for the paper's authors: a LaTeX document, one entry a slip, in the order of the paper."""

from collections.abc import Callable

import pandas as pd

from mnlbandits.latex import REPRODUCIBLE, as_latex
from mnlbandits.ledger.chain import STATEMENTS
from mnlbandits.ledger.finding import EFFECTS, FALSE
from mnlbandits.ledger.pages import shown_lines
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
