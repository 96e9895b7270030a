"""The folder of the site, page by page."""

import html
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from mnlbandits import __version__
from mnlbandits.files import write_atomic
from mnlbandits.results import read_table
from mnlbandits.site import PAGES
from mnlbandits.site.durations import as_script, durations
from mnlbandits.site.figures import Shown, shown
from mnlbandits.site.ledger import errata_values, ledger_values, linked, table1_values, typeset
from mnlbandits.site.story import story

ASSETS = ("style.css", "site.js")
"""Files that all pages share, as they are."""

TOLD = ("verdicts", "exponents", "horizon", "crossovers", "final_regret")
"""Tables that the story is told of."""

TEMPLATES = Environment(
    loader=FileSystemLoader(PAGES[0].parent),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


TEMPLATES.filters["typeset"] = typeset


@dataclass(frozen=True)
class Material:
    """What a site is made of.

    Attributes
    ----------
    config : the whole config of the study.
    shown : by figure, its part of the build, file name of its data, and caption in reStructuredText.
    figures, tables : their files, SVG and CSV or Parquet; the site has copies.
    claims, table1 : files of the ledger and of Table 1; empty where the build has none.
    notebooks : executed ones, in the order in which they are read; the site has copies.
    sources : digest of the code.
    """

    config: Mapping[str, Any]
    shown: Mapping[str, Mapping[str, str]]
    figures: Sequence[str]
    tables: Sequence[str]
    claims: str | Sequence[str]
    table1: str | Sequence[str]
    notebooks: Sequence[str]
    sources: str

    @cached_property
    def of_figures(self) -> list[Shown]:
        """What the site shows of its figures."""
        return [shown(name, entry, self.config) for name, entry in self.shown.items()]

    @cached_property
    def titles(self) -> dict[str, str]:
        """The notebooks by file name, and what each calls itself."""
        return {Path(path).name: title_of(Path(path).read_text(encoding="utf-8")) for path in self.notebooks}

    @property
    def pages(self) -> dict[str, str]:
        """The pages that there is something for, and what links to them say."""
        pages = {"index.html": "Overview"}
        pages |= {"figures.html": "Figures"} if self.shown else {}
        pages |= {"ledger.html": "Claims", "errata.html": "Errata"} if self.claims else {}
        pages |= {"chains.html": "Proof chains"} if "chains" in self.shown else {}
        pages |= {"timings/table1.html": "Table 1"} if self.table1 else {}
        return pages


def make_site(material: Material, folder: Path | str, benchmarks: Path | str) -> None:
    """Write the site into a folder.

    All but ``timings/``, which has what was timed, has the same bytes for the same study.

    Parameters
    ----------
    benchmarks : folder of the benchmarks of the jobs.
    """
    folder = Path(folder)
    for name in ASSETS:
        copy(PAGES[0].parent / name, folder / name)
    for path in map(Path, material.figures):
        copy(path, folder / "figures" / path.name)
    for path in map(Path, material.tables):
        copy(path, folder / "tables" / path.name)
    for path in map(Path, material.notebooks):
        copy(path, folder / "notebooks" / path.name)
    write(folder / "timings" / "durations.js", as_script(durations(benchmarks)))
    for page in material.pages:
        write(folder / page, render(page, material, **values_of(page, material)))


def values_of(page: str, material: Material) -> dict[str, object]:
    """What a page shows besides the figures."""
    if page in ("ledger.html", "errata.html"):
        table = read_table(str(material.claims), "claims")
        return ledger_values(table) if page == "ledger.html" else errata_values(table)
    if page == "index.html":
        tables = {Path(path).stem: path for path in material.tables if told(Path(path).stem, material.config)}
        return {"story": story({name: read_table(tables[name]) for name in TOLD if name in tables})}
    if page == "chains.html":
        drawing = next(Path(path) for path in material.figures if Path(path).stem == "chains")
        return {"drawing": linked(drawing.read_text(encoding="utf-8"))}
    if page == "timings/table1.html":
        return table1_values(read_table(str(material.table1), "table1"))
    return {}


def render(page: str, material: Material, **values: object) -> str:
    """A page, from its template."""
    root = "../" * page.count("/")
    return TEMPLATES.get_template(Path(page).name).render(
        page=page,
        root=root,
        material=material,
        version=__version__,
        **values,
    )


def told(name: str, config: Mapping[str, Any]) -> bool:
    """Whether the table of this name is what the story takes it for: of a study of that kind, or of none."""
    study = config["studies"].get(name.removeprefix("final_"))
    return study is None or bool(study["kind"] == name.removeprefix("final_"))


def title_of(page: str) -> str:
    """The title of a page."""
    return html.unescape(re.search(r"<title>(.*?)</title>", page, re.DOTALL)[1])


def copy(source: Path, target: Path) -> None:
    """Copy a file, its folder made if there is none."""
    with source.open("rb") as opened:
        write_atomic(target, lambda handle: shutil.copyfileobj(opened, handle))


def write(path: Path, text: str) -> None:
    """Write a text, its folder made if there is none."""
    write_atomic(path, lambda handle: handle.write(text.encode()))
