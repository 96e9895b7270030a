"""An algorithm in a loop of one's own: without theta_*, round by round, stopped and resumed as one likes."""

import json
import math
from collections.abc import Iterator, Mapping
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from mnlbandits.algorithms import get_algorithm
from mnlbandits.errors import NOTHING, InputError, Words, require_choice, require_integer
from mnlbandits.files import write_atomic
from mnlbandits.instances import Instance
from mnlbandits.instances.action_sets import ROUNDING
from mnlbandits.instances.instance import finite_array
from mnlbandits.instances.tables import open_npz, reading
from mnlbandits.learners.estimates import estimate_of
from mnlbandits.model.constants import norm
from mnlbandits.model.kappa import Convention
from mnlbandits.model.softmax import Array
from mnlbandits.simulators.runs import require_multiplier

SETS = ("sphere", "ball")
"""Names that stand for whole sets of arms."""

NAME = "bandit"
"""Of the instance that stands for the problem: with the seed it keys the random numbers of randomised algorithms."""


def bandit(
    algorithm: str,
    *,
    arms: Any = None,
    rewards: Any,
    norm_bound: float,
    horizon: float,
    delta: float = 0.05,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
    convention: Convention = "frobenius",
    dim: int | None = None,
    most: int | None = None,
    seed: int = 0,
) -> "Bandit":
    """An algorithm to be driven in one's own loop, which needs no theta_*.

    Parameters
    ----------
    algorithm : str
        Its name, one of ``mnlbandits.algorithms.REGISTRY``.
    arms : array (N, d), ``"sphere"``, ``"ball"`` or None
        The list of arms, every norm at most 1; the whole unit sphere or ball of R^d; or None, if every round brings vectors
        of its own.
    rewards : array (K,)
        rho, the reward of every outcome.
    norm_bound : float
        S > 0, the bound on the norm of theta_*.
    horizon : float
        T in [1, 1e30], which enters the constants; it is no limit on the number of rounds.
    delta : float
        Failure level in (0, 1).
    preset : str, optional
        The set of constants, one of the algorithm's; by default its first.
    options : mapping, optional
        Further options of the algorithm; ``calibrated`` constants need a multiplier, as `mnlbandits.calibrate` finds it.
    convention : str
        Which norm of theta_* S bounds, ``"frobenius"`` or ``"rows"``.
    dim, most : int, optional
        d, for a sphere or ball and for vectors of the round; and how many of the latter a round has at most.
    seed : int
        Of randomised algorithms, >= 0.

    Returns
    -------
    Bandit

    Raises
    ------
    InputError
        Naming the argument that is not allowed.

    Examples
    --------
    >>> import numpy as np
    >>> from mnlbandits import bandit
    >>> player = bandit("oful-mlogb", arms=np.eye(2), rewards=[0, 1, 2], norm_bound=1.0, horizon=1000)
    >>> arm = player.pull()
    >>> player.update(arm, outcome=2)
    >>> player.t, player.phase
    (1, 'learning')
    """
    made = {
        "algorithm": algorithm,
        "arms": arms if isinstance(arms, str) or arms is None else finite_array("arms", arms, 2),
        "rewards": finite_array("rewards", rewards, 1),
        "norm_bound": norm_bound,
        "horizon": horizon,
        "delta": delta,
        "preset": preset,
        "options": dict(options or {}),
        "convention": convention,
        "dim": dim,
        "most": most,
        "seed": require_integer("seed", seed, 0),
    }
    return Bandit(made)


class Bandit:
    """A bandit algorithm and its state: `pull` an arm, see what happens, `update`. Made by `bandit`.

    Attributes
    ----------
    t : int
        Rounds played so far.
    """

    def __init__(self, made: Mapping[str, Any]) -> None:
        self._made = dict(made)
        self._algorithm = get_algorithm(made["algorithm"])
        if self._algorithm.knows_theta:
            raise InputError("algorithm", made["algorithm"], "one that does not know theta_*")
        preset = made["preset"] or self._algorithm.presets[0]
        self._algorithm.check(made["algorithm"], preset, made["options"])
        require_multiplier(self._algorithm, preset, made["options"])
        given = stand_in(**{key: made[key] for key in ("arms", "rewards", "norm_bound", "convention", "dim", "most")})
        instance = given.unit
        problem = instance.problem(made["horizon"], made["delta"])
        self._kind, self._longest, self._shape = instance.actions.kind, given.longest, instance.theta.shape
        self._bound = instance.norm_bound
        self._state = self._algorithm.begin(instance, problem, preset, made["options"], made["seed"])
        self._arm, self.t = -1, 0

    def pull(self, arms: Any = None, offered: Any = None) -> int:
        """Choose the arm of the next round.

        Parameters
        ----------
        arms : array (n, d), optional
            The vectors of this round, 1 <= n <= `most`, every norm at most 1; for a bandit made without arms.
        offered : array (N,) of bool, optional
            Which arms of the list can be played in this round; by default all.

        Returns
        -------
        int
            Its index in the list, or among the vectors of the round; 0 on a sphere or ball, see `vector`.

        Raises
        ------
        InputError
            An argument is not allowed, or the outcome of the last arm is still to be told to `update`.
        """
        if self._arm >= 0:
            raise InputError("pull", Words("another pull"), f"after update({self._arm}, outcome), the outcome of the last")
        state = self._state
        if self._kind == "fresh":
            vectors = self._vectors_of_the_round(arms)
            state.offered[:] = np.arange(len(state.offered)) < len(vectors)
            state.arms[:] = 0.0
            state.arms[: len(vectors)] = vectors
        elif arms is not None:
            raise InputError("arms", Words("vectors of the round"), "left out: this bandit was made for " + self._made_for())
        if offered is not None or hasattr(state, "offered"):
            self._offer(offered)
        arm = int(self._algorithm.choose(state, self.t + 1))
        self._arm = arm
        return arm

    def update(self, arm: int, outcome: int) -> None:
        """Tell the outcome of the arm that was pulled.

        Parameters
        ----------
        arm : int
            The arm that `pull` returned.
        outcome : int
            0 .. K-1.

        Raises
        ------
        InputError
            It is another arm or no outcome; nothing has changed then.
        """
        allowed = f"{self._arm}, the arm that was pulled" if self._arm >= 0 else "pulled first: there is no open round"
        if self._arm < 0 or require_integer("arm", arm, 0) != self._arm:
            raise InputError("arm", arm, allowed)
        outcome = require_integer("outcome", outcome, 0, self._shape[0] - 1)
        self._algorithm.update(self._state, self.t + 1, self._arm, outcome)
        self.t, self._arm = self.t + 1, -1

    @property
    def open_arm(self) -> int | None:
        """The arm that was pulled and whose outcome is still to be told to `update`; None if there is none."""
        return self._arm if self._arm >= 0 else None

    @property
    def vector(self) -> Array:
        """The vector (d,) of the `open_arm`, in the units of the arms given.

        Raises
        ------
        InputError
            There is none.
        """
        row = max(self._arm, 0) if self._kind == "continuous" else self._arm
        if row < 0:
            raise InputError("vector", NOTHING, "asked for between pull and update")
        arms = self._state.arms if self._kind in ("fresh", "continuous") else self._made["arms"] / self._longest
        return np.asarray(arms[row] * self._longest)

    @property
    def estimate(self) -> Array | None:
        """The algorithm's estimate of theta_* (K, d), column means 0; None if it has none.

        SupSplitLog (``sup-split-log``) has one for every stage: it is that of the stage which decided last. OFU-ECOLog
        (``ofu-ecolog``) has none while it explores, and uniform play (``uniform``) never.
        """
        theta = estimate_of(self._state)
        return None if theta is None else theta / self._longest

    def contains(self, theta: Any) -> bool | None:
        """Whether theta (K, d) is in the confidence set after the last round; None if there is no set, or none yet.

        Raises
        ------
        InputError
            theta is not a finite (K, d) array.
        """
        theta = finite_array("theta", theta, 2)
        if theta.shape != self._shape:
            raise InputError("theta", theta.shape, f"of shape {self._shape}")
        if self._algorithm.ratio is None or self.t == 0:
            return None
        theta = np.ascontiguousarray((theta - theta.mean(axis=0)) * self._longest)
        ratio = self._algorithm.ratio(self._state, self.t, theta)
        return (
            None if ratio < 0 else bool(ratio <= 1 and norm(theta, self._made["convention"]) <= self._bound * (1 + ROUNDING))
        )

    @property
    def phase(self) -> str:
        """``"exploring"`` as long as no action has depended on an outcome by design, else ``"learning"``."""
        if self._algorithm.rounds_explored is None:
            return "learning"
        explored = self._algorithm.rounds_explored(self._state) >= self.t
        if self._algorithm.exploration is not None:
            explored = math.isnan(self._algorithm.exploration.ratio(self._state, np.zeros(self._shape)))
        return "exploring" if explored else "learning"

    def state(self) -> dict[str, Array]:
        """All that a bandit is, as arrays: what it was made from, and a copy of its state."""
        made = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in self._made.items()}
        head = {"made": np.array(json.dumps(made)), "round": np.array([self.t, self._arm], dtype=np.int64)}
        return head | snapshot(self._state)

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go to the `state` of a bandit that was made in the same way.

        Raises
        ------
        InputError
            The arrays are those of another bandit; nothing has changed then.
        """
        put_back(self._state, {name: array for name, array in arrays.items() if name.startswith("state.")})
        self.t, self._arm = (int(number) for number in arrays["round"])

    def save(self, path: Path | str) -> None:
        """Write `state` as an NPZ file, whole or not at all; `resume` reads it."""
        write_atomic(path, lambda handle: np.savez(handle, allow_pickle=False, **self.state()))

    def _vectors_of_the_round(self, arms: Any) -> Array:
        """The vectors (n, d) of a round, checked."""
        if arms is None:
            raise InputError("arms", NOTHING, "given: the vectors of this round")
        vectors, state = finite_array("arms", arms, 2), self._state
        if not 1 <= len(vectors) <= len(state.arms) or vectors.shape[1] != state.arms.shape[1]:
            raise InputError("arms", vectors.shape, f"of shape (n, {state.arms.shape[1]}), 1 <= n <= {len(state.arms)}")
        longest = float(np.linalg.norm(vectors, axis=1).max())
        if longest > 1 + ROUNDING:
            raise InputError("arms", longest, "vectors of norm <= 1")
        return vectors

    def _offer(self, offered: Any) -> None:
        """Put the arms that are offered into the state."""
        state = self._state
        if offered is None:
            if self._kind == "list":
                state.offered[:] = True
            return
        if self._kind != "list":
            raise InputError("offered", Words("a mask"), "left out: this bandit was made for " + self._made_for())
        if "subsets" not in self._algorithm.kinds:
            raise InputError("offered", Words("a mask"), f"left out: {self._algorithm.refusal('subsets')}")
        mask = np.asarray(offered)
        if mask.dtype != bool or mask.shape != state.offered.shape or not mask.any():
            raise InputError(
                "offered", Words(f"{mask.dtype} of shape {mask.shape}"), f"{len(state.offered)} bools, at least one True"
            )
        state.offered[:] = mask

    def _made_for(self) -> str:
        """The sets it was made for, in words."""
        return {"list": "a list of arms", "fresh": "vectors of every round", "continuous": str(self._made["arms"])}[
            self._kind
        ]


def resume(path: Path | str) -> Bandit:
    """The bandit whose state `Bandit.save` wrote to an NPZ file: it goes on where that was.

    Parameters
    ----------
    path : path or str
        The file; no code in it can run.

    Returns
    -------
    Bandit

    Raises
    ------
    InputError
        The file cannot be read, or holds no state of a bandit of this version.

    Examples
    --------
    >>> from mnlbandits import bandit, resume
    >>> player = bandit("oful-mlogb", arms=[[1.0]], rewards=[0, 1], norm_bound=1.0, horizon=1000)
    >>> player.update(player.pull(), outcome=1)
    >>> player.save("player.npz")
    >>> resume("player.npz").t
    1
    """
    with reading("state", path, "file that Bandit.save wrote"), open_npz("state", path) as file:
        arrays = dict(file)
        made = json.loads(str(arrays["made"]))
        arrays["round"].astype(np.int64).reshape(2)
    player = bandit(made.pop("algorithm"), **made)
    player.restore(arrays)
    return player


def stand_in(arms: Any, rewards: Array, norm_bound: float, convention: Convention, dim: Any, most: Any) -> Instance:
    """An instance with theta = 0 for a problem whose theta_* nobody knows."""
    actions: Any = "list"
    if arms is None:
        if dim is None or most is None:
            raise InputError("arms", NOTHING, "given, or dim and most, if every round brings vectors of its own")
        count = require_integer("most", most, 1, 10**6)
        arms = np.eye(1, require_integer("dim", dim, 1, 10**6)).repeat(count, axis=0)
        actions = {"name": "fresh", "least": 1, "most": count}
    elif isinstance(arms, str):
        actions = require_choice("arms", arms, SETS)
        if dim is None:
            raise InputError("dim", NOTHING, "given")
        arms = np.eye(require_integer("dim", dim, 1, 10**4))
    elif dim is not None or most is not None:
        raise InputError("dim" if dim is not None else "most", dim if dim is not None else most, "left out: arms are given")
    theta = np.zeros((len(rewards), arms.shape[1]))
    return Instance(NAME, theta, arms, rewards, norm_bound, convention, actions=actions)


def parts_of(state: Any, name: str = "state") -> Iterator[tuple[str, Array | np.random.Generator]]:
    """What can change in a state: its arrays and generators of random numbers, with the fields that lead to them.

    Raises
    ------
    InputError : it holds something else that could change, and that nobody would save.
    """
    if isinstance(state, np.ndarray):
        if state.dtype.kind not in "biufc":
            raise InputError(name, Words(f"an array of {state.dtype}"), "one of numbers")
        yield name, state
    elif isinstance(state, np.random.Generator):
        yield name, state
    elif isinstance(state, tuple):
        for field, value in zip(getattr(state, "_fields", range(len(state))), state, strict=True):
            yield from parts_of(value, f"{name}.{field}")
    elif not (state is None or isinstance(state, Real | np.generic)):
        allowed = "an array, a number, None, the generator that start gets, or a tuple of those"
        raise InputError(name, Words(f"a {type(state).__name__}"), allowed)


def snapshot(state: Any) -> dict[str, Array]:
    """Copies of all that can change in a state, as arrays."""
    return {name: array_of(part) for name, part in parts_of(state)}


def array_of(part: Array | np.random.Generator) -> Array:
    """A copy of an array; of a generator, where it stands, as text."""
    if isinstance(part, np.random.Generator):
        return np.array(json.dumps(part.bit_generator.state, default=np.ndarray.tolist))
    return part.copy()


def put_back(state: Any, arrays: Mapping[str, Array]) -> None:
    """Make a state what it was when a `snapshot` was taken of it, or of one that was started in the same way.

    Raises
    ------
    InputError : the arrays are those of another algorithm; nothing has changed then.
    """
    own = dict(parts_of(state))
    if set(own) != set(arrays):
        raise InputError("state", sorted(set(own) ^ set(arrays))[0], "the arrays of this algorithm and version")
    found = {name: accepted(name, part, arrays[name]) for name, part in own.items()}
    for name, part in own.items():
        if isinstance(part, np.random.Generator):
            part.bit_generator.state = found[name]
        else:
            part[...] = found[name]


def accepted(name: str, part: Array | np.random.Generator, given: Array) -> Any:
    """What `put_back` gives to a part of a state: an array of its shape and type, or the state of its generator.

    Raises
    ------
    InputError : it is neither.
    """
    if not isinstance(part, np.random.Generator):
        if part.shape != given.shape or part.dtype != given.dtype:
            raise InputError(name, given.shape, f"{part.dtype} of shape {part.shape}")
        return given
    try:
        state = json.loads(str(given))
        type(part.bit_generator)().state = state
    except (ValueError, TypeError, KeyError):
        kind = type(part.bit_generator).__name__
        raise InputError(name, Words("another text"), f"the state of a {kind}, as save writes it") from None
    return state
