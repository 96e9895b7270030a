"""The pictures of the README show the tables of the full reference."""

import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

ROOT = Path(__file__).parents[2]

BLUR = 2e-3
"""Mean difference of a channel, of 1, that letters and lines may have on another processor."""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """The pictures, drawn again."""
    folder = tmp_path_factory.mktemp("pictures")
    shutil.copytree(ROOT / "reference", folder / "reference")
    (folder / "docs/pictures").mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        runpy.run_path(str(ROOT / "workflow/scripts/draw_pictures.py"))
    return folder / "docs/pictures"


@pytest.mark.parametrize("name", ["horizon", "chains"])
def test_a_picture_is_of_the_reference(drawn, name):
    new, committed = (imread(folder / f"{name}.png") for folder in (drawn, ROOT / "docs/pictures"))
    assert f"docs/pictures/{name}.png" in (ROOT / "README.md").read_text()
    assert new.shape == committed.shape, "make pictures"
    assert np.abs(new - committed).mean() <= BLUR, "make pictures"
