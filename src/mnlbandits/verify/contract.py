"""The contract of an algorithm, checked from outside: what simulators, studies and readers rely on.

Every check plays small instances, is the same in every run, and says in one line what is wrong. Only that of the coverage is
statistical: an algorithm whose sets cover with probability 1 - delta fails it with probability `FALSE_ALARM` at most.
"""

import inspect
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from numba.core.dispatcher import Dispatcher
from scipy import stats

from mnlbandits.algorithms import Algorithm, get_algorithm, load, module_of
from mnlbandits.algorithms.registry import LOADED, error_of
from mnlbandits.compiled import interpreted
from mnlbandits.driver import parts_of, put_back, snapshot
from mnlbandits.errors import InputError, Words, shown
from mnlbandits.instances import Instance
from mnlbandits.simulators import exact
from mnlbandits.simulators.runs import full_radii, simulate
from mnlbandits.verify.cost import microseconds_per_round
from mnlbandits.verify.small_plays import (
    DELTA,
    ROUNDS,
    cases,
    cumulative_of,
    first_difference,
    fresh,
    instances_for,
    play,
    play_of,
    uniforms,
)

RELABELLED, AGREEMENT = 200, 0.9
"""Rounds of a relabelled play, and the share of their last half that must have the same arm: ties may decide in others."""

RUNS, LENGTH = 60, 200
"""Runs and rounds of the coverage on every instance."""

FALSE_ALARM = 1e-3

COST_AT = 1000
"""Rounds before the cost of one is measured."""


BETWEEN = 47
"""Rounds played between two equal runs: with their own they make a prime number, which no shorter period divides."""


class Breach(Exception):
    """What is wrong, in words."""


class Checked(NamedTuple):
    """A check that was made: its name, whether the algorithm passed, and what there is to say."""

    name: str
    passed: bool
    text: str


def contract(
    algorithm: Algorithm, recorded: Mapping[str, str] | None = None, progress: Callable[..., Any] = iter
) -> Iterator[Checked]:
    """Make all checks of an algorithm of the registry, one after another; after a broken interface no other is made.

    Parameters
    ----------
    recorded : lines of `golden_line` by their keys; what is played is compared with them.
    progress : wraps the iteration over what a check plays.
    """
    first = checked("interface", partial(interface, algorithm, progress), algorithm)
    yield first
    if not first.passed:
        return
    yield checked("determinism", partial(determinism, algorithm, progress), algorithm)
    yield checked("resumption", partial(resumption, algorithm), algorithm)
    yield checked("compiled", partial(as_interpreted, algorithm), algorithm)
    yield checked("relabelling", partial(relabelling, algorithm), algorithm)
    yield checked("coverage", partial(coverage, algorithm, progress), algorithm)
    for preset in algorithm.presets:
        yield checked(f"golden {preset}", partial(golden, algorithm, preset, recorded), algorithm)
    yield checked("cost", partial(cost, algorithm), algorithm)


def checked(name: str, check: Callable[[], str], algorithm: Algorithm) -> Checked:
    """The outcome of a check, which returns what there is to say; any error of the algorithm is a breach."""
    try:
        return Checked(name, True, check())
    except (Breach, InputError) as error:
        return Checked(name, False, str(error))
    except Exception as error:  # whatever the algorithm raises
        return Checked(name, False, shown(Words(error_of(algorithm, error))))


def interface(algorithm: Algorithm, progress: Callable[..., Any] = iter) -> str:
    """Functions can be called as the simulators do, and give what they should, with every preset on every instance."""
    multipliers = dict.fromkeys([option.name for option in algorithm.options], 0)
    own = multipliers | ({"generator": 0} if algorithm.randomised else {})
    require_call("start", algorithm.start, ("problem", "preset"), own)
    require_call("choose", algorithm.choose, ("state", "t"))
    require_call("update", algorithm.update, ("state", "t", "arm", "outcome"))
    if algorithm.ratio is not None:
        require_call("ratio", algorithm.ratio, ("state", "t", "theta"))
    for instance, preset in progress(cases(algorithm)):
        follow(algorithm, instance, preset)
    return f"{ROUNDS} rounds with every preset: {', '.join(algorithm.presets)}"


def require_call(name: str, function: Callable, arguments: tuple[str, ...], options: Mapping[str, Any] | None = None):
    """Raise `Breach` unless the function can be called with these arguments, and these options by name."""
    signature = inspect.signature(interpreted(function))
    try:
        signature.bind(*arguments, **(options or {}))
    except TypeError as error:
        call = ", ".join((*arguments, *(f"{option}=..." for option in options or {})))
        raise Breach(f"{name}{signature} cannot be called as {name}({call}): {error}") from None


def follow(algorithm: Algorithm, instance: Instance, preset: str) -> None:
    """Play, and raise `Breach` for the first thing that is not as it should be."""
    state, cumulative, theta = fresh(algorithm, instance, preset), cumulative_of(instance), instance.theta.copy()
    if type(state) is not algorithm.state:
        raise Breach(f"start returns {shown(state)}, must return a {algorithm.state.__name__}")
    list(parts_of(state))
    for t, uniform in enumerate(uniforms(instance), start=1):
        arm = algorithm.choose(state, t)
        if isinstance(arm, bool) or not isinstance(arm, Integral) or not 0 <= arm < len(instance.arms):
            raise Breach(f"choose returns {shown(arm)} in round {t}, must return an arm, 0 to {len(instance.arms) - 1}")
        returned = algorithm.update(state, t, arm, exact.outcome_of(cumulative[arm], uniform))
        if returned is not None:
            raise Breach(f"update returns {shown(returned)}: no state is replaced, it must change the arrays of the state")
        value = -1.0 if algorithm.ratio is None else algorithm.ratio(state, t, theta)
        if isinstance(value, bool) or not isinstance(value, Real) or math.isnan(value):
            raise Breach(f"ratio returns {shown(value)} in round {t}, must return a number, -1 where there is no set")


def determinism(algorithm: Algorithm, progress: Callable[..., Any] = iter) -> str:
    """A run is the same whenever it is played, and whatever was played before."""
    for instance, preset in progress(cases(algorithm)):
        before = play(algorithm, instance, preset, run=1)
        list(islice(play_of(algorithm, instance, fresh(algorithm, instance, preset), run=0), BETWEEN))
        differs = first_difference(before, play(algorithm, instance, preset, run=1))
        if differs:
            why = "nothing may outlive a run, and chance comes from the `generator` that `start` gets with randomised=True"
            raise Breach(f"a run that is played again has another arm in round {differs}: {why}")
    return f"the same {ROUNDS} arms when played again"


def resumption(algorithm: Algorithm) -> str:
    """A play that is saved half-way and resumed from its arrays goes on as if nothing had happened."""
    for instance, preset in cases(algorithm):
        state, arms = fresh(algorithm, instance, preset, run=1), []
        for t, arm in enumerate(play_of(algorithm, instance, state, run=1), start=1):
            arms.append(arm)
            if t == ROUNDS // 2:
                saved = snapshot(state)
        resumed = fresh(algorithm, instance, preset)
        put_back(resumed, saved)
        differs = first_difference(arms[ROUNDS // 2 :], play_of(algorithm, instance, resumed, run=1, first=ROUNDS // 2))
        if differs:
            raise Breach(
                f"a play that is saved after round {ROUNDS // 2} and resumed has another arm in round "
                f"{ROUNDS // 2 + differs}: all that changes must be in arrays of the state, or its generator"
            )
    return f"saved after {ROUNDS // 2} rounds and resumed, the same arms"


def as_interpreted(algorithm: Algorithm) -> str:
    """Compiled functions play what the same functions play as Python, where a wrong index is an error."""
    if not isinstance(algorithm.choose, Dispatcher):
        return "nothing to compare: choose is not compiled"
    instance, preset = instances_for(algorithm)[0], algorithm.presets[0]
    file = next((str(path) for path, name in LOADED.items() if name == module_of(algorithm)), "")
    code = "import sys; from mnlbandits.verify.contract import print_play; print_play(*sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, file, algorithm.name, preset],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Breach(f"interpreted, {done.stderr.strip().splitlines()[-1].removeprefix('mnlbandits.errors.InputError: ')}")
    arms = [int(word) for word in done.stdout.split()]
    differs = first_difference(play(algorithm, instance, preset), arms)
    if differs:
        raise Breach(f"interpreted, another arm is played in round {differs}")
    return f"the same {ROUNDS} arms interpreted"


def print_play(file: str, name: str, preset: str) -> None:
    """Print the arms that an algorithm, of a file if one is named, plays on its first instance."""
    if file:
        load(file)
    algorithm = get_algorithm(name)
    sys.stdout.write(" ".join(map(str, play(algorithm, instances_for(algorithm)[0], preset))))


def relabelling(algorithm: Algorithm) -> str:
    """Other numbers for the outcomes, or for the arms, change no choice, but for a start in which numbers may decide.

    Both plays see the same: the arms that the first chooses, and their outcomes.
    """
    if algorithm.randomised or algorithm.knows_theta or algorithm.family:
        return "not asked of one that draws, knows theta_*, or plays one family"
    instance = instances_for(algorithm)[0]
    learns = (
        each for each in algorithm.presets if play(algorithm, instance, each) != play(algorithm, instance, each, run=1)
    )
    preset = next(learns, None)
    if preset is None:
        return f"nothing to compare: its arms do not depend on outcomes in {ROUNDS} rounds"
    count, outcomes = len(instance.arms), instance.outcomes
    same_arms, same_outcomes = np.arange(count), np.arange(outcomes)
    require_same(algorithm, instance, preset, same_arms, np.roll(same_outcomes, 1), "outcomes")
    require_same(algorithm, instance, preset, np.roll(same_arms, 2), same_outcomes, "arms")
    return "other numbers of arms and outcomes, the same play"


def require_same(
    algorithm: Algorithm, instance: Instance, preset: str, arms: np.ndarray, outcomes: np.ndarray, what: str
) -> None:
    """Raise `Breach` unless `AGREEMENT` holds when the numbers are those of permutations of the arms and the outcomes."""
    twin = Instance(
        instance.name,
        instance.theta[outcomes],
        instance.arms[arms],
        instance.rewards[outcomes],
        instance.norm_bound,
        instance.convention,
    )
    state, other = fresh(algorithm, instance, preset), fresh(algorithm, twin, preset)
    new_arm, new_outcome, cumulative, different = np.argsort(arms), np.argsort(outcomes), cumulative_of(instance), 0
    for t, uniform in enumerate(uniforms(instance, rounds=RELABELLED), start=1):
        arm, chosen = algorithm.choose(state, t), algorithm.choose(other, t)
        outcome = exact.outcome_of(cumulative[arm], uniform)
        algorithm.update(state, t, arm, outcome)
        algorithm.update(other, t, int(new_arm[arm]), int(new_outcome[outcome]))
        different += t > RELABELLED // 2 and chosen != new_arm[arm]
    if different > (1 - AGREEMENT) * RELABELLED / 2:
        raise Breach(f"with other numbers for the {what} it chooses another arm in {different} of {RELABELLED // 2} rounds")


def coverage(algorithm: Algorithm, progress: Callable[..., Any] = iter) -> str:
    """The set holds theta_* in all rounds of a run with probability 1 - delta, as far as `RUNS` runs can tell."""
    if algorithm.ratio is None:
        return "no confidence set: it has no ratio"
    preset, found = "valid" if "valid" in algorithm.presets else algorithm.presets[0], []
    instances = instances_for(algorithm)
    for instance in instances:
        options = full_radii(algorithm, preset)
        runs = simulate(
            instance, algorithm.name, LENGTH, range(RUNS), preset=preset, options=options, delta=DELTA, progress=progress
        )
        worst = runs.worst[:, -1]
        sets, missed = int((worst >= 0).sum()), int((worst > 1).sum())
        found.append(f"{sets - missed} of {sets} runs on {instance.name}" if sets else f"no set on {instance.name}")
        if missed and stats.binom.sf(missed - 1, sets, DELTA) <= FALSE_ALARM / len(instances):
            raise Breach(
                f"with {preset} constants theta_* leaves the set in {missed} of {sets} runs of {LENGTH} rounds on "
                f"{instance.name}, delta = {DELTA} (false alarm: {FALSE_ALARM:.1%})"
            )
    return f"{preset} constants, theta_* inside all {LENGTH} rounds: {', '.join(found)} (false alarm: {FALSE_ALARM:.1%})"


def golden_line(algorithm: Algorithm, preset: str) -> tuple[str, str]:
    """Name and preset, and the arms of the first rounds, to compare other versions with."""
    return f"{algorithm.name} {preset}", " ".join(map(str, play(algorithm, instances_for(algorithm)[0], preset)))


def golden(algorithm: Algorithm, preset: str, recorded: Mapping[str, str] | None = None) -> str:
    """The play is the recorded one, if there is a record."""
    key, arms = golden_line(algorithm, preset)
    if recorded is None:
        return arms
    if key not in recorded:
        raise Breach("it is not in the record; delete the file to make one anew")
    before = recorded[key].split()
    if len(before) != ROUNDS:
        raise Breach(f"the record has {len(before)} rounds, must have {ROUNDS}")
    differs = first_difference(before, arms.split())
    if differs:
        raise Breach(f"round {differs} has arm {arms.split()[differs - 1]}, was {before[differs - 1]} in the record")
    return "as recorded"


def cost(algorithm: Algorithm) -> str:
    """What a round costs, beside uniform play, after as many rounds without an arm that does not exist."""
    instance, preset = instances_for(algorithm)[0], algorithm.presets[0]
    simulate(instance, algorithm.name, COST_AT, preset=preset, options=full_radii(algorithm, preset))
    own = microseconds_per_round(algorithm.name, instance, COST_AT, preset)
    uniform = microseconds_per_round("uniform", instance, COST_AT, "none")
    return f"{own:.3g} microseconds a round after {COST_AT}, {own / uniform:.3g} times uniform play"
