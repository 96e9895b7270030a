"""The multinomial logistic model: probabilities, losses and Fisher information (Section 2, Appendices A and C).

Symbols: K outcomes, d features; theta is (K, d), x is (d,), z = theta x is (K,), p = mu(z) is (K,).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def log_softmax(z: ArrayLike) -> Array:
    """log mu(z) along the last axis, finite for every finite z."""
    z = np.asarray(z, dtype=float)
    z = z - z.max(axis=-1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))


def softmax(z: ArrayLike) -> Array:
    """mu(z): the K outcome probabilities, along the last axis (Section 2, Notations)."""
    return np.exp(log_softmax(z))


def softmax_jacobian(z: ArrayLike) -> Array:
    """grad mu(z) = diag(p) - p p^T, shape (K, K), positive semi-definite with kernel spanned by the ones vector."""
    p = softmax(z)
    return np.diag(p) - np.outer(p, p)


def loss(theta: ArrayLike, x: ArrayLike, outcome: int) -> float:
    """Logistic loss -log mu(theta x)_y of one observation (Section 2, Additional Notations)."""
    return float(-log_softmax(np.asarray(theta) @ np.asarray(x))[outcome])


def loss_gradient(theta: ArrayLike, x: ArrayLike, outcome: int) -> Array:
    """Gradient of `loss` in theta: (mu(theta x) - e_y) x^T, shape (K, d)."""
    residual = softmax(np.asarray(theta) @ np.asarray(x))
    residual[outcome] -= 1
    return np.outer(residual, x)


def loss_hessian(theta: ArrayLike, x: ArrayLike) -> Array:
    """Hessian of `loss` in the row-major vector of theta: grad mu(theta x) (x) x x^T, shape (Kd, Kd)."""
    return np.kron(softmax_jacobian(np.asarray(theta) @ np.asarray(x)), np.outer(x, x))


def fisher_information(z: ArrayLike) -> Array:
    """E[(Y - p)(Y - p)^T] for one-hot Y ~ mu(z), summed over the K outcomes (Appendix C), shape (K, K)."""
    p = softmax(z)
    score = np.eye(len(p)) - p
    return (score.T * p) @ score


def cramer_rao_bound(z: ArrayLike, rewards: ArrayLike) -> float:
    """CRLB of the mean reward rho^T mu(z): grad(Gamma)^T I^+ grad(Gamma) (Eq. cramer rao statement, Appendix C)."""
    gradient = softmax_jacobian(z) @ np.asarray(rewards, dtype=float)
    return float(gradient @ np.linalg.pinv(fisher_information(z)) @ gradient)


def contrast_basis(outcomes: int) -> Array:
    """Orthonormal basis Q of the plane 1^perp, shape (K, K-1): theta = Q phi has rows that sum to zero.

    Column j is (1, ..., 1, -j-1, 0, ..., 0) / sqrt((j+1)(j+2)), the Helmert contrasts.
    """
    basis = np.zeros((outcomes, outcomes - 1))
    for j in range(outcomes - 1):
        basis[: j + 1, j] = 1
        basis[j + 1, j] = -(j + 1)
        basis[:, j] /= np.sqrt((j + 1) * (j + 2))
    return basis


def reference_basis(outcomes: int, reference: int) -> Array:
    """Identity with a zero row at `reference`, shape (K, K-1): logits relative to one outcome (Appendix D)."""
    return np.delete(np.eye(outcomes), reference, axis=1)
