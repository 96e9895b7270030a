"""`mnlbandits plan`."""

import json
import re
from pathlib import Path

import pytest

from mnlbandits.cli import main
from mnlbandits.config import whole_config
from mnlbandits.planning.jobs import jobs_of


def test_a_plan_is_printed(capsys):
    assert main(["plan", "--config", "config/smoke.yaml"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "jobs",
        str(sum(jobs.count for jobs in jobs_of(whole_config(["config/smoke.yaml"])).values())),
    ]
    assert [line.split()[0] for line in lines if line.startswith(("core-hours  ", "memory", "disk"))] == [
        *("core-hours", "memory", "disk", "core-hours")
    ]
    assert [line.split()[0] for line in lines if " to " in line] == ["1", "16", "256", "4,096"]


def test_the_same_as_json_and_another_profile_takes_longer(capsys):
    plans = []
    for profile in ("local", "slurm"):
        assert main(["plan", "--config", "config/smoke.yaml", "--profile", profile, "--json"]) == 0
        plans.append(json.loads(capsys.readouterr().out))
    local, slurm = plans
    assert local["name"] == "smoke"
    assert local["rounds"] == slurm["rounds"] > 1e5
    assert sum(rule["jobs"] for rule in local["rules"]) == local["jobs"]
    for one, other in zip(local["walls"], slurm["walls"], strict=True):
        assert one["cores"] == other["cores"]
        assert one["least"] <= one["most"]
        assert one["most"] < other["most"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: mine\nseed: x\n", "seed: got 'x', must be"),
        ("seed: 3\n", "name: got 'full', must be a name of its own"),
        ("name: mine\nrun: [nothing]\n", "run: got 'nothing', must be one of"),
    ],
)
def test_a_bad_config_is_one_line(capsys, tmp_path, text, words):
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    assert main(["plan", "--config", str(file)]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_missing_file_and_an_unknown_profile_are_named(capsys, tmp_path):
    assert main(["plan", "--config", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err
    assert main(["plan", "--profile", "moon"]) == 2
    assert "profile: got 'moon', must be one of" in capsys.readouterr().err


@pytest.mark.parametrize(("plan", "options"), [("full", []), ("paper", ["--config", "paper.yaml", "--profile", "slurm"])])
def test_the_plans_of_the_page_are_those_of_the_command(capsys, tmp_path, monkeypatch, plan, options):
    """`make costs` writes them, as for a machine with LaTeX."""
    monkeypatch.setattr("mnlbandits.planning.jobs.which", lambda name: name)
    page = Path("docs/howto/plan.md").resolve()
    monkeypatch.chdir(tmp_path)
    exec(re.search(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1])
    assert main(["plan", *options]) == 0
    assert capsys.readouterr().out == page.with_name(f"plan-{plan}.txt").read_text(encoding="utf-8")
