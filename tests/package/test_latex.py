"""LaTeX: what is typed in by hand, tables of every kind, the references, and a document of all of them."""

import math
import re
from importlib import import_module
from shutil import which

import numpy as np
import pandas as pd
import pytest
from test_captions import CONFIG, REFERENCE, REPORT
from test_dictionary import REFERENCE as KIND_OF

from mnlbandits.algorithms import REGISTRY
from mnlbandits.assortment.algorithms import SOURCES
from mnlbandits.config import typeset_of
from mnlbandits.dictionary import tables
from mnlbandits.latex import DASH, PACKAGES, as_latex, compile_document, interval, number, prose, words
from mnlbandits.ledger.claim import CLAIMS
from mnlbandits.ledger.pages import latex
from mnlbandits.ledger.paper import load
from mnlbandits.ledger.tables import STATED
from mnlbandits.paper import make_paper, table_latex, title, write_latex
from mnlbandits.plots.style import save
from mnlbandits.references import CITED, FILE
from mnlbandits.results import read_table
from mnlbandits.verify.table1 import PRINTED, table1

HOSTILE = r"a_b%c&d#e$f{g}h~i^j\input{k} <l> |m| `n` \"o\" \def\x{\x}\x é κ $\undefined$ --p"
"""A text that LaTeX would choke on, or obey."""

LETTERS = {"instance": "i", "algorithm": "a", "preset": "paper"}

FINAL = pd.DataFrame(LETTERS | {"t": 10, "runs": [2, 3], "mean": 0.5, "low": -math.inf, "high": 1.0})

needs_latex = pytest.mark.skipif(which("pdflatex") is None, reason="there is no LaTeX here")


def rows_of(text):
    """The rows of a table's body, as lists of cells."""
    body = text.split(r"\endfoot")[1].split(r"\end{longtable}")[0]
    return [line.removesuffix(r" \\").split(" & ") for line in body.splitlines() if line.endswith(r"\\")]


def caption_of(text):
    return re.search(r"^\\caption\{(.*)\}\\label\{(.*)\}\\\\$", text, re.MULTILINE).groups()


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a_b % & # {c} $", r"a\_b \% \& \# \{c\} \ensuremath{\mathdollar}"),
        ("1 < 2 > 0 | x", r"1 \textless{} 2 \textgreater{} 0 \textbar{} x"),
        (r"\input{x}~^", r"\textbackslash{}input\{x\}\textasciitilde{}\textasciicircum{}"),
        ("a\n\nb--c", "a b-{}-c"),
        ("Calauzènes κ \xd7 \x07", "Calauzènes U+03BA U+00D7 U+0007"),
    ],
)
def test_words_print_as_they_stand(text, printed):
    assert words(text) == printed


def test_mathematics_stays_mathematics():
    assert as_latex(r"50 % of $x_1 \le 3$ & more") == r"50 \% of $x_1 \le 3$ \& more"
    assert prose("the 1/kappa_* of theta_*, with T = 1e-6") == r"the 1/$\kappa_*$ of $\theta_*$, with $T$ = $10^{-6}$"
    assert prose("over R d sqrt(K t / kappa_*)") == r"over $R$ $d$ $\sqrt{K t / \kappa_*}$"
    assert prose("kappa_{*,t} of C_t, large-kappa-star-S1") == r"$\kappa_{*,t}$ of $\mathcal{C}_t$, large-kappa-star-S1"
    assert (
        prose(":math:`\\mu(\\theta x)` and ``a_b``,\n`t`; the paper's")
        == r"$\mu(\theta x)$ and \texttt{a\_b}, \texttt{t}; the paper's"
    )


@pytest.mark.parametrize(
    ("value", "whole", "printed"),
    [
        (0.25, False, "$0.25$"),
        (1234.5678, False, "$1235$"),
        (1.2e10, False, r"$1.2\times10^{10}$"),
        (1e-16, False, "$10^{-16}$"),
        (-1e5, False, "$-10^{5}$"),
        (123456, True, "$123456$"),
        (np.int64(55105288187), True, r"$5.511\times10^{10}$"),
        (math.inf, False, r"$\infty$"),
        (-math.inf, False, r"$-\infty$"),
    ],
)
def test_numbers_have_four_digits(value, whole, printed):
    assert number(value, whole) == printed


def test_intervals_have_two_ends():
    assert interval(-math.inf, 1e5) == r"$[-\infty, 10^{5}]$"


def test_a_table_by_hand():
    text = table_latex(FINAL.assign(extra_1=0), "final", "final_a_b")
    assert caption_of(text) == (
        "A row is an algorithm on an instance, at the horizon. In all rows $t$ = $10$ rounds, mean regret = $0.5$ reward. "
        r"Not printed, in \texttt{final\_a\_b.csv}: extra\_1.",
        "tab:final_a_b",
    )
    assert rows_of(text) == [["i", "a", "paper's", f"${runs}$", r"$[-\infty, 1]$"] for runs in (2, 3)]
    assert len(rows_of(table_latex(FINAL[:1], "final", "x"))[0]) == 7  # of one row nothing goes into the caption


def test_dashes_are_explained():
    table = pd.DataFrame(
        LETTERS
        | {"calibrated_on": [None, "i"], "multiplier": 0.5, "t": 9, "runs": 2, "mean": [1.0, 2.0], "low": 0.0, "high": 3.0}
        | {"coverage": [math.nan, 1.0], "coverage_low": [math.nan, 0.2], "coverage_high": [math.nan, 1.0], "target": 0.95}
    )
    text = table_latex(table, "transfer", "x")
    assert rows_of(text)[0][2] == rows_of(text)[0][-1] == DASH
    assert r"A dash under calibrated\_on, coverage, 95 \% Clopper--Pearson interval: no calibrated radius." in text
    assert "A dash" not in table_latex(table[1:], "transfer", "x")


def test_titles_of_labels():
    assert title("real-paper", "paper") == title("real", "") == "REAL"
    assert title("oful-mlogb-transferred", "calibrated") == "OFUL-MLogB (transferred)"
    assert title("mine-valid", "valid") == "mine"


@pytest.mark.parametrize("kind", [kind for kind, table in tables().items() if table.printed])
def test_what_is_printed_is_described(kind):
    table = tables()[kind]
    for names in table.printed:
        assert set(names) <= set(table.columns)
        assert len(names) == 1 or (len(names) == 2 and table.columns[names[0]].heading)
    for name, column in table.columns.items():
        assert column.heading.count("$") % 2 == 0, name


def test_what_a_config_typesets_can_be_printed():
    for name, study in CONFIG["studies"].items():
        for table, kind in typeset_of(name, study).items():
            assert tables()[kind].printed, table
            assert KIND_OF.get(table, kind) == kind


BIBLIOGRAPHY = {
    key: dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.MULTILINE))
    for key, entry in re.findall(r"^@\w+\{(\w+),\n(.*?)^\}$", FILE.read_text(encoding="ascii"), re.MULTILINE | re.DOTALL)
}
"""The fields of every reference."""


@pytest.mark.parametrize("key", BIBLIOGRAPHY)
def test_references_are_whole(key):
    fields = BIBLIOGRAPHY[key]
    assert {"author", "title", "year"} <= set(fields)
    assert {"booktitle", "journal", "note"} & set(fields)
    surname = re.split(r"[-,]", fields["author"])[0]
    assert key.startswith(surname.lower() + fields["year"])


@pytest.mark.parametrize("name", [*REGISTRY, *SOURCES])
def test_who_publishes_a_system_is_cited(name):
    source = SOURCES.get(name) or REGISTRY[name].source
    works = re.findall(
        r"([A-Z][a-z]+)(?:, [^()]*| and [^()]*)?\((?:\w+ )?(20\d\d)\)|after ([A-Z][a-z]+)[^()]*\((20\d\d)\)", source
    )
    assert bool(works) == (name in CITED)
    for first, year, *_ in works:
        assert any(key.startswith(f"{first.lower()}{year}") for key in CITED[name])
    assert set(CITED.get(name, ())) <= set(BIBLIOGRAPHY)


def test_rows_of_table_one_are_cited():
    for row in PRINTED:
        first, year = row.reference.split()[0].lower(), row.reference[-5:-1]
        assert [key for key in BIBLIOGRAPHY if key.startswith(first + year)]


def reference_tables(folder):
    """The tables of the full study in LaTeX, Table 1 and the ledger among them."""
    for table, kind in KIND_OF.items():
        if tables()[kind].printed:
            write_latex(read_table(REFERENCE / f"{table}.csv", kind), folder / f"{table}.tex", kind)
    costs = pd.DataFrame(
        {"algorithm": "oful-mlogb", "instance": "i", "t": [100, 1000, 10000], "microseconds": [3.0, 3.1, 3.2]}
    )
    write_latex(table1(costs, read_table(REFERENCE / "final_comparison.csv", "final")), folder / "table1.tex", "table1")
    load()
    verdicts = read_table(REFERENCE / "verdicts.csv", "verdicts")
    said = {name: [getattr(CLAIMS[id].statement, name) for id in verdicts["id"]] for name in STATED}
    (folder / "claims.tex").write_text(latex(verdicts.assign(**said)), encoding="utf-8")
    return sorted(folder.glob("*.tex"))


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """What goes into a paper, from the reference, with three of the figures."""
    folder = tmp_path_factory.mktemp("paper")
    for part in ("figures", "tables"):
        (folder / part).mkdir()
    figures = [folder / "figures" / f"{name}.pdf" for name in ("calibration", "kappa", "scaling")]
    for path in figures:
        save(import_module(f"mnlbandits.plots.{path.stem}").draw(pd.read_csv(REFERENCE / f"{path.stem}.csv")), path)
    captions = {path.stem: path.read_text(encoding="utf-8") for path in REPORT.glob("*.rst")}
    make_paper(folder / "paper", figures, reference_tables(folder / "tables"), captions)
    return folder / "paper"


def test_a_paper_gets_everything(paper):
    document = (paper / "assets.tex").read_text(encoding="utf-8")
    assert len(list((paper / "tables").iterdir())) == document.count(r"\input{tables/")
    assert document.count(r"\includegraphics{figures/") == document.count(r"\label{fig:") == 3
    assert (paper / "references.bib").read_bytes() == FILE.read_bytes()
    assert (paper / "assets.pdf").exists() == bool(which("pdflatex"))


def fonts(path):
    """Of the fonts of a PDF of matplotlib's: their types, how many describe themselves, and how many are embedded."""
    text = path.read_bytes()
    return set(re.findall(rb"/Subtype /(Type\w+)", text)), text.count(b"/FontName"), text.count(b"/FontFile")


def test_fonts_of_figures_are_embedded_outlines(paper):
    for path in (paper / "figures").iterdir():
        types, described, embedded = fonts(path)
        assert types == {b"Type0"}
        assert 0 < described <= embedded


def complaints(said):
    """What LaTeX says of a document: boxes that are too wide, in points, and references that it does not find."""
    return [float(points) for points in re.findall(r"Overfull \\hbox \((.*?)pt", said)], re.findall(r".*undefined.*", said)


def only_outlines(said):
    """Whether all fonts that LaTeX says it embeds are outlines, none a bitmap."""
    return re.search(r"<[^>]*\.pfb>", said) and not re.search(r"\.\d+pk\b", said)


@needs_latex
def test_a_document_of_all_is_typeset(paper, tmp_path):
    said = compile_document(paper / "assets.tex", tmp_path / "again.pdf", bibliography=True)
    wide, undefined = complaints(said)
    assert max(wide, default=0.0) <= 5
    assert not undefined
    assert (tmp_path / "again.pdf").read_bytes() == (paper / "assets.pdf").read_bytes()
    assert only_outlines(said)


@needs_latex
def test_a_hostile_label_is_harmless(tmp_path):
    table = FINAL.assign(instance=HOSTILE, algorithm=HOSTILE)
    body = table_latex(table, "final", "x") + words("".join(map(chr, range(32, 256))))
    source = tmp_path / "a" / "a.tex"
    source.parent.mkdir()
    source.write_text(
        rf"\documentclass{{article}}{PACKAGES}\begin{{document}}\sloppy {body}\end{{document}}", encoding="utf-8"
    )
    said = compile_document(source, tmp_path / "a.pdf")
    assert only_outlines(said)
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
