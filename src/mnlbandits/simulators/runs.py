"""Running an algorithm on an instance over seeds."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mnlbandits.algorithms import REGISTRY, Algorithm, get_algorithm, module_of
from mnlbandits.errors import NOTHING, InputError, require_choice, require_integer, require_probability
from mnlbandits.instances import Instance, make_instance
from mnlbandits.instances.action_sets import AllArms, Fresh, RandomSubsets, Sphere
from mnlbandits.instances.instance import LONGEST_COUNT
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator
from mnlbandits.simulators import counts, exact, leap
from mnlbandits.simulators.best_vector import with_best_vector
from mnlbandits.simulators.trace import Trace, empty_trace, recorder

if TYPE_CHECKING:
    import pandas as pd

SIMULATORS = ("exact", "counts", "leap")
MOST_RUNS = 10**6
"""Runs of one call, whose curves are all in memory."""

LONGEST_EXACT = 10**9
POINTS_PER_DECADE = 10
LEAP_RESOLUTION = 10**4
"""`counts.RESOLUTION` of an exploration before `leap`."""


@dataclass(frozen=True)
class Runs:
    """Results of the runs with indices `index` (M,) at the rounds `t` (P,).

    Attributes
    ----------
    regret : (M, P) cumulative pseudo-regret, the best mean on offer minus the mean of the arm played, summed over rounds.
    worst : (M, P) largest ratio of the confidence set up to t: above 1 if theta_* was ever outside, -1 if there was no set.
    theta : (M,) ratio for Theta if an exploration phase ended within the run, else nan.
    explored : (M, P) rounds so far of an exploration whose actions do not depend on outcomes; 0 of an algorithm without one.
    optimal : (M, P) sum of ``1/kappa_{*,t}`` over the rounds so far.
    tau, diameter, excess : rounds of exploration played, diam(Theta) and the certificate of its design; nan with `exact`.
    error : (M, P) bound on the error of `regret` that comes from playing in batches; None without `leap`.
    length : rounds that the exploration of Algorithm 1 takes, 1e18 if it takes more, also where the runs are shorter; nan of
        other algorithms.
    trace : what was played round by round, if `simulate` was asked for it.
    instance, algorithm, preset : names of what was played.
    """

    index: Array
    t: Array
    regret: Array
    worst: Array
    theta: Array
    explored: Array
    optimal: Array
    tau: float = math.nan
    diameter: float = math.nan
    excess: float = math.nan
    error: Array | None = None
    length: float = math.nan
    trace: Trace | None = None
    instance: str = ""
    algorithm: str = ""
    preset: str = ""

    @property
    def left(self) -> Array:
        """(M,) bool: whether a run played any round after its exploration; until then no action depends on outcomes."""
        return self.explored[:, -1] < self.t[-1]

    @property
    def regret_columns(self) -> dict[str, Array]:
        """Columns run, t, regret, explored, optimal, with `leap` also error: a number per run and checkpoint."""
        columns = {"run": np.repeat(self.index, len(self.t)), "t": np.tile(self.t, len(self.index))}
        columns |= {name: getattr(self, name).ravel() for name in ("regret", "explored", "optimal")}
        return columns | ({} if self.error is None else {"error": self.error.ravel()})

    @property
    def set_columns(self) -> dict[str, Array]:
        """Columns run, theta_ratio, worst_ratio, tau, diameter, excess: a number per run, at its end, nan what it lacks."""
        worst = np.where(self.worst[:, -1] >= 0, self.worst[:, -1], math.nan)
        of_all = {name: np.full(len(self.index), getattr(self, name)) for name in ("tau", "diameter", "excess")}
        return {"run": self.index, "theta_ratio": self.theta, "worst_ratio": worst} | of_all

    def regret_table(self) -> "pd.DataFrame":
        """`regret_columns` as a table."""
        import pandas as pd  # slow to import, and no job of the workflow needs it here

        return pd.DataFrame(self.regret_columns)

    def labelled_table(self, label: str | None = None) -> "pd.DataFrame":
        """`regret_table` with the columns instance, algorithm and preset; `label` in place of the algorithm's name."""
        label = f"{self.algorithm}-{self.preset}" if label is None else label
        return self.regret_table().assign(instance=self.instance, algorithm=label, preset=self.preset)

    def summary(self) -> "pd.DataFrame":
        """`set_columns` as a table."""
        import pandas as pd

        return pd.DataFrame(self.set_columns)


def checkpoints(first: int, last: int) -> Array:
    """Rounds from `first` to `last`, log-spaced with `POINTS_PER_DECADE`, both ends included; int64 if they fit."""
    count = math.ceil(POINTS_PER_DECADE * math.log10(max(last, 1) / max(first, 1))) + 1
    grid = np.rint(np.geomspace(float(first), float(last), max(count, 2)))
    if last <= LONGEST_COUNT:
        grid = grid.astype(np.int64)
    grid[0], grid[-1] = first, last
    return np.unique(grid)


def simulate(
    instance: Instance,
    algorithm: str,
    horizon: float,
    runs: int | Iterable[int] = 1,
    seed: int = 0,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
    simulator: str = "exact",
    delta: float = 0.05,
    learning_rounds: int = 0,
    step: float = 0.01,
    noise: str = "off",
    trace: bool = False,
    progress: Callable[[Sequence[int]], Any] = iter,
) -> Runs:
    """Simulate an algorithm on an instance, over runs that differ in their random numbers only.

    Parameters
    ----------
    instance : Instance
        It is played in units of its longest arm, see `Instance.unit`.
    algorithm : str
        Its name, one of ``mnlbandits.algorithms.REGISTRY``.
    horizon : float
        T in [1, 1e30]; it enters the constants. ``exact`` plays to T, at most 1e9.
    runs : int or iterable of int
        How many runs, or their indices >= 0: run i is the same whatever the others are.
    seed : int
        The study's seed >= 0.
    preset : str, optional
        The set of constants, one of the algorithm's; by default its first.
    options : mapping, optional
        Further options. ``calibrated`` constants need at least one multiplier, see `mnlbandits.calibrate`; the others are 1.
    simulator : str
        ``exact``, or ``counts`` for an algorithm with an exploration phase: that phase at once, exact in law up to
        `leap.JUST_BELOW`, to min(T, tau), followed by at most `learning_rounds` further rounds played one by one; ``leap``
        to T in batches, after an exploration phase as in `counts`.
    delta : float
        Failure level in (0, 1).
    learning_rounds : int
        Of ``counts``.
    step, noise : float, str
        Of ``leap``: the share of information in a batch, in (0, 1), and whether the outcomes of a batch are ``drawn`` or
        their expectation (``off``). Without noise there is one run; its regret is extrapolated to step 0.
    trace : bool
        Whether ``exact`` also keeps what was played in every round, at most `trace.LONGEST` in all runs.
    progress : callable
        Wraps the iteration over runs, e.g. a progress bar.

    Returns
    -------
    Runs

    Raises
    ------
    InputError
        Naming the argument that is not allowed.

    Examples
    --------
    >>> from mnlbandits import make_instance, simulate
    >>> instance = make_instance("example", "random", {"outcomes": 3, "dim": 2, "arms": 10})
    >>> runs = simulate(instance, "oful-mlogb", horizon=100, runs=20)
    >>> runs.regret.shape == (20, len(runs.t))
    True
    """
    options = dict(options or {})
    record = get_algorithm(algorithm)
    preset = record.presets[0] if preset is None else preset
    record.check(algorithm, preset, options)
    require_multiplier(record, preset, options)
    require_choice("simulator", simulator, SIMULATORS)
    seed, learning_rounds = require_integer("seed", seed, 0), require_integer("learning_rounds", learning_rounds, 0)
    instance = instance.unit
    if simulator == "exact" and instance.actions.kind == "continuous":
        instance = with_best_vector(instance)
    problem = instance.problem(horizon, delta)
    step, noise = require_probability("step", step), require_choice("noise", noise, leap.NOISE)
    if simulator == "counts" and instance.actions.kind == "continuous":
        raise InputError("simulator", simulator, "exact or leap: the instance's arms are a whole sphere or ball")
    if simulator == "exact":
        require_integer("horizon", horizon, 1, LONGEST_EXACT)
    elif simulator == "leap":
        leap.require_leaps(record, instance)
        problem = leap.problem_of(instance, problem)
    elif record.exploration is None:
        raise InputError("simulator", simulator, f"exact: {algorithm} has no exploration phase to skip")

    def fresh(run: int) -> Any:
        return record.begin(instance, problem, preset, options, seed, run)

    if not isinstance(runs, Iterable):
        runs = range(require_integer("runs", runs, 1, MOST_RUNS))
    runs = [require_integer("runs", run, 0) for run in runs]
    if trace and simulator != "exact":
        raise InputError("trace", trace, f"False with the simulator {simulator}, which does not play round by round")
    kept = empty_trace(instance, len(runs), problem.horizon) if trace else None
    if simulator == "leap":
        if noise == "off" and len(runs) != 1:
            raise InputError("runs", len(runs), "1: without noise all runs are the same")
        played = play_by_leaps(instance, record, fresh, problem.horizon, runs, seed, step, noise == "drawn", progress)
    else:
        play, last = (play_exactly, kept) if simulator == "exact" else (play_by_counts, learning_rounds)
        played = play(instance, record, fresh, problem.horizon, runs, seed, last, progress)
    played = replace(played, instance=instance.name, algorithm=algorithm, preset=preset)
    if record.exploration is None:
        return played
    ended = ~np.isnan(played.theta)
    if not ended.any():
        return replace(played, length=float(length_of(instance, record, fresh(0))))
    return replace(played, length=float(played.explored[ended][0, -1] if math.isnan(played.tau) else played.tau))


def require_multiplier(record: Algorithm, preset: str, options: dict[str, Any]) -> None:
    """Raise `InputError` for calibrated constants without any of their multipliers: there is no value that suits all."""
    names = record.multipliers
    if preset != "calibrated" or not names or any(name in options for name in names):
        return
    others = f" (or {', '.join(names[1:])}; one that is left out is 1)" if names[1:] else ""
    allowed = f"given with calibrated constants{others}; the table calibration.csv of a study holds values"
    raise InputError(f"{record.name}.{names[0]}", NOTHING, allowed)


SETS = {kind.kind: kind for kind in (AllArms(), RandomSubsets(1), Fresh(1, 2), Sphere())}
"""An example of every kind of action sets, for two arms of norm 1."""


def compile_loops(module: str, kind: str = "list") -> None:
    """Compile and cache the loop over a kind of action sets for every algorithm that a module defines and that plays it.

    The module is given by its whole name, or by its last part if it is one of this package.
    """
    instances = [make_instance("compile", "large-kappa-star", {"arms": 2, "outcomes": outcomes}) for outcomes in (3, 2)]
    instances = [replace(instance, actions=SETS[kind]) for instance in instances]
    for name, record in REGISTRY.items():
        if kind in record.kinds and module_of(record) in (module, f"mnlbandits.algorithms.{module}"):
            instance = next(instance for instance in instances if record.setting.holds(instance.rewards))
            if record.family:
                instance = make_instance("compile", record.family, {})
            common = {"runs": [0], "preset": record.presets[0], "options": full_radii(record, record.presets[0])}
            simulate(instance, name, 2, **common)
            if record.exploration is not None and kind == "list":
                simulate(instance, name, 1e18, **common, simulator="counts", learning_rounds=1)


def compile_leaps(module: str) -> None:
    """Compile and cache the loops of `leap` of every algorithm that a module defines, see `compile_loops`."""
    for name, record in REGISTRY.items():
        if record.batch is not None and module_of(record) in (module, f"mnlbandits.algorithms.{module}"):
            for grid in ("graded", "sphere") if record.batch.on_sphere else ("graded",):
                instance = make_instance("compile", "large-kappa-star", {"arms": 3, "outcomes": 2, "grid": grid})
                preset = "calibrated" if record.exploration else record.presets[0]
                options = {"exploration_multiplier": 1e-9} if record.exploration else full_radii(record, preset)
                simulate(instance, name, 4, [0], preset=preset, options=options, simulator="leap")


def full_radii(record: Algorithm, preset: str) -> dict[str, float]:
    """The multipliers of a preset, all 1."""
    return dict.fromkeys(record.multipliers, 1.0) if preset == "calibrated" else {}


def play_exactly(instance, record, fresh, horizon, runs, seed, trace, progress) -> Runs:
    """Every round of every run, kept in `trace` if there is one."""
    t = checkpoints(1, horizon)
    curves, ratios = new_curves(len(runs), t), np.full(len(runs), math.nan)
    for row, run in enumerate(progress(runs)):
        state, stream = fresh(run), generator("outcomes", seed, instance.name, run)
        sets, tally = generator("sets", seed, instance.name, run), exact.new_tally(len(instance.arms))
        keep = None if trace is None else recorder(trace, row, instance)
        follow(record, state, instance, stream, 0, tally, curves, row, sets, keep)
        if record.exploration is not None:
            ratios[row] = record.exploration.ratio(state, instance.theta)
    return Runs(np.array(runs), t, curves.regret, curves.worst, ratios, curves.explored, curves.optimal, trace=trace)


class Curves(NamedTuple):
    """What is recorded of every run at the rounds `t` (P,): arrays (M, P)."""

    t: Array
    regret: Array
    worst: Array
    explored: Array
    optimal: Array


def new_curves(runs: int, t: Array) -> Curves:
    """Nothing recorded yet, no set in any round."""
    curves = Curves(t, *np.zeros((4, runs, len(t))))
    curves.worst[:] = -1.0
    return curves


class Explored(NamedTuple):
    """An exploration at its checkpoints `t` (P,): `pulls` (P, N), the last design, and whether it `finished` by then."""

    t: Array
    pulls: Array
    design: counts.Design
    finished: bool

    @property
    def diameter(self) -> float:
        """diam(Theta), nan if there is none yet."""
        return float(self.design.diameters[-1]) if self.finished else math.nan


def explore(instance, record, state, horizon, resolution=counts.RESOLUTION) -> Explored:
    """The exploration phase at once, to `horizon` at most."""
    plan = record.exploration.plan(state)
    end = min(horizon, plan.tau)
    stops = checkpoints(1, end) if end else np.array([0])
    design = counts.explore(instance.arms, plan, stops, resolution)
    t, first = np.unique(design.t, return_index=True)
    return Explored(t, design.pulls[first], design, t[-1] >= plan.tau or design.largest[-1] <= plan.target)


def length_of(instance, record, state) -> int:
    """Rounds that an exploration takes, to a share of 1 / `LEAP_RESOLUTION` where its diameter ends it."""
    plan = record.exploration.plan(state)
    return plan.tau if plan.target == 0 else explore(instance, record, state, plan.tau, LEAP_RESOLUTION).t[-1]


def play_by_counts(instance, record, fresh, horizon, runs, seed, learning_rounds, progress) -> Runs:
    """The exploration at once, then `learning_rounds` rounds one by one."""
    phase = explore(instance, record, fresh(0), horizon)
    tau, finished = int(phase.t[-1]), phase.finished
    last = min(horizon, tau + learning_rounds) if finished else tau
    learnt = np.unique(tau + checkpoints(1, last - tau)) if last > tau else np.zeros(0, dtype=np.int64)
    played = slice(int(tau == 0), None)  # an exploration of no rounds has no checkpoint
    explored, explored_regret = phase.t[played], (phase.pulls * instance.gaps).sum(axis=1)[played]
    t = np.concatenate([explored, learnt])
    curves, ratios = new_curves(len(runs), t), np.full(len(runs), math.nan)
    curves.regret[:, : len(explored)] = explored_regret
    curves.explored[:] = np.minimum(t, tau)
    curves.optimal[:] = t * slope_of_best(instance)
    after = Curves(t[len(explored) :], *(array[:, len(explored) :] for array in curves[1:]))
    for row, run in enumerate(progress(runs) if finished else ()):
        state = fresh(run)
        drawn = counts.draw_outcomes(instance, phase.pulls[-1], generator("counts", seed, instance.name, run))
        record.exploration.finish(state, phase.design.matrix, drawn)
        ratios[row] = record.exploration.ratio(state, instance.theta)
        tally = exact.new_tally(len(instance.arms), phase.pulls[-1].copy())
        stream = generator("outcomes", seed, instance.name, run)
        follow(record, state, instance, stream, tau, tally, after, row)
    arrays = (curves.regret, curves.worst, ratios, curves.explored, curves.optimal)
    return Runs(np.array(runs), t, *arrays, float(tau), phase.diameter, phase.design.excess)


def play_by_leaps(instance, record, fresh, horizon, runs, seed, step, drawn, progress) -> Runs:
    """The exploration at once, if there is one, then batches to the horizon, at `step` and at half of it.

    Of the exploration's regret the error is the largest difference that a coarser resolution makes: among designs that
    explore equally well the steps decide which one is played.
    """
    phase, spent_error = None, 0.0
    if record.exploration is not None:
        phase, *coarser = (explore(instance, record, fresh(0), horizon, LEAP_RESOLUTION // part) for part in (1, 2, 3, 4))
        spent_error = np.max([np.abs((phase.pulls - other.pulls) @ instance.gaps) for other in coarser], axis=0)
    tau = 0 if phase is None else int(phase.t[-1])
    learns = tau < horizon and (phase is None or phase.finished)
    stops = checkpoints(1, horizon - tau) if learns else np.zeros(0)
    before = 0 if tau == 0 else len(phase.t)
    t = np.concatenate([phase.t, tau + stops]) if before else stops
    regret, halved, optimal = np.zeros((3, len(runs), len(t)))
    if before:
        regret[:, :before] = halved[:, :before] = (phase.pulls * instance.gaps).sum(axis=1)
        optimal[:, :before] = phase.t * slope_of_best(instance)
    ratios, explored = np.full(len(runs), math.nan), np.tile(np.minimum(t, float(tau)), (len(runs), 1))
    for row, run in enumerate(progress(runs) if learns else ()):
        for part, table in ((1, regret), (2, halved)):
            state, pulls = fresh(run), np.zeros(len(instance.arms))
            stream = generator(f"leap {part}", seed, instance.name, run)
            if phase is not None:
                pulls += phase.pulls[-1]
                outcomes = counts.draw_outcomes(instance, phase.pulls[-1], stream) if drawn else expected(instance, pulls)
                record.exploration.finish(state, phase.design.matrix, outcomes)
                ratios[row] = record.exploration.ratio(state, instance.theta)

            def watch(column, since, state=state, row=row):
                place = (row, before + column)
                optimal[place] = tau * slope_of_best(instance) + since
                if phase is None and record.rounds_explored is not None:
                    rounds, played = float(record.rounds_explored(state)), t[before + column]
                    explored[place] = played if math.isclose(rounds, played) else rounds  # a rounded sum of pulls

            table[row, before:] = leap.follow(record, state, instance, tau, stops, pulls, step / part, stream, drawn, watch)
    value, error = extrapolate(regret, halved, drawn)
    if before:
        error += np.concatenate([spent_error, np.full(len(stops), spent_error[-1])])
    worst, columns = np.full(value.shape, -1.0), np.array(runs)
    if phase is None:
        return Runs(columns, t, value, worst, ratios, explored, optimal, error=error)
    return Runs(columns, t, value, worst, ratios, explored, optimal, float(tau), phase.diameter, phase.design.excess, error)


def expected(instance: Instance, pulls: Array) -> Array:
    """Expected outcome counts (N, K) of `pulls` (N,), rounded."""
    return np.rint(pulls[:, None] * instance.probabilities).astype(np.int64)


def extrapolate(regret: Array, halved: Array, drawn: bool) -> tuple[Array, Array]:
    """Regret (M, P) and a bound on its error, from that with a step and that with half of it.

    The error is of first order in the step, so their difference is about what the half step still has; without noise it is
    taken off (Richardson), and its size kept as the bound. With drawn outcomes the half step's regret stays as it is; the
    bound is the mean difference plus two of its standard errors, of all runs, or the difference of a single run.
    """
    difference = halved - regret
    rounding = 1e-12 * np.abs(halved)
    if not drawn:
        return halved + difference, np.abs(difference) + rounding
    spread = difference.std(axis=0, ddof=1) / math.sqrt(len(difference)) if len(difference) > 1 else 0.0
    return halved, np.abs(difference.mean(axis=0)) + 2 * spread + rounding


def follow(record, state, instance, stream, t, tally, curves, row, sets=None, keep=None) -> None:
    """Play one run from round t through the rounds of `curves`, filling its row."""
    for column, stop in enumerate(curves.t):
        exact.advance(record, state, instance, stream, t, int(stop), tally, sets, keep)
        t = int(stop)
        curves.regret[row, column] = (tally.pulls * instance.gaps).sum() + tally.regret[0]
        curves.worst[row, column] = tally.worst[0]
        stays = instance.actions.kind in ("list", "continuous")
        curves.optimal[row, column] = t * slope_of_best(instance) if stays else tally.optimal[0]
        if record.rounds_explored is not None:
            curves.explored[row, column] = record.rounds_explored(state)


def slope_of_best(instance: Instance) -> float:
    """1/kappa_{*,t} where all arms are on offer."""
    return float(instance.inverse_kappa_stars[np.argmin(instance.gaps)])
