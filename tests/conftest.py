"""How tests are spread over workers: a file stays on one, so that its kernels are compiled and its fixtures made once.

Properties are tried at the same points in every run, and take the time that they take.
"""

import pytest
from hypothesis import settings

settings.register_profile("the same points", deadline=None, derandomize=True)
settings.load_profile("the same points")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
