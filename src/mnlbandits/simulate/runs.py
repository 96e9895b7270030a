"""Running an algorithm on an instance over seeds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mnlbandits.algorithms import REGISTRY, get_algorithm
from mnlbandits.errors import InputError, require_choice, require_integer
from mnlbandits.instances import Instance, make_instance
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator
from mnlbandits.simulate import counts, exact

SIMULATORS = ("exact", "counts")
LONGEST_EXACT = 10**9
POINTS_PER_DECADE = 10


@dataclass(frozen=True)
class Runs:
    """Results of the runs with indices `index` (M,) at the rounds `t` (P,).

    Attributes
    ----------
    regret : (M, P) cumulative pseudo-regret, the best mean on offer minus the mean of the arm played, summed over rounds.
    worst : (M, P) largest ratio of the confidence set up to t: above 1 if theta_* was ever outside, -1 if there was no set.
    theta : (M,) ratio for Theta if an exploration phase ended within the run, else nan.
    tau, diameter, excess : length of the exploration, diam(Theta) and the certificate of its design; nan without `counts`.
    """

    index: Array
    t: Array
    regret: Array
    worst: Array
    theta: Array
    tau: float = math.nan
    diameter: float = math.nan
    excess: float = math.nan

    def regret_table(self) -> pd.DataFrame:
        """Columns run, t, regret: one row per run and checkpoint."""
        columns = {"run": np.repeat(self.index, len(self.t)), "t": np.tile(self.t, len(self.index))}
        return pd.DataFrame(columns | {"regret": self.regret.ravel()})

    def summary(self) -> pd.DataFrame:
        """Columns run, theta_ratio, worst_ratio, tau, diameter, excess: one row per run, at its end."""
        columns = {"run": self.index, "theta_ratio": self.theta, "worst_ratio": self.worst[:, -1]}
        return pd.DataFrame(columns | {"tau": self.tau, "diameter": self.diameter, "excess": self.excess})


def checkpoints(first: int, last: int) -> Array:
    """Rounds from `first` to `last`, log-spaced with `POINTS_PER_DECADE`, int64, both ends included."""
    count = math.ceil(POINTS_PER_DECADE * math.log10(max(last, 1) / max(first, 1))) + 1
    grid = np.rint(np.geomspace(first, last, max(count, 2))).astype(np.int64)
    grid[0], grid[-1] = first, last
    return np.unique(grid)


def simulate(
    instance: Instance,
    algorithm: str,
    horizon: float,
    runs: Sequence[int],
    seed: int = 0,
    preset: str = "paper",
    options: dict[str, Any] | None = None,
    simulator: str = "exact",
    delta: float = 0.05,
    learning_rounds: int = 0,
    progress: Callable[[Sequence[int]], Any] = iter,
) -> Runs:
    """Simulate the runs with the given indices.

    Parameters
    ----------
    horizon : T in [1, 1e18]; it enters the constants. `exact` plays to T, at most 1e9.
    runs : run indices >= 0; run i is the same whatever the others are.
    seed : the study's seed >= 0.
    preset, options : constants of the algorithm.
    simulator : ``exact``, or ``counts`` for an algorithm with an exploration phase: that phase at once, exact in law, to
        min(T, tau), followed by at most `learning_rounds` further rounds played one by one.
    delta : failure level in (0, 1).
    progress : wraps the iteration over runs, e.g. a progress bar.

    Raises
    ------
    InputError : naming the argument that is not allowed.
    """
    options = options or {}
    record = get_algorithm(algorithm)
    record.check(algorithm, preset, options)
    require_choice("simulator", simulator, SIMULATORS)
    seed, learning_rounds = require_integer("seed", seed, 0), require_integer("learning_rounds", learning_rounds, 0)
    problem = instance.problem(horizon, delta)
    if simulator == "exact":
        require_integer("horizon", horizon, 1, LONGEST_EXACT)
    elif record.exploration is None:
        raise InputError("simulator", simulator, f"exact: {algorithm} has no exploration phase to skip")

    def fresh(run: int) -> Any:
        return record.begin(instance, problem, preset, options, seed, run)

    runs = [require_integer("runs", run, 0) for run in runs]
    play = play_exactly if simulator == "exact" else play_by_counts
    return play(instance, record, fresh, problem.horizon, runs, seed, learning_rounds, progress)


def compile_algorithms(module: str) -> None:
    """Compile and cache the loop of every algorithm that ``mnlbandits.algorithms.<module>`` defines."""
    instances = [make_instance("compile", "large-kappa-star", {"arms": 2, "outcomes": outcomes}) for outcomes in (3, 2)]
    for name, record in REGISTRY.items():
        if record.start.__module__ == f"mnlbandits.algorithms.{module}":
            instance = next(instance for instance in instances if record.setting.holds(instance.rewards))
            simulate(instance, name, 2, [0], preset=record.presets[0])


def play_exactly(instance, record, fresh, horizon, runs, seed, learning_rounds, progress) -> Runs:
    """Every round of every run."""
    del learning_rounds
    t = checkpoints(1, horizon)
    regret, worst = np.zeros((len(runs), len(t))), np.full((len(runs), len(t)), -1.0)
    ratios = np.full(len(runs), math.nan)
    for row, run in enumerate(progress(runs)):
        state, stream = fresh(run), generator("outcomes", seed, instance.name, run)
        sets = generator("sets", seed, instance.name, run) if instance.offered else None
        pulls = np.zeros(len(instance.arms), dtype=np.int64)
        follow(record, state, instance, stream, 0, t, pulls, regret[row], worst[row], sets)
        if record.exploration is not None:
            ratios[row] = record.exploration.ratio(state, instance.theta)
    return Runs(np.array(runs), t, regret, worst, ratios)


def play_by_counts(instance, record, fresh, horizon, runs, seed, learning_rounds, progress) -> Runs:
    """The exploration at once, then `learning_rounds` rounds one by one."""
    plan = record.exploration.plan(fresh(0))
    end = min(horizon, plan.tau)
    design = counts.explore(instance.arms, plan, checkpoints(1, end) if end else np.array([0]))
    explored, first = np.unique(design.t, return_index=True)
    pulls = design.pulls[first]
    tau = int(explored[-1])
    finished = tau >= plan.tau or design.largest[-1] <= plan.target
    last = min(horizon, tau + learning_rounds) if finished else tau
    learnt = np.unique(tau + checkpoints(1, last - tau)) if last > tau else np.zeros(0, dtype=np.int64)
    played = slice(int(tau == 0), None)  # an exploration of no rounds has no checkpoint
    explored, explored_regret = explored[played], (pulls * instance.gaps).sum(axis=1)[played]
    t = np.concatenate([explored, learnt])
    regret, worst = np.zeros((len(runs), len(t))), np.full((len(runs), len(t)), -1.0)
    regret[:, : len(explored)] = explored_regret
    ratios = np.full(len(runs), math.nan)
    for row, run in enumerate(progress(runs) if finished else ()):
        state = fresh(run)
        drawn = counts.draw_outcomes(instance, pulls[-1], generator("counts", seed, instance.name, run))
        record.exploration.finish(state, design.matrix, drawn)
        ratios[row] = record.exploration.ratio(state, instance.theta)
        stream = generator("outcomes", seed, instance.name, run)
        after = slice(len(explored), None)
        follow(record, state, instance, stream, tau, learnt, pulls[-1].copy(), regret[row, after], worst[row, after])
    diameter = float(design.diameters[-1]) if finished else math.nan
    return Runs(np.array(runs), t, regret, worst, ratios, float(tau), diameter, design.excess)


def follow(record, state, instance, stream, t, stops, pulls, regret, worst, sets=None) -> None:
    """Play one run from round t through the rounds `stops`, filling its rows `regret` and `worst`."""
    largest = np.array([-1.0])
    for column, stop in enumerate(stops):
        exact.advance(record, state, instance, stream, t, int(stop), pulls, largest, sets)
        t = int(stop)
        regret[column], worst[column] = (pulls * instance.gaps).sum(), largest[0]
