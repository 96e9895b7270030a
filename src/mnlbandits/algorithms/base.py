"""What an algorithm is.

An algorithm is a record of functions over a state, a `NamedTuple` of arrays (change them in place) and numbers:

- ``start(problem, preset, **options) -> state``;
- ``choose(state, t) -> arm`` for the round t = 1, 2, ...;
- ``update(state, t, arm, outcome)`` after the outcome of round t;
- ``ratio(state, t, theta)``, optional: the distance of theta (K, d) from the centre of the algorithm's confidence set after
  round t, over its radius; above 1 means outside, below 0 that there is no set in this round.

An algorithm plays the same list of arms in every round. Fields of its state say that it plays other action sets too, see
`mnlbandits.instances.action_sets`; the simulator writes into them before it calls ``choose``:

- ``offered``, an (N,) array of bool that starts as True: subsets of the list; those on offer in this round;
- ``arms`` beside it, (N, d): fresh vectors; those of this round, of which the first N_t are offered and the rest are 0.

With fields ``arms`` and ``search`` it plays the unit sphere and the unit ball. There ``arms`` is (1, d): ``choose`` writes
the vector that it plays into it, and returns what ``update`` then gets as the arm. ``search`` is not None, and its
``certificate[0]`` bounds how far the index of that vector is below the supremum over the set, up to rounding.

Written in plain NumPy they run interpreted; decorated with ``numba.njit`` the same functions run compiled.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mnlbandits.algorithms.options import Option
from mnlbandits.errors import InputError, require_choice, require_known_keys
from mnlbandits.instances import Instance, Problem
from mnlbandits.seeds import generator

PRESETS = {
    "paper": "paper's constants",
    "valid": "valid constants",
    "calibrated": "calibrated constants",
    "custom": "constants of one's own",
    "none": "no constants",
}
"""Names of the presets, and how figures and tables call them."""


RADIUS = Option("radius_multiplier", "factor on the valid radius")
DATA = Option("data", "suffstat: one row per arm; stream: one row per round", choices=("suffstat", "stream"))


UNABLE = {
    "subsets": "its state has no field `offered`",
    "fresh": "its state has no fields `arms` and `offered`",
    "continuous": "not the paper's limit: here its index is maximised over finite sets",
}
"""Why an algorithm does not play a kind of action sets, if its paper has no reason."""


def only_fixed(reason: str) -> dict[str, str]:
    """`Algorithm.refuses` of one that does not play sets that change."""
    return {"subsets": reason, "fresh": reason}


@dataclass(frozen=True)
class Setting:
    """Which instances an algorithm can be played on: those whose rewards rho (K,) have ``holds(rho)``."""

    name: str
    condition: str
    holds: Callable[[Any], bool]


BINARY = Setting("binary", "an instance with 2 outcomes", lambda rewards: len(rewards) == 2)


MULTINOMIAL = Setting("multinomial", "any instance", lambda rewards: True)


class ExplorationPlan(NamedTuple):
    """An exploration by the greedy design of Algorithm 1: it ends after `tau` rounds, or once the score is <= `target`."""

    kappa: float
    ridge: float
    tau: int
    target: float
    theta_radius: float


@dataclass(frozen=True)
class Exploration:
    """How to skip an exploration phase whose actions do not depend on outcomes.

    Attributes
    ----------
    plan : state -> ExplorationPlan.
    finish : (state, design A (d, d), counts (N, K)) -> None; puts the state where round tau would have left it.
    ratio : (state, theta (K, d)) -> distance of theta from the centre of Theta over the radius of Theta.
    """

    plan: Callable[[Any], ExplorationPlan]
    finish: Callable[[Any, Any, Any], None]
    ratio: Callable[[Any, Any], float]


@dataclass(frozen=True)
class Batch:
    """How the ``leap`` simulator plays an arm many times at once.

    Attributes
    ----------
    pull : (state, t, arm, counts (K,)) -> None; `update` for all of the last rounds up to t, in which `arm` showed each
        outcome `counts` times (real numbers).
    information : (state, arm) -> float; the relative growth, by one pull of the arm chosen last, of the matrices that its
        estimate and its bonus rest on.
    on_sphere : whether its rounds only call `mirror_descent.learn` of ``state.learner``: it can play the whole sphere.
    """

    pull: Callable[[Any, float, int, Any], None]
    information: Callable[[Any, int], float]
    on_sphere: bool = False


@dataclass(frozen=True)
class Algorithm:
    """One bandit algorithm.

    Attributes
    ----------
    name : the name in configs and on the command line.
    title : the name in figures and tables.
    source : where it comes from.
    state : the class of its state, a `NamedTuple` of its own.
    presets : the names of its sets of constants. ``paper``: as printed. ``valid``: the tightest with a derivation at hand.
        ``calibrated``: with multipliers that the config states. ``none``: it has no constants.
    start, choose, update, ratio : see the module's docstring.
    options : further keyword arguments of `start`, which has all of them but the multipliers given.
    setting : the instances it can be played on.
    row : its row in the paper's Table 1, counted from 1; 0 if it has none.
    regret, cost : its regret bound and its cost per round as a function of t, as printed in Table 1 or its source, in LaTeX.
    mark : how sure we are that steps and constants are the published ones, in a few words.
    exploration : how the ``counts`` simulator may skip its exploration, if it has one.
    batch : how the ``leap`` simulator may play many rounds at once, if its index has a closed form.
    rounds_explored : state -> rounds so far of an exploration whose actions do not depend on outcomes, if it has one (as
        with `exploration`).
    knows_theta : a yardstick that `start` gives the whole instance. family : the only one that it plays, if there is one.
    refuses : by kind of action sets that its paper does not let it play, the reason.
    randomised : `start` also gets ``generator``, a stream that belongs to the run.
    """

    name: str
    title: str
    source: str
    state: type
    presets: tuple[str, ...]
    start: Callable[..., Any]
    choose: Callable[[Any, int], int]
    update: Callable[[Any, int, int, int], None]
    ratio: Callable[[Any, int, Any], float] | None = None
    options: tuple[Option, ...] = ()
    setting: Setting = MULTINOMIAL
    row: int = 0
    regret: str = ""
    cost: str = ""
    mark: str = ""
    exploration: Exploration | None = None
    batch: Batch | None = None
    rounds_explored: Callable[[Any], float] | None = None
    knows_theta: bool = False
    family: str = ""
    randomised: bool = False
    refuses: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of action sets that it plays."""
        fields = set(self.state._fields)
        plays = {"subsets": "offered" in fields, "fresh": {"offered", "arms"} <= fields}
        plays["continuous"] = {"arms", "search"} <= fields
        return ("list", *(kind for kind, able in plays.items() if able))

    def refusal(self, kind: str) -> str:
        """Why it does not play a kind of action sets; empty if it does."""
        return "" if kind in self.kinds else self.refuses.get(kind, UNABLE[kind])

    @property
    def multipliers(self) -> tuple[str, ...]:
        """The options that are factors of ``calibrated`` constants."""
        return tuple(option.name for option in self.options if option.multiplier)

    def check(self, field: str, preset: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options as `start` gets them, with the defaults of those left out that are no multipliers.

        Raises
        ------
        InputError : this algorithm has no such preset or option, or a value is not allowed.
        """
        require_choice(f"{field}.preset", preset, self.presets)
        known = {option.name: option for option in self.options if option.goes_with(preset)}
        for key in self.multipliers:
            if key in options and key not in known:
                allowed = f"left out: preset {preset} has no multipliers, calibrated has {' and '.join(self.multipliers)}"
                raise InputError(f"{field}.{key}", options[key], allowed)
        for option in self.options:
            if option.name in options and option.name not in known:
                allowed = f"left out: preset {preset} does not take it, {' and '.join(option.presets)} does"
                raise InputError(f"{field}.{option.name}", options[option.name], allowed)
        require_known_keys(field, options, known)
        given = {key: known[key].accept(f"{field}.{key}", value) for key, value in options.items()}
        return {key: option.usual for key, option in known.items() if not option.multiplier} | given

    def begin(
        self, instance: Instance, problem: Problem, preset: str, options: dict[str, Any], seed: int = 0, run: int = 0
    ) -> Any:
        """A fresh state for the run with index `run` of a study with seed `seed`."""
        options = self.check(self.name, preset, options)
        if not self.setting.holds(problem.rewards):
            raise InputError(f"{self.name}.instance", instance.name, self.setting.condition)
        if instance.actions.kind not in self.kinds:
            condition = f"an instance whose action sets are of the kind {' or '.join(self.kinds)}"
            raise InputError(f"{self.name}.instance", instance.name, f"{condition} ({self.refusal(instance.actions.kind)})")
        own = {"generator": generator(self.name, seed, instance.name, run)} if self.randomised else {}
        return self.start(instance if self.knows_theta else problem, preset, **own, **options)
