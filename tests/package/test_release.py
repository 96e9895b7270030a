"""What a release carries: one version, and a source distribution with all that the README needs."""

import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import yaml

import mnlbandits

ROOT = Path(__file__).parents[2]


def tracked():
    """The files of the checkout, or of a source distribution that it was unpacked from."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return set(listed.split())


def test_there_is_one_version():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == mnlbandits.__version__
    assert json.loads((ROOT / ".zenodo.json").read_text())["version"] == mnlbandits.__version__
    assert re.search(r"^## ([0-9.]+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == mnlbandits.__version__


def test_the_source_distribution_is_the_checkout(tmp_path):
    """No file is missing, and none is there that is made by a run."""
    checkout, built = tmp_path / "checkout", tmp_path / "built"
    for name in tracked():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, checkout / name)
    for made in ("figures/full/kappa.pdf", "docs/_build/html/index.html", "results/full/tables/kappa.csv"):
        (checkout / made).parent.mkdir(parents=True, exist_ok=True)
        (checkout / made).write_text("made")
    built.mkdir()
    code = f"from setuptools import build_meta; print(build_meta.build_sdist({str(built)!r}))"
    subprocess.run([sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, check=True)
    (archive,) = built.glob("*.tar.gz")
    assert archive.name == f"mnlbandits-{mnlbandits.__version__}.tar.gz"
    with tarfile.open(archive) as files:
        names = {name.split("/", 1)[1] for name in files.getnames() if "/" in name and not files.getmember(name).isdir()}
    own = {name for name in names if name in ("PKG-INFO", "setup.cfg") or ".egg-info/" in name}
    assert names - own == tracked()
