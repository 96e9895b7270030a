# ruff: noqa: D102  a method of `Build` has the name of its rule
"""The jobs of a build, as the rules of the workflow make them of a config, without Snakemake."""

from collections.abc import Iterable, Mapping
from shutil import which
from typing import Any, NamedTuple

from mnlbandits.algorithms import get_algorithm
from mnlbandits.config import (
    FIGURES_OF_OTHERS,
    NOTEBOOKS,
    PANELS,
    PLAYED_BY_CLAIMS,
    TYPESET_OF_OTHERS,
    batches,
    calibrated_and_played,
    calibration_of,
    figures_of,
    kinds_of_sets,
    module_name,
    playing,
    to_be_calibrated,
    to_calibrate,
    to_run,
    typeset_of,
    used_instances,
)
from mnlbandits.instances import build_instance
from mnlbandits.planning import work

Key = tuple[str, ...]
"""A job: its rule and its wildcards, without the number of the batch."""

TABLES_BY: Mapping[str, tuple[str, ...]] = {
    "runs": (),
    "regret": ("aggregate_regret", "profile_regret"),
    "comparison": ("aggregate_regret", "profile_regret", "rank_algorithms"),
    "coverage": ("measure_coverage",),
    "horizon": ("aggregate_horizon",),
    "changing": ("aggregate_changing",),
    "transfer": ("aggregate_transfer",),
    "crossovers": ("collect_crossovers",),
    "exploration": ("measure_exploration",),
    "trigger": ("measure_trigger",),
    "exponents": ("fit_exponents",),
    "scaling": ("fit_scaling",),
    "family": ("collect_family",),
    "diameter": ("verify_diameter",),
    "frameworks": ("compare_frameworks",),
    "kappa": ("verify_kappa",),
    "kappa_star": ("verify_kappa_star",),
}
"""The rules that make the tables of a study, by its kind."""


class Jobs(NamedTuple):
    """Jobs that are alike: one, or one a batch.

    Attributes
    ----------
    after : what they wait for.
    what : words for whose costs they have, the most telling first.
    size : K, d and the number of arms of what they play; 1 where they play none, or several.
    work : what each does, in the units of `mnlbandits.planning.work`.
    rows : of the tables that each holds in memory; 0 where they are few.
    rounds : that all play, one by one. count : how many jobs.
    """

    after: Iterable[Key] = ()
    what: tuple[str, ...] = ()
    size: tuple[int, int, int] = (1, 1, 1)
    work: float = 1.0
    rows: float = 0.0
    rounds: float = 0.0
    count: int = 1


def jobs_of(config: Mapping[str, Any]) -> dict[Key, Jobs]:
    """The jobs of the build of a whole config, each after those that it waits for.

    Raises
    ------
    InputError : an instance cannot be made.
    """
    build, found = Build(config), {}
    waiting = [(("tabulate_rules",), False)]
    while waiting:
        key, ready = waiting.pop()
        if ready:
            found[key] = build.jobs(key)
        elif key not in found:
            waiting += [(key, True), *((other, False) for other in build.jobs(key).after if other not in found)]
    return found


def kernels(loops: Iterable[tuple[str, str]]) -> list[Key]:
    """The jobs that compile these loops of algorithms."""
    return [("compile_kernels", module_name(algorithm), loop) for algorithm, loop in loops]


class Build:
    """The jobs that a config knows of: a method a rule, which takes its wildcards."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.config, self.studies, self.parts = config, config["studies"], to_run(config)
        self.played, self.sets = playing(config), kinds_of_sets(config)
        self.cells = to_be_calibrated(config, self.played)
        self.built = [*self.parts, *(["calibration"] if self.cells else [])]
        figures, typeset = dict(FIGURES_OF_OTHERS), dict(TYPESET_OF_OTHERS)
        for name, study in self.studies.items():
            figures[name], typeset[name] = figures_of(name, study), typeset_of(name, study)
        self.drawn = {name: (part, how[0]) for part in self.built for name, how in figures.get(part, {}).items()}
        self.typeset = {name: part for part in self.built for name in typeset.get(part, {})}
        self.made: dict[Key, Jobs] = {}

    def jobs(self, key: Key) -> Jobs:
        """The jobs of a key."""
        if key not in self.made:
            rule, *wildcards = key
            self.made[key] = getattr(self, rule)(*wildcards)
        return self.made[key]

    def size(self, instance: str) -> tuple[int, int, int]:
        """K, d and the number of arms of an instance."""
        built = build_instance(instance, self.config["instances"][instance])
        return built.outcomes, built.dim, len(built.arms)

    def instances(self, study: str) -> list[Key]:
        """The instances of a study."""
        return [("generate_instance", name) for name in self.studies[study]["instances"]]

    def rows(self, *studies: str) -> float:
        """Rows of all runs of some studies."""
        chosen = [(len(self.played[name]), self.studies[name]) for name in studies if self.played[name]]
        return sum(plays * study["runs"] * work.points(study["horizon"]) for plays, study in chosen)

    def tables(self, part: str) -> list[Key]:
        """The jobs that make the tables of a part of the build."""
        if part in self.studies:
            return [(rule, part) for rule in TABLES_BY[self.studies[part]["kind"]]]
        return {"calibration": [("collect_calibration",)], "claims": [("collect_claims",), ("picture_claims",)]}.get(
            part, []
        )

    def compile_kernels(self, module: str, loop: str) -> Jobs:
        return Jobs(what=(loop, module))

    def generate_instance(self, instance: str) -> Jobs:
        return Jobs(what=(self.config["instances"][instance].get("family", "file"),))

    def calibrate(self, instance: str, label: str) -> Jobs:
        algorithm, sets = self.config["algorithms"][label]["algorithm"], self.sets[instance]
        after = [*kernels([(algorithm, sets)]), ("generate_instance", instance)]
        rounds = self.config["calibration"]["horizon"] / self.config["delta"]
        return Jobs(after, (algorithm, sets), self.size(instance), rounds)

    def collect_calibration(self) -> Jobs:
        return Jobs([("calibrate", *cell) for cell in self.cells])

    def run_algorithm(self, study: str, instance: str, label: str) -> Jobs:
        settings, entry = self.studies[study], self.config["algorithms"][label]
        algorithm, simulator = entry["algorithm"], settings["simulator"]
        sets = self.sets[instance]
        after = [*kernels([(algorithm, "leap" if simulator == "leap" else sets)]), ("generate_instance", instance)]
        after += [("calibrate", *calibration_of(self.config, instance, label))] if to_calibrate(entry) else []
        runs, count = min(settings["batch"], settings["runs"]), len(batches(settings))
        return Jobs(
            after,
            (simulator, algorithm, sets, entry["preset"]),
            self.size(instance),
            settings["runs"] / count * work.work_of_run(settings),
            runs * work.points(settings["horizon"]),
            settings["runs"] * work.rounds_of_run(settings),
            count,
        )

    def collect_runs(self, study: str) -> Jobs:
        return self.aggregated([("run_algorithm", study, *pair) for pair in self.played[study]], study)

    def aggregated(self, after: Iterable[Key], *studies: str) -> Jobs:
        """A job that reads all runs of some studies."""
        rows = self.rows(*studies)
        return Jobs(list(after), work=max(1.0, rows), rows=rows)

    def aggregate_regret(self, study: str) -> Jobs:
        return self.aggregated([("collect_runs", study)], study)

    def rank_algorithms(self, study: str) -> Jobs:
        return self.aggregated([("aggregate_regret", study)], study)

    def profile_regret(self, study: str) -> Jobs:
        return self.aggregated([("collect_runs", study), *self.instances(study)], study)

    aggregate_changing = aggregate_horizon = aggregate_transfer = profile_regret

    def measure_coverage(self, study: str) -> Jobs:
        counted = [name for name in (*self.studies[study]["also"], study) if self.played[name]]
        return self.aggregated([("collect_runs", name) for name in counted], *counted)

    def find_crossovers(self, study: str, outcomes: str) -> Jobs:
        settings = self.studies[study]
        loops = [(name, "leap") for name in ("real", *settings["rivals"])]
        return Jobs(kernels(loops), size=(int(outcomes), 1, settings["arms"]), work=work.crossovers(settings))

    def collect_crossovers(self, study: str) -> Jobs:
        return Jobs([("find_crossovers", study, str(outcomes)) for outcomes in self.studies[study]["outcomes"]])

    def measure_exploration(self, study: str) -> Jobs:
        return Jobs(work=work.exploration(self.studies[study]))

    def measure_trigger(self, study: str) -> Jobs:
        return Jobs(work=self.studies[study]["seeds"] * self.studies[study]["horizon"])

    def measure_exponents(self, study: str, algorithm: str) -> Jobs:
        return Jobs(kernels([(algorithm, "leap")]), (algorithm,), work=work.exponents(self.studies[study]))

    def fit_exponents(self, study: str) -> Jobs:
        return Jobs([("measure_exponents", study, algorithm) for algorithm in self.studies[study]["algorithms"]])

    def measure_scaling(self, study: str, algorithm: str) -> Jobs:
        return Jobs(kernels(calibrated_and_played(algorithm)), (algorithm,), work=work.scaling(self.studies[study]))

    def fit_scaling(self, study: str) -> Jobs:
        return Jobs([("measure_scaling", study, algorithm) for algorithm in self.studies[study]["algorithms"]])

    def measure_family(self, study: str, algorithm: str) -> Jobs:
        settings, exact = self.studies[study], get_algorithm(algorithm).knows_theta
        units = (1 + len(settings["spreads"])) * work.family(settings, settings["grids"], exact)
        what = ("exact" if exact else "leap", algorithm)
        return Jobs(kernels(calibrated_and_played(algorithm)), what, work=units)

    def measure_pairs(self, study: str, label: str) -> Jobs:
        settings, entry = self.studies[study], self.config["algorithms"][label]
        algorithm = entry["algorithm"]
        exact = get_algorithm(algorithm).knows_theta
        units = work.family(settings, settings["pairs"]["grids"], exact)
        what = ("exact" if exact else "leap", algorithm, entry["preset"])
        return Jobs(kernels(calibrated_and_played(algorithm)), what, work=units)

    def collect_family(self, study: str) -> Jobs:
        settings = self.studies[study]
        signs = [("measure_family", study, algorithm) for algorithm in settings["algorithms"]]
        return Jobs([*signs, *(("measure_pairs", study, label) for label in settings["pairs"]["algorithms"])])

    def verify_diameter(self, study: str) -> Jobs:
        return Jobs([*kernels([("real", "list")]), *self.instances(study)], work=len(self.studies[study]["instances"]))

    def compare_frameworks(self, study: str) -> Jobs:
        settings = self.studies[study]
        return Jobs(kernels([("oful-mlogb", "list")]), work=settings["runs"] * settings["horizon"])

    def verify_kappa(self, study: str) -> Jobs:
        return Jobs(work=len(self.studies[study]["outcomes"]) * len(self.studies[study]["radii"]))

    def verify_kappa_star(self, study: str) -> Jobs:
        return Jobs(work=len(self.studies[study]["outcomes"]) * len(self.studies[study]["norms"]))

    def examine_claims(self, part: str) -> Jobs:
        return Jobs(kernels(PLAYED_BY_CLAIMS.get(part, ())), (self.config["claims"]["effort"], part))

    def collect_claims(self) -> Jobs:
        return Jobs([("examine_claims", part) for part in self.config["claims"]["parts"]])

    def picture_claims(self) -> Jobs:
        effort = self.config["claims"]["effort"]
        return Jobs(kernels([("real", "leap")]) if effort == "full" else (), (effort,))

    def typeset_errata(self) -> Jobs:
        return Jobs([("collect_claims",)])

    def measure_cost(self) -> Jobs:
        cost = self.config["cost"]
        after = [*kernels((name, "list") for name in cost["algorithms"])]
        return Jobs([*after, *(("generate_instance", name) for name in cost["instances"])], work=len(cost["algorithms"]))

    def make_table1(self) -> Jobs:
        return Jobs([("measure_cost",), ("aggregate_regret", self.config["cost"]["comparison"])])

    def execute_notebook(self, notebook: str) -> Jobs:
        return Jobs(kernels(NOTEBOOKS[notebook]), (notebook,))

    def render_figure(self, figure: str) -> Jobs:
        part, module = self.drawn[figure]
        panels = len(self.instances(part)) if module in PANELS else 1
        return Jobs(self.tables(part), (module,), work=panels)

    def render_table(self, table: str) -> Jobs:
        return Jobs(self.tables(self.typeset[table]))

    def make_site(self) -> Jobs:
        after = [("render_figure", name) for name in self.drawn]
        after += [table for part in self.built for table in self.tables(part)]
        after += [("make_table1",)] if "cost" in self.parts else []
        return Jobs(after + ([("execute_notebook", name) for name in NOTEBOOKS] if "notebooks" in self.parts else []))

    def tabulate_rules(self) -> Jobs:
        after = [("generate_instance", name) for name in used_instances(self.config)]
        after += [("render_table", name) for name in self.typeset]
        after += [("typeset_errata",)] if "claims" in self.parts and which("pdflatex") else []
        return Jobs([*after, ("make_site",)])
