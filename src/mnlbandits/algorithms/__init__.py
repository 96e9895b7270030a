"""The systems, a module each, and the registry: see `mnlbandits.algorithms.registry` for how they get there."""

from mnlbandits.algorithms.base import Algorithm
from mnlbandits.algorithms.registry import BY_STATE, REGISTRY, algorithm_of, discover, get_algorithm, load, module_of

__all__ = ["BY_STATE", "REGISTRY", "Algorithm", "algorithm_of", "get_algorithm", "load", "module_of"]

discover(__path__)
