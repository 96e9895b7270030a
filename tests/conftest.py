"""How tests are spread over workers: a file stays on one, so that its kernels are compiled and its fixtures made once.

Properties are tried at the same points in every run, and take the time that they take.
"""

import pytest
from hypothesis import settings

from mnlbandits import compiled

settings.register_profile("the same points", deadline=None, derandomize=True)
settings.load_profile("the same points")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(autouse=True, scope="session")
def nothing_is_said_of_compiling():
    """A line on standard error that depends on what was compiled before, and how fast, is for users."""
    compiled.WATCH.told = True
