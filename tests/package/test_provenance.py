"""The provenance of a study: a crate that others can read, with every file, its hash and the job that made it."""

import hashlib
import json
import os
import zipfile
from pathlib import Path

import pytest
import yaml
from rocrate.rocrate import ROCrate

from mnlbandits.provenance import PROFILES, TIMES, Job, Study, write_provenance

ROOT = Path(__file__).parents[2]
TABLE, SITE, RUN = "results/small/tables/kappa.csv", "results/small/site", "work/small/a b.parquet"


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A function that writes the provenance of a study of two jobs, in a folder of its own; the folder of the provenance."""

    def write(folder="run"):
        away, here = tmp_path / "elsewhere", tmp_path / folder
        for path, text in ((away / "my data.json", "{}"), (here / TABLE, "a\n1\n"), (here / SITE / "index.html", "x")):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (here / RUN).parent.mkdir(parents=True)
        (here / RUN).write_bytes(b"PAR1")
        (here / SITE / ".snakemake_timestamp").touch()
        monkeypatch.chdir(here)
        data, script = str(away / "my data.json"), str(ROOT / "workflow/scripts/verify_kappa.py")
        jobs = [
            Job("play", {"study": "kappa", "label": "x"}, "0123", script, [data], [RUN]),
            Job("verify", {}, "0123", str(ROOT / "workflow/scripts/make_site.py"), [RUN], [SITE, TABLE]),
        ]
        config = {"name": "small", "seed": 3, "calibration": {"seed": 5}, "instances": {"mine": {"file": data}}}
        files = [str(ROOT / "Snakefile"), script, jobs[1].script, str(ROOT / "requirements.lock")]
        study = Study(config, [str(ROOT / "config/config.yaml")], {"seed": 3}, jobs, [SITE, TABLE], files, str(ROOT))
        made = here / "results/small/provenance"
        write_provenance(study, made / "config.yaml", made / "ro-crate-metadata.json", made / "crate.zip")
        return made

    return write


@pytest.fixture
def crate(build, tmp_path):
    """The crate, unpacked and read."""
    with zipfile.ZipFile(build() / "crate.zip") as archive:
        archive.extractall(tmp_path / "crate")
    return ROCrate(tmp_path / "crate")


def ids(entities):
    return {entity.id for entity in entities}


def test_every_file_is_there_with_its_hash(crate):
    files = [entity for entity in crate.data_entities if "File" in entity.type]
    assert {TABLE, f"{SITE}/index.html", "work/small/a%20b.parquet", "Snakefile"} <= ids(files)
    for file in files:
        assert hashlib.sha256(Path(file.source).read_bytes()).hexdigest() == file["sha256"], file.id
    assert not [each for each in ids(files) if "snakemake_timestamp" in each]


def test_each_output_tells_the_job_that_made_it(crate):
    actions = crate.get_by_type("CreateAction")
    makers = {made.id: action for action in actions if action.id != "#run" for made in action["result"]}
    assert makers[TABLE]["name"] == "verify"
    played = makers["work/small/a%20b.parquet"]
    assert played["name"] == "play label=x study=kappa"
    assert played["instrument"].id == "workflow/scripts/verify_kappa.py"
    assert [each.id for each in played["object"] if each.type == "File"] == ["inputs/44136fa3/my%20data.json"]
    assert [each["value"] for each in played["object"] if each.type == "PropertyValue"] == ["0123"]


def test_the_run_tells_its_settings(crate):
    run = crate.dereference("#run")
    values = {each["name"]: each["value"] for each in run["object"] if each.type == "PropertyValue"}
    assert values == {"seed": 3, "calibration.seed": 5}
    assert {"config/config.yaml", "results/small/provenance/config.yaml"} <= ids(run["object"])
    whole = next(each for each in run["object"] if each.id == "results/small/provenance/config.yaml")
    written = yaml.safe_load(Path(whole.source).read_text())
    assert written["instances"]["mine"]["file"] == "inputs/44136fa3/my data.json", "no path of a machine"
    assert {each["name"] for each in crate.mainEntity["softwareRequirements"]} == {"mnlbandits", "Python"}


def test_it_keeps_what_the_profile_demands(crate):
    """The rules that the profile Provenance Run Crate, and those that it builds on, mark with MUST."""
    root, main = crate.root_dataset, crate.mainEntity
    assert ids(root["conformsTo"]) == set(PROFILES)
    assert {"name", "description", "datePublished", "license"} <= set(root.properties())
    assert set(main.type) == {"File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"}
    assert main["programmingLanguage"].type == "ComputerLanguage"
    (organize,) = crate.get_by_type("OrganizeAction")
    assert organize["instrument"].type == "SoftwareApplication"
    assert organize["result"].id == "#run"
    assert organize["result"]["instrument"] == main
    controls, steps, tools = organize["object"], main["step"], main["hasPart"]
    assert ids(controls) == ids(crate.get_by_type("ControlAction"))
    assert {control["instrument"].id for control in controls} == ids(steps) == ids(crate.get_by_type("HowToStep"))
    jobs = ids(crate.get_by_type("CreateAction")) - {"#run"}
    assert {control["object"].id for control in controls} == jobs
    assert {step["workExample"].id for step in steps} == ids(tools)
    assert {crate.dereference(job)["instrument"].id for job in jobs} == ids(tools)
    assert all(isinstance(step["position"], int) for step in steps)


def without_times(description):
    return [{key: each for key, each in entity.items() if key not in TIMES} for entity in json.loads(description)["@graph"]]


def test_the_same_study_gives_the_same_bytes_but_for_times(build):
    first = build("one")
    second = build("two")
    for path in (second.parents[2] / name for name in (TABLE, RUN, SITE)):
        os.utime(path, (1e9, 1e9))
    descriptions = [(made / "ro-crate-metadata.json").read_text() for made in (first, second)]
    assert without_times(descriptions[0]) == without_times(descriptions[1])
    archives = [zipfile.ZipFile(made / "crate.zip") for made in (first, second)]
    assert [each.namelist() for each in archives] == [sorted(archives[0].namelist())] * 2
    assert {member.date_time for each in archives for member in each.infolist()} == {(1980, 1, 1, 0, 0, 0)}
