"""Improved MNL-UCB+ as defined: the data round by round, one constrained program of scipy per arm."""

import math

import numpy as np
from scipy.optimize import minimize

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array, log_softmax, softmax
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.solvers import polished


class ImprovedMnlUcbPlus(Play):
    """Improved MNL-UCB+ for rewards that are equal but for one, see `mnlbandits.algorithms.improved_mnl_ucb_plus`.

    Attributes
    ----------
    free : the rows of theta (K, d) that are parameters: all, or in the paper preset all but the reference, whose row is 0.
    S : bound on the norm of those rows. theta_hat : the minimiser of the loss over the ball. beta2 : beta_t^2.
    """

    def __init__(
        self, problem: Problem, preset: str = "paper", data: str = "stream", radius_multiplier: float = 1.0
    ) -> None:
        del data
        K, worst = problem.outcomes, int(np.argmin(problem.rewards))
        super().__init__(problem)
        self.preset, self.c = preset, radius_multiplier
        self.a = int(np.argmax(problem.rewards))
        self.free = np.array([k for k in range(K) if preset != "paper" or k != worst])
        self.S = problem.reference_bound if preset == "paper" else problem.frobenius_bound
        self.rounds: list[tuple[Array, int]] = []
        self.refit(1)

    def theta(self, v: Array) -> Array:
        """The (K, d) parameter of the vector v of its free rows."""
        theta = np.zeros((self.problem.outcomes, self.problem.dim))
        theta[self.free] = v.reshape(-1, self.problem.dim)
        return theta

    def L(self, v: Array) -> float:
        """Loss summed over the data."""
        return -sum(log_softmax(self.theta(v) @ x)[y] for x, y in self.rounds)

    def log_mu_gradient(self, v: Array, x: Array, y: int) -> Array:
        """Gradient of log mu(theta x)_y."""
        residual = -softmax(self.theta(v) @ x)
        residual[y] += 1
        return np.outer(residual, x)[self.free].ravel()

    def L_gradient(self, v: Array) -> Array:
        """Gradient of L."""
        return -sum((self.log_mu_gradient(v, x, y) for x, y in self.rounds), np.zeros(v.size))

    def refit(self, t: int) -> None:
        """The estimate and the radius of round t."""
        D, S, delta = (self.problem.outcomes - 1) * self.problem.dim, self.S, self.problem.delta
        self.ball = {"type": "ineq", "fun": lambda v: S**2 - v @ v, "jac": lambda v: -2 * v}
        zero = np.zeros(self.free.size * self.problem.dim)
        options = {"ftol": 1e-15, "maxiter": 500}
        fit = minimize(self.L, zero, jac=self.L_gradient, method="SLSQP", constraints=[self.ball], options=options)
        self.theta_hat = polished(fit.x, self.L_gradient, [self.ball])
        if self.preset == "paper":
            beta2 = 5 * D * math.log(math.e + S * t / D) + 2 * (math.e - 2 + math.sqrt(6) * S) * math.log(1 / delta)
        else:
            beta2 = math.log(1 / delta) + D * math.log(max(math.e, 2 * math.sqrt(2) * math.e * S * (t - 1) / D))
        self.beta2 = self.c**2 * beta2

    def index(self, t: int) -> Array:
        """The largest (rho - min rho)^T mu(theta x) over the set, of every arm, shape (N,)."""
        del t
        level, rho = self.L(self.theta_hat) + self.beta2, self.problem.relative_rewards
        inside = {"type": "ineq", "fun": lambda v: level - self.L(v), "jac": lambda v: -self.L_gradient(v)}

        def largest(x: Array) -> float:
            found = []
            towards = self.log_mu_gradient(np.zeros_like(self.theta_hat), x, self.a)
            for start in (self.theta_hat, self.theta_hat / 2, self.theta_hat + 0.5 * towards):
                v = minimize(
                    lambda v: -log_softmax(self.theta(v) @ x)[self.a],
                    start,
                    jac=lambda v: -self.log_mu_gradient(v, x, self.a),
                    method="SLSQP",
                    constraints=[self.ball, inside],
                    options={"ftol": 1e-15, "maxiter": 500},
                ).x
                if inside["fun"](v) >= -1e-8 and self.ball["fun"](v) >= -1e-8:
                    found.append(v)
            best = max(found, key=lambda v: rho @ softmax(self.theta(v) @ x))
            best = polished(best, lambda v: -self.log_mu_gradient(v, x, self.a), [self.ball, inside])
            return rho @ softmax(self.theta(best) @ x)

        return self.on_offer(largest)

    def update(self, t: int, arm: int, outcome: int) -> None:
        """Add the observation and refit for round t + 1."""
        self.rounds.append((self.arms[arm], outcome))
        self.refit(t + 1)

    def ratio(self, t: int, theta: Array) -> float:
        """sqrt((L(theta) - min L)/beta^2)."""
        loss = -sum(log_softmax(theta @ x)[y] for x, y in self.rounds)
        return math.sqrt(max(0.0, loss - self.L(self.theta_hat)) / self.beta2)


TEXTBOOK = {"improved-mnl-ucb-plus": ImprovedMnlUcbPlus}
