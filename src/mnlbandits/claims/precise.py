"""The model in 50 digits: what counterexamples are checked with again, independent of numpy."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import mpmath

DIGITS = 50

mp = mpmath.mp.clone()
mp.dps = DIGITS


def matrix(entries: Sequence[Sequence[float]]) -> Any:
    """A matrix of numbers taken exactly as the floats they are."""
    return mp.matrix([[mp.mpf(float(entry)) for entry in row] for row in entries])


def sigmoid(u: Any, m: Any = math) -> Any:
    """1/(1 + exp(-u)) without overflow, in floats or, with m = `mp`, in 50 digits."""
    return 1 / (1 + m.exp(-u)) if u > 0 else m.exp(u) / (1 + m.exp(u))


def slope(u: Any, m: Any = math) -> Any:
    """The derivative of the sigmoid at u."""
    e = m.exp(-abs(u))
    return e / (1 + e) ** 2


def softmax(z: Sequence[Any]) -> list[Any]:
    """mu(z)."""
    top = max(z)
    e = [mp.exp(mp.mpf(entry) - mp.mpf(top)) for entry in z]
    return [entry / mp.fsum(e) for entry in e]


def softmax_jacobian(z: Sequence[Any]) -> Any:
    """grad mu(z) (K, K)."""
    p = softmax(z)
    return mp.matrix([[(p[i] if i == j else 0) - p[i] * p[j] for j in range(len(p))] for i in range(len(p))])


def score(theta: Any, arms: Any, counts: Any, ridge: Any) -> tuple[Any, Any]:
    """Gradient (Kd, 1) and Hessian (Kd, Kd), at theta (Kd, 1), of the ridge loss of outcome counts (N, K) of arms (N, d)."""
    K, d = counts.shape[1], arms.shape[1]
    gradient, hessian = ridge * theta, ridge * mp.eye(K * d)
    for x, seen in zip(matrix(arms).tolist(), counts.tolist(), strict=True):
        z = [mp.fdot(theta[k * d : (k + 1) * d, 0], x) for k in range(K)]
        p, jacobian, pulls = softmax(z), softmax_jacobian(z), sum(seen)
        for k, i in itertools.product(range(K), range(d)):
            gradient[k * d + i] += (pulls * p[k] - seen[k]) * x[i]
            for m, j in itertools.product(range(K), range(d)):
                hessian[k * d + i, m * d + j] += pulls * jacobian[k, m] * x[i] * x[j]
    return gradient, hessian


def ridge_estimate(start: Any, arms: Any, counts: Any, ridge: Any) -> Any:
    """hat theta (Kd, 1), the minimiser of that loss, by Newton's method from a point (Kd, 1) near it."""
    theta = start
    for _ in range(20):
        step = mp.lu_solve(*reversed(score(theta, arms, counts, ridge)))
        theta = theta - step
        if mp.norm(step) <= mp.mpf(10) ** (15 - DIGITS) * mp.norm(theta):
            return theta
    raise ArithmeticError("Newton's method did not converge")


def eigenvalues(symmetric: Any) -> list[Any]:
    """Eigenvalues of a symmetric matrix, ascending."""
    return sorted(mp.eigsy(symmetric, eigvals_only=True))
