"""What a build takes: jobs, rounds, core-hours, memory, disk, and wall time on many cores."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mnlbandits.planning.costs import Cost
from mnlbandits.planning.jobs import Jobs, Key

CORES = (1, 16, 256, 4096)


class Profile(NamedTuple):
    """What running a job takes besides the job, in seconds.

    Attributes
    ----------
    submit : of the one Snakemake that runs the build, for each job; it does one after the other.
    start : of the core that runs the job, where a Snakemake of its own starts it.
    wait : between the end of what a job waits for and its start, on idle cores.
    """

    submit: float
    start: float
    wait: float


PROFILES = {"local": Profile(0.3, 0.0, 0.0), "slurm": Profile(0.3, 6.7, 40.0), "generic": Profile(0.3, 6.7, 10.0)}
"""`submit` and `start` are processor time, measured on a study of 138 jobs and on a job of the full one.

`wait` is not measured: it is how long executors, left as they are, let pass before they look after a job; a queue adds more.
"""


class Wall(NamedTuple):
    """Wall time (h) on some cores: no schedule takes less than `least`, none that leaves no core idle more than `most`."""

    cores: int
    least: float
    most: float


class Plan(NamedTuple):
    """What a build takes.

    Attributes
    ----------
    jobs, rounds : how many; rounds that are played one by one, without those of calibrations and of claims.
    core_hours : of all jobs with their starts. memory : MB of the largest job. disk : GB of all files.
    largest, longest : the job that takes most memory, and that which takes longest, of `longest_hours`.
    chain, chain_hours : the number of jobs of the longest chain that wait for one another, and what it takes.
    walls : on `CORES`. rules : by rule, jobs and core_hours, the dearest first.
    """

    jobs: int
    rounds: float
    core_hours: float
    memory: float
    disk: float
    largest: str
    longest: str
    longest_hours: float
    chain: int
    chain_hours: float
    walls: list[Wall]
    rules: dict[str, tuple[int, float]]


def plan_of(jobs: Mapping[Key, Jobs], costs: Mapping[Key, Cost], profile: Profile) -> Plan:
    """What the jobs take.

    Parameters
    ----------
    jobs : each after those that it waits for, see `mnlbandits.planning.jobs.jobs_of`.
    costs : of each job of every key.
    """
    took = {key: (costs[key].seconds + profile.start) / 3600 for key in jobs}
    rules: dict[str, tuple[int, float]] = {}
    for key, made in jobs.items():
        count, hours = rules.get(key[0], (0, 0.0))
        rules[key[0]] = count + made.count, hours + made.count * took[key]
    number, core_hours = (sum(column) for column in zip(*rules.values(), strict=True))
    chain, chain_hours = longest_chain(jobs, {key: hours + profile.wait / 3600 for key, hours in took.items()})
    submitting = number * profile.submit / 3600
    largest, longest = max(jobs, key=lambda key: costs[key].memory), max(jobs, key=took.__getitem__)
    return Plan(
        number,
        sum(made.rounds for made in jobs.values()),
        core_hours,
        costs[largest].memory,
        sum(made.count * costs[key].disk for key, made in jobs.items()) / 1e3,
        called(largest),
        called(longest),
        took[longest],
        chain,
        chain_hours,
        [wall_on(cores, core_hours, chain_hours, submitting) for cores in CORES],
        dict(sorted(rules.items(), key=lambda item: -item[1][1])),
    )


def called(key: Key) -> str:
    """The name of a job, as its benchmark has it."""
    return "/".join([key[0], *([".".join(key[1:])] if key[1:] else [])])


def longest_chain(jobs: Mapping[Key, Jobs], hours: Mapping[Key, float]) -> tuple[int, float]:
    """The chain of jobs that takes longest: how many, and how long."""
    ends: dict[Key, tuple[float, int]] = {}
    for key, made in jobs.items():
        before, count = max((ends[other] for other in made.after), default=(0.0, 0))
        ends[key] = before + hours[key], count + 1
    last, count = max(ends.values())
    return count, last


def wall_on(cores: int, work: float, chain: float, submitting: float) -> Wall:
    """Wall time by the bounds of Graham (1969) for jobs that wait for one another, with what submitting them takes.

    Parameters
    ----------
    work : core-hours of all jobs. chain : hours of the longest chain. submitting : hours that submitting takes.
    """
    return Wall(cores, max(work / cores, chain, submitting), work / cores + (1 - 1 / cores) * chain + submitting)


def as_record(plan: Plan) -> dict[str, Any]:
    """A plan as JSON has it."""
    walls = [wall._asdict() for wall in plan.walls]
    rules = [{"rule": rule, "jobs": count, "core_hours": hours} for rule, (count, hours) in plan.rules.items()]
    return plan._asdict() | {"walls": walls, "rules": rules}
