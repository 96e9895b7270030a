"""Where a finished study comes from, as an RO-Crate of the profile Provenance Run Crate.

Its settings, its code and its inputs, every job with what it read and wrote, and every file with its sha256. A file lies in
the crate where it lies in the folder of the run, or in the checkout; one from elsewhere lies in ``inputs/``, below its hash.
"""

import hashlib
import json
import mimetypes
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote
from zipfile import ZIP_DEFLATED

import yaml
from rocrate.model.contextentity import ContextEntity
from rocrate.model.entity import Entity
from rocrate.rocrate import ROCrate

from mnlbandits import __version__
from mnlbandits.files import write_atomic, write_zip
from mnlbandits.sources import PACKAGE, digest_of_files

PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/ro/wfrun/provenance/0.5": "Provenance Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
"""What the crate conforms to, by permanent address."""

TERMS = "https://w3id.org/ro/terms/workflow-run/context"
"""Where ``sha256`` is defined."""

TIMES = ("datePublished", "endTime")
"""Properties that are the machine's: two runs of one config differ in them."""

KINDS_OF_MAIN = ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"]
"""What the main file of the workflow is."""

DESCRIPTION = "ro-crate-metadata.json"
"""What the description of a crate is called in it."""

KINDS_OF_FILES = mimetypes.MimeTypes()
"""Those that Python knows, without the machine's own."""


class Job(NamedTuple):
    """A job of the workflow.

    Attributes
    ----------
    rule : its name. wildcards : their values. code : digest of the code that it ran, and of the libraries behind that.
    script : file that it ran. inputs, outputs : files, and folders.
    """

    rule: str
    wildcards: Mapping[str, str]
    code: str
    script: str
    inputs: Sequence[str]
    outputs: Sequence[str]

    @property
    def name(self) -> str:
        """The rule, and the values of its wildcards."""
        return " ".join([self.rule, *(f"{name}={value}" for name, value in sorted(self.wildcards.items()))])


class Study(NamedTuple):
    """A finished study.

    Attributes
    ----------
    config : the whole config. layers : files that it was composed of. overrides : what the command line laid over them.
    jobs : all that made the study. results : what they were to make. workflow : files of the workflow, the main one first.
    root : the checkout.
    """

    config: Mapping[str, Any]
    layers: Sequence[str]
    overrides: Mapping[str, Any]
    jobs: Sequence[Job]
    results: Sequence[str]
    workflow: Sequence[str]
    root: str


def write_provenance(study: Study, whole: Path | str, described: Path | str, archive: Path | str) -> None:
    """Write the whole config as YAML, the crate's description as JSON, and the crate with all its files as a ZIP archive.

    Two runs of one config on one platform differ in the values of `TIMES`, and in hashes and sizes of what was timed.
    """
    files = Files(Path(study.root))
    config = yaml.safe_dump(moved(study.config, files), sort_keys=False, allow_unicode=True)
    write_atomic(whole, lambda handle: handle.write(config.encode()))
    crate = crate_of(study, str(whole), files)
    text = json.dumps(crate.metadata.generate(), indent=1, ensure_ascii=False) + "\n"
    write_atomic(described, lambda handle: handle.write(text.encode()))
    members = sorted((files.found | {DESCRIPTION: Path(described)}).items())
    write_zip(archive, ((name, file.read_bytes()) for name, file in members), ZIP_DEFLATED)


class Files:
    """The files of a crate: where each lies in it, and outside."""

    def __init__(self, root: Path) -> None:
        self.folders = {Path.cwd(): "", root: "", PACKAGE: "src/mnlbandits/"}
        self.found: dict[str, Path] = {}

    def place(self, path: Path | str) -> str:
        """Where a file or a folder lies in the crate; a file is one of the crate from now on."""
        path = Path(os.path.normpath(Path.cwd() / path))
        inside = (
            above + path.relative_to(folder).as_posix() for folder, above in self.folders.items() if folder in path.parents
        )
        place = next(inside, None) or f"inputs/{sha256(path)[:8]}/{path.name}"
        if path.is_file():
            self.found[place] = path
        return place


def sha256(path: Path) -> str:
    """Hash of a file's bytes."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def moved(value: Any, files: Files) -> Any:
    """A config with the places in the crate of the files that it names by whole paths: those of instances and modules."""
    if isinstance(value, Mapping):
        return {key: moved(each, files) for key, each in value.items()}
    if isinstance(value, list):
        return [moved(each, files) for each in value]
    return files.place(value) if isinstance(value, str) and value.startswith("/") and Path(value).is_file() else value


def crate_of(study: Study, whole: str, files: Files) -> ROCrate:
    """The crate of a study; `whole` is the file of its whole config."""
    crate = started(study)
    made = {path for job in study.jobs for path in job.outputs}
    given = {path for job in study.jobs for path in job.inputs} - made
    settings = [*study.layers, whole, *study.config.get("modules", ())]
    entities = {path: data(crate, path, files) for path in sorted({*study.workflow[1:], *settings, *given, *made})}
    main = main_workflow(crate, study.workflow[0], files)
    codes = {job.code: value(crate, f"#code/{job.code}", "code", job.code) for job in study.jobs}
    tools = {job.rule: entities[job.script] for job in study.jobs}
    steps = {
        rule: context(crate, f"#step/{rule}", "HowToStep", name=rule, position=place, workExample=tool)
        for place, (rule, tool) in enumerate(tools.items(), 1)
    }
    main["step"], main["hasPart"] = list(steps.values()), list(dict.fromkeys(tools.values()))
    controls = []
    for job in study.jobs:
        action = context(
            crate,
            f"#job/{quote(job.name)}",
            "CreateAction",
            name=job.name,
            instrument=tools[job.rule],
            object=[codes[job.code], *(entities[path] for path in job.inputs)],
            result=[entities[path] for path in job.outputs],
            endTime=moment(job.outputs),
        )
        called = {"name": f"Call of {job.name}", "instrument": steps[job.rule], "object": action}
        controls.append(context(crate, f"#call/{quote(job.name)}", "ControlAction", **called))
    run = context(
        crate,
        "#run",
        "CreateAction",
        name=f"Run of {study.config['name']}",
        instrument=main,
        object=[*given_values(crate, study), *(entities[path] for path in dict.fromkeys([*settings, *sorted(given)]))],
        result=[entities[path] for path in study.results],
        endTime=moment(made),
    )
    engine = application(crate, "Snakemake", metadata.version("snakemake"), url="https://snakemake.github.io")
    context(crate, "#calls", "OrganizeAction", name="Calls of all jobs", instrument=engine, object=controls, result=run)
    crate.root_dataset["mentions"] = [run]
    crate.datePublished = run["endTime"]
    return crate


def started(study: Study) -> ROCrate:
    """A crate that says what it is, and has no files yet."""
    crate = ROCrate(version="1.1")
    crate.metadata.extra_contexts.append(TERMS)
    crate.name = f"{study.config['name']}, a study of mnlbandits {__version__}"
    crate.description = "Its settings, its workflow, its results, and every job that made them."
    crate.license = context(crate, "https://spdx.org/licenses/MIT", "CreativeWork", name="MIT License")
    crate.root_dataset["conformsTo"] = [
        context(crate, url, "CreativeWork", name=name, version=url.rpartition("/")[2]) for url, name in PROFILES.items()
    ]
    return crate


def context(crate: ROCrate, identifier: str, kind: str, /, **properties: Any) -> Entity:
    """An entity that is no file."""
    entity = crate.add(ContextEntity(crate, identifier, {"@type": kind}))
    for name, each in properties.items():
        entity[name] = each
    return entity


def value(crate: ROCrate, identifier: str, name: str, given: Any) -> Entity:
    """A value with a name; a mapping or a list as JSON."""
    return context(crate, identifier, "PropertyValue", name=name, value=given if is_plain(given) else json.dumps(given))


def is_plain(given: Any) -> bool:
    """Whether JSON-LD takes a value as it stands."""
    return isinstance(given, str | int | float)


def application(crate: ROCrate, name: str, version: str, **properties: Any) -> Entity:
    """A program in a version."""
    return context(crate, f"#{name.lower()}", "SoftwareApplication", name=name, softwareVersion=version, **properties)


def data(crate: ROCrate, path: Path | str, files: Files) -> Entity:
    """A file with its hash, or a folder with its files; hidden ones, Snakemake's marks, are left out."""
    path, place = Path(path), files.place(path)
    if path.is_dir():
        inside = [each for each in sorted(path.rglob("*")) if each.is_file() and not each.name.startswith(".")]
        folder = crate.add_dataset(path, f"{place}/", properties={"name": place})
        folder["hasPart"] = [data(crate, each, files) for each in inside]
        return folder
    kind, size = KINDS_OF_FILES.guess_type(path.name)[0], path.stat().st_size
    described = {"name": place, "contentSize": str(size), "sha256": sha256(path)}
    return crate.add_file(path, place, properties=described | ({"encodingFormat": kind} if kind else {}))


def main_workflow(crate: ROCrate, path: str, files: Files) -> Entity:
    """The main file of the workflow, and the programs that it needs."""
    place = files.place(path)
    described = {"@type": KINDS_OF_MAIN, "name": "mnlbandits", "sha256": sha256(Path(path))}
    main = crate.add_workflow(path, place, main=True, lang="snakemake", properties=described)
    main["softwareRequirements"] = [
        application(crate, "mnlbandits", __version__, identifier=digest_of_files("**/*.py")),
        application(crate, "Python", platform.python_version(), operatingSystem=f"{platform.system()} {platform.machine()}"),
    ]
    return main


def given_values(crate: ROCrate, study: Study) -> list[Entity]:
    """The seeds of a study, and what the command line said."""
    seeds = {"seed": study.config["seed"], "calibration.seed": study.config["calibration"]["seed"]}
    return [value(crate, f"#value/{quote(name)}", name, given) for name, given in {**seeds, **study.overrides}.items()]


def moment(paths: Iterable[Path | str]) -> str:
    """When the last of these was written, to the second."""
    return datetime.fromtimestamp(int(max(Path(path).stat().st_mtime for path in paths)), UTC).isoformat()
