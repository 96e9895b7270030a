"""The libraries behind a job, in the versions of the lock file."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mnlbandits.versions import digest_of, libraries_behind, pinned

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements.lock"


def test_libraries_are_found_with_what_they_require():
    kernels = libraries_behind("mnlbandits.algorithms.real")
    assert {"numba", "llvmlite", "numpy", "scipy"} <= set(kernels)
    assert not {"matplotlib", "seaborn", "snakemake", "nbconvert"} & set(kernels)
    assert {"matplotlib", "seaborn", "pillow"} <= set(libraries_behind("mnlbandits.plots.regret"))
    assert {"pandas", "pyarrow"} <= set(libraries_behind("mnlbandits.results"))
    assert "nbconvert" in libraries_behind("mnlbandits.notebooks")


@pytest.mark.parametrize(
    ("library", "changed", "unchanged"),
    [
        ("numpy", ["simulators.runs", "plots.regret", "notebooks"], []),
        ("numba", ["simulators.runs", "plots.regret"], ["results"]),
        ("matplotlib", ["plots.regret"], ["simulators.runs", "results", "ledger.tables"]),
        ("nbconvert", ["notebooks"], ["simulators.runs", "plots.regret"]),
        ("ruff", [], ["simulators.runs", "plots.regret", "notebooks", "ledger.tables"]),
    ],
)
def test_another_pin_changes_what_it_may_change(library, changed, unchanged, tmp_path):
    edited = tmp_path / "requirements.lock"
    text, count = re.subn(rf"(?m)^{library}==[^ ]+", f"{library}==999", LOCK.read_text())
    assert count == 1
    edited.write_text(text)
    for module in changed:
        assert digest_of(module, lock=edited) != digest_of(module, lock=LOCK)
    for module in unchanged:
        assert digest_of(module, lock=edited) == digest_of(module, lock=LOCK)


def test_another_build_of_a_library_is_another_version(tmp_path):
    """A lock file's hashes say which files may be installed."""
    edited = tmp_path / "requirements.lock"
    edited.write_text(re.sub(r"(?m)(^numpy==[^ ]+ \\\n +--hash=sha256:)....", r"\g<1>0000", LOCK.read_text()))
    assert edited.read_text() != LOCK.read_text()
    assert digest_of("results", lock=edited) != digest_of("results", lock=LOCK)


def test_an_unknown_module_is_an_error():
    with pytest.raises(ModuleNotFoundError):
        digest_of("nowhere", lock=LOCK)


def test_constraints_are_the_lock_without_hashes():
    """Environments of conda are made from them: pip asks for hashes of all as soon as one has some, also of this folder."""
    pins = [pin.split(" ")[0] for pin in pinned(LOCK).values()]
    assert (ROOT / "constraints.txt").read_text().splitlines() == pins


@pytest.mark.workflow
def test_the_environment_file_is_one_that_conda_can_hand_to_pip(tmp_path):
    """conda writes the entries under `pip` to a file beside environment.yml, one a line, and makes this very call."""
    import yaml

    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    entries = next(each["pip"] for each in dependencies if isinstance(each, dict))
    file = ROOT / "condaenv.test.requirements.txt"
    file.write_text("\n".join(entries))
    try:
        command = [sys.executable, "-m", "pip", "install", "-U", "-r", str(file), "--exists-action=b"]
        done = subprocess.run([*command, "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False)
    finally:
        file.unlink()
    assert done.returncode == 0, done.stderr
    assert "mnlbandits" in done.stdout


def test_what_belongs_together_is_tested_by_one_worker(request):
    """pytest-xdist tells groups by the end of a test's name, which some versions of pytest do not let it change."""
    if request.config.getoption("loadgroup", default=False):
        assert request.node.nodeid.endswith("@test_versions")
