"""B-MNL-CB (Midigeshi, Goyal and Sinha 2025) in reference-class coordinates; lines of `mnlbandits.algorithms.b_mnl_cb`."""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array, softmax_jacobian
from mnlbandits.textbook.mnl_ucb_plus import MleInBall
from mnlbandits.textbook.solvers import weighted_norm


def optimal_design(vectors: Array) -> Array:
    """D-optimal weights (n,) of vectors (n, D), to 1 %: 60 or less steps of the multiplicative algorithm, in their span."""
    w = np.full(len(vectors), 1 / len(vectors))
    _, s, directions = np.linalg.svd(vectors, full_matrices=False)
    v = vectors @ directions[s > 1e-9 * s[0]].T if s[0] > 0 else vectors[:, :0]
    for _ in range(60 if v.shape[1] else 0):
        M = v.T @ (w[:, None] * v)
        squares = np.einsum("ni,ij,nj->n", v, np.linalg.inv(M), v)
        w = w * squares / (w @ squares)
        if squares.max() <= 1.01 * v.shape[1]:
            break
    return w


class BMnlCb(MleInBall):
    """B-MNL-CB with the constants of a preset.

    Attributes
    ----------
    lengths : of the batches. bounds : [(UCB_j, LCB_j)] of the batches that are over, each
    (N,). gamma : radius of the last one. share : (N,) rounds that the arms should have had in this batch. pulls : (N,) had.
    """

    def __init__(self, problem: Problem, preset: str = "paper", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem, preset, radius_multiplier)
        self.T, N = problem.horizon, len(problem.arms)
        self.lengths = [int(2 * math.sqrt(self.T))]
        while sum(self.lengths) < self.T:
            self.lengths.append(int(2 * math.sqrt(self.T) * math.sqrt(self.lengths[-1])))
        self.bounds: list[tuple[Array, Array]] = []
        self.gamma = (self.model.R or 1.0) * self.model.S * math.sqrt(self.model.d * math.log(self.T / self.delta))
        self.share, self.pulls = np.zeros(N), np.zeros(N)

    def survivors(self) -> list[int]:
        """Line 4."""
        A = list(np.flatnonzero(self.offered))
        for upper, lower in self.bounds:
            A = [n for n in A if upper[n] >= max(lower[m] for m in A)]
        return A

    def weights(self) -> Array:
        """Lines 5 to 7: (N,), the mean of the designs, in multiples of 2^-24."""
        A, model, mean = self.survivors(), self.model, np.zeros(len(self.arms))
        designs = [optimal_design(self.arms[A])]
        if self.bounds:
            roots = []
            for n in A:
                G = model.free(model.free(softmax_jacobian(model.logits(self.beta, self.arms[n]))).T)
                values, vectors = np.linalg.eigh(G)
                roots.append((vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T)
            for i in range(model.K - 1):
                scaled = [np.kron(root[:, i], self.arms[n]) for root, n in zip(roots, A, strict=True)]
                designs.append(optimal_design(np.array(scaled)))
        mean[A] = np.mean(designs, axis=0)
        return np.rint(mean * 2**24) / 2**24

    def index(self, t: int) -> Array:
        """How far every arm would be behind its share after this round, shape (N,); out of A, 1 below all."""
        del t
        behind = self.share - self.pulls + self.weights()
        out = np.setdiff1d(np.arange(len(behind)), self.survivors())
        behind[out] = behind.min() - 1
        return behind

    def update(self, t: int, arm: int, outcome: int) -> None:
        """Keep the outcome; line 8 at the end of a batch."""
        self.share = self.share + self.weights()
        self.pulls[arm] += 1
        self.model.record(self.arms[arm], outcome)
        if t != sum(self.lengths[: len(self.bounds) + 1]) or t >= self.T:
            return
        model = self.model
        if self.preset == "paper":
            self.beta = model.ridge_mle(0.5)
            self.H = model.hessian(self.beta) + 0.5 * np.eye(model.D)
            model.x, model.y = [], []
        else:
            self.fit()
            self.gamma = self.sigma(t)
        upper = np.array([model.second_order_reward(self.beta, self.H, self.gamma, x) for x in self.arms])
        means = np.array([model.mean_reward(self.beta, x) for x in self.arms])
        self.bounds.append((upper, 2 * means - upper))
        self.share, self.pulls = np.zeros(len(means)), np.zeros(len(means))

    def ratio(self, t: int, theta: Array) -> float:
        """||beta - beta_m||_{H_m} over the radius, for theta (K, d); -1 in the first batch."""
        del t
        if not self.bounds:
            return -1.0
        return weighted_norm((self.model.beta_of(theta) - self.beta).ravel(), self.H) / self.gamma


TEXTBOOK = {"b-mnl-cb": BMnlCb}
