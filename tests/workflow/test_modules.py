"""A study that plays an algorithm of a file beside its config."""

import re

import pandas as pd
import pytest
import yaml
from test_workflow import rules
from tiny import Workflow

pytestmark = pytest.mark.workflow

MINE = '''
"""Every arm in turn, or one."""

from typing import NamedTuple

import numpy as np
from helper import shifted

from mnlbandits.algorithms.base import Algorithm, Option


class MineState(NamedTuple):
    arms: np.ndarray
    stays: bool


def start(problem, preset, stays):
    return MineState(problem.arms, stays)


def choose(state, t):
    return 0 if state.stays else shifted(t, len(state.arms))


def update(state, t, arm, outcome):
    pass


STAYS = Option("stays", "whether it plays the first arm only", default=False)
ALGORITHM = Algorithm("mine", "Mine", "a test", MineState, ("none",), start, choose, update, options=(STAYS,))
'''


@pytest.fixture
def workflow(tmp_path):
    """A study of two labels of the file and uniform play, whose config lies beside the file."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "run").mkdir()
    workflow = Workflow(tmp_path / "run")
    config = yaml.safe_load(workflow.config.read_text())
    config["modules"] = ["mine.py"]
    config["algorithms"]["mine"] = {"algorithm": "mine", "preset": "none"}
    config["algorithms"]["mine-stays"] = {"algorithm": "mine", "preset": "none", "stays": True}
    config["run"] = ["small"]
    config["studies"]["small"] = {
        "kind": "regret",
        "horizon": 64,
        "runs": 2,
        "instances": ["large-kappa-star-S1"],
        "algorithms": ["uniform", "mine", "mine-stays"],
    }
    workflow.config = tmp_path / "mine" / "mine.yaml"
    workflow.config.write_text(yaml.safe_dump(config))
    (tmp_path / "mine" / "mine.py").write_text(MINE)
    (tmp_path / "mine" / "helper.py").write_text("def shifted(t, count):\n    return (t - 1) % count\n")
    return workflow


def labels(plan):
    return set(re.findall(r"label=([\w-]+)", plan))


def test_it_is_played_and_an_edit_of_it_reruns_what_plays_it(workflow):
    workflow.run("--cores", "2")
    final = pd.read_csv(workflow.folder / "results/tiny/tables/final_small.csv").set_index("algorithm")["mean"]
    assert final["mine"] == final["uniform"], "both play every arm in turn"
    assert final["mine-stays"] != final["mine"]
    assert {path.name for path in workflow.folder.glob("*/tiny/*.pdf")} == {"small.pdf", "small_profile.pdf"}
    assert "Nothing to be done" in workflow.run("--cores", "2")
    for name in ("helper.py", "mine.py"):
        file = workflow.config.parent / name
        before = file.read_text()
        file.write_text(before + "\n# edited\n")
        plan = workflow.run("--dry-run", "--cores", "1")
        assert labels(plan) == {"mine", "mine-stays"}
        assert {"run_algorithm", "collect_runs", "render_figure"} <= rules(plan)
        file.write_text(before)
    assert "Nothing to be done" in workflow.run("--cores", "2")


def test_a_broken_file_or_option_is_one_line_before_anything_runs(workflow):
    file = workflow.config.parent / "mine.py"
    file.write_text(MINE.replace("np.ndarray", "np.array_of", 1))
    printed = workflow.run("--dry-run", "--cores", "1", check=False)
    line = MINE[: MINE.index("np.ndarray")].count("\n") + 1
    assert f"config: modules: {file}: got AttributeError in line {line}: module 'numpy' has no attribute" in printed
    file.write_text(MINE)
    workflow.config.write_text(workflow.config.read_text().replace("stays: true", "stays: maybe"))
    printed = workflow.run("--dry-run", "--cores", "1", check=False)
    assert "config: algorithms.mine-stays.stays: got 'maybe', must be true or false" in printed
    assert not list(workflow.folder.glob("*/*"))
