"""MNL-UCB (Amani and Thrampoulidis 2021) in its own coordinates."""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.reference import ReferenceModel
from mnlbandits.textbook.solvers import weighted_norm


class MnlUcb(Play):
    """MNL-UCB with the constants of a preset, see `mnlbandits.algorithms.mnl_ucb`.

    Attributes
    ----------
    model : data and likelihood. lambda_, kappa, L : constants. V : (d, d).
    beta_hat : (K-1, d), the ridge MLE. beta : the same, or a point of the ball if it is outside.
    """

    def __init__(self, problem: Problem, preset: str = "paper", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem)
        self.model = model = ReferenceModel(problem)
        self.radius_multiplier, self.delta = radius_multiplier, problem.delta
        K_r, S = model.K - 1, model.S
        self.lambda_ = K_r * model.d * math.log(problem.horizon)
        self.L = math.exp(S) / (1 + math.exp(S) + (K_r - 1) * math.exp(-S))
        if preset == "paper":
            self.kappa = math.exp(S) * (1 + K_r * math.exp(S)) ** 2
        else:
            self.kappa = model.kappa_bound()
            self.L = min(0.5, self.L)
        self.V = self.kappa * self.lambda_ * np.eye(model.d)
        self.beta_hat = self.beta = np.zeros((K_r, model.d))

    def radius(self, t: int) -> float:
        """gamma_t."""
        K_r, d, S, lambda_ = self.model.K - 1, self.model.d, self.model.S, self.lambda_
        volume = K_r**1.5 * d / math.sqrt(lambda_) * math.log(1 + t / (d * lambda_))
        chance = 2 * K_r**1.5 * d / math.sqrt(lambda_) * math.log(2 / self.delta)
        gamma = volume + math.sqrt(lambda_ / K_r) / 2 + chance + math.sqrt(lambda_) * S
        return self.radius_multiplier * gamma

    def index(self, t: int) -> Array:
        """rho^T mu + bonus of every arm, shape (N,)."""
        model, inverse = self.model, np.linalg.inv(self.V)
        factor = 2 * model.R * self.L * self.radius(t) * math.sqrt(self.kappa * (1 + 2 * model.S))
        return self.on_offer(lambda x: model.mean_reward(self.beta, x) + factor * weighted_norm(x, inverse))

    def update(self, t: int, arm: int, outcome: int) -> None:
        """The ridge MLE of all data; outside the ball, the ridge MLE within it."""
        del t
        x = self.arms[arm]
        self.model.record(x, outcome)
        self.V = self.V + np.outer(x, x)
        self.beta = self.beta_hat = self.model.ridge_mle(self.lambda_)
        if np.linalg.norm(self.beta_hat) > self.model.S:
            self.beta = self.model.ball_mle(self.lambda_)

    def g(self, beta: Array) -> Array:
        """sum mu_{-c}(beta x) (x) x + lambda beta up to a constant, (D,)."""
        return self.model.gradient(beta) + self.lambda_ * beta.ravel()

    def distance(self, beta: Array) -> float:
        """||g(beta) - g(beta_hat)||_{H(beta)^-1}."""
        H = self.model.hessian(beta) + self.lambda_ * np.eye(self.model.D)
        return weighted_norm(self.g(beta) - self.g(self.beta_hat), np.linalg.inv(H))

    def ratio(self, t: int, theta: Array) -> float:
        """The distance of theta (K, d) over the radius, after round t."""
        return self.distance(self.model.beta_of(theta)) / self.radius(t + 1)


TEXTBOOK = {"mnl-ucb": MnlUcb}
