"""GLM-UCB, Logistic-UCB-1 and the surrogate of Logistic-UCB-2 in their own terms: rewards 1 (better outcome) and 0, b (d,).

s is the sigmoid, s' = s (1 - s), g(b) = sum_s s(x_s^T b) x_s + lambda b, H(b) = sum_s s'(x_s^T b) x_s x_s^T + lambda I and
F(b) the penalised loss. Every method keeps all its observations.
"""

import math

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.special import expit

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.solvers import weighted_norm


class BinaryLearner(Play):
    """Data, estimates and V of a binary method.

    Attributes
    ----------
    S, kappa, lambda_ : bound on ||b||, sup 1/s' and ridge. X : (t, d) and r : (t,), the observations. b_hat : (d,), the
    unconstrained minimiser of F. b : (d,), its minimiser over the ball. moved, failed : how often the estimate of the index
    is not b_hat, and how often it then is too far from it.
    """

    def __init__(self, problem: Problem, preset: str, data: str, radius_multiplier: float, lambda_: float) -> None:
        del data  # how the observations are stored changes nothing
        super().__init__(problem)
        self.preset, self.radius_multiplier, self.lambda_ = preset, radius_multiplier, lambda_
        self.worse = int(np.argmin(problem.rewards))
        self.S = problem.binary_bound
        logit = self.S * problem.longest
        self.kappa = 1 / (expit(logit) * expit(-logit))
        self.X, self.r = np.zeros((0, problem.dim)), np.zeros(0)
        self.b_hat = self.b = np.zeros(problem.dim)
        self.moved = self.failed = 0

    def index(self, t: int) -> Array:
        """Mean of rho - min rho at the estimate plus bonus of every arm, (N,)."""
        high = self.problem.relative_rewards[1 - self.worse]
        return self.on_offer(lambda x: high * (expit(x @ self.estimate()) + self.bonus(x, t)))

    def update(self, t: int, arm: int, outcome: int) -> None:
        """Add the observation of round t and fit."""
        self.X = np.vstack([self.X, self.arms[arm]])
        self.r = np.append(self.r, float(outcome != self.worse))
        self.b_hat = self.b = self.minimiser(self.lambda_)
        if np.linalg.norm(self.b_hat) > self.S:
            self.b = self.minimiser(self.lambda_ + self.multiplier())
        self.project(t)
        if not np.array_equal(self.estimate(), self.b_hat):
            self.moved += 1
            self.failed += self.distance(self.estimate()) > self.radius(t)

    def project(self, t: int) -> None:
        """Further steps after the estimates."""

    def ratio(self, t: int, theta: Array) -> float:
        """||g(b) - g(b_hat)|| in the method's norm over the radius, for theta (2, d)."""
        return self.distance(theta[1 - self.worse] - theta[self.worse]) / self.radius(t)

    def estimate(self) -> Array:
        """The b of the index."""
        return self.b

    def radius(self, t: int) -> float:
        """Radius of the confidence set."""
        raise NotImplementedError

    def distance(self, b: Array) -> float:
        """||g(b) - g(b_hat)|| in the method's norm."""
        raise NotImplementedError

    def bonus(self, x: Array, t: int) -> float:
        """Bonus of an arm, as a probability."""
        raise NotImplementedError

    def score(self, b: Array) -> Array:
        """g(b), (d,)."""
        return self.X.T @ expit(self.X @ b) + self.lambda_ * b

    def hessian(self, b: Array) -> Array:
        """H(b), (d, d)."""
        p = expit(self.X @ b)
        return (self.X.T * (p * (1 - p))) @ self.X + self.lambda_ * np.eye(len(b))

    def loss(self, b: Array) -> float:
        """The penalised loss."""
        z = self.X @ b
        return float((np.logaddexp(0, z) - self.r * z).sum() + self.lambda_ / 2 * (b @ b))

    def gradient(self, b: Array) -> Array:
        """Its gradient, (d,)."""
        return self.score(b) - self.X.T @ self.r

    def design(self) -> Array:
        """kappa lambda I + sum_s x_s x_s^T."""
        return self.kappa * self.lambda_ * np.eye(self.problem.dim) + self.X.T @ self.X

    def minimiser(self, ridge: float) -> Array:
        """argmin of the loss plus ridge/2 ||b||^2: a quasi-Newton method, then Newton's."""
        extra = ridge - self.lambda_

        def gradient(b: Array) -> Array:
            return self.gradient(b) + extra * b

        b = minimize(lambda b: self.loss(b) + extra / 2 * (b @ b), np.zeros(self.problem.dim), jac=gradient, method="BFGS").x
        for _ in range(5):
            b = b - np.linalg.solve(self.hessian(b) + extra * np.eye(len(b)), gradient(b))
        return b

    def multiplier(self) -> float:
        """The nu > 0 for which the minimiser with ridge lambda + nu lies on the sphere of radius S."""

        def excess(nu: float) -> float:
            return float(np.linalg.norm(self.minimiser(self.lambda_ + nu)) - self.S)

        upper = 1.0
        while excess(upper) > 0:
            upper *= 2
        return brentq(excess, 0.0, upper, xtol=1e-300, rtol=1e-14)


class GlmUcb(BinaryLearner):
    """GLM-UCB, see `mnlbandits.algorithms.glm_ucb`."""

    def __init__(
        self, problem: Problem, preset: str = "paper", data: str = "suffstat", radius_multiplier: float = 1.0
    ) -> None:
        super().__init__(problem, preset, data, radius_multiplier, float(problem.dim))

    def radius(self, t: int) -> float:
        """Of the thesis (paper), or with the volume of V."""
        d, delta, kappa, lambda_ = self.problem.dim, self.problem.delta, self.kappa, self.lambda_
        bias = math.sqrt(lambda_ / kappa) * self.S
        if self.preset == "paper":
            return bias + 1 / 2 * math.sqrt(d * math.log((1 + t / (kappa * lambda_)) / delta))
        noise = 1 / 2 * math.sqrt(2 * math.log(1 / delta) + d * math.log(1 + t / (kappa * lambda_ * d)))
        return self.radius_multiplier * (bias + noise)

    def distance(self, b: Array) -> float:
        """||g(b) - g(b_hat)||_{V^-1}."""
        return weighted_norm(self.score(b) - self.score(self.b_hat), np.linalg.inv(self.design()))

    def bonus(self, x: Array, t: int) -> float:
        """2 kappa/4 r_t ||x||_{V^-1}."""
        return 2 * self.kappa / 4 * self.radius(t) * weighted_norm(x, np.linalg.inv(self.design()))


class LogisticUcb1(BinaryLearner):
    """Logistic-UCB-1, see `mnlbandits.algorithms.logistic_ucb_1`."""

    def __init__(
        self, problem: Problem, preset: str = "paper", data: str = "suffstat", radius_multiplier: float = 1.0
    ) -> None:
        super().__init__(problem, preset, data, radius_multiplier, problem.dim * math.log(problem.horizon))

    def radius(self, t: int) -> float:
        """gamma_t."""
        d, delta, lambda_ = self.problem.dim, self.problem.delta, self.lambda_
        volume = (1 + t / (4 * d * lambda_)) ** d
        if self.preset != "paper":
            volume = np.linalg.det(np.eye(d) + self.X.T @ self.X / (4 * lambda_))
        gamma = math.sqrt(lambda_) * (self.S + 1 / 2) + 2 / math.sqrt(lambda_) * math.log(2**d / delta * math.sqrt(volume))
        return self.radius_multiplier * gamma

    def distance(self, b: Array) -> float:
        """||g(b) - g(b_hat)||_{H(b)^-1}."""
        return weighted_norm(self.score(b) - self.score(self.b_hat), np.linalg.inv(self.hessian(b)))

    def bonus(self, x: Array, t: int) -> float:
        """1/4 sqrt(4 + 8 S) sqrt(kappa) gamma_t ||x||_{V^-1}."""
        width = weighted_norm(x, np.linalg.inv(self.design()))
        return 1 / 4 * math.sqrt(4 + 8 * self.S) * math.sqrt(self.kappa) * self.radius(t) * width


class LogisticUcb2(LogisticUcb1):
    """The convex surrogate of Logistic-UCB-2, see `mnlbandits.algorithms.logistic_ucb_2`.

    Attributes
    ----------
    played, limits : x_s (d,) and l_s of every round. b2 : (d,), the admissible estimate.
    """

    def __init__(
        self, problem: Problem, preset: str = "paper", data: str = "suffstat", radius_multiplier: float = 1.0
    ) -> None:
        super().__init__(problem, preset, data, radius_multiplier)
        self.played: list[Array] = []
        self.limits: list[float] = []
        self.b2 = np.zeros(problem.dim)

    def update(self, t: int, arm: int, outcome: int) -> None:
        """l_t from the data before round t, then the rest."""
        x, gamma = self.arms[arm], self.radius(t - 1)
        beta = gamma + gamma**2 / math.sqrt(self.lambda_)
        if np.any(x != 0):
            self.played.append(x)
            self.limits.append(max(self.largest(x, beta**2), self.largest(-x, beta**2)))
        super().update(t, arm, outcome)

    def largest(self, c: Array, allowed: float) -> float:
        """max c^T b over {||b|| <= S, F(b) <= F(self.b) + allowed}."""
        top = self.loss(self.b) + allowed
        corner = self.S * c / np.linalg.norm(c)
        if self.loss(corner) <= top:
            return float(c @ corner)
        constraints = [
            {"type": "ineq", "fun": lambda b: self.S**2 - b @ b, "jac": lambda b: -2 * b},
            {"type": "ineq", "fun": lambda b: top - self.loss(b), "jac": lambda b: -self.gradient(b)},
        ]
        return -solve(lambda b: -c @ b, lambda b: -c, self.b, constraints)[1]

    def project(self, t: int) -> None:
        """b2 = argmin of F over {||b|| <= S, |x_s^T b| <= l_s for all s}."""
        self.b2 = self.b
        A, limits = np.array(self.played).reshape(-1, self.problem.dim), np.array(self.limits)
        if (np.abs(A @ self.b) > limits).any():
            self.b2 = admissible_minimiser(self, A, limits)

    def estimate(self) -> Array:
        """b2."""
        return self.b2

    def bonus(self, x: Array, t: int) -> float:
        """(2 + 4 S) s'(x^T b2) gamma_t ||x||_{H(b2)^-1} + c M kappa gamma_t^2 ||x||^2_{V^-1}."""
        S, gamma, p = self.S, self.radius(t), expit(x @ self.b2)
        c, M = (4 + 8 * S, 1 / 4) if self.preset == "paper" else (2 + 4 * S, 1 / (6 * math.sqrt(3)))
        first = (2 + 4 * S) * p * (1 - p) * gamma * weighted_norm(x, np.linalg.inv(self.hessian(self.b2)))
        return first + c * M * self.kappa * gamma**2 * weighted_norm(x, np.linalg.inv(self.design())) ** 2


def admissible_minimiser(learner: BinaryLearner, A: Array, limits: Array) -> Array:
    """argmin of F over {||b|| <= S, |A b| <= limits}, for A (m, d) and limits (m,)."""
    constraints = [
        {"type": "ineq", "fun": lambda b: learner.S**2 - b @ b, "jac": lambda b: -2 * b},
        {"type": "ineq", "fun": lambda b: limits - A @ b, "jac": lambda b: -A},
        {"type": "ineq", "fun": lambda b: limits + A @ b, "jac": lambda b: A},
    ]
    return solve(learner.loss, learner.gradient, np.zeros(A.shape[1]), constraints)[0]


def solve(objective, gradient, start: Array, constraints: list) -> tuple[Array, float]:
    """SLSQP, started again from where it stopped until nothing is gained."""
    b, value = start, math.inf
    for _ in range(5):
        found = minimize(
            objective, b, jac=gradient, method="SLSQP", constraints=constraints, options={"ftol": 1e-15, "maxiter": 500}
        )
        b = found.x
        if abs(found.fun - value) <= 1e-13 * abs(value):
            break
        value = found.fun
    return b, float(found.fun)


TEXTBOOK = {"glm-ucb": GlmUcb, "logistic-ucb-1": LogisticUcb1, "logistic-ucb-2": LogisticUcb2}
