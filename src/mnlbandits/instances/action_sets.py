"""The action sets X_t of a bandit (Framework 1), of four kinds: list, subsets of it, fresh vectors, sphere or ball.

An instance holds a list of N arms; its action sets say what of it, or beside it, can be played in round t = 1, 2, ...
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

import numpy as np

from mnlbandits.compiled import allocating_kernel
from mnlbandits.errors import NOTHING, InputError, require_choice, require_integer, require_known_keys
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import normals

KINDS = {
    "list": "the same finite list in every round",
    "subsets": "a subset of a finite list in every round",
    "fresh": "vectors that are new in every round",
    "continuous": "the unit sphere or the unit ball",
}
"""What an algorithm can be able to play."""

ROUNDING = 1e-9
"""Slack for norms that are 1 or S up to rounding."""


@dataclass(frozen=True)
class AllArms:
    """X_t is the whole list."""

    kind: ClassVar[str] = "list"

    def check(self, arms: Array) -> None:
        """Nothing can be wrong."""


ALL_ARMS = AllArms()


class Subsets:
    """X_t is a subset of the list."""

    kind: ClassVar[str] = "subsets"

    def offers(self, stream: np.random.Generator, first: int, rounds: int, gaps: Array) -> tuple[Array, Array]:
        """The sets of the rounds first .. first + rounds - 1: masks (M, N) of bool, and which of them each round has.

        `stream` draws random sets, always for the rounds from 1 on in order; `gaps` (N,) are those of the arms.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class RandomSubsets(Subsets):
    """`size` arms of the list, uniformly at random and anew in every round; 1 <= size < N."""

    size: int

    def check(self, arms: Array) -> None:
        """Raise `InputError` unless the size is in its range."""
        object.__setattr__(self, "size", require_integer("actions.size", self.size, 1))
        if self.size >= len(arms):
            raise InputError("actions.size", self.size, f"less than the {len(arms)} arms")

    def offers(self, stream: np.random.Generator, first: int, rounds: int, gaps: Array) -> tuple[Array, Array]:
        """See `Subsets.offers`."""
        return sampled(stream.random((rounds, self.size)), len(gaps)), np.arange(rounds)


@dataclass(frozen=True)
class Cycle(Subsets):
    """The sets of arm indices in `sets`, one after the other and again; each at least one index, none twice."""

    sets: tuple[tuple[int, ...], ...]

    def check(self, arms: Array) -> None:
        """Raise `InputError` unless there is a set, and every set holds different indices of arms."""
        object.__setattr__(self, "sets", tuple(indices("actions.sets", each, len(arms)) for each in listed(self.sets)))
        if not self.sets:
            raise InputError("actions.sets", NOTHING, "at least one set of arms")

    def offers(self, stream: np.random.Generator, first: int, rounds: int, gaps: Array) -> tuple[Array, Array]:
        """See `Subsets.offers`."""
        return self.masks(len(gaps)), np.arange(first - 1, first - 1 + rounds) % len(self.sets)

    def masks(self, count: int) -> Array:
        """The sets as masks (M, N)."""
        return np.array([np.isin(np.arange(count), each) for each in self.sets])


@dataclass(frozen=True)
class Late(Subsets):
    """An adversary that hides the `best` arms of largest mean reward up to round `until`; 1 <= best < N."""

    best: int
    until: int

    def check(self, arms: Array) -> None:
        """Raise `InputError` unless both numbers are in their range."""
        object.__setattr__(self, "best", require_integer("actions.best", self.best, 1))
        object.__setattr__(self, "until", require_integer("actions.until", self.until, 1))
        if self.best >= len(arms):
            raise InputError("actions.best", self.best, f"less than the {len(arms)} arms")

    def offers(self, stream: np.random.Generator, first: int, rounds: int, gaps: Array) -> tuple[Array, Array]:
        """See `Subsets.offers`."""
        masks = np.ones((2, len(gaps)), dtype=bool)
        masks[0, np.argsort(gaps, kind="stable")[: self.best]] = False
        return masks, (np.arange(first, first + rounds) > self.until).astype(np.int64)


@dataclass(frozen=True)
class Fresh:
    """N_t vectors uniform in the unit ball, N_t uniform in least .. most, all drawn anew in every round; 1 <= least <= most.

    The instance's arms, `most` of them, are an example of a set.
    """

    least: int
    most: int
    kind: ClassVar[str] = "fresh"

    def check(self, arms: Array) -> None:
        """Raise `InputError` unless 1 <= least <= most = N."""
        object.__setattr__(self, "least", require_integer("actions.least", self.least, 1))
        object.__setattr__(self, "most", require_integer("actions.most", self.most, self.least))
        if self.most != len(arms):
            raise InputError("actions.most", self.most, f"{len(arms)}, as there are so many arms")

    def vectors(self, stream: np.random.Generator, rounds: int, dim: int) -> tuple[Array, Array]:
        """The sets of the next rounds: vectors (rounds, most, d), and how many of them each round has (rounds,)."""
        uniforms = stream.random((rounds, self.most * (dim + 1) + 1))
        counts = self.least + (uniforms[:, 0] * (self.most + 1 - self.least)).astype(np.int64)
        return in_ball(uniforms[:, 1:].reshape(rounds, self.most, dim + 1)), counts


@dataclass(frozen=True)
class Sphere:
    """X_t is the unit sphere; the instance's arms are unit vectors to start from, for `leap` one of them the best of all."""

    kind: ClassVar[str] = "continuous"

    def check(self, arms: Array) -> None:
        """Raise `InputError` unless all arms have norm 1."""
        shortest = float(np.linalg.norm(arms, axis=1).min())
        if shortest < 1 - ROUNDING:
            raise InputError("actions", "sphere", f"with arms of norm 1, and one has {shortest:.6g}")


@dataclass(frozen=True)
class Ball:
    """X_t is the unit ball; the instance's arms are examples."""

    kind: ClassVar[str] = "continuous"

    def check(self, arms: Array) -> None:
        """Nothing can be wrong."""


ActionSets = AllArms | RandomSubsets | Cycle | Late | Fresh | Sphere | Ball

NAMES: dict[str, type] = {
    "list": AllArms,
    "random-subsets": RandomSubsets,
    "cycle": Cycle,
    "late": Late,
    "fresh": Fresh,
    "sphere": Sphere,
    "ball": Ball,
}
"""How files and configs call them."""


def longest_vector(actions: ActionSets, arms: Array) -> float:
    """X, the largest norm that a vector on offer can have: of the arms (N, d), or 1 where they are only examples."""
    return 1.0 if isinstance(actions, Fresh | Ball) else float(np.linalg.norm(arms, axis=1).max())


def read_action_sets(record: Any) -> ActionSets:
    """Action sets from a mapping ``{"sets": name, parameters ...}`` or a name alone; inverse of `action_sets_record`.

    Raises
    ------
    InputError : an unknown name or parameter, or one that is missing.
    """
    record = {"name": record} if isinstance(record, str) else record
    if not isinstance(record, Mapping):
        raise InputError("actions", record, f"a mapping with a name, one of {', '.join(NAMES)}")
    made = NAMES[require_choice("actions.name", record.get("name", NOTHING), NAMES)]
    given = {key: value for key, value in record.items() if key != "name"}
    known = [each.name for each in fields(made)]
    require_known_keys("actions", given, known)
    for key in known:
        if key not in given:
            raise InputError(f"actions.{key}", NOTHING, "given")
    return made(**given)


def action_sets_record(actions: ActionSets) -> dict[str, Any]:
    """The mapping that `read_action_sets` reads."""
    return {"name": next(name for name, made in NAMES.items() if made is type(actions))} | asdict(actions)


def listed(value: Any) -> Sequence[Any]:
    """`value`, which must be a list or a tuple."""
    if not isinstance(value, list | tuple):
        raise InputError("actions.sets", value, "a list of lists of arm indices")
    return value


def indices(field: str, value: Any, count: int) -> tuple[int, ...]:
    """`value` as different indices in 0 .. count - 1, at least one."""
    if not isinstance(value, list | tuple) or not value:
        raise InputError(field, value, "a list of at least one arm index")
    found = tuple(require_integer(field, each, 0, count - 1) for each in value)
    if len(set(found)) < len(found):
        raise InputError(field, value, "different arm indices")
    return found


def in_ball(uniforms: Array) -> Array:
    """Vectors uniform in the unit ball of R^d, shape (..., d), from `uniforms` in [0, 1), shape (..., d + 1)."""
    directions = normals(np.maximum(uniforms[..., 1:], 1e-300))
    lengths = np.sqrt((directions**2).sum(axis=-1, keepdims=True))
    return directions / np.maximum(lengths, 1e-300) * uniforms[..., :1] ** (1 / directions.shape[-1])


@allocating_kernel
def sampled(draws, count):
    """Masks (M, N) of random subsets of size n of N = `count` things, from uniforms `draws` (M, n), by Floyd's sampling."""
    rounds, size = draws.shape
    masks = np.zeros((rounds, count), dtype=np.bool_)
    for row in range(rounds):
        for i in range(size):
            last = count - size + i
            drawn = int(draws[row, i] * (last + 1))
            masks[row, last if masks[row, drawn] else drawn] = True
    return masks
