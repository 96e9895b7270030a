"""TS-MLogB as described in `mnlbandits.algorithms.ts_mlogb`: OFUL-MLogB that samples."""

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array, softmax
from mnlbandits.textbook.normals import NormalStream, by_reward
from mnlbandits.textbook.oful_mlogb import OfulMLogB


class TsMLogB(OfulMLogB):
    """TS-MLogB. stream : its normal numbers."""

    def __init__(
        self, problem: Problem, preset: str, generator: np.random.Generator, radius_multiplier: float = 1.0
    ) -> None:
        super().__init__(problem, preset, radius_multiplier)
        self.stream = NormalStream(generator)

    def index(self, t: int) -> Array:
        """rho^T mu(beta~ x) of every arm, shape (N,), beta~ = beta_t + radius L xi with L L^T = H^-1."""
        order, step = by_reward(self.rho, self.reference, self.beta.shape[1]), np.zeros(len(self.H))
        root = np.linalg.cholesky(np.linalg.inv(self.H)[np.ix_(order, order)])
        step[order] = self.radius(t) * root @ self.stream.of_round(t, len(root))
        sample = self.beta + step.reshape(self.beta.shape)
        return self.on_offer(lambda x: self.rho @ softmax(np.insert(sample @ x, self.reference, 0.0)))


TEXTBOOK = {"ts-mlogb": TsMLogB}
