import sys
from functools import partial
from shutil import which

from snakemake.exceptions import WorkflowError
from snakemake.io import IOFile
from snakemake.settings.types import DeploymentMethod

from mnlbandits import versions
from mnlbandits.cells import modules_of
from mnlbandits.config import (
    FIGURES_OF_OTHERS,
    NOTEBOOKS,
    PANELS,
    PLAYED_BY_CLAIMS,
    TABLES_OF_OTHERS,
    TYPESET_OF_OTHERS,
    batches,
    calibrated_and_played,
    calibration_of,
    checked,
    figures_of,
    kinds_of_sets,
    module_name,
    modules,
    playing,
    read_config,
    studies_of,
    tables_of,
    to_be_calibrated,
    to_calibrate,
    to_run,
    typeset_of,
    used_instances,
)
from mnlbandits.dictionary import FILE as DICTIONARY
from mnlbandits.errors import InputError
from mnlbandits.instances import files_of
from mnlbandits.ledger.listing import LISTING
from mnlbandits.ledger.paper import PARTS
from mnlbandits.ledger.slips import PARTS_OF_SLIPS
from mnlbandits.references import FILE as REFERENCES
from mnlbandits.site import PAGES
from mnlbandits.sources import digest_of_files

if " " in sys.executable:
    raise WorkflowError(
        f"{sys.executable}: Snakemake cannot run a Python whose path has a space; make the environment elsewhere"
    )

if DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method:
    raise WorkflowError(
        "--sdm conda: every job runs in the environment that Snakemake runs in; leave it out"
    )

DEFAULTS = ROOT / "config" / "config.yaml"

try:
    layers = [(DEFAULTS.parent, read_config(DEFAULTS))]
    if workflow.modifier.skip_configfile:  # used as a module, with a config
        layers += [(Path.cwd(), config)]
    else:
        layers += [
            (path.parent, read_config(path)) for path in workflow.overwrite_configfiles
        ]
        layers += [(Path.cwd(), workflow.config_settings.config)]
    whole = checked(layers, ROOT)
except InputError as error:
    raise WorkflowError(f"config: {error}") from None
config.clear()
config.update(whole)


pathvars:
    results=f"results/{config['name']}",
    figures=f"figures/{config['name']}",
    work=f"work/{config['name']}",
    logs=f"logs/{config['name']}",
    kernels="work/kernels",


BENCHMARKS = f"logs/{config['name']}/benchmarks"
"""Where the benchmarks of all jobs lie, for what reads them all; Snakemake does not fill in a path in a parameter."""


digest_of = partial(versions.digest_of, lock=ROOT / "requirements.lock")
"""What a job's code is: the source files behind these modules, and the pinned libraries behind those."""


TO_RUN = to_run(config)

PAIRS = playing(config)


SETS = kinds_of_sets(config)
"""The kind of the action sets of every instance."""


def named(*kinds):
    """The names of the studies of some kinds, as a constraint of a wildcard."""
    return "|".join(studies_of(config, *kinds)) or "$."


def the_study(wildcards):
    """The config's entry of a study."""
    return config["studies"][wildcards.study]


wildcard_constraints:
    study="|".join(config["studies"]),
    instance="|".join(config["instances"]),
    label="|".join(config["algorithms"]),
    batch=r"\d+",
    code="[0-9a-f]{16}",
    module=r"[\w-]+",
    loop=r"[a-z]+",


def all_cores():
    """Threads of a job that nothing may run beside: all that the workflow was given, or one on machines of its own."""
    return workflow.resource_settings.cores or 1


def growing(amount):
    """A resource of a job: this amount at the first attempt, twice as much at the second, and so on."""
    return lambda wildcards, attempt: attempt * amount


MODULES = modules()
"""Modules of algorithms by the names that files have of them."""


def code_of(module):
    """A module of algorithms, as `digest_of` takes it."""
    return MODULES[module].removeprefix("mnlbandits.")


def algorithm_module(label):
    """The module of an algorithm label, as `digest_of` takes it."""
    return code_of(module_name(config["algorithms"][label]["algorithm"]))


ALGORITHM_MODULES = sorted({algorithm_module(label) for label in config["algorithms"]})


def kernels(algorithm, loop="list"):
    """The archive of the kernels of a loop of an algorithm: over a kind of action sets, or that of leaps."""
    name = module_name(algorithm)
    return f"<kernels>/{name}.{loop}.{digest_of('simulators.runs', code_of(name))}.zip"


def kernels_of(wildcards):
    """The archive of the loop that a label plays an instance with, in a study or a calibration, which takes no leaps."""
    study = config["studies"].get(wildcards.get("study"), {})
    leaps = study.get("simulator") == "leap"
    loop = "leap" if leaps else SETS[wildcards.instance]
    return kernels(config["algorithms"][wildcards.label]["algorithm"], loop)


def kernels_with_calibration(algorithm):
    """The archives of an algorithm that is calibrated and then played."""
    return [kernels(*loop) for loop in calibrated_and_played(algorithm)]


def code_of_notebook(notebook, played, parts):
    """What a notebook's page hangs on: what its cells import, the algorithms it plays and the claims it examines."""
    return digest_of(
        "notebooks",
        *modules_of(ROOT / "notebooks" / f"{notebook}.ipynb"),
        *(code_of(module_name(algorithm)) for algorithm, _ in played),
        *(f"ledger.paper.{module}" for part in parts for module in PARTS[part]),
        libraries=["ipykernel"],
    )


def found_for(instance, label):
    """The calibration whose multipliers a label plays an instance with."""
    return "<work>/calibration/{}/{}.csv".format(
        *calibration_of(config, instance, label)
    )


def multipliers_of(wildcards):
    """The calibration of a label that leaves its multipliers to it."""
    if not to_calibrate(config["algorithms"][wildcards.label]):
        return []
    return [found_for(wildcards.instance, wildcards.label)]


def instances_of(wildcards):
    """Input function: the instances of a study."""
    return [
        f"<results>/instances/{name}.json" for name in the_study(wildcards)["instances"]
    ]


def batch_runs(wildcards):
    """Run indices of one batch."""
    study = the_study(wildcards)
    start = int(wildcards.batch) * study["batch"]
    return list(range(start, min(start + study["batch"], study["runs"])))


SETTINGS = {"exact": [], "counts": ["learning_rounds"], "leap": ["step"]}
"""What a simulator needs to know besides the horizon."""


def play(wildcards):
    """What a study says of how to play."""
    study = the_study(wildcards)
    return {
        key: study[key]
        for key in ("simulator", "horizon", *SETTINGS[study["simulator"]])
    }


def study_parts(wildcards):
    """Keys of the batches of a study, in the order in which they are collected."""
    return [
        {"instance": instance, "label": label, "batch": batch}
        for instance, label in PAIRS[wildcards.study]
        for batch in batches(the_study(wildcards))
    ]


def batch_files(kind):
    """Input function: the files of one kind of all batches of a study."""

    def files(wildcards):
        return [
            f"<work>/{wildcards.study}/{part['instance']}/{part['label']}/{part['batch']}.{kind}.parquet"
            for part in study_parts(wildcards)
        ]

    return files


def instance_entry(wildcards):
    """The config's entry of an instance."""
    return config["instances"][wildcards.instance]


def instance_files(wildcards):
    """The file of an instance that comes from one, and those that it names."""
    entry = instance_entry(wildcards)
    files = files_of(entry["file"]) if "file" in entry else []
    return [local(file) for file in files]


def part_of(figure):
    """The part of the build that a figure belongs to."""
    return next(part for part, figures in FIGURES.items() if figure in figures)


def instances_in_panels(wildcards):
    """The instances that have a panel each in a figure."""
    study = config["studies"].get(part_of(wildcards.figure))
    names = study["instances"] if DRAWN[wildcards.figure][0] in PANELS else []
    return [f"<results>/instances/{name}.json" for name in names]


def caption(figure):
    """What the report says of a figure; a report's own captions cannot depend on a wildcard.

    It is that of the study where the study is one of ours, else that of its kind.
    """
    folder = ROOT / "workflow" / "report"
    own, name = folder / f"{figure}.rst", part_of(figure)
    study = config["studies"].get(name)
    if study and (not own.exists() or not is_ours(name, study)):
        own = folder / "kinds" / f"{study['kind']}{figure.removeprefix(name)}.rst"
    return own.read_text(encoding="utf-8")


def is_ours(name, study):
    """Whether a study is the full one's, or the same in small: of its kind, on instances of its own."""
    ours = layers[0][1]["studies"].get(name, {})
    return ours.get("kind") == study["kind"] and set(study.get("instances", [])) <= set(
        ours.get("instances", [])
    )


def settings_of(*left_out):
    """Parameter function: the config's entry of a study, but for some keys."""

    def settings(wildcards):
        return {
            key: value
            for key, value in the_study(wildcards).items()
            if key not in left_out
        }

    return settings


def parts_of(kind):
    """Input function: the parts of a study of this kind, one of each algorithm."""

    def parts(wildcards):
        return [
            f"<work>/{wildcards.study}/{kind}/{algorithm}.csv"
            for algorithm in the_study(wildcards)["algorithms"]
        ]

    return parts


def calibrated_cells(wildcards):
    """Instances and labels of a study that play with multipliers found by calibration."""
    return [
        (instance, label)
        for instance, label in PAIRS[wildcards.study]
        if to_calibrate(config["algorithms"][label])
    ]


def of_build(parts):
    """What the parts of this build have of these."""
    return [one for name in BUILT for one in parts.get(name, [])]


def shown_figures(wildcards):
    """Figures of the site: the part of the build that each belongs to, its table, and its caption."""
    return {
        figure: {"part": part, "data": table, "caption": caption(figure)}
        for part in BUILT
        for figure, (_, table) in FIGURES.get(part, {}).items()
    }


def jobs_of_build(wildcards, output):
    """Parameter function: all jobs behind one that makes these outputs, by the files that they make."""
    needed = {job: workflow.dag.dependencies[job] for job in workflow.dag.jobs}
    (last,) = (job for job in needed if set(output) <= set(job.output))
    found, waiting = set(), [last]
    while waiting:
        behind = set(needed[waiting.pop()]) - found
        found |= behind
        waiting += behind
    return [
        {
            "rule": job.rule.name,
            "wildcards": dict(job.wildcards_dict),
            "code": job.params.code,
            "script": str(ROOT / "workflow" / "scripts" / Path(job.rule.script).name),
            "inputs": sorted(map(str, job.input)),
            "outputs": sorted(map(str, job.output)),
        }
        for job in sorted(found, key=lambda job: sorted(job.output))
    ]


def files_of_workflow(wildcards):
    """Parameter function: the files of the workflow, the main one first, and those that say what it is run with."""
    files = sorted((ROOT / "workflow").rglob("*"))
    return [
        str(ROOT / "Snakefile"),
        *(str(path) for path in files if path.is_file() and path.suffix != ".pyc"),
        *(str(ROOT / name) for name in ("environment.yml", "requirements.lock")),
    ]


def asked_of_jobs(wildcards):
    """What every rule asks for each of its jobs, by the name that its benchmarks have; a storage puts folders before it."""
    return {
        str(rule.benchmark)
        .split(f"{BENCHMARKS}/")[-1]
        .split("/")[0]
        .removesuffix(".tsv"): {
            key: rule.resources[key].evaluate({}, attempt=1).value
            for key in ("mem_mb", "runtime")
        }
        for rule in workflow.rules
        if rule.benchmark
    }


def constrain_stored_outputs():
    """Repeat the constraints of wildcards where an output goes to a storage: Snakemake 9.27 keeps them for local paths only."""
    for each in workflow.rules:
        for number, output in enumerate(each.output):
            if not output.is_storage:
                continue
            stored = output.storage_object
            constrained = type(stored)(
                query=each._update_item_wildcard_constraints(stored.query),
                keep_local=stored.keep_local,
                retrieve=stored.retrieve,
                provider=stored.provider,
            )
            each.output[number] = IOFile(constrained.local_path(), rule=each)
            each.output[number].clone_flags(output, skip_storage_object=True)
            each.output[number].flags["storage_object"] = constrained
