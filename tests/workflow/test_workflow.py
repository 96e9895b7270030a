"""The workflow as a user runs it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from tiny import ROOT, TARGETS, TINY, Workflow

from mnlbandits.benchmarks import read_benchmarks
from mnlbandits.config import laid_over, read_config, whole_config
from mnlbandits.planning.costs import key_of
from mnlbandits.planning.jobs import jobs_of

pytestmark = pytest.mark.workflow

FIGURES = ("regret", "diameter", "coverage", "kappa", "kappa_star", "comparison", "comparison_coverage", "frameworks")
TABLES = ("final_regret", "coverage", "diameter_at_tau", "kappa", "kappa_star", "final_comparison", "comparison_coverage")


def test_a_clean_checkout_plans_jobs(tmp_path):
    assert "rule run_algorithm" in Workflow(tmp_path).run("--dry-run", "--cores", "1")


def test_everything_promised_is_there(finished):
    made = set(finished.hashes())
    for figure in FIGURES:
        assert {f"figures/tiny/{figure}.pdf", f"figures/tiny/{figure}.png"} <= made
    for table in TABLES:
        assert {f"results/tiny/tables/{table}.csv", f"results/tiny/tables/{table}.tex"} <= made
    assert {f"results/tiny/notebooks/{path.stem}.html" for path in (ROOT / "notebooks").glob("*.ipynb")} <= made


def test_where_the_time_went_is_said_and_no_job_took_more_than_it_asked_for(finished):
    """The row of the rule that makes the table is of a run before: there is none."""
    table = pd.read_csv(finished.folder / "results/tiny/timings/rules.csv").set_index("rule")
    planned = {key[0] for key in jobs_of(whole_config([finished.config]))}
    assert set(table.index) == planned - {"tabulate_rules"}
    assert table["share"].sum() == pytest.approx(1, abs=0.01)
    assert (table["memory"].dropna() <= table["mem_mb"]).all(), table
    assert (table["longest"] <= 60 * table["runtime"]).all(), table
    assert (finished.folder / "results/tiny/timings/rules.tex").exists()


def test_the_jobs_are_those_that_are_planned(finished):
    made = read_benchmarks(finished.folder / "logs/tiny/benchmarks")
    planned = jobs_of(whole_config([finished.config]))
    assert {key_of(rule, job) for rule, job in zip(made["rule"], made["job"], strict=True)} == set(planned)
    assert len(made) == sum(jobs.count for jobs in planned.values())


MODULE = """
configfile: "{root}/config/config.yaml"

configfile: "{root}/config/smoke.yaml"

module bandits:
    snakefile: "{root}/workflow/Snakefile"
    config: config

use rule * from bandits as bandits_*

rule slide:
    default_target: True
    input: "figures/smoke/kappa.pdf"
    output: "slide.pdf"
    shell: "cp {{input}} {{output}}"
"""


def test_it_is_a_module_of_another_workflow(tmp_path):
    (tmp_path / "Snakefile").write_text(MODULE.format(root=ROOT))
    command = [sys.executable, "-m", "snakemake", "--cores", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "slide.pdf").read_bytes() == (tmp_path / "figures/smoke/kappa.pdf").read_bytes()
    assert "Nothing to be done" in subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stderr


def test_a_second_run_does_nothing(finished):
    assert "Nothing to be done" in finished.run("--cores", "1")


BATCHED = ("final_regret", "coverage", "final_comparison", "comparison_coverage", "changing", "data")
"""Tables of the studies that are played in batches."""


def test_same_bytes_on_eight_cores_in_batches_of_one(finished, tmp_path):
    """Of what is played in batches; all else is made on other cores by the newcomer to the README."""
    targets = [f"results/tiny/tables/{table}.csv" for table in BATCHED]
    parallel = Workflow(tmp_path, batch=1)
    parallel.run("--cores", "8", "--", *targets)
    made = parallel.hashes()
    assert set(targets) <= set(made)
    assert made.items() <= finished.hashes().items()


def rules(plan):
    """The rules that a dry run would run."""
    return set(re.findall(r"^(?:local)?rule (\w+):", plan, re.MULTILINE))


def test_an_edit_reruns_what_depends_on_it_and_only_that(tmp_path):
    checkout = tmp_path / "checkout"
    for folder in ("workflow", "src", "config", "notebooks", "reference"):
        shutil.copytree(ROOT / folder, checkout / folder)
    for name in ("Snakefile", "environment.yml", "requirements.lock"):
        shutil.copy(ROOT / name, checkout)
    (tmp_path / "run").mkdir()
    workflow = Workflow(tmp_path / "run", root=checkout)
    workflow.run("--cores", "2", "--", *TARGETS)
    lock = (checkout / "requirements.lock").read_text()
    for library, rerun in (("matplotlib", {"render_figure"}), ("snakefmt", set())):
        (checkout / "requirements.lock").write_text(re.sub(rf"(?m)^{library}==[^ ]+", f"{library}==999", lock))
        assert rules(workflow.run("--dry-run", "--cores", "1", "--", *TARGETS)) == rerun
    (checkout / "requirements.lock").write_text(re.sub(r"(?m)^numpy==[^ ]+", "numpy==999", lock))
    plan = rules(workflow.run("--dry-run", "--cores", "1", "--", *TARGETS))
    assert {"generate_instance", "compile_kernels", "run_algorithm", "verify_kappa", "render_figure"} <= plan
    (checkout / "requirements.lock").write_text(lock)
    with (checkout / "src/mnlbandits/algorithms/oful_mlogb.py").open("a") as kernel:
        kernel.write("\n# edited\n")
    plan = workflow.run("--dry-run", "--cores", "1", "--", *TARGETS)
    assert {"compile_kernels", "run_algorithm", "collect_runs"} <= rules(plan)
    assert not {"generate_instance", "verify_kappa", "verify_diameter", "execute_notebook"} & rules(plan)
    assert set(re.findall(r"label=([\w-]+)", plan)) == {"oful-mlogb-paper", "oful-mlogb-valid"}


def test_an_instance_file_is_an_input_named_relative_to_its_config(tmp_path):
    """An edit of it reruns what depends on it, and only that, wherever the workflow was started."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "run").mkdir()
    workflow = Workflow(tmp_path / "run")
    config = yaml.safe_load(workflow.config.read_text())
    config["instances"] = {"mine": {"file": "data.json"}}
    config["studies"]["diameter"]["instances"] = ["mine", "large-kappa-star-S1"]
    workflow.config = tmp_path / "mine" / "mine.yaml"
    workflow.config.write_text(yaml.safe_dump(config))
    record = {"name": "x", "theta": [[0.5, 0.0], [-0.5, 0.0]], "arms": "arms.csv", "rewards": [1, 0]}
    (tmp_path / "mine" / "arms.csv").write_text("price,size\n1,0\n0,1\n")
    data = tmp_path / "mine" / "data.json"
    data.write_text(json.dumps(record | {"norm_bound": 1.0}))
    targets = ["--", "results/tiny/tables/diameter.csv", "results/tiny/tables/kappa.csv"]
    workflow.run("--cores", "2", *targets)
    written = json.loads((tmp_path / "run/results/tiny/instances/mine.json").read_text())
    assert written["name"] == "mine"
    assert "Nothing to be done" in workflow.run("--cores", "2", *targets)
    for file, text in ((data, json.dumps(record | {"norm_bound": 2.0})), (data.with_name("arms.csv"), "1,0\n0,0.5\n")):
        before = file.read_text()
        file.write_text(text)
        plan = workflow.run("--dry-run", "--cores", "1", *targets)
        assert rules(plan) == {"generate_instance", "verify_diameter"}
        assert set(re.findall(r"instance=([\w-]+)", plan)) == {"mine"}
        file.write_text(before)
        workflow.run("--cores", "2", *targets)


def test_the_provenance_has_every_file_and_the_job_that_made_it(tmp_path):
    workflow = Workflow(tmp_path)
    workflow.config.write_text(yaml.safe_dump(yaml.safe_load(workflow.config.read_text()) | {"run": ["kappa"]}))
    workflow.run("--cores", "2", "--", "provenance")
    described = tmp_path / "results/tiny/provenance/ro-crate-metadata.json"
    graph = {entity["@id"]: entity for entity in json.loads(described.read_text())["@graph"]}
    made = {path: digest for path, digest in workflow.hashes().items() if "/provenance/" not in path}
    assert {path: graph[path]["sha256"] for path in made} == made
    action = graph["#job/verify_kappa%20study%3Dkappa"]
    assert action["result"] == [{"@id": "results/tiny/tables/kappa.csv"}]
    assert action["instrument"] == {"@id": "workflow/scripts/verify_kappa.py"}
    assert "Nothing to be done" in workflow.run("--cores", "1", "--", "provenance")


def test_one_config_leaves_the_results_of_another(tmp_path):
    first, target = Workflow(tmp_path), ["--", "results/tiny/tables/kappa.csv"]
    first.run("--cores", "1", *target)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("results/**/*") if path.is_file()}
    second = Workflow(tmp_path)
    second.config = tmp_path / "other.yaml"
    second.config.write_text(
        yaml.safe_dump(laid_over(TINY, {"name": "other", "studies": {"kappa": {"outcomes": [2], "radii": [1.0]}}}))
    )
    second.run("--cores", "1", "--", "results/other/tables/kappa.csv")
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert "Nothing to be done" in first.run("--cores", "1", *target)


@pytest.mark.parametrize(
    ("layers", "arguments"),
    [
        ([{"seed": 3}], []),
        ([{"name": "full", "seed": 3}], []),
        ([{"name": "mine", "seed": 3}, {"seed": 4}], []),
        ([], ["--config", "seed=3"]),
        ([{"name": "mine"}], ["--config", "seed=3"]),
    ],
)
def test_a_config_without_a_name_of_its_own_is_refused(tmp_path, layers, arguments):
    files = []
    for number, layer in enumerate(layers):
        files.append(str(tmp_path / f"{number}.yaml"))
        Path(files[-1]).write_text(yaml.safe_dump(layer))
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--directory", str(tmp_path), *(["--configfile", *files] if files else []), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "config: name: got" in done.stdout + done.stderr
    assert "a name of its own" in done.stdout + done.stderr
    assert {path.name for path in tmp_path.iterdir()} <= {".snakemake", *(Path(file).name for file in files)}


@pytest.mark.parametrize("cores", [1, 2])
def test_no_job_asks_for_more_threads_than_there_are(tmp_path, cores):
    plan = Workflow(tmp_path).run("--dry-run", "--cores", str(cores))
    threads = [int(number) for number in re.findall(r"^    threads: (\d+)", plan, re.MULTILINE)]
    assert max(threads, default=1) == cores, "the measurement of costs has all cores to itself"
    scripts = "\n".join(path.read_text() for path in (ROOT / "workflow").rglob("*.smk"))
    assert set(re.findall(r"threads: (.*)", scripts)) == {"1", "all_cores()"}


def test_lint_is_clean():
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--lint", "--snakefile", str(ROOT / "Snakefile")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_an_environment_of_conda_for_each_rule_is_refused(tmp_path):
    """What environment.yml names lies in the checkout, and Snakemake copies the file elsewhere."""
    printed = Workflow(tmp_path).run("--sdm", "conda", "--cores", "1", check=False)
    assert "--sdm conda: every job runs in the environment that Snakemake runs in" in printed
    assert "Traceback" not in printed
    assert not (tmp_path / "results").exists()


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
    full = read_config(ROOT / "config/config.yaml")
    assert set(TINY["studies"]) == set(full["studies"])


def test_a_paper_gets_figures_and_tables(finished):
    finished.run("--cores", "1", "paper_assets")
    folder = finished.folder / "results/tiny/paper"
    made = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    shutil.rmtree(folder)  # as other tests compare all that a build makes
    assert {"assets.tex", "references.bib"} <= made
    assert {f"figures/{figure}.pdf" for figure in FIGURES} <= made
    assert {f"tables/{table}.tex" for table in (*TABLES, "table1", "claims")} <= made


def test_an_algorithm_less_changes_no_other_number(finished, tmp_path):
    """Per file and by bytes: what each algorithm did does not depend on which others were there."""
    fewer = Workflow(tmp_path)
    config = yaml.safe_load(fewer.config.read_text())
    config["studies"]["comparison"]["algorithms"].remove("uniform")
    fewer.config.write_text(yaml.safe_dump(config))
    fewer.run("--cores", "2", "--", "results/tiny/runs/comparison.regret.parquet")
    files = {path.relative_to(tmp_path) for path in tmp_path.glob("work/tiny/comparison/**/*.parquet")}
    assert len(files) == 10
    assert not any("uniform" in str(path) for path in files)
    for path in files:
        assert (tmp_path / path).read_bytes() == (finished.folder / path).read_bytes()
