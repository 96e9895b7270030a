"""The registry: every module of this folder that defines ``ALGORITHM`` (or ``ALGORITHMS``) is found by itself."""

import importlib
import pkgutil
from typing import Any

from mnlbandits.algorithms.base import PRESETS, Algorithm
from mnlbandits.compiled import PLAYED_BY, keep_kernels_of
from mnlbandits.errors import InputError, require_choice


def discover() -> dict[str, Algorithm]:
    """All algorithms by name, sorted.

    Raises
    ------
    InputError : two algorithms share a name or a state class, or a preset is not one of `PRESETS`.
    """
    found: dict[str, Algorithm] = {}
    for module_info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        keep_kernels_of(module)
        single = getattr(module, "ALGORITHM", None)
        for algorithm in getattr(module, "ALGORITHMS", () if single is None else (single,)):
            if algorithm.name in found:
                raise InputError("algorithm.name", algorithm.name, "a name that no other algorithm has")
            if algorithm.state in {other.state for other in found.values()}:
                raise InputError(f"{algorithm.name}.state", algorithm.state.__name__, "a class of its own")
            for preset in algorithm.presets:
                require_choice(f"{algorithm.name}.presets", preset, PRESETS)
            found[algorithm.name] = algorithm
            PLAYED_BY[algorithm.state] = module.__name__
    return dict(sorted(found.items()))


REGISTRY = discover()
BY_STATE: dict[type, Algorithm] = {algorithm.state: algorithm for algorithm in REGISTRY.values()}


def get_algorithm(name: str) -> Algorithm:
    """The algorithm called `name`.

    Raises
    ------
    InputError : there is none.
    """
    return REGISTRY[require_choice("algorithm", name, REGISTRY)]


def algorithm_of(state: Any) -> Algorithm:
    """The algorithm that `state` belongs to."""
    return BY_STATE[type(state)]
