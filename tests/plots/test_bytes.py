"""A figure has the same bytes each time: drawn twice, by a process with another hash seed, under a user's settings."""

import hashlib
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import hostile
import pytest
import tables

from mnlbandits.plots.style import save


def render(folder, names=tuple(tables.TABLES)):
    """SHA-256 of the PDF and the PNG of the figures."""
    digests = []
    for name in names:
        pdf, png = Path(folder, f"{name}.pdf"), Path(folder, f"{name}.png")
        save(import_module(f"mnlbandits.plots.{name}").draw(tables.TABLES[name](1)), pdf, png)
        digests += [f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in (pdf, png)]
    return digests


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    return render(tmp_path_factory.mktemp("first"))


def test_drawing_again_gives_the_same_bytes(first, tmp_path):
    assert set(render(tmp_path, ["regret", "kappa"])) < set(first)
    assert (tmp_path / "kappa.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "kappa.png").read_bytes().startswith(b"\x89PNG")


def rendered_elsewhere(folder, before, **variables):
    """What another process renders after some code, with other variables and `folder` as its working folder."""
    code = f"import sys\n{before}\nimport test_bytes\nprint(*test_bytes.render(sys.argv[1]), sep='\\n')"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)} | variables
    command = [sys.executable, "-c", code, str(folder)]
    printed = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=True).stdout
    return printed.splitlines()


def test_another_process_gives_the_same_bytes(first, tmp_path):
    assert rendered_elsewhere(tmp_path, "", PYTHONHASHSEED="7") == first


def test_what_a_user_set_changes_no_byte(first, tmp_path):
    (tmp_path / "matplotlibrc").write_text(hostile.matplotlibrc())
    theme = "import seaborn\nseaborn.set_theme(context='poster', style='darkgrid', palette='Set2')"
    variables = {"MPLBACKEND": "svg", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0", "OMP_NUM_THREADS": "3"}
    assert rendered_elsewhere(tmp_path, theme, **variables) == first


def test_saving_a_figure_that_cannot_be_drawn_leaves_nothing(tmp_path):
    figure = import_module("mnlbandits.plots.kappa").draw(tables.kappa(1))
    figure.axes[0].set_title("$\\nosuchcommand$")
    with pytest.raises(ValueError, match="nosuchcommand"):
        save(figure, tmp_path / "a.pdf", tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []
