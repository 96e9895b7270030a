"""The pages in a browser: filters, search, deep links and sorting do what they say, and no script fails."""

import re
import subprocess
from importlib.resources import files
from pathlib import Path
from shutil import which

import pytest

CHROMIUM = which("chromium") or which("chromium-browser")

AXE = Path(str(files("axe_core_python") / "axe.min.js"))

PAGES = ("index.html", "figures.html", "ledger.html", "errata.html", "chains.html", "timings/table1.html")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

REPORT = """
<script>
window.addEventListener("error", (event) => document.body.setAttribute("data-failed", event.message));
window.addEventListener("load", async () => {
  STEPS
  document.body.setAttribute("data-seen", JSON.stringify(seen));
});
</script>
"""


def seen(site: Path, tmp_path: Path, page: str, steps: str, fragment: str = "") -> str:
    """The JSON of what `steps`, which assign to `seen`, find in a page; fails if any script does."""
    copied = site / f"{page.removesuffix('.html')}-{tmp_path.name}.html"
    text = (site / page).read_text(encoding="utf-8").replace("</head>", REPORT.replace("STEPS", steps) + "</head>")
    copied.write_text(text, encoding="utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}", "--dump-dom"]
    command += ["--virtual-time-budget=100000"]  # scripts that wait come to their end
    try:
        dom = subprocess.run(
            [*command, f"{copied.as_uri()}{fragment}"], capture_output=True, text=True, timeout=300, check=True
        ).stdout
    finally:
        copied.unlink()
    assert 'data-failed="' not in dom.split("<main", 1)[0]
    return re.search(r'data-seen="([^"]*)"', dom)[1].replace("&quot;", '"')


SHOWN = "const shown = () => [...document.querySelectorAll('article.claim:not([hidden])')];"


def test_filters_and_search_narrow_the_ledger(site, tmp_path):
    steps = (
        SHOWN
        + """
  const box = (id, value) => {
    const field = document.getElementById(id);
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    return shown();
  };
  const seen = [box("filter-verdict", "refuted").map((claim) => claim.id)];
  seen.push(box("filter-text", "no such words").length);
  box("filter-text", "");
  seen.push(box("filter-verdict", "").length === document.querySelectorAll("article.claim").length);
  seen.push(box("filter-text", "preccurlyeq C151").map((claim) => claim.id));
"""
    )
    assert seen(site, tmp_path, "ledger.html", steps) == '[["C151","C152b"],0,true,["C151"]]'


def test_a_deep_link_opens_its_claim(site, tmp_path):
    steps = """
  const claim = document.querySelector(":target");
  const seen = [claim.id, [...claim.querySelectorAll("details")].every((each) => each.open), scrollY > 1000];
"""
    assert seen(site, tmp_path, "ledger.html", steps, "#C080") == '["C080",true,true]'


def test_a_head_sorts_by_its_column(site, tmp_path):
    steps = """
  const heads = [...document.querySelectorAll("th")];
  const place = heads.findIndex((head) => head.textContent === "microseconds at t = 100");
  const values = () => [...document.querySelectorAll("tbody tr")].map((row) => row.cells[place].dataset.value);
  const seen = [];
  for (const _ of [1, 2]) { heads[place].firstChild.click(); seen.push(values().slice(0, 3)); }
  seen.push(heads[place].getAttribute("aria-sort"));
"""
    assert seen(site, tmp_path, "timings/table1.html", steps) == '[["2.0","10.0",""],["10.0","2.0",""],"descending"]'


@pytest.mark.parametrize("page", PAGES)
def test_no_page_is_wider_than_a_phone(site, tmp_path, page):
    steps = """
  document.documentElement.style.width = "390px";
  document.body.style.width = "390px";
  const wide = [...document.querySelectorAll("main > *, nav, footer")].filter((each) => each.scrollWidth > 391);
  const seen = wide.map((each) => each.outerHTML.slice(0, 80)).filter((html) => !html.includes('class="wide'));
"""
    assert seen(site, tmp_path, page, steps) == "[]"


@pytest.mark.parametrize("page", PAGES)
def test_a_checker_of_accessibility_finds_nothing(site, tmp_path, page):
    steps = f"""
  for (const details of document.querySelectorAll("details")) details.open = true;
  await new Promise((done) => setTimeout(done, 100));
  await new Promise((done) => {{
    const checker = Object.assign(document.createElement("script"), {{ src: "{AXE.as_uri()}", onload: done }});
    document.head.append(checker);
  }});
  const found = await axe.run(document, {{ resultTypes: ["violations"] }});
  const seen = found.violations.map((each) => `${{each.impact}} ${{each.id}}: ${{each.nodes[0].html}}`);
"""
    assert seen(site, tmp_path, page, steps) == "[]"
