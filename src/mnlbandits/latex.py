"""LaTeX: texts, numbers and tables, and documents as PDF."""

import math
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from mnlbandits.files import write_atomic

PACKAGES = r"\usepackage{amsmath,amssymb,array,booktabs,longtable}"
"""What a document needs that has our tables."""

REPRODUCIBLE = r"\pdfinfoomitdate=1 \pdftrailerid{} \pdfsuppressptexinfo=-1"
"""What keeps dates and names of files out of a PDF."""

SPECIAL = {sign: f"\\{sign}" for sign in "&%#_{}"} | {
    "$": r"\ensuremath{\mathdollar}",
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "`": r"\`{}",
}
"""What LaTeX would not print as it stands."""

DASH = "--"
"""Stands for a missing value."""

MATHEMATICS = re.compile(r"\$(.+?)\$")

MARKUP = re.compile(
    r":math:`(?P<mathematics>.+?)`"
    r"|(?P<quotes>``?)(?P<literal>.+?)(?P=quotes)"
    r"|(?<![\w.])(?P<number>\d[\d.]*e-?\d+)(?!\w)"
    r"|sqrt\((?P<root>[^()]+)\)"
    r"|(?<![\w'-])(?P<letter>[KRSTXdt])(?![\w'-])"
    r"|(?<!\w)(?P<greek>Theta|theta|kappa|tau|delta)(?P<index>_\*|_star|_\{\*,t\})?(?![\w-])"
    r"|(?<!\w)(?P<set>C_t)(?!\w)"
)
"""What is no plain word in our texts without LaTeX: mathematics and literals of reStructuredText, numbers, and symbols."""

LETTERS = 24
"""Of the longest text of a column that is not broken into lines."""


class Head(NamedTuple):
    """A column of a `longtable`: its heading and its unit in LaTeX, and its kind, one of those of the package array."""

    heading: str
    unit: str = ""
    kind: str = "l"


def words(text: str) -> str:
    """A text that prints as it stands, whatever it is; a sign that LaTeX's first fonts lack prints as ``U+`` its code."""
    signs = (SPECIAL.get(sign, sign if printable(sign) else f"U+{ord(sign):04X}") for sign in re.sub(r"\s+", " ", text))
    return "".join(signs).replace("--", "-{}-")


def printable(sign: str) -> bool:
    """Whether LaTeX's first fonts have a sign: those of ASCII and most letters of Latin-1."""
    return " " <= sign <= "~" or ("\xc0" <= sign <= "\xff" and sign not in "\xd0\xd7\xde\xf0\xf7\xfe")


def typeset(text: str, plain: Callable[[str], str], mathematics: Callable[[str], str]) -> str:
    """A text with its words and its mathematics, between ``$``, each converted."""
    pieces = MATHEMATICS.split(text)
    return "".join(mathematics(piece) if place % 2 else plain(piece) for place, piece in enumerate(pieces))


def as_latex(text: str) -> str:
    """A text of ours, with mathematics between ``$``."""
    return typeset(text, words, lambda inside: f"${inside}$")


def prose(text: str) -> str:
    """A text of ours without LaTeX: a caption of the report, or one that spells symbols as ``kappa_*`` or ``sqrt(T)``."""
    pieces, place, text = [], 0, " ".join(text.split())
    for found in MARKUP.finditer(text):
        literal = found["literal"]
        shown = rf"\texttt{{{words(literal)}}}" if literal else f"${found['mathematics'] or symbol(found)}$"
        pieces += [words(text[place : found.start()]), shown]
        place = found.end()
    return "".join([*pieces, words(text[place:])])


def symbol(found: re.Match[str]) -> str:
    """A number or a symbol of the paper that `MARKUP` found."""
    if found["number"]:
        return bare(float(found["number"]))
    if found["root"]:
        return rf"\sqrt{{{MARKUP.sub(symbol, found['root'])}}}"
    if found["greek"]:
        return f"\\{found['greek']}" + (found["index"] or "").replace("star", "*")
    return found["letter"] or r"\mathcal{C}_t"


def number(value: float, whole: bool = False) -> str:
    """A number with four digits, as 0.25 or 1.2 times a power of ten; a `whole` one below a million with all of them."""
    return f"${bare(value, whole)}$"


def interval(low: float, high: float) -> str:
    """An interval with ends of four digits."""
    return f"$[{bare(low)}, {bare(high)}]$"


def bare(value: float, whole: bool = False) -> str:
    """`number` without its dollars."""
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    mantissa, _, exponent = (f"{value:.0f}" if whole and abs(value) < 1e6 else f"{value:.4g}").partition("e")
    if not exponent:
        return mantissa
    return {"1": "", "-1": "-"}.get(mantissa, rf"{mantissa}\times") + f"10^{{{int(exponent)}}}"


def longtable(name: str, caption: str, heads: Sequence[Head], rows: Sequence[Sequence[str]]) -> str:
    """A table that goes on over pages, with the label ``tab:name``; `caption` and the cells of `rows` are LaTeX.

    Rows that have the same first cell stand together, with a little space around them.
    """
    kinds = "".join(head.kind for head in heads)
    top = [line_of(stacked(head.heading) for head in heads)]
    if any(head.unit for head in heads):
        top.append(line_of(f"({head.unit})" if head.unit else "" for head in heads))
    head = [r"\toprule", *top, r"\midrule"]
    groups = [list(group) for _, group in groupby(rows, lambda row: row[0])]
    space = [r"\addlinespace"] if len(groups) < len(rows) else []
    body = [line for group in groups for line in [*space, *map(line_of, group)]][len(space) :]
    return "\n".join(
        [
            f"% {PACKAGES}",
            r"\begingroup\footnotesize\setlength{\tabcolsep}{2.5pt}\setlength{\LTcapwidth}{\linewidth}",
            rf"\begin{{longtable}}{{@{{}}{kinds}@{{}}}}",
            rf"\caption{{{caption}}}\label{{tab:{name}}}\\",
            *[*head, r"\endfirsthead"],
            *[r"\caption[]{(continued)}\\", *head, r"\endhead"],
            *[r"\bottomrule", r"\endfoot"],
            *body,
            *[r"\end{longtable}", r"\endgroup", ""],
        ]
    )


def stacked(heading: str) -> str:
    """A heading of one line or more."""
    return rf"\begin{{tabular}}[b]{{@{{}}c@{{}}}}{heading}\end{{tabular}}" if r"\\" in heading else heading


def line_of(cells: Iterable[str]) -> str:
    """A row of a table."""
    return " & ".join(cells) + r" \\"


def of_texts(texts: Iterable[str]) -> str:
    """The kind of a column of texts: those that are long are broken into lines."""
    return "l" if max(map(len, texts), default=0) <= LETTERS else broken(2.9)


def broken(centimetres: float) -> str:
    """The kind of a column whose texts are broken into lines of this width."""
    return rf">{{\raggedright\arraybackslash}}p{{{centimetres:g}cm}}"


def compile_document(source: Path, pdf: Path | str, bibliography: bool = False) -> str:
    """Make a PDF of a document, which may include what lies beside it; the same document gives the same bytes.

    Returns what LaTeX says of it.

    Raises
    ------
    subprocess.CalledProcessError : LaTeX or BibTeX found an error; a note of it says which.
    """
    latex = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", source.name]
    environment = os.environ | {"SOURCE_DATE_EPOCH": "0", "max_print_line": "1000"}
    commands = [latex, ["bibtex", source.stem], latex, latex] if bibliography else [latex]
    with tempfile.TemporaryDirectory() as name:
        folder = shutil.copytree(source.parent, Path(name) / "document")
        for command in commands:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
            said = done.stdout.decode(errors="replace")
            try:
                done.check_returncode()
            except subprocess.CalledProcessError as error:
                error.add_note(said)
                raise
        made = (folder / source.name).with_suffix(".pdf").read_bytes()
    write_atomic(pdf, lambda handle: handle.write(made))
    return said
