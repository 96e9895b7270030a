"""EOFD-MLogB as reconstructed in `mnlbandits.algorithms.eofd_mlogb`: OFUL-MLogB with a sketch by numpy's singular values."""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.textbook.oful_mlogb import OfulMLogB


class EofdMLogB(OfulMLogB):
    """EOFD-MLogB.

    Attributes
    ----------
    m : the size of the sketch. F : (at most 2 m, D), the sketch. zeta : the shrinkage so far. Others: see `OfulMLogB`.
    """

    def __init__(self, problem: Problem, preset: str = "valid", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem, preset, radius_multiplier)
        self.m = max(math.ceil(self.beta.size / 2), len(self.beta))
        self.F, self.zeta = np.zeros((0, self.beta.size)), 0.0

    def radius(self, t: int) -> float:
        """OFUL-MLogB's radius, its square enlarged by 4 ||beta||^2 zeta."""
        square = (super().radius(t) / self.radius_multiplier) ** 2 + 4 * self.bound**2 * self.zeta
        return self.radius_multiplier * math.sqrt(square)

    def update(self, t: int, arm: int, outcome: int) -> None:
        """The step of OFUL-MLogB, then H from the sketch."""
        super().update(t, arm, outcome)
        if len(self.F) + len(self.beta) > 2 * self.m:
            _, s, directions = np.linalg.svd(self.F, full_matrices=False)
            cut = s[self.m - 1] ** 2
            self.F = np.sqrt(s[: self.m - 1] ** 2 - cut)[:, None] * directions[: self.m - 1]
            self.zeta += cut
        values, vectors = np.linalg.eigh(self.hessian(self.arms[arm]))
        rows = (vectors * np.sqrt(np.maximum(values, 0))).T[-len(self.beta) :]
        self.F = np.vstack([self.F, rows])
        self.H = (self.lambda_ + self.zeta) * np.eye(self.beta.size) + self.F.T @ self.F


TEXTBOOK = {"eofd-mlogb": EofdMLogB}
