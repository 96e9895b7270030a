import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import material


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of a small site."""
    return material.build(tmp_path_factory.mktemp("material"))
