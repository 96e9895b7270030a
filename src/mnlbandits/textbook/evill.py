"""EVILL (Janz, Liu, Ayoub and Szepesvari 2024) in reference-class coordinates, see `mnlbandits.algorithms.evill`."""

import math

import numpy as np
from scipy.optimize import minimize

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.mnl_ucb_plus import MleInBall
from mnlbandits.textbook.normals import NormalStream, by_reward
from mnlbandits.textbook.solvers import weighted_norm


class Evill(MleInBall):
    """EVILL. stream : its normal numbers. beta, H : beta-hat_t and H_t."""

    def __init__(
        self, problem: Problem, preset: str, generator: np.random.Generator, radius_multiplier: float = 1.0
    ) -> None:
        super().__init__(problem, preset, radius_multiplier)
        self.lambda_ = 1.0
        self.H = np.eye(self.model.D)
        self.stream = NormalStream(generator)

    def sigma(self, n: int) -> float:
        """The radius in the norm of H after n observations."""
        S, scale = self.model.S, self.radius_multiplier
        return math.sqrt((2 + 2 * math.sqrt(6) * S) * (self.beta_squared(n) + scale**2 * self.lambda_ * S**2 / 2))

    def fit(self) -> None:
        """Line 2."""
        self.beta = self.model.ball_mle(self.lambda_)
        self.H = self.model.hessian(self.beta) + self.lambda_ * np.eye(self.model.D)

    def perturbed(self, w: Array) -> Array:
        """Line 4: a trust-region method of scipy comes close, Newton's method finishes."""
        model, shape = self.model, self.beta.shape

        def gradient(v: Array) -> Array:
            return model.gradient(v.reshape(shape)) + self.lambda_ * v - w

        def hessian(v: Array) -> Array:
            return model.hessian(v.reshape(shape)) + self.lambda_ * np.eye(model.D)

        def objective(v: Array) -> float:
            return model.loss(v.reshape(shape)) + self.lambda_ / 2 * (v @ v) - w @ v

        v = minimize(objective, self.beta.ravel(), method="trust-exact", jac=gradient, hess=hessian).x
        for _ in range(20):
            v = v - np.linalg.solve(hessian(v), gradient(v))
        return v.reshape(shape)

    def index(self, t: int) -> Array:
        """rho^T mu(beta~ x) of every arm, shape (N,)."""
        order, w = by_reward(self.model.rho, self.model.c, self.model.d), np.zeros(self.model.D)
        root = np.linalg.cholesky(self.H[np.ix_(order, order)])
        w[order] = self.sigma(t - 1) * root @ self.stream.of_round(t, self.model.D)
        sample = self.perturbed(w)
        return self.on_offer(lambda x: self.model.mean_reward(sample, x))

    def ratio(self, t: int, theta: Array) -> float:
        """||beta - beta-hat||_H over the radius after round t, for theta (K, d)."""
        return weighted_norm((self.model.beta_of(theta) - self.beta).ravel(), self.H) / self.sigma(t)


TEXTBOOK = {"evill": Evill}
