"""OFUL-MLogB (Zhang and Sugiyama 2023) in its own coordinates.

Outcome c, the one with the smallest reward, is the reference: its logit and its reward are 0. beta is (K-1, d), the rows
theta_k - theta_c of the other outcomes; H is (D, D) with D = (K-1) d and acts on the row-major vector of beta.
"""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array, softmax, softmax_jacobian
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.solvers import inverse_root, mirror_descent, weighted_norm


class OfulMLogB(Play):
    """OFUL-MLogB with the constants of a preset, see `mnlbandits.algorithms.oful_mlogb`.

    Attributes
    ----------
    reference : c. rho : (K,), rho - rho_c. bound : on ||beta_*||. eta, lambda_ : step size and ridge.
    beta : (K-1, d), beta_t. H : (D, D). projections : rounds on which the constraint ||beta|| <= bound was active.
    """

    def __init__(self, problem: Problem, preset: str = "paper", radius_multiplier: float = 1.0) -> None:
        K, D = problem.outcomes, (problem.outcomes - 1) * problem.dim
        super().__init__(problem)
        self.preset, self.radius_multiplier = preset, radius_multiplier
        self.reference = int(np.argmin(problem.rewards))
        self.rho = problem.rewards - problem.rewards[self.reference]
        self.bound = problem.reference_bound
        self.eta = math.log(K) / 2 + self.bound + 1
        if preset == "paper":
            self.lambda_ = 84 * math.sqrt(2) * self.eta * (D + self.bound)
        else:
            self.lambda_ = max(6 * math.sqrt(6) * self.eta * self.bound, 36 * self.eta * D)
        self.beta = np.zeros((K - 1, problem.dim))
        self.H = self.lambda_ * np.eye(D)
        self.projections = 0

    def radius(self, t: int) -> float:
        """The radius of the confidence set: of Lee and Oh 2024 (paper), or of the mix-loss argument."""
        K, d, S, delta = self.problem.outcomes, self.problem.dim, self.bound, self.problem.delta
        D, eta, lambda_ = (K - 1) * d, self.eta, self.lambda_
        if self.preset == "paper":
            Lambda = math.log(2 * math.sqrt(1 + 2 * t) / delta)
            losses = (3 * math.log(1 + K * t) + 3) * (17 / 16 * lambda_ + 2 * math.sqrt(lambda_) * Lambda + 16 * Lambda**2)
            volume = 7 * math.sqrt(6) / 6 * eta * D * math.log(1 + (t + 1) / (2 * lambda_))
            return math.sqrt(2 * eta * (losses + 2 + volume) + 4 * lambda_ * S**2)
        volume = 3 * math.sqrt(6) * eta**2 * D * math.log(1 + 2 * t / (D * lambda_))
        return self.radius_multiplier * math.sqrt(lambda_ * S**2 + 2 * eta * math.log(1 / delta) + volume)

    def index(self, t: int) -> Array:
        """rho^T mu + eps_1 + eps_2 of every arm, shape (N,): REAL's in K-1 rows, with H for Wbar."""
        radius, root, R = self.radius(t), inverse_root(self.H), np.linalg.norm(self.rho)

        def score(x: Array) -> float:
            z, I_x = self.logits(x), np.kron(np.eye(len(self.beta)), x[:, None])
            eps_1 = radius * np.linalg.norm(root @ I_x @ self.free(softmax_jacobian(z) @ self.rho))
            eps_2 = 3 * R * radius**2 * np.linalg.norm(I_x.T @ root, 2) ** 2
            return self.rho @ softmax(z) + eps_1 + eps_2

        return self.on_offer(score)

    def ratio(self, t: int, theta: Array) -> float:
        """||beta - beta_{t+1}||_{H_{t+1}} over the radius, for theta (K, d)."""
        beta = np.delete(theta - theta[self.reference], self.reference, axis=0)
        return weighted_norm((beta - self.beta).ravel(), self.H) / self.radius(t)

    def update(self, t: int, arm: int, outcome: int) -> None:
        """One mirror-descent step in the ball, then H_{t+1} = H_t + hessian of the loss at the new estimate."""
        del t
        x = self.arms[arm]
        residual = softmax(self.logits(x))
        residual[outcome] -= 1
        gradient = np.kron(self.free(residual), x)
        H_tilde = self.H + self.eta * self.hessian(x)
        ball = np.zeros(self.beta.size), np.eye(self.beta.size), self.bound
        beta, active = mirror_descent(self.beta.ravel(), gradient, H_tilde, self.eta, *ball)
        self.beta = beta.reshape(self.beta.shape)
        self.H = self.H + self.hessian(x)
        self.projections += active

    def logits(self, x: Array) -> Array:
        """z (K,): beta x with a 0 for the reference."""
        return np.insert(self.beta @ x, self.reference, 0.0)

    def free(self, v: Array) -> Array:
        """v (K, ...) without the row of the reference."""
        return np.delete(v, self.reference, axis=0)

    def hessian(self, x: Array) -> Array:
        """Hessian of the loss at beta_t in the vector of beta, (D, D)."""
        jacobian = self.free(self.free(softmax_jacobian(self.logits(x))).T)
        return np.kron(jacobian, np.outer(x, x))


TEXTBOOK = {"oful-mlogb": OfulMLogB}
