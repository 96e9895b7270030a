"""Public code of the same systems, played from checkouts that the caller names; it is imported from there and not changed.

A checkout is known by its files: `Logistic` for two outcomes (``logbexp/algorithms/algo_factory.py``) and `Multinomial`
(``OFUL_MLogB.py``, ``RS_MNL.py``). Modules that it imports without need (a debugger) may be missing.
"""

import importlib
import importlib.util
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from mnlbandits.instances import Instance, make_instance
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator

DELTA = 0.05
BINARY_BOUND = 3.0
"""S_b of the instance for two outcomes."""

BINARY = make_instance("peers", "random", {"outcomes": 2, "dim": 2, "arms": 20, "norm": BINARY_BOUND / math.sqrt(2)})
THREE = make_instance("peers", "random", {"outcomes": 3, "dim": 2, "arms": 20})

LOGISTIC = {
    "GLM-UCB": ("glm-ucb", 300),
    "LogUCB1": ("logistic-ucb-1", 300),
    "adaECOLog": ("ada-ofu-ecolog", 300),
    "OFULog-r": ("ofulog-r", 30),
    "OFULogPlus": ("ofulog-plus", 100),
    "OFUGLB": ("ofuglb", 200),
}
"""Our system and the rounds to play, by the name in the public factory."""

MULTINOMIAL = {"OFUL_MLogB": ("MLogB", "oful-mlogb", 100), "RS_MNL": ("RS_MNL", "rs-mnl", 100)}
"""Class, our system and the rounds to play, by module."""

UNNEEDED = ("ipdb", "torch")


@dataclass(frozen=True)
class Peer:
    """A system in public code. `begin` makes it and gives the function that plays a number of rounds."""

    system: str
    instance: Instance
    rounds: int
    label: str
    begin: Callable[[], Callable[[int], None]]


def found(paths: list[Path]) -> Iterator[Peer]:
    """The systems in these checkouts and in the folders directly in them."""
    for root in sorted({each.resolve() for path in paths for each in (path, *path.glob("*/"))}):
        if (root / "logbexp/algorithms/algo_factory.py").is_file():
            factory = imported(root, "logbexp.algorithms.algo_factory")
            for name in [name for name in LOGISTIC if name in factory.ALGOS]:
                system, rounds = LOGISTIC[name]
                yield Peer(system, BINARY, rounds, f"{name} of {root.name}", logistic(factory.create_algo, name, rounds))
        for file, (kind, system, rounds) in MULTINOMIAL.items():
            if (root / f"{file}.py").is_file():
                make = getattr(imported(root, file), kind)
                yield Peer(system, THREE, rounds, f"{file} of {root.name}", multinomial(make, rounds))


def imported(root: Path, name: str) -> ModuleType:
    """A module of a checkout; modules of other checkouts with the same names are forgotten."""
    own = {path.stem for path in root.glob("*") if path.suffix == ".py" or path.is_dir()}
    for module in [module for module in sys.modules if module.split(".")[0] in own | {"logbexp"}]:
        del sys.modules[module]
    importlib.import_module("scipy.stats")  # which would take a stand-in for the real thing
    stand_ins = [module for module in UNNEEDED if importlib.util.find_spec(module) is None]
    sys.modules |= {module: ModuleType(module) for module in stand_ins}
    sys.path.insert(0, str(root))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(root))
        for module in stand_ins:
            del sys.modules[module]


def logistic(create: Callable[[dict[str, Any]], Any], name: str, rounds: int) -> Callable[[], Callable[[int], None]]:
    """`begin` of a system of the factory `create`."""

    def begin() -> Callable[[int], None]:
        arms, hit = BINARY.arms, BINARY.probabilities[:, np.argmax(BINARY.rewards)]
        stream = generator("benchmark", 0, name)
        algorithm = create(
            {
                "algo_name": name,
                "param_norm_ub": BINARY_BOUND,
                "arm_norm_ub": 1.0,
                "dim": BINARY.dim,
                "failure_level": DELTA,
                "horizon": rounds,
                "tol": 1e-7,
            }
        )
        offer = SimpleNamespace(type="fixed_discrete", argmax=lambda index: arms[np.argmax([index(arm) for arm in arms])])

        def play(many: int) -> None:
            for uniform in stream.random(many):
                arm = algorithm.pull(offer)
                algorithm.learn(arm, float(uniform < hit[row_of(arm)]))

        return play

    return begin


def row_of(arm: Array) -> int:
    """The index of an arm among those of `BINARY`."""
    return int(np.flatnonzero((BINARY.arms == arm).all(axis=1))[0])


def multinomial(make: Callable[[dict[str, Any], None], Any], rounds: int) -> Callable[[], Callable[[int], None]]:
    """`begin` of a system for the instance `THREE`, whose outcome of the least reward becomes the reference."""

    def begin() -> Callable[[int], None]:
        order = np.argsort(THREE.rewards)
        rewards, cumulative = THREE.rewards[order], np.cumsum(THREE.probabilities[:, order], axis=1)
        stream, arms = generator("benchmark", 0, "peer"), list(THREE.arms)
        algorithm = make(
            {
                "reward_vec": rewards[1:] - rewards[0],
                "dim_arms": THREE.dim,
                "num_arms": len(arms),
                "num_contexts": rounds,
                "num_outcomes": THREE.outcomes - 1,
                "reward_norm_ub": float(np.linalg.norm(rewards[1:] - rewards[0])),
                "param_norm_ub": math.sqrt(THREE.outcomes) * THREE.norm_bound,
                "horizon": rounds,
                "failure_level": DELTA,
                "theta_star": None,
                "arm_seed": 0,
            },
            None,
        )

        def play(many: int) -> None:
            for t, uniform in enumerate(stream.random(many)):
                arm = algorithm.play_arm(arms, t)
                row = next(n for n, each in enumerate(arms) if each is arm)
                algorithm.update(int((uniform >= cumulative[row, :-1]).sum()), arm)

        return play

    return begin
