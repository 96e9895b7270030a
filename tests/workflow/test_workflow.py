"""The workflow as a user runs it."""

import os
import re
import shutil
import signal
import subprocess
import time

import pytest
import yaml
from tiny import ROOT, TINY, Workflow

pytestmark = pytest.mark.workflow

FIGURES = ("regret", "diameter", "coverage", "kappa", "kappa_star", "comparison", "comparison_coverage", "frameworks")
TABLES = ("final_regret", "coverage", "diameter_at_tau", "kappa", "kappa_star", "final_comparison", "comparison_coverage")


def test_a_clean_checkout_plans_jobs(tmp_path):
    assert "rule run_algorithm" in Workflow(tmp_path).run("--dry-run", "--cores", "1")


def test_everything_promised_is_there(finished):
    made = set(finished.hashes())
    for figure in FIGURES:
        assert {f"figures/{figure}.pdf", f"figures/{figure}.png"} <= made
    for table in TABLES:
        assert {f"results/tables/{table}.csv", f"results/tables/{table}.tex"} <= made


def test_a_second_run_does_nothing(finished):
    assert "Nothing to be done" in finished.run("--cores", "1")


def test_same_bytes_on_eight_cores_in_batches_of_one(finished, tmp_path):
    parallel = Workflow(tmp_path, batch=1)
    parallel.run("--cores", "8")
    assert parallel.hashes() == finished.hashes()


TARGETS = [
    "results/tables/final_regret.csv",
    "results/tables/coverage.csv",
    "results/tables/kappa.csv",
    "figures/regret.pdf",
]
"""Enough of the tiny study for the two tests that need more than one run of it."""


def test_same_bytes_after_a_kill_and_a_resume(finished, tmp_path):
    killed = Workflow(tmp_path)
    process = subprocess.Popen(
        killed.command("--cores", "2", *TARGETS),
        env=killed.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 300
    while len(list(tmp_path.glob("work/regret/**/*.parquet"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert 0 < len(killed.hashes()) < len(finished.hashes()), "the kill came too early or too late to mean anything"
    killed.run("--unlock")
    killed.run("--cores", "2", "--rerun-incomplete", *TARGETS)
    hashes, expected = killed.hashes(), finished.hashes()
    assert set(TARGETS) <= set(hashes)
    assert hashes == {name: expected[name] for name in hashes}


def test_an_edit_reruns_what_depends_on_it_and_only_that(tmp_path):
    checkout = tmp_path / "checkout"
    for folder in ("workflow", "src", "config", "notebooks", "reference"):
        shutil.copytree(ROOT / folder, checkout / folder)
    for name in ("Snakefile", "environment.yml"):
        shutil.copy(ROOT / name, checkout)
    (tmp_path / "run").mkdir()
    workflow = Workflow(tmp_path / "run", root=checkout)
    workflow.run("--cores", "2", *TARGETS)
    with (checkout / "src/mnlbandits/algorithms/oful_mlogb.py").open("a") as kernel:
        kernel.write("\n# edited\n")
    plan = workflow.run("--dry-run", "--cores", "1", *TARGETS)
    rerun = set(re.findall(r"^(?:local)?rule (\w+):", plan, re.MULTILINE))
    assert {"compile_kernels", "run_algorithm", "collect_runs"} <= rerun
    assert not {"generate_instance", "verify_kappa", "verify_diameter", "execute_notebook"} & rerun
    labels = set(re.findall(r"label=([\w-]+)", plan))
    assert labels == {"oful-mlogb-paper", "oful-mlogb-valid"}


def test_lint_is_clean():
    done = subprocess.run(
        ["snakemake", "--lint", "--snakefile", str(ROOT / "Snakefile")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_bad_config_gets_one_clear_error_and_leaves_nothing(tmp_path):
    workflow = Workflow(tmp_path)
    config = yaml.safe_load(workflow.config.read_text())
    config["studies"]["regret"]["horizon"] = 0
    workflow.config.write_text(yaml.safe_dump(config))
    done = subprocess.run(
        workflow.command("--cores", "1"), env=workflow.environment(), capture_output=True, text=True, check=False
    )
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert "config: studies.regret.horizon: got 0, must be >= 1" in output
    assert "Traceback" not in output
    assert not (tmp_path / "results").exists()
    assert not (tmp_path / "work").exists()


def test_tiny_study_is_the_full_one_in_small():
    full = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    assert set(TINY["studies"]) == set(full["studies"])


def test_an_algorithm_less_changes_no_other_number(finished, tmp_path):
    """Per file and by bytes: what each algorithm did does not depend on which others were there."""
    fewer = Workflow(tmp_path)
    config = yaml.safe_load(fewer.config.read_text())
    config["studies"]["comparison"]["algorithms"].remove("uniform")
    fewer.config.write_text(yaml.safe_dump(config))
    fewer.run("--cores", "2", "results/runs/comparison.regret.parquet")
    files = {path.relative_to(tmp_path) for path in tmp_path.glob("work/comparison/**/*.parquet")}
    assert len(files) == 10
    assert not any("uniform" in str(path) for path in files)
    for path in files:
        assert (tmp_path / path).read_bytes() == (finished.folder / path).read_bytes()
