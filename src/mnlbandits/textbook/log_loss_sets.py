"""OFULog-r, OFULog+ and OFUGLB as printed: the data round by round, one constrained program of scipy per arm.

b is (d,); an observation is 1 if the outcome with the larger reward was seen, with probability sigmoid(x^T b).
"""

import math

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.solvers import polished


class LogLossSetPlay(Play):
    """What the three share.

    Attributes
    ----------
    X : (t-1, d) actions of the past rounds. r : (t-1,) their observations. S : bound on ||b||.
    lambda_ : ridge. b_hat : the minimiser over the set's domain. beta2 : beta_t^2.
    """

    def __init__(
        self, problem: Problem, preset: str = "paper", data: str = "stream", radius_multiplier: float = 1.0
    ) -> None:
        del data
        super().__init__(problem)
        self.preset, self.c = preset, radius_multiplier
        self.worse = int(np.argmin(problem.rewards))
        self.S, self.d = problem.binary_bound, problem.dim
        self.X, self.r, self.b_hat = np.zeros((0, self.d)), np.zeros(0), np.zeros(self.d)
        self.refit(1)

    def F(self, b: Array) -> float:
        """Loss summed over the data, plus lambda/2 ||b||^2."""
        z = self.X @ b
        return float(np.logaddexp(0, z).sum() - self.r @ z + self.lambda_ / 2 * (b @ b))

    def gradient(self, b: Array) -> Array:
        """Gradient of F."""
        return self.X.T @ (expit(self.X @ b) - self.r) + self.lambda_ * b

    def in_ball(self) -> dict:
        """||b|| <= S as a constraint of scipy."""
        return {"type": "ineq", "fun": lambda b: self.S**2 - b @ b, "jac": lambda b: -2 * b}

    def in_set(self) -> dict:
        """F(b) - F(b_hat) <= beta^2 as a constraint of scipy."""
        level = self.F(self.b_hat) + self.beta2
        return {"type": "ineq", "fun": lambda b: level - self.F(b), "jac": lambda b: -self.gradient(b)}

    def solve(self, objective, jacobian, starts, constraints) -> Array:
        """The best point of SLSQP from several starts that meets the constraints, polished."""
        found = [
            minimize(
                objective, s, jac=jacobian, method="SLSQP", constraints=constraints, options={"ftol": 1e-15, "maxiter": 500}
            ).x
            for s in starts
        ]
        feasible = [b for b in found if all(c["fun"](b) >= -1e-8 for c in constraints)]
        return polished(min(feasible, key=objective), jacobian, constraints)

    def constrained_estimate(self) -> Array:
        """argmin of F over the ball."""
        starts = [np.zeros(self.d), self.b_hat / 2, *(self.S / 2 * np.eye(self.d)), *(-self.S / 2 * np.eye(self.d))]
        return self.solve(self.F, self.gradient, starts, [self.in_ball()])

    def index(self, t: int) -> Array:
        """The largest x^T b over the set, of every arm, shape (N,)."""
        del t
        constraints = [self.in_ball(), self.in_set()]

        def largest(x: Array) -> float:
            starts = [self.b_hat, self.b_hat / 2, self.b_hat + 0.5 * x]
            return x @ self.solve(lambda b: -x @ b, lambda b: -x, starts, constraints)

        return self.on_offer(largest)

    def update(self, t: int, arm: int, outcome: int) -> None:
        """Add the observation and refit for round t + 1."""
        self.X = np.vstack([self.X, self.arms[arm]])
        self.r = np.append(self.r, float(outcome != self.worse))
        self.refit(t + 1)

    def ratio(self, t: int, theta: Array) -> float:
        """sqrt((F(b) - F(b_hat))/beta^2) for the b of theta (K, d)."""
        b = theta[1 - self.worse] - theta[self.worse]
        return math.sqrt(max(0.0, self.F(b) - self.F(self.b_hat)) / self.beta2)

    def refit(self, t: int) -> None:
        """The set of round t."""
        self.lambda_ = 0.0
        self.b_hat = self.constrained_estimate()
        self.beta2 = self.c**2 * self.squared_radius(t)

    def squared_radius(self, t: int) -> float:
        """beta_t^2 of the uniform mixture over the ball, with losses of Lipschitz constant 1."""
        return self.mixture(self.S * (t - 1))

    def mixture(self, V: float) -> float:
        """log(1/delta) + d log max(e, 2 e V/d)."""
        return math.log(1 / self.problem.delta) + self.d * math.log(max(math.e, 2 * math.e * V / self.d))


class OfulogPlus(LogLossSetPlay):
    """OFULog+."""

    def squared_radius(self, t: int) -> float:
        """As in the authors' code, or the derived one."""
        d, S = self.d, self.S
        if self.preset == "paper":
            return 10 * d * math.log(math.e + S * t / (2 * d)) + 2 * (math.e - 2 + S) * math.log(1 / self.problem.delta)
        return super().squared_radius(t)


class Ofuglb(LogLossSetPlay):
    """OFUGLB."""

    def squared_radius(self, t: int) -> float:
        """As in the authors' code, or with the sharper Lipschitz constant."""
        if self.preset == "paper":
            return self.mixture(self.S * (1 + self.S / 2) * (t - 1))
        return super().squared_radius(t)


class OfulogR(LogLossSetPlay):
    """OFULog-r: a ridge, and b_hat may lie outside the ball."""

    def refit(self, t: int) -> None:
        """lambda_t, b_hat and beta_t^2 of round t."""
        self.lambda_ = self.d * math.log(2 + t / self.problem.delta)
        self.b_hat = minimize(self.F, np.zeros(self.d), jac=self.gradient, method="BFGS", options={"gtol": 1e-11}).x
        gamma = self.gamma(t)
        self.beta2 = (self.c * (gamma + gamma**2 / math.sqrt(self.lambda_))) ** 2

    def gamma(self, t: int) -> float:
        """gamma_t, with the printed or the data-dependent noise term."""
        d, root, delta = self.d, math.sqrt(self.lambda_), self.problem.delta
        if self.preset == "paper":
            noise = d / root * math.log(4 * (1 + t / (4 * d * self.lambda_)) / delta)
        else:
            log_det = np.linalg.slogdet(np.eye(d) + self.X.T @ self.X / (4 * self.lambda_))[1]
            growth = d / 2 * math.log(self.lambda_ / (d * math.log(2 + 1 / delta)))
            noise = 2 / root * (math.log(1 / delta) + log_det / 2 + d * math.log(2) + growth)
        return root * (self.S + 0.5) + noise


TEXTBOOK = {"ofulog-r": OfulogR, "ofulog-plus": OfulogPlus, "ofuglb": Ofuglb}
