"""The finished tiny study."""

import pytest
from tiny import Workflow


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The tiny study, run to the end on one core."""
    workflow = Workflow(tmp_path_factory.mktemp("one_core"))
    workflow.run("--cores", "1")
    return workflow
