"""Every command that the README shows, as a newcomer runs it: in a checkout whose studies are tiny."""

import html
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from tiny import ROOT, Newcomer, hashes

pytestmark = pytest.mark.workflow

README = (ROOT / "README.md").read_text()
NOTHING = "Nothing to be done"


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in a language."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [text for name, text in found if name == language]


def shown() -> list[str]:
    """The commands in the fenced blocks of the README that are of no other language, without their comments."""
    lines = "".join(blocks("")).replace("\\\n", " ").splitlines()
    return list(dict.fromkeys(" ".join(line.split(" # ")[0].split()) for line in lines))


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory):
    """One whose `make reproduce` was killed half-way."""
    someone = Newcomer(tmp_path_factory.mktemp("newcomer"))
    process = subprocess.Popen(
        ["make", "reproduce"],
        cwd=someone.folder,
        env=someone.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 600
    while len(list(someone.folder.glob("work/full/regret/**/*.parquet"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return someone


@pytest.fixture(scope="module")
def reproduced(newcomer):
    """The newcomer, who unlocked the folder and ran the same command again."""
    newcomer.found = hashes(newcomer.folder, "full")
    newcomer.refused = newcomer.run("make reproduce", check=False)
    newcomer.run("make unlock")
    newcomer.run("make reproduce")
    return newcomer


@pytest.fixture(scope="module")
def in_small(reproduced):
    """The newcomer, who has run the smoke study as well."""
    reproduced.full = hashes(reproduced.folder, "full")
    reproduced.run("snakemake --cores 8 --configfile config/smoke.yaml")
    return reproduced


def test_a_killed_run_goes_on_to_the_bytes_of_an_undisturbed_one(reproduced, finished):
    made = {name.replace("/full/", "/tiny/"): digest for name, digest in hashes(reproduced.folder, "full").items()}
    assert 0 < len(reproduced.found) < len(made), "the kill came too early or too late to mean anything"
    assert "unlock" in reproduced.refused
    site = "results/tiny/site/"  # whose pages name the study
    assert {name: digest for name, digest in made.items() if not name.startswith(site)} == {
        name: digest for name, digest in finished.hashes().items() if not name.startswith(site)
    }
    assert NOTHING in reproduced.run("snakemake --cores 8")


def test_the_smoke_study_leaves_the_full_one(in_small):
    assert hashes(in_small.folder, "full") == in_small.full
    assert "figures/smoke/kappa.pdf" in hashes(in_small.folder, "smoke")
    assert NOTHING in in_small.run("make reproduce")
    assert NOTHING in in_small.run("make smoke")


def test_one_figure(in_small):
    for name, command in (
        ("full", "snakemake --cores 8 -- figures/full/kappa.pdf"),
        ("smoke", "snakemake --cores 8 --configfile config/smoke.yaml -- figures/smoke/kappa.pdf"),
    ):
        figure = in_small.folder / f"figures/{name}/kappa.pdf"
        before = figure.read_bytes()
        figure.unlink()
        assert set(re.findall(r"^(?:local)?rule (\w+):", in_small.run(command), re.MULTILINE)) == {"render_figure"}
        assert figure.read_bytes() == before


def test_the_check(in_small):
    """Against its own tables: the reference is that of the real smoke study."""
    reference = in_small.folder / "reference/smoke"
    shutil.rmtree(reference)
    shutil.copytree(in_small.folder / "results/smoke/tables", reference)
    tables = [table for table in reference.iterdir() if table.suffix in {".csv", ".parquet"}]
    for command in (
        "snakemake check --cores 8 --configfile config/smoke.yaml",
        "snakemake compare --cores 8 --configfile config/smoke.yaml",
    ):
        printed = in_small.run(command)
        assert printed.count("identical bytes") == len(tables)
        assert "FAIL" not in printed
    table = reference / "kappa.csv"
    table.write_text(table.read_text().replace("holds", "fails"))
    printed = in_small.run("snakemake compare --cores 8 --configfile config/smoke.yaml", check=False)
    assert "FAIL  kappa.csv: " in printed
    assert "snakemake update_reference" in printed
    outcomes = json.loads((in_small.folder / "logs/smoke/compare.json").read_text())
    assert [outcome["table"] for outcome in outcomes if not outcome["passed"]] == ["kappa.csv"]


def test_the_report_shows_every_figure_with_its_caption(reproduced):
    reproduced.run("snakemake --cores 8 --report report.html")
    page = html.unescape((reproduced.folder / "report.html").read_text())
    for figure in (reproduced.folder / "figures/full").glob("*.png"):
        first = (ROOT / f"workflow/report/{figure.stem}.rst").read_text().split(".")[0]
        words = re.findall(r"[A-Za-z]{3,}", first)[:6]
        assert re.search(r"[^A-Za-z]+(?:[A-Za-z]{1,2}[^A-Za-z]+)*".join(words), page), figure.stem


def test_make_test(newcomer):
    printed = newcomer.run("make test", PYTEST_ADDOPTS="tests/package/test_statistics.py")
    assert re.search(r"\d+ passed", printed)


@pytest.mark.parametrize("command", [command for command in shown() if command.startswith("mnlbandits ")])
def test_the_command_line(newcomer, command, tmp_path):
    out = newcomer.folder / "runs.parquet"
    (newcomer.folder / "greedy.py").write_text(blocks("python")[0])
    assert newcomer.run(command)
    assert out.exists() == ("--out " in command)
    out.unlink(missing_ok=True)


ELSEWHERE = {
    "conda env create --file environment.yml": "tests/package/test_versions.py, as far as it can be had here",
    **dict.fromkeys(["make reproduce", "make unlock", "snakemake --cores 8"], "a killed run"),
    "snakemake --cores 8 --configfile config/smoke.yaml": "in_small",
}


def test_every_command_is_run_here():
    source = (ROOT / "tests/workflow/test_readme.py").read_text()
    for command in shown():
        assert command in ELSEWHERE or command.startswith("mnlbandits ") or f'"{command}"' in source, command
    assert set(ELSEWHERE) <= set(shown())


def test_a_path_with_a_space_works_with_the_environment_elsewhere_and_says_so(newcomer, tmp_path):
    folder = tmp_path / "a b"
    newcomer.folder.rename(folder)
    try:
        spaced = Newcomer.__new__(Newcomer)
        spaced.folder, spaced.venv = folder, newcomer.venv
        refused = spaced.run("make reproduce", check=False, VENV=".venv")
        assert "make reproduce VENV=/path/without/spaces" in refused
        assert len(refused.strip().splitlines()) == 1
        spaced.run("make -n reproduce")
        spaced.run("snakemake --cores 1 --forcerun verify_kappa -- results/full/tables/kappa.csv")
    finally:
        folder.rename(newcomer.folder)
