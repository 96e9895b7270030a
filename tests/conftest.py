"""How tests are spread over workers: a file stays on one, so that its kernels are compiled and its fixtures made once.

So does the folder of what runs the workflow. The longest come first, if pytest is told to keep the order.

Properties are tried at the same points in every run, and take the time that they take. Kernels are compiled for the
processor that those of the workflow are compiled for, so once.
"""

import sys

import pytest
from hypothesis import settings

from mnlbandits.baseline import compile_for_all

compile_for_all()

from mnlbandits import compiled  # noqa: E402  numba reads it when it is imported

settings.register_profile("the same points", deadline=None, derandomize=True)
settings.load_profile("the same points")


LONGEST = ("workflow", "test_ledger")


def group(item):
    """What stays on one worker."""
    return "workflow" if item.path.parent.name == "workflow" else item.path.stem


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(group(item)))
    items.sort(key=lambda item: LONGEST.index(group(item)) if group(item) in LONGEST else len(LONGEST))


@pytest.fixture
def registry():
    """The registry of algorithms, which is put back as it was with all that was loaded for a test."""
    from mnlbandits.algorithms import BY_STATE, REGISTRY, registry  # not needed by most tests

    tables = (REGISTRY, BY_STATE, registry.LOADED)
    before, modules, path = [dict(table) for table in tables], set(sys.modules), list(sys.path)
    yield REGISTRY
    for table, content in zip(tables, before, strict=True):
        table.clear()
        table.update(content)
    for name in set(sys.modules) - modules:
        if "/pytest-of-" in (getattr(sys.modules[name], "__file__", None) or ""):
            del sys.modules[name]
    sys.path[:] = path


@pytest.fixture(autouse=True, scope="session")
def nothing_is_said_of_compiling():
    """A line on standard error that depends on what was compiled before, and how fast, is for users."""
    compiled.WATCH.told = True
