"""Every system with every preset in the corners of what an instance may be.

A cell is a system, a preset and a value of every axis of `AXES`; the cells of a system hold every pair of values that can
occur together. In each cell all numbers stay finite, theta_* stays in the set of the valid preset, and the arms played do
not depend on the names of outcomes and arms, on a common shift of the rewards, or on the unit of the arms.
"""

import itertools
import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from trajectories import Run, in_one_group, uniforms

from mnlbandits.algorithms import REGISTRY
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.model import constants
from mnlbandits.model.kappa import CONVENTIONS
from mnlbandits.seeds import generator

AXES: dict[str, tuple[Any, ...]] = {  # where a pair decides nothing, the first values are taken
    "outcomes": (3, 10, 2, 50),
    "dim": (2, 20, 1),
    "arms": (200, 2, 1),
    "norm": (300.0, 30.0, 1.0, 1e-6, 1e3),
    "shape": ("general", "duplicated", "zero", "tiny"),
    "rewards": ("one-hot", "equal", "offset", "negative"),
    "convention": CONVENTIONS,
    "horizon": (40, 1),
}

OFFSET = 1e12
"""Rewards are multiples of 1/16, so that this shift of them is exact."""

UNIT = 0.25
"""Factor on the arms; a power of 2, so that S X is the same to the last bit and kappa is found once."""

TIE = 1e-7
"""Relative difference of scores that may be rounding: maximisers over log-loss sets are found to about 1e-10."""

MEMBER = 1 + 1e-9
"""theta_* has norm S and may lie on a ball's boundary, up to rounding."""

INFINITE = {"kappa", "limits", "norm_bound", "square", "low", "high"}
"""Fields of a state that are infinite on purpose: no kappa within floating-point numbers, no limit yet."""

LONG = 100
"""N D, D = (K-1) d, up to which all rounds of the horizon are played, beyond it three: a round costs up to N programs."""

LARGEST = {"improved-mnl-ucb-plus": 4000}
"""Largest N D of a system that solves a program in D dimensions for every arm: beyond, a cell takes minutes."""

OVERFLOW = {"glm-ucb": 700.0}
"""S above which a system refuses an instance, and names S: sqrt(kappa_b) in its radius is no floating-point number."""

SPECIALISTS = ("pair-sampler", "sign-sampler")
SYSTEMS = [(name, preset) for name, record in REGISTRY.items() for preset in record.presets if name not in SPECIALISTS]


def size_of(cell: dict[str, Any]) -> int:
    """N D, D = (K-1) d."""
    return cell["arms"] * (cell["outcomes"] - 1) * cell["dim"]


def playable(cell: dict[str, Any], largest: float) -> bool:
    """Whether such instances exist, with N D at most `largest`, and are small enough: D = 980 takes seconds a round."""
    alone = cell["arms"] == 1 and cell["shape"] != "general"
    return not alone and not (cell["outcomes"] == 50 and cell["dim"] == 20) and size_of(cell) <= largest


@cache
def covering(binary: bool, largest: float = math.inf, strength: int = 2) -> tuple[dict[str, Any], ...]:
    """Cells that hold all values of `strength` axes that occur together in a playable cell, chosen greedily."""
    axes = AXES | {"outcomes": (2,)} if binary else AXES
    cells = [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]
    cells = [cell for cell in cells if playable(cell, largest)]
    numbers: dict[tuple, int] = {}
    pairs = np.array(
        [
            [numbers.setdefault(pair, len(numbers)) for pair in itertools.combinations(cell.items(), strength)]
            for cell in cells
        ]
    )
    missing, chosen = np.ones(len(numbers), dtype=bool), []
    while missing.any():
        best = int(missing[pairs].sum(axis=1).argmax())
        missing[pairs[best]] = False
        chosen.append(cells[best])
    return tuple(chosen)


def cells_of(name: str, strength: int = 2) -> tuple[dict[str, Any], ...]:
    """The cells of a system."""
    return covering(not REGISTRY[name].setting.holds(np.arange(3.0) == 2), LARGEST.get(name, math.inf), strength)


def rewards_of(kind: str, outcomes: int, one_high: bool) -> np.ndarray:
    """Rewards (K,), multiples of 1/16; `one_high` if the system plays one-hot rewards only."""
    last = (np.arange(outcomes) == outcomes - 1).astype(float)
    graded = generator("corners", 0, f"rewards {outcomes}").permutation(outcomes) / 16
    if kind in ("one-hot", "equal"):
        return last if kind == "one-hot" else np.full(outcomes, 0.5)
    return (last if one_high else graded) + (OFFSET if kind == "offset" else -2.0)


def instance_of(cell: dict[str, Any], one_high: bool) -> Instance:
    """The instance of a cell: arms in general position but for their shape, the first of norm 1, and ||theta_*|| = S."""
    outcomes, dim, count, shape = cell["outcomes"], cell["dim"], cell["arms"], cell["shape"]
    draw = generator("corners", 0, f"{outcomes} {dim} {count}")
    arms = draw.standard_normal((count, dim))
    arms *= (draw.uniform(0.2, 0.99, count) / np.linalg.norm(arms, axis=1))[:, None]
    arms[0] /= np.linalg.norm(arms[0])
    if shape == "duplicated":
        arms[count - count // 2 :] = arms[: count // 2]
    if shape == "zero":
        arms[1] = 0.0
    if shape == "tiny":
        arms[1::2] *= 1e-9
    theta = draw.standard_normal((outcomes, dim))
    theta -= theta.mean(axis=0)
    theta *= cell["norm"] / constants.norm(theta, cell["convention"])
    rewards = rewards_of(cell["rewards"], outcomes, one_high)
    return Instance("corner", theta, arms, rewards, cell["norm"], convention=cell["convention"])


def changed(instance: Instance, **fields: Any) -> Instance:
    """The instance with some of its fields changed."""
    kept = {key: getattr(instance, key) for key in ("name", "theta", "arms", "rewards", "norm_bound", "convention")}
    return Instance(**(kept | fields))


def nans(value: Any, name: str = "state") -> list[str]:
    """Names of the fields of a state that hold a nan, or an infinity that is not in `INFINITE`."""
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", [name] * len(value))
        return [found for field, each in zip(fields, value, strict=True) for found in nans(each, field)]
    array = np.asarray(value)
    if array.dtype.kind != "f":
        return []
    wrong = np.isnan(array) if name in INFINITE else ~np.isfinite(array)
    return [name] if wrong.any() else []


class Play:
    """A run that is compared with others, and the scores of its last choice."""

    def __init__(
        self, instance: Instance, name: str, preset: str, horizon: int, order: np.ndarray, label: np.ndarray
    ) -> None:
        factors = dict.fromkeys(REGISTRY[name].multipliers, 0.3) if preset == "calibrated" else {}
        self.run = Run.begin(instance.unit, name, preset, factors, horizon)
        self.order, self.label, self.scores = order, label, np.zeros(len(instance.arms))

    def round(self, outcomes: np.ndarray, uniform: float) -> int:
        """Play a round in which arm n of the base instance shows outcome `outcomes[n]`; the arm, as the base calls it."""
        run, state = self.run, self.run.state
        certain = (np.arange(len(self.label)) >= np.argsort(self.label)[outcomes[self.order]][:, None]).astype(float)
        explores = run.algorithm.name == "real" and not state.learning[0]
        self.scores = state.design_scores.copy() if explores else self.scores
        arm, _ = run.round(uniform, cumulative=certain)
        if not explores:
            self.scores = scores_of(run)
        return int(self.order[arm])


def scores_of(run: Run) -> np.ndarray:
    """What the last choice maximised, (N,)."""
    state = run.state
    if run.algorithm.name in ("uniform", "oracle"):
        return -run.instance.gaps
    holder = next(each for each in (state, getattr(state, "learner", None)) if "scores" in each._fields)
    return holder.scores.copy()


def plays_of(instance: Instance, name: str, preset: str, horizon: int) -> dict[str, Play]:
    """The instance, and those on which the same arms must be played."""
    count, outcomes = len(instance.arms), np.arange(instance.outcomes)
    order, back = np.arange(count), np.arange(count)[::-1]
    label = np.argsort(-instance.rewards, kind="stable")  # outcomes of the same reward keep their order
    scaled = {"arms": instance.arms * UNIT, "theta": instance.theta / UNIT, "norm_bound": instance.norm_bound / UNIT}
    others = {
        "itself": (instance, order, outcomes),
        "outcomes relabelled": (
            changed(instance, theta=instance.theta[label], rewards=instance.rewards[label]),
            order,
            label,
        ),
        "arms relabelled": (changed(instance, arms=instance.arms[back]), back, outcomes),
        "rewards shifted": (changed(instance, rewards=instance.rewards + OFFSET), order, outcomes),
        "arms rescaled": (changed(instance, **scaled), order, outcomes),
    }
    if name == "uniform":
        del others["arms relabelled"]  # it plays the arms in the order of their names
    return {key: Play(each, name, preset, horizon, *names) for key, (each, *names) in others.items()}


def check_cell(name: str, preset: str, cell: dict[str, Any]) -> list[str]:
    """What is wrong in a cell."""
    record, horizon = REGISTRY[name], cell["horizon"]
    instance = instance_of(cell, one_high=not record.setting.holds(np.arange(3.0)))
    if not record.setting.holds(instance.rewards):
        with pytest.raises(InputError, match=f"^{name}.instance: "):
            Run.begin(instance, name, preset, {}, horizon)
        return []
    if instance.norm_bound > OVERFLOW.get(name, math.inf):
        with pytest.raises(InputError, match=r"^norm_bound: "):
            Run.begin(instance, name, preset, {}, horizon)
        return []
    plays, wrong = plays_of(instance, name, preset, horizon), []
    draws = uniforms(instance, 0, horizon if size_of(cell) <= LONG else min(3, horizon))
    cumulative = np.cumsum(instance.probabilities, axis=1)[:, :-1]
    for t, uniform in enumerate(draws, start=1):
        outcomes = (uniform >= cumulative).sum(axis=1)
        arms = {key: play.round(outcomes, uniform) for key, play in plays.items()}
        base = plays["itself"]
        if not np.isfinite(base.scores).all() or not math.isfinite(base.run.ratio):
            return [*wrong, f"round {t}: scores {base.scores}, ratio {base.run.ratio}"]
        if preset == "valid" and base.run.ratio > MEMBER:
            wrong.append(f"round {t}: ratio {base.run.ratio}")
        for key, arm in list(arms.items()):
            if not np.array_equal(instance.arms[arm], instance.arms[arms["itself"]]):
                gap = base.scores[arms["itself"]] - base.scores[arm]
                if gap > TIE * np.abs(base.scores).max():
                    wrong.append(f"round {t}: {key}, arm {arm} for {arms['itself']}, score {gap:.3g} lower")
                del plays[key]  # from here on the runs differ
    return wrong + [f"{field} not finite" for field in nans(plays["itself"].run.state)]


@pytest.mark.parametrize(("name", "preset"), in_one_group(*SYSTEMS))
def test_corners(name, preset):
    failures = {}
    for cell in cells_of(name):
        wrong = check_cell(name, preset, cell)
        if wrong:
            failures[str(cell)] = wrong
    assert not failures
