"""What goes into a paper: tables of results in LaTeX, and a document that has them all, the figures and the references."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from shutil import copyfile, which
from typing import Any, NamedTuple

import pandas as pd

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.base import PRESETS
from mnlbandits.dictionary import Column, tables
from mnlbandits.files import write_atomic
from mnlbandits.labels import stem
from mnlbandits.latex import (
    DASH,
    PACKAGES,
    REPRODUCIBLE,
    Head,
    compile_document,
    interval,
    longtable,
    number,
    of_texts,
    prose,
    words,
)
from mnlbandits.references import CITED, FILE

SYSTEMS = ("algorithm", "other", "rival")
"""Columns that name a system, by its label or its name."""


class Printed(NamedTuple):
    """What of a table is one column in print: a column, or two that are the ends of an interval.

    Attributes
    ----------
    names : of the columns, one or two.
    column : the description of the first.
    values : (rows, 1 or 2), a table of them.
    """

    names: tuple[str, ...]
    column: Column
    values: pd.DataFrame

    @property
    def heading(self) -> str:
        """What stands above it, in LaTeX."""
        return self.column.heading or words(self.names[0])

    @property
    def called(self) -> str:
        """The heading on one line."""
        return self.heading.replace(r"\\", " ").replace("-- ", "--")

    @property
    def same(self) -> bool:
        """Whether it is one number in all of several rows."""
        numbers = len(self.names) == 1 and self.column.numeric and len(self.values) > 1
        return bool(numbers and self.values.nunique(dropna=False).eq(1).all() and self.values.notna().all(axis=None))

    @property
    def gaps(self) -> bool:
        """Whether a value is missing."""
        return bool((self.values.isna() | (self.values == "")).any(axis=None))


def table_latex(table: pd.DataFrame, kind: str, name: str) -> str:
    """A table as LaTeX, a ``longtable``; what is the same in all rows is said in its caption.

    Parameters
    ----------
    kind : of table, one of `mnlbandits.dictionary.tables` with columns to print.
    name : of its CSV file, without suffix; its label is ``tab:name``.
    """
    described = tables()[kind]
    columns = [
        Printed(names, described.columns[names[0]], table[list(names)])
        for names in described.printed
        if set(names) <= set(table)
    ]
    shown = [column for column in columns if not column.same]
    records = table.to_dict("records")
    cells = [[cell(column, record) for record in records] for column in shown]
    heads = [
        Head(column.heading, words(column.column.unit), "r" if column.column.numeric else of_texts(texts))
        for column, texts in zip(shown, cells, strict=True)
    ]
    said = [f"A row is {prose(described.row)}.", *caption(columns), left_out(table, columns, name)]
    return longtable(name, " ".join(filter(None, said)), heads, list(zip(*cells, strict=True)))


def write_latex(table: pd.DataFrame, path: Path | str, kind: str) -> None:
    """Write a table as `table_latex` typesets it, under the name of the file."""
    text = table_latex(table, kind, Path(path).stem)
    write_atomic(path, lambda handle: handle.write(text.encode()))


def cell(printed: Printed, row: Mapping[str, Any]) -> str:
    """A cell of a printed column, in LaTeX."""
    name, column, values = printed.names[0], printed.column, [row[name] for name in printed.names]
    if any(pd.isna(value) or value == "" for value in values):
        return DASH
    if len(values) == 2:
        return interval(*values)
    value = values[0]
    if column.numeric:
        return number(value, column.type == "integer")
    if column.type == "truth":
        return "yes" if value else "no"
    if column.latex:
        return DASH if value == "-" else f"${value}$"
    if name == "preset":
        return words(PRESETS[value].removesuffix(" constants"))
    if name in SYSTEMS:
        return words(title(value, row.get("preset", "")))
    return prose(value) if column.choices else words(value)


def title(label: str, preset: str) -> str:
    """The title of the system that a label is named after, and what else the label says; else its `stem`."""
    parts = stem(label, preset).split("-")
    for length in range(len(parts), 0, -1):
        name, rest = "-".join(parts[:length]), " ".join(parts[length:])
        if name in REGISTRY:
            return f"{REGISTRY[name].title} ({rest})" if rest else REGISTRY[name].title
    return stem(label, preset)


def caption(columns: Iterable[Printed]) -> list[str]:
    """Sentences of a caption: what is the same in all rows, what headings mean that say too little, and what dashes mean."""
    same, meanings = [], []
    dashes: dict[str, list[str]] = {}
    for printed in columns:
        column = printed.column
        if printed.same:
            value = number(printed.values.iat[0, 0], column.type == "integer")
            same.append(f"{printed.called} = {value} {words(column.unit)}".strip())
        if not column.heading:
            meanings.append(f"{printed.called}: {prose(column.meaning)}")
        if printed.gaps:
            dashes.setdefault(column.missing, []).append(printed.called)
    absent = [f"under {', '.join(headings)}: {prose(meaning)}" for meaning, headings in dashes.items()]
    sentences = {"In all rows": ", ".join(same), "Columns:": "; ".join(meanings), "A dash": "; ".join(absent)}
    return [f"{start} {text}." for start, text in sentences.items() if text]


def left_out(table: pd.DataFrame, columns: Iterable[Printed], name: str) -> str:
    """The sentence of a caption that says which columns are not printed."""
    there = {name for printed in columns for name in printed.names}
    others = ", ".join(words(column) for column in table if column not in there)
    return rf"Not printed, in \texttt{{{words(name)}.csv}}: {others}." if others else ""


def make_paper(
    folder: Path | str, figures: Iterable[Path | str], tables: Iterable[Path | str], captions: Mapping[str, str]
) -> None:
    """Collect what goes into a paper: figures/, tables/, references.bib and assets.tex; with LaTeX, assets.pdf too.

    Parameters
    ----------
    figures, tables : their files.
    captions : of the figures by their names, in reStructuredText.
    """
    folder, parts = Path(folder), {"figures": [*map(Path, figures)], "tables": [*map(Path, tables)], ".": [FILE]}
    for part, files in parts.items():
        (folder / part).mkdir(parents=True, exist_ok=True)
        for file in files:
            copyfile(file, folder / part / file.name)
    text = assets((file.stem for file in parts["figures"]), (file.stem for file in parts["tables"]), captions)
    write_atomic(folder / "assets.tex", lambda handle: handle.write(text.encode()))
    if which("pdflatex"):
        compile_document(folder / "assets.tex", folder / "assets.pdf", bibliography=True)


def assets(figures: Iterable[str], tables: Iterable[str], captions: Mapping[str, str]) -> str:
    """A LaTeX document of all figures and tables, named, and of all references."""
    systems = (rf"{words(REGISTRY[name].title)}~\cite{{{','.join(CITED[name])}}}" for name in REGISTRY if name in CITED)
    return DOCUMENT % {
        "systems": ",\n".join(systems),
        "figures": "\n".join(FIGURE % {"name": name, "caption": prose(captions[name])} for name in figures),
        "tables": "\n".join(rf"\input{{tables/{name}}}" for name in tables),
    }


FIGURE = r"""
\begin{figure}[htbp]
\centering
\includegraphics{figures/%(name)s.pdf}
\caption{%(caption)s}
\label{fig:%(name)s}
\end{figure}
"""

DOCUMENT = rf"""\documentclass[10pt]{{article}}
{REPRODUCIBLE}
{PACKAGES}
\usepackage{{graphicx}}
\usepackage[textwidth=6in,textheight=9in]{{geometry}}
%% A figure is as wide as it was drawn, or as the text where it is wider.
\makeatletter
\newcommand{{\drawnwidth}}{{\ifdim\Gin@nat@width>\linewidth \linewidth\else \Gin@nat@width\fi}}
\setkeys{{Gin}}{{width=\drawnwidth}}
\makeatother
\title{{Figures, tables and references for a paper}}
\author{{}}
\date{{}}
\begin{{document}}
\maketitle
Everything here can be copied: a figure with its caption and label, a table by its \texttt{{\string\input}}, and the keys of
\texttt{{references.bib}}.
\section{{Systems}}
%(systems)s.
\section{{Figures}}
%(figures)s
\clearpage
\section{{Tables}}
%(tables)s
\clearpage
\nocite{{*}}
\bibliographystyle{{plain}}
\bibliography{{references}}
\end{{document}}
"""
