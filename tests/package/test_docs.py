"""The documentation: it builds without a warning, and what it tells a reader to run does run."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from mnlbandits.versions import pinned

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def save_algorithms(page: Path, folder: Path) -> None:
    """The files of the page about algorithms, as it says they are called."""
    for block in blocks(page, "python") if page.stem == "algorithms" else ():
        for name in ("greedy", "epsilon-greedy"):
            if f'name="{name}"' in block:
                (folder / f"{name.split('-')[0]}.py").write_text(block)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.stem)
def test_python_runs(page, tmp_path, monkeypatch, registry):
    """All of a page, one block after the other; what it loads is forgotten."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    save_algorithms(page, tmp_path)
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "bash")], ids=lambda page: page.stem)
def test_commands_run(page, tmp_path):
    save_algorithms(page, tmp_path)
    script = "set -e\n" + "".join(blocks(page, "bash")).replace("mnlbandits ", f"{sys.executable} -m mnlbandits ")
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_site_builds_and_leads_nowhere_else(tmp_path):
    """Without a warning, so without a broken link; it loads nothing from the network."""
    pytest.importorskip("sphinx")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert {"tutorial.html", "api.html", "commands.html"} <= {page.name for page in pages}
    for page in pages:
        assert not re.findall(r'(?:src|<link[^>]* href)="(?:https?:)?//', page.read_text(encoding="utf-8"))


def test_every_pinned_package_has_its_licence_listed():
    page = runpy.run_path(str(DOCS / "conf.py"))["licences_page"]()
    listed = dict(re.findall(r"^\| ([a-z0-9-]+) \| \d\S* \| (.+) \|$", page, re.MULTILINE))
    assert set(listed) == set(pinned(DOCS.parent / "requirements.lock"))
    assert "" not in listed.values()
    assert listed["rocrate"] == "Apache-2.0"


def test_every_test_that_a_promise_names_exists():
    named = set(re.findall(r"`(test_\w+)`", (DOCS / "reference/promises.md").read_text()))
    defined = {
        name for path in DOCS.parent.glob("tests/**/test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text())
    }
    assert len(named) > 5
    assert named <= defined
