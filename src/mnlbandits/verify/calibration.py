"""Calibration: a search for the smallest multiplier of a radius with which the set covers theta_* in all rounds of a run.

A multiplier passes if Wald's sequential test of "the coverage is at most 1 - delta" against "it is 1 - delta/3 or more"
ends in favour of the latter: one of the former passes with probability at most `ERROR`, one of the latter fails with
probability at most `ERROR`. The search tests start, start/`STEP`, start/`STEP`^2, ... on fresh runs until one fails, and
returns the last that passed. Its coverage is below 1 - delta only if the first multiplier with too little coverage passed,
so with probability at most `ERROR` (testing in a fixed sequence needs no correction). The start comes from a pilot; if it
fails itself, the search starts again from twice as high, which may err as often once more.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mnlbandits.algorithms import get_algorithm
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.model.softmax import Array
from mnlbandits.simulators.runs import Runs, simulate

if TYPE_CHECKING:
    import pandas as pd

ERROR = 0.05
STEP = 1.08
MARGIN = 1.35
"""Start of the search over the pilot's multiplier."""

BLOCK = 20
"""Runs played at once."""

PILOT_RUNS, PILOT_ROUNDS = 60, 2
LONGEST = 10**6
"""Rounds within which there has to be a set."""

Ratios = Callable[[float, range], Array]
"""Largest ratios (M,) of the confidence set of the runs with these indices, with the radius times the multiplier.

Negative if there was none: such a run counts as one that is not covered, as it shows nothing about a set.
"""


class Found(NamedTuple):
    """Result of a search.

    Attributes
    ----------
    multiplier : in (0, 1]. passed : whether it passed its test; False only at 1, where the search ends: the full radius does
        not cover.
    tests, runs : multipliers tested, and runs played in all.
    error : bound on the probability that the multiplier has a coverage below 1 - delta.
    """

    multiplier: float
    passed: bool
    tests: int
    runs: int
    error: float


BOUND = math.log((1 - ERROR) / ERROR)
"""Evidence, a log likelihood ratio, with which Wald's test ends."""


def gain(delta: float) -> float:
    """The evidence of a run that is covered; one that is not counts -log 3."""
    return math.log((1 - delta / 3) / (1 - delta))


def lots(delta: float) -> Iterator[tuple[int, int]]:
    """Numbers of runs, [start, stop), to play at once: blocks, cut where a test may first fail, and first pass."""
    start, cuts = 0, (math.ceil(BOUND / math.log(3)), math.ceil(BOUND / gain(delta)))
    while True:
        stop = min(end for end in (*cuts, start - start % BLOCK + BLOCK) if end > start)
        yield start, stop
        start = stop


def covers(outcomes: Iterator[bool], delta: float) -> tuple[bool, int]:
    """Wald's test on a stream of "covered": the verdict, and how many it took."""
    evidence = 0.0
    for count, covered in enumerate(outcomes, start=1):
        evidence += gain(delta) if covered else -math.log(3)
        if abs(evidence) >= BOUND:
            return evidence > 0, count
    raise AssertionError("the stream does not end")


def find_multiplier(ratios: Ratios, delta: float, pilot: float = 1.0) -> Found:
    """The search, see the module's docstring; `pilot` is where its pilot begins.

    Runs are numbered from 0 on and never used twice.
    """
    estimate, first, tests = pilot, 0, 0
    for _ in range(PILOT_ROUNDS):
        largest = float(np.quantile(ratios(estimate, range(first, first + PILOT_RUNS)), 1 - delta / 2))
        first += PILOT_RUNS
        if largest <= 0:
            raise InputError("calibration.horizon", "one without any confidence set", "long enough for one")
        estimate *= min(largest, 1 / estimate)

    def outcomes(multiplier: float) -> Iterator[bool]:
        nonlocal first, played
        for start, stop in lots(delta):
            lot = ratios(multiplier, range(first + start, first + stop))
            played += stop - start
            yield from (lot >= 0) & (lot <= 1)

    played, start, best, error = first, min(1.0, MARGIN * estimate), None, 0.0
    while best is None:
        multiplier, error = start, error + ERROR
        while True:
            tests += 1
            passed, count = covers(outcomes(multiplier), delta)
            first += BLOCK * math.ceil(count / BLOCK)
            if not passed:
                break
            best, multiplier = multiplier, multiplier / STEP
        if start == 1.0:
            break
        start = min(1.0, 2 * start)
    return Found(1.0 if best is None else best, best is not None, tests, played, error)


def calibration_table(
    instance: Instance,
    algorithm: str,
    horizon: int,
    long_horizon: int,
    delta: float,
    seed: int,
    options: Mapping[str, Any] | None = None,
) -> "pd.DataFrame":
    """The multipliers of the ``calibrated`` preset, a row per option; `options` are further ones, which stay as they are.

    An algorithm with an exploration of its own (Algorithm 1) gets `exploration_multiplier` for Theta first, at the horizon
    `long_horizon`, then `radius_multiplier` for C_t over `horizon` rounds of learning; all others get the same multiplier
    for each of their radii, over `horizon` rounds, or `horizon` rounds from where the full radii first leave a set.

    Columns: option, the fields of `Found`, and rounds of a run.

    Raises
    ------
    InputError : the algorithm has no ``calibrated`` preset, an exploration does not end within `long_horizon`, or there is
        no set within `LONGEST` rounds.
    """
    record = get_algorithm(algorithm)
    names = record.multipliers
    options = dict(options or {})
    record.check(algorithm, "calibrated", options | dict.fromkeys(names, 1.0))
    common = {"seed": seed, "preset": "calibrated", "delta": delta}
    if record.exploration is None:

        def played(multiplier: float, runs: range) -> Runs:
            return simulate(instance, algorithm, rounds, runs, options=options | dict.fromkeys(names, multiplier), **common)

        rounds = horizon
        while (covered := played(1.0, range(1))).worst[0, -1] < 0:
            rounds *= 2
            if rounds > LONGEST:
                raise InputError("calibration.horizon", horizon, f"such that {algorithm} has a set within {LONGEST} rounds")
        if rounds > horizon:
            rounds = horizon + int(covered.t[np.argmax(covered.worst[0] >= 0)])
        found = find_multiplier(lambda multiplier, runs: played(multiplier, runs).worst[:, -1], delta)
        return table_of(dict.fromkeys(names, found), dict.fromkeys(names, rounds))

    common |= {"simulator": "counts", "horizon": long_horizon}

    def theta(multiplier: float, runs: range) -> Array:
        chosen = options | {"exploration_multiplier": multiplier}
        played = simulate(instance, algorithm, runs=runs, options=chosen, **common)
        if np.isnan(played.theta).any():
            allowed = (
                f"longer than the exploration of {algorithm} on {instance.name}, which takes {played.length:.3g} rounds "
                f"with {multiplier:.3g} of its radius, or calibrated {algorithm} left out"
            )
            raise InputError("calibration.long_horizon", long_horizon, allowed)
        return played.theta

    def learnt(multiplier: float, runs: range) -> Array:
        chosen = options | {"exploration_multiplier": first.multiplier, "radius_multiplier": multiplier}
        return simulate(instance, algorithm, runs=runs, options=chosen, learning_rounds=horizon, **common).worst[:, -1]

    first = find_multiplier(theta, delta, pilot=0.01)
    found = {"exploration_multiplier": first, "radius_multiplier": find_multiplier(learnt, delta)}
    return table_of(found, {"exploration_multiplier": long_horizon, "radius_multiplier": horizon})


def calibrate(
    instance: Instance,
    algorithm: str,
    horizon: int = 2000,
    long_horizon: int = 10**9,
    delta: float = 0.05,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
) -> dict[str, float]:
    """The smallest multipliers with which the ``calibrated`` confidence sets of an algorithm cover theta_* on an instance.

    That is in all rounds of a run, in a share of at least 1 - delta of the runs; they are found by sequential tests on some
    thousands of runs, and the coverage is below 1 - delta with probability at most 0.05, or that as often again as a first
    start of the search was too low, see `calibration_table`.

    Parameters
    ----------
    instance : Instance
        What it is calibrated on: nothing is known of other instances.
    algorithm : str
        Its name; it needs a ``calibrated`` preset.
    horizon : int
        Rounds of a run, >= 1; of learning, after an exploration phase.
    long_horizon : int
        Rounds within which an exploration phase has to end.
    delta : float
        In (0, 1).
    seed : int
        >= 0, another one than that of the runs that are to be played with the multipliers.
    options : mapping, optional
        Further options, which stay as they are.

    Returns
    -------
    dict
        `options` with a multiplier for each radius, to be given to `simulate` or `bandit` with ``preset="calibrated"``.

    Raises
    ------
    InputError
        An argument is not allowed, or even the full radius does not cover.

    Examples
    --------
    >>> from mnlbandits import calibrate, make_instance
    >>> instance = make_instance("example", "random", {"outcomes": 2, "dim": 2, "arms": 5})
    >>> 0 < calibrate(instance, "glb-omd", horizon=50)["radius_multiplier"] <= 1
    True
    """
    table = calibration_table(instance, algorithm, horizon, long_horizon, delta, seed, options)
    if not table["passed"].all():
        raise InputError("algorithm", algorithm, f"one whose full radius covers theta_* on {instance.name}")
    return {**(options or {}), **multipliers_of(table)}


def multipliers_of(table: "pd.DataFrame") -> dict[str, float]:
    """The options of a run with the multipliers of a table of `calibration_table`."""
    return dict(zip(table["option"], table["multiplier"], strict=True))


def table_of(found: Mapping[str, Found], rounds: Mapping[str, int]) -> "pd.DataFrame":
    """A row per option: its name, then the fields of what was found, then its rounds."""
    import pandas as pd  # slow to import, and a job that only plays a multiplier does without

    return pd.DataFrame([{"option": name} | result._asdict() | {"rounds": rounds[name]} for name, result in found.items()])
