"""The two minimisations and the small tools that both textbook algorithms need."""

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq, least_squares, minimize

from mnlbandits.model.softmax import Array, log_softmax, loss_hessian, softmax


def first_argmax(scores: Array) -> int:
    """Lowest index whose score is within 1e-12, relative to the largest size, of the best one."""
    return int(np.flatnonzero(scores >= scores.max() - 1e-12 * np.abs(scores).max())[0])


def inverse_root(matrix: Array) -> Array:
    """M^{-1/2} of a symmetric positive definite matrix M (n, n)."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors / np.sqrt(values)) @ vectors.T


def weighted_norm(v: Array, matrix: Array) -> float:
    """||v||_M = sqrt(v^T M v) of v (n,)."""
    return math.sqrt(v @ matrix @ v)


def ridge_estimate(arms: Array, counts: Array, ridge: float) -> Array:
    """argmin over R^{K x d} of sum_s l_s(theta) + ridge/2 ||theta||^2, shape (K, d).

    A trust-region method of scipy comes close, Newton's method finishes. The minimiser lies in Pi R^{K x d}; only the ridge
    holds it there, so with 1e10 observations rounding moves it by 1e-8, which the last line removes.

    Parameters
    ----------
    arms : (N, d). counts : (N, K) how often each arm showed each outcome.
    """
    pulls, shape = counts.sum(axis=1), (counts.shape[1], arms.shape[1])
    scale = 1 / (ridge + pulls.sum())

    def objective(v: Array) -> float:
        return scale * (ridge / 2 * (v @ v) - (counts * log_softmax(arms @ v.reshape(shape).T)).sum())

    def gradient(v: Array) -> Array:
        residuals = pulls[:, None] * softmax(arms @ v.reshape(shape).T) - counts
        return scale * ((residuals.T @ arms).ravel() + ridge * v)

    def hessian(v: Array) -> Array:
        data = sum(n * loss_hessian(v.reshape(shape), x) for x, n in zip(arms, pulls, strict=True))
        return scale * (data + ridge * np.eye(v.size))

    v = minimize(objective, np.zeros(shape).ravel(), method="trust-exact", jac=gradient, hess=hessian).x
    for _ in range(100):
        step = np.linalg.solve(hessian(v), gradient(v))
        v = v - step
        if np.linalg.norm(step) <= 1e-12 * np.linalg.norm(v):
            break
    theta = v.reshape(shape)
    return theta - theta.mean(axis=0)


def mirror_descent(
    theta: Array, gradient: Array, w_tilde: Array, eta: float, centre: Array, v: Array, radius: float
) -> tuple[Array, bool]:
    """argmin over ||theta' - centre||_V <= radius of <gradient, theta'> + 1/(2 eta) ||theta' - theta||^2_Wtilde.

    With a multiplier nu >= 0 of the constraint, (Wtilde/eta + nu V)(theta' - centre) = Wtilde/eta (theta - centre) -
    gradient: nu = 0 if that is inside, else the root that puts theta' on the boundary.

    Parameters
    ----------
    theta, gradient, centre : (n,). w_tilde, v : (n, n).

    Returns
    -------
    theta' : (n,). active : whether nu > 0.
    """
    target = w_tilde @ (theta - centre) / eta - gradient

    def offset(nu: float) -> Array:
        return np.linalg.solve(w_tilde / eta + nu * v, target)

    def excess(nu: float) -> float:
        return weighted_norm(offset(nu), v) - radius

    if excess(0.0) <= 0:
        return centre + offset(0.0), False
    upper = 1.0
    while excess(upper) > 0:
        upper *= 2
    return centre + offset(brentq(excess, 0.0, upper, xtol=1e-300, rtol=1e-15, maxiter=1000)), True


def polished(v: Array, gradient: Callable[[Array], Array], constraints: list[dict]) -> Array:
    """The constrained minimiser near `v` (n,), which SLSQP found to about 1e-8, to rounding.

    Where `gradient` is a combination of the gradients of the constraints that are active, and these are 0.

    Parameters
    ----------
    constraints : of scipy, {"fun": c, "jac": its gradient} for c >= 0.
    """
    active = [c for c in constraints if abs(c["fun"](v)) <= 1e-6]

    def normals(v: Array) -> Array:
        return np.array([c["jac"](v) for c in active]).reshape(len(active), v.size).T

    def equations(u: Array) -> Array:
        v, multipliers = u[: len(u) - len(active)], u[len(u) - len(active) :]
        return np.concatenate([gradient(v) - normals(v) @ multipliers, [c["fun"](v) for c in active]])

    start = np.concatenate([v, np.linalg.lstsq(normals(v), gradient(v), rcond=None)[0]])
    found = least_squares(equations, start, method="lm", xtol=1e-15, ftol=1e-15, gtol=1e-15).x[: v.size]
    return found if np.linalg.norm(found - v) <= 1e-3 * (1 + np.linalg.norm(v)) else v
