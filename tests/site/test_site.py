"""The site: whole, the same each time, readable without network, and nothing in it runs that is a mere name."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urldefrag

import material
import pandas as pd
import pytest
from material import PAGES

from mnlbandits.site.build import told
from mnlbandits.site.durations import durations
from mnlbandits.site.figures import first_sentence
from mnlbandits.site.ledger import with_links
from mnlbandits.site.story import story

sys.path.append(str(Path(__file__).parents[1] / "plots"))
import hostile

VOID = {"meta", "link", "img", "input", "br", "hr"}


class Page(HTMLParser):
    """What is in a page: elements with their attributes, as they are opened, and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.elements, self.text, self.open = path, [], "", []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"{self.path.name}: </{tag}> at {self.getpos()}"

    def handle_data(self, data):
        self.text += data

    def all(self, name: str) -> list[str]:
        """The values of an attribute."""
        return [attributes[name] for _, attributes in self.elements if attributes.get(name) is not None]


@pytest.fixture(scope="module")
def pages(site):
    return {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}


def test_the_pages_are_there_and_every_element_is_closed(pages):
    assert sorted(pages) == sorted([*PAGES, "notebooks/model.html"])
    assert all(page.open == [] for page in pages.values())


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere_in_the_folder(pages, site, name):
    page = pages[name]
    links = [*page.all("href"), *page.all("src"), *page.all("xlink:href")]
    assert len(links) > 5
    for link in links:
        file, fragment = urldefrag(unquote(link))
        if link == "data:,":
            continue
        target = (page.path.parent / file).resolve() if file else page.path
        assert target.is_relative_to(site.resolve()), link
        assert target.is_file(), link
        if fragment:
            other = pages.get(target.relative_to(site.resolve()).as_posix()) if file else page
            assert fragment in other.all("id"), link


@pytest.mark.parametrize("name", PAGES)
def test_ids_are_unique_and_headings_in_order(pages, name):
    page = pages[name]
    assert [id for id, count in Counter(page.all("id")).items() if count > 1] == []
    levels = [int(tag[1]) for tag, _ in page.elements if tag in ("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("name", PAGES)
def test_readers_of_all_kinds_are_served(pages, name):
    elements = pages[name].elements
    assert ("html", {"lang": "en"}) in elements
    assert all("alt" in attributes for tag, attributes in elements if tag == "img")
    labelled = {attributes["for"] for tag, attributes in elements if tag == "label"}
    assert {attributes["id"] for tag, attributes in elements if tag in ("input", "select")} <= labelled


def test_notebooks_are_there_under_their_titles(pages):
    assert "notebooks/model.html" in pages["index.html"].all("href")


def test_a_summary_is_plain_text():
    text = "Left: :math:`\\theta_*` in\n:math:`\\mathcal{C}_t`, ``regret`` too. Right: more."
    assert first_sentence(text) == "Left: theta_* in C_t, regret too."


def test_a_figure_says_what_it_shows(pages):
    images = {each["src"]: each["alt"] for tag, each in pages["figures.html"].elements if tag == "img"}
    assert images["figures/chains.svg"] == "On which statements the paper's three theorems rest."
    assert "tables/kappa.csv" in pages["figures.html"].all("href")
    assert "radii:" in pages["figures.html"].text


def test_nothing_is_loaded_from_a_network(site):
    for path in [*site.rglob("*.html"), *site.rglob("*.css"), *site.rglob("*.js")]:
        text = path.read_text(encoding="utf-8").replace('"http://www.w3.org/', '"')
        assert not [word for word in ("http:", "https:", "@import", "fetch(", "XMLHttpRequest", '="//') if word in text], (
            path
        )


def test_a_name_that_is_markup_is_written_out(pages):
    for page in pages.values():
        assert material.NAME in page.text
        assert [each for tag, each in page.elements if tag == "script" and "src" not in each] == []


def test_durations_are_those_of_the_jobs(site, tmp_path):
    script = (site / "timings" / "durations.js").read_text()
    assert json.loads(script.removeprefix("const DURATIONS = ").rstrip(";\n")) == {"kappa": 1.2}
    for name, seconds in (("examine_claims/theorem_one", 2), ("collect_claims", 1), ("run_algorithm/regret.x.y.0", 3)):
        path = tmp_path / f"{name}.tsv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"s\tmax_rss\n{seconds}\t-\n")
    assert durations(tmp_path) == {"claims": 3.0, "regret": 3.0}


def hashes(site: Path) -> dict[str, str]:
    files = (path for path in sorted(site.rglob("*")) if path.is_file())
    return {str(path.relative_to(site)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_another_process_with_settings_of_a_user_makes_the_same_bytes(site, tmp_path):
    (tmp_path / "matplotlibrc").write_text(hostile.matplotlibrc())
    (tmp_path / "docutils.conf").write_text("[general]\nmath_output: LaTeX\nlanguage_code: de\n")
    settings = {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONHASHSEED": "7"}
    command = [sys.executable, str(Path(material.__file__)), str(tmp_path)]
    subprocess.run(command, cwd=tmp_path, env=os.environ | settings, check=True)
    assert hashes(tmp_path / "site") == hashes(site)


def test_the_story_has_the_numbers_of_the_tables(pages):
    text = " ".join(pages["index.html"].text.split())
    assert "Of 243 statements of the paper in the claims ledger 106 hold as printed" in text
    assert "Theorem 1 as printed: corrected (C156)." in text
    assert "the regret of REAL grows like T to the 0.500 (0.5), d to the 1.454 (1), K to the 0.514 (0.5)" in text
    over_rate = "the regret over R d √(K T / kappa_*) is 1.6 of RS-MNL, 11 of REAL, adaptive exploration, 16 of REAL,"
    assert f"After 10¹⁸ rounds on circle-K3 {over_rate}" in text
    assert "REAL overtakes uniform play after 1.1·10¹² rounds" in text
    assert "e+" not in text
    assert "With calibrated constants, after 10⁵ rounds, it has more regret than uniform play on 1 of 6 instances." in text


def test_a_story_without_tables_is_not_told():
    assert story({}) == {}
    kappa = pd.DataFrame({"instance": ["x"], "algorithm": ["uniform"], "mean": [1.0], "t": [10]})
    assert story({"final_regret": kappa}) == {}
    others = pd.DataFrame({"algorithm": ["oful-mlogb"], "quantity": ["T"], "slope": [0.5], "theorem": [0.5]})
    assert story({"exponents": others}) == {}
    columns = {"instance": "x", "algorithm": "real-paper", "preset": "paper", "t": 10.0, "over_rate": float("nan")}
    assert story({"horizon": pd.DataFrame([columns])}) == {}


def test_the_story_is_told_of_studies_of_their_kind():
    config = {"studies": {"horizon": {"kind": "regret"}, "regret": {"kind": "regret"}}}
    names = ("horizon", "final_regret", "final_horizon", "verdicts")
    assert [told(name, config) for name in names] == [False, True, False, True]


def test_chains_lead_to_the_ledger(pages):
    assert "ledger.html#C156" in pages["chains.html"].all("href")
    assert "1-C156" in pages["chains.html"].all("id")


def test_groups_of_a_drawing_become_links_and_nothing_else_changes():
    drawing = '<g id="axes_1"><g id="1-C001b"><g id="patch_1"/><g><path d=""/></g></g>\n<g id="text_2"></g></g>'
    linked = with_links(drawing)
    assert '<a href="ledger.html#C001b" aria-label="C001b"><g id="1-C001b"><g id="patch_1"/>' in linked
    assert linked.replace("</a>", "").replace('<a href="ledger.html#C001b" aria-label="C001b">', "") == drawing
