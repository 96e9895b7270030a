"""SupSplitLog as reconstructed in `mnlbandits.algorithms.sup_split_log`, whose line numbers these are."""

import math

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.ecolog import Objective, slope
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.solvers import weighted_norm

Sample = list[tuple[Array, int]]
"""Arms and whether the better outcome was seen."""


class Stage:
    """One stage. Phi, Psi : its samples. b_hat, b_bar : (d,). u, w : (N,), of the arms."""

    def __init__(self, owner: "SupSplitLog") -> None:
        self.owner = owner
        self.Phi: Sample = []
        self.Psi: Sample = []
        self.fit()

    def curvature(self, sample: Sample, ridge: float) -> Array:
        """ridge I + sum s'(x^T b-hat) x x^T, (d, d)."""
        d = len(self.b_hat)
        return ridge * np.eye(d) + sum((slope(x @ self.b_hat) * np.outer(x, x) for x, _ in sample), np.zeros((d, d)))

    def half_width(self, x: Array) -> float:
        """u(x)."""
        S, delta, X, d = self.owner.S, self.owner.problem.delta, self.owner.X, len(x)
        volume = d * math.log(max(math.e, 2 * math.e * S * X * max(1, len(self.Phi)) / d))
        r = math.sqrt(1 + (2 + 2 * S * X) * (math.log(2 * self.owner.k_max / delta) + volume))
        inverse = np.linalg.inv(self.curvature(self.Phi, 1 / (4 * S**2)))
        return min(2 * S * float(np.linalg.norm(x)), self.owner.radius_multiplier * r * weighted_norm(x, inverse))

    def fit(self) -> None:
        """b-hat, u, b-bar and w."""
        owner, d = self.owner, self.owner.problem.dim
        S, L, lambda_, X = owner.S, owner.L, owner.lambda_, owner.X
        rows = [(x, {y: 1}) for x, y in self.Phi]
        self.b_hat = np.zeros(d)
        if rows:
            self.b_hat, _ = Objective(np.zeros((d, d)), np.zeros(d), rows).minimum_in(np.zeros(d), np.eye(d), S)
        self.u = np.array([self.half_width(x) for x in owner.arms])
        inverse = np.linalg.inv(self.curvature(self.Psi, lambda_))
        errors = [(y - 0.5 * (1 + math.tanh(x @ self.b_hat / 2))) * x for x, y in self.Psi]
        self.b_bar = self.b_hat + inverse @ sum(errors, np.zeros(d))
        u = [self.half_width(x) for x, _ in self.Psi]
        rest = sum(slope(x @ self.b_hat) * (math.exp(v) - 1 - v) ** 2 for (x, _), v in zip(self.Psi, u, strict=True))
        c = 2 * S * math.sqrt(lambda_) + math.sqrt(2 * math.exp(max(u, default=0.0)) * L)
        c += X * L / (3 * math.sqrt(lambda_)) + math.sqrt(rest)
        self.w = np.array([owner.radius_multiplier * c * weighted_norm(x, inverse) for x in owner.arms])


class SupSplitLog(Play):
    """SupSplitLog. S, X, L, lambda_, k_max : as in the description. stages : a list of `Stage`."""

    def __init__(self, problem: Problem, preset: str = "valid", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem)
        self.preset, self.radius_multiplier = preset, radius_multiplier
        self.better = 1 - int(np.argmin(problem.rewards))
        self.S, self.X = math.sqrt(2) * problem.norm_bound, problem.longest
        self.k_max = math.ceil(math.log2(problem.horizon) / 2) + 1
        self.L = math.log(4 * len(problem.arms) * problem.horizon * self.k_max / problem.delta)
        self.lambda_ = self.L * self.X / (6 * self.S)
        self.stages = [Stage(self) for _ in range(self.k_max)]

    def play(self) -> tuple[Array, Stage, Sample | None]:
        """Lines 2 to 8: what is maximised (N,), arms out of A 1 below all; the stage; where the round goes."""
        A = self.offered.copy()

        def within(values: Array) -> Array:
            return np.where(A, values, values.min() - 1)

        for k, stage in enumerate(self.stages, start=1):
            upper, lower = self.arms @ stage.b_bar + stage.w, self.arms @ stage.b_bar - stage.w
            if stage.u[A].max() > min(1, (16 * self.L / max(1, len(stage.Psi))) ** 0.25):
                return within(stage.u), stage, stage.Phi
            if stage.w[A].max() <= 1 / math.sqrt(self.problem.horizon):
                return within(upper), stage, None
            if stage.w[A].max() > 2.0**-k:
                return within(stage.w), stage, stage.Psi
            A = A & (upper >= lower[A].max())
        raise AssertionError("2^-k_max < 1/sqrt(T)")

    def index(self, t: int) -> Array:
        """What is maximised in round t, shape (N,)."""
        del t
        return self.play()[0]

    def update(self, t: int, arm: int, outcome: int) -> None:
        """The round into its part, and the estimates of its stage."""
        del t
        _, self.last, sample = self.play()
        if sample is not None:
            sample.append((self.arms[arm], int(outcome == self.better)))
            self.last.fit()

    def ratio(self, t: int, theta: Array) -> float:
        """The largest error of a logit over its width in the stage of the round, for theta (2, d)."""
        del t
        z, last = self.arms @ (theta[self.better] - theta[1 - self.better]), self.last
        errors = [abs(z - self.arms @ b) / width for b, width in ((last.b_hat, last.u), (last.b_bar, last.w))]
        return float(np.max(errors))


TEXTBOOK = {"sup-split-log": SupSplitLog}
