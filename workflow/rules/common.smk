import sys
from functools import partial

from snakemake.common.configfile import load_configfile
from snakemake.exceptions import WorkflowError

from mnlbandits import versions
from mnlbandits.algorithms import REGISTRY, get_algorithm, module_of
from mnlbandits.config import (
    calibration_of,
    check_config,
    check_names,
    expand_algorithms,
    pairs,
    place_files,
    to_calibrate,
)
from mnlbandits.errors import InputError
from mnlbandits.instances import files_of
from mnlbandits.ledger.paper import PARTS
from mnlbandits.ledger.slips import PARTS_OF_SLIPS

if " " in sys.executable:
    raise WorkflowError(
        f"{sys.executable}: Snakemake cannot run a Python whose path has a space; make the environment elsewhere"
    )

LAYERS = [
    (path.parent, load_configfile(path))
    for path in (ROOT / "config" / "config.yaml", *workflow.overwrite_configfiles)
] + [(Path.cwd(), workflow.config_settings.config)]
"""Folder and content of the configs that were laid over one another, the command line's last."""

try:
    expand_algorithms(config)
    place_files(config, LAYERS)
    check_config(config, ROOT / "workflow" / "schemas" / "config.schema.yaml")
    check_names(layer for _, layer in LAYERS)
except InputError as error:
    raise WorkflowError(f"config: {error}") from None


pathvars:
    results=f"results/{config['name']}",
    figures=f"figures/{config['name']}",
    work=f"work/{config['name']}",
    logs=f"logs/{config['name']}",
    kernels="work/kernels",


digest_of = partial(versions.digest_of, lock=ROOT / "requirements.lock")
"""What a job's code is: the source files behind these modules, and the pinned libraries behind those."""


PAIRS = {study: pairs(config, study) for study in config["studies"]}


wildcard_constraints:
    study="|".join(config["studies"]),
    instance="|".join(config["instances"]),
    label="|".join(config["algorithms"]),
    batch=r"\d+",
    module=r"[\w-]+",


def all_cores():
    """Threads of a job that nothing may run beside: all that the workflow was given, or one on machines of its own."""
    return workflow.resource_settings.cores or 1


def module_name(algorithm):
    """The module of an algorithm as file names have it: of those of the package its last part, own-... of others."""
    name = module_of(get_algorithm(algorithm))
    last = name.removeprefix("mnlbandits.algorithms.")
    return last if last != name else f"own-{name.replace('.', '-')}"


MODULES = {module_name(name): module_of(REGISTRY[name]) for name in REGISTRY}
"""Modules of algorithms by these names."""


def code_of(module):
    """A module of algorithms, as `digest_of` takes it."""
    return MODULES[module].removeprefix("mnlbandits.")


def algorithm_module(label):
    """The module of an algorithm label, as `digest_of` takes it."""
    return code_of(module_name(config["algorithms"][label]["algorithm"]))


ALGORITHM_MODULES = sorted({algorithm_module(label) for label in config["algorithms"]})


def kernels_of(wildcards):
    """The stamp of the loop that a study runs an algorithm with."""
    name = module_name(config["algorithms"][wildcards.label]["algorithm"])
    leaps = config["studies"][wildcards.study]["simulator"] == "leap"
    return f"<kernels>/{name}{'.leap' if leaps else ''}.compiled"


def kernels_with_calibration(algorithm):
    """The stamps of both loops of an algorithm that is calibrated round by round and played by leaps; of a yardstick, one."""
    kinds = (
        ["compiled"]
        if get_algorithm(algorithm).knows_theta
        else ["compiled", "leap.compiled"]
    )
    return [f"<kernels>/{module_name(algorithm)}.{kind}" for kind in kinds]


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


def used_instances():
    """All instances that a study or the diameter check uses, in the config's order."""
    lists = [study["instances"] for study in config["studies"].values()] + [
        config["diameter"]["instances"],
        config["cost"]["instances"],
    ]
    return [
        name for name in config["instances"] if any(name in names for names in lists)
    ]


def batches(study):
    """Batch numbers of a study."""
    return range(-(-study["runs"] // study["batch"]))


def batch_runs(wildcards):
    """Run indices of one batch."""
    study = config["studies"][wildcards.study]
    start = int(wildcards.batch) * study["batch"]
    return list(range(start, min(start + study["batch"], study["runs"])))


def play(wildcards):
    """What a study says of how to play."""
    study = config["studies"][wildcards.study]
    return {
        key: study[key]
        for key in ("simulator", "horizon", "learning_rounds", "step")
        if key in study
    }


def study_parts(wildcards):
    """Keys of the batches of a study, in the order in which they are collected."""
    return [
        {"instance": instance, "label": label, "batch": batch}
        for instance, label in PAIRS[wildcards.study]
        for batch in batches(config["studies"][wildcards.study])
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
    return files_of(entry["file"]) if "file" in entry else []


def caption(figure):
    """What the report says of a figure; a report's own captions cannot depend on a wildcard."""
    return (ROOT / "workflow" / "report" / f"{figure}.rst").read_text(encoding="utf-8")
