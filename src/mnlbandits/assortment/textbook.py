"""The two algorithms as a reader of the papers would write them: plain NumPy, scipy's optimisers, every subset tried.

Nothing here uses the compiled kernels, and the kernels use nothing from here.
"""

import math
from itertools import combinations

import numpy as np
from scipy.optimize import brentq, minimize

from mnlbandits.assortment.instances import AssortmentInstance
from mnlbandits.assortment.model import choice_probabilities, expected_revenue
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.solvers import mirror_descent, weighted_norm


def best_of_all(utilities: Array, revenues: Array, size: int) -> tuple[Array, float]:
    """The best of all sets of 1 .. `size` items as a mask (M,), and its expected revenue."""
    best, value = np.zeros(len(utilities), dtype=bool), 0.0
    for members in range(1, size + 1):
        for chosen in combinations(range(len(utilities)), members):
            mask = np.isin(np.arange(len(utilities)), chosen)
            revenue = expected_revenue(utilities, revenues, mask)
            if revenue > value:
                best, value = mask, revenue
    return best, value


class Learner:
    """What both share: theta_t (d,), H_t (d, d), optimistic utilities and the set they make best."""

    def __init__(self, instance: AssortmentInstance, preset: str, delta: float = 0.05, multiplier: float = 1.0) -> None:
        self.x, self.r, self.K, self.B = instance.items, instance.revenues, instance.size, instance.norm_bound
        self.d, self.preset, self.delta, self.multiplier = instance.items.shape[1], preset, delta, multiplier
        self.theta = np.zeros(self.d)
        self.prepare()

    def index(self, t: int) -> Array:
        """x_i^T theta_t + beta_t ||x_i||_{H_t^{-1}}, shape (M,)."""
        widths = np.sqrt(np.einsum("ij,jk,ik->i", self.x, np.linalg.inv(self.H), self.x))
        return self.x @ self.theta + self.radius(t) * widths

    def choose(self, t: int) -> Array:
        """The set of round t, as a mask (M,)."""
        return best_of_all(self.index(t), self.r, self.K)[0]

    def ratio(self, t: int, theta: Array) -> float:
        """Distance from the centre of the confidence set over its radius."""
        return weighted_norm(theta - self.theta, self.H) / self.radius(t)

    def gradient(self, theta: Array, offered: Array, outcome: int) -> Array:
        """grad l(theta) = sum_i P(i|S) x_i - x_outcome, where no item has x = 0."""
        x = np.vstack([self.x, np.zeros(self.d)])
        return choice_probabilities(self.x @ theta, offered) @ x - x[outcome]

    def hessian(self, theta: Array, offered: Array) -> Array:
        """hess l(theta) = sum_i P(i|S) x_i x_i^T - (sum_i P(i|S) x_i)(.)^T."""
        p = choice_probabilities(self.x @ theta, offered)[:-1]
        return (self.x.T * p) @ self.x - np.outer(p @ self.x, p @ self.x)


class OfuMnlPlus(Learner):
    """OFU-MNL+ with the constants of a preset, see `mnlbandits.assortment.algorithms`."""

    def prepare(self) -> None:
        """eta, lambda and H_1."""
        self.eta = math.log(self.K + 1) / 2 + self.B + 1
        tight = max(6 * math.sqrt(6) * self.eta * self.B, 36 * self.eta * self.d)
        self.lambda_ = 84 * math.sqrt(2) * self.eta * self.d if self.preset == "paper" else tight
        self.H = self.lambda_ * np.eye(self.d)

    def radius(self, t: int) -> float:
        """beta_t(delta)."""
        eta, lambda_, d = self.eta, self.lambda_, self.d
        if self.preset == "paper":
            Lambda = math.log(2 * math.sqrt(1 + 2 * t) / self.delta)
            losses = 17 / 16 * lambda_ + 2 * math.sqrt(lambda_) * Lambda + 16 * Lambda**2
            volume = 7 * math.sqrt(6) / 6 * eta * d * math.log(1 + (t + 1) / (2 * lambda_))
            inner = (3 * math.log(1 + (self.K + 1) * t) + 3) * losses + 2 + volume
            return math.sqrt(2 * eta * inner + 4 * lambda_ * self.B**2)
        volume = 3 * math.sqrt(6) * eta**2 * d * math.log(1 + 2 * t / (d * lambda_))
        return self.multiplier * math.sqrt(lambda_ * self.B**2 + 2 * eta * math.log(1 / self.delta) + volume)

    def update(self, t: int, offered: Array, outcome: int) -> None:
        """The mirror-descent step in the ball, then H_{t+1}."""
        del t
        gradient = self.gradient(self.theta, offered, outcome)
        tilde = self.H + self.eta * self.hessian(self.theta, offered)
        ball = np.zeros(self.d), np.eye(self.d), self.B
        self.theta, _ = mirror_descent(self.theta, gradient, tilde, self.eta, *ball)
        self.H = self.H + self.hessian(self.theta, offered)


class UcbMnl(Learner):
    """UCB-MNL with the constants of a preset, see `mnlbandits.assortment.algorithms`."""

    def prepare(self) -> None:
        """kappa and H_1."""
        self.kappa = math.exp(-self.B) / (1 + self.K * math.exp(self.B)) ** 2
        self.H = np.eye(self.d)
        self.data: list[tuple[Array, int]] = []

    def radius(self, t: int) -> float:
        """beta_t."""
        if self.preset == "paper":
            return math.sqrt(2 * self.d * math.log(1 + t / self.d) + 2 * math.log(t)) / (2 * self.kappa)
        noise = self.d / 2 * math.log(1 + self.K * t / self.d) + math.log(1 / self.delta)
        return self.multiplier * (math.sqrt(noise) / self.kappa + self.B)

    def update(self, t: int, offered: Array, outcome: int) -> None:
        """The penalised maximum likelihood estimate in the ball, then H_{t+1}."""
        del t
        self.data.append((offered, outcome))
        self.H = self.H + self.x[offered].T @ self.x[offered]
        self.theta = self.estimate(0.0)
        if np.linalg.norm(self.theta) > self.B:
            upper = 1.0
            while np.linalg.norm(self.estimate(upper)) > self.B:
                upper *= 2
            nu = brentq(lambda nu: np.linalg.norm(self.estimate(nu)) - self.B, 0.0, upper, xtol=1e-14, rtol=1e-12)
            self.theta = self.estimate(nu)

    def estimate(self, nu: float) -> Array:
        """argmin of sum_s l_s(theta) + (kappa + nu)/2 ||theta||^2."""
        ridge = self.kappa + nu

        def objective(theta: Array) -> float:
            losses = [-math.log(choice_probabilities(self.x @ theta, S)[y]) for S, y in self.data]
            return sum(losses) + ridge / 2 * theta @ theta

        def slope(theta: Array) -> Array:
            return sum(self.gradient(theta, S, y) for S, y in self.data) + ridge * theta

        def curvature(theta: Array) -> Array:
            return sum(self.hessian(theta, S) for S, y in self.data) + ridge * np.eye(self.d)

        options = {"gtol": 1e-10}
        return minimize(objective, np.zeros(self.d), method="trust-exact", jac=slope, hess=curvature, options=options).x


TEXTBOOK = {"ofu-mnl+": OfuMnlPlus, "ucb-mnl": UcbMnl}
