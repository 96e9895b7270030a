"""The ECOLog family: b is (d,), W and V are (d, d), and every step is a convex programme for scipy's optimisers."""

import math

import numpy as np
from scipy.optimize import brentq, minimize

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.normals import NormalStream
from mnlbandits.textbook.play import Play
from mnlbandits.textbook.solvers import weighted_norm


def loss(z: float, u: int) -> float:
    """-log of the probability of u = 1 (the better outcome) or 0 at logit z."""
    return float(np.logaddexp(0, -z if u else z))


def slope(z: float) -> float:
    """s'(z) = s(z) s(-z)."""
    return math.exp(-loss(z, 1) - loss(z, 0))


class Objective:
    """1/2 b^T A b - a^T b + sum over rows of counts[u] loss(x^T b, u), for observations [(x, {u: count})]."""

    def __init__(self, A: Array, a: Array, rows: list[tuple[Array, dict[int, float]]]) -> None:
        self.A, self.a, self.rows = A, a, rows
        self.scale = 1 / (np.trace(A) + 1 + sum(sum(counts.values()) for _, counts in rows))

    def value(self, b: Array) -> float:
        """The objective, scaled to order 1."""
        losses = sum(n * loss(x @ b, u) for x, counts in self.rows for u, n in counts.items())
        return self.scale * (b @ self.A @ b / 2 - self.a @ b + losses)

    def gradient(self, b: Array) -> Array:
        """Its gradient (d,)."""
        errors = sum((n * (math.exp(-loss(x @ b, 1)) - u) * x for x, counts in self.rows for u, n in counts.items()), 0 * b)
        return self.scale * (self.A @ b - self.a + errors)

    def hessian(self, b: Array) -> Array:
        """Its Hessian (d, d)."""
        bends = sum((sum(c.values()) * slope(x @ b) * np.outer(x, x) for x, c in self.rows), 0 * self.A)
        return self.scale * (self.A + bends)

    def minimum(self) -> Array:
        """The minimiser: a trust-region method of scipy comes close, Newton's method finishes."""
        b = minimize(self.value, 0 * self.a, method="trust-exact", jac=self.gradient, hess=self.hessian).x
        for _ in range(20):
            b = b - np.linalg.solve(self.hessian(b), self.gradient(b))
        return b

    def minimum_in(self, centre: Array, V: Array, radius: float) -> tuple[Array, bool]:
        """The minimiser over ||b - centre||_V <= radius, and whether that constraint is active."""

        def tilted(nu: float) -> Array:
            return Objective(self.A + nu * V, self.a + nu * V @ centre, self.rows).minimum()

        def excess(nu: float) -> float:
            return weighted_norm(tilted(nu) - centre, V) - radius

        least, upper = 1e-10, 1.0
        if excess(least) <= 0:
            b = tilted(least)
            for _ in range(3):  # without the small multiplier, where there is one minimiser
                b = b - np.linalg.lstsq(self.hessian(b), self.gradient(b), rcond=1e-9)[0]
            return b, False
        while excess(upper) > 0:
            upper *= 2
        return tilted(brentq(excess, least, upper, xtol=1e-300, rtol=1e-15, maxiter=1000)), True

    def minimum_in_both(self, first: tuple[Array, Array, float], second: tuple[Array, Array, float]) -> Array:
        """The minimiser over the intersection of two sets (centre, V, radius), by SLSQP."""
        sets = [
            {
                "type": "ineq",
                "fun": lambda b, c=c, V=V, r=r: 1 - (b - c) @ V @ (b - c) / r**2,
                "jac": lambda b, c=c, V=V, r=r: -2 * V @ (b - c) / r**2,
            }
            for c, V, r in (first, second)
        ]
        options = {"ftol": 1e-16, "maxiter": 1000}
        return minimize(self.value, first[0], jac=self.gradient, constraints=sets, method="SLSQP", options=options).x


class Ecolog(Play):
    """What the family shares, see `mnlbandits.learners.follower`; constants and radius of the valid preset.

    Attributes
    ----------
    better : the outcome with the larger reward. S : bound on ||b||. X : longest arm. D : diameter of Theta.
    Theta : (centre, V, radius) of {||b - centre||_V <= radius}.
    b : (d,), b_t. b_bar : (d,), b-bar of the last round. W : (d, d).
    known, summed : the two parts of the squared radius. projections : rounds on which Theta was active.
    """

    def __init__(self, problem: Problem, preset: str = "valid", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem)
        self.preset, self.radius_multiplier = preset, radius_multiplier
        self.better = 1 - int(np.argmin(problem.rewards))
        self.S, self.X = problem.binary_bound, problem.longest
        self.delta, self.D = problem.delta, 2 * self.S * self.X
        self.Theta = np.zeros(problem.dim), np.eye(problem.dim), self.S
        self.b, self.W = np.zeros(problem.dim), np.eye(problem.dim)
        self.b_bar = self.b
        self.known, self.summed = self.S**2 + (2 + self.D) * math.log(1 / self.delta), 0.0
        self.projections = 0

    def radius(self, t: int) -> float:
        """The confidence radius."""
        del t
        least = (2 + self.D) * math.log(1 / self.delta)
        return self.radius_multiplier * math.sqrt(max(self.known + self.summed, least))

    def index(self, t: int) -> Array:
        """x^T b_t + radius ||x||_{W_t^-1} of every arm, shape (N,)."""
        inverse = np.linalg.inv(self.W)
        return self.on_offer(lambda x: x @ self.b + self.radius(t) * weighted_norm(x, inverse))

    def ratio(self, t: int, theta: Array) -> float:
        """||b - b_{t+1}||_{W_{t+1}} over the radius, for theta (2, d)."""
        b = theta[self.better] - theta[1 - self.better]
        return weighted_norm(b - self.b, self.W) / self.radius(t)

    def step(self, x: Array, counts: dict[int, float]) -> tuple[Array, bool]:
        """argmin over Theta of ||b - b_t||^2_W / (2 + D) + the losses, and whether Theta is active."""
        A = 2 / (2 + self.D) * self.W
        return Objective(A, A @ self.b, [(x, counts)]).minimum_in(*self.Theta)

    def update(self, t: int, arm: int, outcome: int) -> None:
        """One step of the estimator."""
        x, u = self.arms[arm], int(outcome == self.better)
        self.b_bar, _ = self.step(x, {0: 1, 1: 1})
        after, active = self.step(x, {u: 1})
        self.summed += (2 + self.D) * (loss(x @ self.b_bar, u) - loss(x @ after, u))
        self.summed -= weighted_norm(after - self.b, self.W) ** 2
        self.move(x, after)
        self.projections += active

    def move(self, x: Array, after: Array) -> None:
        """b_{t+1} = after; W += s'(x^T after) x x^T."""
        self.b, self.W = after, self.W + slope(x @ after) * np.outer(x, x)

    def region(self, rows: list[tuple[Array, dict[int, float]]], multiplier: float = 1.0) -> tuple[Array, Array, float]:
        """(b-hat, V, r): estimate in the ball, V = I/(4 S^2) + sum x x^T/kappa_b, and the radius around it."""
        d, n = self.problem.dim, sum(sum(counts.values()) for _, counts in rows)
        estimate, _ = Objective(np.zeros((d, d)), np.zeros(d), rows).minimum_in(np.zeros(d), np.eye(d), self.S)
        V = np.eye(d) / (4 * self.S**2)
        for x, counts in rows:
            V = V + sum(counts.values()) * slope(self.S * self.X) * np.outer(x, x)
        return estimate, V, multiplier * math.sqrt(self.region_square(n))

    def region_square(self, n: float) -> float:
        """r^2 after n observations."""
        excess = math.log(1 / self.delta) + self.problem.dim * math.log(
            max(math.e, 2 * math.e * self.S * self.X * max(1, n) / self.problem.dim)
        )
        return 1 + (2 + 2 * self.S * self.X) * excess


class OfuEcolog(Ecolog):
    """OFU-ECOLog. V : (d, d), the design while exploring. rows : its observations. learning : whether Theta is there."""

    def __init__(
        self,
        problem: Problem,
        preset: str = "valid",
        exploration_multiplier: float = 1.0,
        radius_multiplier: float = 1.0,
    ) -> None:
        super().__init__(problem, preset, radius_multiplier)
        self.delta, self.D = problem.delta / 2, 1.0
        self.exploration_multiplier = exploration_multiplier
        self.rows: list[tuple[Array, dict[int, float]]] = []
        self.learning = False
        self.end_exploration()

    def exploration_norms(self) -> Array:
        """x^T V^-1 x of every arm, shape (N,)."""
        V = np.eye(self.problem.dim) / (4 * self.S**2)
        for x, _ in self.rows:
            V = V + slope(self.S * self.X) * np.outer(x, x)
        return self.on_offer(lambda x: x @ np.linalg.inv(V) @ x)

    def end_exploration(self) -> None:
        """Fix Theta and start learning if its diameter is at most 1."""
        r = self.exploration_multiplier * math.sqrt(self.region_square(len(self.rows)))
        if 2 * r * math.sqrt(self.exploration_norms().max()) > 1:
            return
        self.Theta = self.region(self.rows, self.exploration_multiplier)
        self.b, V, r = self.Theta
        distance = min(4 * self.S**2, r**2 / np.linalg.eigvalsh(V)[0])
        self.known = distance + (2 + self.D) * math.log(1 / self.delta)
        self.learning = True

    def index(self, t: int) -> Array:
        """The widths of the design while exploring, then the optimistic logits, shape (N,)."""
        return super().index(t) if self.learning else self.exploration_norms()

    def update(self, t: int, arm: int, outcome: int) -> None:
        """Keep the observation while exploring, then the estimator's step."""
        if self.learning:
            super().update(t, arm, outcome)
            return
        self.rows.append((self.arms[arm], {int(outcome == self.better): 1}))
        self.end_exploration()

    def ratio(self, t: int, theta: Array) -> float:
        """As for the family; -1 while exploring."""
        return super().ratio(t, theta) if self.learning else -1.0


class AdaOfuEcolog(Ecolog):
    """ada-OFU-ECOLog. exceptional : the list of the paper preset. shrunk : its set, None if the list is empty."""

    def __init__(self, problem: Problem, preset: str = "paper", radius_multiplier: float = 1.0) -> None:
        super().__init__(problem, preset, radius_multiplier)
        self.exceptional: list[tuple[Array, dict[int, float]]] = []
        self.shrunk: tuple[Array, Array, float] | None = None

    def radius(self, t: int) -> float:
        """That of the authors' code in the paper preset."""
        if self.preset != "paper":
            return super().radius(t)
        gamma = 1 / 2 + 2 * math.log(2 * math.sqrt(1 + t / 4) / self.delta)
        square = 2 * self.S**2 + (1 + self.S * self.X) ** 2 * gamma + self.summed
        return math.sqrt(max(square, (2 + self.D) * math.log(1 / self.delta)))

    def step(self, x: Array, counts: dict[int, float]) -> tuple[Array, bool]:
        """The step over the ball and the set of the exceptional list."""
        after, active = super().step(x, counts)
        if self.shrunk is None or weighted_norm(after - self.shrunk[0], self.shrunk[1]) <= self.shrunk[2]:
            return after, active
        A = 2 / (2 + self.D) * self.W
        return Objective(A, A @ self.b, [(x, counts)]).minimum_in_both(self.shrunk, self.Theta), True

    def update(self, t: int, arm: int, outcome: int) -> None:
        """The step, or an exception if s'(x^T b_bar) > 2 s'(x^T b^u) for an outcome u."""
        if self.preset != "paper":
            super().update(t, arm, outcome)
            return
        x, u = self.arms[arm], int(outcome == self.better)
        self.b_bar, _ = self.step(x, {0: 1, 1: 1})
        after = [self.step(x, {v: 1}) for v in (0, 1)]
        if any(slope(x @ self.b_bar) > 2 * slope(x @ b) for b, _ in after):
            self.exceptional.append((x, {u: 1}))
            self.shrunk = self.region(self.exceptional)
            return
        chosen, active = after[u]
        self.summed += (2 + self.D) * (loss(x @ self.b_bar, u) - loss(x @ chosen, u))
        self.summed -= weighted_norm(chosen - self.b_bar, self.W) ** 2 / 2
        self.move(x, chosen)
        self.projections += active


class TsEcolog(Ecolog):
    """TS-ECOLog. stream : its normal numbers."""

    def __init__(
        self, problem: Problem, preset: str, generator: np.random.Generator, radius_multiplier: float = 1.0
    ) -> None:
        super().__init__(problem, preset, radius_multiplier)
        self.stream = NormalStream(generator)

    def index(self, t: int) -> Array:
        """x^T b~ of every arm, shape (N,), b~ = b_t + radius L xi with L L^T = W^-1."""
        xi = self.stream.of_round(t, self.problem.dim)
        b = self.b + self.radius(t) * np.linalg.cholesky(np.linalg.inv(self.W)) @ xi
        return self.on_offer(lambda x: x @ b)


TEXTBOOK = {"ofu-ecolog": OfuEcolog, "ada-ofu-ecolog": AdaOfuEcolog, "ts-ecolog": TsEcolog}
