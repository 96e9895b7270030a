"""MNL-UCB+ (Lee, Yun and Jun 2024) and the stand-in for the intractable rows, in reference-class coordinates."""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.reference import ReferenceModel
from mnlbandits.textbook.solvers import weighted_norm


class MleInBall(Play):
    """What both share: the MLE in the ball and its sets, see `mnlbandits.learners.loss_set`.

    Attributes
    ----------
    model : data and likelihood. lambda_ : 1/(4 S^2). beta : (K-1, d), the MLE. H : (D, D), curvature there plus lambda I.
    """

    def __init__(self, problem: Problem, preset: str = "valid", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem)
        self.model = model = ReferenceModel(problem)
        self.preset, self.radius_multiplier, self.delta = preset, radius_multiplier, problem.delta
        self.lambda_ = 1 / (4 * model.S**2)
        self.beta = np.zeros((model.K - 1, model.d))
        self.H = self.lambda_ * np.eye(model.D)

    def beta_squared(self, n: int) -> float:
        """How much the loss may exceed its minimum, after n observations."""
        D, S = self.model.D, self.model.S
        if self.preset == "paper":
            chance = 2 * (math.e - 2 + math.sqrt(6) * S) * math.log(1 / self.delta)
            return 5 * D * math.log(math.e + S * n / D) + chance
        M = 1 if self.model.K == 2 else math.sqrt(2)
        square = math.log(1 / self.delta) + D * math.log(max(math.e, 2 * math.e * M * S * n / D))
        return self.radius_multiplier**2 * square

    def sigma(self, n: int) -> float:
        """The radius in the norm of H after n observations."""
        S, scale = self.model.S, self.radius_multiplier
        square = (2 + 2 * math.sqrt(6) * S) * self.beta_squared(n) + scale**2 * 4 * self.lambda_ * S**2
        return math.sqrt(square)

    def update(self, t: int, arm: int, outcome: int) -> None:
        """The MLE in the ball of all data."""
        del t
        self.model.record(self.arms[arm], outcome)
        self.fit()

    def fit(self) -> None:
        """beta and H of all data."""
        self.beta = self.model.ball_mle()
        self.H = self.model.hessian(self.beta) + self.lambda_ * np.eye(self.model.D)


class MnlUcbPlus(MleInBall):
    """MNL-UCB+: a bonus in the norm of V^-1 (d, d)."""

    def __init__(self, problem: Problem, preset: str = "paper", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem, preset, radius_multiplier)
        self.kappa = self.model.kappa_bound()

    def index(self, t: int) -> Array:
        """rho^T mu + R/2 sqrt(kappa) sigma ||x||_{V^-1}, V = kappa lambda I + sum x x^T, of every arm, shape (N,)."""
        model = self.model
        V = self.kappa * self.lambda_ * np.eye(model.d) + sum(np.outer(x, x) for x in model.x)
        factor, inverse = model.R / 2 * math.sqrt(self.kappa) * self.sigma(t - 1), np.linalg.inv(V)
        return self.on_offer(lambda x: model.mean_reward(self.beta, x) + factor * weighted_norm(x, inverse))

    def ratio(self, t: int, theta: Array) -> float:
        """sqrt of the excess of the loss at theta (K, d) over the allowed one, after round t."""
        excess = self.model.loss(self.model.beta_of(theta)) - self.model.loss(self.beta)
        return math.sqrt(max(0.0, excess) / self.beta_squared(t))


class MleSecondOrder(MleInBall):
    """The stand-in: eps_1 + eps_2 with H."""

    def index(self, t: int) -> Array:
        """rho^T mu + eps_1 + eps_2 of every arm, shape (N,)."""
        sigma = self.sigma(t - 1)
        return self.on_offer(lambda x: self.model.second_order_reward(self.beta, self.H, sigma, x))

    def ratio(self, t: int, theta: Array) -> float:
        """||beta - beta_hat||_H over the radius after round t, for theta (K, d)."""
        return weighted_norm((self.model.beta_of(theta) - self.beta).ravel(), self.H) / self.sigma(t)


TEXTBOOK = {"mnl-ucb-plus": MnlUcbPlus, "mle-second-order": MleSecondOrder}
