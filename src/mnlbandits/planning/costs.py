"""What jobs cost, by those of a study that was measured.

A job costs as the measured one that is most like it: of the same rule and words, and nearest in work and size. If it plays
more rounds one by one, each takes what was timed of its algorithm and constants; of all other jobs what they take beyond
their start grows in proportion to their work. Both grow with K, d and the number of arms by powers timed of the algorithm.
"""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from mnlbandits.errors import InputError
from mnlbandits.planning.jobs import Jobs, Key
from mnlbandits.planning.rounds import SMALL
from mnlbandits.results import read_table

FOLDER = Path(__file__).parent
MEASURED, ROUNDS = FOLDER / "measured.csv", FOLDER / "rounds.csv"
"""The tables of the package, which `make costs` writes."""

MANY = 10
"""A rule of so many measured jobs has a start of its own: the seconds of the least of them."""

ROW, ENOUGH = 1e-4, 10**5
"""MB that a row takes in memory at least, twice its six numbers; and rows from which on a measurement tells how much."""

FILES = {
    "run_algorithm": "work/{name}/{0}/{1}/{2}/*.parquet",
    "collect_runs": "results/{name}/runs/{0}.*",
    "measure_coverage": "results/{name}/tables/{0}*",
    "collect_claims": "results/{name}/claims/*",
    "render_figure": "figures/{name}/{0}.*",
    "execute_notebook": "results/{name}/notebooks/{0}.html",
    "make_site": "results/{name}/site/**/*",
}
"""Where the files lie that take room, by the rules that write them; the others' are small."""

TELLING = {"run_algorithm": 3, "compile_kernels": 2}
"""How many of the wildcards of these rules tell jobs apart; others are the batch, and a digest of code."""

KEY = ["rule", "what", "K", "d", "arms", "work", "rows"]


class Cost(NamedTuple):
    """Of one job: processor time (s), resident memory (MB), files (MB)."""

    seconds: float
    memory: float
    disk: float


def measured_table(name: str, jobs: Mapping[Key, Jobs], benchmarks: pd.DataFrame, folder: Path | str = ".") -> pd.DataFrame:
    """The costs of a study's jobs, a row for those that are alike: `KEY`, seconds, memory, disk.

    Parameters
    ----------
    name : of the study. jobs : of its config, see `mnlbandits.planning.jobs.jobs_of`.
    benchmarks : of all or some of them, as `mnlbandits.benchmarks.read_benchmarks` gives them; other jobs are passed over.
    folder : where the study was run.
    """
    rows = []
    for rule, job, cpu, wall, memory in benchmarks[["rule", "job", "cpu_seconds", "seconds", "memory"]].itertuples(
        index=False
    ):
        key = key_of(rule, job)
        if key in jobs:
            made = jobs[key]
            files = Path(folder).glob(FILES[rule].format(*key[1:], name=name)) if rule in FILES else ()
            disk = sum(path.stat().st_size for path in files) / 1e6 / made.count
            seconds = wall if math.isnan(cpu) else cpu
            rows.append([rule, " ".join(made.what), *made.size, made.work, made.rows, seconds, memory, disk])
    table = pd.DataFrame(rows, columns=[*KEY, "seconds", "memory", "disk"])
    return table.groupby(KEY, as_index=False, sort=True).agg({"seconds": "mean", "memory": "max", "disk": "mean"})


def key_of(rule: str, job: str) -> Key:
    """The key of a job, by how its benchmark is called."""
    return (rule, *(job.split(".")[: TELLING.get(rule)] if job else ()))


class Costs:
    """The costs of jobs by tables as `measured_table` and `mnlbandits.planning.rounds.rounds_table` make them.

    Raises
    ------
    InputError : on asking for the cost of a rule of which nothing was measured.
    """

    def __init__(self, measured: pd.DataFrame, rounds: pd.DataFrame) -> None:
        self.alike: dict[tuple[str, ...], list[tuple]] = {}
        for row in measured.fillna({"what": ""}).itertuples():
            for words in openings(row.rule, row.what.split()):
                self.alike.setdefault(words, []).append(row)
        least, counts = measured.groupby("rule")["seconds"].min(), measured["rule"].value_counts()
        self.starts = {rule: least[rule] if counts[rule] >= MANY else least.min() for rule in least.index}
        self.powers = {row.algorithm: (row.K, row.d, row.arms) for row in rounds.itertuples()}
        self.usual = tuple(rounds[["K", "d", "arms"]].median())
        self.timed = {(row.algorithm, row.preset): row.microseconds / 1e6 for row in rounds.itertuples()}
        self.unknown = rounds["microseconds"].median() / 1e6
        held = measured[measured["rows"] > 0]
        self.per_row = {rule: slope(group["rows"], group["memory"]) for rule, group in held.groupby("rule")}
        self.of = cache(self.of)

    def of(self, rule: str, what: tuple[str, ...], size: tuple[int, ...], work: float, rows: float) -> Cost:
        """The cost of each of some `Jobs` of a rule, which have these attributes; raises as the class does."""
        if rule not in self.starts:
            measured = ", ".join(self.starts)
            raise InputError("costs", rule, f"a rule that was measured, one of {measured}; `make costs` measures")
        words = next(words for words in reversed(openings(rule, what)) if words in self.alike)
        row = min(self.alike[words], key=lambda row: far((row.work, row.K, row.d, row.arms), (work, *size)))
        old, start = (row.K, row.d, row.arms), min(self.starts[rule], row.seconds)
        if rule == "run_algorithm" and what[0] != "leap":
            seconds = row.seconds + work * self.round(what, size) - row.work * self.round(what, old)
        else:
            seconds = start + (row.seconds - start) * work / row.work * self.grown(what, size, old)
        more = max(0.0, rows - row.rows) * self.per_row.get(rule, ROW)
        disk = row.disk * max(1.0, rows / row.rows) if row.rows else row.disk
        return Cost(max(start, seconds), row.memory + more, disk)

    def grown(self, what: tuple[str, ...], size: tuple[int, ...], old: tuple[int, ...]) -> float:
        """By which factor a round costs more at one size than at another."""
        powers = next((self.powers[word] for word in what if word in self.powers), self.usual)
        ratios = (new / before for new, before in zip(size, old, strict=True))
        return math.prod(ratio**power for ratio, power in zip(ratios, powers, strict=True))

    def round(self, what: tuple[str, ...], size: tuple[int, ...]) -> float:
        """Seconds of a round of a run; of an algorithm that was not timed, those of the median one."""
        _, algorithm, _, preset = what
        return self.timed.get((algorithm, preset), self.unknown) * self.grown(what, size, tuple(SMALL.values()))

    def each(self, jobs: Mapping[Key, Jobs]) -> dict[Key, Cost]:
        """The cost of each job of every key."""
        return {key: self.of(key[0], made.what, made.size, made.work, made.rows) for key, made in jobs.items()}


def openings(rule: str, what: Iterable[str]) -> list[tuple[str, ...]]:
    """The rule, and the rule with the first words, ever more of them."""
    return list(accumulate((word,) for word in (rule, *what)))


def far(one: Iterable[float], other: Iterable[float]) -> float:
    """How far apart two jobs are: the logarithms of the ratios of their works and sizes."""
    return sum(abs(math.log(a / b)) for a, b in zip(one, other, strict=True))


def slope(rows: pd.Series, memory: pd.Series) -> float:
    """Memory (MB) that a row takes: the least-squares slope, at least `ROW`; that too, where all jobs have few rows."""
    return max(ROW, float(np.polyfit(rows, memory, 1)[0])) if rows.nunique() > 1 and rows.max() >= ENOUGH else ROW


def packaged() -> Costs:
    """The costs that the package carries."""
    return Costs(read_table(MEASURED, "costs"), read_table(ROUNDS, "rounds"))
