"""The profiles for clusters and for object stores, on this machine: the bytes are those of a local run."""

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

TARGETS = ["results/tiny/tables/coverage.csv", "results/tiny/tables/coverage.tex", "results/tiny/tables/kappa.csv"]
"""Few enough for jobs that take seconds to start: an instance, kernels, runs, tables."""

KEYS = ("aws_access_key_id", "aws_secret_access_key")


def needs(module, extra):
    """A mark that skips a test without a plugin."""
    return pytest.mark.skipif(not find_spec(module), reason=f"no {module} here: pip install mnlbandits[{extra}]")


needs_generic = needs("snakemake_executor_plugin_cluster_generic", "generic")


def same(workflow, finished):
    """Whether all targets are made, with the bytes of a local run."""
    made = workflow.hashes()
    return set(TARGETS) <= set(made) and made.items() <= finished.hashes().items()


@needs("snakemake_executor_plugin_slurm", "slurm")
@pytest.mark.skipif(bool(slurm.missing()), reason=slurm.missing())
def test_slurm_gives_the_same_bytes_whatever_is_killed(finished, tmp_path):
    """A job, the node's daemon, the controller, and the workflow itself, which is resumed."""
    study = Workflow(tmp_path)
    with Slurm(tmp_path / "slurm") as box:
        run = start(study, *slurm.PROFILE, "--", *TARGETS)
        wait_for("a job", box.jobs, 300)
        said("scancel", box.jobs()[0])
        box.restart("slurmd")
        wait_for("a job", box.jobs, 300)
        box.restart("slurmctld")
        assert run.poll() is None
        kill(run)
        study.run("--unlock")
        study.run(*slurm.PROFILE, "--", *TARGETS)
    assert same(study, finished)


@needs_generic
def test_a_job_is_a_process_with_a_home_folder_and_an_environment_of_its_own(finished, tmp_path):
    study = Workflow(tmp_path)
    study.run("--workflow-profile", str(ROOT / "profiles/generic"), "--jobs", "2", *QUICK, "--", *TARGETS)
    jobs = list(tmp_path.glob("logs/generic/*"))
    assert {(job / "code").read_text() for job in jobs} == {"0\n"}
    assert any("1x2000MB" in job.name for job in jobs)
    assert same(study, finished)


QUICK = ["--seconds-between-status-checks", "1", "--latency-wait", "5"]


@pytest.fixture
def bucket():
    """An empty bucket of an object store on loopback, by the environment that reaches it."""
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
        store = boto3.resource(
            "s3", endpoint_url=url, aws_access_key_id="any", aws_secret_access_key="any", region_name="us-east-1"
        )
        yield (
            store.create_bucket(Bucket="bandits"),
            {
                "SNAKEMAKE_STORAGE_S3_ENDPOINT_URL": url,
                "SNAKEMAKE_STORAGE_S3_ACCESS_KEY": "any",
                "SNAKEMAKE_STORAGE_S3_SECRET_KEY": "any",
                "AWS_DEFAULT_REGION": "us-east-1",
            },
        )
    finally:
        server.terminate()
        server.wait()


STORED = ["--workflow-profile", str(ROOT / "profiles/objects"), "--default-storage-prefix", "s3://bandits/study"]


@needs("snakemake_storage_plugin_s3", "objects")
@needs("moto", "store")
def test_nothing_but_objects_lies_between_jobs(finished, tmp_path, bucket, monkeypatch):
    made, environment = bucket
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    study = Workflow(tmp_path)
    study.run(*STORED, "--cores", "2", "--", *TARGETS)
    assert not list(tmp_path.glob("results/**/*.csv"))
    for each in made.objects.all():
        file = tmp_path / each.key.removeprefix("study/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(each.get()["Body"].read())
    assert same(study, finished)


@needs("snakemake_storage_plugin_s3", "objects")
@pytest.mark.parametrize("name", ["kubernetes", "aws-batch"])
def test_the_untested_profiles_plan(tmp_path, name):
    if not find_spec(f"snakemake_executor_plugin_{name.replace('-', '_')}"):
        pytest.skip(f"no plugin for {name} here: pip install mnlbandits[{name}]")
    plan = Workflow(tmp_path).run("--workflow-profile", str(ROOT / "profiles" / name), "--dry-run")
    assert "rule run_algorithm" in plan


def test_longer_jobs_have_the_same_bytes(finished, tmp_path):
    """In the same place, so with no name of its own."""
    study = Workflow(tmp_path, batch=1)
    study.run("--cores", "2", "--configfile", str(study.config), str(ROOT / "config/cluster.yaml"), "--", *TARGETS)
    assert {path.name for path in tmp_path.glob("work/tiny/coverage/**/*.parquet")} == {"0.regret.parquet", "0.sets.parquet"}
    assert same(study, finished)
