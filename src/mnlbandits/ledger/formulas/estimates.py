"""The ridge estimate of Algorithm 1, its score, its information and Theta, over any arithmetic; theta is flat (Kd,)."""

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import DIGITS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.digits import DIGITS_KEPT
from mnlbandits.ledger.formulas.softmax import jacobian_of, softmax


def identity(m: Arithmetic, size: int) -> NDArray:
    """The identity matrix."""
    return m.array(np.eye(size, dtype=int))


def ridge_zero(m: Arithmetic, outcomes: int, dim: int, norm: Number, horizon: Number, delta: Number) -> Number:
    """lambda_0 = (S + 1) K d log(T/delta), Section 3.1."""
    return (norm + 1) * outcomes * dim * m.log(horizon / delta)


def score(m: Arithmetic, theta: NDArray, arms: NDArray, counts: NDArray, ridge: Number) -> tuple[NDArray, NDArray]:
    """Gradient (Kd,) and Hessian (Kd, Kd), at theta, of the ridge loss of outcome counts (N, K) of arms (N, d)."""
    K, d = counts.shape[1], arms.shape[1]
    gradient, hessian = ridge * theta, ridge * identity(m, K * d)
    for x, seen in zip(m.array(arms), counts.tolist(), strict=True):
        p, pulls = softmax(m, (theta.reshape(K, d) @ x).tolist()), sum(seen)
        gradient = gradient + np.kron(m.array([pulls * a - b for a, b in zip(p, seen, strict=True)]), x)
        hessian = hessian + pulls * np.kron(jacobian_of(m, p), np.outer(x, x))
    return gradient, hessian


def precise_estimate(start: NDArray, arms: NDArray, counts: NDArray, ridge: Number) -> NDArray:
    """hat theta (Kd,) in 50 digits, the minimiser of that loss, by Newton's method from a point near it.

    Raises
    ------
    ArithmeticError : it did not converge.
    """
    theta = DIGITS.array(start)
    for _ in range(20):
        gradient, hessian = score(DIGITS, theta, arms, counts, ridge)
        step = DIGITS.inverse(hessian) @ gradient
        theta = theta - step
        if DIGITS.sqrt(step @ step) <= DIGITS.number(10) ** (15 - DIGITS_KEPT) * DIGITS.sqrt(theta @ theta):
            return theta
    raise ArithmeticError("Newton's method did not converge")


def design_matrix(m: Arithmetic, arms: NDArray, pulls: NDArray, ridge: Number, kappa: Number) -> NDArray:
    """A = ridge I_d + sum over arms of pulls x x^T/kappa, of which V = I_K (x) A."""
    total = ridge * identity(m, arms.shape[1])
    for x, n in zip(m.array(arms), np.asarray(pulls).tolist(), strict=True):
        total = total + np.outer(x, x) * n / kappa
    return total
