"""RS-MNL (Midigeshi, Goyal and Sinha 2025) in reference-class coordinates."""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.mnl_ucb_plus import MleInBall
from mnlbandits.textbook.solvers import weighted_norm


class RsMnl(MleInBall):
    """RS-MNL with the constants of a preset, see `mnlbandits.algorithms.rs_mnl`.

    Attributes
    ----------
    H_fit : (D, D), H at the last fit. gamma : the radius at the last fit. fits : how many there were.
    """

    def __init__(self, problem: Problem, preset: str = "paper", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem, preset, radius_multiplier)
        D, S = self.model.D, self.model.S
        self.gamma = self.sigma(0)
        if preset == "paper":
            self.lambda_ = D * math.log(problem.horizon) / math.sqrt(S)
            self.gamma = self.model.R * S * math.sqrt(D * math.log(problem.horizon / problem.delta))
            self.H = self.lambda_ * np.eye(D)
        self.H_fit, self.fits = self.H, 0

    def index(self, t: int) -> Array:
        """rho^T mu + sqrt(2) eps_1(gamma) + 2 eps_2(gamma) of every arm, shape (N,)."""
        del t
        radius = math.sqrt(2) * self.gamma
        return self.on_offer(lambda x: self.model.second_order_reward(self.beta, self.H, radius, x))

    def update(self, t: int, arm: int, outcome: int) -> None:
        """H grows at the last estimate; when its determinant has doubled, a new estimate."""
        self.model.record(self.arms[arm], outcome)
        self.H = self.H + self.model.curvature(self.beta, self.arms[arm])
        if np.linalg.slogdet(self.H)[1] - np.linalg.slogdet(self.H_fit)[1] < math.log(2):
            return
        if self.preset == "paper":
            self.beta = self.model.ridge_mle(self.lambda_)
            self.H = self.model.hessian(self.beta) + self.lambda_ * np.eye(self.model.D)
        else:
            self.fit()
            self.gamma = self.sigma(t)
        self.H_fit = self.H
        self.fits += 1

    def ratio(self, t: int, theta: Array) -> float:
        """||beta - beta_hat||_H over sqrt(2) gamma after round t, for theta (K, d)."""
        del t
        difference = (self.model.beta_of(theta) - self.beta).ravel()
        return weighted_norm(difference, self.H) / (math.sqrt(2) * self.gamma)


TEXTBOOK = {"rs-mnl": RsMnl}
