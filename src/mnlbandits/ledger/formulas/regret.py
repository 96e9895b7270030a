"""The regret of Algorithm 2: its exploration, sums along an arm played again and again, Theorem 1, small instances."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.softmax import binary_curvature, sigmoid, softmax
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, column, rewards_box, vectors_box
from mnlbandits.model.softmax import Array

SHORTEST_HORIZON = 3 * 10**8
"""No shorter T has tau <= T: tau >= 336^2 8 log(T)^2, its value at K = 2, d = 1, S = 0, delta = 1."""


def tau_of(m: Arithmetic, size: Number, S: Number, horizon: Number, kappa: Number, delta: Number) -> Number:
    """tau = 336^2 (S + 1) (Kd)^2 kappa log(T/delta) log T, Lemma 1, size = Kd."""
    return 336**2 * (S + 1) * size**2 * kappa * m.log(horizon / delta) * m.log(horizon)


def exploration_cost(m: Arithmetic, S: Number, R: Number, power: int = 0) -> Number:
    """Regret of the exploration over R^power tau, K = 2, d = 1, arms 1 and -1 in turn, rho = (R, 0), ||theta_*|| = S."""
    return R * m.tanh(S / m.sqrt(2)) / 2 / R**power


def longer_arm_cost(m: Arithmetic, S: Number, R: Number, power: int = 0) -> Number:
    """Regret of a round of exploration over R^power, K = 2, d = 1, arms -1 and 1/2, rho = (R, 0), ||theta_*|| = S.

    The greedy exploration plays only -1, the longer arm, which is the worse one.
    """
    return R * (sigmoid(m, S / m.sqrt(2)) - sigmoid(m, -m.sqrt(2) * S)) / R**power


def better_first(m: Arithmetic, point: Mapping[str, Number]) -> tuple[list[Number], list[Number], list[Number]]:
    """mu of the better of two arms, of logits z and y, mu of the other, and the rewards r."""
    rewards = column(point, "r")
    first, second = (softmax(m, column(point, name)) for name in ("z", "y"))
    return (first, second, rewards) if dot(first, rewards) >= dot(second, rewards) else (second, first, rewards)


def two_arms_box(K: int, size: float = 12.0) -> Box:
    """The coordinates of `better_first`."""
    return vectors_box(z=(K, size), y=(K, size)) | rewards_box(K)


def round_cost(m: Arithmetic, K: int, factor: int | Fraction = 1, **point: Number) -> Number:
    """rho^T (mu(theta_* x_*) - mu(theta_* x_t)) over `factor` R, the regret of one round."""
    del K
    best, played, rewards = better_first(m, point)
    bound = m.number(factor) * m.norm(rewards)
    return (dot(best, rewards) - dot(played, rewards)) / bound if bound > 0 else 0 * bound


def cost_below_norm(factor: int | Fraction = 1) -> bool:
    """(rho_i - rho_j)^2 <= (factor R)^2: no coefficient of the difference is negative."""
    first, second, others = unknowns("first", "second", "others")
    return nonnegative(factor**2 * (first**2 + second**2 + others) - (first - second) ** 2)


COST_BELOW_NORM = (
    r"the regret of a round is linear in $\mu$ and $\mu'$, so largest where both are unit vectors: "
    r"$(\rho_i - \rho_j)^2 \le R^2$, the difference being $2 \rho_i \rho_j$ and the other squares"
)
"""What takes `cost_below_norm` to every K and instance."""


def harmonic(m: Arithmetic, count: Number, start: Number, step: Number = 1) -> Number:
    """sum_{i < count} 1/(start + i step), by digamma."""
    first = start / step
    return (m.digamma(first + count) - m.digamma(first)) / step


def leading(
    m: Arithmetic,
    constants: Mapping[str, float],
    horizon: Number,
    delta: Number,
    outcomes: Number | float = 0.5,
    star: Number | float = 0.5,
) -> Number:
    """R d sqrt(K T/kappa_*) log(T/delta), Theorem 1, the powers of K and 1/kappa_* free; `constants` of an instance."""
    rate = m.power(constants["outcomes"], outcomes) / m.power(constants["kappa_star"], star)
    return constants["R"] * constants["dim"] * m.sqrt(horizon) * rate * m.log(horizon / delta)


def printed_bound(m: Arithmetic, constants: Mapping[str, Number], horizon: Number, delta: Number) -> Number:
    """The right side of Theorem 1 with C = 1."""
    level, size = m.log(horizon / delta), constants["outcomes"] * constants["dim"]
    second = constants["kappa"] * (constants["R"] + constants["nu"]) * size**2 * level**2
    return leading(m, constants, horizon, delta) + second


def uneven_arms(m: Arithmetic) -> dict[str, Number]:
    """Constants of K = 2, d = 1, ||theta_*|| = S, arms -1/S and 1/(2 S), rho = (1, 0): the worse arm is the longer one.

    The greedy exploration plays only that. Nothing depends on S.
    """
    best, other = sigmoid(m, m.sqrt(2) / 2), sigmoid(m, -m.sqrt(m.number(2)))
    constants = {"kappa": 1 / binary_curvature(m, m.number(1)), "kappa_star": 1 / (best * (1 - best))}
    fixed = {"outcomes": 2, "dim": 1, "R": 1, "nu": 2}
    return {key: m.number(value) for key, value in fixed.items()} | constants | {"gap": best - other}


def uneven_horizon(S: Number) -> Number:
    """A T of these that is at least tau, and less than four times it, for S from 10^4 to 10^16."""
    return 6 * 10**9 * S


def explored_over_bound(m: Arithmetic, S: Number, power: int = 0) -> Number:
    """Regret of the exploration, gap tau, over (1 + S)^power times `printed_bound` at that T; delta = 0.05."""
    constants, horizon, delta = uneven_arms(m), uneven_horizon(S), m.number("0.05")
    tau = tau_of(m, 2, S, horizon, constants["kappa"], delta)
    return constants["gap"] * tau / (printed_bound(m, constants, horizon, delta) * (1 + S) ** power)


def three_outcomes(*rows: Sequence[float]) -> tuple[Array, Array]:
    """theta (K, N) and the N unit arms (N, N) for which mu(theta x) are the rows of K probabilities; K = 3 in examples."""
    logits = np.log(np.array(rows, dtype=float)).T
    return logits - logits.mean(axis=0), np.eye(len(rows))


def exact_moments(row: Sequence[Fraction | float]) -> tuple[Fraction, Fraction]:
    """Mean and second moment of the rewards (0, 1, 2, ...) under the probabilities of a row, exactly."""
    first, second = (sum((k**power * Fraction(p) for k, p in enumerate(row)), Fraction(0)) for power in (1, 2))
    return first, second


# Two arms of length X at logits -1 and -2, Theta so narrow that theta_* is outside of it


def balanced_share(m: Arithmetic, pulls: Sequence[Number], tilt: Number) -> Number:
    """Share of the second arm with which two gradients balance on a circle.

    Each arm pulls the estimate along its own direction, by `pulls` a round, and the estimate is r (a, b) from the centre of
    the circle with a - b = tilt: f_1 pulls_1/a = f_2 pulls_2/b.
    """
    root = m.sqrt(2 - tilt**2)
    first, second = (root + tilt) / 2, (root - tilt) / 2
    return pulls[0] * second / (pulls[0] * second + pulls[1] * first)


def stationary_share(m: Arithmetic, length: Number, horizon: Number) -> Number:
    """That share at the end of two arms of this length, K = d = 2, where bonuses are 0 beside the radius of Theta.

    The chances at Theta are 1/2, S X = sqrt(5/2), and hat theta is what tau/2 rounds of each arm pull over lambda_0.
    """
    pulls = [m.number(Fraction(1, 2)) - sigmoid(m, m.number(z)) for z in (-1, -2)]
    kappa = 1 / binary_curvature(m, m.sqrt(m.number(Fraction(5, 2))))
    tilt = 32 * 84 * m.sqrt(m.number(2)) * length * kappa * m.log(horizon) * (pulls[1] - pulls[0])
    return balanced_share(m, pulls, tilt)
