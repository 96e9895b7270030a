"""OFUL-MLogB for two outcomes and GLB-OMD: b is (d,), H (d, d), p = 1/(1 + exp(-x^T b)) is that of the better outcome."""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.solvers import mirror_descent, weighted_norm


def sigmoid(z: float) -> float:
    """1/(1 + exp(-z))."""
    return 0.5 * (1 + math.tanh(z / 2))


class BinaryMirrorDescent(Play):
    """What both share, see `mnlbandits.learners.binary_mirror_descent`.

    Attributes
    ----------
    better : the outcome with the larger reward. S : bound on ||b||. eta, lambda_ : step size and ridge.
    b : (d,), b_t. H : (d, d). rounds : steps so far. projections : those on which the constraint ||b|| <= S was active.
    """

    eta: float
    lambda_: float

    def __init__(self, problem: Problem, preset: str = "valid", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem)
        self.preset, self.radius_multiplier = preset, radius_multiplier
        self.better = 1 - int(np.argmin(problem.rewards))
        self.S = problem.binary_bound
        self.set_constants()
        self.b = np.zeros(problem.dim)
        self.H = self.lambda_ * np.eye(problem.dim)
        self.rounds = self.projections = 0

    def set_constants(self) -> None:
        """Sets eta and lambda_."""
        raise NotImplementedError

    def radius(self, t: int) -> float:
        """The confidence radius."""
        raise NotImplementedError

    def index(self, t: int) -> Array:
        """x^T b_t + radius ||x||_{H_t^-1} of every arm, shape (N,)."""
        inverse = np.linalg.inv(self.H)
        return self.on_offer(lambda x: x @ self.b + self.radius(t) * weighted_norm(x, inverse))

    def ratio(self, t: int, theta: Array) -> float:
        """||b - b_{t+1}||_{H_{t+1}} over the radius, for theta (2, d)."""
        b = theta[self.better] - theta[1 - self.better]
        return weighted_norm(b - self.b, self.H) / self.radius(t)

    def update(self, t: int, arm: int, outcome: int) -> None:
        """argmin over the ball of <gradient, b> + 1/(2 eta) ||b - b_t||^2_Htilde, then H += s'(x^T b_{t+1}) x x^T."""
        x = self.arms[arm]
        p = sigmoid(x @ self.b)
        gradient = (p - (outcome == self.better)) * x
        H_tilde = self.H + self.eta * p * (1 - p) * np.outer(x, x)
        ball = np.zeros(len(x)), np.eye(len(x)), self.S
        self.b, active = mirror_descent(self.b, gradient, H_tilde, self.eta, *ball)
        p = sigmoid(x @ self.b)
        self.H = self.H + p * (1 - p) * np.outer(x, x)
        self.projections += active
        self.rounds += 1


class BinaryOfulMLogB(BinaryMirrorDescent):
    """OFUL-MLogB at K = 2."""

    def set_constants(self) -> None:
        """As `mnlbandits.textbook.oful_mlogb` with D = d."""
        d = self.problem.dim
        self.eta = math.log(2) / 2 + self.S + 1
        if self.preset == "paper":
            self.lambda_ = 84 * math.sqrt(2) * self.eta * (d + self.S)
        else:
            self.lambda_ = max(6 * math.sqrt(6) * self.eta * self.S, 36 * self.eta * d)

    def radius(self, t: int) -> float:
        """As `mnlbandits.textbook.oful_mlogb` with D = d."""
        d, S, delta, eta, lambda_ = self.problem.dim, self.S, self.problem.delta, self.eta, self.lambda_
        if self.preset == "paper":
            Lambda = math.log(2 * math.sqrt(1 + 2 * t) / delta)
            losses = (3 * math.log(1 + 2 * t) + 3) * (17 / 16 * lambda_ + 2 * math.sqrt(lambda_) * Lambda + 16 * Lambda**2)
            volume = 7 * math.sqrt(6) / 6 * eta * d * math.log(1 + (t + 1) / (2 * lambda_))
            return math.sqrt(2 * eta * (losses + 2 + volume) + 4 * lambda_ * S**2)
        volume = 3 * math.sqrt(6) * eta**2 * d * math.log(1 + 2 * t / (d * lambda_))
        return self.radius_multiplier * math.sqrt(lambda_ * S**2 + 2 * eta * math.log(1 / delta) + volume)


class GlbOmd(BinaryMirrorDescent):
    """GLB-OMD."""

    def set_constants(self) -> None:
        """eta = 1 + S and lambda = max(14 d eta, 6 eta S/4)."""
        self.eta = 1 + self.S
        self.lambda_ = max(14 * self.problem.dim * self.eta, 6 * self.eta * self.S / 4)

    def radius(self, t: int) -> float:
        """As printed (paper), or of the mix-loss argument: lambda S^2 + 2 eta log(1/delta) + 7/5 eta^2 log det(H/lambda)."""
        if self.preset == "paper":
            volume = self.problem.dim * math.log(1 + self.rounds / (4 * self.lambda_))
            chance = 2 * self.eta * math.log(1 / self.problem.delta)
            return math.sqrt(4 * self.lambda_ * self.S**2 + chance + (6 * self.eta**2 + self.eta) * volume)
        growth = np.linalg.slogdet(self.H / self.lambda_)[1]
        square = self.lambda_ * self.S**2 + 2 * self.eta * math.log(1 / self.problem.delta) + 7 / 5 * self.eta**2 * growth
        return self.radius_multiplier * math.sqrt(square)


TEXTBOOK = {"oful-mlogb-binary": BinaryOfulMLogB, "glb-omd": GlbOmd}
