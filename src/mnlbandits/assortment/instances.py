"""Instances of the assortment problem: fixed items, one parameter."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mnlbandits.assortment.model import best_assortment
from mnlbandits.errors import InputError, require_integer, require_positive
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator, normals

ROUNDING = 1e-9
"""Slack for norms that are 1 or B up to rounding."""


@dataclass(frozen=True)
class AssortmentInstance:
    """M items of which at most `size` may be offered at once.

    Attributes
    ----------
    name : it names the random streams.
    theta : (d,), ||theta|| <= norm_bound; no learner sees it.
    items : x_i (M, d), every norm <= 1.
    revenues : r_i (M,), > 0.
    size : K in 1 .. M.
    norm_bound : B > 0.
    """

    name: str
    theta: Array
    items: Array
    revenues: Array
    size: int
    norm_bound: float

    def __post_init__(self) -> None:
        require_positive("norm_bound", self.norm_bound)
        require_integer("size", self.size, 1, len(self.items))
        if np.linalg.norm(self.theta) > self.norm_bound * (1 + ROUNDING):
            raise InputError("theta", self.theta.tolist(), f"a vector of norm at most {self.norm_bound}")
        if np.linalg.norm(self.items, axis=1).max() > 1 + ROUNDING:
            raise InputError("items", self.items.tolist(), "vectors of norm at most 1")
        if self.revenues.shape != (len(self.items),) or not (self.revenues > 0).all():
            raise InputError("revenues", self.revenues.tolist(), "one number > 0 per item")

    @cached_property
    def utilities(self) -> Array:
        """u_i = x_i^T theta, shape (M,)."""
        return self.items @ self.theta

    @cached_property
    def best_revenue(self) -> float:
        """The expected revenue of the best assortment."""
        count = len(self.items)
        return best_assortment(self.utilities, self.revenues, self.size, np.empty((2, count)), np.empty(count, dtype=bool))


def random_assortments(
    name: str,
    items: int = 10,
    dim: int = 2,
    size: int = 2,
    norm: float = 1.0,
    equal_revenues: bool = False,
    seed: int = 0,
) -> AssortmentInstance:
    """theta uniform on the sphere of radius B = `norm`, items on the unit sphere, revenues 1 or uniform in [0.2, 1]."""
    items, dim = require_integer("items", items, 1), require_integer("dim", dim, 1)
    size, norm = require_integer("size", size, 1, items), require_positive("norm", norm)
    uniforms = generator("assortment", require_integer("seed", seed, 0), f"{items}x{dim}").random
    theta, features = normals(uniforms(dim)), normals(uniforms((items, dim)))
    theta *= norm / np.linalg.norm(theta)
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    revenues = np.ones(items) if equal_revenues else 0.2 + 0.8 * uniforms(items)
    return AssortmentInstance(name, theta, features, revenues, size, norm)
