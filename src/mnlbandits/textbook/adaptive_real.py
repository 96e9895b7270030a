"""REAL with adaptive exploration, Algorithm 3, line by line; shapes as in `mnlbandits.textbook.real`."""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array, loss_gradient, softmax, softmax_jacobian
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.solvers import inverse_root, mirror_descent, weighted_norm


class AdaptiveReal(Play):
    """Adaptive REAL with the constants of a preset and a reading, see `mnlbandits.algorithms.adaptive_real`.

    Attributes
    ----------
    theta_w, theta : (K, d). H_w, H, H_bar : (Kd, Kd); theta and H are those of the learning phase.
    H_ball : (Kd, Kd), the matrix of mirror descent in the ball (valid preset).
    W : (theta^w, H^w, radius), the set W_t. explored, learnt : rounds of each kind so far.
    """

    def __init__(
        self,
        problem: Problem,
        preset: str = "paper",
        reading: str = "repaired",
        exploration_multiplier: float = 1.0,
        radius_multiplier: float = 1.0,
    ) -> None:
        K, d, S = problem.outcomes, problem.dim, problem.frobenius_bound
        D = (K - 1) * d
        super().__init__(problem)
        self.preset, self.reading = preset, reading
        self.multipliers = exploration_multiplier, radius_multiplier
        self.kappa = problem.kappa_of_ball if preset == "valid" else problem.kappa
        if preset == "valid":
            self.eta_w, self.eta = math.log(K) / 2 + S + 1, 1.5
            self.lambda_w, self.lambda_ = max(6 * math.sqrt(6) * self.eta_w * S, 36 * self.eta_w * D), 36 * self.eta * D
        else:
            self.eta_w, self.eta = (1 + math.sqrt(6) * S) / 2, 1.0
            self.lambda_w, self.lambda_ = 72 * (1 + math.sqrt(6) * S) * K * d, 144 * K * d
        self.theta_w, self.theta = np.zeros((K, d)), np.zeros((K, d))
        self.H_w, self.H_ball = self.lambda_w * np.eye(K * d), self.lambda_w * np.eye(K * d)
        self.H, self.H_bar = self.lambda_ * np.eye(K * d), self.lambda_ * np.eye(K * d)
        self.explored = self.learnt = 0
        self.W = self.theta_w, self.H_w, self.beta(1)

    def mix_loss(self, n: int, eta: float, lambda_: float) -> float:
        """The radius of mirror descent after n of its rounds (valid preset)."""
        D, S = (self.problem.outcomes - 1) * self.problem.dim, self.problem.frobenius_bound
        volume = 3 * math.sqrt(6) * eta**2 * D * math.log(1 + 2 * n / (D * lambda_))
        return math.sqrt(lambda_ * S**2 + 2 * eta * math.log(1 / self.problem.delta) + volume)

    def beta(self, t: int) -> float:
        """beta_t(delta)."""
        Kd, S = self.problem.outcomes * self.problem.dim, self.problem.frobenius_bound
        if self.preset == "valid":
            return self.mix_loss(self.explored, self.eta_w, self.lambda_w)
        beta = 4 * S * math.sqrt(Kd * math.log(t / self.problem.delta)) + 2 * S * math.sqrt(self.lambda_w)
        return self.multipliers[0] * beta

    def sigma(self, t: int) -> float:
        """sigma_t(delta)."""
        Kd, S = self.problem.outcomes * self.problem.dim, self.problem.frobenius_bound
        if self.preset == "valid":
            return self.mix_loss(self.learnt, self.eta, self.lambda_)
        return self.multipliers[1] * (2 * math.sqrt(Kd * math.log(t / self.problem.delta)) + 24 * S * math.sqrt(Kd))

    def widths(self) -> Array:
        """||I_K (x) x||^2_{(H^w)^-1} of every arm, shape (N,) (lines 4 and 5)."""
        root = inverse_root(self.H_w)
        return self.on_offer(lambda x: np.linalg.norm(root @ self.I_x(x), 2) ** 2)

    def I_x(self, x: Array) -> Array:
        """I_K (x) x, (Kd, K)."""
        return np.kron(np.eye(self.problem.outcomes), x[:, None])

    def explores(self, t: int) -> bool:
        """The trigger (line 4)."""
        return self.widths()[self.offered].max() >= 1 / (2 * math.sqrt(6) * self.beta(t)) ** 2

    def index(self, t: int) -> Array:
        """What round t maximises over the arms, shape (N,) (line 5 or 13)."""
        if self.explores(t):
            return self.widths()
        theta, rho, sigma, root = self.inside(), self.problem.relative_rewards, self.sigma(t), inverse_root(self.H_bar)
        R = self.problem.reward_norm if self.preset == "paper" else np.linalg.norm(rho)

        def score(x: Array) -> float:
            eps_1 = sigma * np.linalg.norm(root @ self.I_x(x) @ softmax_jacobian(theta @ x) @ rho)
            eps_2 = 3 * R * sigma**2 * np.linalg.norm(self.I_x(x).T @ root, 2) ** 2
            return rho @ softmax(theta @ x) + eps_1 + eps_2

        return self.on_offer(score)

    def inside(self) -> Array:
        """theta_t, projected into W_t; before the first round of learning theta^w, in the valid preset 0."""
        theta_w, H_w, radius = self.W
        theta = theta_w if self.learnt == 0 and self.preset != "valid" else self.theta
        inside, _ = mirror_descent(theta.ravel(), np.zeros(theta.size), self.H, 1.0, theta_w.ravel(), H_w, radius)
        return inside.reshape(theta.shape)

    def update(self, t: int, arm: int, outcome: int) -> None:
        """Learn from round t."""
        if self.explores(t):
            self.explore(t, arm, outcome)
        else:
            self.learn(arm, outcome)

    def explore(self, t: int, arm: int, outcome: int) -> None:
        """theta^w_{t+1}, H^w_t and W_{t+1} (lines 8 to 11)."""
        x = self.arms[arm]
        Q, gradient = (
            np.kron(np.eye(self.problem.outcomes), np.outer(x, x)) / self.kappa,
            self.gradient(arm, outcome),
        )
        if self.preset == "valid":
            H_tilde = self.H_ball + self.eta_w * self.hessian(self.theta_w, x)
            ball = np.zeros(self.theta.size), np.eye(self.theta.size), self.problem.frobenius_bound
            theta_w, _ = mirror_descent(self.theta_w.ravel(), gradient, H_tilde, self.eta_w, *ball)
        else:
            H_tilde = (self.H if self.reading == "printed" else self.H_w) + self.eta_w * Q
            theta_w = self.theta_w.ravel() - self.eta_w * np.linalg.solve(H_tilde, gradient)
        self.theta_w = theta_w.reshape(self.theta.shape)
        self.H_ball = self.H_ball + self.hessian(self.theta_w, x)
        self.H_w = self.H_w + Q
        self.explored += 1
        self.W = self.theta_w, self.H_w, self.beta(t + 1)

    def learn(self, arm: int, outcome: int) -> None:
        """theta_{t+1}, H_{t+1} and Hbar_{t+1} (lines 14 to 17; 18 to 20 change nothing)."""
        x, ones, theta = self.arms[arm], np.ones(self.problem.outcomes), self.inside()
        printed = self.reading == "printed"
        H_tilde = self.H + (1 if printed else self.eta) * self.hessian(theta, x)
        step = 1 / 2 if printed else self.eta
        gradient = loss_gradient(theta, x, outcome).ravel()
        theta_w, H_w, radius = self.W
        theta, _ = mirror_descent(theta.ravel(), gradient, H_tilde, step, theta_w.ravel(), H_w, radius)
        self.theta = theta.reshape(self.theta.shape)
        self.H = self.H + self.hessian(self.theta, x)
        self.H_bar = self.H_bar + self.hessian(self.theta, x) + np.kron(np.outer(ones, ones), np.outer(x, x))
        self.learnt += 1

    def ratio(self, t: int, theta: Array) -> float:
        """The larger ratio of distance and radius of the two sets."""
        centre, H_w, radius = self.W
        largest = weighted_norm((theta - centre).ravel(), H_w) / radius
        if self.learnt:
            largest = max(largest, weighted_norm((theta - self.theta).ravel(), self.H_bar) / self.sigma(t))
        return largest

    def gradient(self, arm: int, outcome: int) -> Array:
        """Gradient of the loss at theta^w, shape (Kd,)."""
        return loss_gradient(self.theta_w, self.arms[arm], outcome).ravel()

    def hessian(self, theta: Array, x: Array) -> Array:
        """grad mu(theta x) (x) x x^T, shape (Kd, Kd)."""
        return np.kron(softmax_jacobian(theta @ x), np.outer(x, x))


TEXTBOOK = {"adaptive-real": AdaptiveReal}
