"""The profiles for clusters and for object stores, on this machine: the bytes are those of a local run."""

import os
import signal
import socket
import subprocess
import sys
from importlib.util import find_spec

import pytest
import slurm
from kills import kill, start
from slurm import Slurm, said, wait_for
from tiny import ROOT, Workflow

pytestmark = pytest.mark.workflow

TARGETS = [
    "results/tiny/instances/large-kappa-star-S1.json",
    "results/tiny/tables/changing.csv",
    "results/tiny/tables/kappa.csv",
    "results/tiny/tables/kappa.tex",
]
"""Few jobs, as each takes seconds to start: two instances, which are ready together, kernels, runs, tables."""


def needs(module, extra):
    """A mark that skips a test without a plugin."""
    return pytest.mark.skipif(not find_spec(module), reason=f"no {module} here: pip install mnlbandits[{extra}]")


def assert_same(workflow, finished, targets=TARGETS):
    """All targets are made, and what is made has the bytes of a local run."""
    made = workflow.hashes()
    assert set(targets) <= set(made)
    assert made.items() <= finished.hashes().items()


@needs("snakemake_executor_plugin_slurm", "slurm")
@pytest.mark.skipif(bool(slurm.missing()), reason=slurm.missing())
def test_slurm_gives_the_same_bytes_whatever_is_killed(finished, tmp_path):
    """A job, the node's daemon, the workflow itself, which is resumed, and before that the controller."""
    study = Workflow(tmp_path)
    with Slurm(tmp_path / "slurm") as box:
        run = start(study, *slurm.PROFILE, "--", *TARGETS)

        def tasks():
            assert run.poll() is None, "the run ended before it was killed"
            return box.jobs()

        def of_an_array():
            return [task for task in tasks() if "_" in task]

        wait_for("a task of an array of jobs", of_an_array, 300)
        said("scancel", of_an_array()[0])
        box.restart("slurmd")
        wait_for("a job", tasks, 300)
        kill(run)
        box.restart("slurmctld")
        study.run("--unlock")
        study.run(*slurm.PROFILE, "--", *TARGETS)
    assert_same(study, finished)


GENERIC = ["--workflow-profile", str(ROOT / "profiles/generic"), "--jobs", "2", "--seconds-between-status-checks", "1"]


@needs("snakemake_executor_plugin_cluster_generic", "generic")
def test_a_job_is_a_process_with_a_home_folder_and_an_environment_of_its_own(finished, tmp_path):
    study = Workflow(tmp_path)
    study.run(*GENERIC, "--", *TARGETS)
    jobs = list(tmp_path.glob("logs/generic/*"))
    assert {(job / "code").read_text() for job in jobs} == {"0\n"}
    assert any("1x500MB" in job.name for job in jobs)
    assert_same(study, finished)


@needs("snakemake_executor_plugin_cluster_generic", "generic")
def test_a_job_that_was_killed_is_tried_again_with_twice_the_memory(finished, tmp_path):
    study = Workflow(tmp_path)
    run = start(study, *GENERIC, "--", "results/tiny/tables/kappa.csv")

    def processes():
        return [int(text) for path in tmp_path.glob("logs/generic/1x500MB.*/process") if (text := path.read_text())]

    wait_for("a job", processes, 300)
    os.killpg(processes()[0], signal.SIGKILL)
    assert run.wait(900) == 0
    assert [path.parent.name.split(".")[0] for path in tmp_path.glob("logs/generic/*/code")] == ["1x1000MB"]
    assert_same(study, finished, ["results/tiny/tables/kappa.csv"])


@pytest.fixture
def bucket(monkeypatch):
    """An empty bucket of an object store on loopback, which the environment names."""
    import boto3

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"

    def answers():
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_for("the object store", answers)
        access = {"aws_access_key_id": "any", "aws_secret_access_key": "any", "region_name": "us-east-1"}
        made = boto3.resource("s3", endpoint_url=url, **access).create_bucket(Bucket="bandits")
        monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_ENDPOINT_URL", url)
        monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_ACCESS_KEY", "any")
        monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_SECRET_KEY", "any")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        yield made
    finally:
        server.terminate()
        server.wait()


STORED = ["--workflow-profile", str(ROOT / "profiles/objects"), "--default-storage-prefix", "s3://bandits/study"]


@needs("snakemake_storage_plugin_s3", "objects")
@needs("moto", "store")
def test_nothing_but_objects_lies_between_jobs(finished, tmp_path, bucket):
    study = Workflow(tmp_path)
    study.run("--profile", *GENERIC[1:], *STORED, "--", *TARGETS)
    assert not list(tmp_path.glob("results/**/*.csv"))
    for each in bucket.objects.all():
        file = tmp_path / each.key.removeprefix("study/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(each.get()["Body"].read())
    assert_same(study, finished)


@needs("snakemake_storage_plugin_s3", "objects")
@needs("moto", "store")
@pytest.mark.parametrize("name", ["kubernetes", "aws-batch"])
def test_the_untested_profiles_plan(tmp_path, monkeypatch, bucket, name):
    if not find_spec(f"snakemake_executor_plugin_{name.replace('-', '_')}"):
        pytest.skip(f"no plugin for {name} here: pip install mnlbandits[{name}]")
    for variable in ("AWS_BATCH_JOB_QUEUE", "AWS_BATCH_JOB_ROLE"):
        monkeypatch.setenv(f"SNAKEMAKE_{variable}", "any")
    prefix = ["--default-storage-prefix", "s3://bandits/study"]
    plan = Workflow(tmp_path).run("--workflow-profile", str(ROOT / "profiles" / name), *prefix, "--dry-run")
    assert "rule run_algorithm" in plan


def test_longer_jobs_have_the_same_bytes(finished, tmp_path):
    """In the same place, so with no name of its own."""
    study, target = Workflow(tmp_path, batch=1), "results/tiny/tables/coverage.csv"
    study.run("--cores", "2", "--configfile", str(study.config), str(ROOT / "config/cluster.yaml"), "--", target)
    assert {path.name for path in tmp_path.glob("work/tiny/coverage/**/*.parquet")} == {"0.regret.parquet", "0.sets.parquet"}
    assert_same(study, finished, [target])
