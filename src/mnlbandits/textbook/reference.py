"""The model in reference-class coordinates, and its maximum likelihood estimators, for the offline methods for K outcomes.

beta is (K-1, d): the rows theta_k - theta_c of the outcomes other than c, the one with the smallest reward. Matrices are
(D, D) with D = (K-1) d and act on the row-major vector of beta.
"""

import math

import numpy as np
from scipy.optimize import brentq, minimize

from mnlbandits.instances import Problem
from mnlbandits.model.kappa import kappa
from mnlbandits.model.softmax import Array, log_softmax, softmax, softmax_jacobian
from mnlbandits.textbook.solvers import inverse_root


class ReferenceModel:
    """Data and likelihood.

    Attributes
    ----------
    K, d, D : outcomes, features, free parameters. c : the reference. rho : (K,), rho - rho_c. R : its norm.
    S : bound on ||beta_*||. X : norm of the longest arm.
    x, y : actions and outcomes of the rounds so far.
    """

    def __init__(self, problem: Problem) -> None:
        self.K, self.d = problem.outcomes, problem.dim
        self.D = (self.K - 1) * self.d
        self.c = int(np.argmin(problem.rewards))
        self.rho = problem.rewards - problem.rewards[self.c]
        self.R = float(np.linalg.norm(self.rho))
        self.S = problem.reference_bound
        self.X = problem.longest
        self.x: list[Array] = []
        self.y: list[int] = []

    def record(self, x: Array, outcome: int) -> None:
        """One more observation."""
        self.x.append(x)
        self.y.append(outcome)

    def kappa_bound(self) -> float:
        """An upper bound of 1/lambda_min of the curvature in the ball, from that of kappa in centred coordinates."""
        shrink = math.sqrt(1 / 2) if self.K == 2 else 1.0  # by the centring of z and 0
        return self.K * kappa(self.K, shrink * self.S * self.X).upper

    def beta_of(self, theta: Array) -> Array:
        """beta of theta (K, d)."""
        return np.delete(theta - theta[self.c], self.c, axis=0)

    def logits(self, beta: Array, x: Array) -> Array:
        """z (K,): beta x with a 0 for the reference."""
        return np.insert(beta @ x, self.c, 0.0)

    def free(self, v: Array) -> Array:
        """v (K, ...) without the row of the reference."""
        return np.delete(v, self.c, axis=0)

    def loss(self, beta: Array) -> float:
        """L(beta), summed over the rounds."""
        return -sum(log_softmax(self.logits(beta, x))[y] for x, y in zip(self.x, self.y, strict=True))

    def gradient(self, beta: Array) -> Array:
        """Gradient of L, shape (D,)."""
        total = np.zeros(self.D)
        for x, y in zip(self.x, self.y, strict=True):
            total += np.kron(self.free(softmax(self.logits(beta, x)) - np.eye(self.K)[y]), x)
        return total

    def curvature(self, beta: Array, x: Array) -> Array:
        """Hessian of the loss of one observation of x, shape (D, D)."""
        return np.kron(self.free(self.free(softmax_jacobian(self.logits(beta, x))).T), np.outer(x, x))

    def hessian(self, beta: Array) -> Array:
        """Hessian of L, shape (D, D)."""
        return sum((self.curvature(beta, x) for x in self.x), np.zeros((self.D, self.D)))

    def ridge_mle(self, ridge: float) -> Array:
        """argmin of L + ridge/2 ||.||^2: a trust-region method of scipy comes close, Newton's method finishes."""
        shape = (self.K - 1, self.d)

        def gradient(v: Array) -> Array:
            return self.gradient(v.reshape(shape)) + ridge * v

        def hessian(v: Array) -> Array:
            return self.hessian(v.reshape(shape)) + ridge * np.eye(self.D)

        v = minimize(
            lambda v: self.loss(v.reshape(shape)) + ridge / 2 * (v @ v),
            np.zeros(self.D),
            method="trust-exact",
            jac=gradient,
            hess=hessian,
        ).x
        for _ in range(20):
            step = np.linalg.solve(hessian(v), gradient(v))
            v = v - step
            if np.linalg.norm(step) <= 1e-13 * np.linalg.norm(v):
                break
        return v.reshape(shape)

    def ball_mle(self, ridge: float = 0.0) -> Array:
        """argmin of L + ridge/2 ||.||^2 over ||beta|| <= S; the shortest one, if there are several.

        A ridge estimate: that of the multiplier that puts it on the sphere; inside, of 0, or next to 0 without ridge.
        """
        if not self.x:
            return np.zeros((self.K - 1, self.d))
        if ridge > 0 and np.linalg.norm(inside := self.ridge_mle(ridge)) <= self.S:
            return inside

        def excess(log_nu: float) -> float:
            return float(np.linalg.norm(self.ridge_mle(ridge + math.exp(log_nu)))) - self.S

        lowest, highest = math.log(1e-9), math.log(2 * len(self.x) / self.S + 1)
        if excess(lowest) <= 0:
            v = self.ridge_mle(ridge + math.exp(lowest)).ravel()
            for _ in range(3):  # without the small multiplier, where the data decide
                beta = v.reshape(self.K - 1, self.d)
                hessian, gradient = self.hessian(beta) + ridge * np.eye(self.D), self.gradient(beta) + ridge * v
                v = v - np.linalg.lstsq(hessian, gradient, rcond=1e-9)[0]
            return v.reshape(self.K - 1, self.d)
        return self.ridge_mle(ridge + math.exp(brentq(excess, lowest, highest, xtol=1e-13)))

    def mean_reward(self, beta: Array, x: Array) -> float:
        """rho^T mu."""
        return float(self.rho @ softmax(self.logits(beta, x)))

    def second_order_reward(self, beta: Array, H: Array, radius: float, x: Array) -> float:
        """rho^T mu + eps_1 + eps_2."""
        root, I_x = inverse_root(H), np.kron(np.eye(self.K - 1), x[:, None])
        slope = self.free(softmax_jacobian(self.logits(beta, x)) @ self.rho)
        eps_1 = radius * np.linalg.norm(root @ I_x @ slope)
        eps_2 = 3 * self.R * radius**2 * np.linalg.norm(I_x.T @ root, 2) ** 2
        return self.mean_reward(beta, x) + eps_1 + eps_2
