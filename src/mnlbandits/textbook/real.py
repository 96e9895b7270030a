"""REAL, Algorithms 1 and 2, line by line.

Shapes: theta is (K, d); V, W, Wtilde and Wbar are (Kd, Kd) and act on the row-major vector of theta, so that
I_K (x) x is the (Kd, K) matrix `np.kron(np.eye(K), x[:, None])`. Rounds t start at 1.
"""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array, loss_gradient, softmax, softmax_jacobian
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.solvers import inverse_root, mirror_descent, ridge_estimate, weighted_norm


class Real(Play):
    """REAL with the constants of a preset, see `mnlbandits.algorithms.real`.

    Attributes
    ----------
    lambda_0, tau, radius : Lemma (constant diameter) and Algorithm 1: ridge and length of the exploration, and radius of
        Theta in the norm of V. diameter : the exploration also ends once diam(Theta) is at most this; 0 in the paper.
    eta, lambda_ : Theorem (regret bound), step size and ridge of the learning phase.
    V : (Kd, Kd). counts : (N, K), the observations of the exploration.
    Theta : None while exploring, then (theta_hat (K, d), V_tau, radius).
    theta : (K, d), theta_t. W, W_bar : (Kd, Kd). rounds : rounds of learning so far. projections : rounds on which the
        constraint theta in Theta was active.
    """

    def __init__(
        self,
        problem: Problem,
        preset: str = "paper",
        exploration_multiplier: float = 1.0,
        radius_multiplier: float = 1.0,
        tau_factor: float = 336.0,
        theta_factor: float = 84.0,
        lambda_factor: float = 144.0,
        eta: float = 1.0,
    ) -> None:
        K, d, S, T = problem.outcomes, problem.dim, problem.frobenius_bound, problem.horizon
        super().__init__(problem)
        self.preset = preset
        self.lambda_0 = (S + 1) * K * d * math.log(T / problem.delta)
        self.tau = math.ceil(tau_factor**2 * self.lambda_0 * problem.kappa * K * d * math.log(T))
        self.radius = exploration_multiplier * math.sqrt(theta_factor**2 * self.lambda_0)
        self.diameter = 0.0 if preset in ("paper", "custom") else 1 / math.sqrt(6)
        self.radius_multiplier = radius_multiplier
        self.eta, self.lambda_ = (1.5, 36 * 1.5 * (K - 1) * d) if preset == "valid" else (eta, lambda_factor * K * d)
        self.V = self.lambda_0 * np.eye(K * d)
        self.counts = np.zeros((len(problem.arms), K))
        self.Theta: tuple[Array, Array, float] | None = None
        self.rounds = self.projections = 0
        self.end_exploration(0)

    def index(self, t: int) -> Array:
        """What line 3 of Algorithm 1, then line 4 of Algorithm 2, maximises over the arms, shape (N,)."""
        return self.exploration_norms() ** 2 if self.Theta is None else self.optimistic_rewards(t)

    def ratio(self, t: int, theta: Array) -> float:
        """||theta - theta_{t+1}||_{Wbar_{t+1}} / sigma_t; -1 while exploring."""
        return weighted_norm((theta - self.theta).ravel(), self.W_bar) / self.sigma(t) if self.rounds else -1.0

    def update(self, t: int, arm: int, outcome: int) -> None:
        """Learn from round t."""
        if self.Theta is None:
            self.explore(t, arm, outcome)
        else:
            self.learn(arm, outcome)

    # Algorithm 1

    def exploration_norms(self) -> Array:
        """||I_K (x) x||_{V^-1} of every arm, shape (N,) (line 3)."""
        root = inverse_root(self.V)
        return np.array([np.linalg.norm(root @ self.I_x(x), 2) for x in self.arms])

    def I_x(self, x: Array) -> Array:
        """I_K (x) x, (Kd, K)."""
        return np.kron(np.eye(self.problem.outcomes), x[:, None])

    def explore(self, t: int, arm: int, outcome: int) -> None:
        """V_t = V_{t-1} + 1/kappa I_K (x) x_t x_t^T (line 6)."""
        x = self.problem.arms[arm]
        self.counts[arm, outcome] += 1
        self.V += np.kron(np.eye(self.problem.outcomes), np.outer(x, x)) / self.problem.kappa
        self.end_exploration(t)

    def end_exploration(self, t: int) -> None:
        """Stop after tau rounds, or once diam(Theta) = 2 radius max ||I_K (x) x||_{V^-1} is small enough."""
        if t >= self.tau or 2 * self.radius * self.exploration_norms().max() <= self.diameter:
            self.begin_learning()

    def begin_learning(self) -> None:
        """The estimate and Theta (lines 7 and 8), then W_{tau+1} = Wbar_{tau+1} = lambda I (Algorithm 2, line 2).

        The paper leaves theta_{tau+1} open; it is the estimate here, in the valid preset shrunk into the ball of radius S.
        """
        theta_hat = ridge_estimate(self.problem.arms, self.counts, self.lambda_0)
        self.Theta = theta_hat, self.V, self.radius
        length = np.linalg.norm(theta_hat)
        too_long = self.preset == "valid" and length > self.problem.frobenius_bound
        self.theta = theta_hat * (self.problem.frobenius_bound / length) if too_long else theta_hat
        self.W = self.lambda_ * np.eye(theta_hat.size)
        self.W_bar = self.W.copy()

    # Algorithm 2

    def sigma(self, t: int) -> float:
        """sigma_t(delta) (Lemma confidence set learning); in the valid preset the mix-loss radius."""
        K, d, S, delta = self.problem.outcomes, self.problem.dim, self.problem.frobenius_bound, self.problem.delta
        if self.preset == "valid":
            D, log_volume = (K - 1) * d, math.log(1 + 2 * self.rounds / ((K - 1) * d * self.lambda_))
            growth = 2 * self.eta * math.log(1 / delta) + 3 * math.sqrt(6) * self.eta**2 * D * log_volume
            return math.sqrt(4 * S**2 * self.lambda_ + growth)
        return self.radius_multiplier * (
            2 / math.sqrt(6) * math.sqrt(K * d * math.log(t / delta)) + 2 * S * math.sqrt(self.lambda_)
        )

    def optimistic_rewards(self, t: int) -> Array:
        """rho^T mu(theta_t x) + eps_1 + eps_2 of every arm, for rho - min rho, shape (N,) (line 4)."""
        rho, sigma, root = self.problem.relative_rewards, self.sigma(t), inverse_root(self.W_bar)
        R = self.problem.reward_norm if self.preset in ("paper", "custom") else np.linalg.norm(rho)
        rewards = []
        for x in self.arms:
            z, I_x = self.theta @ x, self.I_x(x)
            eps_1 = sigma * np.linalg.norm(root @ I_x @ softmax_jacobian(z) @ rho)
            eps_2 = 3 * R * sigma**2 * np.linalg.norm(I_x.T @ root, 2) ** 2
            rewards.append(rho @ softmax(z) + eps_1 + eps_2)
        return np.array(rewards)

    def learn(self, arm: int, outcome: int) -> None:
        """theta_{t+1}, W_{t+1} and Wbar_{t+1} (lines 7 to 10).

        Pi needs no further care: theta_t, theta_hat and the gradient have rows that sum to zero, which all matrices keep,
        so the argmin over R^{K x d} lies in Pi R^{K x d}.
        """
        x, ones = self.arms[arm], np.ones(self.problem.outcomes)
        xx = np.outer(x, x)
        W_tilde = self.W + self.eta * np.kron(softmax_jacobian(self.theta @ x), xx)
        gradient = loss_gradient(self.theta, x, outcome)
        theta_hat, V, radius = self.Theta
        theta, active = mirror_descent(self.theta.ravel(), gradient.ravel(), W_tilde, self.eta, theta_hat.ravel(), V, radius)
        self.theta = theta.reshape(self.theta.shape)
        self.W = self.W + np.kron(softmax_jacobian(self.theta @ x), xx)
        self.W_bar = self.W_bar + np.kron(softmax_jacobian(self.theta @ x), xx) + np.kron(np.outer(ones, ones), xx)
        self.rounds += 1
        self.projections += active


TEXTBOOK = {"real": Real}
